//! How many bytes a piece of code holds at most, counted by the allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator with a counter.
pub struct Counted;

impl Counted {
    fn add(bytes: usize) {
        let held = HELD.fetch_add(bytes, Relaxed) + bytes;
        MOST.fetch_max(held, Relaxed);
    }
}

// SAFETY: every call is handed on to the system's allocator as it came; the counters
// do not touch the memory.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Counted::add(layout.size());
        // SAFETY: the caller's promise about `layout` is the system's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Counted::add(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the pointer came from the system's allocator with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        HELD.fetch_sub(layout.size(), Relaxed);
        Counted::add(size);
        // SAFETY: as above; the new size is the caller's promise.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// The most bytes held while `work` ran, beyond those held before. Counts only in
/// programs whose global allocator is [`Counted`].
pub fn most_bytes<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = HELD.load(Relaxed);
    MOST.store(before, Relaxed);
    let answer = work();
    (answer, MOST.load(Relaxed) - before)
}
