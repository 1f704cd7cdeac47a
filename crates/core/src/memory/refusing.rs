//! What a program does when the system has no more memory: one line, and exit code 1.
//!
//! **Problem.** Rust aborts the process when an allocation fails (exit code 134, files left
//! behind). Programs want to end as they do after any other failure.
//! **Method.** An allocator that asks the system's, and looks at the answer. When there is no
//! memory it prints a line, runs what [`before_ending`] was given, and ends the process. It
//! allocates nothing on that way itself. Before that call it is the system's allocator: an
//! extension module whose process may become a program has it, too.
//! **Cost.** Two comparisons per allocation; the second is for huge pages (`heap.rs`).
//! **When not to use.** In libraries: whose process it is decides. There, large jobs ask with
//! [`check_room`](super::check_room) first. Calls of `try_reserve` get no error under this
//! allocator; the program ends there, too.

use super::Bytes;
use super::heap::seen;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::io::{IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

static BEFORE_ENDING: OnceLock<fn()> = OnceLock::new();
static ENDING: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Whether this thread ends the process: if it asks for memory on the way, it ends at once.
    static HERE: Cell<bool> = const { Cell::new(false) };
}

/// Lets [`Refusing`] end the process for want of memory, and says what to do before, such as
/// removing files that are not finished. The first call counts.
pub fn before_ending(action: fn()) {
    let _ = BEFORE_ENDING.set(action);
}

/// The system's allocator, for programs: after [`before_ending`], it ends the process when there
/// is no more memory.
///
/// ```
/// use palmette_core::memory::Refusing;
/// #[global_allocator]
/// static MEMORY: Refusing = Refusing;
/// ```
pub struct Refusing;

// SAFETY: every call goes to the system's allocator with its arguments unchanged, and so does
// the answer back, unless the process ends.
unsafe impl GlobalAlloc for Refusing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are those of `System`.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        given(unsafe { System.realloc(memory, layout, size) }, size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[inline(always)]
fn given(memory: *mut u8, size: usize) -> *mut u8 {
    if memory.is_null() {
        refuse(size);
    }
    seen(memory, size);
    memory
}

#[cold]
#[inline(never)]
fn refuse(size: usize) {
    if let Some(&action) = BEFORE_ENDING.get() {
        end(size, action)
    }
}

fn end(size: usize, action: fn()) -> ! {
    if ENDING.swap(true, Ordering::SeqCst) {
        // Another thread is at it; what it still does must not be cut off.
        while !HERE.get() {
            std::thread::sleep(std::time::Duration::from_secs(1));
        }
    } else {
        HERE.set(true);
        let mut stderr = std::io::stderr();
        if stderr.is_terminal() {
            // A progress line may be there.
            let _ = write!(stderr, "\r\x1b[2K");
        }
        let _ = writeln!(stderr, "error: not enough memory: {} more needed", Bytes(size as u64));
        action();
    }
    // SAFETY: `_exit` ends the process at once and runs nothing of ours.
    #[cfg(unix)]
    unsafe {
        libc::_exit(1)
    }
    #[cfg(not(unix))]
    std::process::abort()
}
