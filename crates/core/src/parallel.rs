//! Loops on rayon's threads for code that is compiled for many operators.
//!
//! rayon compiles its splitting and stealing anew for every body of a loop, which for engines
//! with thirty operators is most of the work of building them. Here a body sees stretches of a
//! range through one pointer, so that the machinery is compiled once, at the price of a call a
//! stretch.
//! Loops whose types are fixed use rayon as it is.

use crate::memory::SharedSlice;
use rayon::prelude::*;
use std::ops::Range;

/// More threads than this are surely a typo, and would use up memory.
pub const MOST_THREADS: usize = 1024;

/// Calls `work` on stretches of `length` places that cover `0..n`; the last may be shorter.
///
/// # Panics
/// When `length` is 0, and when `work` does.
pub fn stretches(n: usize, length: usize, work: &(dyn Fn(Range<usize>) + Sync)) {
    let stretch = |k: usize| k * length..(k * length).saturating_add(length).min(n);
    match n.div_ceil(length) {
        0 => (),
        1 => work(0..n),
        count => (0..count).into_par_iter().for_each(|k| work(stretch(k))),
    }
}

/// Calls `work` for every place of `0..n`; `grain` of them are worth a task.
pub fn for_each(n: usize, grain: usize, work: impl Fn(usize) + Sync) {
    stretches(n, grain, &|range| range.for_each(&work));
}

/// Calls `work` with chunks of `length` elements, the last may have fewer, and with the place
/// of the first of them.
pub fn chunks_mut<T: Send + Sync>(
    slice: &mut [T],
    length: usize,
    work: impl Fn(usize, &mut [T]) + Sync,
) {
    let n = slice.len();
    let shared = SharedSlice::new(slice);
    stretches(n, length, &|range| {
        let start = range.start;
        // SAFETY: stretches do not overlap, and only they are used.
        work(start, unsafe { shared.slice_mut(range) });
    });
}

/// Calls `work` with every element and its place; `grain` of them are worth a task.
pub fn for_each_mut<T: Send + Sync>(
    slice: &mut [T],
    grain: usize,
    work: impl Fn(usize, &mut T) + Sync,
) {
    chunks_mut(slice, grain, |start, chunk| {
        chunk.iter_mut().enumerate().for_each(|(k, element)| work(start + k, element));
    });
}

/// What `make` gives for every place of `0..n`; `grain` of them are worth a task.
pub fn map<T: Send + Sync>(n: usize, grain: usize, make: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let mut made = Vec::with_capacity(n);
    for_each_mut(&mut made.spare_capacity_mut()[..n], grain, |i, place| {
        place.write(make(i));
    });
    // SAFETY: the first `n` elements have just been written; when `make` panics, this is not
    // reached, and what has been made is leaked.
    unsafe { made.set_len(n) };
    made
}

/// Does both, at the same time where a thread is free.
pub fn both(left: &(dyn Fn() + Sync), right: &(dyn Fn() + Sync)) {
    rayon::join(left, right);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    #[test]
    fn every_place_is_visited_once() {
        for (n, grain) in [(0, 1), (1, 1), (7, 3), (1000, 1), (1000, 999), (1000, 4096)] {
            let visits: Vec<AtomicUsize> = (0..n).map(|_| AtomicUsize::new(0)).collect();
            for_each(n, grain, |i| {
                visits[i].fetch_add(1, Relaxed);
            });
            assert!(visits.iter().all(|v| v.load(Relaxed) == 1), "n = {n}, grain = {grain}");
            let mut squares = vec![0; n];
            for_each_mut(&mut squares, grain, |i, x| *x += i * i);
            assert_eq!(squares, (0..n).map(|i| i * i).collect::<Vec<_>>());
            assert_eq!(map(n, grain, |i| i.to_string()).concat(), {
                (0..n).map(|i| i.to_string()).collect::<String>()
            });
        }
    }

    #[test]
    fn chunks_know_where_they_begin() {
        let mut starts = [0; 10];
        chunks_mut(&mut starts, 4, |start, chunk| chunk.fill(start + 100 * chunk.len()));
        assert_eq!(starts, [400, 400, 400, 400, 404, 404, 404, 404, 208, 208]);
    }

    #[test]
    fn both_are_done() {
        let sum = AtomicUsize::new(0);
        let add = |k| {
            sum.fetch_add(k, Relaxed);
        };
        both(&|| add(1), &|| add(2));
        assert_eq!(sum.into_inner(), 3);
    }

    #[test]
    fn a_panic_gets_out() {
        let failing = || map(100, 3, |i| if i == 50 { panic!("fifty") } else { vec![i] });
        assert!(std::panic::catch_unwind(failing).is_err());
    }
}
