//! Huge pages for the heap of a program.
//!
//! **Problem.** A fresh page of 4 KB costs the kernel about as long as many a pass over it. Arrays that ask for huge
//! pages themselves are spared that; thousands of small ones cannot ask.
//! **Method.** The heap of glibc grows at its end, here by [`STEP`] bytes at a time. An allocation that
//! ends beyond what the kernel was told of tells it about the rest, up to the end of the heap.
//! **Cost.** A comparison per allocation, and a call of the kernel per step.
//! **When not to use.** Where the heap is not the program's own: an extension module.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Bytes by which the heap grows, at least.
pub(super) const STEP: usize = 16 << 20;

/// What a small job needs, which is not worth whole huge pages.
const SMALL: usize = 4 << 20;

/// Up to where the kernel was told; beyond any address where nobody watches.
static TOLD: AtomicUsize = AtomicUsize::new(usize::MAX);

/// Begins to watch the heap.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(super) fn watch() {
    TOLD.store(end().saturating_add(SMALL), Relaxed);
}

/// Sees memory that was just allocated.
#[inline(always)]
pub(super) fn seen(memory: *mut u8, size: usize) {
    if (memory as usize).wrapping_add(size) > TOLD.load(Relaxed) {
        tell();
    }
}

/// Where the heap ends.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn end() -> usize {
    // SAFETY: growing by nothing only tells where the end is.
    unsafe { libc::sbrk(0) as usize }
}

#[cold]
#[inline(never)]
fn tell() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        let (told, end) = (TOLD.load(Relaxed), end() & !(super::PAGE - 1));
        let start = told.next_multiple_of(super::PAGE);
        // Elsewhere there is nothing to tell: memory that is not of the heap.
        if start < end && TOLD.compare_exchange(told, end, Relaxed, Relaxed).is_ok() {
            // SAFETY: the range is of the heap, which never shrinks in a program that keeps its memory.
            // The call changes how it is mapped, never what it holds; failure is harmless.
            unsafe {
                libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_HUGEPAGE);
            }
        }
    }
}
