//! Every verb of `palmette graph` on small graphs, with its exact output.

use crate::{Place, succeeded};
use serde_json::Value;

/// A triangle of 1, 2 and 4 siemens with a tail of 1 at vertex 3; vertices 5 and 6 apart.
pub(crate) const GRAPH: &[u8] = b"%%MatrixMarket matrix coordinate real symmetric\n\
    6 6 7\n2 1 1\n3 1 2\n3 2 4\n4 3 0.5\n3 4 0.5\n6 5 1\n1 1 9\n";

/// The path 1 – 2 – 3 with 1 S each, and 1 S from vertex 1 to ground.
const LAPLACIAN: &[u8] =
    b"%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 2\n2 2 2\n3 3 1\n2 1 -1\n3 2 -1\n";

/// Two pads of 1 V, a ladder between them, loads, a short, a resistor of 0 ohms.
const NETLIST: &[u8] = b"* a small grid\nV1 p 0 1\nV2 q 0 1\nR1 p a 1\nR2 a b 1\nR3 b q 1\n\
    V3 b c 0\nI1 a 0 100m\nI2 c 0 0.2\nR4 c d 0\nR5 a b 1\n.op\n.end\n";

fn place() -> Place {
    Place::new(&[
        ("g.mtx", GRAPH),
        ("l.mtx", LAPLACIAN),
        ("n.spice", NETLIST),
        ("pairs.csv", b"u,v\n1,2\n3,4\n4,4\n1,5\n"),
        ("b.mtx", b"%%MatrixMarket matrix array real general\n3 2\n0\n0\n1\n1\n0\n0\n"),
        ("2.csv", b"u,v\n1,2\n3,4\n1,5\n"),
        ("one.mtx", b"%%MatrixMarket matrix coordinate real symmetric\n1 1 0\n"),
        ("b.csv", b"vertex,current\n3,1\n1,0\n2,0\n"),
    ])
}

fn record(place: &Place, line: &str) -> Value {
    serde_json::from_str(&place.stdout(line)).unwrap()
}

#[test]
fn info() {
    let place = place();
    assert_eq!(
        place.summary("graph info g.mtx"),
        "vertices                       6\n\
         edges                          5\n\
         components                     2\n\
         largest_component              4\n\
         min_degree                     1\n\
         max_degree                     3\n\
         mean_degree                1.667\n\
         min_weight                 1.000\n\
         max_weight                 4.000\n\
         form                     weights\n\
         format             matrix-market\n\
         entries                        7\n\
         diagonal                       1\n\
         duplicates                     1\n\
         bytes_per_edge             35.20\n"
    );
    let output = place.run("graph info g.mtx");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        stderr,
        "note: g.mtx: diagonal entries, ignored: 1; duplicate entries, added up: 1\n"
    );
    let found = &record(&place, "graph info l.mtx --json")["result"];
    assert_eq!((&found["form"], &found["grounded"]), (&"laplacian".into(), &1.into()));
    assert_eq!((&found["diagonal"], &found["zeros"]), (&3.into(), &0.into()));
    let found = &record(&place, "graph info n.spice --json")["result"];
    let keys = ["nodes", "vertices", "edges", "resistors", "voltage_sources", "current_sources"];
    let numbers: Vec<u64> = keys.iter().map(|key| found[key].as_u64().unwrap()).collect();
    assert_eq!(numbers, [7, 2, 1, 5, 3, 2]);
    assert_eq!((&found["shorts"], &found["grounded"]), (&2.into(), &2.into()));
    assert_eq!((&found["duplicates"], &found["zeros"]), (&1.into(), &1.into()));
}

#[test]
fn what_readers_take_for_granted_is_noted() {
    let place = Place::new(&[
        ("tied.spice", b"*\nV1 p 0 1\nR1 p a 1\nR2 a b 1\nR3 a c 2\nV2 b c 1\n"),
        ("parallel.spice", b"*\nV1 p 0 1\nR1 p a 1\nR2 a p 1\nR3 a 0 1\n"),
        (
            "round.mtx",
            b"%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 2.999999\n2 1 -3\n2 2 3\n",
        ),
    ]);
    for (name, note) in [
        ("tied.spice", "resistors combined because voltage sources tie their nodes: 1"),
        ("parallel.spice", "parallel resistors, combined: 1"),
        (
            "round.mtx",
            "rows whose diagonal differs from the sum of the other entries by a relative 3.3e-7 at \
            most, treated as rounding: 1",
        ),
    ] {
        let stderr = String::from_utf8(place.run(&format!("graph info {name}")).stderr).unwrap();
        assert_eq!(stderr, format!("note: {name}: {note}\n"));
    }
}

/// Half a siemens to ground beside a million.
#[test]
fn a_weak_ground_holds() {
    let place = Place::new(&[
        (
            "w.mtx",
            b"%%MatrixMarket matrix coordinate real symmetric\n\
              2 2 3\n1 1 1000000.5\n2 1 -1000000\n2 2 1000000\n",
        ),
        ("b.csv", b"vertex,current\n1,1\n2,0\n"),
    ]);
    let output = place.run("graph solve w.mtx --rhs b.csv");
    let text = String::from_utf8(output.stdout).unwrap();
    let potentials: Vec<f64> =
        text.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().parse().unwrap()).collect();
    assert!(potentials.len() == 2 && potentials.iter().all(|x| (x - 2.0).abs() < 1e-6), "{text}");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn generate() {
    let place = place();
    let text = "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 1\n3 2 1\n";
    assert_eq!(place.stdout("graph generate path:3"), text);
    place.stdout("graph generate grid:2x2 -o s.graph --output-xyz s.xyz");
    assert_eq!(place.read("s.graph"), "4 4\n2 3\n1 4\n1 4\n2 3\n");
    assert_eq!(place.read("s.xyz").lines().count(), 4);
    let piped = place.run_with("graph info - --json", text.as_bytes());
    let found: Value = serde_json::from_str(&succeeded("graph info -", piped)).unwrap();
    assert_eq!(found["result"]["edges"], 2);
    assert_eq!(found["input"], "stdin");
    let draw = |seed: u64| {
        let line = format!("graph generate random:50:4 --weights uniform:1:2 --seed {seed}");
        place.stdout(&line)
    };
    assert_eq!(draw(3), draw(3));
    assert_ne!(draw(3), draw(4));
}

#[test]
fn sparsify() {
    let place = place();
    // One edge is off the forest, and at least two may be recovered.
    let kept = place.stdout("graph sparsify g.mtx");
    assert_eq!(kept.lines().count(), 5, "{kept}");
    let tree = place.stdout("graph sparsify g.mtx --budget 0 --quiet");
    assert_eq!(tree.lines().count(), 4);
    assert!(kept.starts_with(&tree));
    for engine in ["linear", "reference", "parallel"] {
        assert_eq!(place.stdout(&format!("graph sparsify g.mtx --engine {engine}")), kept);
    }
    place.stdout("graph sparsify g.mtx --budget 0 -o t.mtx");
    let found = &record(&place, "graph info t.mtx --json")["result"];
    assert_eq!((&found["edges"], &found["components"]), (&4.into(), &2.into()));
    let text = place.stdout("graph sparsify g.mtx --quality");
    let condition = text.lines().find(|line| line.starts_with("condition "));
    assert!(condition.is_some_and(|line| line.ends_with(" 1.000")), "{text}");
    assert_eq!(place.stdout("graph sparsify n.spice"), "a b\n");
}

#[test]
fn sparsify_record() {
    let place = place();
    place.stdout(
        "graph generate grid:30x30 --weights log-uniform:0.01:100 -o g.mtx --output-xyz g.xyz",
    );
    let line = "graph sparsify g.mtx --quality --json --rule fegrass --budget 10%V --memory 1G \
                --svg drawn/ --png skeleton.png --xyz g.xyz";
    let all = record(&place, line);
    let result = &all["result"];
    assert_eq!((&result["vertices"], &result["edges"]), (&900.into(), &1740.into()));
    assert_eq!((&result["tree_edges"], &result["recovered_edges"]), (&899.into(), &90.into()));
    assert_eq!(result["components"], 1);
    let number = |key: &str| result[key].as_f64().unwrap_or_else(|| panic!("{key}"));
    assert!(number("largest") > number("smallest") && number("smallest") > 0.99);
    let ratio = number("largest") / number("smallest");
    assert!((number("condition") - ratio).abs() < 1e-9 * ratio);
    assert!((0.0..0.1).contains(&number("condition_error")));
    assert!(number("resistance_max") >= number("resistance_mean"));
    assert!(number("ns_per_edge") > 0.0);
    assert_eq!(all["parameters"]["memory"], 1u64 << 30);
    for name in ["drawn/matrix.svg", "drawn/skeleton.svg"] {
        let text = place.read(name);
        assert!(roxmltree::Document::parse(&text).is_ok(), "{name}");
    }
    assert!(place.read("drawn/skeleton.svg").contains("recovered: 90 edges"));
    let png = std::fs::read(place.path().join("skeleton.png")).unwrap();
    assert!(png.starts_with(b"\x89PNG"));
}

#[test]
fn solve() {
    let place = place();
    // 1 A goes in at vertex 3 and out at ground.
    assert_eq!(place.stdout("graph solve l.mtx --rhs b.csv"), "vertex,potential\n1,1\n2,2\n3,3\n");
    assert_eq!(
        place.stdout("graph solve l.mtx --rhs b.mtx"),
        "vertex,potential_1,potential_2\n1,1,1\n2,2,1\n3,3,1\n"
    );
    place.stdout("graph solve l.mtx --rhs b.mtx -o x.mtx");
    let text = "%%MatrixMarket matrix array real general\n3 2\n1\n2\n3\n1\n1\n1\n";
    assert_eq!(place.read("x.mtx"), text);
    place.stdout("graph solve l.mtx --rhs b.csv -o x.csv");
    place.stdout("graph solve l.mtx --rhs x.csv -o y.npy");
    let all = record(&place, "graph solve l.mtx --rhs b.mtx --json --svg c.svg");
    let result = &all["result"];
    assert_eq!(
        (&result["preconditioner"], &result["right_hand_sides"]),
        (&"tree".into(), &2.into())
    );
    assert!(result["iterations"].as_u64().unwrap() <= 2);
    assert!(result["residual"].as_f64().unwrap() <= 1e-6);
    assert!(all["seconds"]["solve"].is_number() && all["seconds"]["setup"].is_number());
    assert!(place.read("c.svg").contains("right-hand side 2"));
}

#[test]
fn currents_that_do_not_add_up_are_told() {
    let place = place();
    let b = b"%%MatrixMarket matrix array real general\n6 1\n6\n0\n0\n0\n0\n0\n";
    std::fs::write(place.path().join("b6.mtx"), b).unwrap();
    let output = place.run("graph solve g.mtx --rhs b6.mtx --json");
    let stderr = String::from_utf8(output.stderr).unwrap();
    let told = "do not balance in the component of vertex 1 (4 vertices, none grounded): they add up \
                to 6.000e0, the largest is at vertex 1";
    assert!(stderr.contains(told), "{stderr}");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["result"]["imbalance"], 1.5);
}

#[test]
fn voltages_of_a_netlist() {
    let place = place();
    // b, c and d are one node. Kirchhoff: 3a − 2b = 0.9, 3b − 2a = 0.8.
    let text = place.stdout("graph solve n.spice --tolerance 1e-12");
    let (a, b) = (0.86, 0.84);
    let expected = [("p", 1.0), ("0", 0.0), ("q", 1.0), ("a", a), ("b", b), ("c", b), ("d", b)];
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("node,voltage"));
    for (line, (name, voltage)) in lines.zip(expected) {
        let (node, value) = line.split_once(',').unwrap();
        assert_eq!(node, name);
        assert!((value.parse::<f64>().unwrap() - voltage).abs() < 1e-9, "{line}");
    }
    assert_eq!(text.lines().count(), 8);
}

#[test]
fn preconditioners_side_by_side() {
    let place = place();
    place.stdout("graph generate grid:40x40 --weights log-uniform:0.01:100 -o g.mtx");
    let table = place.stdout("graph solve g.mtx --rhs random --compare --memory 20K --svg c.svg");
    let row = |name: &str| {
        let found = table.lines().find(|line| line.split_whitespace().next() == Some(name));
        found.unwrap_or_else(|| panic!("no {name} in {table}")).to_string()
    };
    assert!(row("direct").contains("above --memory"), "{table}");
    let picture = place.read("c.svg");
    for name in ["none", "jacobi", "incomplete-cholesky", "tree", "approximate-cholesky"] {
        assert!(row(name).split_whitespace().count() == 5, "{table}");
        assert!(picture.contains(name), "{name}");
    }
    let line = "graph solve g.mtx --rhs random --compare --max-iterations 3 --svg few.svg --json";
    let found = &record(&place, line)["result"]["preconditioners"];
    assert_eq!(
        (&found["none"]["converged"], &found["none"]["iterations"]),
        (&false.into(), &3.into())
    );
    assert_eq!(found["direct"]["converged"], true);
    // What did not converge is drawn as far as it came.
    let picture = place.read("few.svg");
    assert!(picture.contains("none") && picture.contains("tree"));
}

#[test]
fn resistance() {
    let place = place();
    let text = place.stdout("graph resistance g.mtx --pairs pairs.csv");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines[0], lines[3], lines[4]), ("u,v,resistance", "4,4,0", "1,5,inf"));
    // 1 S beside 2 S and 4 S in series.
    let value = |line: &str| line.rsplit_once(',').unwrap().1.parse::<f64>().unwrap();
    assert!((value(lines[1]) - 3.0 / 7.0).abs() < 1e-9, "{text}");
    assert!((value(lines[2]) - 1.0).abs() < 1e-9, "{text}");
    let output = place.run("graph resistance g.mtx 1 5 --json");
    assert!(String::from_utf8_lossy(&output.stderr).contains("not connected: 1 of 1"));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&found["result"]["resistance"], &found["result"]["without_path"]),
        (&"inf".into(), &1.into())
    );
    // From a: 1 ohm to p; by b half an ohm and 1 to q.
    let found = record(&place, "graph resistance n.spice a 0 --json");
    assert!((found["result"]["resistance"].as_f64().unwrap() - 0.6).abs() < 1e-9);
    assert_eq!(place.stdout("graph resistance n.spice p q"), "u,v,resistance\np,q,0\n");
    assert_eq!(place.stdout("graph resistance l.mtx 3 1"), "u,v,resistance\n3,1,2\n");
}

#[test]
fn resistances_of_all_edges() {
    let place = place();
    let text = place.stdout("graph resistance g.mtx --all-edges");
    let rows: Vec<Vec<f64>> =
        text.lines().skip(1).map(|l| l.split(',').map(|x| x.parse().unwrap()).collect()).collect();
    assert!(text.starts_with("u,v,weight,centrality,resistance\n"));
    assert!((rows[0][4] - 3.0 / 7.0).abs() < 1e-12, "{text}");
    // Trees of all components have as many edges.
    assert!((rows.iter().map(|row| row[3]).sum::<f64>() - 4.0).abs() < 1e-12, "{text}");
    let line = "graph resistance g.mtx --all-edges --projections 400 -o near.csv --json";
    let found = &record(&place, line)["result"];
    assert!((0.001..0.3).contains(&found["error"].as_f64().unwrap()), "{found}");
    assert_eq!(place.read("near.csv").lines().count(), 6);
    for (line, words) in [
        ("graph resistance g.mtx 1 2 --all-edges", "cannot be used with"),
        ("graph resistance g.mtx 1 2 --projections 9", "--all-edges"),
        ("graph resistance g.mtx --all-edges --memory 10", "a larger --memory may help"),
    ] {
        let output = place.run(line);
        assert_eq!(output.status.code(), Some(2), "{line}");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(stderr.contains(words), "{line}: {stderr}");
    }
}

#[test]
fn mincut() {
    let place = place();
    let found = &record(&place, "graph mincut g.mtx -o sides.csv --json")["result"];
    assert_eq!((&found["value"], &found["side_sizes"][0]), (&0.into(), &2.into()));
    assert_eq!(place.read("sides.csv"), "vertex,side\n1,0\n2,0\n3,0\n4,0\n5,1\n6,1\n");
    let text = place.stdout("graph mincut g.mtx --pairs 2.csv -o -");
    assert_eq!(text, "u,v,value\n1,2,3\n3,4,1\n1,5,0\n");
    let tree = place.stdout("graph mincut l.mtx --all-pairs");
    assert_eq!(tree, "vertex,parent,value\n1,,\n2,1,1\n3,2,1\n");
    let both = place.stdout("graph mincut l.mtx --all --edges e.csv -o -");
    assert_eq!(both, "cut,vertex\n1,1\n2,3\n");
    assert_eq!(place.read("e.csv").lines().count(), 2);
    place.stdout("graph generate grid:9x9 -o square.mtx --output-xyz square.xyz");
    let line = "graph mincut square.mtx --xyz square.xyz --svg cut.svg --json";
    assert_eq!(record(&place, line)["result"]["value"], 2);
    let picture = place.read("cut.svg");
    assert!(picture.contains("cut: 2 edges") && picture.contains("larger side: 142 edges"));
    for (line, words) in [
        ("graph mincut n.spice", "a netlist"),
        ("graph mincut g.mtx --pairs pairs.csv", "names vertex 4 twice"),
        (
            "graph mincut square.mtx --all --limit 3",
            "more than 3 minimum cuts; pass a larger --limit",
        ),
        ("graph mincut one.mtx", "a cut needs two vertices, and the graph has 1"),
    ] {
        let output = place.run(line);
        assert_eq!(output.status.code(), Some(2), "{line}");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(stderr.contains(words), "{line}: {stderr}");
    }
}

#[test]
fn the_same_on_any_number_of_threads() {
    let place = place();
    place.stdout("graph generate geometric:3000:8 --weights log-uniform:0.1:10 --seed 5 -o g.mtx");
    for line in [
        "graph sparsify g.mtx",
        "graph sparsify g.mtx --rule fegrass",
        "graph solve g.mtx --rhs random --seed 9 --preconditioner approximate-cholesky",
        "graph solve g.mtx --rhs random --seed 9 --preconditioner sparsifier",
        "graph resistance g.mtx 1 2",
        "graph mincut g.mtx -o -",
    ] {
        let on = |threads: usize| place.stdout(&format!("{line} --threads {threads}"));
        assert_eq!(on(1), on(2), "{line}");
    }
}
