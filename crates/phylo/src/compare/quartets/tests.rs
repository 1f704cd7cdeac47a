//! Quartets against all sets of four, looked at one by one.

use super::super::tests::{Read, read};
use super::*;
use proptest::prelude::*;

/// The state of four tips: which of the last three is with the first, or 0 for a star.
fn state(tree: &TipTree<'_>, four: [u32; 4]) -> usize {
    let way = |tip: u32| -> Vec<usize> {
        let leaf = tree.tips.iter().position(|&other| other == tip);
        std::iter::successors(leaf, |&i| tree.parent(i)).collect()
    };
    let ways = four.map(way);
    // Tips a and b are apart from c and d if a vertex is above both of one pair and none of the other.
    let divides = |a: usize, b: usize, c: usize, d: usize| {
        let only = |i: &usize| ways[b].contains(i) && !ways[c].contains(i) && !ways[d].contains(i);
        ways[a].iter().any(only)
    };
    let either = |a, b, c, d| divides(a, b, c, d) || divides(c, d, a, b);
    match () {
        () if either(0, 1, 2, 3) => 1,
        () if either(0, 2, 1, 3) => 2,
        () if either(0, 3, 1, 2) => 3,
        () => 0,
    }
}

fn one_by_one(a: &TipTree<'_>, b: &TipTree<'_>) -> Quartets {
    let mut found = Quartets::default();
    let n = a.count as u32;
    for i in 0..n {
        for j in i + 1..n {
            for k in j + 1..n {
                for l in k + 1..n {
                    let (x, y) = (state(a, [i, j, k, l]), state(b, [i, j, k, l]));
                    found.all += 1;
                    found.first += u64::from(x > 0);
                    found.second += u64::from(y > 0);
                    found.both += u64::from(x > 0 && y > 0);
                    found.same += u64::from(x > 0 && x == y);
                }
            }
        }
    }
    found
}

fn check(read: &Read) {
    let trees = read.trees();
    for a in &trees {
        for b in &trees {
            assert_eq!(Quartets::new(a, b).unwrap(), one_by_one(a, b));
        }
    }
}

#[test]
fn small_trees() {
    check(&read("(a,b,c);(a,(b,c));((a,b),c);"));
    check(&read("((a,b),(c,d));((a,c),b,d);(a,b,c,d);(((a,b),c),d);"));
    // Roots, vertices with one child and stars.
    check(&read(
        "((((a,b))),c,(d,e,f),g);(a,b,c,d,e,f,g);((a,c,e),(b,d),(f,g));(((((((a),b),c),d),e),f),g);",
    ));
}

#[test]
fn two_stars_below_two_stars() {
    // Components with many tips of many colours, on both sides.
    check(&read(
        "((a,b,c),(d,e,f),(g,h,i),(j,k));((a,d,g,j),(b,e,h,k),(c,f,i));((a,b,c,d,e),(f,g,h,i,j,k));",
    ));
}

/// A random tree over the tips as text: vertices are joined, two to `most` at a time.
fn random(tips: usize, most: usize, seed: u64) -> String {
    let mut state = seed;
    let mut draw = |n: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let mut parts: Vec<String> = (0..tips).map(|tip| format!("t{tip}")).collect();
    while parts.len() > 1 {
        let many = (2 + draw(most - 1)).min(parts.len());
        let joined: Vec<String> = (0..many).map(|_| parts.swap_remove(draw(parts.len()))).collect();
        parts.push(format!("({})", joined.join(",")));
    }
    parts.concat() + ";"
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn random_trees(tips in 4usize..13, most in (2usize..7, 2usize..7), seed in any::<u64>()) {
        check(&read(&(random(tips, most.0, seed) + &random(tips, most.1, seed ^ 77))));
    }

    /// The two ways to sum products of colours, and a tree's distance to itself.
    #[test]
    fn larger_trees(tips in 20usize..60, most in (2usize..30, 2usize..30), seed in any::<u64>()) {
        let read = read(&(random(tips, most.0, seed) + &random(tips, most.1, seed ^ 77)));
        let trees = read.trees();
        let (there, back) = (Quartets::new(&trees[0], &trees[1]), Quartets::new(&trees[1], &trees[0]));
        let (there, back) = (there.unwrap(), back.unwrap());
        prop_assert_eq!((there.both, there.same), (back.both, back.same));
        let own = Quartets::new(&trees[0], &trees[0]).unwrap();
        prop_assert_eq!((own.distance(), own.both), (0, own.first));
    }
}

#[test]
fn all_pairs_are_pairs() {
    let read = read("((a,b),(c,d),e);((a,c),b,d,e);(a,b,c,d,e);");
    let trees = read.trees();
    let one = |i: usize, j: usize| Quartets::new(&trees[i], &trees[j]).unwrap().distance();
    assert_eq!(quartet_distances(&trees).unwrap(), [one(0, 1), one(0, 2), one(1, 2)]);
}

#[test]
fn too_many_tips_are_refused() {
    let n = MOST_QUARTET_TIPS + 1;
    let mut parents = vec![0; n + 1];
    parents[0] = NONE;
    let tree = palmette_core::Tree::from_parents(&parents).unwrap();
    let tips: Vec<u32> = std::iter::once(NONE).chain(0..n as u32).collect();
    let star = TipTree::new(&tree, 0, n, &tips, None).unwrap();
    assert_eq!(Quartets::new(&star, &star), Err(CompareError::TooManyForQuartets { tips: n }));
}

#[test]
fn the_most_tips_do_not_overflow() {
    // Two ladders of opposite orders: all sets are divided, those of the second the other way around.
    assert!(2 * u128::from(sets_of_four(MOST_QUARTET_TIPS as u64)) < 1 << 64);
}
