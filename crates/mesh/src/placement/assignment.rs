//! Parts on processors, and what moving one costs.
//!
//! **Invariant.** `at[place[p]] == p` for every part; processors without a part have
//! [`NONE`].
//! **Cost.** A move's difference takes time in the number of partners of the one or two
//! parts that it moves; nothing else is kept.

use super::Placement;
use crate::{Machine, Quotient};
use palmette_core::{Lists, NONE};

/// Up to so many processors their costs are in a table.
const TABLE: usize = 2048;

/// What an assignment needs to know about quotient and machine; shared by all restarts.
pub(super) struct Rules<'a> {
    machine: &'a Machine,
    pub(super) processors: usize,
    /// Costs by pair of processors; empty for large machines and large costs.
    table: Vec<u16>,
    /// By part: partners and the values exchanged both ways (costs are symmetric).
    partners: Lists<(u32, i64)>,
    /// By processor: its neighbours.
    near: Lists,
    /// Processors that can have a part.
    pub(super) available: Vec<u32>,
    /// Sizes of groups of processors, without the whole and single processors.
    pub(super) group_sizes: Vec<u32>,
}

impl<'a> Rules<'a> {
    pub(super) fn new(quotient: &Quotient, machine: &'a Machine) -> Rules<'a> {
        let processors = machine.processors();
        let all = 0..processors as u32;
        let pairs = all.clone().flat_map(|a| all.clone().map(move |b| machine.cost(a, b)));
        let costs: Option<Vec<u16>> = if processors <= TABLE {
            pairs.map(|cost| u16::try_from(cost).ok()).collect()
        } else {
            None
        };
        let table = costs.unwrap_or_default();
        let partners = Lists::of_rows((0..quotient.parts() as u32).map(|part| {
            let both = quotient.sends(part).iter().zip(quotient.receives(part));
            let values = both.map(|(sent, received)| (sent + received) as i64);
            quotient.partners(part).iter().copied().zip(values)
        }));
        let near = Lists::of_rows(all.map(|processor| machine.neighbours(processor)));
        let (available, group_sizes) = (machine.available(), machine.group_sizes());
        Rules { machine, processors, table, partners, near, available, group_sizes }
    }

    #[inline]
    pub(super) fn partners(&self, part: u32) -> &[(u32, i64)] {
        self.partners.of(part)
    }

    #[inline]
    pub(super) fn near(&self, processor: u32) -> &[u32] {
        self.near.of(processor)
    }

    #[inline]
    fn cost(&self, a: u32, b: u32) -> i64 {
        if self.table.is_empty() {
            i64::from(self.machine.cost(a, b))
        } else {
            i64::from(self.table[a as usize * self.processors + b as usize])
        }
    }
}

/// A placement that is being changed.
#[derive(Clone)]
pub(super) struct Assignment<'a> {
    rules: &'a Rules<'a>,
    place: Vec<u32>,
    at: Vec<u32>,
    /// Of the whole placement, every pair once with the values of both ways.
    pub(super) cost: i64,
}

impl<'a> Assignment<'a> {
    pub(super) fn new(rules: &'a Rules<'a>, placement: &Placement) -> Assignment<'a> {
        let place = placement.processors.clone();
        let mut at = vec![NONE; rules.processors];
        (0..).zip(&place).for_each(|(part, &processor)| at[processor as usize] = part);
        let mut assignment = Assignment { rules, place, at, cost: 0 };
        assignment.cost = assignment.recomputed();
        assignment
    }

    pub(super) fn parts(&self) -> usize {
        self.place.len()
    }

    pub(super) fn placement(&self) -> Placement {
        Placement { processors: self.place.clone() }
    }

    #[inline]
    pub(super) fn processor(&self, part: u32) -> u32 {
        self.place[part as usize]
    }

    /// The cost without looking at what was kept of it.
    pub(super) fn recomputed(&self) -> i64 {
        let parts = 0..self.parts() as u32;
        let of = |part| {
            let partners = self.rules.partners(part).iter();
            let cost = |other| self.rules.cost(self.processor(part), self.processor(other));
            partners.map(|&(other, values)| values * cost(other)).sum::<i64>()
        };
        parts.map(of).sum::<i64>() / 2
    }

    /// By how much the cost grows when a part goes to a processor, and what is there comes
    /// to where the part was.
    #[inline]
    pub(super) fn difference(&self, part: u32, to: u32) -> i64 {
        let from = self.place[part as usize];
        let other = self.at[to as usize];
        let mut sum = self.moving(part, from, to, other);
        if other != NONE {
            sum += self.moving(other, to, from, part);
        }
        sum
    }

    /// One part's share; the partner that moves the other way stays as far.
    #[inline]
    fn moving(&self, part: u32, from: u32, to: u32, without: u32) -> i64 {
        let mut sum = 0;
        for &(partner, values) in self.rules.partners(part) {
            if partner != without {
                let there = self.place[partner as usize];
                sum += values * (self.rules.cost(to, there) - self.rules.cost(from, there));
            }
        }
        sum
    }

    /// Makes the move whose difference is known.
    #[inline]
    pub(super) fn apply(&mut self, part: u32, to: u32, difference: i64) {
        let from = self.place[part as usize];
        let other = self.at[to as usize];
        self.place[part as usize] = to;
        self.at[to as usize] = part;
        self.at[from as usize] = other;
        if other != NONE {
            self.place[other as usize] = from;
        }
        self.cost += difference;
    }

    /// Exchanges what is on two groups of processors of a size; doing it again undoes it.
    pub(super) fn exchange(&mut self, size: u32, [first, second]: [u32; 2]) {
        for i in 0..size {
            let [a, b] = [first, second].map(|group| group * size + i);
            let (part, to) = match (self.at[a as usize], self.at[b as usize]) {
                (NONE, NONE) => continue,
                (NONE, part) => (part, a),
                (part, _) => (part, b),
            };
            self.apply(part, to, self.difference(part, to));
        }
    }
}
