//! **Problem.** A vector whose values are sums over copies; afterwards every copy has the
//! sum.
//!
//! **Method.** Shared values of all pieces of this process are copied to a *board*; what
//! other processes have comes behind them. Then every shared node adds up its copies from
//! the board. Nodes that are shared come first in a piece, so the copy is of one stretch.
//!
//! **Cost.** A message to each neighbouring part, a word per shared node and component.
//!
//! **Determinism.** Copies are added in ascending order of parts, the own one in its place:
//! all copies get the same bits, on any number of threads and processes.

use super::blocks::{Block, cut, for_each};
use super::links::{Links, Pair, collect};
use super::{Neighbour, Piece, Transport, TransportError, WorldError};
use palmette_core::Lists;
use std::ops::Range;

/// Shared nodes that a thread takes at once.
const NODES: usize = 1 << 11;

/// The way from partial to full.
pub(super) struct Assembly {
    components: usize,
    /// By piece: its shared nodes on the board.
    sections: Vec<Range<usize>>,
    /// By shared node of all pieces: where its copies are on the board.
    copies: Lists,
    links: Links,
    board: Vec<f64>,
    /// The rows of shared nodes.
    blocks: Vec<Block>,
}

impl Assembly {
    /// `pieces` live in this process, which is one of `ranks`; there are `parts` in all.
    pub(super) fn new(
        pieces: &[Piece],
        starts: &[usize],
        components: usize,
        ranks: usize,
        parts: usize,
    ) -> Result<Assembly, WorldError> {
        let mut sections = Vec::with_capacity(pieces.len());
        let mut next = 0;
        for piece in pieces {
            sections.push(next..next + piece.shared);
            next += piece.shared;
        }
        let links = links(pieces, &sections, ranks, parts);
        let copies = copies(pieces, &sections, &links)?;
        let mut blocks = Vec::new();
        for (i, piece) in pieces.iter().enumerate() {
            let mut nodes = Vec::new();
            cut(i, 0, 0..piece.shared, NODES, |node| node, &mut nodes);
            blocks.extend(nodes.into_iter().map(|block| {
                let rows = components * block.rows.start..components * block.rows.end;
                Block { piece: i, start: starts[i] + rows.start, rows }
            }));
        }
        let board = vec![0.0; components * (next + links.incoming())];
        Ok(Assembly { components, sections, copies, links, board, blocks })
    }

    /// Words sent to and received from each rank.
    pub(super) fn words(&self) -> [Vec<usize>; 2] {
        self.links.words(self.components)
    }

    /// Whether other processes have copies.
    pub(super) fn has_peers(&self) -> bool {
        !self.links.outgoing.is_empty() || self.links.incoming() > 0
    }

    /// Puts shared values on the board and sends them. `values` are those of all pieces;
    /// those of shared nodes must be ready.
    pub(super) fn begin(
        &mut self,
        values: &[f64],
        starts: &[usize],
        transport: &mut impl Transport,
    ) -> Result<(), TransportError> {
        let d = self.components;
        for (section, &start) in self.sections.iter().zip(starts) {
            let from = &values[start..start + d * section.len()];
            self.board[d * section.start..d * section.end].copy_from_slice(from);
        }
        if self.has_peers() {
            collect(&self.links.outgoing, d, &self.board, transport.outgoing());
            transport.begin()?;
        }
        Ok(())
    }

    /// Waits for the others and gives every copy the sum.
    pub(super) fn finish(
        &mut self,
        values: &mut [f64],
        transport: &mut impl Transport,
    ) -> Result<(), TransportError> {
        let d = self.components;
        let own = self.sections.last().map_or(0, |section| section.end);
        if self.has_peers() {
            self.board[d * own..].copy_from_slice(transport.finish()?);
        }
        let (sections, copies, board) = (&self.sections, &self.copies, &self.board);
        for_each(&self.blocks, 0, values, &|block, values| {
            let first = sections[block.piece].start + block.rows.start / d;
            for (node, values) in (first as u32..).zip(values.chunks_exact_mut(d)) {
                add_up(copies.of(node), board, values);
            }
        });
        Ok(())
    }

    /// The first shared node, by piece and local number, whose copies are not all equal to
    /// its own; the board must have been filled.
    pub(super) fn disagreement(&self) -> Option<(usize, usize)> {
        let d = self.components;
        for (i, section) in self.sections.iter().enumerate() {
            for slot in section.clone() {
                let differs = |&&copy: &&u32| self.board[copy as usize * d] != self.board[slot * d];
                if self.copies.of(slot as u32).iter().any(|copy| differs(&copy)) {
                    return Some((i, slot - section.start));
                }
            }
        }
        None
    }
}

/// The sum over copies of a node, in their order.
#[inline]
fn add_up(copies: &[u32], board: &[f64], values: &mut [f64]) {
    let d = values.len();
    for (c, value) in values.iter_mut().enumerate() {
        let word = |&copy: &u32| board[copy as usize * d + c];
        let first = copies.first().map_or(0.0, word);
        *value = copies[1..].iter().fold(first, |sum, copy| sum + word(copy));
    }
}

fn is_here(pieces: &[Piece], part: u32) -> Option<usize> {
    let first = pieces.first().map_or(0, |piece| piece.part);
    let place = part.checked_sub(first)? as usize;
    (place < pieces.len()).then_some(place)
}

fn links(pieces: &[Piece], sections: &[Range<usize>], ranks: usize, parts: usize) -> Links {
    let (mut sent, mut received) = (Vec::new(), Vec::new());
    for (piece, section) in pieces.iter().zip(sections) {
        for other in piece.neighbours.iter().filter(|n| is_here(pieces, n.part).is_none()) {
            let places: Vec<u32> =
                other.nodes.iter().map(|&node| section.start as u32 + node).collect();
            received.push(Pair { from: other.part, to: piece.part, places: places.clone() });
            sent.push(Pair { from: piece.part, to: other.part, places });
        }
    }
    Links::new(ranks, parts, sent, &received)
}

/// By shared node, where its copies are on the board, in ascending order of parts.
fn copies(pieces: &[Piece], sections: &[Range<usize>], links: &Links) -> Result<Lists, WorldError> {
    let own = sections.last().map_or(0, |section| section.end);
    let mut entries: Vec<(u32, u32, u32)> = Vec::new();
    for (piece, section) in pieces.iter().zip(sections) {
        let first = section.start as u32;
        entries.extend((first..section.end as u32).map(|slot| (slot, piece.part, slot)));
        for other in &piece.neighbours {
            let slots = other.nodes.iter().map(|&node| first + node);
            match is_here(pieces, other.part) {
                Some(j) => {
                    let theirs = list(&pieces[j], piece.part, other)?;
                    let places = theirs.iter().map(|&node| sections[j].start as u32 + node);
                    entries
                        .extend(slots.zip(places).map(|(slot, place)| (slot, other.part, place)));
                }
                None => {
                    let places = (own + links.arrival(other.part, piece.part)) as u32..;
                    entries
                        .extend(slots.zip(places).map(|(slot, place)| (slot, other.part, place)));
                }
            }
        }
    }
    entries.sort_unstable();
    Ok(Lists::by_key(own, entries.iter().map(|entry| (entry.0, entry.2))))
}

/// What a piece shares with `part`, which says that it is as many nodes as `expected` has.
fn list<'a>(piece: &'a Piece, part: u32, expected: &Neighbour) -> Result<&'a [u32], WorldError> {
    let found = piece.neighbours.iter().find(|n| n.part == part);
    let nodes = found.map_or(&[][..], |neighbour| &neighbour.nodes);
    match nodes.len() == expected.nodes.len() {
        true => Ok(nodes),
        false => Err(WorldError::Shared { part, other: piece.part }),
    }
}
