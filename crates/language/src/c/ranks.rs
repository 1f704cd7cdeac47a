//! The data of ranks, from the pieces of a mesh: a rank per part.

use super::{Neighbour, RankData};
use crate::run::PieceData;
use palmette_mesh::Quotient;
use palmette_mesh::spmv::Piece;

/// The data of a part that is a rank. `phase(a, b)` is the phase, from 0, in which part `a`
/// sends to part `b`.
pub fn rank_data(piece: &Piece, data: PieceData, phase: impl Fn(u32, u32) -> u32) -> RankData {
    let neighbour = |other: &palmette_mesh::spmv::Neighbour| Neighbour {
        rank: other.part,
        send_phase: phase(piece.part, other.part),
        receive_phase: phase(other.part, piece.part),
        nodes: other.nodes.clone(),
    };
    RankData {
        nodes: piece.nodes.clone(),
        shared: piece.shared,
        owned: (0..piece.nodes.len()).map(|node| piece.owns(node)).collect(),
        neighbours: piece.neighbours.iter().map(neighbour).collect(),
        matrices: data.matrices,
        vectors: data.vectors,
    }
}

/// What parts send each other in an assembly: a value for each shared node.
pub fn exchanged(pieces: &[Piece]) -> Quotient {
    let of = |piece: &Piece| {
        let from = piece.part;
        let sends = piece.neighbours.iter();
        sends.map(move |to| (from, to.part, to.nodes.len() as u64)).collect::<Vec<_>>()
    };
    let messages: Vec<(u32, u32, u64)> = pieces.iter().flat_map(of).collect();
    Quotient::new(pieces.len(), &messages)
}
