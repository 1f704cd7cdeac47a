//! Edits of a tree of 40 tips that two other tools or more agree on, from `../shared/data/phylo/edit`.

use super::*;
use std::path::PathBuf;

fn folder() -> Option<PathBuf> {
    let folder =
        PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/phylo/edit"));
    if !folder.exists() {
        eprintln!("{} is missing; its tests are left out", folder.display());
        return None;
    }
    Some(folder)
}

fn text(folder: &std::path::Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).expect(name)
}

/// The tree, and a function that reads an expected one.
fn case() -> Option<(Plain, impl Fn(&str) -> String)> {
    let folder = folder()?;
    Some((Plain::new(&text(&folder, "tree40.nwk")), move |name: &str| text(&folder, name)))
}

fn expect(made: &Plain, expected: &str) {
    assert_eq!(made.clades(), Plain::new(expected).clades());
}

#[test]
fn pruned() {
    let Some((tree, read)) = case() else { return };
    for (list, unifurcations, expected) in [
        ("keep15.txt", Unifurcations::Suppress, "prune_keep15.nwk"),
        ("keep15.txt", Unifurcations::Keep, "prune_keep15_unifurcations_kept.nwk"),
        ("clade_set.txt", Unifurcations::Suppress, "prune_clade_set.nwk"),
    ] {
        let keep = tree.among(read(list).split_whitespace());
        let edited = prune(&tree.tree, tree.lengths(), &keep, unifurcations).unwrap();
        expect(&tree.edited(&edited), &read(expected));
    }
}

#[test]
fn a_clade() {
    let Some((tree, read)) = case() else { return };
    let set: Vec<u32> = read("clade_set.txt").split_whitespace().map(|n| tree.vertex(n)).collect();
    let top = common_ancestor(&tree.tree, &set).unwrap();
    let made = tree.edited(&subtree(&tree.tree, tree.lengths(), top).unwrap());
    expect(&made, &read("mrca_clade.nwk"));
    let names: Tips = read("mrca_tips.txt").split_whitespace().map(str::to_string).collect();
    assert_eq!(made.tips_below()[0], names);
}

#[test]
fn rerooted() {
    let Some((tree, read)) = case() else { return };
    let out = tree.among(read("outgroup.txt").split_whitespace());
    let found = outgroup(&tree.tree, tree.lengths(), &out, 0.5).unwrap();
    expect(&tree.edited(&found.edited), &read("reroot_outgroup_half.nwk"));

    let found = midpoint(&tree.tree, tree.lengths()).unwrap();
    expect(&tree.edited(&found.edited), &read("reroot_midpoint.nwk"));
    let (one, other) = found.ends;
    let mut ends = [&tree.names[one as usize][..], &tree.names[other as usize][..]];
    ends.sort();
    let line = format!("{} {} {}", found.diameter, ends[0], ends[1]);
    assert_eq!(line, read("diameter.txt").trim());

    let found = min_variance(&tree.tree, tree.lengths()).unwrap();
    let made = tree.edited(&found.edited);
    expect(&made, &read("reroot_minvar.nwk"));
    assert!((found.variance - 1.38538979689).abs() < 1e-10, "{}", found.variance);
    assert!((variance(made.heights().into_values()) - found.variance).abs() < 1e-12);

    // `unroot.nwk` is written from another vertex: the unrooted trees are the same.
    let made = tree.edited(&unroot(&tree.tree, tree.lengths()).unwrap());
    assert_eq!(made.tree.child_counts()[0], 3);
    made.same_unrooted(&Plain::new(&read("unroot.nwk"))).unwrap();
    made.same_unrooted(&tree).unwrap();
}

#[test]
fn collapsed() {
    let Some((tree, read)) = case() else { return };
    let lengths = tree.lengths().unwrap();
    let short = shorter_than(&tree.tree, lengths, 0.05).unwrap();
    let weak = support_below(&tree.tree, &tree.support, 70.0).unwrap();
    for (gone, name) in [(short, "below_0.05"), (weak, "support_below_70")] {
        for rule in CollapsedLength::ALL {
            let edited = collapse(&tree.tree, Some(lengths), &gone, rule).unwrap();
            expect(&tree.edited(&edited), &read(&format!("collapse_{name}_{}.nwk", rule.name())));
        }
    }
}

#[test]
fn ordered() {
    let Some((tree, read)) = case() else { return };
    for order in LadderOrder::ALL {
        let edited = ladderize(&tree.tree, tree.lengths(), order).unwrap();
        let expected = read(&format!("ladderize_{}.nwk", order.name()));
        assert_eq!(tree.edited(&edited).shape(), Plain::new(&expected).shape());
    }
    // Canonical files have their children by their smallest tip.
    let canonical = Plain::new(&read("prune_keep15.nwk"));
    let mut names: Vec<&String> = canonical.names.iter().collect();
    names.sort();
    let ranks: Vec<u32> =
        canonical.names.iter().map(|name| names.partition_point(|n| *n < name) as u32).collect();
    let ladder = ladderize(&canonical.tree, None, LadderOrder::Descending).unwrap();
    let ladder_ranks: Vec<u32> = ladder.origin.iter().map(|&v| ranks[v as usize]).collect();
    let mixed = canonical.edited(&ladder);
    let sorted = mixed.edited(&sort(&mixed.tree, None, &ladder_ranks).unwrap());
    assert_eq!(sorted.shape(), canonical.shape());
}
