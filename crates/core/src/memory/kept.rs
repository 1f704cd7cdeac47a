//! Vectors that are used again instead of being freed.
//!
//! **Problem.** A pass over ten million vertices takes less time than the system needs to give its
//! output fresh, zeroed pages. **Method.** [`take`] hands out a vector that was [given
//! back](give) before, if one of about the right size is there; its pages are mapped already. What
//! it holds is what its last user left. **Cost.** At most [`limit`] bytes stay with the process;
//! vectors below 64 KiB are not worth it. **Determinism.** Who takes a vector writes all of
//! it.

use super::huge_zeroed;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The most bytes that are kept where nobody sets another limit.
pub const DEFAULT_LIMIT: usize = 1 << 30;

/// Smaller vectors come from the allocator, which keeps such pages by itself.
const SMALL: usize = 1 << 16;

static LIMIT: AtomicUsize = AtomicUsize::new(DEFAULT_LIMIT);

/// Vectors of eight-byte and of four-byte numbers, the last given back at the end.
#[derive(Default)]
struct Shelves {
    eight: Vec<Vec<u64>>,
    four: Vec<Vec<u32>>,
}

static SHELVES: Mutex<Shelves> = Mutex::new(Shelves { eight: Vec::new(), four: Vec::new() });

fn shelves() -> MutexGuard<'static, Shelves> {
    SHELVES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A number of four or eight bytes, of which any bits are a value.
///
/// # Safety
/// `Word` has the size and the alignment of the type, and all bits of it are values.
pub unsafe trait Kept: Copy + Default + Send + Sync + 'static {
    /// The unsigned integer of the same size.
    type Word: Shelf;
}

/// An unsigned integer of which vectors are kept.
pub trait Shelf: Copy + Default + 'static {
    #[doc(hidden)]
    fn find(n: usize) -> Option<Vec<Self>>;
    #[doc(hidden)]
    fn put(vector: Vec<Self>);
}

macro_rules! kept {
    ($word:ty, $shelf:ident: $($t:ty)*) => {
        impl Shelf for $word {
            fn find(n: usize) -> Option<Vec<$word>> {
                let mut shelves = shelves();
                let fits = |v: &Vec<$word>| v.len() >= n && v.len() <= 2 * n;
                let at = shelves.$shelf.iter().rposition(fits)?;
                Some(shelves.$shelf.remove(at))
            }
            fn put(vector: Vec<$word>) {
                let bytes = size_of_val(&vector[..]);
                let limit = LIMIT.load(Relaxed);
                if bytes < SMALL || bytes > limit {
                    return;
                }
                let mut shelves = shelves();
                shelves.$shelf.push(vector);
                shelves.trim(limit);
            }
        }
        $(
            // SAFETY: a number of the size and alignment of the word; all bits are values.
            unsafe impl Kept for $t {
                type Word = $word;
            }
        )*
    };
}
kept!(u64, eight: i64 u64 f64);
kept!(u32, four: i32 u32 f32);

impl Shelves {
    fn bytes(&self) -> usize {
        let eight: usize = self.eight.iter().map(Vec::len).sum();
        let four: usize = self.four.iter().map(Vec::len).sum();
        8 * eight + 4 * four
    }

    /// Frees vectors of the fuller shelf, those given back first, until the rest is within the limit.
    fn trim(&mut self, limit: usize) {
        while self.bytes() > limit {
            if self.eight.len() >= self.four.len() {
                self.eight.remove(0);
            } else {
                self.four.remove(0);
            }
        }
    }
}

/// A vector of `n` numbers, whatever they are.
pub fn take<T: Kept>(n: usize) -> Vec<T> {
    if n * size_of::<T>() >= SMALL
        && let Some(mut found) = T::Word::find(n)
    {
        found.truncate(n);
        return convert(found);
    }
    huge_zeroed(n)
}

/// Keeps a vector for later.
pub fn give<T: Kept>(vector: Vec<T>) {
    let mut words: Vec<T::Word> = convert(vector);
    // Whole again: what was cut off holds old numbers, and is mapped.
    words.resize(words.capacity(), T::Word::default());
    T::Word::put(words);
}

/// The same vector as another type of the same size and alignment.
fn convert<S: Copy, T: Copy>(from: Vec<S>) -> Vec<T> {
    const { assert!(size_of::<S>() == size_of::<T>() && align_of::<S>() == align_of::<T>()) };
    let mut from = std::mem::ManuallyDrop::new(from);
    // SAFETY: both types have one size and alignment, so the allocation has the layout that a
    // vector of `T` has; callers convert only between types of which all bits are values.
    unsafe { Vec::from_raw_parts(from.as_mut_ptr().cast(), from.len(), from.capacity()) }
}

/// The same numbers, bit by bit, as another type of their size.
pub fn cast<S: Kept, T: Kept<Word = S::Word>>(from: Vec<S>) -> Vec<T> {
    convert(convert::<S, S::Word>(from))
}

/// The same numbers, bit by bit, as another type of their size.
pub fn cast_slice<S: Kept, T: Kept<Word = S::Word>>(from: &[S]) -> &[T] {
    // SAFETY: both have the size and alignment of one word, of which all bits are values.
    unsafe { std::slice::from_raw_parts(from.as_ptr().cast(), from.len()) }
}

/// The most bytes that are kept.
pub fn limit() -> usize {
    LIMIT.load(Relaxed)
}

/// Sets the most bytes that are kept, and frees what is beyond; 0 keeps nothing.
pub fn set_limit(bytes: usize) {
    LIMIT.store(bytes, Relaxed);
    shelves().trim(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_come_back_with_their_pages() {
        let n = 300_017;
        let mut first: Vec<f64> = take(n);
        first.fill(2.5);
        let place = first.as_ptr() as usize;
        give(first);
        let again: Vec<i64> = take(n);
        assert_eq!((again.as_ptr() as usize, again.len()), (place, n));
        assert_eq!(again[n - 1], 2.5f64.to_bits() as i64);
        assert_eq!(cast_slice::<i64, f64>(&again)[7], 2.5);
        let again: Vec<i64> = cast::<f64, i64>(cast(again));
        give(again);
        let less: Vec<u64> = take(n - 1000);
        assert_eq!((less.as_ptr() as usize, less.len()), (place, n - 1000));
        give(less);
        let whole: Vec<u64> = take(n);
        assert_eq!((whole.as_ptr() as usize, whole.len()), (place, n));
        let other: Vec<f32> = take(n);
        assert_eq!(other.len(), n);
    }
}
