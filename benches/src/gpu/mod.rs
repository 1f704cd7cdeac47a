//! Rootfix sums on a device: the paper's Figures 4, 5 and 7, with transfers apart.
//!
//! Contestants are the host's sweep and the device's engines, on 32-bit integers. The best of
//! some rounds counts, what takes over a second has one; all answers are compared with the host's.

pub mod many;
pub mod page;

use palmette_core::Tree;
use palmette_core::generate::{PAPER_PROFILES, Shape, generate};
use palmette_core::operator::Sum;
use palmette_gpu::{Device, DeviceTree, DeviceValues, Form, GpuError, rootfix};
use palmette_tree::Scope;
use palmette_tree::rootfix::sequential as sequential_rootfix;
use std::time::Instant;

/// Seconds of computing from which on an engine has one round.
const LONG: f64 = 1.0;

/// The engines on the device, as the paper and we call them.
pub const ENGINES: [&str; 3] = ["levels", "scan", "contract"];

/// Seconds on one tree.
pub struct Measured {
    /// The tree's name.
    pub name: String,
    /// Its vertices and levels.
    pub vertices: usize,
    /// The number of levels.
    pub levels: usize,
    /// The host's sweep.
    pub sequential: f64,
    /// By engine: computing, transfer of the tree's form, and of values and answers.
    pub device: [Times; 3],
}

/// Seconds of one engine.
#[derive(Debug, Clone, Copy)]
pub struct Times {
    /// On the device.
    pub compute: f64,
    /// Values up and answers down, once a pass.
    pub transfer: f64,
    /// The tree, once.
    pub tree: f64,
}

type Pass = fn(
    &DeviceTree<'_>,
    &DeviceValues<i32>,
    &Sum<i32>,
    Scope,
) -> Result<DeviceValues<i32>, GpuError>;

const PASSES: [(Pass, Form); 3] = [
    (rootfix::levels, Form::Levels),
    (rootfix::euler, Form::Tour),
    (rootfix::contract, Form::Contraction),
];

/// The ten profile trees, as far as they have at most so many vertices.
pub fn profiles(most: usize) -> impl Iterator<Item = (String, Shape, usize)> {
    let small = move |&(_, vertices, _): &(&str, u32, u32)| vertices as usize <= most;
    PAPER_PROFILES.into_iter().filter(small).map(|(name, vertices, height)| {
        (name.to_string(), Shape::Profile { vertices, height }, vertices as usize)
    })
}

/// Measures a tree.
///
/// # Errors
/// What the device says.
///
/// # Panics
/// When answers differ, or the shape has no tree of this size.
pub fn measure(
    device: &Device,
    (name, shape, n): (String, Shape, usize),
    rounds: usize,
) -> Result<Measured, GpuError> {
    let parents = generate(shape, n, 1).expect("the shape has such a tree");
    let tree = Tree::from_parents(&parents).expect("a shape is a tree");
    let levels = tree.depths().into_iter().max().map_or(0, |d| d as usize + 1);
    let values: Vec<i32> = (0..n as i32).map(|k| k.wrapping_mul(0x9E37_79B9_u32 as i32)).collect();
    let op = Sum::<i32>::new();
    let mut expected = vec![0; n];
    let mut sequential = f64::INFINITY;
    for _ in 0..rounds {
        let start = Instant::now();
        sequential_rootfix(&tree, &values, &op, Scope::Inclusive, &mut expected);
        sequential = sequential.min(start.elapsed().as_secs_f64());
    }
    let never = f64::INFINITY;
    let mut times = [Times { compute: never, transfer: never, tree: never }; 3];
    for _ in 0..rounds {
        let on = DeviceTree::new(device, &tree)?;
        for ((pass, form), times) in PASSES.into_iter().zip(&mut times) {
            if times.compute > LONG && times.compute < never {
                continue;
            }
            on.prepare(form)?;
            let up = on.upload(&values)?;
            let sums = pass(&on, &up, &op, Scope::Inclusive)?;
            let (answers, down) = sums.download()?;
            assert!(answers == expected, "{name}: the device's answers differ");
            times.compute = times.compute.min(sums.seconds());
            times.transfer = times.transfer.min(up.seconds() + down);
            times.tree = times.tree.min(on.transfer_seconds(form).unwrap_or(never));
        }
    }
    Ok(Measured { name, vertices: n, levels, sequential, device: times })
}
