//! Simulation of a shared-memory machine (PRAM): the baseline.
//!
//! **Problem.** One step of a PRAM: every processor reads a cell, computes, and writes a
//! cell. Any number of processors may read or write the same cell; of several that write
//! it the lowest wins (priority CRCW). The grid's processor i hosts the PRAM's processor
//! i and the cell i.
//!
//! **Method.** Requests are [sorted](super::sort()) by cell, then by processor. The first
//! request for a cell, known by comparing with the neighbour, goes to it: a write comes back
//! when it is done. A read brings the value back, an inclusive [scan](super::scan())
//! spreads it to the other requests for the cell, and a [permutation](super::permute())
//! takes them home.
//!
//! **Messages.** Whoever wants something waits for it, and every other message is expected
//! too; no order matters. Nobody tells a cell that no request will come. It need not know:
//! every item that leaves a sorting network depends on all that enter it, so that the requests
//! of the next read or write are sorted only when all of this one are done. Who looks at its
//! own cell without a read has no such guarantee.
//!
//! **Cost.** With p processors and m cells: O(p(√p + √m)) energy, O(log² p) depth, most
//! of it in the sort; measured in the [table](super). A processor receives at most four
//! messages in one step, and does O(1) work for each, but O(log p) to find its place in the tree of
//! the scan.
//!
//! **Reference.** Section II-A of *Low-Depth Spatial Tree Algorithms*.
//!
//! **When not to use.** Whenever a program knows where its data are: a scan costs O(n),
//! a step of a PRAM O(n^1.5).

use super::cells::{fetch, fetch_words, store, store_words};
use super::sort::items_waiting;
use super::{
    CollectiveError, Network, Range, Ranges, ScanKind, permute, permute_words, scan, scan_words,
    sort, sort_words,
};
use crate::machine::{Machine, Memory, Plain, most_words, words_of};
use crate::plain;
use palmette_core::{Monoid, NONE};
use std::marker::PhantomData;

plain! {
    /// The last value that there is.
    #[derive(Debug, Clone, Copy)]
    struct Last<T>(PhantomData<fn() -> T>);
}

impl<T: Plain> Monoid for Last<T> {
    type Elem = Option<T>;
    fn identity(&self) -> Option<T> {
        None
    }
    fn combine(&self, left: Option<T>, right: Option<T>) -> Option<T> {
        right.or(left)
    }
}

/// A cell, or [`NONE`], and the processor that asks: requests are sorted by this pair.
type Request = (u32, u32);

/// What a processor wants, as a request. Processors outside the range want nothing.
fn request(me: u32, range: Range, cell: Option<u32>) -> Request {
    // No processor has the address below `NONE` either: it stays an error.
    let cell = cell.map_or(NONE, |cell| cell.min(NONE - 1));
    (if range.contains(me) { cell } else { NONE }, me)
}

/// Sorted requests; the first for each cell has the cell beside it.
type Gathered<V> = Memory<((Request, V), Option<u32>)>;

/// Where a PRAM is simulated. Its cells are all addresses of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pram {
    /// Its processors; others take no part.
    pub processors: Range,
    /// What sorts the requests: [`Network::Bitonic`] costs less on Z.
    pub network: Network,
}

impl Pram {
    /// The words of a processor for a [`Pram::read`] or a [`Pram::write`] of a PRAM with so many
    /// processors. What waits for the sort of the next lies beside the largest program.
    pub const fn words<T: Plain>(processors: usize) -> usize {
        let (cell, home) = (words_of::<T>(), words_of::<Option<u32>>());
        let write = words_of::<(Request, T)>();
        let most = most_words([
            cell + sort_words::<Request, T>(1),
            cell + write + permute_words::<u32>(),
            home + fetch_words::<T>(),
            cell + home + scan_words::<Last<T>>(),
            cell + permute_words::<Option<T>>(),
            store_words::<T>(),
        ]);
        most + items_waiting(processors) * write
    }

    /// Every processor reads the cell that it wants, if any: any number of them the same.
    ///
    /// # Errors
    /// Processors or cells beyond the machine, and what stops the machine.
    pub fn read<T: Plain>(
        self,
        machine: &mut Machine,
        name: &str,
        wanted: Memory<Option<u32>>,
        cells: Memory<T>,
    ) -> Result<Memory<Option<T>>, CollectiveError> {
        let ranges = Ranges::One(self.processors).assign(machine.processors())?.beside(wanted);
        let requests = ranges.map(|me, (range, cell)| (request(me, range, cell), ()));
        let gathered = self.gather(&mut machine.keep(&cells), name, requests)?;
        let firsts = gathered.clone().map(|_, (_, cell)| cell);
        let homes = gathered.map(|_, (((cell, home), ()), _)| (cell != NONE).then_some(home));
        let fetching = format!("{name}: fetch");
        let fetched = fetch(&mut machine.keep(&homes), &fetching, firsts, cells.clone())?;
        // The cells stay where they are.
        let machine = &mut machine.keep(&cells);
        let (spreading, last) = (format!("{name}: spread"), Last(PhantomData));
        let (kind, range) = (ScanKind::Inclusive, self.processors);
        let values = scan(&mut machine.keep(&homes), &spreading, last, kind, range, fetched)?;
        let answers = permute(machine, &format!("{name}: return"), homes, values)?;
        Ok(answers.map(|_, answer| answer.flatten()))
    }

    /// Every processor writes a value into a cell, if it wants to; of several that write
    /// the same the lowest wins. Returns the cells.
    ///
    /// # Errors
    /// Processors or cells beyond the machine, and what stops the machine.
    pub fn write<T: Plain>(
        self,
        machine: &mut Machine,
        name: &str,
        writes: Memory<Option<(u32, T)>>,
        cells: Memory<T>,
    ) -> Result<Memory<T>, CollectiveError> {
        let ranges = Ranges::One(self.processors).assign(machine.processors())?.beside(writes);
        let requests = ranges.beside(cells.clone()).map(|me, ((range, write), own)| {
            let cell = write.map(|(cell, _)| cell);
            (request(me, range, cell), write.map_or(own, |(_, value)| value))
        });
        let gathered = self.gather(&mut machine.keep(&cells), name, requests)?;
        let values = gathered.clone().map(|_, ((_, value), _)| value);
        let firsts = gathered.map(|_, (_, cell)| cell);
        Ok(store(machine, &format!("{name}: store"), firsts, values, cells)?)
    }

    /// One step: every processor reads the cell that `ask` names for what the processor
    /// keeps; `act` says what it keeps from then on, and what it writes where. All read
    /// before anyone writes. Returns what the processors keep, and the cells.
    ///
    /// # Errors
    /// Processors or cells beyond the machine, and what stops the machine.
    #[allow(clippy::type_complexity)]
    pub fn step<S: Plain, T: Plain>(
        self,
        machine: &mut Machine,
        name: &str,
        (kept, cells): (Memory<S>, Memory<T>),
        ask: fn(u32, S) -> Option<u32>,
        act: fn(u32, (S, Option<T>)) -> (S, Option<(u32, T)>),
    ) -> Result<(Memory<S>, Memory<T>), CollectiveError> {
        let wanted = kept.clone().map(ask);
        let reading = format!("{name}: read");
        let found = self.read(&mut machine.keep(&kept), &reading, wanted, cells.clone())?;
        let acted = kept.beside(found).map(act);
        let writes = acted.clone().map(|_, (_, write)| write);
        let kept = acted.map(|_, (kept, _)| kept);
        let writing = format!("{name}: write");
        let cells = self.write(&mut machine.keep(&kept), &writing, writes, cells)?;
        Ok((kept, cells))
    }

    fn gather<V: Plain>(
        self,
        machine: &mut Machine,
        name: &str,
        requests: Memory<(Request, V)>,
    ) -> Result<Gathered<V>, CollectiveError> {
        let range = self.processors;
        let requests = sort(machine, &format!("{name}: sort"), self.network, range, requests)?;
        let next = |p| (range.contains(p) && range.contains(p + 1)).then_some(p + 1);
        let next = Memory::new(machine.processors(), next);
        let cells = requests.clone().map(|_, ((cell, _), _)| cell);
        let comparing = format!("{name}: compare");
        let before = permute(&mut machine.keep(&requests), &comparing, next, cells)?;
        Ok(requests.beside(before).map(|_, (item, before)| {
            let (cell, _) = item.0;
            (item, (cell != NONE && before != Some(cell)).then_some(cell))
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{PATTERNS, Random, machine, machine_with, stagger};
    use super::*;
    use crate::machine::MachineParams;
    use crate::testing::every_delivery;

    /// Machines, ranges on them, and how many cells are in use: few, so that many
    /// processors share them.
    fn every_machine(mut test: impl FnMut(&mut Machine, Pram, u64, &mut Random)) {
        let mut run = |params: MachineParams, n: usize, cells: usize, random: &mut Random| {
            let mut machine = machine_with(n, params);
            stagger(&mut machine, random);
            let first = random.below(n as u64) as u32 / 2 * (n as u32 & 1);
            let network = if n.is_multiple_of(3) { Network::Bitonic } else { Network::OddEven };
            let pram = Pram { processors: Range::new(first, n as u32), network };
            test(&mut machine, pram, cells as u64, random);
            assert!(machine.most_received() <= 4);
        };
        let mut random = Random(7);
        for n in (1..=70usize).chain([300, 5000]) {
            for cells in [1, n.div_ceil(8), n] {
                run(MachineParams::default(), n, cells, &mut random);
            }
        }
        every_delivery(PATTERNS, |params| {
            let mut random = Random(params.seed);
            let n = 1 + random.below(20) as usize;
            run(params, n, 1 + random.below(n as u64) as usize, &mut random);
        });
    }

    #[test]
    fn all_read_what_they_want() {
        every_machine(|machine, pram, used, random| {
            let n = machine.processors();
            let wants: Vec<Option<u32>> =
                (0..n).map(|_| (random.below(5) > 0).then(|| random.below(used) as u32)).collect();
            let cells = Memory::new(n, |p| p * 10);
            let found = pram.read(machine, "read", wants.clone().into(), cells).unwrap();
            for (p, want) in (0..).zip(wants) {
                let want = want.filter(|_| pram.processors.contains(p));
                assert_eq!(found.states()[p as usize], want.map(|cell| cell * 10));
            }
        });
    }

    #[test]
    fn the_lowest_writer_wins() {
        every_machine(|machine, pram, used, random| {
            let n = machine.processors();
            let writes: Vec<Option<(u32, u32)>> = (0..n as u32)
                .map(|p| (random.below(5) > 0).then(|| (random.below(used) as u32, 1000 + p)))
                .collect();
            let cells = Memory::new(n, |p| p);
            let found = pram.write(machine, "write", writes.clone().into(), cells).unwrap();
            let mut expected: Vec<u32> = (0..n as u32).collect();
            for (p, write) in writes.iter().enumerate().rev() {
                if let Some((cell, value)) = write.filter(|_| pram.processors.contains(p as u32)) {
                    expected[cell as usize] = value;
                }
            }
            assert_eq!(found.states(), expected);
        });
    }

    #[test]
    fn pointers_jump_to_the_end_of_a_list() {
        let jump = |params: MachineParams, n: u32, steps: u32| {
            let mut machine = machine_with(n as usize, params);
            let pram = Pram { processors: Range::new(0, n), network: Network::default() };
            let next = Memory::from((1..n).chain([n - 1]).collect::<Vec<_>>());
            let mut memory = (next.clone(), next);
            for _ in 0..steps {
                // A processor keeps a copy of its own cell, and looks where that points.
                let act = |me, (next, far): (u32, Option<u32>)| {
                    let far = far.unwrap_or(next);
                    (far, Some((me, far)))
                };
                memory =
                    pram.step(&mut machine, "jump", memory, |_, next| Some(next), act).unwrap();
            }
            assert!(memory.1.states().iter().all(|&last| last == n - 1));
        };
        jump(MachineParams::default(), 100, 7);
        every_delivery(PATTERNS, |params| jump(params, 9, 4));
    }

    #[test]
    fn a_cell_beyond_the_machine_is_an_error() {
        for cell in [10, u32::MAX] {
            let wanted = Memory::new(10, |p| (p == 3).then_some(cell));
            let cells = Memory::new(10, |_| 0u32);
            let pram = Pram { processors: Range::new(0, 10), network: Network::default() };
            assert!(pram.read(&mut machine(10), "read", wanted, cells).is_err());
        }
    }
}
