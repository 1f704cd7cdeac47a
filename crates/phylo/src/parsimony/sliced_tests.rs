//! Scores on ranks against those of one machine.

use super::tests::Packed;
use super::*;
use palmette_core::generate::{Shape, generate, shuffle};
use palmette_core::{NONE, Tree};
use palmette_tree::distributed::{
    DistributedParams, DistributedTree, FoldSlices, Metered, NO_VERTEX, Ranks, on_threads,
};

/// The scores of all sites on so many ranks, or what the first rank with an error says.
fn on_ranks(
    parents: &[u32],
    (states, sites): (usize, usize),
    set: &(impl Fn(usize, usize) -> u32 + Sync),
    costs: Option<&CostMatrix>,
    count: usize,
) -> Result<Vec<f64>, String> {
    let bound = |rank: usize| parents.len() * rank / count;
    let found = on_threads(count, |rank| {
        let mut ranks = Metered::new(rank);
        let rank = ranks.rank();
        let wide = |&p: &u32| if p == NONE { NO_VERTEX } else { p.into() };
        let own: Vec<u64> = parents[bound(rank)..bound(rank + 1)].iter().map(wide).collect();
        let params = DistributedParams { ordered: false, ..Default::default() };
        let tree = DistributedTree::build(&mut ranks, &own, params).expect("a tree");
        let slices = FoldSlices::build(&mut ranks, &tree, &own).expect("a layout");
        let mut records = vec![Vec::new(); count];
        for (k, &position) in slices.positions().iter().enumerate() {
            let (to, place) = slices.place_of(position);
            records[to].extend([u64::from(place), (bound(rank) + k) as u64]);
        }
        let counts: Vec<usize> = records.iter().map(Vec::len).collect();
        let mail = ranks.exchange(&records.concat(), &counts).expect("ranks");
        let (mut sets, mut row_of) = (Vec::new(), vec![NONE; slices.len()]);
        for &[place, vertex] in mail.words.as_chunks::<2>().0 {
            // Every seventh tip is unknown.
            if slices.is_leaf(place as u32) && vertex % 7 != 3 {
                row_of[place as usize] = sets.len() as u32;
                sets.push((0..sites).map(|site| set(vertex as usize, site)).collect());
            }
        }
        let rows = Packed::rows_of(states, sites, &sets);
        let tips = TipSets::new(states, sites, &rows, &row_of).expect("packed well");
        shared_parsimony(&mut ranks, &slices, &tips, costs)
    });
    let mut all = Vec::new();
    for found in found {
        match found {
            Ok(found) => {
                assert_eq!(found.first, all.len());
                all.extend(found.scores);
            }
            Err(SharedParsimonyError::Parsimony(error)) => return Err(error.to_string()),
            Err(SharedParsimonyError::Distributed(_)) => {}
        }
    }
    Ok(all)
}

#[test]
fn slices_have_the_scores_of_the_whole() {
    let inf = f64::INFINITY;
    let shapes =
        [Shape::Random, Shape::Caterpillar, Shape::Star, Shape::Binary, Shape::Preferential];
    let matrix = |states: usize, cost: &dyn Fn(usize, usize) -> f64| {
        let entry = |i: usize| match (i / states, i % states) {
            (a, b) if a == b => 0.0,
            (a, b) => cost(a, b),
        };
        let costs: Vec<f64> = (0..states * states).map(entry).collect();
        CostMatrix::new(states, &costs).expect("costs")
    };
    for (k, shape) in shapes.into_iter().enumerate() {
        for (states, sites) in [(4, 300), (6, 70), (20, 33)] {
            let costs = [
                None,
                Some(matrix(states, &|a, b| 0.5 + ((a * 5 + b * 3) % 4) as f64)),
                Some(matrix(states, &|a, b| 1000.0 * (1 + (a + 2 * b) % 5) as f64)),
                Some(matrix(states, &|a, b| 1e5 + (a * b) as f64)),
                // States never become smaller.
                Some(matrix(states, &|a, b| if a > b { inf } else { (b - a) as f64 })),
            ];
            let parents = shuffle(&generate(shape, 700, 3).expect("a tree"), 4);
            let tree = Tree::from_parents(&parents).expect("a tree");
            let set = |vertex: usize, site: usize| {
                let x = (vertex * 31 + site * 17 + vertex * site % 13) % (states * 3);
                if x < states { 1 << x } else { 1 << (site % states) | 1 << (x % states) }
            };
            let leaf = |p: &u32| tree.is_leaf(*p);
            let tip = |p: u32| {
                let vertex = tree.vertices()[p as usize] as usize;
                let any = palmette_core::sites::all_states(states);
                (0..sites).map(|s| if vertex % 7 == 3 { any } else { set(vertex, s) }).collect()
            };
            let sets: Vec<Vec<u32>> = (0..tree.len() as u32).filter(leaf).map(tip).collect();
            let packed = Packed::new(&tree, states, &sets);
            for (which, costs) in costs.iter().enumerate() {
                let params = ParsimonyParams::default();
                let whole = parsimony(&tree, &packed.tips(), costs.as_ref(), params);
                let whole = whole.map(|found| found.site_scores).map_err(|e| e.to_string());
                for count in [1, 2, 5] {
                    let shape = (states, sites);
                    let found = on_ranks(&parents, shape, &set, costs.as_ref(), count);
                    assert_eq!(found, whole, "{k}, {states} states, costs {which}, {count} ranks");
                }
            }
        }
    }
}

#[test]
fn what_no_states_explain_is_said_once() {
    // Neither state becomes the other one.
    let costs = [0.0, f64::INFINITY, f64::INFINITY, 0.0];
    let costs = CostMatrix::new(2, &costs).expect("costs");
    let set = |vertex: usize, site: usize| 1 << (vertex % 2 * usize::from(site > 4));
    let found = on_ranks(&[NONE, 0, 0, 0], (2, 9), &set, Some(&costs), 3);
    assert_eq!(found, Err("4 sites have no finite cost, the first is site 6".to_string()));
}
