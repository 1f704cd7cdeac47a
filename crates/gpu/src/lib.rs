//! Rootfix, leaffix and lowest common ancestors on a graphics processor: the only crate with
//! device code.
//!
//! | problem | engines | needs |
//! |---|---|---|
//! | [`rootfix`], [`leaffix`] | `euler`: write, scan, read over the Euler tour | a [`GroupKernel`] |
//! | | `levels`: level by level | a [`Kernel`] |
//! | | `contract`: rake and compress, whatever the shape | a [`Kernel`] |
//! | [`Columns`] | the same for many columns of values, and `trees`: many small trees at once | |
//! | [`lca`] | inlabels, made on the device | |
//! | [`paths`] | ways up by doubling | a [`Kernel`] |
//! | [`bound`] | error bounds for sums of `f32`, on the host | |
//!
//! Values of [`Columns`] are on the host; they go up, and answers come back, while the device
//! computes others. Otherwise values go up once and stay ([`DeviceValues`]), so that a loop of passes pays for the transfer
//! once; transfer and computing are timed separately. A [`DeviceTree`] holds the forms of one tree
//! that engines need.
//!
//! Kernels are WGSL and run on Vulkan, Metal and DX12. Scans reduce first, then scan: no
//! workgroup waits for another, so they end on every conforming device. Arrays longer than a
//! device can bind lie in several buffers ("chunks"), and kernels run chunk by chunk.
//!
//! ```no_run
//! use palmette_core::{NONE, Tree, operator::Sum};
//! use palmette_gpu::{Device, DeviceParams, DeviceTree, leaffix};
//! use palmette_tree::Scope;
//! let tree = Tree::from_parents(&[NONE, 0, 0, 2])?;
//! let device = Device::open(&DeviceParams::default())?;
//! let on = DeviceTree::new(&device, &tree)?;
//! let values = on.upload(&[1i64, 10, 100, 1000])?;
//! let sums = leaffix::euler(&on, &values, &Sum::<i64>::new(), Scope::Inclusive)?;
//! assert_eq!(sums.download()?.0, [1111, 10, 1100, 1000]);
//! println!("{} s up, {} s of computing", values.seconds(), sums.seconds());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Integers of 64 bits are pairs of words. Operators without a kernel, such as sums of `f64`, do
//! not compile:
//!
//! ```compile_fail,E0277
//! use palmette_core::operator::Sum;
//! use palmette_gpu::{DeviceTree, DeviceValues, GpuError, leaffix};
//! use palmette_tree::Scope;
//! fn sums(tree: &DeviceTree, x: &DeviceValues<f64>) -> Result<DeviceValues<f64>, GpuError> {
//!     leaffix::contract(tree, x, &Sum::<f64>::new(), Scope::Inclusive)
//! }
//! ```
//!
//! nor does the scan over the Euler tour with an operator that has no inverses:
//!
//! ```compile_fail,E0277
//! use palmette_core::operator::Min;
//! use palmette_gpu::{DeviceTree, DeviceValues, GpuError, leaffix};
//! use palmette_tree::Scope;
//! fn least(tree: &DeviceTree, x: &DeviceValues<i32>) -> Result<DeviceValues<i32>, GpuError> {
//!     leaffix::euler(tree, x, &Min::<i32>::new(), Scope::Inclusive)
//! }
//! ```
#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod array;
mod batch;
pub mod bound;
mod columns;
mod contract;
mod device;
mod element;
mod error;
mod euler;
mod kernel;
pub mod lca;
mod levels;
mod packets;
pub mod paths;
mod scan;
mod tiles;
mod tree;
mod treefix;

pub use array::DeviceValues;
pub use columns::Columns;
pub use device::{Device, DeviceInfo, DeviceKind, DeviceParams, devices};
pub use element::Element;
pub use error::GpuError;
pub use kernel::{GroupKernel, Kernel, Pack, Packed};
pub use tree::{DeviceTree, Form};
pub use treefix::{leaffix, rootfix};

/// What a call took, transfers and computing apart.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Seconds {
    /// To the device.
    pub upload: f64,
    /// On the device, from the first command to the last one's end. Where transfers and computing
    /// overlap, what the host had to wait.
    pub compute: f64,
    /// From the device.
    pub download: f64,
}
