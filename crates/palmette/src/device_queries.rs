//! Lowest common ancestors and distances on a graphics processor, by vertex.

use palmette_core::{NONE, Tree};
use palmette_gpu::lca::DeviceLca;
use palmette_gpu::{Device, DeviceTree, Form, GpuError, Seconds};

/// Answers of a device, one per pair.
#[derive(Debug, Clone, PartialEq)]
pub struct DeviceAnswers {
    /// The answers; [`NONE`] across trees.
    pub answers: Vec<u32>,
    /// What they took, with preparing the tree.
    pub seconds: Seconds,
}

/// The lowest common ancestor of each pair of vertices.
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
) -> Result<DeviceAnswers, GpuError> {
    let mut found = ask(device, tree, pairs, DeviceLca::batch)?;
    let name = |position: u32| tree.vertices().get(position as usize).copied().unwrap_or(NONE);
    found.answers.iter_mut().for_each(|answer| *answer = name(*answer));
    Ok(found)
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
) -> Result<DeviceAnswers, GpuError> {
    ask(device, tree, pairs, DeviceLca::edge_distances)
}

type Query = fn(&DeviceLca, &[(u32, u32)]) -> Result<(Vec<u32>, Seconds), GpuError>;

fn ask(
    device: &Device,
    tree: &Tree,
    pairs: &[(u32, u32)],
    query: Query,
) -> Result<DeviceAnswers, GpuError> {
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
    Ok(DeviceAnswers { answers, seconds })
}
