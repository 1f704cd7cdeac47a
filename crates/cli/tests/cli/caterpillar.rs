//! Every verb of phylogenetics on a caterpillar: the deepest tree that so many tips have. Its answers are known.

use crate::Place;
use serde_json::Value;

/// `(t0:1,(t1:1,(t2:1,…):1):1)`, or with the long child first.
fn newick(tips: usize, long_first: bool) -> String {
    let mut text = String::with_capacity(14 * tips);
    if long_first {
        text.extend(std::iter::repeat_n('(', tips - 1));
        text.push_str(&format!("t{}:1,t{}:1)", tips - 1, tips - 2));
        (0..tips - 2).rev().for_each(|i| text.push_str(&format!(":1,t{i}:1)")));
    } else {
        (0..tips - 1).for_each(|i| text.push_str(&format!("(t{i}:1,")));
        text.push_str(&format!("t{}:1", tips - 1));
        text.extend(std::iter::repeat_n("):1", tips - 2));
        text.push(')');
    }
    text + ";\n"
}

fn result(place: &Place, line: &str) -> Value {
    let record: Value = serde_json::from_str(&place.stdout(&format!("{line} --json"))).unwrap();
    record["result"].clone()
}

fn every_verb(tips: usize) {
    let n = tips as u64;
    let (first, last) = (newick(tips, false), newick(tips, true));
    let mut letters = String::new();
    (0..tips).for_each(|i| letters.push_str(&format!(">t{i}\n{}\n", ["AA", "CA"][i % 2])));
    let cost = "\tA\tC\tG\tT\nA\t0\t2\t2\t2\nC\t2\t0\t2\t2\nG\t2\t2\t0\t2\nT\t2\t2\t2\t0\n";
    let table = format!("tip,S1,S2\nt0,1,0\nt{},3,1\n", n - 1);
    let dates: String = (0..50).map(|i| format!("t{},{}\n", i * (tips / 50), 2000 + i)).collect();
    let place = Place::new(&[
        ("a.nwk", first.as_bytes()),
        ("b.nwk", last.as_bytes()),
        ("both.nwk", (first.clone() + &last).as_bytes()),
        ("letters.fasta", letters.as_bytes()),
        ("cost.tsv", cost.as_bytes()),
        ("table.csv", table.as_bytes()),
        ("dates.csv", format!("name,date\n{dates}").as_bytes()),
        ("names.csv", b"old,new\nt0,first\n"),
    ]);
    for tree in ["a.nwk", "b.nwk"] {
        let ask = |line: &str| result(&place, &line.replace("TREE", tree));
        let info = ask("tree info TREE");
        assert_eq!((&info["leaves"], &info["height"]), (&n.into(), &(n - 1).into()));
        let shape = ask("tree measures TREE --ltt ltt.csv --svg ltt.svg");
        assert_eq!(shape["sackin"], n * (n + 1) / 2 - 1);
        assert_eq!(shape["colless"], (n - 1) * (n - 2) / 2);
        assert_eq!(
            (&shape["cherries"], &shape["diameter_length"]),
            (&1.into(), &(n as f64).into())
        );
        ask("tree clock TREE --dates dates.csv --svg clock.svg -o residuals.csv");
        for (line, vertices) in [
            (format!("subtree TREE --of t1,t{}", n - 1), 2 * n - 3),
            ("prune TREE --drop t0".to_string(), 2 * n - 3),
            (format!("prune TREE --keep t0,t{}", n - 1), 3),
            // The middle is a vertex, and the old root none any more.
            ("reroot TREE --midpoint".to_string(), 2 * n - 2),
            (format!("reroot TREE --outgroup t{}", n - 1), 2 * n - 1),
            ("reroot TREE --unroot".to_string(), 2 * n - 2),
            ("ladderize TREE".to_string(), 2 * n - 1),
            ("sort TREE".to_string(), 2 * n - 1),
            ("collapse TREE --shorter-than 2".to_string(), n + 1),
            ("resolve TREE".to_string(), 2 * n - 1),
            ("rename TREE --names names.csv".to_string(), 2 * n - 1),
            ("graft TREE --with a.nwk --above t0".to_string(), 4 * n - 1),
        ] {
            assert_eq!(ask(&format!("tree {line} -o out.nwk"))["vertices"], vertices, "{line}");
        }
        assert_eq!(ask("tree reroot TREE --min-variance -o out.nwk")["tips"], n);
        for format in ["nex", "csv", "nwk"] {
            ask(&format!("tree convert TREE -o copy.{format}"));
            let copy = result(&place, &format!("tree compare a.nwk copy.{format}"));
            assert_eq!((&copy["rf"], &copy["wrf"]), (&0.into(), &0.0.into()), "{format}");
        }
        let ends = format!("t0,t{}", n - 1);
        let found = ask(&format!("tree lca TREE --set {ends}"));
        assert_eq!(found["tips"], n);
        ask(&format!("tree distance TREE --matrix --of {ends} -o d.csv"));
        assert_eq!(place.read("d.csv").lines().nth(1), Some(format!("t0,0,{n}").as_str()));
        ask("tree diversity TREE table.csv --metric faith -o faith.csv");
        assert_eq!(place.read("faith.csv"), format!("sample,faith_pd\nS1,{n}\nS2,{}\n", n - 1));
        for metric in ["unweighted", "weighted", "weighted-normalised", "generalised", "kr"] {
            ask(&format!("tree diversity TREE table.csv --metric {metric} -o distances.csv"));
        }
        let score = ask("tree parsimony TREE letters.fasta --states -o states.fasta");
        assert_eq!(score["score"], n / 2);
        let score = ask(
            "tree parsimony TREE letters.fasta --cost cost.tsv --branches changes.csv -o s.csv",
        );
        assert_eq!(score["score"], n / 2 * 2);
        for layout in ["rectangular", "circular"] {
            ask(&format!("tree draw TREE --svg tree.svg --layout {layout}"));
        }
        ask("tree draw TREE --html tree.html --taxonium tree.jsonl");
    }
    let same = result(&place, "tree compare a.nwk b.nwk -o clades.csv");
    assert_eq!((&same["rf"], &same["shared_splits"]), (&0.into(), &(n - 3).into()));
    assert_eq!(result(&place, "tree compare both.nwk --matrix -o rf.csv")["max"], 0.0);
    assert_eq!(
        result(&place, "tree compare both.nwk --matrix --distance kf -o kf.csv")["max"],
        0.0
    );
    let agreed = result(&place, "tree compare both.nwk --consensus strict -o strict.nwk");
    assert_eq!(agreed["inner"], n - 2);
}

#[test]
fn verbs_do_not_mind_depth() {
    every_verb(20_000);
}

/// Takes a minute: `cargo test --release --package palmette-cli --test cli caterpillar -- --ignored`.
#[test]
#[ignore = "a minute"]
fn verbs_do_not_mind_a_depth_of_a_million() {
    every_verb(1_000_000);
}
