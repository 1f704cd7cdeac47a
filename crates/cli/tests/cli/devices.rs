//! Engines on devices, from the command line.

use crate::{Place, TABLE};

#[cfg(not(feature = "gpu"))]
#[test]
fn without_devices_the_options_say_so() {
    let place = Place::new(&[("t.csv", TABLE)]);
    let lines = [
        "tree leaffix t.csv --engine gpu",
        "tree leaffix t.csv --op size --engine gpu",
        "tree distance t.csv a b --engine gpu",
        "tree path t.csv a b --op sum --engine gpu",
        "tree devices",
    ];
    for line in lines {
        let output = place.run(line);
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(String::from_utf8(output.stderr).unwrap().contains("--features gpu"), "{line}");
    }
    let output = place.run("tree leaffix t.csv --device 0 -o o.csv");
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8(output.stderr).unwrap().contains("note: this build"));
    assert!(place.read("o.csv").starts_with("vertex,sum\n"));
}

#[cfg(feature = "gpu")]
mod with_devices {
    use super::{Place, TABLE};
    use serde_json::Value;

    fn record(place: &Place, line: &str) -> Value {
        serde_json::from_str(&place.stdout(line)).unwrap()
    }

    /// The message of a command that fails.
    fn message(place: &Place, line: &str) -> String {
        let output = place.run(line);
        assert_eq!(output.status.code(), Some(2), "{line}");
        String::from_utf8(output.stderr).unwrap()
    }

    #[test]
    fn devices_are_listed() {
        let place = Place::new(&[]);
        let found = record(&place, "tree devices --json");
        let all = found["result"]["devices"].as_array().unwrap();
        assert_eq!(found["result"]["count"], all.len());
        let name = all[0]["device"].as_str().unwrap();
        assert!(place.stdout("tree devices").contains(name));
    }

    #[test]
    fn all_engines_give_the_same_table() {
        let place = Place::new(&[]);
        place.stdout("tree generate random:3000 --shuffle -o t.csv");
        for (verb, op) in [("leaffix", "sum"), ("rootfix", "sum"), ("leaffix", "max")] {
            place.stdout(&format!("tree {verb} t.csv --op {op} -o host.csv"));
            for engine in ["gpu", "gpu-euler", "gpu-levels", "gpu-contract"] {
                if (engine, op) == ("gpu-euler", "max") {
                    continue;
                }
                let line = format!("tree {verb} t.csv --op {op} --engine {engine} -o o.csv --json");
                let record = record(&place, &line);
                assert_eq!(place.read("o.csv"), place.read("host.csv"), "{line}");
                assert!(record["seconds"]["upload"].is_number(), "{record}");
                assert!(record["seconds"]["download"].is_number(), "{record}");
                assert!(record["result"]["device"].is_string(), "{record}");
            }
        }
        let record = record(&place, "tree leaffix t.csv --engine gpu --type f32 --json -o o.csv");
        assert_eq!(record["result"]["engine"], "gpu-contract", "floats keep their digits");
    }

    /// The trees of a file in one forest, with an engine of their own.
    #[test]
    fn many_small_trees() {
        let text: String =
            (0..60).map(|k| format!("((a:{k},b:2)x:1,(c:3,d:{k}.5)y:4)r;\n")).collect();
        let place = Place::new(&[("t.nwk", text.as_bytes())]);
        for (op, values) in [("count", ""), ("max", "--lengths"), ("sum", "--lengths --type f32")] {
            let line = format!("tree leaffix t.nwk --tree all --op {op} {values}");
            place.stdout(&format!("{line} -o host.csv"));
            let found = record(&place, &format!("{line} --engine gpu -o o.csv --json"));
            assert_eq!(found["result"]["engine"], "gpu-trees", "{found}");
            assert_eq!(place.read("o.csv"), place.read("host.csv"), "{line}");
        }
        place.stdout("tree generate star:1100 -o t.csv");
        let text = message(&place, "tree leaffix t.csv --op count --engine gpu-trees");
        assert!(text.contains("1100 vertices") && text.contains("1024"), "{text}");
    }

    /// A tree with whole and broken weights of either sign, and a second root.
    fn weighted(n: i64) -> String {
        let mut table = "id,parent,w,x,k,length\n".to_string();
        for i in 0..n {
            let mix = (i * 0x9E37_79B9) % 10_007;
            let parent = if i == 0 || i == n / 2 { String::new() } else { (mix % i).to_string() };
            let (w, k) = (mix - 5000, mix % 9);
            table += &format!("{i},{parent},{w},{w}.5,{k},{k}\n");
        }
        table
    }

    #[test]
    fn every_operator_gives_the_table_of_the_host() {
        let place = Place::new(&[("t.csv", weighted(2000).as_bytes())]);
        let operations = [
            "--op count",
            "--op sum --values w --exclusive",
            "--op xor --values w",
            "--op and --values w",
            "--op or --values w --exclusive",
            "--op min --values x",
            "--op max --values x --type f32 --exclusive",
            "--op argmin --values w",
            "--op argmax --values x",
            "--op argmin --values x --type f32 --exclusive",
            "--op product --values w --modulus 1000003",
            "--op product --values w --modulus 18446744073709551615",
            "--op affine --values w --values k --modulus 998244353",
            "--op hash --values w --seed 5",
        ];
        let measures = [
            "rootfix t.csv --forest --op depth",
            "leaffix t.csv --forest --op size",
            "leaffix t.csv --forest --op leaves",
            "leaffix t.csv --forest --op height",
        ];
        let aggregates = ["rootfix", "leaffix"]
            .into_iter()
            .flat_map(|verb| operations.map(|o| format!("{verb} t.csv --forest {o}")));
        for line in aggregates.chain(measures.map(String::from)) {
            place.stdout(&format!("tree {line} -o host.csv"));
            let found = record(&place, &format!("tree {line} --engine gpu -o o.csv --json"));
            assert_eq!(place.read("o.csv"), place.read("host.csv"), "{line}");
            assert!(found["result"]["engine"].as_str().unwrap().starts_with("gpu"), "{found}");
        }
    }

    #[test]
    fn paths_and_distances_give_the_table_of_the_host() {
        let pairs: String = (0..500).map(|i| format!("{},{}\n", i * 3, (i * 77) % 2000)).collect();
        let files = [("t.csv", weighted(2000)), ("pairs.csv", pairs)];
        let place = Place::new(&files.each_ref().map(|(name, text)| (*name, text.as_bytes())));
        let lines = [
            "lca",
            "distance --edges",
            "distance",
            "path --op sum --values w",
            "path --op sum --values k --edges",
            "path --op count --edges",
            "path --op affine --values w --values k --modulus 998244353",
            "path --op argmax --values x",
            "path --op hash --values w --edges",
        ];
        for line in lines {
            let (verb, options) = line.split_once(' ').unwrap_or((line, ""));
            let line = format!("tree {verb} t.csv --forest --pairs pairs.csv {options}");
            place.stdout(&format!("{line} -o host.csv"));
            let found = record(&place, &format!("{line} --engine gpu -o o.csv --json"));
            assert_eq!(place.read("o.csv"), place.read("host.csv"), "{line}");
            assert_eq!(found["result"]["engine"], "gpu", "{line}");
        }
    }

    #[test]
    fn what_devices_cannot_is_said() {
        let far = b"id,parent,w,length\na,,1,0\nb,a,2,0.5\nc,b,inf,1\n";
        let most = b"id,parent,w\na,,9223372036854775807\nb,a,1\n";
        let place = Place::new(&[("t.csv", TABLE), ("far.csv", far), ("most.csv", most)]);
        let wants = [
            ("leaffix t.csv --engine gpu --device abacus", "no device matches 'abacus'"),
            ("leaffix t.csv --engine gpu --device 99", "no device matches '99'"),
            ("leaffix t.csv --engine gpu --type f64", "'sum' on f64 has no kernel"),
            ("leaffix t.csv --engine gpu --type f64", "min, max, argmin, argmax on all types"),
            ("leaffix t.csv --engine gpu-euler --op min", "needs an operator with inverses"),
            ("leaffix t.csv --engine gpu --device-memory 10", "not enough device memory"),
            ("leaffix t.csv --engine threads --device 0", "works with --engine auto or gpu"),
            ("leaffix t.csv --engine gpu --type f32 --sum exact", "run on the host only"),
            ("rootfix t.csv --engine gpu --error-bound", "'sum' on f64 has no kernel"),
            ("leaffix t.csv --engine gpu-levels --op size", "--op size takes no --engine"),
            ("rootfix far.csv --engine gpu --op depth --lengths", "sums of f64"),
            ("leaffix far.csv --engine gpu --values w --type f32", "line 4: the value at"),
            ("path far.csv a c --engine gpu --values w --op sum --type f32", "at `c` is inf"),
            ("leaffix most.csv --engine gpu --values w", "9223372036854775808"),
            ("path most.csv a b --op sum --engine gpu --values w", "9223372036854775808"),
            ("distance far.csv a c --lengths --engine gpu", "found 0.5 at `b`"),
            ("lca t.csv --set a,b,c --engine gpu", "not sets"),
            ("path t.csv a b --engine gpu", "no operator given; add --op"),
        ];
        for (line, expected) in wants {
            let message = message(&place, &format!("tree {line}"));
            assert!(message.contains(expected), "{line}: {message}");
        }
    }

    /// The exact sums are 1e8, 1e8 + 1, 1 and 1.5.
    #[test]
    fn bounds_stand_before_their_sums() {
        let table = b"id,parent,w\na,,1e8\nb,a,1\nc,b,-1e8\nd,c,0.5\n";
        let place = Place::new(&[("t.csv", table)]);
        for engine in ["gpu", "gpu-euler", "gpu-levels", "gpu-contract"] {
            let line = format!(
                "tree rootfix t.csv --values w --type f32 --error-bound --engine {engine} -o o.csv"
            );
            let found = record(&place, &format!("{line} --json"));
            assert!(found["result"]["largest_bound"].as_f64().unwrap() > 1.0, "{found}");
            let text = place.read("o.csv");
            let mut rows = text.lines().map(|row| row.split(',').collect::<Vec<_>>());
            assert_eq!(rows.next().unwrap(), ["vertex", "bound", "sum"]);
            for (row, exact) in rows.zip([1e8, 1e8 + 1.0, 1.0, 1.5]) {
                let [bound, sum] = [1, 2].map(|k| row[k].parse::<f64>().unwrap());
                assert!((sum - exact).abs() <= bound, "{engine}: {row:?}");
                assert!(bound < 2000.0, "{engine}: {row:?}");
            }
        }
    }

    /// Sums that leave the range of f32 are counted.
    #[test]
    fn large_floats_are_mentioned() {
        let place = Place::new(&[("t.csv", b"id,parent,w\na,,3e38\nb,a,3e38\nc,b,1\n")]);
        let line = "tree rootfix t.csv --values w --type f32 --engine gpu --json -o o.csv";
        let output = place.run(line);
        assert!(String::from_utf8(output.stderr).unwrap().contains("2 sums overflowed f32"));
        assert_eq!(place.read("o.csv"), "vertex,sum\na,3e38\nb,inf\nc,inf\n");
    }

    #[test]
    fn empty_trees_and_lone_vertices() {
        let place = Place::new(&[("none.csv", b"id,parent\n"), ("one.csv", b"id,parent\na,\n")]);
        for file in ["none.csv", "one.csv"] {
            for line in ["rootfix", "leaffix", "leaffix --op height", "leaffix --op max"] {
                let (verb, options) = line.split_once(' ').unwrap_or((line, ""));
                let line = format!("tree {verb} {file} --forest {options}");
                let host = place.run(&line);
                let device = place.run(&format!("{line} --engine gpu"));
                assert_eq!(device.status.code(), host.status.code(), "{line}");
                assert_eq!(device.stdout, host.stdout, "{line}");
            }
        }
        let path = "tree path one.csv a a --op count";
        assert_eq!(place.stdout(&format!("{path} --engine gpu")), place.stdout(path));
    }

    /// A driver's list that names no driver: there is no device.
    #[test]
    fn a_machine_without_devices() {
        let place = Place::new(&[("t.csv", TABLE)]);
        let run = |line: &str| {
            let mut command = place.command(line);
            command.env("VK_ICD_FILENAMES", "/dev/null").env("VK_DRIVER_FILES", "/dev/null");
            let output = command.output().unwrap();
            (output.status.code(), String::from_utf8(output.stderr).unwrap())
        };
        let (code, message) = run("tree leaffix t.csv --engine gpu");
        assert_eq!(code, Some(2));
        assert!(message.contains("no device found; install a driver for Vulkan"), "{message}");
        let (code, message) = run("tree leaffix t.csv --device 0 -o o.csv");
        assert_eq!(code, Some(0));
        assert!(message.contains("note: no device found"), "{message}");
        assert!(message.contains("using the host's threads instead"), "{message}");
        assert_eq!(run("tree devices").0, Some(0));
    }

    #[test]
    fn auto_goes_back_to_the_host() {
        let place = Place::new(&[("t.csv", TABLE)]);
        place.stdout("tree leaffix t.csv -o host.csv");
        let cannot = [
            "--device abacus",
            "--device 0 --device-memory 10",
            "--device 0 --type f64",
            "--device 0 --sum exact",
        ];
        for options in cannot {
            let output = place.run(&format!("tree leaffix t.csv {options} -o o.csv"));
            assert_eq!(output.status.code(), Some(0));
            let notes = String::from_utf8(output.stderr).unwrap();
            assert!(notes.contains("using the host's threads instead"), "{notes}");
            assert_eq!(place.read("o.csv"), place.read("host.csv"));
        }
        let found = record(&place, "tree leaffix t.csv --device 0 --json -o o.csv");
        assert_eq!(found["result"]["engine"], "gpu-euler");
    }
}
