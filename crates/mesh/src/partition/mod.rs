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
//! **Determinism.** The same seed gives the same parts on any number of threads.

mod bisect;
mod centerpoint;
mod coarsen;
mod contiguous;
mod cover;
pub mod distributed;
mod effort;
mod elements;
mod geometry;
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
mod separator;
mod split;
mod tally;
#[cfg(test)]
mod tests;

pub use cover::vertex_separator;
pub use effort::Preset;
pub use elements::{ElementPartition, element_partition};
pub use joint::{JointError, JointParams, MapObjective, map_jointly};
pub(crate) use net::Net;
pub use params::{Method, Partition, PartitionError, PartitionParams};

use crate::CutTree;
use effort::Effort;
use palmette_core::Graph;
use palmette_core::mesh::Point;

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
    check(graph.len(), points, weights, params)?;
    if params.parts == 1 {
        return Ok(Partition { part: vec![0; graph.len()], tree: CutTree::halving(1) });
    }
    let net = Net::new(graph, points, weights);
    let part = match params.refine {
        true => multilevel::refined(&net, params),
        false => {
            bisect::recursive(&net, params, &Effort::new(params.preset, net.len(), params.parts))
        }
    };
    let part = if params.contiguous {
        let limits = vec![multilevel::limit(net.weight(), params); params.parts as usize];
        contiguous::make_contiguous(&net, part, limits)
    } else {
        part
    };
    Ok(Partition { part, tree: CutTree::halving(params.parts) })
}

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
