//! Parts that keep to more than their number: sizes, several weights, fixed nodes, connectedness,
//! objectives, parts before.

use crate::{Place, refused};
use serde_json::Value;

/// A ring of four vertices; a plate; pieces; a METIS graph whose vertices have two weights.
fn place() -> Place {
    let place = Place::new(&[
        ("ring.graph", b"4 4\n2 4\n1 3\n2 4\n1 3\n"),
        ("pairs.graph", b"4 2\n2\n1\n4\n3\n"),
        ("two.graph", b"4 4 11 2\n1 0 2 9 4 1\n1 0 1 9 3 1\n1 1 2 1 4 9\n1 1 1 1 3 9\n"),
        ("few.txt", b"1 1\n2 2\n"),
        ("wide.txt", b"1 1\n2 2\n3 3\n4 4\n"),
        ("ragged.txt", b"1 1\n2\n3 3\n4 4\n"),
        ("negative.txt", b"1\n2\n-3\n4\n"),
        ("large.txt", b"1\n2\n3\n4294967296\n"),
        ("fixed.txt", b"% node part\n1 1\n3, 0\n"),
        ("far.txt", b"1 0\n5 0\n"),
        ("absent.txt", b"1 0\n2 2\n"),
        ("twice.txt", b"1 0\n2 0\n1 1\n"),
        ("heavy.txt", b"1 0\n\n2 0\n3 0\n"),
        ("old.txt", b"0\n0\n1\n1\n"),
        ("new.txt", b"0\n-1\n1\n1\n"),
        ("short.txt", b"0\n1\n"),
        ("minus.txt", b"0\n1\n-2\n0\n"),
    ]);
    place.stdout("mesh generate triangles:20x20 -o plate.msh");
    place
}

fn result(place: &Place, line: &str) -> Value {
    let record: Value = serde_json::from_str(&place.stdout(&format!("{line} --json"))).unwrap();
    record["result"].clone()
}

fn parts(place: &Place, name: &str) -> Vec<u32> {
    place.read(name).lines().map(|line| line.parse().unwrap()).collect()
}

#[test]
fn sizes_and_several_weights() {
    let place = place();
    let found = result(&place, "mesh partition plate.msh --sizes 1,1,2 -o p.txt");
    assert_eq!((&found["parts"], &found["over_limit"]), (&3.into(), &0.into()));
    assert!(found["imbalance"].as_f64().unwrap() <= 0.03);
    let sizes = [0, 1, 2].map(|p| parts(&place, "p.txt").iter().filter(|&&q| q == p).count());
    assert!(sizes[2] > 190 && sizes[0] < 120 && sizes[1] < 120, "{sizes:?}");
    place.stdout("mesh map plate.msh --machine torus:1x3 --sizes 0.25,0.25,0.5 -o out");
    let sizes =
        [0, 1, 2].map(|p| parts(&place, "out/part.txt").iter().filter(|&&q| q == p).count());
    assert!(sizes[2] > 190, "{sizes:?}");
    place.stdout("mesh place plate.msh --machine torus:1x3 --sizes 1,1,2");
    // The second weights are 1 at vertices 3 and 4, which heavy edges tie together.
    let found = result(&place, "mesh partition two.graph -k 2 -o q.txt");
    assert_eq!(found["imbalances"], serde_json::json!([0.0, 0.0]));
    assert_eq!(found["cut"], 18);
    let found = result(&place, "mesh partition two.graph -k 2 --constraints 1");
    assert_eq!((&found["cut"], found.get("imbalances")), (&2.into(), None));
    let found =
        result(&place, "mesh partition two.graph -k 2 --constraints 0 --ignore-edge-weights");
    assert_eq!(found["cut"], 2);
    let found = result(&place, "mesh partition ring.graph -k 2 --node-weights wide.txt");
    assert_eq!(found["imbalances"], serde_json::json!([0.0, 0.0]));
}

#[test]
fn fixed_nodes_and_connected_parts() {
    let place = place();
    let found = result(&place, "mesh partition ring.graph -k 2 --fixed fixed.txt -o p.txt");
    assert_eq!(found["fixed"], 2);
    let part = parts(&place, "p.txt");
    assert_eq!((part[0], part[2]), (1, 0));
    let found = result(&place, "mesh partition plate.msh -k 9 --contiguous");
    assert_eq!((&found["components"], &found["parts"]), (&9.into(), &9.into()));
    let found = result(&place, "mesh partition pairs.graph -k 2 --contiguous");
    assert_eq!(found["components"], 2);
    let found = result(&place, "mesh map plate.msh --machine torus:3x3 --contiguous");
    assert_eq!(found["components"], 9);
}

#[test]
fn objectives_and_parts_before() {
    let place = place();
    let cut = result(&place, "mesh partition plate.msh -k 12 --objective cut");
    let volume = result(&place, "mesh partition plate.msh -k 12 --objective volume");
    assert!(volume["volume"].as_u64() <= cut["volume"].as_u64(), "{volume} {cut}");
    let most = result(&place, "mesh partition plate.msh -k 12 --objective bottleneck");
    assert!(most["largest_volume"].as_u64() <= cut["largest_volume"].as_u64(), "{most} {cut}");
    let line = "mesh partition plate.msh -k 12 --elements --objective";
    let cut = result(&place, &format!("{line} cut"));
    let volume = result(&place, &format!("{line} volume"));
    assert!(volume["copies"].as_u64() <= cut["copies"].as_u64(), "{volume} {cut}");
    place.stdout("mesh partition plate.msh -k 6 -o before.txt --seed 3");
    let kept = result(&place, "mesh partition plate.msh --from before.txt --migration 100");
    assert_eq!((&kept["migrated"], &kept["migrated_weight"]), (&0.into(), &0.into()));
    assert_eq!(kept["parts"], 6);
    let found = result(&place, "mesh partition ring.graph -k 2 --from new.txt -o p.txt");
    assert_eq!((&found["migrated"], &found["cut"]), (&0.into(), &2.into()));
    assert_eq!(parts(&place, "p.txt"), [0, 0, 1, 1]);
}

#[test]
fn demands_that_cannot_be() {
    let place = place();
    let cases: &[(&str, &[&str])] = &[
        ("-k 3 --sizes 1,1", &["2 sizes for 3 parts"]),
        ("--sizes 1,0", &["part 1 has size 0"]),
        ("--sizes 1,-2", &["part 1 has size -2"]),
        ("--sizes 0.5,0.6", &["add up to 1", "1.1"]),
        ("--sizes 1,x", &["expected numbers such as 1,1,2"]),
        ("--seed 1", &["--parts"]),
        ("-k 2 --node-weights few.txt", &["few.txt, line 2", "4 lines of weights"]),
        ("-k 2 --node-weights ragged.txt", &["ragged.txt, line 2", "2 weights"]),
        ("-k 2 --node-weights negative.txt", &["negative.txt, line 3", "`-3`"]),
        ("-k 2 --node-weights large.txt", &["large.txt, line 4", "`4294967296`"]),
        ("-k 2 --node-weights wide.txt --constraints 3", &["3 constraints", "2 weights"]),
        ("-k 2 --constraints 1", &["1 constraints", "0 weights"]),
        ("-k 2 --fixed far.txt", &["far.txt, line 2", "from 1 to 4"]),
        ("-k 2 --fixed absent.txt", &["absent.txt, line 2", "from 0 to 1"]),
        ("-k 2 --fixed twice.txt", &["twice.txt, line 3", "as on line 1"]),
        ("-k 2 --fixed heavy.txt", &["heavy.txt, line 4", "part 0 weigh 3", "2"]),
        ("-k 4 --imbalance 3 --fixed heavy.txt", &["would be empty"]),
        ("-k 2 --fixed fixed.txt --no-refine", &["fixed vertices need the refinement"]),
        ("-k 2 --from short.txt", &["short.txt, line 2", "4 parts"]),
        ("-k 2 --from minus.txt", &["minus.txt, line 3", "`-2`"]),
        ("-k 2 --from old.txt --migration -1", &["cost of migration is -1"]),
        ("-k 2 --from old.txt --objective volume", &["no other objective"]),
        ("-k 2 --migration 1", &["--from"]),
        ("-k 2 --objective edges", &["cut, volume", "edges"]),
        ("-k 2 --elements --node-weights few.txt", &["--node-weights"]),
    ];
    for (options, parts) in cases {
        refused(&place, &format!("mesh partition ring.graph {options} -o p.txt"), parts);
    }
    let connected = "mesh partition pairs.graph -k 1 --contiguous -o p.txt";
    refused(&place, connected, &["2 components", "leave out --contiguous"]);
    let alone = "mesh map ring.graph --machine torus:1x2 --sizes 1,1,1 -o out";
    refused(&place, alone, &["3 sizes for 2 parts"]);
}
