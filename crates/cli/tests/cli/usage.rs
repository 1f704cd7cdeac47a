//! What is typed wrongly: one line that says so, with a hint.

#[path = "../../src/renamed/old.rs"]
mod old;

use crate::Place;
use old::OLD;

/// What a line that cannot be parsed says.
fn said(place: &Place, line: &str) -> String {
    let output = place.run(line);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{line}: {text}");
    assert!(output.stdout.is_empty(), "{line}");
    text.strip_prefix("error: ").and_then(|text| text.strip_suffix('\n')).unwrap().to_string()
}

#[test]
fn one_line_with_a_hint() {
    let place = Place::new(&[]);
    for (line, expected) in [
        (
            "palmette tree inf t.csv",
            "unrecognized subcommand 'inf'; did you mean `info`? (see `palmette tree --help`)",
        ),
        (
            "palmette tree info t.csv --svgg a.svg",
            "unexpected argument '--svgg' found; did you mean `--svg`? \
             (see `palmette tree info --help`)",
        ),
        (
            "palmette mesh place",
            "the following required arguments were not provided: --machine <MACHINE> <FILE> \
             (see `palmette mesh place --help`)",
        ),
        (
            "palmette tree order t.csv --order bfsx",
            "invalid value 'bfsx' for '--order <ORDER>' [possible values: preorder, \
             light-first, heavy-first, bfs]; did you mean `bfs`? \
             (see `palmette tree order --help`)",
        ),
        (
            "palmette mesh partition m.msh --parts 2 --imbalance much",
            "invalid value 'much' for '--imbalance <SHARE>': expected a number \
             (see `palmette mesh partition --help`)",
        ),
        (
            "palmette leaffix t.csv",
            "unrecognized subcommand 'leaffix'; did you mean `palmette tree leaffix`? \
             (see `palmette --help`)",
        ),
        (
            "palmette leafix t.csv",
            "unrecognized subcommand 'leafix'; did you mean `palmette tree leaffix`? \
             (see `palmette --help`)",
        ),
        (
            "palmette tree rotfix t.csv",
            "unrecognized subcommand 'rotfix'; did you mean `rootfix`? \
             (see `palmette tree --help`)",
        ),
        (
            "palmette mesh leafix t.csv",
            "unrecognized subcommand 'leafix'; did you mean `palmette tree leaffix`? \
             (see `palmette mesh --help`)",
        ),
        (
            "palmette sparsfy g.mtx",
            "unrecognized subcommand 'sparsfy'; did you mean `palmette graph sparsify`? \
             (see `palmette --help`)",
        ),
        (
            "palmette fromats",
            "unrecognized subcommand 'fromats'; did you mean `formats`? \
             (see `palmette --help`)",
        ),
        (
            "palmette tree info t.csv --format cvs",
            "invalid value 'cvs' for '--format <FORMAT>' [possible values: csv, tsv, npy, \
             newick, nexus, phyloxml, edges, parquet, arrow]; did you mean `csv`? (see `palmette \
             tree info --help`)",
        ),
        (
            "palmette tree info t.csv --lenghts",
            "unexpected argument '--lenghts' found; did you mean `--lengths`? \
             (see `palmette tree info --help`)",
        ),
        (
            "palmette help tree leafix",
            "unrecognized subcommand 'leafix'; did you mean `leaffix`? \
             (see `palmette tree --help`)",
        ),
        (
            "palmette tree leaffix t.csv --modulus seven",
            "invalid value 'seven' for '--modulus <M>': expected a whole number \
             (see `palmette tree leaffix --help`)",
        ),
        (
            "palmette tree generate profile:ldor",
            "invalid value 'profile:ldor' for '<SHAPE>': unknown profile `ldor`; did you mean \
             `ldoor`? (see `palmette tree generate --help`)",
        ),
        (
            "palmette tree info t.csv --threads many",
            "invalid value 'many' for '--threads <N>': expected a number up to 1024 \
             (see `palmette tree info --help`)",
        ),
    ] {
        assert_eq!(said(&place, line.strip_prefix("palmette ").unwrap()), expected);
    }
}

/// A message in which `{option|default}` is what was typed after that option.
fn filled(message: &str, line: &str) -> String {
    let value = |option: &str| {
        let mut words = line.split_whitespace();
        words.find(|word| word.trim_start_matches('-') == option).and_then(|_| words.next())
    };
    let parts = message.split(['{', '}']).map(|part| match part.split_once('|') {
        Some((option, default)) => value(option).unwrap_or(default),
        None => part,
    });
    parts.collect()
}

/// Every line of the table of old spellings, typed.
#[test]
fn old_spellings_say_the_new_one() {
    let place = Place::new(&[]);
    for &(verb, old, new) in OLD {
        for after in ["", " x.svg"] {
            let line = format!("{verb} {old}{after}");
            assert_eq!(said(&place, &line), filled(new, &line), "{line}");
        }
    }
    let text = said(&place, "tree generate --shape star -n 10");
    assert!(text.contains("`tree generate star:10`"), "{text}");
}

#[test]
fn exit_codes_say_whose_fault_it_is() {
    use palmette::WrongAnswer;
    // No input makes a program wrong, so this is not seen from outside.
    assert!(WrongAnswer::unless(true, "spatial treefix").is_ok());
    let wrong = WrongAnswer::unless(false, "spatial treefix").unwrap_err();
    assert_eq!(wrong.to_string(), "spatial treefix: the answer differs from the host's");
    assert_eq!(palmette_cli::exit_code(&wrong.into()), 1);
    assert_eq!(palmette_cli::exit_code(&anyhow::anyhow!("no such file")), 2);
}
