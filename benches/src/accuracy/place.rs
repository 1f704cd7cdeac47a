//! Where a contestant adds: on the host, on ranks, or on a device.

use crate::timing::pool;
use palmette_core::Tree;
use palmette_tree::distributed::{
    DistributedParams, DistributedTree, Metered, NO_VERTEX, Ranks, ThreadRank, on_threads,
};
use palmette_tree::sum::{SumParams, Summation, distributed_sums, tree_sums};
use palmette_tree::{Direction, Engine};

/// Where sums are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// By an engine of the host.
    Host(Engine),
    /// On so many ranks, which are threads here.
    Ranks(usize),
    /// By an engine of the device.
    #[cfg(feature = "gpu")]
    Device(DeviceEngine),
}

impl Place {
    /// The sums and their bounds, by position.
    ///
    /// # Panics
    /// When there is not a value for every position, or the device says no.
    pub fn sums(
        self,
        tree: &Tree,
        direction: Direction,
        values: &[f32],
        summation: Summation,
    ) -> (Vec<f32>, Vec<f64>) {
        let params = SumParams { summation, bounds: true, ..Default::default() };
        match self {
            Place::Host(engine) => {
                let params = SumParams { engine, ..params };
                let found = tree_sums(tree, direction, values, params).expect("lengths agree");
                (found.sums, found.bounds.expect("bounds were asked for"))
            }
            Place::Ranks(ranks) => on_ranks(ranks, tree, direction, values, params),
            #[cfg(feature = "gpu")]
            Place::Device(engine) => device::sums(engine, tree, direction, values),
        }
    }
}

/// Even slices of the preorder. A rank has a pool of its own: those of the study wait for ranks,
/// and would not do their work.
fn on_ranks(
    count: usize,
    tree: &Tree,
    direction: Direction,
    values: &[f32],
    params: SumParams,
) -> (Vec<f32>, Vec<f64>) {
    let n = tree.len();
    let parent = |i: usize| tree.parent(i as u32).map_or(NO_VERTEX, u64::from);
    let one = |rank: ThreadRank| {
        let mut ranks = Metered::new(rank);
        let own = n * ranks.rank() / count..n * (ranks.rank() + 1) / count;
        let parents: Vec<u64> = own.clone().map(parent).collect();
        let tree = DistributedTree::build(&mut ranks, &parents, DistributedParams::default())?;
        distributed_sums(&mut ranks, &tree, direction, &values[own], params)
    };
    let found = on_threads(count, |rank| pool(1).install(|| one(rank)));
    let (mut sums, mut bounds) = (Vec::with_capacity(n), Vec::with_capacity(n));
    for found in found {
        let found = found.expect("threads talk to each other");
        sums.extend(found.sums);
        bounds.extend(found.bounds.expect("bounds were asked for"));
    }
    (sums, bounds)
}

/// Those of the device, where this build knows devices.
pub fn on_devices() -> Vec<(&'static str, Summation, Place)> {
    #[cfg(feature = "gpu")]
    return DeviceEngine::ALL
        .into_iter()
        .map(|engine| (engine.name(), Summation::Plain, Place::Device(engine)))
        .collect();
    #[cfg(not(feature = "gpu"))]
    Vec::new()
}

#[cfg(feature = "gpu")]
pub use device::DeviceEngine;

#[cfg(feature = "gpu")]
mod device {
    use crate::timing::pool;
    use palmette_core::Tree;
    use palmette_core::operator::Sum;
    use palmette_gpu::{Device, DeviceParams, DeviceTree, bound, leaffix, rootfix};
    use palmette_tree::{Direction, Scope};
    use rayon::ThreadPool;
    use std::sync::OnceLock;

    /// The engines of devices.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum DeviceEngine {
        /// Level by level.
        Levels,
        /// Rake and compress.
        Contract,
        /// The scan over the tour.
        Euler,
    }

    impl DeviceEngine {
        /// All of them.
        pub const ALL: [DeviceEngine; 3] =
            [DeviceEngine::Levels, DeviceEngine::Contract, DeviceEngine::Euler];

        /// The name on the command line.
        pub const fn name(self) -> &'static str {
            match self {
                DeviceEngine::Levels => "gpu-levels",
                DeviceEngine::Contract => "gpu-contract",
                DeviceEngine::Euler => "gpu-euler",
            }
        }
    }

    /// The device and the one thread that works with it. Threads of the study must not wait for
    /// it as threads of a pool do, which take up other trees meanwhile, and would wait for ever.
    fn device() -> &'static (Device, ThreadPool) {
        static DEVICE: OnceLock<(Device, ThreadPool)> = OnceLock::new();
        DEVICE.get_or_init(|| {
            let device = Device::open(&DeviceParams::default()).expect("there is a device");
            (device, pool(1))
        })
    }

    pub(super) fn sums(
        engine: DeviceEngine,
        tree: &Tree,
        direction: Direction,
        values: &[f32],
    ) -> (Vec<f32>, Vec<f64>) {
        let (device, alone) = device();
        let work = || alone.install(|| sums_on(device, engine, tree, direction, values));
        std::thread::scope(|scope| scope.spawn(work).join()).expect("the device did it")
    }

    fn sums_on(
        device: &Device,
        engine: DeviceEngine,
        tree: &Tree,
        direction: Direction,
        values: &[f32],
    ) -> (Vec<f32>, Vec<f64>) {
        let on = DeviceTree::new(device, tree).expect("the tree fits");
        let up = on.upload(values).expect("the values fit");
        let pass = match (engine, direction) {
            (DeviceEngine::Levels, Direction::Rootfix) => rootfix::levels,
            (DeviceEngine::Levels, Direction::Leaffix) => leaffix::levels,
            (DeviceEngine::Contract, Direction::Rootfix) => rootfix::contract,
            (DeviceEngine::Contract, Direction::Leaffix) => leaffix::contract,
            (DeviceEngine::Euler, Direction::Rootfix) => rootfix::euler,
            (DeviceEngine::Euler, Direction::Leaffix) => leaffix::euler,
        };
        let scope = Scope::Inclusive;
        let sums = pass(&on, &up, &Sum::<f32>::new(), scope).expect("finite values");
        let (sums, _) = sums.download().expect("the device is there");
        let bounds = match engine {
            DeviceEngine::Euler => bound::by_scan(tree, direction, values, scope),
            _ => bound::in_any_brackets(tree, direction, values, scope),
        };
        (sums, bounds)
    }
}
