//! Chrome's trace format, which Perfetto shows.
//!
//! A processor is a thread, a step one millisecond. Sending and receiving are slices,
//! an arrow joins the two, and a counter shows the messages of every step.

use super::Trace;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Microseconds of a step, and of a slice in it.
const STEP: u64 = 1000;
const SLICE: u64 = 400;

impl Trace {
    /// Writes the run as JSON for Perfetto.
    ///
    /// # Errors
    /// What writing fails with.
    pub fn write_perfetto(&self, out: &mut dyn Write) -> io::Result<()> {
        let names: Result<Vec<String>, _> = self.phases.iter().map(serde_json::to_string).collect();
        let names = names?;
        let mut steps: BTreeMap<u32, u64> = BTreeMap::new();
        writeln!(out, "{{\"displayTimeUnit\":\"ms\",\"traceEvents\":[")?;
        write!(
            out,
            "{{\"ph\":\"M\",\"pid\":0,\"name\":\"process_name\",\"args\":{{\"name\":\"processors\"}}}}"
        )?;
        for (i, s) in self.sent.iter().enumerate() {
            *steps.entry(s.step).or_default() += 1;
            let name = &names[s.phase as usize];
            let sent = u64::from(s.step) * STEP + STEP / 2;
            let received = u64::from(s.step + 1) * STEP;
            let mut event = |kind: &str, at: u64, thread: u32, more: &str| {
                write!(
                    out,
                    ",\n{{\"ph\":\"{kind}\",\"name\":{name},\"pid\":0,\"tid\":{thread},\"ts\":{at}{more}}}"
                )
            };
            let slice = |word: &str, who: u32| {
                format!(",\"dur\":{SLICE},\"args\":{{\"{word}\":{who},\"words\":{}}}", s.words)
            };
            event("X", sent, s.from, &slice("to", s.to))?;
            event("X", received, s.to, &slice("from", s.from))?;
            event("s", sent, s.from, &format!(",\"cat\":\"message\",\"id\":{i}"))?;
            event("f", received, s.to, &format!(",\"cat\":\"message\",\"id\":{i},\"bp\":\"e\""))?;
        }
        for (step, count) in steps {
            let at = u64::from(step) * STEP;
            write!(
                out,
                ",\n{{\"ph\":\"C\",\"name\":\"messages per \
                step\",\"pid\":0,\"ts\":{at},\"args\":{{\"messages\":{count}}}}}"
            )?;
        }
        writeln!(out, "\n]}}")
    }
}
