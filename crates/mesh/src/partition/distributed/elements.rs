//! Graphs of a mesh that no rank has whole: nodes that share an element, elements that share a face.
//!
//! **Problem.** Every rank has consecutive elements, by the numbers of their nodes, and the points of
//! consecutive nodes; it gets its slice of the graph.
//!
//! **Method.** Pairs of nodes go to the rank of each; faces go to the rank that a hash of their
//! nodes chooses, which tells the elements of each other.
//!
//! **Cost.** A word per pair, after each rank has dropped its doubles; 3 words per face, and one per side.
//!
//! **Determinism.** The graphs of one machine, on any number of ranks.

use super::GraphSlice;
use palmette_core::NONE;
use palmette_core::mesh::{ElementKind, Point};
use palmette_core::random::mixed;
use palmette_core::ranks::{Metered, Ranks, RanksError, Slices, ask, send};

/// Consecutive elements of a mesh.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ElementSlice {
    /// By element: where its nodes begin; one more for the end.
    pub offsets: Vec<usize>,
    /// Nodes of the whole mesh.
    pub nodes: Vec<u32>,
}

/// Elements whose pairs are collected before doubles are dropped.
const STRETCH: usize = 1 << 16;

impl ElementSlice {
    fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    fn nodes(&self, element: usize) -> &[u32] {
        &self.nodes[self.offsets[element]..self.offsets[element + 1]]
    }
}

/// The graph of nodes that share an element; the points are those of the own nodes.
///
/// # Errors
/// When communication between ranks fails.
pub fn node_graph_on_ranks<R: Ranks>(
    ranks: &mut Metered<R>,
    elements: &ElementSlice,
    points: Vec<Point>,
) -> Result<GraphSlice, RanksError> {
    let slices = Slices::of_lengths(ranks.gather(&[points.len() as u64])?.words);
    let mut pairs: Vec<u64> = Vec::new();
    for start in (0..elements.len()).step_by(STRETCH) {
        let before = pairs.len();
        for element in start..(start + STRETCH).min(elements.len()) {
            let nodes = elements.nodes(element);
            for &a in nodes {
                let others = nodes.iter().filter(|&&b| a != b);
                pairs.extend(others.map(|&b| u64::from(a) << 32 | u64::from(b)));
            }
        }
        let mut new = pairs.split_off(before);
        new.sort_unstable();
        new.dedup();
        pairs.extend(new);
    }
    pairs.sort_unstable();
    pairs.dedup();
    let mut found = sides(ranks, &slices, pairs)?;
    found.points = points;
    Ok(found)
}

/// The graph of elements that share a face, at their centroids; `points` are those of the own nodes,
/// and `kinds` the kinds of the own elements.
///
/// # Errors
/// When communication between ranks fails.
pub fn dual_graph_on_ranks<R: Ranks>(
    ranks: &mut Metered<R>,
    elements: &ElementSlice,
    kinds: &[ElementKind],
    points: &[Point],
) -> Result<GraphSlice, RanksError> {
    let slices = Slices::of_lengths(ranks.gather(&[elements.len() as u64])?.words);
    let (first, p) = (slices.of(ranks.rank()).start, ranks.ranks() as u64);
    let mail = send(ranks, |post| {
        for (e, kind) in kinds.iter().enumerate() {
            let nodes = elements.nodes(e);
            for face in kind.faces() {
                let mut named = [NONE; 4];
                named.iter_mut().zip(*face).for_each(|(to, &corner)| *to = nodes[corner as usize]);
                named.sort_unstable();
                let [a, b, c, d] = named.map(u64::from);
                let (low, high) = (a << 32 | b, c << 32 | d);
                let place = mixed(mixed(low) ^ high) % p;
                post(place as usize, &[low, high, first + e as u64]);
            }
        }
    })?;
    let mut faces = mail.records::<3>().to_vec();
    drop(mail);
    faces.sort_unstable();
    let mut pairs = Vec::new();
    for same in faces.chunk_by(|a, b| a[..2] == b[..2]) {
        for a in same {
            let others = same.iter().filter(|b| a[2] != b[2]);
            pairs.extend(others.map(|b| a[2] << 32 | b[2]));
        }
    }
    drop(faces);
    pairs.sort_unstable();
    let mut found = sides(ranks, &slices, pairs)?;
    found.points = centroids(ranks, elements, points)?;
    Ok(found)
}

/// A graph from its pairs, both ways round and sorted on each rank; doubles are dropped.
fn sides<R: Ranks>(
    ranks: &mut Metered<R>,
    slices: &Slices,
    pairs: Vec<u64>,
) -> Result<GraphSlice, RanksError> {
    let mail = send(ranks, |post| {
        pairs.iter().for_each(|&pair| post(slices.owner(pair >> 32), &[pair]));
    })?;
    drop(pairs);
    let mut all = mail.words;
    all.sort_unstable();
    all.dedup();
    let own = slices.of(ranks.rank());
    let mut found = GraphSlice { offsets: vec![0], ..GraphSlice::default() };
    found.neighbours = all.iter().map(|&pair| pair as u32).collect();
    let mut at = 0;
    for v in own {
        at += all[at..].iter().take_while(|&&pair| pair >> 32 == v).count();
        found.offsets.push(at);
    }
    Ok(found)
}

/// The means of the nodes of elements.
fn centroids<R: Ranks>(
    ranks: &mut Metered<R>,
    elements: &ElementSlice,
    points: &[Point],
) -> Result<Vec<Point>, RanksError> {
    let slices = Slices::of_lengths(ranks.gather(&[points.len() as u64])?.words);
    let first = slices.of(ranks.rank()).start;
    let mut nodes = elements.nodes.clone();
    nodes.sort_unstable();
    nodes.dedup();
    let questions: Vec<(usize, [u64; 1])> =
        nodes.iter().map(|&v| u64::from(v)).map(|v| (slices.owner(v), [v])).collect();
    let own = |[v]: [u64; 1]| points[(v - first) as usize].map(f64::to_bits);
    let found = ask(ranks, &questions, own)?;
    let mean = |element: usize| {
        let of = elements.nodes(element);
        let mut sum = [0.0; 3];
        for &node in of {
            let point = found[nodes.partition_point(|&other| other < node)].map(f64::from_bits);
            sum.iter_mut().zip(point).for_each(|(sum, x)| *sum += x);
        }
        sum.map(|x| x / of.len() as f64)
    };
    Ok((0..elements.len()).map(mean).collect())
}

/// Copies of nodes beyond the first, on all ranks: a node whose elements are in `p` parts has `p − 1`.
///
/// # Errors
/// When communication between ranks fails.
pub fn copies_on_ranks<R: Ranks>(
    ranks: &mut Metered<R>,
    elements: &ElementSlice,
    part: &[u32],
) -> Result<u64, RanksError> {
    let p = ranks.ranks() as u64;
    let mut held: Vec<u64> = Vec::with_capacity(elements.nodes.len());
    for (element, &part) in part.iter().enumerate() {
        let nodes = elements.nodes(element).iter();
        held.extend(nodes.map(|&node| u64::from(node) << 32 | u64::from(part)));
    }
    held.sort_unstable();
    held.dedup();
    let mail = send(ranks, |post| {
        held.iter().for_each(|&word| post((mixed(word >> 32) % p) as usize, &[word]));
    })?;
    let mut all = mail.words;
    all.sort_unstable();
    all.dedup();
    let copies = all.windows(2).filter(|pair| pair[0] >> 32 == pair[1] >> 32).count();
    ranks.sum(copies as u64)
}
