//! `palmette tree parsimony`: every output on a small alignment, bad input, and reference data.

use crate::{Place, refused};
use std::path::PathBuf;

const ALIGNMENT: &[u8] = b">a\nACA\n>b\nAGA\n>c\nTCA\n>d\nTGa\n";

fn place() -> Place {
    Place::new(&[
        ("t.nwk", b"((a:1,b:1)x:1,(c:1,d:1)y:1)r;"),
        ("star.nwk", b"(a,b,c,d)r;"),
        ("a.fa", ALIGNMENT),
        ("a.phy", b"4 3\na ACA\nb AGA\nc TCA\nd TGA\n"),
        (
            "cost.tsv",
            b"from\tA\tC\tG\tT\nA\t0\t1\t1\t5\nC\t1\t0\t1\t1\nG\t1\t1\t0\t1\nT\t2\t1\t1\t0\n",
        ),
        ("three.fa", b">a\nACA\n>b\nAGA\n>e\nTCA\n"),
        ("unequal.fa", b">a\nACA\n>b\nAG\n"),
        ("symbol.fa", b">a\nACA\n>b\nAJA\n>c\nACA\n>d\nA1A\n"),
        ("twice.fa", b">a\nACA\n>a\nACA\n"),
        ("two.nwk", b"((a,a),b);"),
    ])
}

#[test]
fn scores_states_and_branches() {
    let place = place();
    for alignment in ["a.fa", "a.phy"] {
        let line = format!("tree parsimony t.nwk {alignment}");
        assert_eq!(place.stdout(&line), "site,score\n1,1\n2,2\n3,0\n");
    }
    assert_eq!(place.stdout("tree parsimony star.nwk a.fa"), "site,score\n1,2\n2,2\n3,0\n");
    let costs = place.stdout("tree parsimony t.nwk a.fa --cost cost.tsv");
    assert_eq!(costs, "site,score\n1,2\n2,2\n3,0\n");
    for (kind, r, x, y) in [
        ("", "WSA", "ASA", "TSA"),
        ("=mpr", "WSA", "ASA", "TSA"),
        ("=first-pass", "WSA", "ASA", "TSA"),
        ("=one", "ACA", "ACA", "TCA"),
    ] {
        let found = place.stdout(&format!("tree parsimony t.nwk a.fa --states{kind}"));
        assert_eq!(found, format!(">r\n{r}\n>x\n{x}\n>y\n{y}\n"), "{kind}");
    }
    let line =
        "tree parsimony t.nwk a.fa --states -o s.csv --scores n.tsv --branches b.csv --svg t.svg";
    place.stdout(line);
    let read = |name: &str| place.read(name);
    assert_eq!(read("s.csv"), "vertex,states\nr,WSA\nx,ASA\ny,TSA\n");
    assert_eq!(read("n.tsv"), "site\tscore\n1\t1\n2\t2\n3\t0\n");
    assert_eq!(read("b.csv"), "vertex,cost\nr,0\nx,0\na,0\nb,1\ny,1\nc,0\nd,1\n");
    assert!(read("t.svg").contains("changes"));
    let text = place.stdout("tree parsimony t.nwk a.fa --json");
    for part in ["\"score\":3", "\"sites\":3", "\"tips\":4", "\"states\":4", "\"type\":\"dna\""] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn bad_input_is_named() {
    let place = place();
    for (line, parts) in [
        (
            "t.nwk three.fa",
            &["three.fa: 1 of 3 sequences is no tip of the tree: `e`", "--ignore-missing"][..],
        ),
        (
            "t.nwk unequal.fa",
            &["unequal.fa, line 3: expected 3 symbols, as in `a`, found 2 in `b`"],
        ),
        (
            "t.nwk symbol.fa --type dna",
            &["symbol.fa, line 4, column 2: expected a symbol of DNA", "found `J`", "--type"],
        ),
        ("t.nwk twice.fa", &["twice.fa, line 3: expected a name of its own for each sequence"]),
        ("two.nwk a.fa", &["a.fa: 1 tip shares its name with another tip", "`a`"]),
        ("t.nwk a.fa --type protein --alphabet 01", &["--alphabet"]),
        (
            "t.nwk a.fa --gaps state --cost cost.tsv",
            &["cost.tsv: expected costs of the states `ACGT-`, found `ACGT`"],
        ),
    ] {
        refused(&place, &format!("tree parsimony {line} -o out.csv"), parts);
    }
    let found = place.stdout("tree parsimony t.nwk three.fa --ignore-missing --states=one");
    assert_eq!(found, ">r\nACA\n>x\nACA\n>y\nACA\n");
}

#[test]
fn reference_scores() {
    let folder =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/phylo/parsimony");
    if !folder.exists() {
        println!("skipped: there is no ../shared/data/phylo/parsimony");
        return;
    }
    let place = place();
    let folder = folder.display();
    let line = format!("tree parsimony {folder}/tree60.nwk {folder}/aln60x500.fasta --gaps state");
    let found = place.stdout(&line);
    let expected =
        std::fs::read_to_string(format!("{folder}/tree60.site_scores_gap5.tsv")).unwrap();
    let rows = |text: &str| -> Vec<String> {
        text.lines().skip(1).map(|l| l.replace('\t', ",")).collect()
    };
    assert_eq!(rows(&found), rows(&expected));
}
