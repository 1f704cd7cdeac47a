//! A tree on a device.

use crate::array::DeviceValues;
use crate::contract::ContractForm;
use crate::euler::Tour;
use crate::levels::LevelForm;
use crate::packets::{self, PacketForm};
use crate::{Device, Element, GpuError};
use palmette_core::Tree;
use std::sync::OnceLock;

/// A form of the tree that engines work on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// Where vertices are opened and closed on the Euler tour: 8 bytes per vertex. For `euler` and
    /// for lowest common ancestors.
    Tour,
    /// Vertices by level, with parents and families: 16 bytes per vertex. For `levels`.
    Levels,
    /// The plan of a contraction: at most 20 bytes per vertex. For `contract`.
    Contraction,
    /// The plans of packets of small trees: at most 9 bytes per vertex. For `trees`.
    Packets,
}

/// A tree whose forms go up to the device when an engine first asks for them, and stay.
#[derive(Debug)]
pub struct DeviceTree<'t> {
    device: Device,
    tree: &'t Tree,
    tour: OnceLock<(Tour, f64)>,
    levels: OnceLock<(LevelForm, f64)>,
    contraction: OnceLock<(ContractForm, f64)>,
    packets: OnceLock<(PacketForm, f64)>,
}

/// The Euler tour has two entries per vertex, and a place is 32 bits.
const MOST_VERTICES: usize = 1 << 31;

impl<'t> DeviceTree<'t> {
    /// A tree on a device. Nothing is sent yet.
    ///
    /// # Errors
    /// More than 2^31 vertices.
    pub fn new(device: &Device, tree: &'t Tree) -> Result<DeviceTree<'t>, GpuError> {
        if tree.len() > MOST_VERTICES {
            return Err(GpuError::TooManyVertices { vertices: tree.len(), most: MOST_VERTICES });
        }
        Ok(DeviceTree {
            device: device.clone(),
            tree,
            tour: OnceLock::new(),
            levels: OnceLock::new(),
            contraction: OnceLock::new(),
            packets: OnceLock::new(),
        })
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The tree.
    pub fn tree(&self) -> &'t Tree {
        self.tree
    }

    /// Whether this is a forest whose trees all fit into packets, which is what
    /// [`Columns::trees`](crate::Columns::trees) needs.
    pub fn has_small_trees(&self) -> bool {
        let sizes = self.tree.sizes();
        let small = |root: u32| sizes[root as usize] as usize <= packets::MOST;
        self.tree.roots() > 1 && self.tree.root_positions().all(small)
    }

    /// Brings values up, one per position.
    ///
    /// # Errors
    /// Another number of values than vertices, too little memory, or a lost device.
    pub fn upload<E: Element>(&self, values: &[E]) -> Result<DeviceValues<E>, GpuError> {
        GpuError::check_length(self.tree.len(), values.len())?;
        DeviceValues::upload(&self.device, values)
    }

    /// Sends a form now; a form that is there is left alone.
    ///
    /// # Errors
    /// Too little memory, or a lost device.
    pub fn prepare(&self, form: Form) -> Result<(), GpuError> {
        match form {
            Form::Tour => self.tour().map(|_| ()),
            Form::Levels => self.levels().map(|_| ()),
            Form::Contraction => self.contraction().map(|_| ()),
            Form::Packets => {
                let packets = self.packets()?;
                let load = |k| packets.load(&self.device, self.tree, k).map(|_| ());
                (0..packets.count()).try_for_each(load)
            }
        }
    }

    /// The seconds that sending a form took; none when it is not there. Packets go up while a pass
    /// runs, which counts them.
    pub fn transfer_seconds(&self, form: Form) -> Option<f64> {
        match form {
            Form::Tour => self.tour.get().map(|form| form.1),
            Form::Levels => self.levels.get().map(|form| form.1),
            Form::Contraction => self.contraction.get().map(|form| form.1),
            Form::Packets => self.packets.get().map(|form| form.1),
        }
    }

    pub(crate) fn tour(&self) -> Result<&Tour, GpuError> {
        once(&self.tour, || Tour::upload(&self.device, self.tree))
    }

    pub(crate) fn levels(&self) -> Result<&LevelForm, GpuError> {
        once(&self.levels, || LevelForm::upload(&self.device, self.tree))
    }

    pub(crate) fn contraction(&self) -> Result<&ContractForm, GpuError> {
        once(&self.contraction, || ContractForm::upload(&self.device, self.tree))
    }

    /// Packets of the forest's trees, which go up one load after the other.
    pub(crate) fn packets(&self) -> Result<&PacketForm, GpuError> {
        once(&self.packets, || Ok((PacketForm::new(&self.device, self.tree)?, 0.0)))
    }
}

/// What a cell holds, made when it holds nothing.
fn once<T>(
    cell: &OnceLock<(T, f64)>,
    make: impl FnOnce() -> Result<(T, f64), GpuError>,
) -> Result<&T, GpuError> {
    if let Some(form) = cell.get() {
        return Ok(&form.0);
    }
    let made = make()?;
    Ok(&cell.get_or_init(|| made).0)
}
