//! All engines against sets of tips, written out; and against the answers of other programs.

use super::*;
use palmette_core::{NONE, Tree, TreeParams};
use palmette_io::{ReadParams, TreeChoice, read_tree_bytes};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Trees of a Newick text over the tips of the first.
pub(super) struct Read {
    tree: Tree,
    tips: Vec<u32>,
    lengths: Option<Vec<f64>>,
    names: Vec<String>,
}

pub(super) fn read(text: &str) -> Read {
    let params = ReadParams { lengths: true, tree: TreeChoice::All, ..ReadParams::default() };
    let file = read_tree_bytes("trees.nwk", text.as_bytes(), &params).unwrap();
    let tree = file.tree(TreeParams { forest: true, ..TreeParams::default() }).unwrap();
    let mut names: Vec<String> = Vec::new();
    let tips = (0..tree.len() as u32).map(|i| {
        if !tree.is_leaf(i) {
            return NONE;
        }
        let name = file.labels.label(i).into_owned();
        names.iter().position(|other| *other == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        }) as u32
    });
    let tips = tips.collect();
    Read { tree, tips, lengths: file.lengths, names }
}

impl Read {
    pub(super) fn trees(&self) -> Vec<TipTree<'_>> {
        let make = |root| {
            let (count, lengths) = (self.names.len(), self.lengths.as_deref());
            TipTree::new(&self.tree, root, count, &self.tips, lengths).unwrap()
        };
        self.tree.root_positions().map(make).collect()
    }
}

/// The splits of a tree as sets, with their lengths: the reference.
fn sets(tree: &TipTree<'_>, rooting: Rooting) -> BTreeMap<BTreeSet<u32>, f64> {
    let mut below: Vec<BTreeSet<u32>> =
        tree.tips.iter().map(|&tip| (tip != NONE).then_some(tip).into_iter().collect()).collect();
    for i in (1..tree.len()).rev() {
        let set = below[i].clone();
        below[tree.parent(i).unwrap()].extend(set);
    }
    let all: BTreeSet<u32> = (0..tree.count as u32).collect();
    let mut found = BTreeMap::new();
    for (i, mut set) in below.into_iter().enumerate() {
        if set.is_empty() || set.len() == all.len() {
            continue;
        }
        if rooting == Rooting::Unrooted && set.contains(&0) {
            set = &all - &set;
        }
        *found.entry(set).or_insert(0.0) += tree.lengths.map_or(0.0, |lengths| lengths[i]);
    }
    found
}

fn is_inner(set: &BTreeSet<u32>, count: usize, rooting: Rooting) -> bool {
    set.len() > 1 && (rooting == Rooting::Rooted || set.len() + 1 < count)
}

fn by_sets(a: &TipTree<'_>, b: &TipTree<'_>, rooting: Rooting) -> TreeDistance {
    let (first, second) = (sets(a, rooting), sets(b, rooting));
    let inner = |sets: &BTreeMap<BTreeSet<u32>, f64>| {
        sets.keys().filter(|set| is_inner(set, a.count, rooting)).count()
    };
    let shared = first.keys().filter(|set| second.contains_key(*set));
    let union: BTreeSet<_> = first.keys().chain(second.keys()).collect();
    let length = |sets: &BTreeMap<_, f64>, set| sets.get(set).copied().unwrap_or(0.0);
    let differences = union.iter().map(|&set| length(&first, set) - length(&second, set));
    let differences: Vec<f64> = differences.collect();
    let both = a.lengths.is_some() && b.lengths.is_some();
    TreeDistance {
        first: inner(&first),
        second: inner(&second),
        shared: shared.filter(|set| is_inner(set, a.count, rooting)).count(),
        weighted: both.then(|| differences.iter().map(|x| x.abs()).sum()),
        branch_score: both.then(|| differences.iter().map(|x| x * x).sum::<f64>().sqrt()),
    }
}

fn assert_near(found: TreeDistance, expected: TreeDistance) {
    assert_eq!(
        (found.first, found.second, found.shared),
        (expected.first, expected.second, expected.shared)
    );
    let pairs = [(found.weighted, expected.weighted), (found.branch_score, expected.branch_score)];
    for (found, expected) in pairs {
        let (found, expected) = (found.unwrap_or(-1.0), expected.unwrap_or(-1.0));
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }
}

const ROOTINGS: [Rooting; 2] = [Rooting::Rooted, Rooting::Unrooted];

fn check(trees: &[TipTree<'_>]) {
    for rooting in ROOTINGS {
        let all = Collection::new(trees, rooting);
        let (rf, weighted, score) = (all.robinson_foulds(), all.weighted(), all.branch_score());
        let mut k = 0;
        for i in 0..trees.len() {
            for j in i + 1..trees.len() {
                let expected = by_sets(&trees[i], &trees[j], rooting);
                let pair = Pair::new(&trees[i], &trees[j], rooting);
                assert_near(pair.distance(), expected);
                assert_near(all.pair(i, j), expected);
                assert_eq!(rf[k] as usize, expected.robinson_foulds(), "trees {i} and {j}");
                for (found, expected) in
                    [(&weighted, expected.weighted), (&score, expected.branch_score)]
                {
                    let found = found.as_ref().map(|found| found[k]);
                    assert!((found.unwrap_or(0.0) - expected.unwrap_or(0.0)).abs() < 1e-9);
                }
                k += 1;
            }
        }
        for which in [Consensus::Strict, Consensus::HALF, Consensus::Majority(0.7)] {
            check_consensus(trees, &all, rooting, which);
        }
    }
}

fn check_consensus(
    trees: &[TipTree<'_>],
    all: &Collection<'_>,
    rooting: Rooting,
    which: Consensus,
) {
    let mut counts: BTreeMap<BTreeSet<u32>, (u32, f64)> = BTreeMap::new();
    for tree in trees {
        for (set, length) in sets(tree, rooting) {
            let entry = counts.entry(set).or_default();
            *entry = (entry.0 + 1, entry.1 + length);
        }
    }
    let n = trees.len() as u32;
    counts.retain(|set, found| {
        !is_inner(set, trees[0].count, rooting)
            || match which {
                Consensus::Strict => found.0 == n,
                Consensus::Majority(share) => f64::from(found.0) > share * f64::from(n),
            }
    });
    let found = all.consensus(which);
    let tree = Tree::from_parents(&found.parents).unwrap();
    assert_eq!(tree.parents(), &found.parents[..], "vertices are in preorder");
    let lengths = found.lengths.as_deref();
    let consensus = TipTree::new(&tree, 0, trees[0].count, &found.tips, lengths).unwrap();
    let expected: Vec<&BTreeSet<u32>> = counts.keys().collect();
    let made = sets(&consensus, rooting);
    assert_eq!(made.keys().collect::<Vec<_>>(), expected);
    if found.lengths.is_some() && trees[0].count > 2 {
        for (set, length) in made {
            let (count, sum) = counts[&set];
            assert!((length - sum / f64::from(count)).abs() < 1e-9);
        }
    }
}

/// A random tree over tips: joins random subtrees, sometimes several, sometimes one.
fn random_newick(tips: usize, numbers: &[u32]) -> String {
    let mut parts: Vec<String> = (0..tips).map(|tip| format!("t{tip}:{}", tip % 3)).collect();
    let (mut next, mut turns) = (numbers.iter().cycle(), 0);
    let mut draw = |below: usize| *next.next().unwrap() as usize % below;
    while parts.len() > 1 {
        turns += 1;
        let count = match draw(8) {
            0 if turns > 30 => 2,
            0 => 1,
            1 => 3,
            _ => 2,
        };
        let mut children = Vec::new();
        for _ in 0..count.min(parts.len()) {
            let at = draw(parts.len());
            children.push(parts.swap_remove(at));
        }
        let length = draw(16) as f64 / 8.0;
        parts.push(format!("({}):{length}", children.join(",")));
    }
    format!("{};\n", parts.pop().unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn engines_agree_with_sets(
        tips in 1usize..12,
        trees in prop::collection::vec(prop::collection::vec(0u32..1000, 23), 1..9),
    ) {
        let text: String = trees.iter().map(|numbers| random_newick(tips, numbers)).collect();
        check(&read(&text).trees());
    }
}

#[test]
fn leaves_without_numbers_are_left_out() {
    let mut all =
        read("(((a:1,x:2):3,b:4):5,((y:1):1,c:2):3,d:1);((a:1,b:2):1,(c:1,d:3):1,(x:1,y:1):1);");
    let kept = read("((a:4,b:4):5,c:5,d:1);((a:1,b:2):1,(c:1,d:3):1);");
    let number = |tip: &u32| match all.names.get(*tip as usize) {
        Some(name) => kept.names.iter().position(|other| other == name).map_or(NONE, |n| n as u32),
        None => NONE,
    };
    all.tips = all.tips.iter().map(number).collect();
    all.names = kept.names.clone();
    let (a, b) = (all.trees(), kept.trees());
    for rooting in ROOTINGS {
        for (a, b) in a.iter().zip(&b) {
            // The two at a root of two are one, or were none where there is a root.
            let near = Pair::new(a, b, rooting).distance();
            assert_eq!(near.robinson_foulds(), 0);
            assert_eq!(near.weighted, Some(0.0));
        }
    }
    check(&a);
}

#[test]
fn a_tip_at_a_binary_root_is_one_branch() {
    let read = read("((a:1,b:1):0.5,c:0.25,d:1);(((a:1,b:1):0.5,c:0.25):0.125,d:0.875);");
    let trees = read.trees();
    let found = Pair::new(&trees[0], &trees[1], Rooting::Unrooted).distance();
    assert_eq!(
        (found.robinson_foulds(), found.weighted, found.branch_score),
        (0, Some(0.0), Some(0.0))
    );
    let all = Collection::new(&trees, Rooting::Unrooted);
    assert_eq!(
        (all.robinson_foulds(), all.weighted(), all.branch_score()),
        (vec![0], Some(vec![0.0]), Some(vec![0.0]))
    );
}

#[test]
fn long_caterpillars_are_compared() {
    // Tips 0..n along a path, and along the same one from the other end.
    let n = 100_000u32;
    let parents: Vec<u32> = (0..2 * n - 1)
        .map(|v| match v {
            0 => NONE,
            v if v % 2 == 1 => v - 1,
            v => v - 2,
        })
        .collect();
    let tree = Tree::from_parents(&parents).unwrap();
    let tip = |i: u32, turned: bool| match tree.is_leaf(i) {
        false => NONE,
        true => {
            let rank = i / 2 + u32::from(i == 2 * n - 2) - u32::from(i == 2 * n - 2);
            let rank = if i == 2 * n - 2 { n - 1 } else { rank };
            if turned { n - 1 - rank } else { rank }
        }
    };
    let tips: Vec<Vec<u32>> =
        [false, true].map(|turned| (0..tree.len() as u32).map(|i| tip(i, turned)).collect()).into();
    let trees: Vec<TipTree<'_>> =
        tips.iter().map(|tips| TipTree::new(&tree, 0, n as usize, tips, None).unwrap()).collect();
    let rooted = Pair::new(&trees[0], &trees[1], Rooting::Rooted).distance();
    assert_eq!(rooted.robinson_foulds(), 2 * (n as usize - 2));
    let unrooted = Collection::new(&trees, Rooting::Unrooted);
    assert_eq!(unrooted.robinson_foulds(), [0]);
    assert_eq!(unrooted.consensus(Consensus::Strict).parents.len(), 2 * n as usize - 2);
}

/// A file of the shared data, if it is there.
fn shared(name: &str) -> Option<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/phylo/rf");
    let found = std::fs::read_to_string(folder.join(name));
    if found.is_err() {
        eprintln!("skipped: {} is missing", folder.join(name).display());
    }
    found.ok()
}

fn matrix(text: &str) -> Vec<Vec<f64>> {
    text.lines().map(|line| line.split('\t').map(|x| x.parse().unwrap()).collect()).collect()
}

#[test]
fn distances_are_those_of_other_programs() {
    let Some(text) = shared("trees30.nwk") else { return };
    let read = read(&text);
    let trees = read.trees();
    for (rooting, word) in ROOTINGS.into_iter().zip(["rooted", "unrooted"]) {
        let all = Collection::new(&trees, rooting);
        let inner = all.inner_counts();
        let files =
            ["rf", "rf_normalized", "wrf", "kf"].map(|kind| shared(&format!("{word}_{kind}.tsv")));
        let [Some(rf), Some(normal), Some(weighted), Some(score)] = files else { return };
        let [rf, normal, weighted, score] = [rf, normal, weighted, score].map(|text| matrix(&text));
        let (found, sums, scores) =
            (all.robinson_foulds(), all.weighted().unwrap(), all.branch_score().unwrap());
        let mut k = 0;
        for i in 0..trees.len() {
            for j in i + 1..trees.len() {
                assert_eq!(f64::from(found[k]), rf[i][j], "{word} {i} {j}");
                let share = normalised(found[k] as usize, inner[i] + inner[j]);
                assert!((share - normal[i][j]).abs() < 1e-9);
                assert!((sums[k] - weighted[i][j]).abs() < 1e-9, "{word} wrf {i} {j}");
                assert!((scores[k] - score[i][j]).abs() < 1e-9, "{word} kf {i} {j}");
                assert_near(all.pair(i, j), by_sets(&trees[i], &trees[j], rooting));
                k += 1;
            }
        }
    }
}

#[test]
fn consensus_is_that_of_other_programs() {
    let Some(text) = shared("trees30.nwk") else { return };
    for (file, count, rooting, which) in [
        ("consensus_rooted_majority.nwk", 22, Rooting::Rooted, Consensus::HALF),
        ("consensus_rooted_strict.nwk", 22, Rooting::Rooted, Consensus::Strict),
        ("consensus_rooted_strict_first4.nwk", 4, Rooting::Rooted, Consensus::Strict),
        ("consensus_unrooted_majority.nwk", 22, Rooting::Unrooted, Consensus::HALF),
    ] {
        let Some(expected) = shared(file) else { return };
        let of = read(&text);
        let found = Collection::new(&of.trees()[..count], rooting).consensus(which);
        let expected = read(&expected);
        let number = |&tip: &u32| match expected.names.get(tip as usize) {
            Some(name) => of.names.iter().position(|other| other == name).unwrap() as u32,
            None => NONE,
        };
        let tips: Vec<u32> = expected.tips.iter().map(number).collect();
        let theirs = TipTree::new(&expected.tree, 0, of.names.len(), &tips, None).unwrap();
        let tree = Tree::from_parents(&found.parents).unwrap();
        let ours = TipTree::new(&tree, 0, of.names.len(), &found.tips, None).unwrap();
        assert_eq!(sets(&ours, rooting), sets(&theirs, rooting), "{file}");
    }
}
