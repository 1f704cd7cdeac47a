//! What happens when somebody presses Ctrl-C, or a scheduler ends the program.

use palmette::io::remove_unfinished;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// As shells count a program that Ctrl-C has ended.
const INTERRUPTED: i32 = 130;

/// Who wants to end by itself.
static LISTENER: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Listens from now on. Without a listener the program ends at once, and leaves no half file.
pub(crate) fn install() {
    // Where signals cannot be caught, the system ends the program as it ends any.
    let _ = ctrlc::set_handler(|| match LISTENER.get() {
        Some(interrupted) => interrupted.store(true, Ordering::Relaxed),
        None => {
            remove_unfinished();
            std::process::exit(INTERRUPTED);
        }
    });
}

/// Sets a flag instead: whoever asks for it ends the program.
pub(crate) fn listen(interrupted: Arc<AtomicBool>) {
    // One command asks once.
    let _ = LISTENER.set(interrupted);
}
