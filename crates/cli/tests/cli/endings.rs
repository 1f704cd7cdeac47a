//! No output is written in a format that contradicts its name.

use crate::{Place, TABLE, refused};

#[test]
fn names_keep_what_they_promise() {
    let place = Place::new(&[("t.csv", TABLE)]);
    place.stdout("mesh generate triangles:4x4 -o m.msh -q");
    let cases: [(&str, &[&str], &[&str]); 5] = [
        (
            "tree leaffix t.csv -o",
            &["a.csv", "a.TSV.gz", "a.b.npy", "a.parquet", "a.feather", "/dev/null"],
            &["a.xlsx", "b"],
        ),
        (
            "tree info t.csv --svg",
            &["a.svg", "a", "a.svg.zst", "a.v2"],
            &["a.png", "a.svg.png", "a.CSV"],
        ),
        (
            "mesh partition m.msh -k 2 -o",
            &["plate.part.64", "a.txt", "a"],
            &["a.npy", "a.json", "a.txt.xz"],
        ),
        ("tree convert t.csv -o", &["a.nwk", "a.edges"], &["a.nhx", "a", ".csv"]),
        ("tree convert t.csv --to newick -o", &["a.nhx", "a", "a.csv"], &[]),
    ];
    for (line, good, bad) in cases {
        for name in bad {
            let option = line.split_whitespace().last().unwrap();
            let parts = [&format!("{name}: wrong extension")[..], &format!(" after {option}")];
            refused(&place, &format!("{line} {name}"), &parts);
        }
        good.iter().for_each(|name| drop(place.stdout(&format!("{line} {name} -q"))));
    }
}
