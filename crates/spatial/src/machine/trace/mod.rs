//! The trace of a run: every message, and its export to LogGOPSim and Perfetto.

mod goal;
mod perfetto;

use palmette_core::named;
use std::io::{self, Write};

named! {
    /// How a trace is written.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum TraceFormat("format") {
        /// A schedule for LogGOPSim and HTSIM.
        Goal = "goal",
        /// JSON for Perfetto and other viewers of Chrome's traces.
        Perfetto = "perfetto",
    }
}

impl TraceFormat {
    /// Extensions of files with traces.
    pub const ENDINGS: [&'static str; 3] = ["goal", "json", "txt"];

    /// What a file of this extension has.
    pub fn of_ending(ending: &str) -> Option<TraceFormat> {
        match ending {
            "json" => Some(TraceFormat::Perfetto),
            other => Self::ENDINGS.contains(&other).then_some(TraceFormat::Goal),
        }
    }
}

/// A message as it was sent. It arrives one step later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sent {
    /// The sender's clock: how many messages the longest chain before it has.
    pub step: u32,
    /// The sender.
    pub from: u32,
    /// The receiver.
    pub to: u32,
    /// Which phase of [`Trace::phases`] it is charged to.
    pub phase: u32,
    /// Its words, at least one.
    pub words: u32,
    /// Words of all messages that the sender had handled before it sent this one.
    pub heard: u32,
}

/// All messages of a run, in the order of sending within each of its programs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace {
    /// The number of processors.
    pub processors: usize,
    /// The names of the phases.
    pub phases: Vec<String>,
    /// The messages.
    pub sent: Vec<Sent>,
    /// The messages in the order in which they were handled, where every processor did not
    /// simply handle those sent first first.
    pub handled: Option<Vec<u32>>,
}

impl Trace {
    /// Writes the run.
    ///
    /// # Errors
    /// What writing fails with, or a message of no processor.
    pub fn write(&self, format: TraceFormat, out: &mut dyn Write) -> io::Result<()> {
        match format {
            TraceFormat::Goal => self.write_goal(out),
            TraceFormat::Perfetto => self.write_perfetto(out),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::curve::CurveKind;
    use crate::machine::{Machine, MachineParams, Memory, Processor, Program};
    use std::collections::HashMap;

    /// A token from 0 to everyone, and back up.
    struct Echo;
    impl Program for Echo {
        type Constants = ();
        type State = ();
        type Message = bool;
        const STATE_WORDS: usize = 0;
        const MESSAGE_WORDS: usize = 1;
        fn start(_: &mut (), processor: &mut Processor<'_, Self>) {
            if processor.me() == 0 {
                Self::receive(&mut (), true, processor);
            }
        }
        fn receive(_: &mut (), down: bool, processor: &mut Processor<'_, Self>) {
            let me = processor.me();
            let below = [3 * me + 1, 3 * me + 2, 3 * me + 3];
            if down && below[0] < processor.count() {
                for child in below.into_iter().filter(|&c| c < 50) {
                    processor.send(child, true);
                }
            } else if me > 0 {
                processor.send((me - 1) / 3, false);
            }
        }
        fn phase(down: &bool) -> u16 {
            u16::from(!down)
        }
        fn phase_name(_: &str, phase: u16) -> String {
            ["down", "\"up\""][phase as usize].to_string()
        }
    }

    fn echo() -> Machine {
        let curve = CurveKind::Hilbert.fitting(50).unwrap();
        let params = MachineParams { trace: true, ..MachineParams::default() };
        let mut machine = Machine::on_curve(&curve, 50, params).unwrap();
        machine.run::<Echo>("echo", (), Memory::new(50, |_| ())).unwrap();
        machine
    }

    /// The depth of a GOAL schedule: its longest chain of messages.
    fn goal_depth(text: &str) -> u32 {
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("num_ranks 50"));
        // The operation of each label, what it requires, and who sends each tag.
        let mut needs: HashMap<(u32, String), Vec<(u32, String)>> = HashMap::new();
        let (mut senders, mut receivers) = (HashMap::new(), HashMap::new());
        let mut rank = 0;
        for line in lines {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["rank", r, "{"] => rank = r.parse().unwrap(),
                ["}"] => {}
                [label, "send", "4b", "to", to, "tag", tag] => {
                    let key = (rank, label.trim_end_matches(':').to_string());
                    assert!(to.parse::<u32>().unwrap() < 50);
                    assert!(senders.insert(tag.to_string(), key.clone()).is_none());
                    needs.entry(key).or_default();
                }
                [label, "recv", "4b", "from", _, "tag", tag] => {
                    let key = (rank, label.trim_end_matches(':').to_string());
                    receivers.insert(key.clone(), tag.to_string());
                    needs.entry(key).or_default();
                }
                [label, "requires", other] => {
                    let key = (rank, label.to_string());
                    needs.get_mut(&key).unwrap().push((rank, other.to_string()));
                }
                _ => panic!("{line}"),
            }
        }
        let mut depth: HashMap<(u32, String), u32> = HashMap::new();
        while depth.len() < needs.len() {
            let before = depth.len();
            for (key, others) in &needs {
                let message = receivers.get(key).map(|tag| senders[tag].clone());
                let all: Option<Vec<u32>> = others.iter().map(|o| depth.get(o).copied()).collect();
                let arrived = message.as_ref().map(|m| depth.get(m).map(|d| d + 1));
                if let (Some(all), false) = (all, arrived == Some(None)) {
                    let own = arrived.flatten().unwrap_or(0);
                    depth.insert(key.clone(), all.into_iter().max().unwrap_or(0).max(own));
                }
            }
            assert!(depth.len() > before, "a cycle in the schedule");
        }
        *depth.values().max().unwrap()
    }

    #[test]
    fn goal_has_the_same_chains() {
        let machine = echo();
        let mut text = Vec::new();
        machine.trace().unwrap().write_goal(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert_eq!(goal_depth(&text), machine.costs().depth);
        assert_eq!(text.matches(" send ").count() as u64, machine.costs().messages);
        assert_eq!(text.matches(" recv ").count() as u64, machine.costs().messages);
    }

    #[test]
    fn perfetto_is_json_with_a_flow_a_message() {
        let machine = echo();
        let mut text = Vec::new();
        machine.trace().unwrap().write_perfetto(&mut text).unwrap();
        let json: serde_json::Value = serde_json::from_slice(&text).unwrap();
        let events = json["traceEvents"].as_array().unwrap();
        let count = |kind: &str| events.iter().filter(|e| e["ph"] == kind).count() as u64;
        let messages = machine.costs().messages;
        assert_eq!((count("s"), count("f"), count("X")), (messages, messages, 2 * messages));
        assert!(events.iter().any(|e| e["name"] == "\"up\""));
    }
}
