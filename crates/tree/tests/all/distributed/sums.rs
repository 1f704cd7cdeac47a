//! Sums of floats on ranks: exact ones have the bits of one machine, the others keep their bounds.

use super::{built, cuts, inputs, sliced, tree};
use palmette_core::Tree;
use palmette_core::operator::Words;
use palmette_tree::distributed::Ranks;
use palmette_tree::sum::{
    DistributedSums, Float, SumParams, Summation, distributed_sums, distributed_sums_of_columns,
    tree_sums,
};
use palmette_tree::{Direction, Scope};

const RANKS: [usize; 5] = [1, 2, 3, 4, 7];
const DIRECTIONS: [Direction; 2] = [Direction::Rootfix, Direction::Leaffix];

fn mix(k: usize) -> u64 {
    (k as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29) ^ 0x5DEE_CE66
}

/// Numbers of both signs over `range` binary orders of magnitude.
fn spread(n: usize, range: u64) -> Vec<f64> {
    let one = |k: usize| {
        let bits = mix(k);
        let size = (1.0 + (bits >> 40) as f64 / (1 << 24) as f64)
            * 2f64.powi((bits % range) as i32 - range as i32 / 2);
        if bits >> 20 & 1 == 1 { -size } else { size }
    };
    (0..n).map(one).collect()
}

/// The sums of all ranks, by vertex, with what each rank says of all: of a tree in order, and of
/// one without.
fn on_all<T: Float + Words<1>, const W: usize>(
    parents: &[u32],
    cut: &[usize],
    direction: Direction,
    values: &[T],
    params: SumParams,
) -> [DistributedSums<T>; 2]
where
    T::Wide: Words<W>,
{
    [true, false].map(|ordered| of_one(parents, cut, direction, values, params, ordered))
}

fn of_one<T: Float + Words<1>, const W: usize>(
    parents: &[u32],
    cut: &[usize],
    direction: Direction,
    values: &[T],
    params: SumParams,
    ordered: bool,
) -> DistributedSums<T>
where
    T::Wide: Words<W>,
{
    let own = sliced(values, cut);
    let found = built(parents, cut, ordered, |ranks, tree, _| {
        let own = &own[ranks.rank()];
        distributed_sums(ranks, tree, direction, own, params).unwrap()
    });
    let found: Vec<_> = found.into_iter().map(Result::unwrap).collect();
    let findings = found[0].findings;
    assert!(found.iter().all(|one| one.findings == findings), "all ranks know the same");
    let bounds = params.bounds.then(|| found.iter().flat_map(|f| f.bounds.clone().unwrap()));
    let bounds = bounds.map(Iterator::collect);
    DistributedSums { sums: found.into_iter().flat_map(|f| f.sums).collect(), bounds, findings }
}

/// By vertex, on one machine.
fn alone<T: Float>(tree: &Tree, direction: Direction, values: &[T], params: SumParams) -> Vec<T> {
    let values = tree.to_positions(values).unwrap();
    let found = tree_sums(tree, direction, &values, params).unwrap();
    tree.to_vertices(&found.sums).unwrap()
}

fn bits<T: Float>(x: &[T]) -> Vec<u64> {
    x.iter().map(|x| x.as_f64().to_bits()).collect()
}

/// Two, five and thirty-four words.
#[test]
fn exact_sums_have_the_bits_of_one_machine() {
    let n = 600;
    for (name, parents) in inputs(n, 21) {
        let tree = tree(&parents);
        for (turn, range) in [20, 200, 2000].into_iter().enumerate() {
            let wide = spread(n, range);
            let single: Vec<f32> = spread(n, range.min(240)).iter().map(|&x| x as f32).collect();
            for direction in DIRECTIONS {
                let scope = if turn == 1 { Scope::Exclusive } else { Scope::Inclusive };
                let summation = Summation::Exact;
                let params = SumParams { scope, summation, bounds: true, ..Default::default() };
                let (wanted, wanted_single) = (
                    bits(&alone(&tree, direction, &wide, params)),
                    bits(&alone(&tree, direction, &single, params)),
                );
                for ranks in RANKS {
                    let cut = cuts(n, ranks, 2).swap_remove((ranks + turn) % 4);
                    for found in on_all(&parents, &cut, direction, &wide, params) {
                        assert_eq!(bits(&found.sums), wanted, "{name} {cut:?}, 2^{range}");
                        let halves = found.sums.iter().zip(found.bounds.unwrap());
                        assert!(
                            halves
                                .into_iter()
                                .all(|(x, b)| b == if *x == 0.0 { 0.0 } else { x.half_gap() })
                        );
                    }
                    for found in on_all(&parents, &cut, direction, &single, params) {
                        assert_eq!(bits(&found.sums), wanted_single, "{name} {cut:?}, 2^{range}");
                    }
                }
            }
        }
    }
}

#[test]
fn errors_stay_below_their_bounds() {
    let n = 3000;
    for (name, parents) in inputs(n, 22) {
        let tree = tree(&parents);
        let values: Vec<f32> = spread(n, 24).iter().map(|&x| x as f32).collect();
        let wide: Vec<f64> = values.iter().map(|&x| x.into()).collect();
        for direction in DIRECTIONS {
            let params = SumParams { summation: Summation::Exact, ..Default::default() };
            // The nearest doubles to sums of f32: off by far less than any f32 is.
            let exact = alone(&tree, direction, &wide, params);
            for (summation, ranks) in [(Summation::Plain, 4), (Summation::Compensated, 7)] {
                let params = SumParams { summation, bounds: true, ..Default::default() };
                let cut = cuts(n, ranks, 3).swap_remove(3);
                for found in on_all(&parents, &cut, direction, &values, params) {
                    for (v, bound) in found.bounds.unwrap().into_iter().enumerate() {
                        let error = (f64::from(found.sums[v]) - exact[v]).abs();
                        let room = bound * (1.0 + 1e-6) + exact[v].abs() * f64::EPSILON;
                        assert!(error <= room, "{name} {summation}, vertex {v}: {error} {bound}");
                    }
                }
            }
        }
    }
}

#[test]
fn what_is_not_finite_is_counted_on_all_ranks() {
    let parents = [u32::MAX, 0, 1, 1, 0, 4];
    let values = [1.0, f64::NAN, 2.0, f64::INFINITY, f64::NEG_INFINITY, 3.0];
    let large = [1e308, 1e308, 1e308, -1e308, 1.0, 1.0];
    let tree = tree(&parents);
    for summation in Summation::ALL {
        let params = SumParams { summation, ..Default::default() };
        for direction in DIRECTIONS {
            for values in [values, large] {
                let here = tree.to_positions(&values).unwrap();
                let wanted = tree_sums(&tree, direction, &here, params).unwrap();
                let sums = tree.to_vertices(&wanted.sums).unwrap();
                for cut in [vec![6], vec![2, 0, 4], vec![1, 1, 1, 1, 1, 1, 0]] {
                    let both = on_all(&parents, &cut, direction, &values, params);
                    // Without order siblings are added in another order, and whether a partial
                    // sum overflows on the way depends on that; exact sums have none.
                    let any_order = values != large || summation == Summation::Exact;
                    for found in both.into_iter().take(if any_order { 2 } else { 1 }) {
                        assert_eq!(found.findings, wanted.findings, "{summation} {cut:?}");
                        let same = |(a, b): (&f64, &f64)| a == b || a.is_nan() && b.is_nan();
                        assert!(found.sums.iter().zip(&sums).all(same), "{summation} {cut:?}");
                    }
                }
            }
        }
    }
}

/// Columns that are followed together have the bits that each has alone, and its findings.
#[test]
fn columns_together_are_as_alone() {
    let n = 400;
    let columns: Vec<Vec<f64>> = (0..6)
        .map(|k| {
            let mut column = spread(n, 20 + 30 * k);
            if k == 4 {
                (column[7], column[300]) = (f64::NAN, f64::INFINITY);
            }
            column
        })
        .collect();
    for (name, parents) in inputs(n, 9) {
        for (direction, cut) in DIRECTIONS.into_iter().zip([vec![250, 150], vec![50, 0, 350]]) {
            let own: Vec<_> = columns.iter().map(|column| sliced(column, &cut)).collect();
            for (count, scope) in [(2, Scope::Inclusive), (6, Scope::Exclusive)] {
                let found = built(&parents, &cut, false, |ranks, tree, _| {
                    let own: Vec<&[f64]> =
                        own[..count].iter().map(|x| &x[ranks.rank()][..]).collect();
                    let params = SumParams { scope, ..Default::default() };
                    let together =
                        distributed_sums_of_columns(ranks, tree, direction, &own, params).unwrap();
                    for (column, together) in own.iter().zip(together) {
                        let alone =
                            distributed_sums(ranks, tree, direction, column, params).unwrap();
                        let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                        assert_eq!(bits(&together.sums), bits(&alone.sums), "{name} {cut:?}");
                        assert_eq!(together.findings, alone.findings, "{name} {cut:?}");
                    }
                });
                found.into_iter().for_each(|found| found.unwrap());
            }
        }
    }
}
