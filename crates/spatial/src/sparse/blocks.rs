//! Products where rows lie in an order that keeps neighbours close.
//!
//! **Problem.** As for the [module](super); rows come with an order, such as [`follow`](super::follow)
//! finds.
//!
//! **Method.** Row i has a block of addresses, in the order of rows: first its owner, with the diagonal and
//! the vector's number; then a slot for each j with an entry at (i, j) or (j, i), in the order of the j's.
//! Slot (i, j) knows its twin (j, i). In a product
//! - the owner tells its slots x_i, down the block's tree;
//! - slot (i, j) sends x_i to its twin, if there is an entry at (j, i);
//! - slot (i, j) multiplies a_ij with what came, and the block adds up to its owner.
//!
//! **Messages.** A slot waits for its block's and then for its twin's; it knows whether there is one.
//!
//! **Cost.** With s slots, n + s processors. *Energy* at most 3.7 (n + s) in the blocks, on Hilbert's
//! curve, and the distances of twins: on grids with points 5.9 per entry in all, whatever their size
//! (docs/theorems.md), for expanders O((n + s)^1.5). *Depth* 7 on grids, O(log D) with D slots per row.
//! *Words*: six for a slot and its value.
//!
//! **Determinism.** A block's tree fixes how its sum is bracketed: the same bits under all delays.
//!
//! **When not to use.** For matrices without an order that helps, where [`Sorted`](super::Sorted) has the same
//! bound without it. Finding a good order is the host's work here, and not counted.

use super::{Placed, SparseError, SparseMatrix};
use crate::collective::{
    Range, broadcast, broadcast_words, permute, permute_words, reduce, reduce_words,
};
use crate::machine::{Machine, Memory, most_words, words_of};
use crate::plain;
use palmette_core::operator::Sum;
use palmette_core::{MAX_VERTICES, NONE};

plain! {
    /// What a processor knows of the matrix.
    #[derive(Debug, Clone, Copy, PartialEq)]
    struct Slot {
        /// Its row's block.
        block: Range,
        /// The slot on the other side of the diagonal; [`NONE`] at the owner.
        twin: u32,
        /// Whether the twin has an entry, and so waits for this row's number.
        sends: bool,
        /// The entry, 0 where there is none.
        value: f64,
    }
}

/// A matrix in blocks of rows.
#[derive(Debug, Clone)]
pub struct Blocks {
    slots: Memory<Slot>,
    owners: Vec<u32>,
}

impl Blocks {
    /// A matrix whose rows lie in this order: `order[p]` is the p-th row.
    ///
    /// # Errors
    /// An order that does not name each row once; more slots than processors can be.
    pub fn new(matrix: &SparseMatrix, order: &[u32]) -> Result<Blocks, SparseError> {
        let n = matrix.rows();
        let place = places(order, n)?;
        let mut starts = vec![0usize; n + 1];
        let both = || matrix.all().filter(|&(i, j, _)| i != j);
        for (i, j, _) in both() {
            // An entry whose mirror image exists, too, is counted from there as well.
            starts[place[i as usize] as usize + 1] += 1;
            if matrix.entry(j, i).is_none() {
                starts[place[j as usize] as usize + 1] += 1;
            }
        }
        (0..n).for_each(|p| starts[p + 1] += starts[p] + 1);
        let processors = starts[n];
        if processors > MAX_VERTICES {
            return Err(SparseError::TooLarge { rows: n, entries: matrix.entries() });
        }
        // The neighbours of rows in their order; the owner's address is left free.
        let mut next: Vec<usize> = starts[..n].iter().map(|start| start + 1).collect();
        let mut neighbours = vec![NONE; processors];
        let mut hang = |i: u32, j: u32| {
            let at = &mut next[place[i as usize] as usize];
            neighbours[*at] = place[j as usize];
            *at += 1;
        };
        for (i, j, _) in both() {
            hang(i, j);
            if matrix.entry(j, i).is_none() {
                hang(j, i);
            }
        }
        (0..n).for_each(|p| neighbours[starts[p] + 1..starts[p + 1]].sort_unstable());
        // Rows meet their neighbours in order, so that each is the next in its neighbour's list.
        let mut met: Vec<usize> = starts[..n].iter().map(|start| start + 1).collect();
        let mut slots = Vec::with_capacity(processors);
        for (p, &i) in order.iter().enumerate() {
            let block = Range::new(starts[p] as u32, starts[p + 1] as u32);
            let value = matrix.entry(i, i).unwrap_or(0.0);
            slots.push(Slot { block, twin: NONE, sends: false, value });
            for &neighbour in &neighbours[starts[p] + 1..starts[p + 1]] {
                let j = order[neighbour as usize];
                let at = &mut met[neighbour as usize];
                let (twin, sends) = (*at as u32, matrix.entry(j, i).is_some());
                *at += 1;
                let value = matrix.entry(i, j).unwrap_or(0.0);
                slots.push(Slot { block, twin, sends, value });
            }
        }
        let owners = place.iter().map(|&p| starts[p as usize] as u32).collect();
        Ok(Blocks { slots: slots.into(), owners })
    }

    /// How far each entry off the diagonal travels, in addresses along the curve.
    pub fn reach(&self) -> impl Iterator<Item = u32> + '_ {
        let slots = (0u32..).zip(self.slots.states());
        slots.filter(|(_, slot)| slot.sends).map(|(p, slot)| slot.twin.abs_diff(p))
    }
}

/// Where each row is in an order.
fn places(order: &[u32], rows: usize) -> Result<Vec<u32>, SparseError> {
    let mut place = vec![NONE; rows];
    for (p, &row) in (0..).zip(order) {
        match place.get_mut(row as usize) {
            None => return Err(SparseError::Outside { row, column: row, rows }),
            Some(at) if *at == NONE => *at = p,
            Some(_) => {
                let times = order.iter().filter(|&&other| other == row).count();
                return Err(SparseError::Order { row, times });
            }
        }
    }
    match place.iter().position(|&p| p == NONE) {
        Some(row) => Err(SparseError::Order { row: row as u32, times: 0 }),
        None => Ok(place),
    }
}

impl Placed for Blocks {
    fn processors(&self) -> usize {
        self.slots.states().len()
    }

    fn owners(&self) -> &[u32] {
        &self.owners
    }

    fn words(&self) -> usize {
        const NUMBER: usize = words_of::<f64>();
        self.kept()
            + most_words([
                broadcast_words::<f64>(),
                NUMBER + permute_words::<f64>(),
                reduce_words::<Sum<f64>>(),
            ])
            + self.waiting()
    }

    fn kept(&self) -> usize {
        words_of::<Slot>()
    }

    fn waiting(&self) -> usize {
        // The twin's number, and what the block's tree adds up.
        words_of::<f64>() + reduce_words::<Sum<f64>>()
    }

    fn product(
        &self,
        machine: &mut Machine,
        name: &str,
        x: Memory<f64>,
    ) -> Result<Memory<f64>, SparseError> {
        let slots = &self.slots;
        let machine = &mut *machine.keep(slots);
        let blocks = slots.clone().map(|_, slot| slot.block);
        let told = broadcast(machine, &format!("{name}: tell rows"), blocks.clone(), x)?;
        let targets = slots.clone().map(|_, slot| slot.sends.then_some(slot.twin));
        let name_of = format!("{name}: cross the diagonal");
        let came = permute(&mut machine.keep(&told), &name_of, targets, told.clone())?;
        let factors = slots.clone().beside(told.beside(came));
        let terms = factors.map(|_, (slot, (own, came))| match slot.twin {
            NONE => slot.value * own,
            _ => came.map_or(0.0, |x| slot.value * x),
        });
        let sums = reduce(machine, &format!("{name}: add up rows"), Sum::new(), blocks, terms)?;
        Ok(slots
            .clone()
            .beside(sums)
            .map(|_, (slot, sum)| if slot.twin == NONE { sum } else { 0.0 }))
    }
}
