use super::*;
use std::collections::VecDeque;

const SHAPES: [&str; 14] = [
    "mesh:1x1",
    "torus:1x1",
    "torus:1x7",
    "mesh:5x1",
    "torus:2x2",
    "mesh:2x2",
    "torus:3x3",
    "torus:8x8",
    "mesh:4x6",
    "torus:2x5",
    "torus:4x4x4",
    "mesh:3x2x4",
    "torus:2x3x1",
    "torus:6",
];

fn machine(text: &str) -> Machine {
    text.parse().unwrap()
}

/// Hops by breadth-first search over the links.
fn hops(lattice: &Lattice, from: u32) -> Vec<u32> {
    let mut hops = vec![u32::MAX; lattice.processors()];
    hops[from as usize] = 0;
    let mut queue = VecDeque::from([from]);
    while let Some(p) = queue.pop_front() {
        for q in (0..lattice.directions()).filter_map(|d| lattice.step(p, d)) {
            if hops[q as usize] == u32::MAX {
                hops[q as usize] = hops[p as usize] + 1;
                queue.push_back(q);
            }
        }
    }
    hops
}

#[test]
fn distances_and_default_routes_are_shortest_paths() {
    for text in SHAPES {
        let machine = machine(text);
        let lattice = machine.lattice().unwrap();
        for a in 0..lattice.processors() as u32 {
            for (b, &expected) in (0..).zip(&hops(lattice, a)) {
                assert_eq!(machine.distance(a, b), expected, "{text}: {a} to {b}");
                let route = lattice.route(a, b);
                assert_eq!(route.len() as u32, expected);
                let end = route.iter().fold(a, |at, &link| {
                    let (from, to) = lattice.ends(link);
                    assert_eq!(from, at);
                    to
                });
                assert_eq!(end, b, "{text}");
            }
        }
    }
}

#[test]
fn links_come_in_pairs_and_never_twice() {
    for (text, links) in [
        ("mesh:1x1", 0),
        ("torus:1x1", 0),
        ("torus:2x2", 8),
        ("torus:1x7", 14),
        ("torus:8x8", 256),
        ("mesh:8x8", 224),
        ("torus:4x4x4", 384),
    ] {
        let machine = machine(text);
        let lattice = machine.lattice().unwrap();
        let mut ends: Vec<_> = lattice.links().map(|link| lattice.ends(link)).collect();
        assert_eq!(ends.len(), links, "{text}");
        ends.sort_unstable();
        ends.dedup();
        assert_eq!(ends.len(), links, "{text}: parallel links");
        assert!(ends.iter().all(|&(a, b)| a != b && ends.binary_search(&(b, a)).is_ok()));
    }
}

#[test]
fn ties_go_upwards_and_columns_come_first() {
    let torus = machine("torus:4x4");
    let lattice = torus.lattice().unwrap();
    let ends: Vec<u32> = lattice.route(0, 10).iter().map(|&link| lattice.ends(link).1).collect();
    assert_eq!(ends, [1, 2, 6, 10]);
}

#[test]
fn a_fat_tree_counts_levels() {
    let tree = machine("fat-tree:4x4x4");
    assert_eq!([1, 4, 16, 0].map(|p| tree.distance(0, p)), [2, 4, 6, 0]);
    let parsed = tree.fat_tree().unwrap();
    assert_eq!(parsed.capacities(), [4, 2, 1]);
    // Shares of 1, 2 and 4 processors for the levels from the leaves up.
    assert_eq!([0, 1, 4, 16].map(|p| tree.cost(0, p)), [0, 64, 64 * 3, 64 * 7]);
    assert_eq!(tree.neighbours(5), [4, 6, 7]);
}

/// A switch with one branch joins nobody: neighbours are behind the next one above.
#[test]
fn switches_with_one_branch() {
    assert_eq!(machine("fat-tree:2x1").neighbours(1), [0]);
    assert_eq!(machine("fat-tree:1x3x1x1").neighbours(1), [0, 2]);
    assert_eq!(machine("fat-tree:2x1x2").neighbours(2), [3]);
    assert!(machine("fat-tree:1x1").neighbours(0).is_empty());
    assert_eq!(machine("fat-tree:2x1").distance(0, 1), 4);
}

#[test]
fn text_round_trips_and_errors_say_what_is_wrong() {
    for text in SHAPES.into_iter().chain(["fat-tree:4x4x4", "fat-tree:2x3@5,1", "fat-tree:7"]) {
        assert_eq!(machine(text).to_string(), text);
    }
    assert_eq!(machine("fat-tree:4x4x4@4,2,1").to_string(), "fat-tree:4x4x4");
    for (text, says) in [
        ("tours:8x8", "did you mean `torus:ROWSxCOLUMNS`?"),
        (
            "torus",
            "unknown machine `torus`; expected one of torus:ROWSxCOLUMNS, torus:LAYERSxROWSxCOLUMNS",
        ),
        ("ring:8", "unknown machine `ring`; expected one of mesh:ROWSxCOLUMNS, "),
        ("torus:8x", "found ``"),
        ("torus:0x8", "found `0`"),
        ("torus:+8x8", "found `+8`"),
        ("mesh:2x2x2x2", "expected one to three sides, found 4"),
        ("fat-tree:4x4@1", "expected 2 capacities, one per level, found 1"),
        ("torus:99999x99999", "more than 16777216 processors"),
    ] {
        let error = text.parse::<Machine>().unwrap_err().to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
}

#[test]
fn halving_meets_every_processor_once() {
    for text in SHAPES.into_iter().chain(["fat-tree:4x4x4", "fat-tree:3x5x2", "fat-tree:7"]) {
        let machine = machine(text);
        let mut order = machine.halving_order();
        order.sort_unstable();
        assert!(order.into_iter().eq(0..machine.processors() as u32), "{text}");
    }
    assert_eq!(machine("mesh:2x4").halving_order(), [0, 1, 4, 5, 2, 3, 6, 7]);
    assert!(machine("fat-tree:3x5x2").halving_order().is_sorted());
}
