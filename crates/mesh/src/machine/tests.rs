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

/// Machines that are networks, with the number of their processors.
const NETWORKS: [(&str, usize); 6] = [
    ("torus:3x4/2x3@1,10,100", 72),
    ("mesh:3/4@2,7", 12),
    ("dragonfly:9x4x2", 72),
    ("dragonfly:5x2x1/2x2@1,5,9", 40),
    ("torus:4x4 without 3,5", 16),
    ("torus:3x3/2@1,10 without 4,5,6", 18),
];

#[test]
fn networks_measure_nodes_and_hops() {
    for (text, processors) in NETWORKS {
        let machine = machine(text);
        assert_eq!((machine.to_string().as_str(), machine.processors()), (text, processors));
        let (network, wires) = (machine.network().unwrap(), machine.wires().unwrap());
        let available = machine.available();
        assert_eq!(machine.places(), available.len());
        let mut order = machine.halving_order();
        order.sort_unstable();
        assert_eq!(order, available, "{text}");
        let hop = *network.distances().last().unwrap();
        for (&a, &b) in available.iter().flat_map(|a| available.iter().map(move |b| (a, b))) {
            let (from, to) = (machine.point(a), machine.point(b));
            assert_eq!(machine.distance(a, b), machine.distance(b, a));
            if from != to {
                // One link on the way brings nearer by one hop.
                let next = wires.links_of(from).map(|(_, next)| wires.hops(next, to)).min();
                assert_eq!(wires.hops(from, to), next.unwrap() + 1, "{text}: {from} to {to}");
                let crowded = u32::from(text == "dragonfly:9x4x2");
                assert_eq!(machine.distance(a, b), hop * (wires.hops(from, to) + crowded));
            }
            assert_eq!(a == b, machine.distance(a, b) == 0, "{text}");
        }
        for &p in &available {
            let near = machine.neighbours(p);
            assert!(!near.is_empty() && !near.contains(&p), "{text}");
            assert!(near.iter().all(|&q| machine.is_available(q)), "{text}");
        }
    }
    // Sockets of three cores, nodes of six.
    let torus = machine("torus:3x4/2x3@1,10,100");
    assert_eq!([1, 3, 5, 6, 12].map(|p| torus.distance(0, p)), [1, 10, 10, 100, 200]);
}

#[test]
fn hierarchies_have_the_distances_that_are_given() {
    let given = machine("hierarchy:4x8x6@1,10,100");
    assert_eq!([0, 3, 4, 31, 32].map(|p| given.distance(0, p)), [0, 1, 10, 10, 100]);
    assert_eq!(given.distance(5, 40), given.cost(5, 40));
    assert_eq!(machine("hierarchy:4x8x6").to_string(), given.to_string());
    let details = MachineDetails { distances: Some(vec![3, 4]), ..MachineDetails::default() };
    let again = Machine::with_details("hierarchy:2x5", details.clone()).unwrap();
    assert_eq!(again, machine("hierarchy:2x5@3,4"));
    assert_eq!(Machine::from_sizes(&[5, 2], &details).unwrap(), again);
}

#[test]
fn every_two_groups_of_a_dragonfly_have_a_link() {
    for (groups, routers) in [(9u32, 4u32), (3, 1), (2, 5), (7, 3)] {
        let machine = machine(&format!("dragonfly:{groups}x{routers}x1"));
        let wires = machine.wires().unwrap();
        let mut pairs: Vec<(u32, u32)> = wires
            .links()
            .map(|link| (wires.start(link) / routers, wires.end(link) / routers))
            .filter(|&(a, b)| a != b)
            .collect();
        pairs.sort_unstable();
        let all: Vec<(u32, u32)> = (0..groups)
            .flat_map(|a| (0..groups).map(move |b| (a, b)))
            .filter(|&(a, b)| a != b)
            .collect();
        assert_eq!(pairs, all);
        let out = |r: u32| {
            wires.links_of(r).filter(|&(_, to)| to / routers != r / routers).count() as u32
        };
        assert!((0..groups * routers).all(|r| out(r) <= (groups - 1).div_ceil(routers)));
    }
}

#[test]
fn graphs_of_switches() {
    // Two switches, 4 and 5, with two nodes each, and a fast link between them.
    let links = vec![(0, 4, 1), (1, 4, 1), (2, 5, 1), (3, 5, 1), (4, 5, 10)];
    let nodes = vec![1, 1, 1, 1, 0, 0];
    let make = |without: Vec<u32>, links: Vec<(u32, u32, u32)>| {
        let details = MachineDetails { without, ..MachineDetails::default() };
        Machine::from_links("pair.graph", links, nodes.clone(), Vec::new(), false, &details)
    };
    let machine = make(Vec::new(), links.clone()).unwrap();
    assert_eq!([1, 2, 3].map(|p| machine.distance(0, p)), [2, 3, 3]);
    assert_eq!(machine.neighbours(0), [1]);
    let wires = machine.wires().unwrap();
    let burdens: Vec<u64> = wires.links_of(4).map(|(link, _)| wires.burden(link)).collect();
    assert_eq!(burdens, [10, 10, 1]);
    assert_eq!(make(vec![2], links.clone()).unwrap().available(), [0, 1, 3]);
    let error = make(vec![0, 1, 2, 3], links.clone()).unwrap_err().to_string();
    assert_eq!(error, "machine `pair.graph without 0,1,2,3` has no processor");
    let error = make(Vec::new(), links[..4].to_vec()).unwrap_err().to_string();
    assert_eq!(error, "machine `pair.graph` is not connected: no way from processor 0 to 2");
}

#[test]
fn wrong_details_are_named() {
    for (text, says) in [
        ("hierarchy:4x8@1", "has 2 distances, the innermost first; found 1"),
        ("hierarchy:4x8@1,0", "found `0`"),
        ("hierarchy:4x8 without 1", "only machines with one can do without processors"),
        ("torus:4x4/2x2@1,2", "has 3 distances"),
        ("torus:4x4@1", "its distances are hops"),
        ("torus:4x4 without 16", "has no processor 16; they go from 0 to 15"),
        ("torus:4x4 without 3-1", "found `3-1`"),
        ("mesh:3 without 1", "not connected: no way from processor 0 to 2"),
        ("dragonfly:4x4", "expected groups, routers, processors, found 2"),
        ("torus:4096x4096/2", "more than 16777216 processors"),
        ("torus:200x200 without 3", "a network of 40000 points is too large"),
    ] {
        let error = text.parse::<Machine>().unwrap_err().to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
}
