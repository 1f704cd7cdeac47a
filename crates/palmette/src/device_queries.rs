//! Lowest common ancestors and distances on a graphics processor, by vertex.

use crate::aggregate::{Answer, AnswerColumn, DeviceAggregate};
use palmette_core::{NONE, Tree};
use palmette_gpu::lca::DeviceLca;
use palmette_gpu::{Device, DeviceTree, Form, GpuError, Seconds};

/// The lowest common ancestor of each pair of vertices; [`NONE`] across trees.
///
/// # Errors
/// What the device says.
///
/// # Panics
/// When a pair names a vertex that does not exist.
pub fn device_lca(
    device: &Device,
    tree: &Tree,
    pairs: &[(u32, u32)],
) -> Result<DeviceAggregate, GpuError> {
    let (mut found, seconds) = ask(device, tree, pairs, DeviceLca::batch)?;
    let name = |position: u32| tree.vertices().get(position as usize).copied().unwrap_or(NONE);
    found.iter_mut().for_each(|answer| *answer = name(*answer));
    let answer = Answer::of_columns(vec![AnswerColumn::vertices("lca", found)]);
    Ok(DeviceAggregate::of(answer, seconds))
}

/// The number of edges between each pair of vertices.
///
/// # Errors
/// What the device says.
///
/// # Panics
/// When a pair names a vertex that does not exist.
pub fn device_edge_distances(
    device: &Device,
    tree: &Tree,
    pairs: &[(u32, u32)],
) -> Result<DeviceAggregate, GpuError> {
    let (edges, seconds) = ask(device, tree, pairs, DeviceLca::edge_distances)?;
    let present = Some(edges.iter().map(|&edges| edges != NONE).collect());
    let edges: Vec<u64> = edges.into_iter().map(u64::from).collect();
    let answer = Answer { present, ..Answer::of_numbers("edges", edges.into()) };
    Ok(DeviceAggregate::of(answer, seconds))
}

type Found = Result<(Vec<u32>, Seconds), GpuError>;

fn ask(
    device: &Device,
    tree: &Tree,
    pairs: &[(u32, u32)],
    query: fn(&DeviceLca, &[(u32, u32)]) -> Found,
) -> Found {
    let place = |v: u32| tree.positions()[v as usize];
    let placed: Vec<(u32, u32)> = pairs.iter().map(|&(u, v)| (place(u), place(v))).collect();
    let on = DeviceTree::new(device, tree)?;
    let index = DeviceLca::new(&on)?;
    let (answers, asked) = query(&index, &placed)?;
    let prepared = index.seconds();
    let tour = on.transfer_seconds(Form::Tour).unwrap_or(0.0);
    let seconds = Seconds {
        upload: tour + prepared.upload + asked.upload,
        compute: prepared.compute + asked.compute,
        download: asked.download,
    };
    Ok((answers, seconds))
}
