//! Maps a mesh onto a machine: cuts it, places the parts, and routes their messages.

mod json;
mod machine;

pub(crate) use json::lattice_of;
pub use json::{placement_from_json, placement_json, routes_json};
pub use machine::{
    MachineInput, MachineInputError, MachineParams, check_machine, machine_file, read_machine,
};

use palmette_core::mesh::Point;
use palmette_core::{Graph, UnknownName};
use palmette_mesh::partition::{
    Demands, JointError, JointParams, MapObjective, map_jointly_as, partition_as,
};
use palmette_mesh::placement::{
    LevelTraffic, PlacementError, SearchParams, Subject, hopsum, place, traffic,
};
use palmette_mesh::routing::{Phases, RouteParams, RoutingError, messages, route_in_phases};
use palmette_mesh::spmv::WorldError;
use palmette_mesh::{
    Machine, Partition, PartitionError, PartitionParams, Placement, Quotient, placement, routing,
};
use thiserror::Error;

/// The channels of a processor of the iWarp, the machine of the separator paper.
pub const IWARP_CHANNELS: u32 = 20;

/// Options of [`map_mesh`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MappingParams {
    /// How to cut, and into how many parts.
    pub partition: PartitionParams,
    /// How to place finished parts; `None` for partition and placement together.
    pub placement: Option<placement::Method>,
    /// How long placements are searched; by default as the way of placing has it.
    pub search: Option<SearchParams>,
    /// How to route.
    pub routing: routing::Method,
    /// How hard to route.
    pub route: RouteParams,
    /// The paths that may touch a processor at a time; by default [`IWARP_CHANNELS`] on grids of
    /// processors, and any number on other networks.
    pub channels: Option<u32>,
    /// What travels, where parts are cut and placed together.
    pub objective: MapObjective,
}

impl MappingParams {
    /// Checks the parameters, independently of the mesh.
    ///
    /// # Errors
    /// As [`PartitionParams::check`]; no channels.
    pub fn check(&self) -> Result<(), MappingError> {
        self.partition.check()?;
        match self.channels {
            Some(0) => Err(RoutingError::NoChannels.into()),
            _ => Ok(()),
        }
    }

    /// Options of partition and placement together.
    pub(crate) fn joint(&self) -> JointParams {
        let joint = JointParams::default();
        // Fewer cycles than for a partition alone: every turn refines again.
        let cycles =
            self.partition.cycles.or(joint.partition.cycles.filter(|_| self.partition.refine));
        let partition = PartitionParams { cycles, ..self.partition };
        let search = self.search.unwrap_or(joint.search);
        JointParams { partition, search, objective: self.objective, ..joint }
    }
}

/// Reads how parts are placed: `joint` (cut and placed together, the default), or the method for
/// finished parts.
///
/// # Errors
/// Another name.
pub fn placing(text: &str) -> Result<Option<placement::Method>, UnknownName> {
    let all = placement::Method::ALL.map(placement::Method::name);
    match text {
        JOINT => Ok(None),
        _ => text.parse().map(Some).map_err(|error: UnknownName| {
            UnknownName::among(error.kind, text, [JOINT].into_iter().chain(all))
        }),
    }
}

/// The name of partition and placement together.
pub const JOINT: &str = "joint";

/// What messages load.
#[derive(Debug, Clone, PartialEq)]
pub enum MappingTraffic {
    /// On meshes, tori and other networks: paths, in phases.
    Routes(Phases),
    /// On fat trees and hierarchies, which route by themselves: what crosses each level.
    Levels(Vec<LevelTraffic>),
}

impl MappingTraffic {
    /// Routes what placed parts exchange, where the machine does not do so by itself.
    pub(crate) fn of(
        machine: &Machine,
        quotient: &Quotient,
        placement: &Placement,
        params: &MappingParams,
    ) -> Result<MappingTraffic, RoutingError> {
        Ok(match machine {
            Machine::FatTree(tree) => MappingTraffic::Levels(traffic(quotient, tree, placement)),
            Machine::Lattice(_) | Machine::Network(_) => {
                let messages = messages(quotient, placement);
                let usual = if machine.lattice().is_some() { IWARP_CHANNELS } else { u32::MAX };
                let (how, limit) = (params.routing, params.channels.unwrap_or(usual));
                MappingTraffic::Routes(route_in_phases(
                    how,
                    machine,
                    &messages,
                    limit,
                    &params.route,
                )?)
            }
        })
    }
}

/// Parts of a graph, placed and routed.
#[derive(Debug, Clone, PartialEq)]
pub struct Mapping {
    /// The machine.
    pub machine: Machine,
    /// By vertex, its part.
    pub partition: Partition,
    /// What parts exchange.
    pub quotient: Quotient,
    /// By part, its processor.
    pub placement: Placement,
    /// What that loads.
    pub traffic: MappingTraffic,
}

/// Why there is no mapping.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MappingError {
    /// No partition.
    #[error(transparent)]
    Partition(#[from] PartitionError),
    /// No placement.
    #[error(transparent)]
    Placement(#[from] PlacementError),
    /// No partition or placement together.
    #[error(transparent)]
    Joint(#[from] JointError),
    /// No routes.
    #[error(transparent)]
    Routing(#[from] RoutingError),
    /// Parts of elements that do not fit the mesh.
    #[error(transparent)]
    Pieces(#[from] WorldError),
}

/// Cuts a graph, places the parts and routes what they exchange. Cost as for its stages.
///
/// **Determinism.** The same seeds give the same mapping on any number of threads, unless
/// the search has a time limit.
///
/// ```
/// use palmette::{MappingParams, MappingTraffic, map_mesh, mesh::PartitionParams};
/// use palmette::mesh::{element::node_graph, shapes::generate};
/// let plate = generate("triangles:20x20".parse()?, 1)?;
/// let params = MappingParams {
///     partition: PartitionParams { parts: 4, ..Default::default() },
///     ..Default::default()
/// };
/// let (graph, torus) = (node_graph(&plate), "torus:2x2".parse()?);
/// let mapping = map_mesh(&graph, plate.points(), None, &torus, &params)?;
/// let MappingTraffic::Routes(phases) = &mapping.traffic else { panic!("a torus has routes") };
/// assert_eq!((mapping.placement.parts(), phases.count), (4, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// See [`MappingError`].
pub fn map_mesh(
    graph: &Graph,
    points: &[Point],
    weights: Option<&[u32]>,
    machine: &Machine,
    params: &MappingParams,
) -> Result<Mapping, MappingError> {
    map_mesh_as(graph, points, weights, machine, params, &Demands::default())
}

/// As [`map_mesh`], where parts keep to more than their number: sizes and several weights, and
/// whatever else where finished parts are placed.
///
/// # Errors
/// See [`MappingError`].
pub fn map_mesh_as(
    graph: &Graph,
    points: &[Point],
    weights: Option<&[u32]>,
    machine: &Machine,
    params: &MappingParams,
    demands: &Demands,
) -> Result<Mapping, MappingError> {
    let Some(method) = params.placement else {
        let joint = params.joint();
        let found = map_jointly_as(graph, points, weights, machine, &joint, demands)?;
        let (partition, placement) = found;
        let quotient = Quotient::of(graph, &partition.part, params.partition.parts as usize);
        return routed(machine, partition, quotient, placement, params);
    };
    let partition = partition_as(graph, points, weights, &params.partition, demands)?;
    place_parts(graph, points, machine, partition, method, params)
}

/// Places and routes parts that are there; `params.placement` is not looked at.
///
/// # Errors
/// See [`MappingError`].
///
/// # Panics
/// When there is not a part for each vertex, or points for some of them only.
pub fn place_parts(
    graph: &Graph,
    points: &[Point],
    machine: &Machine,
    partition: Partition,
    method: placement::Method,
    params: &MappingParams,
) -> Result<Mapping, MappingError> {
    let parts = partition.tree.parts(0).len();
    let quotient = Quotient::of(graph, &partition.part, parts);
    let centroids = centroids(points, &partition.part, parts);
    let subject = Subject {
        quotient: &quotient,
        machine,
        cut_tree: Some(&partition.tree),
        centroids: Some(&centroids[..]).filter(|_| !points.is_empty()),
    };
    let placement = place(method, &subject, &params.search.unwrap_or_default())?;
    routed(machine, partition, quotient, placement, params)
}

fn routed(
    machine: &Machine,
    partition: Partition,
    quotient: Quotient,
    placement: Placement,
    params: &MappingParams,
) -> Result<Mapping, MappingError> {
    let traffic = MappingTraffic::of(machine, &quotient, &placement, params)?;
    Ok(Mapping { machine: machine.clone(), partition, quotient, placement, traffic })
}

/// The mean of the points of each part; the origin for an empty one. Nothing without points.
///
/// # Panics
/// When there is not a part below `parts` for each point.
pub fn centroids(points: &[Point], part: &[u32], parts: usize) -> Vec<Point> {
    if points.is_empty() {
        return Vec::new();
    }
    assert_eq!(points.len(), part.len(), "a part per point");
    let mut counts = vec![0.0f64; parts];
    part.iter().for_each(|&p| counts[p as usize] += 1.0);
    let mut means = vec![[0.0; 3]; parts];
    for (point, &p) in points.iter().zip(part) {
        // Divided one by one: a sum of finite coordinates need not be finite.
        (0..3).for_each(|axis| means[p as usize][axis] += point[axis] / counts[p as usize]);
    }
    means
}

/// The number that most nodes of an element have; of several the one whose node comes first.
///
/// ```
/// assert_eq!(palmette::most_frequent(&[0, 2, 1], &[5, 7, 7]), 7);
/// assert_eq!(palmette::most_frequent(&[2, 0], &[5, 7, 7]), 7);
/// ```
///
/// # Panics
/// When a node has no number.
pub fn most_frequent<T: Copy + PartialEq + Default>(nodes: &[u32], by_node: &[T]) -> T {
    let count = |number: T| nodes.iter().filter(|&&n| by_node[n as usize] == number).count();
    let mut best = (0, T::default());
    for number in nodes.iter().map(|&node| by_node[node as usize]) {
        let found = count(number);
        if found > best.0 {
            best = (found, number);
        }
    }
    best.1
}

impl Mapping {
    /// The sum over all messages of values times the hops between their processors.
    pub fn hopsum(&self) -> u64 {
        hopsum(&self.quotient, &self.machine, &self.placement)
    }

    /// By vertex, the last phase in which its value is sent; -1 where no other part needs it,
    /// or where there are no phases.
    pub fn phase_of_vertices(&self, graph: &Graph) -> Vec<i32> {
        let part = &self.partition.part;
        let MappingTraffic::Routes(phases) = &self.traffic else { return vec![-1; part.len()] };
        let pairs: Vec<(u32, u32)> = self.quotient.messages().map(|m| (m.0, m.1)).collect();
        let last = |v: usize| {
            let others = graph.neighbours(v as u32).iter().map(|&w| part[w as usize]);
            let sent = others.filter_map(|other| pairs.binary_search(&(part[v], other)).ok());
            sent.map(|message| phases.phase[message] as i32).max().unwrap_or(-1)
        };
        (0..part.len()).map(last).collect()
    }
}
