//! The network of a machine: points with directed links between them.
//!
//! **Form.** A point is a processor, a node of several processors, or a switch without any. Links
//! of a point have consecutive numbers; a number may be left free ([`NONE`]), as at the borders of
//! a [`Lattice`], whose numbers a network of its shape keeps. A link has a capacity: values per
//! unit of time.
//!
//! **Distance** is in hops: by coordinates on a whole lattice, else from a table that breadth-first
//! searches fill.
//!
//! **Cost.** 16 bytes per link; two bytes per pair of points where there is a table.

use super::{Lattice, MachineError, room};
use palmette_core::NONE;
use rayon::prelude::*;

/// More points than this are refused where hops need a table.
pub const MOST_POINTS: usize = 1 << 14;

/// No way.
const FAR: u16 = u16::MAX;

/// Points and the links between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wires {
    /// By point, the number of its first link; one more for the end.
    first: Vec<u32>,
    /// By link, where it ends; `NONE` where there is none.
    ends: Vec<u32>,
    starts: Vec<u32>,
    capacities: Vec<u32>,
    /// The smallest common multiple of the capacities, within reason.
    scale: u64,
    metric: Metric,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Metric {
    Lattice(Lattice),
    Table(Vec<u16>),
}

impl Wires {
    /// The links of a whole lattice, each of capacity 1.
    pub fn of_lattice(lattice: &Lattice) -> Wires {
        let (points, directions) = (lattice.processors() as u32, lattice.directions() as u32);
        let mut ends = vec![NONE; lattice.link_slots()];
        lattice.links().for_each(|link| ends[link as usize] = lattice.ends(link).1);
        Wires {
            first: (0..=points).map(|p| p * directions).collect(),
            starts: (0..ends.len() as u32).map(|link| link / directions.max(1)).collect(),
            capacities: vec![1; ends.len()],
            ends,
            scale: 1,
            metric: Metric::Lattice(*lattice),
        }
    }

    /// A lattice without the links of some points.
    pub(super) fn of_broken(lattice: &Lattice, dead: &[bool]) -> Result<Wires, MachineError> {
        let mut wires = Wires::of_lattice(lattice);
        for link in 0..wires.ends.len() {
            let (from, to) = (wires.starts[link], wires.ends[link]);
            if to != NONE && (dead[from as usize] || dead[to as usize]) {
                wires.ends[link] = NONE;
            }
        }
        wires.measured()
    }

    /// From links `(a, b, capacity)`, each of them one way and the other. Those at dead points
    /// are left out.
    pub(super) fn of_links(
        points: usize,
        links: &[(u32, u32, u32)],
        dead: &[bool],
    ) -> Result<Wires, MachineError> {
        let alive = |&&(a, b, _): &&(u32, u32, u32)| !dead[a as usize] && !dead[b as usize];
        let both = links.iter().filter(alive).flat_map(|&(a, b, c)| [(a, b, c), (b, a, c)]);
        let mut both: Vec<(u32, u32, u32)> = both.collect();
        both.sort_unstable();
        let mut first = vec![0; points + 1];
        both.iter().for_each(|link| first[link.0 as usize + 1] += 1);
        for p in 0..points {
            first[p + 1] += first[p];
        }
        let capacities: Vec<u32> = both.iter().map(|link| link.2).collect();
        let wires = Wires {
            first,
            starts: both.iter().map(|link| link.0).collect(),
            ends: both.iter().map(|link| link.1).collect(),
            scale: common(&capacities),
            capacities,
            metric: Metric::Table(Vec::new()),
        };
        wires.measured()
    }

    fn measured(mut self) -> Result<Wires, MachineError> {
        let points = self.points();
        if points > MOST_POINTS {
            return Err(MachineError::TooManyPoints { points });
        }
        room((points as u64).pow(2) * 2)?;
        let rows: Vec<Vec<u16>> =
            (0..points as u32).into_par_iter().map(|from| self.search(from)).collect();
        self.metric = Metric::Table(rows.concat());
        Ok(self)
    }

    /// Hops from a point to all.
    fn search(&self, from: u32) -> Vec<u16> {
        let mut hops = vec![FAR; self.points()];
        let mut queue = vec![from];
        hops[from as usize] = 0;
        let mut next = 0;
        while let Some(&p) = queue.get(next) {
            next += 1;
            for (_, q) in self.links_of(p) {
                if hops[q as usize] == FAR {
                    hops[q as usize] = hops[p as usize] + 1;
                    queue.push(q);
                }
            }
        }
        hops
    }

    /// The number of points.
    pub fn points(&self) -> usize {
        self.first.len() - 1
    }

    /// One more than the largest number of a link could be.
    pub fn link_slots(&self) -> usize {
        self.ends.len()
    }

    /// The numbers of all links, ascending.
    pub fn links(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.ends.len() as u32).filter(|&link| self.ends[link as usize] != NONE)
    }

    /// The links that leave a point, and where they end.
    #[inline]
    pub fn links_of(&self, point: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let links = self.first[point as usize]..self.first[point as usize + 1];
        let links = links.map(|link| (link, self.ends[link as usize]));
        links.filter(|&(_, end)| end != NONE)
    }

    /// Where a link ends; `NONE` where there is none.
    #[inline]
    pub fn end(&self, link: u32) -> u32 {
        self.ends[link as usize]
    }

    /// Where a link starts.
    #[inline]
    pub fn start(&self, link: u32) -> u32 {
        self.starts[link as usize]
    }

    /// Where a link starts and ends.
    pub fn ends(&self, link: u32) -> (u32, u32) {
        (self.start(link), self.end(link))
    }

    /// The values that a link takes per unit of time.
    pub fn capacity(&self, link: u32) -> u32 {
        self.capacities[link as usize]
    }

    /// Whether all links have the same capacity.
    pub fn is_even(&self) -> bool {
        self.capacities.windows(2).all(|pair| pair[0] == pair[1])
    }

    /// What a value loads a link with: the more, the smaller its capacity. 1 where all
    /// capacities are equal.
    #[inline]
    pub(crate) fn burden(&self, link: u32) -> u64 {
        (self.scale / u64::from(self.capacities[link as usize])).max(1)
    }

    /// The hops between two points.
    #[inline]
    pub fn hops(&self, a: u32, b: u32) -> u32 {
        match &self.metric {
            Metric::Lattice(lattice) => lattice.distance(a, b),
            Metric::Table(table) => u32::from(table[a as usize * self.points() + b as usize]),
        }
    }

    /// Whether there is a way from a point to another.
    pub(super) fn joins(&self, a: u32, b: u32) -> bool {
        self.hops(a, b) != u32::from(FAR)
    }
}

/// The smallest common multiple, or a large number where that would be larger.
fn common(numbers: &[u32]) -> u64 {
    const MOST: u64 = 1 << 24;
    let mut distinct = numbers.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let mut all = 1u64;
    for &number in &distinct {
        let (mut a, mut b) = (all, u64::from(number));
        while b > 0 {
            (a, b) = (b, a % b);
        }
        all = all / a * u64::from(number);
        if all > MOST {
            return MOST.max(u64::from(distinct[distinct.len() - 1]));
        }
    }
    // Equal capacities need no scale: every value counts 1.
    if distinct.len() == 1 { u64::from(distinct[0]) } else { all }
}
