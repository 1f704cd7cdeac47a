//! The pieces of a mesh in this process, and the operations on vectors over them.

use super::assembly::Assembly;
use super::csr::on_huge_pages;
use super::matrix::Extent;
use super::sums::Sums;
use super::transport::parts_of_rank;
use super::{
    Alone, Csr, Full, Matrix, Partial, Piece, State, Traffic, Transport, Vector, WorldError,
};
use palmette_core::memory::huge_vec;

/// The pieces of this process and the way to the others.
///
/// On one process it has all pieces ([`World::alone`]), and threads of the current rayon pool
/// share the work. On MPI each rank has some of them. The program is the same, and so are
/// the numbers, bit for bit, on any number of threads and ranks.
///
/// ```
/// use palmette_mesh::shapes::generate;
/// use palmette_mesh::spmv::{World, pieces, springs};
/// let mesh = generate("grid:1x2".parse()?, 0)?;
/// let pieces = pieces(&mesh, &[0, 1], 2)?;
/// let mut world = World::alone(pieces, 1)?;
/// let springs = world.pieces().iter().map(|p| springs(&mesh, &p.nodes, &p.elements, 1, |_| 1.0, 0.0)).collect();
/// let a = world.matrix(springs)?;
/// let x = world.full(1.0);
/// let mut y = world.partial();
/// world.product(&a, &x, &mut y);
/// let y = world.assemble(y)?;
/// // Springs pull at nothing that is not moved against its neighbours.
/// assert_eq!(world.norm(&y)?, 0.0);
/// // Two nodes have two copies: a word each way.
/// assert_eq!((world.traffic().messages, world.traffic().words), (2, 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct World<T: Transport = Alone> {
    pub(super) pieces: Vec<Piece>,
    pub(super) components: usize,
    /// By piece: where its unknowns begin; one more for the end.
    pub(super) starts: Vec<usize>,
    pub(super) assembly: Assembly,
    pub(super) sums: Sums,
    pub(super) transport: T,
    /// What one assembly costs all parts together.
    pub(super) exchange: Traffic,
    pub(super) traffic: Traffic,
}

impl World<Alone> {
    /// All pieces in one process; nodes have some components.
    ///
    /// # Errors
    /// As [`World::new`].
    pub fn alone(pieces: Vec<Piece>, components: usize) -> Result<World<Alone>, WorldError> {
        let parts = pieces.len();
        World::new(pieces, parts, components, Alone)
    }
}

impl<T: Transport> World<T> {
    /// The pieces of this rank, which are those of [`parts_of_rank`], out of `parts`. All
    /// ranks must call this together: they compare what they share.
    ///
    /// # Errors
    /// More ranks than parts, other pieces than this rank's, or pieces that do not agree on
    /// what they share.
    pub fn new(
        pieces: Vec<Piece>,
        parts: usize,
        components: usize,
        mut transport: T,
    ) -> Result<World<T>, WorldError> {
        let (rank, ranks) = (transport.rank(), transport.ranks());
        check_size(components, ranks, parts)?;
        check(&pieces, rank, ranks, parts)?;
        let mut starts = vec![0];
        for piece in &pieces {
            starts.push(starts[starts.len() - 1] + components * piece.nodes.len());
        }
        let assembly = Assembly::new(&pieces, &starts, components, ranks, parts)?;
        let [sends, receives] = assembly.words();
        transport.connect(&sends, &receives)?;
        let sums = Sums::new(&pieces, &starts, components, ranks, parts);
        let (exchange, traffic) = (Traffic::default(), Traffic::default());
        let mut world =
            World { pieces, components, starts, assembly, sums, transport, exchange, traffic };
        world.agree()?;
        world.count()?;
        Ok(world)
    }

    /// All parts send each other the numbers of what they share.
    fn agree(&mut self) -> Result<(), WorldError> {
        let mut numbers = Vec::with_capacity(self.unknowns());
        for piece in &self.pieces {
            let of = |&node: &u32| std::iter::repeat_n(f64::from(node), self.components);
            numbers.extend(piece.nodes.iter().flat_map(of));
        }
        self.assembly.begin(&numbers, &self.starts, &mut self.transport)?;
        self.assembly.finish(&mut numbers, &mut self.transport)?;
        let Some((piece, node)) = self.assembly.disagreement() else { return Ok(()) };
        let piece = &self.pieces[piece];
        let has = |n: &&super::Neighbour| n.nodes.contains(&(node as u32));
        let other = piece.neighbours.iter().find(has).map_or(piece.part, |n| n.part);
        Err(WorldError::Shared { part: piece.part, other })
    }

    /// What one assembly costs, over all ranks.
    fn count(&mut self) -> Result<(), WorldError> {
        let lists = self.pieces.iter().map(|p| (p.neighbours.len(), words(p)));
        let own: Vec<[f64; 2]> =
            lists.map(|(m, w)| [m as f64, (w * self.components) as f64]).collect();
        let [messages, words] = self.sums.over_parts(&own, &mut self.transport)?;
        self.exchange = Traffic::exchange(messages as u64, words as u64);
        Ok(())
    }

    /// The pieces of this process.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Components per node.
    pub fn components(&self) -> usize {
        self.components
    }

    /// The unknowns of this process, copies included.
    pub fn unknowns(&self) -> usize {
        self.starts[self.pieces.len()]
    }

    /// Where the unknowns of each piece begin in a vector; one more for the end.
    pub fn starts(&self) -> &[usize] {
        &self.starts
    }

    /// What all parts have sent so far.
    pub fn traffic(&self) -> Traffic {
        self.traffic
    }

    /// What all parts send in one assembly.
    pub fn assembly_traffic(&self) -> Traffic {
        self.exchange
    }

    /// The way to the other ranks.
    pub fn transport(&self) -> &T {
        &self.transport
    }

    /// A matrix from that of each piece of this process.
    ///
    /// # Errors
    /// Another number of matrices, or of rows than unknowns.
    pub fn matrix(&self, pieces: Vec<Csr>) -> Result<Matrix, WorldError> {
        let d = self.components;
        let extent = |(piece, &start): (&Piece, &usize)| Extent {
            part: piece.part,
            start,
            unknowns: d * piece.nodes.len(),
            border: 0..d * piece.shared,
            inside: d * piece.shared..d * piece.nodes.len(),
        };
        let extents: Vec<Extent> = self.pieces.iter().zip(&self.starts).map(extent).collect();
        Matrix::new(pieces, &extents)
    }

    /// A vector that has one value everywhere.
    pub fn full(&self, value: f64) -> Vector<Full> {
        Vector::new(huge_vec(self.unknowns(), value))
    }

    /// A partial vector of zeros.
    pub fn partial(&self) -> Vector<Partial> {
        Vector::new(huge_vec(self.unknowns(), 0.0))
    }

    /// A vector from the values of all pieces of this process, piece after piece. The caller is
    /// responsible for its state.
    ///
    /// # Errors
    /// Another number of values.
    pub fn vector<S: State>(&self, values: Vec<f64>) -> Result<Vector<S>, WorldError> {
        let (expected, found) = (self.unknowns(), values.len());
        match expected == found {
            true => Ok(Vector::new(on_huge_pages(values))),
            false => Err(WorldError::Values { expected, found }),
        }
    }

    /// The vector whose unknown `c` at the mesh's node `v` is `value(v, c)`.
    pub fn from_nodes(&self, value: impl Fn(u32, usize) -> f64) -> Vector<Full> {
        let mut vector = self.full(0.0);
        let nodes = self.pieces.iter().flat_map(|piece| &piece.nodes);
        for (values, &node) in vector.values.chunks_exact_mut(self.components).zip(nodes) {
            values.iter_mut().enumerate().for_each(|(c, x)| *x = value(node, c));
        }
        vector
    }

    /// Gives every rank the values of all nodes of the mesh, which has `nodes`; a node that is
    /// in no piece gets zeros. For output: this is no exchange between neighbours.
    ///
    /// # Errors
    /// When a rank cannot be reached.
    ///
    /// # Panics
    /// When the mesh has fewer nodes, or the vector is not of this world.
    pub fn to_nodes(&mut self, x: &Vector<Full>, nodes: usize) -> Result<Vec<f64>, WorldError> {
        assert_eq!(x.values.len(), self.unknowns(), "a vector of this world");
        let d = self.components;
        let mut own = Vec::new();
        for (piece, &start) in self.pieces.iter().zip(&self.starts) {
            for node in piece.owned_nodes() {
                own.push(f64::from(piece.nodes[node]));
                own.extend_from_slice(&x.values[start + node * d..start + (node + 1) * d]);
            }
        }
        let ranks = self.transport.ranks();
        let mut lengths = vec![0.0; ranks];
        self.transport.gather(&[own.len() as f64], &vec![1; ranks], &mut lengths)?;
        let counts: Vec<usize> = lengths.iter().map(|&length| length as usize).collect();
        let mut all = vec![0.0; counts.iter().sum()];
        self.transport.gather(&own, &counts, &mut all)?;
        let mut values = vec![0.0; nodes * d];
        for entry in all.chunks_exact(d + 1) {
            let first = entry[0] as usize * d;
            values[first..first + d].copy_from_slice(&entry[1..]);
        }
        Ok(values)
    }
}

fn words(piece: &Piece) -> usize {
    piece.neighbours.iter().map(|neighbour| neighbour.nodes.len()).sum()
}

/// The pieces are those of this rank, and each is one.
pub(super) fn check_size(components: usize, ranks: usize, parts: usize) -> Result<(), WorldError> {
    match components {
        1..=16 if ranks <= parts.max(1) => Ok(()),
        1..=16 => Err(WorldError::Ranks { ranks, parts }),
        _ => Err(WorldError::Components(components)),
    }
}

fn check(pieces: &[Piece], rank: usize, ranks: usize, parts: usize) -> Result<(), WorldError> {
    let range = parts_of_rank(rank, ranks, parts);
    let wrong = |found: String| {
        let (first, last) = (range.start, range.end.saturating_sub(1));
        Err(WorldError::Pieces { rank, first, last, found })
    };
    if pieces.len() != range.len() {
        return wrong(format!("it has {} pieces", pieces.len()));
    }
    for (piece, part) in pieces.iter().zip(range.clone()) {
        if piece.part as usize != part {
            return wrong(format!("it has part {} in place of {part}", piece.part));
        }
        if piece.neighbours.iter().any(|n| n.part as usize >= parts) {
            return wrong(format!("part {part} has a neighbour beyond {parts} parts"));
        }
        if let Some(fault) = piece.fault() {
            return wrong(format!("part {part}: {fault}"));
        }
    }
    Ok(())
}
