//! One default seed: without one, the library, the command and Python give the same answers.

use palmette::OperatorParams;
use palmette::core::DEFAULT_SEED;
use palmette::core::generate::GenerateParams;
use palmette::graph::QualityParams;
use palmette::graph::solve::{ApproximateCholeskyParams, SolveParams};
use palmette::mesh::partition::{JointParams, PartitionParams};
use palmette::mesh::placement::SearchParams;
use palmette::mesh::routing::RouteParams;
use palmette::spatial::layout::RefineParams;
use palmette::spatial::machine::MachineParams;
use palmette::sweep::Study;
use palmette::tree::distributed::DistributedParams;

#[test]
fn every_default_seed_is_the_same() {
    let joint = JointParams::default();
    for (name, seed) in [
        ("generate", GenerateParams::default().seed),
        ("distributed", DistributedParams::default().seed),
        ("quality", QualityParams::default().seed),
        ("solve", SolveParams::default().seed),
        ("approximate Cholesky", ApproximateCholeskyParams::default().seed),
        ("partition", PartitionParams::default().seed),
        ("joint, partition", joint.partition.seed),
        ("joint, search", joint.search.seed),
        ("search", SearchParams::default().seed),
        ("route", RouteParams::default().seed),
        ("refine", RefineParams::default().seed),
        ("machine", MachineParams::default().seed),
        ("operator", OperatorParams::default().seed),
        ("sweep", Study::default().seed),
    ] {
        assert_eq!(seed, DEFAULT_SEED, "{name}");
    }
}
