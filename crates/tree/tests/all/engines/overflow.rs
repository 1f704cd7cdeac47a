//! Sums that do not fit: every engine wraps to the same number, and that it may come
//! to this is known beforehand.

use crate::engines::checker::{DIRECTIONS, Direction, SCOPES};
use crate::engines::erased::{Packed, from_parents};
use crate::engines::random::Random;
use crate::engines::run::{forest, pass};
use crate::engines::trees;
use palmette_core::NONE;
use palmette_core::operator::{Number, Operator, Sum};
use palmette_tree::{Engine, Scope, TreefixParams};
use proptest::prelude::*;

/// The exact sums by vertex, by adding every value at all vertices that count it.
fn exact(parents: &[u32], values: &[i128], direction: Direction, scope: Scope) -> Vec<i128> {
    let mut sums = vec![0; parents.len()];
    for v in 0..parents.len() {
        let mut above = v;
        loop {
            if above != v || scope == Scope::Inclusive {
                match direction {
                    Direction::Rootfix => sums[v] += values[above],
                    Direction::Leaffix => sums[above] += values[v],
                }
            }
            match parents[above] {
                NONE => break,
                p => above = p as usize,
            }
        }
    }
    sums
}

/// A sum must be right modulo 2^64, and flagged when one does not fit. It must not be
/// flagged when `quiet`: the magnitudes together fit.
fn check<T: Number + Packed + PartialEq>(
    parents: &[u32],
    values: &[T],
    wrap: fn(i128) -> T,
    quiet: bool,
    engines: &[Engine],
) {
    let tree = forest(parents);
    let placed = tree.to_positions(values).unwrap();
    let wide: Vec<i128> = values.iter().map(|x| x.exact().unwrap()).collect();
    let verdict = |op: &Sum<T>, actual: &[T], expected: &[i128], what: &str| {
        let wrapped: Vec<T> = expected.iter().map(|&x| wrap(x)).collect();
        assert!(actual == wrapped, "{what}: {actual:?}, expected {wrapped:?}\n{parents:?}");
        let fits = expected.iter().all(|&x| wrap(x).exact() == Some(x));
        assert!(fits || op.may_overflow(values), "{what}: not flagged: {expected:?}\n{parents:?}");
        assert!(!(quiet && op.may_overflow(values)), "{what}: flagged for nothing");
    };
    for (direction, scope) in DIRECTIONS.into_iter().flat_map(|d| SCOPES.map(|s| (d, s))) {
        let expected = exact(parents, &wide, direction, scope);
        for &engine in engines {
            let (op, mut out) = (Sum::new(), vec![T::ONE; tree.len()]);
            let params = TreefixParams { scope, engine };
            pass(&tree, None, &placed, &op, direction, params, &mut out).unwrap();
            let actual = tree.to_vertices(&out).unwrap();
            verdict(&op, &actual, &expected, &format!("{engine} {direction:?} {scope:?}"));
        }
    }
    let op = Sum::new();
    let actual = from_parents(parents, values, &op).unwrap();
    let expected = exact(parents, &wide, Direction::Leaffix, Scope::Inclusive);
    verdict(&op, &actual, &expected, "from_parents");
}

/// Values near both ends of the range, and small ones.
fn extreme(random: &mut Random) -> i64 {
    match random.below(5) {
        0 => i64::MAX - random.below(3) as i64,
        1 => i64::MIN + random.below(3) as i64,
        2 => 1 << 62,
        3 => -(1 << 62),
        _ => random.signed(5),
    }
}

#[test]
fn sums_wrap_and_are_flagged() {
    for n in 1..60 {
        for shape in trees::shapes(n, 1) {
            for (_, parents) in trees::arrangements(&shape, 2) {
                let mut random = Random(n as u64);
                let signed: Vec<i64> = parents.iter().map(|_| extreme(&mut random)).collect();
                check(&parents, &signed, |x| x as i64, false, &Engine::ALL);
                let unsigned: Vec<u64> = signed.iter().map(|&x| x as u64).collect();
                check(&parents, &unsigned, |x| x as u64, false, &Engine::ALL);
                // Together they just fit.
                let share = i64::MAX / n as i64;
                let fitting: Vec<i64> = parents.iter().map(|_| share).collect();
                check(&parents, &fitting, |x| x as i64, true, &Engine::ALL);
                let fitting: Vec<u64> = vec![u64::MAX / n as u64; n];
                check(&parents, &fitting, |x| x as u64, true, &Engine::ALL);
            }
        }
    }
}

/// The prefix before vertex 1 is the smallest number, whose negative does not fit; the
/// sum below vertex 1 is 2^63, which does not fit either.
#[test]
fn the_smallest_number_is_its_own_negative() {
    let values = [i64::MIN, 1 << 62, 1 << 62];
    check(&[NONE, 0, 1], &values, |x| x as i64, false, &[Engine::Euler]);
}

proptest! {
    #[test]
    fn bare_parents_wrap(seed in any::<u64>(), n in 1usize..700, span in 1u64..400) {
        let mut random = Random(seed);
        let parents: Vec<u32> = (0..n as u64)
            .map(|v| if v == 0 { NONE } else { random.below(v.min(span)) as u32 })
            .collect();
        let parents = palmette_core::generate::shuffle(&parents, seed);
        let values: Vec<i64> = (0..n).map(|_| extreme(&mut random)).collect();
        check(&parents, &values, |x| x as i64, false, &[Engine::Sequential]);
    }
}
