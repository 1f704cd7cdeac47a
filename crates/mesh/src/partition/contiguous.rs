//! Parts in one piece.
//!
//! **Method.** Of every part the heaviest component stays; the others go to the part that
//! they are tied to most strongly, until no part of a component of the graph lies apart.
//! Parts that became too heavy then give vertices at their border to lighter parts, as long
//! as they stay in one piece themselves.
//!
//! **Limits.** Where the pieces of a graph outnumber the parts, a part has several.

use super::net::Net;
use super::refine::{Parts, Plain, Ties};
use palmette_core::NONE;

/// Makes parts contiguous, and no heavier than their limits if that can be.
pub(super) fn make_contiguous(net: &Net, part: Vec<u32>, limits: Vec<i64>) -> Vec<u32> {
    let mut parts = Parts::new(net, part, limits);
    // Each pass leaves fewer pieces; a few passes are the rule.
    while join_strays(net, &mut parts) {}
    lighten(net, &mut parts);
    parts.part
}

/// The pieces of all parts.
struct Pieces {
    /// By vertex: its piece.
    of: Vec<u32>,
    weights: Vec<i64>,
    parts: Vec<u32>,
}

fn pieces(net: &Net, part: &[u32]) -> Pieces {
    let mut pieces = Pieces { of: vec![NONE; net.len()], weights: Vec::new(), parts: Vec::new() };
    let mut stack = Vec::new();
    for start in 0..net.len() as u32 {
        if pieces.of[start as usize] != NONE {
            continue;
        }
        let piece = pieces.weights.len() as u32;
        let own = part[start as usize];
        let mut weight = 0;
        pieces.of[start as usize] = piece;
        stack.push(start);
        while let Some(v) = stack.pop() {
            weight += net.weights[v as usize];
            for &(w, _) in net.row(v) {
                if part[w as usize] == own && pieces.of[w as usize] == NONE {
                    pieces.of[w as usize] = piece;
                    stack.push(w);
                }
            }
        }
        pieces.weights.push(weight);
        pieces.parts.push(own);
    }
    pieces
}

/// Moves pieces that are not the heaviest of their part next door; whether there were any.
fn join_strays(net: &Net, parts: &mut Parts) -> bool {
    let pieces = pieces(net, &parts.part);
    let mut heaviest = vec![NONE; parts.limits.len()];
    for (piece, &p) in pieces.parts.iter().enumerate() {
        let best = &mut heaviest[p as usize];
        if *best == NONE || pieces.weights[piece] > pieces.weights[*best as usize] {
            *best = piece as u32;
        }
    }
    let is_stray = |piece: u32| heaviest[pieces.parts[piece as usize] as usize] != piece;
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
    let mut goes = vec![NONE; pieces.weights.len()];
    for of_piece in ties.chunk_by(|a, b| a.0 == b.0) {
        let sum = |tie: &[(u32, u32, u32)]| tie.iter().map(|t| u64::from(t.2)).sum::<u64>();
        let strongest = of_piece.chunk_by(|a, b| a.1 == b.1).max_by_key(|tie| sum(tie));
        if let Some(tie) = strongest {
            goes[of_piece[0].0 as usize] = tie[0].1;
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

/// Gives vertices of parts that are too heavy to lighter neighbours. The sum of squares of
/// weights falls with every move, so this ends.
fn lighten(net: &Net, parts: &mut Parts) {
    let mut ties = Ties::new(parts.limits.len());
    let mut seen = Seen { marks: vec![0; net.len()], mark: 0, stack: Vec::new() };
    loop {
        let mut moved = false;
        for v in 0..net.len() as u32 {
            let from = parts.part[v as usize];
            let weight = net.weights[v as usize];
            if parts.excess(from) == 0 || weight == 0 || !parts.can_lose(from) {
                continue;
            }
            ties.fill(net, &parts.part, v);
            let lighter = |&&p: &&u32| {
                p != from && parts.weights[p as usize] + weight < parts.weights[from as usize]
            };
            let best = ties
                .parts
                .iter()
                .filter(lighter)
                .max_by_key(|&&p| (-parts.weights[p as usize], ties.gain(&Plain, from, p)));
            if let Some(&to) = best
                && seen.stays_whole(net, &parts.part, v)
            {
                parts.shift(v, to, weight);
                moved = true;
            }
        }
        if !moved {
            return;
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
