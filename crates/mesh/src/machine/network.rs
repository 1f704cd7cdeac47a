//! Machines of any other form: nodes of several processors on a network, dragonflies, trees of
//! switches, graphs; and all machines with dead nodes.
//!
//! **Form.** Processors sit at the points of [`Wires`], as many at each as its node has. Their
//! numbers go point by point. Within a node they are in groups within groups, of the same sizes
//! everywhere.
//!
//! **Distance.** Within a node what is given for the smallest group that two processors share;
//! between nodes the hops times what is given for one. Where points have several nodes, as routers
//! of a dragonfly have processors, the way from a node to its router and back counts as one. Dead processors keep their numbers but get
//! no part; no route passes through their node.
//!
//! **Order.** Recursive placements need an order in which near processors are near each other:
//! that of halving on lattices, of numbers on trees and dragonflies. A graph is halved again and
//! again, by which of two far points is nearer.

use super::{Lattice, MachineError, Wires, room};
use std::sync::Arc;

/// Any network of nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Network {
    pub(super) text: String,
    wires: Arc<Wires>,
    /// The lattice whose points the nodes are.
    lattice: Option<Lattice>,
    whole: bool,
    /// By processor, its point.
    point: Vec<u32>,
    available: Vec<bool>,
    /// Sizes of groups within a node, from single processors to the node.
    groups: Vec<u32>,
    /// Whether points have several nodes, which are not 0 apart.
    crowded: u32,
    /// By size of a group the distance of processors that part there, and of one hop.
    distances: Vec<u32>,
    /// Available processors.
    order: Vec<u32>,
    /// By point, its name, where points have names.
    names: Vec<String>,
}

/// What a network is made of.
pub(super) struct Plan {
    pub(super) text: String,
    pub(super) points: usize,
    pub(super) lattice: Option<Lattice>,
    pub(super) links: Vec<(u32, u32, u32)>,
    /// By point, how many nodes it has: 1, or 0 for a switch; on graphs also more.
    pub(super) nodes: Vec<u32>,
    /// Branches of a node, from the outermost groups in; none for one processor.
    pub(super) node: Vec<u32>,
    pub(super) distances: Vec<u32>,
    /// Processors that are not available.
    pub(super) without: Vec<u32>,
    pub(super) names: Vec<String>,
    /// Whether numbers are a good order already.
    pub(super) in_order: bool,
}

impl Network {
    pub(super) fn new(plan: Plan) -> Result<Network, MachineError> {
        let Plan { text, points, lattice, links, nodes, node, distances, without, names, .. } =
            &plan;
        let mut groups = vec![1u32];
        for &branches in node.iter().rev() {
            groups.push(groups[groups.len() - 1] * branches);
        }
        let size = groups[groups.len() - 1];
        let count: u64 = nodes.iter().map(|&n| u64::from(n) * u64::from(size)).sum();
        if count > super::MOST_PROCESSORS {
            return Err(MachineError::TooMany { text: text.clone() });
        }
        room(count * 20)?;
        let at = nodes.iter().zip(0u32..).flat_map(|(&n, p)| (0..n * size).map(move |_| p));
        let point: Vec<u32> = at.collect();
        let mut available = vec![true; point.len()];
        for &dead in without {
            let processors = point.len();
            let Some(there) = available.get_mut(dead as usize) else {
                return Err(MachineError::NoSuchProcessor { text: text.clone(), dead, processors });
            };
            *there = false;
        }
        // A node passes messages on as long as one of its processors lives.
        let mut dead: Vec<bool> = nodes.iter().map(|&n| n > 0).collect();
        for (&p, _) in point.iter().zip(&available).filter(|(_, available)| **available) {
            dead[p as usize] = false;
        }
        let broken = dead.contains(&true);
        let wires = match lattice {
            Some(lattice) if !broken => Wires::of_lattice(lattice),
            Some(lattice) => Wires::of_broken(lattice, &dead)?,
            None => Wires::of_links(*points, links, &dead)?,
        };
        let mut network = Network {
            text: text.clone(),
            wires: Arc::new(wires),
            lattice: *lattice,
            whole: lattice.is_some() && !broken,
            available,
            point,
            groups,
            crowded: u32::from(nodes.iter().any(|&n| n > 1)),
            distances: distances.clone(),
            order: Vec::new(),
            names: names.clone(),
        };
        network.check()?;
        network.order = network.ordered(plan.in_order);
        Ok(network)
    }

    /// All available processors must reach each other.
    fn check(&self) -> Result<(), MachineError> {
        let mut alive = (0..self.point.len() as u32).filter(|&p| self.is_available(p));
        let Some(first) = alive.next() else {
            return Err(MachineError::NoProcessor { text: self.text.clone() });
        };
        match alive.find(|&p| !self.wires.joins(self.point(first), self.point(p))) {
            None => Ok(()),
            Some(other) => {
                let (text, ends) = (self.text.clone(), [first, other]);
                Err(MachineError::Disconnected { text, ends: ends.map(|p| self.name_of(p)) })
            }
        }
    }

    fn name_of(&self, processor: u32) -> String {
        match self.names.get(self.point(processor) as usize) {
            Some(name) => format!("{processor} ({name})"),
            None => processor.to_string(),
        }
    }

    fn ordered(&self, in_order: bool) -> Vec<u32> {
        let points: Vec<u32> = match &self.lattice {
            Some(lattice) => super::Machine::Lattice(*lattice).halving_order(),
            None if in_order => (0..self.wires.points() as u32).collect(),
            None => self.halved(),
        };
        points.into_iter().flat_map(|p| self.processors_at(p)).collect()
    }

    /// The points of a graph, halved again and again.
    fn halved(&self) -> Vec<u32> {
        let mut used = vec![false; self.wires.points()];
        let alive = (0..self.point.len() as u32).filter(|&p| self.is_available(p));
        alive.for_each(|p| used[self.point(p) as usize] = true);
        let used = (0..used.len() as u32).filter(|&p| used[p as usize]).collect::<Vec<_>>();
        let mut order = Vec::with_capacity(used.len());
        let mut waiting = vec![used];
        while let Some(mut points) = waiting.pop() {
            if points.len() < 2 {
                order.append(&mut points);
                continue;
            }
            let farthest = |from: u32| {
                let far = points.iter().map(|&p| (self.wires.hops(from, p), std::cmp::Reverse(p)));
                far.max().map_or(from, |(_, p)| p.0)
            };
            let a = farthest(points[0]);
            let b = farthest(a);
            let (near, far) = if a < b { (a, b) } else { (b, a) };
            points.sort_by_key(|&p| {
                (i64::from(self.wires.hops(near, p)) - i64::from(self.wires.hops(far, p)), p)
            });
            let upper = points.split_off(points.len() / 2);
            waiting.extend([upper, points]);
        }
        order
    }

    /// The number of processors, dead ones among them.
    pub fn processors(&self) -> usize {
        self.point.len()
    }

    /// Whether a processor can have a part.
    #[inline]
    pub fn is_available(&self, processor: u32) -> bool {
        self.available[processor as usize]
    }

    /// The point of the network that a processor is at.
    #[inline]
    pub fn point(&self, processor: u32) -> u32 {
        self.point[processor as usize]
    }

    /// The network.
    pub fn wires(&self) -> &Arc<Wires> {
        &self.wires
    }

    /// The lattice that the points are on; it may lack dead nodes.
    pub fn lattice(&self) -> Option<&Lattice> {
        self.lattice.as_ref()
    }

    /// The same where no node is missing.
    pub(crate) fn whole_lattice(&self) -> Option<&Lattice> {
        self.lattice.as_ref().filter(|_| self.whole)
    }

    /// The names of points; empty where they have none.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Sizes of the groups within a node, from two or more processors to the whole node.
    pub fn groups(&self) -> &[u32] {
        &self.groups[1..]
    }

    /// Within a node, the distance of processors by the smallest group that they share, the
    /// smallest first; then that of a hop.
    pub fn distances(&self) -> &[u32] {
        &self.distances
    }

    /// Available processors, near ones near each other.
    pub(super) fn order(&self) -> &[u32] {
        &self.order
    }

    /// The distance between two processors.
    #[inline]
    pub fn distance(&self, a: u32, b: u32) -> u32 {
        let (from, to) = (self.point(a), self.point(b));
        let node = self.groups[self.groups.len() - 1];
        if from != to || a / node != b / node {
            let hop = self.distances[self.distances.len() - 1];
            return (self.wires.hops(from, to) + self.crowded).saturating_mul(hop);
        }
        match self.shared(a, b) {
            0 => 0,
            level => self.distances[level - 1],
        }
    }

    /// The level of the smallest group within a node that two of its processors share.
    #[inline]
    fn shared(&self, a: u32, b: u32) -> usize {
        // Nodes have equal sizes, and their processors consecutive numbers.
        (0..self.groups.len() - 1)
            .find(|&level| a / self.groups[level] == b / self.groups[level])
            .unwrap_or(self.groups.len() - 1)
    }

    /// The available processors at a point.
    pub fn processors_at(&self, point: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.point.partition_point(|&p| p < point) as u32;
        let end = self.point.partition_point(|&p| p <= point) as u32;
        (first..end).filter(|&p| self.is_available(p))
    }

    /// The processors nearest to one: in its node, and in the nearest others.
    pub(super) fn neighbours(&self, processor: u32) -> Vec<u32> {
        let own = self.point(processor);
        let mut near: Vec<u32> = self.processors_at(own).filter(|&p| p != processor).collect();
        let here = near.len();
        let (mut seen, mut level) = (vec![own], vec![own]);
        while !level.is_empty() && near.len() == here {
            let mut next = Vec::new();
            for to in level.iter().flat_map(|&p| self.wires.links_of(p)).map(|(_, to)| to) {
                if !seen.contains(&to) {
                    seen.push(to);
                    next.push(to);
                    near.extend(self.processors_at(to));
                }
            }
            level = next;
        }
        near
    }

    /// Where a run of the order is best cut in two: between nodes, or within a node between its
    /// largest groups; as near to the middle as that allows.
    pub(super) fn border(&self, first: u32, end: u32) -> u32 {
        let middle = (first + end) / 2;
        let level = |at: u32| {
            let [a, b] = [at - 1, at].map(|at| self.order[at as usize]);
            if self.point(a) == self.point(b) { self.shared(a, b) } else { self.groups.len() }
        };
        let apart = |at: u32| (std::cmp::Reverse(level(at)), at.abs_diff(middle), at);
        (first + 1..end).min_by_key(|&at| apart(at)).unwrap_or(middle)
    }
}
