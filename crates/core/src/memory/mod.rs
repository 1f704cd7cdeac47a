//! Memory for arrays that are reached at random: huge pages, prefetching, and
//! slices that several threads write at different places.
//!
//! What `unsafe` code buys here, on ten million vertices with shuffled labels on two shared
//! cores: from parents to the leaffix in a third to a half of the time of the plain loops, which
//! have neither huge pages nor prefetching (docs/benchmarks.md, "One answer from raw parents").
//! The safe twin of [`SharedSlice`] is a slice of atomics; it exists only for machine words,
//! and operators work on any `Copy` type.

mod heap;
pub mod kept;
mod refusing;
mod room;

pub use refusing::{Refusing, before_ending};
pub use room::{Bytes, NoRoom, available, check_room};

use std::any::TypeId;
use std::cell::UnsafeCell;

const PAGE: usize = 4096;

/// A vector of `n` times `value` whose memory the kernel is asked to back by huge
/// pages, so that random access does not also miss the address cache.
/// Where the system knows no such request it is an ordinary vector.
pub fn huge_vec<T: Copy>(n: usize, value: T) -> Vec<T> {
    let mut memory = huge_room(n);
    memory.resize(n, value);
    memory
}

/// An empty vector with room for `n` elements, with memory as [`huge_vec`].
pub fn huge_room<T>(n: usize) -> Vec<T> {
    let mut memory = Vec::with_capacity(n);
    advise_huge(&mut memory);
    memory
}

/// A vector of `n` zeros, with memory as [`huge_vec`]; pages that are never
/// touched cost nothing.
pub fn huge_zeroed<T: Copy + Default>(n: usize) -> Vec<T> {
    let mut memory = vec![T::default(); n];
    advise_huge(&mut memory);
    memory
}

/// A vector of `n` times some words, with memory as [`huge_vec`]; where they are zeros, pages that are
/// never touched cost nothing.
pub fn huge_words<const N: usize>(n: usize, value: [u64; N]) -> Vec<[u64; N]> {
    if value != [0; N] {
        return huge_vec(n, value);
    }
    let mut memory = vec![[0; N]; n];
    advise_huge(&mut memory);
    memory
}

/// Numbers of 64 bits as words, where they lie; nothing for other types.
pub fn words_of<T: 'static>(numbers: &[T]) -> Option<&[[u64; 1]]> {
    let known = [TypeId::of::<u64>(), TypeId::of::<i64>(), TypeId::of::<f64>()];
    if !known.contains(&TypeId::of::<T>()) {
        return None;
    }
    // SAFETY: these types have the size and the alignment of a word, and any of their bits are one.
    Some(unsafe { std::slice::from_raw_parts(numbers.as_ptr().cast(), numbers.len()) })
}

/// A copy of a slice, with memory as [`huge_vec`].
/// Threads share the work of touching fresh pages.
pub fn huge_copy<T: Copy + Send + Sync>(from: &[T]) -> Vec<T> {
    huge_collect(from.len(), |i| from[i])
}

/// A vector of `make(i)` for every `i` below `n`, with memory as [`huge_vec`].
/// Threads share the work of touching fresh pages.
pub fn huge_collect<T: Copy + Send + Sync>(n: usize, make: impl Fn(usize) -> T + Sync) -> Vec<T> {
    const CHUNK: usize = 1 << 18;
    let mut memory: Vec<T> = huge_room(n);
    crate::parallel::chunks_mut(&mut memory.spare_capacity_mut()[..n], CHUNK, |start, to| {
        to.iter_mut().enumerate().for_each(|(k, to)| _ = to.write(make(start + k)));
    });
    // SAFETY: the first `n` elements have just been written.
    unsafe { memory.set_len(n) };
    memory
}

#[cfg(target_os = "linux")]
fn advise_huge<T>(memory: &mut Vec<T>) {
    let bytes = memory.capacity() * size_of::<T>();
    if bytes < 1 << 22 {
        return;
    }
    let start = (memory.as_mut_ptr() as usize).next_multiple_of(PAGE);
    let end = (memory.as_ptr() as usize + bytes) & !(PAGE - 1);
    // SAFETY: the range lies inside one live allocation and is page-aligned;
    // MADV_HUGEPAGE changes how it is mapped, never what it holds. Failure is harmless.
    unsafe {
        libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_HUGEPAGE);
    }
}

#[cfg(not(target_os = "linux"))]
fn advise_huge<T>(_memory: &mut Vec<T>) {
    let _ = PAGE;
}

/// Makes the program keep memory that it has freed, instead of giving it back to the
/// system and asking for fresh, zeroed pages at the next turn: those cost more than
/// many a pass over them. Programs whose allocator is [`Refusing`] also get huge pages for all but
/// the first few megabytes. For programs to call once when they start, not for
/// libraries: it changes the allocator of the whole process. Does nothing where the
/// allocator is not glibc's.
pub fn keep_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: `mallopt` only sets parameters of the allocator; failure is harmless.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
        libc::mallopt(libc::M_MMAP_MAX, 0);
        libc::mallopt(libc::M_TRIM_THRESHOLD, -1);
        libc::mallopt(libc::M_TOP_PAD, heap::STEP as libc::c_int);
    }
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    heap::watch();
}

/// Bytes that the allocator has and nobody uses; 0 where it does not tell.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn kept() -> u64 {
    type Counters = unsafe extern "C" fn() -> libc::mallinfo2;
    // Programs also run with a glibc older than 2.33, which has no such function.
    // SAFETY: the name ends with a zero.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"mallinfo2".as_ptr()) };
    if found.is_null() {
        return 0;
    }
    // SAFETY: it is glibc's function of this name, which only reads the allocator's counters.
    unsafe { std::mem::transmute::<*mut libc::c_void, Counters>(found)() }.fordblks as u64
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn kept() -> u64 {
    0
}

/// Bytes of a cache line.
const LINE: usize = 64;

/// Asks for the cache line of `slice[i]`, or for all of them where an element has several; an index
/// out of range is ignored.
#[inline(always)]
pub fn prefetch<T>(slice: &[T], i: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let start = slice.as_ptr().wrapping_add(i).cast::<i8>();
        for line in 0..size_of::<T>().div_ceil(LINE).max(1) {
            // SAFETY: a prefetch never faults and has no effect on program state; the
            // address is computed without requiring that it be in bounds.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(line * LINE)) }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = (slice, i);
    }
}

/// A mutable slice that several threads may use at the same time, as long as no
/// place is written by one while another reads or writes it.
#[derive(Clone, Copy)]
pub struct SharedSlice<'a, T> {
    cells: &'a [UnsafeCell<T>],
}

// SAFETY: access goes through `get` and `set`, whose callers promise that no
// place is used by two threads at once unless both read.
unsafe impl<T: Send + Sync> Sync for SharedSlice<'_, T> {}
// SAFETY: as above; the slice itself is only a reference.
unsafe impl<T: Send + Sync> Send for SharedSlice<'_, T> {}

impl<'a, T> SharedSlice<'a, T> {
    /// Shares a slice until the borrow ends.
    pub fn new(slice: &'a mut [T]) -> Self {
        let pointer = std::ptr::from_mut(slice) as *const [UnsafeCell<T>];
        // SAFETY: `UnsafeCell<T>` has the layout of `T`, and the exclusive borrow
        // lasts as long as `'a`.
        SharedSlice { cells: unsafe { &*pointer } }
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Reads a place.
    ///
    /// # Safety
    /// No other thread may write the place at the same time.
    ///
    /// # Panics
    /// When `i` is out of range.
    #[inline(always)]
    pub unsafe fn get(&self, i: usize) -> T
    where
        T: Copy,
    {
        // SAFETY: the caller excludes concurrent writes.
        unsafe { *self.cells[i].get() }
    }

    /// Writes a place.
    ///
    /// # Safety
    /// No other thread may read or write the place at the same time.
    ///
    /// # Panics
    /// When `i` is out of range.
    #[inline(always)]
    pub unsafe fn set(&self, i: usize, value: T)
    where
        T: Copy,
    {
        // SAFETY: the caller excludes concurrent access.
        unsafe { *self.cells[i].get() = value }
    }

    /// A stretch of places, as an ordinary slice.
    ///
    /// # Safety
    /// No other thread may read or write the places while the slice is in use, and
    /// this thread may reach them only through it.
    ///
    /// # Panics
    /// When the range is out of bounds.
    #[inline(always)]
    pub unsafe fn slice_mut(&self, range: std::ops::Range<usize>) -> &'a mut [T] {
        let cells = &self.cells[range];
        let first = UnsafeCell::raw_get(cells.as_ptr());
        // SAFETY: the caller excludes every other access; `UnsafeCell<T>` has the
        // layout of `T`.
        unsafe { std::slice::from_raw_parts_mut(first, cells.len()) }
    }

    /// Asks for the cache line of a place.
    #[inline(always)]
    pub fn prefetch(&self, i: usize) {
        prefetch(self.cells, i);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    #[test]
    fn shared_slice_agrees_with_its_safe_twin() {
        let n = 100_000;
        let place = |i: usize| i * 7919 % n;
        let mut shared = huge_vec(n, 0u32);
        let view = SharedSlice::new(&mut shared);
        let atomics: Vec<AtomicU32> = (0..n).map(|_| AtomicU32::new(0)).collect();
        (0..n).into_par_iter().for_each(|i| {
            atomics[place(i)].store(i as u32, Relaxed);
            // SAFETY: `place` is a bijection, since 7919 is coprime to n.
            unsafe { view.set(place(i), i as u32) };
        });
        let twin: Vec<u32> = atomics.into_iter().map(AtomicU32::into_inner).collect();
        assert_eq!(shared, twin);
    }

    #[test]
    fn huge_vectors_hold_what_was_asked() {
        for n in [0, 1, 1000, 3_000_000] {
            assert!(huge_vec(n, 7u64).iter().all(|&x| x == 7));
            assert!(huge_zeroed::<u32>(n).iter().all(|&x| x == 0));
            let numbers: Vec<u32> = (0..n as u32).collect();
            assert_eq!(huge_copy(&numbers), numbers);
        }
        prefetch(&[1, 2, 3], 1_000_000);
    }
}
