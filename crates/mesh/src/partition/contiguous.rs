//! Parts in one piece.
//!
//! **Method.** Of every part the heaviest component stays; the others go to the part that
//! they are tied to most strongly, until no part of a component of the graph lies apart.
//! Parts that became too heavy then give vertices at their border away, from part to part
//! until there is room, as long as they stay in one piece themselves; what lowers the cut
//! without breaking a part is moved at the end.
//!
//! **Limits.** Where the pieces of a graph outnumber the parts, a part has several.

use super::net::Net;
use super::refine::{Parts, Plain, Ties, drain};
use palmette_core::NONE;

/// Makes parts contiguous, and no heavier than their limits if that can be.
pub(super) fn make_contiguous(net: &Net, parts: Parts) -> Vec<u32> {
    let mut parts = parts;
    if !join_strays(net, &mut parts, false) {
        return parts.part;
    }
    // Each pass leaves fewer pieces; a few passes are the rule.
    while join_strays(net, &mut parts, false) {}
    let mut seen = Seen { marks: vec![0; net.len()], mark: 0, stack: Vec::new() };
    lighten(net, &mut parts, &mut seen);
    smooth(net, &mut parts, &mut seen);
    parts.part
}

/// Lowers the cut of parts that are in one piece each, and stay so.
pub(super) fn smooth_contiguous(net: &Net, mut parts: Parts) -> Vec<u32> {
    let mut seen = Seen { marks: vec![0; net.len()], mark: 0, stack: Vec::new() };
    smooth(net, &mut parts, &mut seen);
    parts.part
}

/// The pieces of all parts.
struct Pieces {
    /// By vertex: its piece.
    of: Vec<u32>,
    weights: Vec<i64>,
    parts: Vec<u32>,
    /// Whether one of their vertices is fixed.
    fixed: Vec<bool>,
}

fn pieces(net: &Net, part: &[u32]) -> Pieces {
    let mut pieces = Pieces {
        of: vec![NONE; net.len()],
        weights: Vec::new(),
        parts: Vec::new(),
        fixed: Vec::new(),
    };
    let mut stack = Vec::new();
    for start in 0..net.len() as u32 {
        if pieces.of[start as usize] != NONE {
            continue;
        }
        let piece = pieces.weights.len() as u32;
        let own = part[start as usize];
        let (mut weight, mut fixed) = (0, false);
        pieces.of[start as usize] = piece;
        stack.push(start);
        while let Some(v) = stack.pop() {
            weight += net.weights[v as usize];
            fixed |= net.is_fixed(v);
            for &(w, _) in net.row(v) {
                if part[w as usize] == own && pieces.of[w as usize] == NONE {
                    pieces.of[w as usize] = piece;
                    stack.push(w);
                }
            }
        }
        pieces.weights.push(weight);
        pieces.parts.push(own);
        pieces.fixed.push(fixed);
    }
    pieces
}

/// Moves pieces that are not the heaviest of their part to the part that they are tied to most
/// strongly, which lowers the cut; if `fit`, only to parts with room. Whether any moved.
pub(super) fn join_strays(net: &Net, parts: &mut Parts, fit: bool) -> bool {
    if fit && parts.further.is_some() {
        // Pieces rarely fit by all weights, and what is here looks at the first.
        return false;
    }
    let pieces = pieces(net, &parts.part);
    let count = pieces.weights.len();
    if count == parts.limits.len() {
        return false;
    }
    let mut heaviest = vec![NONE; parts.limits.len()];
    for (piece, &p) in pieces.parts.iter().enumerate() {
        let best = &mut heaviest[p as usize];
        let rank = |piece: usize| (pieces.fixed[piece], pieces.weights[piece]);
        if *best == NONE || rank(piece) > rank(*best as usize) {
            *best = piece as u32;
        }
    }
    let is_stray = |piece: u32| {
        heaviest[pieces.parts[piece as usize] as usize] != piece && !pieces.fixed[piece as usize]
    };
    // By stray piece: ties to other parts, through vertices that stay.
    let mut ties: Vec<(u32, u32, u32)> = Vec::new();
    for v in 0..net.len() as u32 {
        let piece = pieces.of[v as usize];
        if is_stray(piece) {
            let staying = net.row(v).iter().filter(|&&(w, _)| !is_stray(pieces.of[w as usize]));
            ties.extend(staying.map(|&(w, weight)| (piece, parts.part[w as usize], weight)));
        }
    }
    ties.sort_unstable();
    let mut goes = vec![NONE; count];
    let mut loads = parts.weights.clone();
    for of_piece in ties.chunk_by(|a, b| a.0 == b.0) {
        let piece = of_piece[0].0 as usize;
        let sum = |tie: &[(u32, u32, u32)]| tie.iter().map(|t| u64::from(t.2)).sum::<u64>();
        let with = |p: u32| loads[p as usize] + pieces.weights[piece];
        let takes =
            |tie: &&[(u32, u32, u32)]| !fit || with(tie[0].1) <= parts.limits[tie[0].1 as usize];
        let strongest =
            of_piece.chunk_by(|a, b| a.1 == b.1).filter(takes).max_by_key(|tie| sum(tie));
        if let Some(tie) = strongest {
            goes[piece] = tie[0].1;
            loads[tie[0].1 as usize] += pieces.weights[piece];
        }
    }
    for v in 0..net.len() as u32 {
        let to = goes[pieces.of[v as usize] as usize];
        if to != NONE {
            parts.shift(v, to, net.weights[v as usize]);
        }
    }
    goes.iter().any(|&to| to != NONE)
}

/// Gives vertices of parts that are too heavy to neighbours that are nearer to a part with
/// room. What is too much altogether never grows, and comes nearer to room in each round.
fn lighten(net: &Net, parts: &mut Parts, seen: &mut Seen) {
    for _ in 0..=parts.limits.len() {
        let far = far_from_room(net, parts);
        if !step_to_room(net, parts, &far, seen) {
            return;
        }
    }
}

/// By part: how many borders lie between it and a part with room.
fn far_from_room(net: &Net, parts: &Parts) -> Vec<u32> {
    let mut borders = Vec::new();
    for v in 0..net.len() as u32 {
        let own = parts.part[v as usize];
        let others = net.row(v).iter().map(|e| parts.part[e.0 as usize]);
        borders.extend(others.filter(|&p| p != own).map(|p| (p, own)));
    }
    borders.sort_unstable();
    borders.dedup();
    let has_room = |p: &u32| parts.weights[*p as usize] < parts.limits[*p as usize];
    let mut queue: Vec<u32> = (0..parts.limits.len() as u32).filter(has_room).collect();
    let mut far = vec![NONE; parts.limits.len()];
    queue.iter().for_each(|&p| far[p as usize] = 0);
    let mut next = 0;
    while let Some(&p) = queue.get(next) {
        next += 1;
        let first = borders.partition_point(|border| border.0 < p);
        for &(_, other) in borders[first..].iter().take_while(|border| border.0 == p) {
            if far[other as usize] == NONE {
                far[other as usize] = far[p as usize] + 1;
                queue.push(other);
            }
        }
    }
    far
}

/// Moves vertices out of parts that are too heavy, those first that cost least for their
/// weight; whether any moved.
fn step_to_room(net: &Net, parts: &mut Parts, far: &[u32], seen: &mut Seen) -> bool {
    let heavy: Vec<bool> = (0..far.len() as u32).map(|p| parts.excess(p) > 0).collect();
    let gives = |_: &Parts, p: u32| heavy[p as usize];
    let best = |parts: &Parts, ties: &mut Ties, v| nearer(net, parts, far, ties, v);
    drain(net, parts, gives, best, |parts, v| seen.stays_whole(net, &parts.part, v))
}

/// Where a vertex brings weight nearer to room at the least loss per weight, in thousandths.
fn nearer(net: &Net, parts: &Parts, far: &[u32], ties: &mut Ties, v: u32) -> Option<(i64, u32)> {
    let weight = net.weights[v as usize];
    if weight == 0 {
        return None;
    }
    let from = parts.part[v as usize];
    ties.fill(net, &parts.part, v);
    let fits = |p: u32| parts.has_room(v, weight, p);
    // Of several weights, what leaves need not be what is too heavy: it would come back for ever.
    let helps = |p: u32| parts.further.is_none() || parts.relief(v, weight, p) > 0;
    let takes = |&p: &u32| {
        p != from
            && helps(p)
            && (fits(p) || far[p as usize] < far[from as usize] && weight <= parts.excess(from))
    };
    let best = ties.parts.iter().copied().filter(takes);
    let best = best.map(|p| (-ties.gain(&Plain, from, p), p)).min();
    best.map(|(loss, to)| (loss * 1000 / weight, to))
}

/// Moves single vertices while that lowers the cut and parts stay whole and light enough.
fn smooth(net: &Net, parts: &mut Parts, seen: &mut Seen) {
    let mut ties = Ties::new(parts.limits.len());
    let mut moved = true;
    while std::mem::take(&mut moved) {
        for v in 0..net.len() as u32 {
            let (from, weight) = (parts.part[v as usize], net.weights[v as usize]);
            if !parts.can_lose(from) || net.is_fixed(v) {
                continue;
            }
            ties.fill(net, &parts.part, v);
            let fits = |&p: &u32| p != from && parts.has_room(v, weight, p);
            let others = ties.parts.iter().copied().filter(fits);
            let best = others.map(|p| (ties.gain(&Plain, from, p), p)).max();
            if let Some((gain, to)) = best
                && gain > 0
                && seen.stays_whole(net, &parts.part, v)
            {
                parts.shift(v, to, weight);
                moved = true;
            }
        }
    }
}

struct Seen {
    marks: Vec<u32>,
    mark: u32,
    stack: Vec<u32>,
}

impl Seen {
    /// Whether the part of a vertex stays in one piece without it.
    fn stays_whole(&mut self, net: &Net, part: &[u32], v: u32) -> bool {
        let own = part[v as usize];
        let inside = || net.row(v).iter().map(|e| e.0).filter(|&w| part[w as usize] == own);
        let Some(start) = inside().next() else { return true };
        self.mark += 1;
        self.marks[v as usize] = self.mark;
        self.marks[start as usize] = self.mark;
        self.stack.clear();
        self.stack.push(start);
        let mut left = inside().count() - 1;
        while let Some(u) = self.stack.pop() {
            if left == 0 {
                break;
            }
            for &(w, _) in net.row(u) {
                if part[w as usize] == own && self.marks[w as usize] != self.mark {
                    self.marks[w as usize] = self.mark;
                    left -= usize::from(net.row(v).iter().any(|e| e.0 == w));
                    self.stack.push(w);
                }
            }
        }
        left == 0
    }
}
