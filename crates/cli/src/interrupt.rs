//! What happens when somebody presses Ctrl-C, or a scheduler ends the program.
//!
//! One thread waits for signals. It removes partial outputs and exits with 128 plus the signal's
//! number, as shells expect. A command that runs other commands is told instead, stops them and
//! exits by itself.

use indicatif::{ProgressBar, WeakProgressBar};
use palmette::core::Cancel;
use palmette::io::abandon;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The flag of a command that exits by itself.
static LISTENER: OnceLock<Cancel> = OnceLock::new();
/// The first signal that came; 0 for none.
static RECEIVED: AtomicI32 = AtomicI32::new(0);
/// What is shown while the program works.
static PROGRESS: Mutex<Option<WeakProgressBar>> = Mutex::new(None);

/// Starts listening. Without a listener a signal ends the program at once, which leaves no partial
/// file.
#[cfg(unix)]
pub(crate) fn install() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
    use std::sync::Arc;
    // A file that exceeds the process limit is a write error, not a reason to exit.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
    // The parent may want some ignored, as `nohup` does.
    let wanted =
        [SIGINT, SIGTERM, SIGHUP, SIGQUIT].into_iter().filter(|&signal| !is_ignored(signal));
    // If signals cannot be caught, the system ends the program as usual.
    let Ok(mut signals) = signal_hook::iterator::Signals::new(wanted) else { return };
    start(move || signals.forever().for_each(came));
}

/// Starts listening. There are fewer signals, and nothing to wait for them with.
#[cfg(not(unix))]
pub(crate) fn install() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use std::sync::{Arc, atomic::AtomicUsize};
    let found = Arc::new(AtomicUsize::new(0));
    for signal in [SIGINT, SIGTERM] {
        // If it cannot be caught, the system ends the program as usual.
        let _ = signal_hook::flag::register_usize(signal, found.clone(), signal as usize);
    }
    start(move || {
        loop {
            std::thread::sleep(std::time::Duration::from_millis(20));
            match found.swap(0, Ordering::Relaxed) {
                0 => {}
                signal => came(signal as i32),
            }
        }
    });
}

fn start(wait: impl FnOnce() + Send + 'static) {
    let _ = std::thread::Builder::new().name("signals".to_string()).spawn(wait);
}

/// Whether the program was started with a signal ignored (Linux only).
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

fn came(signal: i32) {
    let first = RECEIVED.compare_exchange(0, signal, Ordering::Relaxed, Ordering::Relaxed).is_ok();
    clear_progress();
    match LISTENER.get() {
        // A second signal ends the program at once.
        Some(cancel) if first => cancel.raise(),
        _ => {
            abandon();
            std::process::exit(128 + signal);
        }
    }
}

/// Raises a flag instead; the caller polls it and ends the program.
pub(crate) fn listen(cancel: Cancel) {
    // Called once per command.
    let _ = LISTENER.set(cancel);
}

/// The exit code of a program that a signal ended, if one came.
pub(crate) fn code() -> Option<u8> {
    let signal = RECEIVED.load(Ordering::Relaxed);
    u8::try_from(signal).ok().filter(|&signal| signal > 0).map(|signal| 128 + signal)
}

/// Registers the progress shown on stderr, so that it can be cleared.
pub(crate) fn shows(progress: &ProgressBar) {
    *PROGRESS.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress.downgrade());
}

fn clear_progress() {
    let shown = PROGRESS.lock().unwrap_or_else(PoisonError::into_inner).take();
    let shown = shown.and_then(|shown| shown.upgrade());
    if let Some(progress) = shown.filter(|progress| !progress.is_finished()) {
        progress.finish_and_clear();
    }
}
