//! The elements of a mesh on a machine: what each processor has of the mesh, and when it sends
//! what in an assembly.
//!
//! **Method.** Elements that share a face are neighbours; they are cut and placed together, or
//! placed after they are cut. Parts exchange the nodes that they share, which is not what
//! neighbours in that graph would: so places are searched again for the nodes, and where no
//! method is asked for both ways are tried: the one whose nodes travel fewer hops is taken. These
//! are routed. In the end parts are numbered in the order of their processors: part `r` is on
//! the `r`-th of those that are used, and is what rank `r` computes.

use crate::{MappingError, MappingParams, MappingTraffic, centroids};
use palmette_core::Mesh;
use palmette_core::mesh::Point;
use palmette_language::c::exchanged;
use palmette_mesh::element::dual_graph;
use palmette_mesh::partition::{element_partition, map_jointly};
use palmette_mesh::placement::{Method, Subject, hopsum, improve, place};
use palmette_mesh::spmv::{Piece, pieces};
use palmette_mesh::{Machine, Placement, Quotient};

/// Parts of elements, placed and routed.
#[derive(Debug, Clone, PartialEq)]
pub struct ElementMapping {
    /// The machine.
    pub machine: Machine,
    /// By element, its part.
    pub part: Vec<u32>,
    /// What each part has of the mesh.
    pub pieces: Vec<Piece>,
    /// What parts exchange in an assembly, in nodes.
    pub quotient: Quotient,
    /// By part, its processor; ascending.
    pub placement: Placement,
    /// What an assembly loads.
    pub traffic: MappingTraffic,
    /// Sender and receiver of each message, ascending.
    pairs: Vec<(u32, u32)>,
}

/// Cuts a mesh into parts of elements, places them and routes what an assembly exchanges. Cost
/// as for the stages of [`map_mesh`](crate::map_mesh), on the graph of elements.
///
/// **Determinism.** The same seeds give the same mapping on any number of threads, unless
/// the search has a time limit.
///
/// ```
/// use palmette::{MappingParams, map_elements, mesh::PartitionParams};
/// use palmette::mesh::shapes::generate;
/// let plate = generate("triangles:20x20".parse()?, 1)?;
/// let params = MappingParams {
///     partition: PartitionParams { parts: 3, ..Default::default() },
///     ..Default::default()
/// };
/// let mapping = map_elements(&plate, &"torus:2x2".parse()?, &params)?;
/// assert!(mapping.placement.processors().is_sorted());
/// assert_eq!((mapping.pieces.len(), mapping.phases()), (3, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// See [`MappingError`].
pub fn map_elements(
    mesh: &Mesh,
    machine: &Machine,
    params: &MappingParams,
) -> Result<ElementMapping, MappingError> {
    let parts = params.partition.parts as usize;
    // Before the long work.
    Placement::identity(parts, machine)?;
    let (part, placement) = match params.placement {
        None => nearer(mesh, machine, params)?,
        Some(method) => one_after_another(mesh, machine, method, params)?,
    };
    let (part, placement) = in_order(part, &placement, machine)?;
    let pieces = pieces(mesh, &part, parts)?;
    let quotient = exchanged(&pieces);
    let traffic = MappingTraffic::of(machine, &quotient, &placement, params)?;
    let pairs = quotient.messages().map(|(from, to, _)| (from, to)).collect();
    let machine = machine.clone();
    Ok(ElementMapping { machine, part, pieces, quotient, placement, traffic, pairs })
}

fn middles(mesh: &Mesh) -> Vec<Point> {
    (0..mesh.elements().len()).map(|element| mesh.centroid(element)).collect()
}

/// The better one of two ways.
fn nearer(
    mesh: &Mesh,
    machine: &Machine,
    params: &MappingParams,
) -> Result<(Vec<u32>, Placement), MappingError> {
    let (joint, apart) = rayon::join(
        || jointly(mesh, machine, params),
        || one_after_another(mesh, machine, Method::Search, params),
    );
    let (joint, apart) = (joint?, apart?);
    let cost = |found: &(Vec<u32>, Placement)| -> Result<u64, MappingError> {
        let quotient = exchanged(&pieces(mesh, &found.0, params.partition.parts as usize)?);
        Ok(hopsum(&quotient, machine, &found.1))
    };
    Ok(if cost(&apart)? <= cost(&joint)? { apart } else { joint })
}

fn jointly(
    mesh: &Mesh,
    machine: &Machine,
    params: &MappingParams,
) -> Result<(Vec<u32>, Placement), MappingError> {
    let joint = params.joint();
    let found = map_jointly(&dual_graph(mesh), &middles(mesh), None, machine, &joint)?;
    let part = found.0.part;
    let quotient = exchanged(&pieces(mesh, &part, params.partition.parts as usize)?);
    Ok((part, improve(&quotient, machine, found.1, &joint.search)))
}

fn one_after_another(
    mesh: &Mesh,
    machine: &Machine,
    method: Method,
    params: &MappingParams,
) -> Result<(Vec<u32>, Placement), MappingError> {
    let found = element_partition(mesh, None, &params.partition)?;
    let centroids = centroids(&middles(mesh), &found.part, params.partition.parts as usize);
    let subject = Subject {
        quotient: &found.quotient,
        machine,
        cut_tree: Some(&found.tree),
        centroids: Some(&centroids),
    };
    let placement = place(method, &subject, &params.search.unwrap_or_default())?;
    Ok((found.part, placement))
}

/// Numbers parts in the order of their processors.
fn in_order(
    part: Vec<u32>,
    placement: &Placement,
    machine: &Machine,
) -> Result<(Vec<u32>, Placement), MappingError> {
    let mut order: Vec<u32> = (0..placement.parts() as u32).collect();
    order.sort_unstable_by_key(|&p| placement.processor(p));
    let mut number = vec![0; order.len()];
    (0..).zip(&order).for_each(|(new, &old)| number[old as usize] = new);
    let processors = order.iter().map(|&p| placement.processor(p)).collect();
    let part = part.into_iter().map(|p| number[p as usize]).collect();
    Ok((part, Placement::new(processors, machine)?))
}

impl ElementMapping {
    /// The sum over all messages of nodes times the hops between their processors.
    pub fn hopsum(&self) -> u64 {
        hopsum(&self.quotient, &self.machine, &self.placement)
    }

    /// Messages of an assembly.
    pub fn messages(&self) -> usize {
        self.pairs.len()
    }

    /// The phases of an assembly, one after another. A fat tree takes everything at once.
    pub fn phases(&self) -> usize {
        match &self.traffic {
            MappingTraffic::Routes(phases) => phases.count,
            MappingTraffic::Levels(_) => usize::from(!self.pairs.is_empty()),
        }
    }

    /// The phase, from 0, in which a part sends to another; `None` if it does not.
    pub fn phase(&self, from: u32, to: u32) -> Option<u32> {
        let message = self.pairs.binary_search(&(from, to)).ok()?;
        match &self.traffic {
            MappingTraffic::Routes(phases) => Some(phases.phase[message]),
            MappingTraffic::Levels(_) => Some(0),
        }
    }
}
