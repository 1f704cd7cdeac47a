//! Sixty-four counters that count together.
//!
//! **Problem.** For many words, how often is each of their 64 bits set?
//! **Method.** A counter per bit, kept in planes: word `k` has the bits of weight 2^k of all 64. Sixteen words at a
//! time go through a tree of full adders (Harley and Seal), each of which turns three words of one weight into one
//! of that weight and one of the next; only what is left at weight 16 ripples up the planes.
//! **Cost.** About five operations per word, whatever is set.
//! **Reference.** W. Muła, N. Kurz, D. Lemire, *Faster population counts*, Comput. J. 61 (2018).

/// Planes: no bit is set in 2^32 words.
const PLANES: usize = 32;

pub(super) struct Counters {
    planes: [u64; PLANES],
    waiting: [u64; 16],
    count: usize,
}

/// A full adder: the sum and the carry of three bits.
#[inline(always)]
fn add(a: u64, b: u64, c: u64) -> (u64, u64) {
    let half = a ^ b;
    (half ^ c, (a & b) | (half & c))
}

impl Counters {
    pub(super) fn new() -> Counters {
        Counters { planes: [0; PLANES], waiting: [0; 16], count: 0 }
    }

    /// Counts the bits of a word.
    #[inline(always)]
    pub(super) fn push(&mut self, word: u64) {
        self.waiting[self.count] = word;
        self.count += 1;
        if self.count == 16 {
            self.carry();
        }
    }

    #[inline]
    fn carry(&mut self) {
        let w = &self.waiting;
        let [mut ones, mut twos, mut fours, mut eights, ..] = self.planes;
        let mut carried = [0; 2];
        for (eight, w) in carried.iter_mut().zip(w.as_chunks::<8>().0) {
            let mut four = [0; 2];
            for (four, w) in four.iter_mut().zip(w.as_chunks::<4>().0) {
                let (one, first) = add(ones, w[0], w[1]);
                let (one, second) = add(one, w[2], w[3]);
                ones = one;
                (twos, *four) = add(twos, first, second);
            }
            (fours, *eight) = add(fours, four[0], four[1]);
        }
        let mut carry;
        (eights, carry) = add(eights, carried[0], carried[1]);
        self.planes[..4].copy_from_slice(&[ones, twos, fours, eights]);
        for plane in &mut self.planes[4..] {
            if carry == 0 {
                break;
            }
            (*plane, carry) = (*plane ^ carry, *plane & carry);
        }
        self.count = 0;
    }

    /// Adds what was counted to numbers, the first bit to the first, and starts again.
    pub(super) fn add_to(&mut self, numbers: &mut [u32]) {
        self.waiting[self.count..].fill(0);
        self.carry();
        for (k, &plane) in self.planes.iter().enumerate().filter(|plane| *plane.1 != 0) {
            for (bit, number) in numbers.iter_mut().enumerate().take(64) {
                *number += ((plane >> bit & 1) as u32) << k;
            }
        }
        self.planes = [0; PLANES];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmette_core::random::mixed;

    #[test]
    fn bits_are_counted() {
        for n in [0u64, 1, 15, 16, 17, 100, 1000] {
            let words: Vec<u64> = (0..n).map(|i| mixed(i) | 1).collect();
            let mut counters = Counters::new();
            words.iter().for_each(|&word| counters.push(word));
            let mut found = [7; 64];
            counters.add_to(&mut found);
            let expected: Vec<u32> = (0..64)
                .map(|k| 7 + words.iter().filter(|&&w| w >> k & 1 == 1).count() as u32)
                .collect();
            assert_eq!(found[..], expected);
        }
    }
}
