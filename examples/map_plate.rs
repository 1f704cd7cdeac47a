//! A plate with a crack on a torus of 8 x 8 processors: one part per processor, few values over
//! the busiest link, all messages at once. What does placing parts at random cost instead?
use palmette::mesh::element::node_graph;
use palmette::mesh::shapes::{CrackPlateParams, crack_plate};
use palmette::mesh::{Machine, PartitionParams, placement};
use palmette::{Mapping, MappingParams, MappingTraffic, PartitionFigures, map_mesh};

/// The values over the busiest link, and the phases.
fn busiest(mapping: &Mapping) -> (u64, usize) {
    match &mapping.traffic {
        MappingTraffic::Routes(phases) => (phases.routes.max_link_load(), phases.count),
        MappingTraffic::Levels(_) => (0, 0),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let plate = crack_plate(&CrackPlateParams { nodes: 2000, doubled: false })?;
    let graph = node_graph(&plate);
    let torus: Machine = "torus:8x8".parse()?;
    let partition = PartitionParams { parts: 64, ..PartitionParams::default() };
    let joint = MappingParams { partition, ..MappingParams::default() };
    let mapping = map_mesh(&graph, plate.points(), None, &torus, &joint)?;
    let figures = PartitionFigures::of(&graph, &mapping.partition.part, 64, None);
    let (load, phases) = busiest(&mapping);
    println!(
        "cut {}, parts of {} to {} nodes; hopsum {}, at most {load} values over a link, {phases} phase",
        figures.cut,
        figures.smallest,
        figures.largest,
        mapping.hopsum()
    );
    // Parts have 31 nodes on average, the largest one more.
    assert!(figures.smallest > 0 && figures.largest <= 33, "{figures:?}");
    // Few values go farther than to a neighbour, and all paths fit 20 channels per processor.
    assert!(mapping.hopsum() < 2 * mapping.quotient.total(), "{}", mapping.hopsum());
    assert_eq!(phases, 1);

    let random = MappingParams { placement: Some(placement::Method::Random), ..joint };
    let random = map_mesh(&graph, plate.points(), None, &torus, &random)?;
    assert!(random.hopsum() > 2 * mapping.hopsum(), "{}", random.hopsum());
    assert!(busiest(&random).0 > load);
    println!("placed at random: hopsum {}, {} values", random.hopsum(), busiest(&random).0);
    Ok(())
}
