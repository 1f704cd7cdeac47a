//! A graph cut into parts of equal weight, with few edges between them.
//!
//! **Problem.** A graph, perhaps a point and a weight for each vertex, and a number of parts;
//! out comes a part for each vertex. No part is heavier than `1 + imbalance` times the mean
//! (or, where vertices are too coarse for that, than the mean rounded up), and none is empty.
//!
//! **Method.** Refined, which is the default: the graph is made smaller by contracting edges
//! (`coarsen.rs`); the smallest is cut in two, and the halves again (`bisect.rs`), by growing sides
//! (`grow.rs`) and, where there are points, by circles and lines (`separator.rs`); then the parts
//! are improved on every size of graph up to the whole, by moving vertices (`refine/greedy.rs`,
//! `refine/moves.rs`) and by smallest cuts between pairs of parts (`refine/flow`). A [`Preset`] says
//! how much of that is done. *Alone* (without [`PartitionParams::refine`]): the graph is cut in two
//! by one of the [`Method`]s, and the halves again.
//!
//! *Demands* ([`Demands`]) go through all of that: every part has its own limits, for each of several
//! weights; fixed vertices are contracted only with others of their part, and no search
//! moves them; old parts are vertices that are fixed (`repartition.rs`); connected parts are checked
//! at the end (`connected.rs`).
//!
//! **Determinism.** The same seed gives the same parts on any number of threads.

mod bisect;
mod centerpoint;
mod coarsen;
mod connected;
mod contiguous;
mod cover;
mod demands;
#[cfg(test)]
mod demands_tests;
pub mod distributed;
mod effort;
mod elements;
mod geometry;
mod goals;
mod groups;
mod grow;
mod hilbert;
mod joint;
mod multilevel;
mod net;
mod order;
mod params;
mod queue;
mod refine;
mod repartition;
mod separator;
mod split;
mod tally;
#[cfg(test)]
mod tests;

pub use cover::vertex_separator;
pub use demands::{Demands, Objective, Previous};
pub use effort::Preset;
pub use elements::{ElementPartition, element_partition, element_partition_as};
pub use goals::limits;
pub use joint::{JointError, JointParams, MapObjective, map_jointly, map_jointly_as};
pub(crate) use net::Net;
pub use params::{Method, Partition, PartitionError, PartitionParams};

use crate::CutTree;
use effort::Effort;
use goals::Goals;
use palmette_core::Graph;
use palmette_core::memory::check_room;
use palmette_core::mesh::Point;
use palmette_core::random::{Purpose, Random};
use refine::connectivity;

/// Cuts a graph into parts; see the [module](self). Without points, `points` is empty.
///
/// # Errors
/// See [`PartitionError`].
pub fn partition(
    graph: &Graph,
    points: &[Point],
    weights: Option<&[u32]>,
    params: &PartitionParams,
) -> Result<Partition, PartitionError> {
    partition_as(graph, points, weights, params, &Demands::default())
}

/// Cuts a graph into parts that keep to more than their number; see the [module](self).
///
/// # Errors
/// See [`PartitionError`].
pub fn partition_as(
    graph: &Graph,
    points: &[Point],
    weights: Option<&[u32]>,
    params: &PartitionParams,
    demands: &Demands,
) -> Result<Partition, PartitionError> {
    check(graph.len(), points, weights, params)?;
    demands.check(graph.len(), params)?;
    let tree = CutTree::halving(params.parts);
    if params.parts == 1 && !params.contiguous {
        return Ok(Partition { part: vec![0; graph.len()], tree });
    }
    check_room(room(graph, demands)).map_err(PartitionError::Memory)?;
    let mut net = Net::new(graph, points, weights);
    demands.apply(&mut net);
    let mut goals = Goals::new(&net, params, &demands.sizes);
    goals.plain &= demands.previous.is_none();
    demands.check_fixed(&net, [&goals.limits, &goals.further])?;
    let cut = |net: &Net, params: &PartitionParams, goals: &Goals| match &demands.previous {
        // Graphs are not cut by components where vertices are somewhere.
        Some(previous) if params.parts > 1 => {
            repartition::repartition(graph, net, params, goals, previous)
        }
        _ => cut(net, params, goals, demands.objective),
    };
    let part = match params.contiguous {
        true => connected::connected(&net, params, &goals, &cut)?,
        false => cut(&net, params, &goals),
    };
    Ok(Partition { part, tree })
}

/// Bytes that are needed at least: a net, smaller ones, and what searches note of vertices.
fn room(graph: &Graph, demands: &Demands) -> u64 {
    let (n, entries) = (graph.len() as u64, graph.all_neighbours().len() as u64);
    let kinds = demands.further.len() as u64;
    let anchors = if demands.previous.is_some() { 16 * entries + 80 * n } else { 0 };
    16 * entries + (80 + 24 * kinds) * n + anchors
}

/// Parts that need not be connected.
fn cut(
    net: &Net,
    params: &PartitionParams,
    goals: &Goals,
    objective: Option<Objective>,
) -> Vec<u32> {
    if params.parts == 1 {
        return vec![0; net.len()];
    }
    if !params.refine {
        let effort = Effort::new(params.preset, net.len(), params.parts);
        return bisect::recursive(net, params, goals, &effort);
    }
    let part = multilevel::refined(net, params, goals);
    match objective {
        Some(objective) if objective != Objective::Cut => {
            let mut random = Random::numbered(params.seed, Purpose::Partition, VALUES);
            let groups = connectivity::Neighbours(net);
            let parts = goals.parts(net, part);
            connectivity::improve(net, &groups, parts, objective, &mut random).part
        }
        _ => part,
    }
}

/// The number of the search for fewer values.
const VALUES: u64 = 1 << 62;

fn check(
    vertices: usize,
    points: &[Point],
    weights: Option<&[u32]>,
    params: &PartitionParams,
) -> Result<(), PartitionError> {
    let counts = [("points", points.len()), ("weights", weights.map_or(vertices, <[u32]>::len))];
    for (what, found) in counts {
        if found != vertices && (what, found) != ("points", 0) {
            return Err(PartitionError::Count { what, found, vertices });
        }
    }
    if points.is_empty() && vertices > 0 {
        if params.bisection.needs_points() {
            return Err(PartitionError::NoPoints(params.bisection));
        }
        if params.tries.is_some() || params.sample.is_some() {
            return Err(PartitionError::NoCircles);
        }
    }
    for (vertex, point) in points.iter().enumerate() {
        if let Some(&value) = point.iter().find(|x| !x.is_finite()) {
            return Err(PartitionError::Coordinate { vertex, value });
        }
    }
    params.check()?;
    match params.parts {
        parts if parts as usize > vertices => Err(PartitionError::TooManyParts { parts, vertices }),
        _ => Ok(()),
    }
}
