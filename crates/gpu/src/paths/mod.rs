//! Ordered products along paths on a device, many at a time, for any monoid with a kernel. See
//! [`palmette_tree::paths`] for the problem.
//!
//! **Method.** Lowest common ancestors say how many vertices lie on the way up from either end.
//! Then tables of jumps are doubled: where 2^k steps up lead, and the product on the way. Before
//! each doubling, ends whose number of steps has bit k jump. The way down from the lowest common
//! ancestor is a way up with operands exchanged, so it takes a second run over the tables.
//!
//! **Cost.** O((n + q) log h) for q pairs in a tree of height h, whatever the queries are: it pays
//! when there are about as many pairs as vertices. No inverse is used. Device memory: 40 bytes
//! and three elements per vertex, at most 36 bytes and two elements per pair.
//!
//! **Determinism.** The association is fixed by the tree and the pair.
//!
//! **When not to use.** For few pairs: the host answers each in O(log n).

mod climb;

use crate::array::{Array, DeviceValues};
use crate::batch::{Batch, Binding, JOIN, Source, read, write};
use crate::kernel::{Flip, Law};
use crate::lca::{DeviceLca, PAIRS, RECORDS};
use crate::tiles::tiles;
use crate::{DeviceTree, Form, GpuError, Kernel, Seconds};
use climb::End;
use palmette_core::NONE;
use palmette_core::operator::Sum;

const WAYS: Binding = write("ways", "vec2<u32>");
const FOUND: Binding = write("found", "Elem");
const UP: Binding = read("up", "u32");
const PRODUCTS: Binding = read("products", "Elem");

const STEPS: Source = Source {
    params: &["count", "first", "length", "on_edges"],
    arrays: &[PAIRS, read("answers", "u32"), RECORDS, write("steps", "vec2<u32>")],
    body: include_str!("../wgsl/path_steps.wgsl"),
};

const START: Source = Source {
    params: &["count", "end"],
    arrays: &[PAIRS, read("steps", "vec2<u32>"), WAYS, FOUND],
    body: include_str!("../wgsl/path_start.wgsl"),
};

const WALK: Source = Source {
    params: &["count", "first", "length", "bit"],
    arrays: &[UP, PRODUCTS, WAYS, FOUND],
    body: include_str!("../wgsl/path_walk.wgsl"),
};

const DOUBLE: Source = Source {
    params: &["count", "first", "length"],
    arrays: &[
        UP,
        PRODUCTS,
        read("up_there", "u32"),
        read("products_there", "Elem"),
        write("new_up", "u32"),
        write("new_products", "Elem"),
    ],
    body: include_str!("../wgsl/path_double.wgsl"),
};

/// Whom values belong to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum On {
    /// The vertices: both ends and the lowest common ancestor count.
    #[default]
    Vertices,
    /// The edges above them: the lowest common ancestor's value is left out.
    Edges,
}

/// One product per pair; none across trees.
pub type Products<E> = Vec<Option<E>>;

/// A tree that is ready for products along its paths, on a device.
#[derive(Debug)]
pub struct DevicePaths {
    lca: DeviceLca,
    parent: Array,
    /// Doublings that reach the root from everywhere.
    rounds: u32,
    seconds: Seconds,
}

impl DevicePaths {
    /// Prepares a tree for products by position.
    ///
    /// # Errors
    /// Too little memory, or a lost device.
    pub fn new(tree: &DeviceTree<'_>) -> Result<DevicePaths, GpuError> {
        let lca = DeviceLca::new(tree)?;
        let device = tree.device();
        let (parent, upload) = device.sent(|| Array::from_slice(device, tree.tree().parents()))?;
        let mut seconds = lca.seconds();
        seconds.upload += upload;
        seconds.upload += tree.transfer_seconds(Form::Tour).unwrap_or(0.0);
        let levels = tree.tree().depths().into_iter().max().map_or(0, |depth| depth + 1);
        Ok(DevicePaths { lca, parent, rounds: u32::BITS - levels.leading_zeros(), seconds })
    }

    /// What preparing took.
    pub fn seconds(&self) -> Seconds {
        self.seconds
    }

    /// The product of the values in the order of walking from `u` to `v`, for each pair of
    /// positions; none across trees.
    ///
    /// # Errors
    /// A position that does not exist; values of another tree or device, or beyond what the
    /// kernels are sure of; too little memory; a lost device.
    pub fn products<K: Kernel>(
        &self,
        values: &DeviceValues<K::Elem>,
        op: &K,
        on: On,
        pairs: &[(u32, u32)],
    ) -> Result<(Products<K::Elem>, Seconds), GpuError> {
        values.check(self.lca.device(), self.parent.len(), &Law::of(op))?;
        let (queries, upload) = self.lca.upload(pairs)?;
        let mut batch = Batch::new(self.lca.device(), &Sum::<u32>::new());
        let tops = self.lca.ancestors(&mut batch, &queries)?;
        let steps = self.steps(&mut batch, &queries, &tops, on)?;
        let mut compute = batch.run()?;
        let climb = |batch: &mut Batch<'_>, end| {
            self.climb::<K::Elem>(batch, &values.array, &queries, &steps, end)
        };
        let mut batch = Batch::new(self.lca.device(), &Flip(op));
        let down = climb(&mut batch, End::Second)?;
        compute += batch.run()?;
        let mut batch = Batch::new(self.lca.device(), op);
        let up = climb(&mut batch, End::First)?;
        let join = batch.kernel(&JOIN)?;
        batch.all(&join, &[&down, &up]);
        compute += batch.run()?;
        let (tops, first) = tops.read::<u32>()?;
        let (products, second) = up.read::<K::Elem>()?;
        let some = |(&top, product): (&u32, K::Elem)| (top != NONE).then_some(product);
        let products = tops.iter().zip(products).map(some).collect();
        Ok((products, Seconds { upload, compute, download: first + second }))
    }

    /// By pair: how many vertices count on the way up from either end. None across trees.
    fn steps(
        &self,
        batch: &mut Batch<'_>,
        queries: &Array,
        tops: &Array,
        on: On,
    ) -> Result<Array, GpuError> {
        let count = batch.kernel(&STEPS)?;
        // New arrays are zero.
        let steps = Array::new::<[u32; 2]>(batch.device(), queries.len())?;
        for (k, e, [number, first, length]) in tiles(queries, &self.lca.records) {
            let records = self.lca.records.chunk(e);
            let arrays = [queries.chunk(k), tops.chunk(k), records, steps.chunk(k)];
            batch.each(&count, &arrays, &[number, first, length, u32::from(on == On::Edges)]);
        }
        Ok(steps)
    }
}
