//! Which vertex goes next: buckets of degrees, first in, first out.
//!
//! A vertex that has become heavier stays where it is until its turn comes, and is then
//! sent on; a vertex that has become lighter is put into its new bucket at once, and the
//! old place is skipped later. So a degree that rises, which is what degrees mostly do,
//! costs nothing.

use std::collections::VecDeque;

/// Degrees below this have a bucket each; above, there are four buckets per octave.
const EXACT: u32 = 32;
const BUCKETS: usize = EXACT as usize + 4 * 27 + 1;
// Buckets are kept as bytes.
const _: () = assert!(BUCKETS <= 1 << 8);

/// Vertices by degree.
pub(super) struct Queue {
    buckets: Vec<VecDeque<u32>>,
    /// No bucket below this has a vertex.
    lowest: usize,
    /// By vertex, the bucket that counts.
    listed: Vec<u8>,
}

impl Queue {
    /// A queue of vertices `0..n` with these degrees.
    pub(super) fn new(degrees: impl Iterator<Item = u32>) -> Self {
        let mut queue =
            Queue { buckets: vec![VecDeque::new(); BUCKETS], lowest: 0, listed: Vec::new() };
        for (v, degree) in degrees.enumerate() {
            let bucket = bucket(degree);
            queue.buckets[bucket].push_back(v as u32);
            queue.listed.push(bucket as u8);
        }
        queue
    }

    /// Takes a vertex of least degree, as far as buckets tell. `degree` is asked for the
    /// current degree, and says `None` of a vertex that is gone.
    pub(super) fn pop(&mut self, degree: impl Fn(u32) -> Option<u32>) -> Option<u32> {
        while self.lowest < BUCKETS {
            let Some(v) = self.buckets[self.lowest].pop_front() else {
                self.lowest += 1;
                continue;
            };
            if usize::from(self.listed[v as usize]) != self.lowest {
                continue;
            }
            let Some(degree) = degree(v) else { continue };
            let bucket = bucket(degree);
            if bucket <= self.lowest {
                return Some(v);
            }
            self.listed[v as usize] = bucket as u8;
            self.buckets[bucket].push_back(v);
        }
        None
    }

    /// The vertex that is `ahead` places behind the next one, as far as it is known.
    #[inline]
    pub(super) fn peek(&self, ahead: usize) -> Option<u32> {
        self.buckets.get(self.lowest)?.get(ahead).copied()
    }

    /// Says that the degree of a vertex has changed.
    #[inline]
    pub(super) fn update(&mut self, v: u32, degree: u32) {
        let bucket = bucket(degree);
        if bucket < usize::from(self.listed[v as usize]) {
            self.listed[v as usize] = bucket as u8;
            self.buckets[bucket].push_back(v);
            self.lowest = self.lowest.min(bucket);
        }
    }
}

#[inline]
fn bucket(degree: u32) -> usize {
    if degree < EXACT {
        return degree as usize;
    }
    // The highest bit, from 5, and the two bits below it.
    let octave = degree.ilog2();
    EXACT as usize + 4 * (octave as usize - 5) + (degree >> (octave - 2) & 3) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_rise_with_degrees() {
        let mut last = 0;
        for degree in (0..1 << 16).chain([1 << 20, 1 << 31, u32::MAX]) {
            let bucket = bucket(degree);
            assert!((last..BUCKETS).contains(&bucket), "{degree}");
            last = bucket;
        }
    }

    #[test]
    fn the_lightest_goes_first() {
        let mut degrees = [5, 3, 1000, 3, 4];
        let mut queue = Queue::new(degrees.iter().copied());
        assert_eq!(queue.peek(0), None);
        assert_eq!(queue.pop(|v| Some(degrees[v as usize])), Some(1));
        degrees[3] = 900;
        degrees[2] = 2;
        queue.update(3, 900);
        queue.update(2, 2);
        let mut rest = Vec::new();
        while let Some(v) = queue.pop(|v| (v != 0).then_some(degrees[v as usize])) {
            rest.push(v);
        }
        assert_eq!(rest, [2, 4, 3]);
    }
}
