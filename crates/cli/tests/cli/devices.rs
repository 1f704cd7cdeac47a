//! Engines on devices, from the command line.

use crate::{Place, TABLE};

#[cfg(not(feature = "gpu"))]
#[test]
fn without_devices_the_options_say_so() {
    let place = Place::new(&[("t.csv", TABLE)]);
    for line in ["tree leaffix t.csv --engine gpu", "tree devices"] {
        let output = place.run(line);
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(String::from_utf8(output.stderr).unwrap().contains("--features gpu"), "{line}");
    }
    let output = place.run("tree leaffix t.csv --device 0 -o o.csv");
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8(output.stderr).unwrap().contains("note: this palmette"));
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
        place.stdout("tree generate --shape random -n 3000 --shuffle -o t.csv");
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

    #[test]
    fn queries_on_a_device() {
        let pairs = b"a,b\nroot,a\nb,b\n";
        let table = b"id,parent\nroot,\na,root\nb,root\nc,a\n";
        let place = Place::new(&[("t.csv", table), ("pairs.csv", pairs)]);
        for verb in ["lca", "distance"] {
            place.stdout(&format!("tree {verb} t.csv --pairs pairs.csv -o host.csv"));
            place.stdout(&format!("tree {verb} t.csv --pairs pairs.csv --engine gpu -o o.csv"));
            assert_eq!(place.read("o.csv"), place.read("host.csv"), "{verb}");
        }
        assert!(message(&place, "tree lca t.csv --set a,b,c --engine gpu").contains("found sets"));
    }

    #[test]
    fn what_devices_cannot_is_said() {
        let place = Place::new(&[("t.csv", TABLE)]);
        let wants = [
            ("--engine gpu --device abacus", "no device fits 'abacus'"),
            ("--engine gpu --type f64", "'sum' on f64 has no kernel"),
            ("--engine gpu --op product --modulus 7", "'product' on i64 has no kernel"),
            ("--engine gpu-euler --op min", "needs an operator with inverses"),
            ("--engine gpu --device-memory 10", "bytes of device memory"),
            ("--engine threads --device 0", "expected --engine auto or gpu"),
        ];
        for (options, expected) in wants {
            let message = message(&place, &format!("tree leaffix t.csv {options}"));
            assert!(message.contains(expected), "{options}: {message}");
        }
    }

    #[test]
    fn auto_goes_back_to_the_host() {
        let place = Place::new(&[("t.csv", TABLE)]);
        place.stdout("tree leaffix t.csv -o host.csv");
        for options in ["--device abacus", "--device 0 --device-memory 10"] {
            let output = place.run(&format!("tree leaffix t.csv {options} -o o.csv"));
            assert_eq!(output.status.code(), Some(0));
            let notes = String::from_utf8(output.stderr).unwrap();
            assert!(notes.contains("the host's threads run instead"), "{notes}");
            assert_eq!(place.read("o.csv"), place.read("host.csv"));
        }
        let found = record(&place, "tree leaffix t.csv --device 0 --json -o o.csv");
        assert_eq!(found["result"]["engine"], "gpu-euler");
    }
}
