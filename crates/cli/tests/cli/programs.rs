//! `palmette spatial treefix`, `lca` and `layout --on-machine`.

use crate::{Place, TABLE, refused};
use serde_json::Value;

fn place() -> Place {
    Place::new(&[
        ("t.csv", TABLE),
        ("one.csv", b"id,parent\nonly,\n"),
        ("f.csv", b"id,parent\nx,\ny,x\nz,\n"),
        ("big.csv", b"id,parent,w\nr,,1\na,r,9223372036854775807\nb,r,1\n"),
        ("maps.csv", b"id,parent,p,q\n0,,2,1\n1,0,3,0\n2,0,1,5\n3,1,1,1\n"),
        ("pairs.csv", b"u,v\nc,d\nb,d\nc,a\n"),
        ("none.csv", b"u,v\n"),
        ("empty.csv", b""),
        ("wrong.csv", b"u,v\nc,d\nc,nobody\n"),
        ("nan.csv", b"root,1\na,nan\nb,1\nc,2\nd,3\n"),
    ])
}

fn record(place: &Place, line: &str) -> Value {
    serde_json::from_str(&place.stdout(line)).unwrap()
}

fn has_keys(result: &Value, more: &[&str]) {
    let all = [
        "energy",
        "energy_words",
        "work_per_activation",
        "delivery",
        "given",
        "energy_per_vertex",
        "depth",
        "distance",
        "longest_edge",
        "messages",
        "rounds",
        "words_per_processor",
        "max_link_load",
        "cycles",
        "cycles_estimate",
        "cycles_ratio",
        "cycles_waited",
        "max_link_words",
    ];
    for key in all.iter().chain(more) {
        assert!(!result[key].is_null(), "{key} in {result}");
    }
    assert_eq!(result["correct"], true, "{result}");
    for phase in result["phases"].as_array().unwrap() {
        for key in ["name", "energy", "energy_per_vertex", "messages", "depth", "distance"] {
            assert!(!phase[key].is_null(), "{key} in {phase}");
        }
        assert!(phase["energy_words"].as_u64() >= phase["energy"].as_u64(), "{phase}");
    }
}

#[test]
fn treefix_is_that_of_the_host() {
    let place = place();
    for shape in ["random", "caterpillar", "star", "preferential"] {
        let line = format!("tree generate {shape}:500 --shuffle --seed 4 -o g.csv");
        place.stdout(&line);
        place.stdout("tree leaffix g.csv --op size -o v.csv");
        for options in ["--op sum", "--op max --values v.csv", "--op argmin --values v.csv"] {
            for way in ["leaffix", "rootfix"] {
                let host = place.stdout(&format!("tree {way} g.csv {options}"));
                let line = format!("spatial treefix g.csv {options} --direction {way} -o -");
                assert_eq!(place.stdout(&line), host, "{shape} {line}");
            }
        }
    }
    let line = "spatial treefix g.csv --op sum --values v.csv --curve moore --seed 9";
    let one = place.stdout(&format!("{line} --threads 1 --type f64 -o one.npy --svg one.svg"));
    let two = place.stdout(&format!("{line} --threads 2 --type f64 -o two.npy --svg two.svg"));
    let steady = |text: &str| text.lines().filter(|l| !l.contains("second")).count() > 10;
    assert!(steady(&one) && steady(&two));
    assert_eq!(place.read("one.svg"), place.read("two.svg"));
    let read = |name: &str| std::fs::read(place.path().join(name)).unwrap();
    assert_eq!(read("one.npy"), read("two.npy"));
    let picture = place.read("one.svg");
    assert!(picture.starts_with("<svg") && picture.contains("Rounds of contraction"));
}

/// What is not one of the machine's.
#[test]
fn delays_and_gifts_that_cannot_be() {
    let place = place();
    for line in ["treefix t.csv", "lca t.csv c d", "layout t.csv --on-machine", "message t.csv"] {
        for (delivery, text) in [
            ("manhattan:0", "a delay of 0 is not possible"),
            ("random:0-5", "a delay of 0 is not possible"),
            ("random:1-5/hop", "add some, as in random:1+1-5/hop"),
            ("manhattan:-3", "a delay of -3 is not possible"),
            ("random:-3-5", "a delay of -3 is not possible"),
            ("random:5-4", "there is no delay from 5 to 4"),
            ("manhatan", "unknown delivery model `manhatan`; did you mean"),
            ("-1", "unknown delivery model `-1`"),
            ("", "unknown delivery model ``"),
        ] {
            let mut command = place.command(&format!("spatial {line}"));
            let output = command.args(["--delivery", delivery]).output().unwrap();
            let error = String::from_utf8(output.stderr).unwrap();
            assert!(output.status.code() == Some(2) && error.contains(text), "{delivery}: {error}");
        }
    }
    for line in ["treefix t.csv", "lca t.csv c d", "layout t.csv --on-machine"] {
        let text = &["--given", "unknown gift `sed`; did you mean `seed`?"];
        crate::refused(&place, &format!("spatial {line} --given seed,sed"), text);
    }
    let text = &["--delivery manhattan needs --kind broadcast or reduce"];
    crate::refused(&place, "spatial message t.csv --kind children --delivery manhattan", text);
    let text = &["--on-machine"];
    crate::refused(&place, "spatial layout t.csv --delivery random", text);
    crate::refused(&place, "spatial layout t.csv --given all", text);
}

#[test]
fn answers_do_not_depend_on_delays() {
    let place = place();
    for shape in ["path", "caterpillar", "random", "star"] {
        place.stdout(&format!("tree generate {shape}:60 --shuffle --seed 2 -o g.csv"));
        for way in ["leaffix", "rootfix"] {
            let host = place.stdout(&format!("tree {way} g.csv --op sum"));
            for seed in 0..6 {
                let delivery = ["random", "random:5+1-2/hop", "manhattan:3"][seed % 3];
                let line = format!("spatial treefix g.csv --op sum --direction {way}");
                let line = format!("{line} --delivery {delivery} --seed {seed}");
                assert_eq!(place.stdout(&format!("{line} -o -")), host, "{shape} {line}");
            }
        }
        for line in ["layout g.csv --on-machine", "lca g.csv 3 5", "message g.csv --kind reduce"] {
            for seed in 0..4 {
                let line = format!("spatial {line} --delivery random --seed {seed} --json");
                let found = record(&place, &line)["result"].take();
                assert!(found["correct"].as_bool() != Some(false), "{line}");
                assert_eq!(found["delivery"], "random:1-20");
            }
        }
    }
}

#[test]
fn gifts_are_named_and_cost_nothing() {
    let place = place();
    place.stdout("tree generate random:200 --seed 3 -o g.csv");
    for (line, gifts) in [
        ("treefix g.csv", &[][..]),
        ("lca g.csv 3 5", &["queries"]),
        ("layout g.csv --on-machine", &["seed", "predecessors", "children"]),
    ] {
        let of = |given: &str| {
            let line = format!("spatial {line} --given {given} --json");
            let found = record(&place, &line)["result"].take();
            assert_eq!(found["correct"], true);
            (found["energy"].as_u64().unwrap(), found["given"].clone())
        };
        let (dear, nothing) = of("none");
        assert_eq!(nothing, serde_json::json!([]));
        for gift in gifts {
            let (cheap, given) = of(gift);
            assert!(cheap < dear, "{line} {gift}: {cheap}, {dear}");
            assert_eq!(given, serde_json::json!([gift]));
        }
        assert_eq!(of("all").1, serde_json::json!(gifts), "{line}");
    }
    // What nobody needs is no error: the answer is the same. It is said.
    let done = place.run("spatial treefix g.csv --given seed");
    let said = String::from_utf8(done.stderr).unwrap();
    assert!(done.status.success() && said.contains("--given seed: nothing in this run needs it"));
}

#[test]
fn treefix_says_what_it_did() {
    let place = place();
    let text = place.stdout("spatial treefix t.csv --values weight");
    assert!(text.contains("\nmatches the host engine: yes\n"), "{text}");
    for part in ["rounds  ", "phase  ", "energy/n", "virtual tree  ", "leaffix: rake  "] {
        assert!(text.contains(part), "no `{part}` in {text}");
    }
    assert!(!text.contains("correct") && !text.contains("phases"), "{text}");
    let record = record(&place, "spatial treefix t.csv --direction rootfix --op count --json");
    has_keys(&record["result"], &["max_received"]);
    assert_eq!(record["result"]["vertices"], 5);
    assert_eq!(record["parameters"]["direction"], "rootfix");
    for direction in ["leaffix", "rootfix"] {
        let line = format!("spatial treefix t.csv --op count --direction {direction}");
        let [ours, published] = ["ours", "published"].map(|method| {
            let made = self::record(&place, &format!("{line} --method {method} --json"));
            assert_eq!(made["parameters"]["method"], method);
            assert_eq!(made["result"]["correct"], true);
            let answers = place.stdout(&format!("{line} --method {method} -o -"));
            (answers, made["result"]["energy"].as_u64().unwrap())
        });
        assert!(ours.0 == published.0 && ours.1 < published.1, "{ours:?} and {published:?}");
    }
    let alone = place.stdout("spatial treefix one.csv --svg one.svg");
    assert!(alone.contains("energy_per_vertex") && alone.contains("host engine: yes"), "{alone}");
    assert!(place.read("one.svg").starts_with("<svg"));
}

#[test]
fn operators_that_do_not_commute() {
    let place = place();
    let line = "spatial treefix maps.csv --op affine --values p,q --modulus 97 -o -";
    // Vertex 2 is lighter than vertex 1: 2 (1 (3 (x + 1)) + 5) + 1.
    let laid_out = "vertex,a,b\n0,6,17\n1,3,3\n2,1,5\n3,1,1\n";
    assert_eq!(place.stdout(&format!("{line} --layout-order")), laid_out);
    let root = place.stdout(&format!("{line} --direction rootfix"));
    let options = "--op affine --values p,q --modulus 97";
    assert_eq!(root, place.stdout(&format!("tree rootfix maps.csv {options}")));
    // Where light-first order is the given one, nothing is refused.
    place.stdout("tree generate path:50 -o path.csv");
    let hash = place.stdout("spatial treefix path.csv --op hash -o -");
    assert_eq!(hash, place.stdout("tree leaffix path.csv --op hash"));
}

#[test]
fn ancestors() {
    let place = place();
    let table = "u,v,lca\nc,d,a\nb,d,root\nc,a,a\n";
    assert_eq!(place.stdout("spatial lca t.csv --pairs pairs.csv -o -"), table);
    assert_eq!(place.stdout("tree lca t.csv --pairs pairs.csv"), table);
    assert_eq!(place.stdout("spatial lca t.csv c d -o -"), "u,v,lca\nc,d,a\n");
    let record = record(&place, "spatial lca t.csv c d --svg l.svg --json");
    has_keys(&record["result"], &["processors", "layers", "queries"]);
    assert_eq!(record["result"]["lca"], "a");
    let picture = place.read("l.svg");
    assert!(picture.starts_with("<svg") && picture.contains("Rounds of contraction"));
    let text = place.stdout("spatial lca t.csv b d");
    assert!(text.contains("last layer  ") && text.contains("host engine: yes\n"), "{text}");
    assert_eq!(place.stdout("spatial lca one.csv only only -o -"), "u,v,lca\nonly,only,only\n");

    place.stdout("tree generate random:400 --shuffle --seed 2 -o g.csv");
    // Vertex 7 is in very many pairs.
    let pair = |k: u64| format!("{},{}\n", k * 37 % 400, if k < 250 { 7 } else { k % 400 });
    let pairs: String = (0..500).map(pair).collect();
    std::fs::write(place.path().join("many.csv"), pairs).unwrap();
    let host = place.stdout("tree lca g.csv --pairs many.csv");
    assert_eq!(place.stdout("spatial lca g.csv --pairs many.csv -o -"), host);
}

#[test]
fn layouts_made_by_the_machine() {
    let place = place();
    place.stdout("tree generate random:300 --shuffle --seed 2 -o g.csv");
    for file in ["t.csv", "one.csv", "g.csv --curve z", "g.csv --grid 64x64"] {
        let host = place.stdout(&format!("spatial layout {file} -o -"));
        let line = format!("spatial layout {file} --on-machine");
        assert_eq!(place.stdout(&format!("{line} -o -")), host, "{file}");
        let text = place.stdout(&format!("{line} --svg l/"));
        assert!(text.contains("matches the host engine: yes\n"), "{text}");
        assert!(place.read("l/layout.svg").starts_with("<svg"));
        assert!(place.read("l/run.svg").contains("Rounds of contraction"));
        let made = &record(&place, &format!("{line} --json"))["result"];
        has_keys(made, &["layout_energy", "layout_energy_per_vertex"]);
        let laid = &record(&place, &format!("spatial layout {file} --json"))["result"];
        assert_eq!(made["layout_energy"], laid["energy"]);
    }
}

#[test]
fn what_programs_refuse() {
    let place = place();
    let before = place.names();
    let one_root = "f.csv has 2 roots; this needs a tree with one root";
    let cases = [
        ("treefix f.csv -o a.csv", one_root),
        ("treefix f.csv --forest --svg a.svg", one_root),
        ("lca f.csv x y", one_root),
        ("layout f.csv --on-machine -o a.csv", one_root),
        ("treefix t.csv --svg -", "--svg needs a file"),
        ("lca t.csv c d --svg -", "--svg needs a file"),
        ("treefix t.csv -o a.svg --svg ./a.svg", "-o and --svg name the same file: a.svg"),
        ("lca t.csv c d -o a.svg --svg ./a.svg", "-o and --svg name the same file"),
        ("treefix t.csv --json -o -", "prints the record on stdout"),
        ("lca t.csv c d --json -o -", "prints the record on stdout"),
        ("treefix t.csv --values nan.csv -o a.csv", "nan.csv, line 2: expected a number (not NaN)"),
        ("treefix t.csv --values nowhere", "nowhere"),
        ("treefix t.csv --op affine", "--op affine needs --values with 2 columns"),
        ("treefix t.csv --op product", "--op product needs --modulus M"),
        ("treefix t.csv --modulus 7", "--op sum takes no --modulus"),
        ("treefix t.csv --op xor --lengths", "use --values with a column of integers"),
        ("treefix t.csv --op median", "invalid value 'median'"),
        ("treefix t.csv --direction up", "invalid value 'up'"),
        ("treefix t.csv --method theirs", "invalid value 'theirs'"),
        ("treefix t.csv --order bfs", "unexpected argument '--order'"),
        (
            "treefix t.csv --direction rootfix --layout-order",
            "--layout-order needs --direction leaffix, not rootfix",
        ),
        ("treefix t.csv --grid 2x2", "--grid: the grid 2x2 is too small for 5 vertices"),
        ("treefix t.csv --svg nowhere/a.svg", "nowhere/a.svg: cannot write"),
        ("treefix t.csv -o a.csv --svg /dev/full", "/dev/full"),
        ("treefix t.csv --svg p.svg -o nowhere/a.csv", "nowhere/a.csv: cannot write"),
        ("treefix big.csv --values w -o a.csv", "big.csv, line 2: the sum does not fit i64"),
        (
            "treefix maps.csv --op affine --values p,q -o a.csv",
            "maps.csv, line 2: affine does not commute, and light-first order changes that of \
             the children of `0`; pass --layout-order",
        ),
        ("treefix missing.csv", "missing.csv"),
        ("treefix t.csv --lengths --missing-length nan", "expected a number, found `nan`"),
        ("lca t.csv", "no query given; name two vertices or pass --pairs FILE"),
        ("lca t.csv c", "a pair has two vertices, not 1"),
        ("lca t.csv c nobody -o a.csv", "nobody"),
        ("lca t.csv c d --pairs pairs.csv", "cannot be used with"),
        ("lca t.csv --pairs wrong.csv -o a.csv", "wrong.csv, line 3"),
        ("lca t.csv --pairs none.csv -o a.csv", "none.csv: no pairs in this file"),
        ("lca t.csv --pairs empty.csv --svg a.svg", "empty.csv: no pairs in this file"),
        ("lca t.csv c d -o a.npy", "npy"),
        ("lca t.csv c d --grid 2x2", "--grid: the grid 2x2 is too small"),
        ("lca t.csv c d --grid 70000x1 --curve gilbert", "at most 65536 cells per side"),
        ("layout t.csv --on-machine --order bfs", "needs --order light-first, not bfs"),
        ("layout t.csv --on-machine --order refined", "light-first, not refined"),
        ("layout t.csv --on-machine --compare", "cannot be used with"),
        ("layout t.csv --on-machine --svg -", "--svg needs a file"),
        ("layout t.csv --on-machine --grid 2x2", "--grid: the grid 2x2 is too small"),
    ];
    for (line, part) in cases {
        let output = place.run(&format!("spatial {line}"));
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}: {stderr}");
        assert!(output.stdout.is_empty(), "{line}");
        assert!(stderr.contains(part), "{line}: no `{part}` in {stderr}");
        assert_eq!(place.names(), before, "{line}");
    }
}

#[test]
fn cycles_are_replayed_when_asked() {
    let place = place();
    place.stdout("tree generate random:300 --shuffle --seed 4 -o g.csv");
    std::fs::write(place.path().join("p.csv"), "u,v\n3,4\n10,200\n").unwrap();
    for line in [
        "spatial treefix g.csv",
        "spatial lca g.csv --pairs p.csv",
        "spatial layout g.csv --on-machine",
        "spatial message g.csv",
        "spatial message g.csv --kind reduce",
        "spatial message g.csv --kind children",
    ] {
        let found = record(&place, &format!("{line} --json"));
        let cycles = found["result"]["cycles"].as_u64().unwrap();
        assert!(cycles >= found["result"]["distance"].as_u64().unwrap() + 5, "{line}");
        assert!(cycles >= found["result"]["max_link_words"].as_u64().unwrap(), "{line}");
        let never = record(&place, &format!("{line} --json --replay never"));
        assert!(never["result"]["cycles"].is_null(), "{line}");
        assert_eq!(never["result"]["energy"], found["result"]["energy"], "{line}");
        let slow = record(&place, &format!("{line} --json --hop-latency 4"));
        assert!(slow["result"]["cycles"].as_u64().unwrap() > cycles, "{line}");
        assert_eq!(slow["parameters"]["network"]["hop"], 4, "{line}");
        for (option, words) in [
            (
                "--hop-latency -1",
                "--hop-latency: expected a whole number from 1 to 1000000, found -1",
            ),
            ("--ramp-latency 0", "--ramp-latency: expected a whole number from 1"),
            ("--compute-latency -3", "--compute-latency: expected a whole number from 0"),
            ("--link-capacity 0", "--link-capacity: expected a whole number from 1"),
            ("--replay sometimes", "possible values: auto, always, never"),
        ] {
            refused(&place, &format!("{line} {option}"), &[words]);
        }
    }
    refused(&place, "spatial layout g.csv --hop-latency 2", &["--on-machine"]);
    refused(&place, "spatial layout g.csv --trace t.goal", &["--on-machine"]);
}

#[test]
fn every_program_writes_traces() {
    let place = place();
    place.stdout("tree generate random:300 --shuffle --seed 4 -o g.csv");
    std::fs::write(place.path().join("p.csv"), "u,v\n3,4\n10,200\n").unwrap();
    for line in [
        "spatial treefix g.csv --replay never",
        "spatial lca g.csv --pairs p.csv",
        "spatial layout g.csv --on-machine",
    ] {
        let found = record(&place, &format!("{line} --json --trace t.goal"));
        let messages = found["result"]["messages"].as_u64().unwrap();
        let goal = place.read("t.goal");
        assert!(goal.starts_with("num_ranks "), "{line}");
        assert_eq!(goal.matches(" send ").count() as u64, messages, "{line}");
        assert_eq!(goal.matches(" recv ").count() as u64, messages, "{line}");
        place.stdout(&format!("{line} --trace t.json"));
        let json: Value = serde_json::from_str(&place.read("t.json")).unwrap();
        let starts = json["traceEvents"].as_array().unwrap().iter();
        assert_eq!(starts.filter(|event| event["ph"] == "s").count() as u64, messages, "{line}");
    }
}
