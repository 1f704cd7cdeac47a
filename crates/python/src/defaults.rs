//! The library's defaults and limits, which signatures and checks in Python show.

use palmette::core::DEFAULT_SEED;
use palmette::core::parallel::MOST_THREADS;
use palmette::graph::order::OrderMethod;
use palmette::graph::solve::SolveParams;
use palmette::graph::sparsify::SparsifyParams;
use palmette::mesh::partition::Previous;
use palmette::mesh::placement::RankFormat;
use palmette::phylo::diversity::Distance;
use palmette::power::flow::FlowParams;
use palmette::spatial::layout::LayoutParams;
use palmette::spatial::machine::Delivery;
use palmette::spatial::machine::network::NetworkParams;
use palmette::{JOINT, MappingParams, program_machine};
use pyo3::prelude::*;

/// Adds them to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("MOST_THREADS", MOST_THREADS)?;
    module.add("DEFAULT_SEED", DEFAULT_SEED)?;
    module.add("DEFAULT_ALPHA", Distance::ALPHA)?;
    module.add("DEFAULT_KR_ORDER", Distance::ORDER)?;
    let FlowParams { tolerance, max_sweeps, .. } = FlowParams::default();
    module.add("DEFAULT_FLOW_TOLERANCE", tolerance)?;
    module.add("DEFAULT_FLOW_SWEEPS", max_sweeps)?;
    let SolveParams { tolerance, preconditioner, .. } = SolveParams::default();
    module.add("DEFAULT_TOLERANCE", tolerance)?;
    module.add("DEFAULT_PRECONDITIONER", preconditioner.name())?;
    module.add("DEFAULT_RULE", SparsifyParams::default().rule.name())?;
    let MappingParams { partition, routing, objective, .. } = MappingParams::default();
    module.add("DEFAULT_PRESET", partition.preset.name())?;
    module.add("DEFAULT_BISECTION", partition.bisection.name())?;
    module.add("DEFAULT_ORDER_METHOD", OrderMethod::default().name())?;
    module.add("DEFAULT_PLACEMENT", JOINT)?;
    module.add("DEFAULT_IMBALANCE", partition.imbalance)?;
    module.add("DEFAULT_MIGRATION", Previous::MIGRATION)?;
    module.add("DEFAULT_ROUTING", routing.name())?;
    module.add("DEFAULT_MAP_OBJECTIVE", objective.name())?;
    module.add("DEFAULT_RANK_FORMAT", RankFormat::default().name())?;
    let NetworkParams { hop, ramp, compute, capacity } = NetworkParams::default();
    module.add("DEFAULT_REPLAY", program_machine().replay.name())?;
    module.add("DEFAULT_HOP_LATENCY", hop)?;
    module.add("DEFAULT_RAMP_LATENCY", ramp)?;
    module.add("DEFAULT_COMPUTE_LATENCY", compute)?;
    module.add("DEFAULT_LINK_CAPACITY", capacity)?;
    let LayoutParams { curve, order, refine, .. } = LayoutParams::default();
    module.add("DEFAULT_CURVE", curve.name())?;
    module.add("DEFAULT_ORDER", order.name())?;
    module.add("DEFAULT_DELIVERY", Delivery::default().to_string())?;
    module.add("DEFAULT_TIME_LIMIT", refine.time_limit.unwrap_or_default().as_secs_f64())
}
