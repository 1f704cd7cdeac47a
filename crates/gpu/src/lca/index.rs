//! The index of Schieber and Vishkin, made on the device.
//!
//! Inlabels come from subtree sizes, which the Euler tour has; ascendants are a rootfix: along a
//! way up the last bits of inlabels differ, so that their union is a sum.

use super::{DeviceLca, LABELS, RECORDS};
use crate::array::{Array, DeviceValues};
use crate::batch::{Batch, Binding, Source, read, write};
use crate::tiles::tiles;
use crate::{DeviceTree, GpuError, rootfix};
use palmette_core::operator::Sum;
use palmette_tree::Scope;

const OPEN: Binding = read("open", "u32");
const PARENT: Binding = read("parent", "u32");
const ABOVE: Binding = read("above", "u32");

const MAKE_LABELS: Source = Source {
    params: &["count", "base"],
    arrays: &[OPEN, read("close", "u32"), write("labels", "u32")],
    body: include_str!("../wgsl/lca_labels.wgsl"),
};

const MAKE_ABOVE: Source = Source {
    params: &["count", "first", "length", "top"],
    arrays: &[PARENT, LABELS, write("above", "u32")],
    body: include_str!("../wgsl/lca_above.wgsl"),
};

const MAKE_HEADS: Source = Source {
    params: &["count"],
    arrays: &[LABELS, ABOVE, write("bits", "u32")],
    body: include_str!("../wgsl/lca_heads.wgsl"),
};

const MAKE_ENTERS: Source = Source {
    params: &["count", "first", "length"],
    arrays: &[LABELS, ABOVE, PARENT, write("enters", "u32")],
    body: include_str!("../wgsl/lca_enters.wgsl"),
};

const MAKE_RECORDS: Source = Source {
    params: &["count", "base", "top"],
    arrays: &[LABELS, read("ascendants", "u32"), OPEN, write(RECORDS.0, RECORDS.1)],
    body: include_str!("../wgsl/lca_records.wgsl"),
};

impl DeviceLca {
    /// Prepares a tree for queries by position.
    ///
    /// # Errors
    /// Too little memory, or a lost device.
    pub fn new(tree: &DeviceTree<'_>) -> Result<DeviceLca, GpuError> {
        let (device, n) = (tree.device(), tree.tree().len());
        let tour = tree.tour()?;
        let (parent, upload) = device.sent(|| Array::from_slice(device, tree.tree().parents()))?;
        let words = |len: usize| Array::new::<u32>(device, len);
        // Of vertices: their inlabels, and those of their parents.
        let (labels, above) = (words(n)?, words(n)?);
        let (bits, enters) = (words(n)?, words(n + 2)?);
        // The inlabel of the root of all: the number with the most trailing zeros in 1 ..= n + 1.
        let top = 1 << (n as u32 + 1).ilog2();
        let op = Sum::<u32>::new();
        let mut batch = Batch::new(device, &op);
        let make = batch.kernel(&MAKE_LABELS)?;
        for k in 0..labels.count() {
            let numbers = [labels.range(k).len() as u32, labels.range(k).start as u32];
            let arrays = [tour.open.chunk(k), tour.close.chunk(k), labels.chunk(k)];
            batch.each(&make, &arrays, &numbers);
        }
        let make = batch.kernel(&MAKE_ABOVE)?;
        for (k, e, [count, first, length]) in tiles(&parent, &labels) {
            let arrays = [parent.chunk(k), labels.chunk(e), above.chunk(k)];
            batch.each(&make, &arrays, &[count, first, length, top]);
        }
        let make = batch.kernel(&MAKE_HEADS)?;
        batch.all(&make, &[&labels, &above, &bits]);
        let make = batch.kernel(&MAKE_ENTERS)?;
        for (k, e, numbers) in tiles(&labels, &enters) {
            let arrays = [labels.chunk(k), above.chunk(k), parent.chunk(k), enters.chunk(e)];
            batch.each(&make, &arrays, &numbers);
        }
        let labelled = batch.run()?;
        let bits = DeviceValues::computed(bits, labelled);
        let ascendants = rootfix::euler(tree, &bits, &op, Scope::Inclusive)?;
        let mut batch = Batch::new(device, &op);
        let make = batch.kernel(&MAKE_RECORDS)?;
        let records = Array::new::<[u32; 4]>(device, n)?;
        for k in 0..labels.count() {
            let numbers = [labels.range(k).len() as u32, labels.range(k).start as u32, top];
            let (open, ascendants) = (tour.open.chunk(k), ascendants.array.chunk(k));
            let arrays = [labels.chunk(k), ascendants, open, records.chunk(k)];
            batch.each(&make, &arrays, &numbers);
        }
        let compute = labelled + ascendants.seconds() + batch.run()?;
        Ok(DeviceLca { records, enters, upload, compute })
    }
}
