//! The run record: what a command read, did, measured and drew, as JSON with stable keys.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// One run of one command. Its keys are stable: `command`, `command_line`, `input`, `about`,
/// `parameters`, `seconds` (by phase), `result` and, in records made for reports, `pictures`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The command, such as `tree leaffix`.
    pub command: String,
    /// What to type in a shell for such a run; empty where no command line was behind it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub command_line: String,
    /// What was read: a path, a shape, or `-`.
    pub input: String,
    /// What the run shows and why it matters, in a few sentences, for the readers of a report;
    /// empty where nobody wrote it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// The parameters that decide the result.
    pub parameters: Map<String, Value>,
    /// Seconds by phase, in the order in which the phases ran.
    pub seconds: Map<String, Value>,
    /// The figures; which keys a command has is part of its documentation.
    pub result: Map<String, Value>,
    /// What can be seen of the run, in the order in which a report shows it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Picture>,
}

/// A picture of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Picture {
    /// What files with it are called, such as `placement`.
    pub name: String,
    /// The heading.
    pub title: String,
    /// The picture, which stands alone.
    pub svg: String,
    /// What a page needs to show more than the picture does: its key `kind` says how.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<Value>,
}

impl Record {
    /// A record with nothing measured yet.
    pub fn new(command: &str, input: &str) -> Self {
        Record { command: command.to_string(), input: input.to_string(), ..Record::default() }
    }

    /// Notes a parameter.
    pub fn parameter(&mut self, key: &str, value: impl Into<Value>) -> &mut Self {
        self.parameters.insert(key.to_string(), value.into());
        self
    }

    /// Notes a figure of the result.
    pub fn figure(&mut self, key: &str, value: impl Into<Value>) -> &mut Self {
        self.result.insert(key.to_string(), value.into());
        self
    }

    /// Runs `work` and notes how long it took under `phase`; a phase that runs
    /// twice is summed.
    pub fn time<T>(&mut self, phase: &str, work: impl FnOnce() -> T) -> T {
        let start = std::time::Instant::now();
        let answer = work();
        let taken = start.elapsed().as_secs_f64();
        let before = self.seconds.get(phase).and_then(Value::as_f64).unwrap_or(0.0);
        self.seconds.insert(phase.to_string(), Value::from(before + taken));
        answer
    }

    /// Moves some of a phase's time to another one, which ran within it.
    pub fn move_time(&mut self, from: &str, to: &str, time: std::time::Duration) {
        for (phase, more) in [(from, -time.as_secs_f64()), (to, time.as_secs_f64())] {
            let before = self.seconds.get(phase).and_then(Value::as_f64).unwrap_or(0.0);
            self.seconds.insert(phase.to_string(), Value::from((before + more).max(0.0)));
        }
    }

    /// The record as one line of JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a record has only string keys")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, Random};

    #[test]
    fn round_trips_with_keys_in_order() {
        let mut record = Record::new("tree info", "a.nwk");
        record.parameter("forest", false).figure("vertices", 3).figure("roots", 1);
        assert_eq!(record.time("read", || 7), 7);
        let text = record.to_json();
        assert!(text.find("vertices").unwrap() < text.find("roots").unwrap());
        let back: Record = serde_json::from_str(&text).unwrap();
        assert_eq!(back, record);
    }

    #[test]
    fn numbers_come_back_to_the_bit() {
        let mut random = Random::new(1, Purpose::Samples);
        for _ in 0..2000 {
            let number = f64::from_bits(random.below_wide(u64::MAX));
            let mut record = Record::new("tree info", "a.nwk");
            record.figure("height", number);
            let back: Record = serde_json::from_str(&record.to_json()).unwrap();
            assert_eq!(back, record, "{number:e}");
        }
    }
}
