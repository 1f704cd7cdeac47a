//! What the job did, told by rank 0.

use crate::command::{Links, Outcome, RunOptions};
use palmette::Record;
use palmette::core::ranks::{Phase, RankTraffic, Ranks};
use palmette_vocabulary::typed;
use serde_json::{Map, Value, json};
use std::path::Path;

/// A record and notes for people.
pub(crate) struct Report {
    pub(crate) record: Record,
    notes: Vec<String>,
    /// Bytes that the rank had when it began.
    memory: u64,
}

/// The numbers of a phase that ranks tell each other.
const NUMBERS: usize = 5;

/// Bytes of memory that this process has or, with `VmHWM:`, has had at most; 0 where the system
/// does not tell.
fn resident(key: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(key));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    1024 * kibibytes.unwrap_or(0)
}

impl Report {
    /// To be made before anything is read.
    pub(crate) fn new(command: &str, input: &Path) -> Report {
        let record = Record::new(command, &input.display().to_string());
        Report { record, notes: Vec::new(), memory: resident("VmRSS:") }
    }

    pub(crate) fn note(&mut self, text: String) {
        self.notes.push(text);
    }

    /// Adds times, traffic and memory of all ranks, and prints on rank 0.
    pub(crate) fn finish(mut self, ranks: &mut Links, run: &RunOptions) -> Outcome<()> {
        let phases = ranks.phases().to_vec();
        let words = |phase: &Phase| {
            let RankTraffic { rounds, messages, sent, received } = phase.traffic;
            [phase.seconds.to_bits(), rounds, messages, sent, received]
        };
        let own: Vec<u64> = phases.iter().flat_map(words).collect();
        let memory = ranks.gather(&[resident("VmHWM:").saturating_sub(self.memory)])?;
        let all = ranks.gather(&own)?;
        if ranks.rank() != 0 {
            return Ok(());
        }
        let (count, width) = (ranks.ranks(), NUMBERS * phases.len());
        let number =
            |rank: usize, phase: usize, k: usize| all.words[rank * width + NUMBERS * phase + k];
        let mut traffic = Map::new();
        for (k, phase) in phases.iter().enumerate() {
            let most = |place: usize| (0..count).map(|rank| number(rank, k, place)).max();
            let total = |place: usize| (0..count).map(|rank| number(rank, k, place)).sum::<u64>();
            let seconds = (0..count).map(|rank| f64::from_bits(number(rank, k, 0)));
            let seconds = seconds.fold(0.0, f64::max);
            self.record.seconds.insert(phase.name.to_string(), seconds.into());
            traffic.insert(
                phase.name.to_string(),
                json!({
                    "rounds": most(1),
                    "most_messages": most(2),
                    "most_words_sent": most(3),
                    "most_words_received": most(4),
                    "words": total(4),
                }),
            );
        }
        self.record.command_line =
            typed(&format!("mpirun -n {count} palmette-mpi"), std::env::args_os().skip(1));
        self.record.parameter("ranks", count);
        self.record.figure("traffic", Value::Object(traffic));
        // Nothing where the system does not tell.
        let most = memory.words.iter().copied().max().filter(|&most| most > 0);
        if let Some(most) = most {
            self.record.figure("most_memory", most);
        }
        if run.json {
            println!("{}", self.record.to_json());
        } else if !run.quiet {
            self.print(count);
        }
        if !run.quiet {
            self.notes.iter().for_each(|note| eprintln!("note: {note}"));
        }
        Ok(())
    }

    fn print(&self, ranks: usize) {
        let Record { command, input, result, seconds, .. } = &self.record;
        let s = if ranks == 1 { "" } else { "s" };
        println!("{command} of {input} on {ranks} rank{s}");
        for (key, value) in result.iter().filter(|(_, value)| !value.is_object()) {
            println!("{:<20} {value}", key.replace('_', " "));
        }
        println!();
        let columns = ["phase", "seconds", "rounds", "words sent", "received"];
        let [a, b, c, d, e] = columns;
        println!("{a:<10} {b:>9} {c:>7} {d:>12} {e:>12}   (of the rank with the most)");
        let traffic = result.get("traffic").and_then(Value::as_object);
        for (name, phase) in traffic.into_iter().flatten() {
            let number = |key: &str| phase.get(key).and_then(Value::as_u64).unwrap_or(0);
            println!(
                "{name:<10} {:>9.3} {:>7} {:>12} {:>12}",
                seconds.get(name).and_then(Value::as_f64).unwrap_or(0.0),
                number("rounds"),
                number("most_words_sent"),
                number("most_words_received"),
            );
        }
    }
}
