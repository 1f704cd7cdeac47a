//! Runs of layout creation, of the Euler tours in it, and of messages on what it makes.

use super::*;
use palmette_core::tree::SiblingOrder::LightFirst;
use palmette_spatial::layout::LayoutTraffic;
use palmette_spatial::program::creation::{create, creation_words};
use palmette_spatial::program::tour::{TOUR_WORDS, euler_tour};

/// A tree whose vertices lie at random.
pub(super) fn run(study: &Study, case: Case, shape: Shape) -> Result<Run, SweepError> {
    let tree = study.shuffled(shape, case.n)?;
    let links = links_of(&tree)?;
    let mut machine = study.machine(case.n, creation_words(case.n))?;
    let created = create(&mut machine, &links)?;
    let host = tree.with_siblings(LightFirst);
    let is_right =
        created.vertices.states() == host.vertices() && created.families == families(&host);

    let mut other = study.machine(case.n, TOUR_WORDS)?;
    let tour = euler_tour(&mut other, "tour", &links)?;
    let is_tour = tour.ranks.states() == brackets(&tree);

    let rounds = created.rounds.iter().sum();
    let mut run = Run::on(&machine, case, Some(rounds), is_right && is_tour);
    run.finding(Claim::Theorem4, case.n, run.costs);
    run.finding(Claim::Corollary2, case.n, other.costs());
    if is_bounded(shape) {
        let parents: Vec<u32> = created.families.states().iter().map(|f| f.parent).collect();
        run.finding(Claim::Theorem1, case.n, messages(study, &parents)?);
    }
    Ok(run)
}

/// Every vertex but the root hears from its parent, addresses being places on the curve.
fn messages(study: &Study, parents: &[u32]) -> Result<Costs, SweepError> {
    let curve = study.curve.fitting(parents.len() as u64)?;
    let cells: Vec<_> = (0..parents.len() as u64).map(|i| curve.cell(i)).collect();
    let traffic = LayoutTraffic::from_parents(curve.grid(), &cells, parents);
    Ok(Costs {
        energy: traffic.energy,
        energy_words: traffic.energy_words(),
        messages: traffic.messages,
        depth: traffic.depth(),
        distance: traffic.longest,
        longest: traffic.longest as u32,
    })
}

/// Where every vertex opens and closes on a walk around the tree.
fn brackets(tree: &Tree) -> Vec<[u32; 2]> {
    let depths = tree.depths();
    let bracket = |&at: &u32| {
        let open = 2 * at - depths[at as usize];
        [open, open + 2 * tree.sizes()[at as usize] - 1]
    };
    tree.positions().iter().map(bracket).collect()
}
