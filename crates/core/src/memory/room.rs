//! How much memory is left, asked before a long job and not found out in its middle.
//!
//! **Problem.** Given how many bytes a job needs, say whether they are there.
//! **Method.** Linux tells what the machine can still give (`/proc/meminfo`), what the control
//! group may still take, and what the process's own limits (`ulimit -v`, `ulimit -d`) leave.
//! The least of them counts, plus what the allocator has and keeps for later
//! ([`keep_freed_memory`](super::keep_freed_memory)). Where nothing is known, nothing is refused.
//! **Cost.** Four small files are read: tens of microseconds.

use std::fmt;
use std::fs::read_to_string;

/// Jobs below so many bytes are not worth asking about.
const WORTH_ASKING: u64 = 64 << 20;

/// A job does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not enough memory: {} needed, {} available", Bytes(*.needed), Bytes(*.available))]
pub struct NoRoom {
    /// Bytes that the job needs at its peak.
    pub needed: u64,
    /// Bytes that are there.
    pub available: u64,
}

/// Whether so many bytes fit in memory now.
///
/// # Errors
/// [`NoRoom`] with what is needed and what is there.
pub fn check_room(needed: u64) -> Result<(), NoRoom> {
    if needed < WORTH_ASKING {
        return Ok(());
    }
    match available() {
        Some(available) if available < needed => Err(NoRoom { needed, available }),
        _ => Ok(()),
    }
}

/// Bytes that this process can still get, if the system says so.
pub fn available() -> Option<u64> {
    let machine = machine().into_iter().chain(control_group()).min()?;
    let process = own_limits().map_or(machine, |own| own.min(machine));
    Some(process.saturating_add(super::kept()))
}

fn machine() -> Option<u64> {
    bytes(&read_to_string("/proc/meminfo").ok()?, "MemAvailable:")
}

/// What a file of the system says after a key, in lines such as `VmSize:  2048 kB`.
fn bytes(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib << 10)
}

/// What the limit of a container leaves.
fn control_group() -> Option<u64> {
    let number = |name: &str| -> Option<u64> {
        let text = read_to_string(format!("/sys/fs/cgroup/memory.{name}")).ok()?;
        text.trim().parse().ok()
    };
    Some(number("max")?.saturating_sub(number("current")?))
}

/// What the limits on address space and data leave.
fn own_limits() -> Option<u64> {
    let limits = read_to_string("/proc/self/limits").ok()?;
    let status = read_to_string("/proc/self/status").ok()?;
    let left = |name: &str, key: &str| -> Option<u64> {
        // "Max address space   LIMIT   LIMIT   bytes", where a limit may be "unlimited".
        let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
        let limit: u64 = line.split_whitespace().next()?.parse().ok()?;
        Some(limit.saturating_sub(bytes(&status, key)?))
    };
    let space = left("Max address space", "VmSize:");
    space.into_iter().chain(left("Max data size", "VmData:")).min()
}

/// A number of bytes as people say it.
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut size, mut unit) = (self.0 as f64, "bytes");
        for larger in ["KB", "MB", "GB", "TB"] {
            if size < 999.5 {
                break;
            }
            (size, unit) = (size / 1e3, larger);
        }
        let digits = if unit == "bytes" || size >= 99.95 { 0 } else { 1 };
        write!(f, "{size:.digits$} {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_jobs_fit_and_absurd_ones_do_not() {
        assert_eq!(check_room(16_000), Ok(()));
        // The machine is known on Linux only.
        if let Some(available) = available() {
            let error = check_room(u64::MAX).expect_err("more than any machine has");
            assert_eq!(error.needed, u64::MAX);
            assert!(error.available >= available / 2 && error.available <= 2 * available);
        }
    }

    #[test]
    fn sizes_are_said_as_people_do() {
        for (bytes, text) in [
            (0, "0 bytes"),
            (999, "999 bytes"),
            (1000, "1.0 KB"),
            (65_536, "65.5 KB"),
            (171_798_691, "172 MB"),
            (17_179_869_184, "17.2 GB"),
            (u64::MAX, "18446744 TB"),
        ] {
            assert_eq!(Bytes(bytes).to_string(), text);
        }
    }
}
