//! How many bytes a piece of code holds at most, counted by the allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering::Relaxed};

/// Whether anyone wants to know: programs that also measure times count only then.
static COUNTING: AtomicBool = AtomicBool::new(false);
/// What is held beyond what was held when counting began.
static HELD: AtomicIsize = AtomicIsize::new(0);
static MOST: AtomicIsize = AtomicIsize::new(0);

/// The system's allocator with a counter.
pub struct Counted;

impl Counted {
    fn change(bytes: isize) {
        if COUNTING.load(Relaxed) {
            let held = HELD.fetch_add(bytes, Relaxed) + bytes;
            MOST.fetch_max(held, Relaxed);
        }
    }
}

// SAFETY: every call is handed on to the system's allocator as it came; the counters
// do not touch the memory.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Counted::change(layout.size() as isize);
        // SAFETY: the caller's promise about `layout` is the system's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Counted::change(layout.size() as isize);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        Counted::change(-(layout.size() as isize));
        // SAFETY: the pointer came from the system's allocator with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        Counted::change(size as isize - layout.size() as isize);
        // SAFETY: as above; the new size is the caller's promise.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// The most bytes held while `work` ran, beyond those held before. Counts only in
/// programs whose global allocator is [`Counted`]; one piece of work at a time.
pub fn most_bytes<T>(work: impl FnOnce() -> T) -> (T, usize) {
    HELD.store(0, Relaxed);
    MOST.store(0, Relaxed);
    COUNTING.store(true, Relaxed);
    let answer = work();
    COUNTING.store(false, Relaxed);
    (answer, MOST.load(Relaxed) as usize)
}
