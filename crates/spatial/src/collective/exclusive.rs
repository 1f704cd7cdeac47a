//! Exclusive reads of a shared memory: what an EREW PRAM may do in a step.
//!
//! **Problem.** Every processor has `S` cells, cell `c` being number `c % S` of processor `c / S`, and
//! may read up to `S` cells of anyone's. No cell has two readers.
//!
//! **Method.** The reader asks the cell's processor, which answers. Where cells may have many readers,
//! requests must be [sorted](super::Pram::read) first: that costs seven times as much.
//!
//! **Cost.** Two messages per read, none for one's own cells: O(n^1.5) energy, 4/3 n^1.5 for random
//! cells with one read per processor; depth 2. A processor receives at most 2 S messages.
//!
//! **Determinism.** Cells do not change meanwhile: the order of messages does not matter, and none is
//! relied on.
//!
//! **Reference.** Section II-A of *Low-Depth Spatial Tree Algorithms*.

use super::CollectiveError;
use crate::machine::{Machine, Memory, Plain, Processor, Program, program_words};
use crate::plain;
use palmette_core::NONE;
use std::marker::PhantomData;

struct Exclusive<const S: usize, T>(PhantomData<T>);

plain! {
    #[derive(Debug, Clone, Copy)]
    struct Cell<T> {
        value: T,
        /// The cell that the processor's read of this number wants.
        wanted: u32,
        found: Option<T>,
        readers: u32,
    }
}

plain! {
    #[derive(Debug, Clone, Copy)]
    enum Message<T> {
        /// From this processor, for its read of that number.
        Ask { cell: u8, read: u8, from: u32 },
        Answer { read: u8, value: T },
    }
}

impl<const S: usize, T: Plain> Program for Exclusive<S, T> {
    type Constants = ();
    type State = [Cell<T>; S];
    type Message = Message<T>;

    fn start(cells: &mut [Cell<T>; S], processor: &mut Processor<'_, Self>) {
        const { assert!(0 < S && S <= 1 << u8::BITS, "a cell's number is a byte") };
        for read in 0..S {
            let (wanted, count, from) = (cells[read].wanted, S as u32, processor.me());
            if wanted == NONE {
                continue;
            }
            let cell = (wanted % count) as u8;
            if wanted / count == from {
                let cell = &mut cells[usize::from(cell)];
                cell.readers += 1;
                cells[read].found = Some(cell.value);
            } else {
                processor.send(wanted / count, Message::Ask { cell, read: read as u8, from });
            }
        }
    }

    fn receive(cells: &mut [Cell<T>; S], message: Message<T>, processor: &mut Processor<'_, Self>) {
        match message {
            Message::Ask { cell, read, from } => {
                let cell = &mut cells[usize::from(cell)];
                cell.readers += 1;
                processor.send(from, Message::Answer { read, value: cell.value });
            }
            Message::Answer { read, value } => cells[usize::from(read)].found = Some(value),
        }
    }
}

/// The words of a processor for a [`read_exclusive`] that so many more follow: it may be asked for
/// every cell and answered every read at one time, while questions of the later ones wait.
pub const fn read_exclusive_words<const S: usize, T: Plain>(more: usize) -> usize {
    program_words::<Exclusive<S, T>>((2 + more) * S)
}

/// Every processor reads the cells that it wants, if any ([`NONE`] is no cell). Returns what it read.
///
/// # Errors
/// A cell with two readers, a cell that no processor has, and what else stops the machine.
pub fn read_exclusive<const S: usize, T: Plain>(
    machine: &mut Machine,
    name: &str,
    wanted: Memory<[u32; S]>,
    cells: Memory<[T; S]>,
) -> Result<Memory<[Option<T>; S]>, CollectiveError> {
    let cells = wanted.beside(cells).map(|_, (wanted, values)| {
        let mut read = 0;
        values.map(|value| {
            read += 1;
            Cell { value, wanted: wanted[read - 1], found: None, readers: 0 }
        })
    });
    let cells = machine.run::<Exclusive<S, T>>(name, (), cells)?;
    let all = cells.states().iter().flatten().zip(0u32..);
    match all.map(|(cell, c)| (c, cell.readers)).find(|&(_, readers)| readers > 1) {
        Some((cell, readers)) => Err(CollectiveError::Readers { cell, readers }),
        None => Ok(cells.map(|_, cells| cells.map(|cell| cell.found))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{PATTERNS, Random, machine};
    use super::*;
    use crate::curve::CurveKind;
    use crate::testing::every_delivery;

    #[test]
    fn all_read_what_they_want() {
        every_delivery(PATTERNS, |params| {
            let mut random = Random(params.seed);
            let n = 1 + random.below(40) as usize;
            let curve = CurveKind::Hilbert.fitting(n as u64).unwrap();
            let mut machine = Machine::on_curve(&curve, n, params).unwrap();
            let mut order: Vec<u32> = (0..2 * n as u32).collect();
            (1..2 * n).for_each(|i| order.swap(i, random.below(i as u64 + 1) as usize));
            // A third of the reads wants nothing.
            let wanted = |r: usize| if r % 3 == 2 { NONE } else { order[r] };
            let reads = Memory::new(n, |p| [0, 1].map(|i| wanted(2 * p as usize + i)));
            let cells = Memory::new(n, |p| [20 * p, 20 * p + 10]);
            let found = read_exclusive(&mut machine, "read", reads, cells).unwrap();
            for (r, found) in found.states().iter().flatten().enumerate() {
                let expected = Some(wanted(r)).filter(|&cell| cell != NONE);
                assert_eq!(*found, expected.map(|cell| 10 * cell));
            }
            assert!(machine.most_received() <= 4);
        });
    }

    #[test]
    fn two_readers_are_an_error() {
        let run = |wanted: fn(u32) -> u32| {
            let wanted = Memory::new(9, |p| [wanted(p)]);
            read_exclusive(&mut machine(9), "read", wanted, Memory::new(9, |p| [p]))
        };
        assert!(run(|p| 8 - p).is_ok());
        let conflict = CollectiveError::Readers { cell: 7, readers: 2 };
        assert_eq!(run(|p| if p == 4 { 7 } else { p }).unwrap_err(), conflict);
        assert!(run(|p| p + 1).is_err());
    }
}
