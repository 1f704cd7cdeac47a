//! The data file of a rank.
//!
//! Little-endian; every array ends at a multiple of 8 bytes, filled up with zeros.
//!
//! | what | type |
//! |---|---|
//! | `palmette` | 8 bytes |
//! | version 1, the number 0x01020304 | 2 × u32 |
//! | fingerprint of the program | u64 |
//! | rank, ranks, components, phases | 4 × u32 |
//! | nodes, of them shared (these come first), nodes of the whole mesh | 3 × u64 |
//! | neighbours, matrices, vectors, 0 | 4 × u32 |
//! | by node: number in the whole mesh | u32 |
//! | by node: 1 if this rank owns it | u8 |
//! | by neighbour, ascending: rank, phase of sending, phase of receiving, count of nodes; the nodes | 4 × u32; u32 |
//! | by matrix: rows, entries; offsets; columns; values | 2 × u64; u64; u32; f64 |
//! | by vector: values | f64 |
//! | checksum of all before: FNV-1a | u64 |

use super::fingerprint;
use crate::ir::Program;
use palmette_mesh::spmv::Csr;
use std::io::{self, Write};
use thiserror::Error;

/// A rank that shares nodes with another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Neighbour {
    /// Its number.
    pub rank: u32,
    /// The phase, from 0, in which it is sent to: its phase of receiving from here.
    pub send_phase: u32,
    /// The phase in which it sends.
    pub receive_phase: u32,
    /// The nodes that both have, by local number, ascending by number in the whole mesh.
    pub nodes: Vec<u32>,
}

/// What a rank knows of the mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct RankData {
    /// By node, its number in the whole mesh. Nodes shared with other ranks come first.
    pub nodes: Vec<u32>,
    /// How many are shared.
    pub shared: usize,
    /// By node, whether no smaller rank has it.
    pub owned: Vec<bool>,
    /// Ascending by rank.
    pub neighbours: Vec<Neighbour>,
    /// The matrices of [`Program::applied`].
    pub matrices: Vec<Csr>,
    /// The vectors of the program's sources.
    pub vectors: Vec<Vec<f64>>,
}

/// Why data of a rank cannot be written.
#[derive(Debug, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum DataError {
    /// Something has another size than it should.
    #[error("data of rank {rank}: {what}: {actual}, expected {expected}")]
    Size { rank: u32, what: &'static str, expected: usize, actual: usize },
    /// Something is not as it should be.
    #[error("data of rank {rank}: {what}")]
    Wrong { rank: u32, what: &'static str },
    /// The file cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The name of a rank's data file in the folder of the program.
pub fn data_name(rank: u32) -> String {
    format!("data/rank-{rank:06}.bin")
}

/// Writes the data of a rank of a program that runs on so many ranks.
///
/// # Errors
/// Data that do not fit together or do not fit the program, and what writing gives.
pub fn write_data(
    program: &Program,
    (rank, ranks): (u32, usize),
    all_nodes: u64,
    data: &RankData,
    output: impl Write,
) -> Result<(), DataError> {
    check(program, (rank, ranks), all_nodes, data)?;
    let phases = data.neighbours.iter().map(|n| n.send_phase.max(n.receive_phase) + 1);
    let phases = phases.max().unwrap_or(1);
    let mut to = Hashing { output, hash: HASH_START };
    to.write_all(b"palmette")?;
    to.u32s(&[1, 0x0102_0304])?;
    to.u64s(&[fingerprint(program, ranks)])?;
    to.u32s(&[rank, ranks as u32, u32::from(program.problem.components), phases])?;
    to.u64s(&[data.nodes.len() as u64, data.shared as u64, all_nodes])?;
    let counts = [data.neighbours.len(), data.matrices.len(), data.vectors.len(), 0];
    to.u32s(&counts.map(|count| count as u32))?;
    to.u32s(&data.nodes)?;
    to.padded(&data.owned.iter().map(|&owned| u8::from(owned)).collect::<Vec<_>>())?;
    for neighbour in &data.neighbours {
        let Neighbour { rank, send_phase, receive_phase, nodes } = neighbour;
        to.u32s(&[*rank, *send_phase, *receive_phase, nodes.len() as u32])?;
        to.u32s(nodes)?;
    }
    for matrix in &data.matrices {
        to.u64s(&[matrix.rows() as u64, matrix.entries() as u64])?;
        to.u64s(&matrix.offsets().iter().map(|&offset| u64::from(offset)).collect::<Vec<_>>())?;
        to.u32s(matrix.columns())?;
        to.f64s(matrix.values())?;
    }
    for vector in &data.vectors {
        to.f64s(vector)?;
    }
    let hash = to.hash;
    to.u64s(&[hash])?;
    Ok(to.output.flush()?)
}

fn check(
    program: &Program,
    (rank, ranks): (u32, usize),
    all_nodes: u64,
    data: &RankData,
) -> Result<(), DataError> {
    let size = |what, expected: usize, actual: usize| {
        if expected == actual {
            return Ok(());
        }
        Err(DataError::Size { rank, what, expected, actual })
    };
    let require =
        |holds: bool, what| if holds { Ok(()) } else { Err(DataError::Wrong { rank, what }) };
    let unknowns = data.nodes.len() * usize::from(program.problem.components);
    require((rank as usize) < ranks, "its number is too large")?;
    size("owned flags", data.nodes.len(), data.owned.len())?;
    size("matrices", program.applied.len(), data.matrices.len())?;
    size("vectors", program.inputs.len(), data.vectors.len())?;
    for matrix in &data.matrices {
        size("rows of a matrix", unknowns, matrix.rows())?;
    }
    for vector in &data.vectors {
        size("entries of a vector", unknowns, vector.len())?;
    }
    require(data.nodes.iter().all(|&v| u64::from(v) < all_nodes), "a node's number is too large")?;
    require(data.shared <= data.nodes.len(), "more shared nodes than nodes")?;
    let inner = &data.owned[data.shared..];
    require(inner.iter().all(|&owned| owned), "a node that is not shared has no owner")?;
    require(
        data.neighbours.is_sorted_by(|a, b| a.rank < b.rank),
        "neighbours are not in ascending \
        order",
    )?;
    let mut seen = vec![false; data.shared];
    for neighbour in &data.neighbours {
        let fits = (neighbour.rank as usize) < ranks && neighbour.rank != rank;
        require(fits, "a neighbour is not another rank")?;
        for &v in &neighbour.nodes {
            require((v as usize) < data.shared, "a neighbour has a node that is not shared")?;
            seen[v as usize] = true;
        }
    }
    require(seen.iter().all(|&seen| seen), "a shared node that no neighbour has")
}

pub(super) const HASH_START: u64 = 14_695_981_039_346_656_037;

/// Goes on with a hash (FNV-1a).
pub(super) fn hash(start: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(start, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(1_099_511_628_211))
}

struct Hashing<W> {
    output: W,
    hash: u64,
}

impl<W: Write> Hashing<W> {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash = hash(self.hash, bytes);
        self.output.write_all(bytes)
    }

    fn padded(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)?;
        self.write_all(&[0; 8][..bytes.len().next_multiple_of(8) - bytes.len()])
    }

    fn u32s(&mut self, numbers: &[u32]) -> io::Result<()> {
        self.padded(&numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>())
    }

    fn u64s(&mut self, numbers: &[u64]) -> io::Result<()> {
        self.padded(&numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>())
    }

    fn f64s(&mut self, numbers: &[f64]) -> io::Result<()> {
        self.padded(&numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>())
    }
}
