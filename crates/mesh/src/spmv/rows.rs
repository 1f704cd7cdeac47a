//! The other way to deal out a mesh: by nodes.
//!
//! **Problem.** A part for each node; a part has the rows of its nodes, and room for *ghosts*,
//! the nodes of other parts that its rows need.
//!
//! **Method.** Communicate, then compute: owners send the values of ghosts, and every part
//! multiplies. Rows without ghosts come first in a piece and are computed meanwhile.
//!
//! **Cost.** A message from each neighbouring part, a word per ghost and component. Nothing is
//! allocated by a product. Each product communicates: there is no delayed assembly.
//!
//! **Determinism.** The sum of a row is computed by its owner alone: the same bits on any
//! number of threads and processes.
//!
//! **When not to use.** For programs: these run on a [`World`](super::World). This is for
//! comparison.

use super::blocks::{Block, for_each};
use super::links::{Links, Pair, collect};
use super::matrix::{Extent, Matrix};
use super::order::{cuthill_mckee, even_out};
use super::piece::{check, grouped};
use super::transport::parts_of_rank;
use super::world::check_size;
use super::{Csr, Neighbour, Traffic, Transport, WorldError};
use crate::element::{elements_of_nodes, node_graph};
use palmette_core::{Mesh, NONE};
use serde::{Deserialize, Serialize};

/// What one part has of a mesh that is dealt out by nodes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowPiece {
    /// Its number.
    pub part: u32,
    /// By local number: the mesh's node. Nodes without ghosts around them come first, then
    /// other nodes of the part, then ghosts.
    pub nodes: Vec<u32>,
    /// How many nodes have no ghosts around them.
    pub inside: usize,
    /// How many nodes are not ghosts.
    pub owned: usize,
    /// To whom values are sent: local numbers, in ascending order of the mesh's numbers.
    pub sends: Vec<Neighbour>,
    /// From whom ghosts come, likewise.
    pub receives: Vec<Neighbour>,
    /// The elements that touch a node of the part, in ascending order.
    pub elements: Vec<u32>,
}

/// The pieces of a mesh whose nodes have parts.
///
/// # Errors
/// Another number of parts than nodes, or a part that is not below `parts`.
pub fn row_pieces(mesh: &Mesh, part: &[u32], parts: usize) -> Result<Vec<RowPiece>, WorldError> {
    check("node", mesh.points().len(), part, parts)?;
    let elements = elements_of_nodes(mesh);
    let order = cuthill_mckee(&elements, |e| mesh.elements().nodes(e as usize));
    let graph = node_graph(mesh);
    let mut nodes = vec![[Vec::new(), Vec::new()]; parts];
    for &v in &order {
        let own = part[v as usize];
        let border = graph.neighbours(v).iter().any(|&w| part[w as usize] != own);
        nodes[own as usize][usize::from(border)].push(v);
    }
    let mut local = vec![NONE; mesh.points().len()];
    let mut found: Vec<RowPiece> = Vec::with_capacity(parts);
    for (p, [mut inside, mut border]) in (0..).zip(nodes) {
        even_out(&mut inside, &elements);
        even_out(&mut border, &elements);
        let mut ghosts: Vec<u32> = border
            .iter()
            .flat_map(|&v| graph.neighbours(v).iter().copied().filter(|&w| part[w as usize] != p))
            .collect();
        ghosts.sort_unstable_by_key(|&w| (part[w as usize], w));
        ghosts.dedup();
        let mut touched: Vec<u32> =
            inside.iter().chain(&border).flat_map(|&v| elements.of(v)).copied().collect();
        touched.sort_unstable();
        touched.dedup();
        let (inner, owned) = (inside.len(), inside.len() + border.len());
        let nodes = [inside, border, ghosts].concat();
        (0..).zip(&nodes[..owned]).for_each(|(i, &v)| local[v as usize] = i);
        let receives = (owned as u32..).zip(&nodes[owned..]).map(|(i, &v)| (part[v as usize], i));
        let receives = grouped(receives.collect());
        let (sends, elements) = (Vec::new(), touched);
        found.push(RowPiece { part: p, nodes, inside: inner, owned, sends, receives, elements });
    }
    send_ghosts(&mut found, &local);
    Ok(found)
}

/// Every receiver is sent something.
fn send_ghosts(pieces: &mut [RowPiece], local: &[u32]) {
    let mut sent = vec![Vec::new(); pieces.len()];
    for piece in pieces.iter() {
        for from in &piece.receives {
            let owner = |&ghost: &u32| local[piece.nodes[ghost as usize] as usize];
            let nodes: Vec<u32> = from.nodes.iter().map(owner).collect();
            sent[from.part as usize].push(Neighbour { part: piece.part, nodes });
        }
    }
    pieces.iter_mut().zip(sent).for_each(|(piece, sends)| piece.sends = sends);
}

/// The pieces of this process, by nodes, and the way to the others. Vectors are plain: the
/// unknowns of each piece, ghosts included, piece after piece.
pub struct RowWorld<T: Transport> {
    pieces: Vec<RowPiece>,
    components: usize,
    starts: Vec<usize>,
    links: Links,
    /// Nodes that pieces of this process send each other: from and to.
    local: Vec<(u32, u32)>,
    /// Where nodes from other processes go, in the order in which they come.
    arrivals: Vec<u32>,
    transport: T,
    exchange: Traffic,
    traffic: Traffic,
}

impl<T: Transport> RowWorld<T> {
    /// Out of all pieces, this rank takes those of [`parts_of_rank`].
    ///
    /// # Errors
    /// More ranks than parts, no or too many components, or a rank that cannot be reached.
    pub fn new(
        all: Vec<RowPiece>,
        components: usize,
        mut transport: T,
    ) -> Result<RowWorld<T>, WorldError> {
        let (parts, ranks) = (all.len(), transport.ranks());
        check_size(components, ranks, parts)?;
        let messages = all.iter().map(|p| p.sends.len() as u64).sum();
        let nodes = |p: &RowPiece| p.nodes.len() - p.owned;
        let words = all.iter().map(|p| (components * nodes(p)) as u64).sum();
        let here = parts_of_rank(transport.rank(), ranks, parts);
        let pieces: Vec<RowPiece> = all.into_iter().skip(here.start).take(here.len()).collect();
        let mut firsts = vec![0u32];
        for piece in &pieces {
            firsts.push(firsts[firsts.len() - 1] + piece.nodes.len() as u32);
        }
        let (links, local, arrivals) = links(&pieces, &firsts, ranks, parts);
        let [sends, receives] = links.words(components);
        transport.connect(&sends, &receives)?;
        let starts = firsts.iter().map(|&first| first as usize * components).collect();
        let exchange = Traffic::exchange(messages, words);
        let traffic = Traffic::default();
        Ok(RowWorld {
            pieces,
            components,
            starts,
            links,
            local,
            arrivals,
            transport,
            exchange,
            traffic,
        })
    }

    /// The pieces of this process.
    pub fn pieces(&self) -> &[RowPiece] {
        &self.pieces
    }

    /// Where the unknowns of each piece begin in a vector; one more for the end.
    pub fn starts(&self) -> &[usize] {
        &self.starts
    }

    /// What all parts have sent so far.
    pub fn traffic(&self) -> Traffic {
        self.traffic
    }

    /// What all parts send in one product.
    pub fn product_traffic(&self) -> Traffic {
        self.exchange
    }

    /// A matrix from that of each piece; rows of ghosts are there, but never read.
    ///
    /// # Errors
    /// Another number of matrices, or of rows than unknowns.
    pub fn matrix(&self, pieces: Vec<Csr>) -> Result<Matrix, WorldError> {
        let d = self.components;
        let extent = |(piece, &start): (&RowPiece, &usize)| Extent {
            part: piece.part,
            start,
            unknowns: d * piece.nodes.len(),
            inside: 0..d * piece.inside,
            border: d * piece.inside..d * piece.owned,
        };
        let extents: Vec<Extent> = self.pieces.iter().zip(&self.starts).map(extent).collect();
        Matrix::new(pieces, &extents)
    }

    /// Brings the ghosts of `x` up to date, then `y = A x`; the ghosts of `y` are left alone.
    /// Rows without ghosts are computed during the exchange.
    ///
    /// # Errors
    /// When a rank cannot be reached.
    ///
    /// # Panics
    /// When something is not of this world.
    pub fn product(&mut self, a: &Matrix, x: &mut [f64], y: &mut [f64]) -> Result<(), WorldError> {
        let unknowns = self.starts[self.pieces.len()];
        assert!(x.len() == unknowns && y.len() == unknowns, "vectors are of this world");
        let d = self.components;
        collect(&self.links.outgoing, d, x, self.transport.outgoing());
        self.transport.begin()?;
        for &(from, to) in &self.local {
            let (from, to) = (from as usize * d, to as usize * d);
            x.copy_within(from..from + d, to);
        }
        multiply(&a.inside, a, &self.starts, x, y);
        let incoming = self.transport.finish()?;
        for (values, &to) in incoming.chunks_exact(d).zip(&self.arrivals) {
            x[to as usize * d..(to as usize + 1) * d].copy_from_slice(values);
        }
        multiply(&a.border, a, &self.starts, x, y);
        self.traffic.add(self.exchange);
        Ok(())
    }
}

/// Some rows of `y = A x`.
fn multiply(blocks: &[Block], a: &Matrix, starts: &[usize], x: &[f64], y: &mut [f64]) {
    for_each(blocks, 0, y, &|block, y| {
        let x = &x[starts[block.piece]..starts[block.piece + 1]];
        a.pieces()[block.piece].multiply(block.rows.clone(), 1.0, x, false, y);
    });
}

/// What goes to other processes, what stays here, and where to put what comes.
fn links(
    pieces: &[RowPiece],
    firsts: &[u32],
    ranks: usize,
    parts: usize,
) -> (Links, Vec<(u32, u32)>, Vec<u32>) {
    let first_part = pieces.first().map_or(0, |piece| piece.part);
    let here =
        |part: u32| part.checked_sub(first_part).map(|i| i as usize).filter(|&i| i < pieces.len());
    let (mut sent, mut received, mut local) = (Vec::new(), Vec::new(), Vec::new());
    for (i, piece) in pieces.iter().enumerate() {
        let at = |nodes: &[u32]| nodes.iter().map(|&v| firsts[i] + v).collect::<Vec<u32>>();
        for to in piece.sends.iter().filter(|to| here(to.part).is_none()) {
            sent.push(Pair { from: piece.part, to: to.part, places: at(&to.nodes) });
        }
        for from in &piece.receives {
            let places = at(&from.nodes);
            let Some(j) = here(from.part) else {
                received.push(Pair { from: from.part, to: piece.part, places });
                continue;
            };
            let theirs = pieces[j].sends.iter().find(|n| n.part == piece.part);
            let theirs = theirs.map_or(&[][..], |n| &n.nodes);
            local.extend(theirs.iter().map(|&v| firsts[j] + v).zip(places));
        }
    }
    let links = Links::new(ranks, parts, sent, &received);
    let mut arrivals = vec![0; links.incoming()];
    for pair in &received {
        let first = links.arrival(pair.from, pair.to);
        arrivals[first..first + pair.places.len()].copy_from_slice(&pair.places);
    }
    (links, local, arrivals)
}
