//! Diversity of samples, from files to files.

use crate::{Place, refused};

const TREE: &[u8] = b"((a:1,b:2)x:3,(c:4,d:0.5)y:1)r:7;\n";
const TABLE: &[u8] = b"#OTU ID\tS1\tS2\tempty\tS1x2\na\t5\t0\t0\t10\nb\t1\t0\t0\t2\nc\t0\t2\t0\t0\nd\t0\t2.5\t0\t0\n";

fn place() -> Place {
    Place::new(&[
        ("t.nwk", TREE),
        ("t.tsv", TABLE),
        ("turned.csv", b"sample,d,a,c,b\nS1,0,5,0,1\nS2,2.5,0,2,0\nempty,0,0,0,0\nS1x2,0,10,0,2\n"),
        ("more.tsv", b"#OTU ID\tS1\na\t1\nzz\t2\nx\t3\n"),
        ("meta.tsv", b"#SampleID\tplace\nS1\tsea\nS2\tland\nS1x2\tsea\n"),
    ])
}

#[test]
fn answers_as_tables() {
    let place = place();
    place.stdout("tree diversity t.nwk t.tsv --metric faith -o faith.csv");
    assert_eq!(place.read("faith.csv"), "sample,faith_pd\nS1,6\nS2,5.5\nempty,0\nS1x2,6\n");
    place.stdout("tree diversity t.nwk turned.csv --metric faith --root-length -o faith.csv");
    assert_eq!(place.read("faith.csv"), "sample,faith_pd\nS1,13\nS2,12.5\nempty,0\nS1x2,13\n");
    let square = place.stdout("tree diversity t.nwk t.tsv --metric unweighted -q");
    assert_eq!(square, ",S1,S2,empty,S1x2\nS1,0,1,1,0\nS2,1,0,1,1\nempty,1,1,0,1\nS1x2,0,1,1,0\n");
    for metric in ["unweighted", "weighted", "weighted-normalised", "generalised", "kr"] {
        let with = |table: &str, threads: u32| {
            place.stdout(&format!(
                "tree diversity t.nwk {table} --metric {metric} --threads {threads}"
            ))
        };
        assert_eq!(with("t.tsv", 1), with("turned.csv", 2), "{metric}");
    }
    place.stdout("tree diversity t.nwk t.tsv --metric weighted -o d.npy");
    assert_eq!(std::fs::metadata(place.path().join("d.npy")).unwrap().len(), 128 + 6 * 8);
}

#[test]
fn a_folder_has_both_pictures() {
    let place = place();
    place.stdout("tree diversity t.nwk t.tsv --metric unweighted -o d.csv --svg pictures/");
    assert!(place.read("pictures/pcoa.svg").contains("Principal coordinates"));
    assert!(place.read("pictures/distances.svg").contains("unweighted UniFrac"));
}

#[test]
fn notes_and_records() {
    let place = place();
    let output = place.run("tree diversity t.nwk t.tsv --metric unweighted -o d.csv");
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(
        notes.contains("1 of 4 samples have no counts: their distance to others is 1"),
        "{notes}"
    );
    let line = "tree diversity t.nwk more.tsv --metric faith --ignore-missing --json";
    let record: serde_json::Value = serde_json::from_str(&place.stdout(line)).unwrap();
    let result = &record["result"];
    assert_eq!(result["metric"], "faith");
    assert_eq!([&result["samples"], &result["tips"], &result["missing"]], [1, 1, 2]);
    assert_eq!(result["empty_samples"], 0);
    assert_eq!(result["faith_pd"], 4.0);
}

#[test]
fn principal_coordinates_are_drawn() {
    let place = place();
    place.stdout(
        "tree diversity t.nwk t.tsv --metric weighted -o d.csv --pcoa p.csv --svg p.svg --metadata \
        meta.tsv --colour place",
    );
    let (table, picture) = (place.read("p.csv"), place.read("p.svg"));
    assert!(table.starts_with("sample,PC1"), "{table}");
    assert_eq!(table.lines().count(), 5);
    for part in ["PC1 (", "sea", "land", "no group", "S1x2"] {
        assert!(picture.contains(part), "no {part}");
    }
}

#[test]
fn bad_input_is_named() {
    let place = place();
    for (name, content) in [
        ("nolengths.nwk", &b"((a,b),(c,d));"[..]),
        ("one.nwk", b"((a:1,b):1,(c:1,d:1):1);"),
        ("minus.nwk", b"((a:1,b:1):1,\n(c:1,d:-1):1);"),
        ("twice.nwk", b"((a:1,a:1):1,(c:1,d:1):1);"),
        ("minus.tsv", b"#OTU ID\tS1\tS2\na\t1\t2\nb\t3\t-4\n"),
        ("nan.tsv", b"#OTU ID\tS1\na\tnan\n"),
        ("double.tsv", b"#OTU ID\tS1\na\t1\na\t2\n"),
        ("strange.csv", b"x,S1\nq,1\n"),
        ("both.csv", b"x,a\nb,1\n"),
        ("new.biom", b"\x89HDF\r\n\x1a\n1234"),
    ] {
        std::fs::write(place.path().join(name), content).unwrap();
    }
    for (words, parts) in [
        (
            "t.nwk more.tsv --metric faith",
            &["2 of 3 tips are not in t.nwk", "`zz`, `x`", "--ignore-missing"][..],
        ),
        ("nolengths.nwk t.tsv --metric faith", &["nolengths.nwk", "no branch lengths"]),
        (
            "one.nwk t.tsv --metric faith",
            &["line 1", "without a branch length", "--missing-length"],
        ),
        ("minus.nwk t.tsv --metric weighted", &["minus.nwk, line 2", "`d`", "branch length -1"]),
        ("twice.nwk t.tsv --metric weighted", &["two tips are called `a`", "t.tsv"]),
        ("t.nwk minus.tsv --metric weighted", &["minus.tsv, line 3", "column 3 (`S2`)", "`-4`"]),
        ("t.nwk nan.tsv --metric weighted", &["nan.tsv, line 2", "column 2 (`S1`)", "`nan`"]),
        ("t.nwk double.tsv --metric weighted", &["double.tsv", "each tip once", "`a`"]),
        ("t.nwk strange.csv --metric weighted", &["names of tips", "--tips-in rows"]),
        ("t.nwk both.csv --metric weighted", &["not in both", "--tips-in rows"]),
        (
            "t.nwk new.biom --metric weighted",
            &["new.biom", "byte 8", "a superblock of version 0 to 3, in HDF5"],
        ),
        ("t.nwk t.tsv --metric wieghted", &["did you mean `weighted`"]),
        ("t.nwk t.tsv --metric generalised --alpha 2", &["alpha is 2", "from 0 to 1"]),
        ("t.nwk t.tsv --metric kr --order 0", &["order is 0", "at least 1"]),
        ("t.nwk t.tsv --metric weighted --alpha 0.5", &["--alpha needs --metric generalised"]),
        ("t.nwk t.tsv --metric faith --svg p.svg", &["needs a metric of distances"]),
        (
            "t.nwk t.tsv --metric weighted --svg p.svg --metadata meta.tsv --colour pace",
            &["a column `pace`", "place"],
        ),
        (
            "t.nwk t.tsv --metric weighted --metadata meta.tsv --colour place",
            &["--colour needs --svg"],
        ),
        ("t.nwk t.tsv --metric weighted -o d.xlsx", &["xlsx"]),
    ] {
        let line = format!("tree diversity {words}");
        let line = if words.contains(" -o ") { line } else { format!("{line} -o out.csv") };
        refused(&place, &line, parts);
    }
}
