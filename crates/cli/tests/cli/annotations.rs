//! What NEXUS and PhyloXML have beside a tree: several trees, taxa, support, annotations, networks.

use crate::names::quiet;
use crate::{Place, refused};

/// A NEXUS file with support, annotations, two trees, and a mark.
const BEAST: &str = "#NEXUS\nbegin taxa; taxlabels A 'B c' D; end;\nbegin trees;\n\
    translate 1 A, 2 'B c', 3 D;\n\
    tree one = [&R] ((1[&rate=0.5]:1,2[&rate=0.25]:2)95:1,3:1);\n\
    tree * two = [&U] (1:1,2:2,3:3);\nend;\n";

#[test]
fn nexus_phyloxml_and_annotations() {
    let xml = "<phyloxml><phylogeny><clade><clade><name>a</name></clade><clade>\
        <name>b</name><property ref='x:y'>7</property></clade></clade></phylogeny></phyloxml>";
    let place = Place::new(&[("b.nex", BEAST.as_bytes()), ("x.xml", xml.as_bytes())]);
    refused(&place, "tree convert b.nex", &["expected one tree", "--tree K"]);
    assert_eq!(
        place.stdout("tree convert b.nex --tree marked --to newick"),
        "(A:1,'B c':2,D:3);\n"
    );
    let (output, notes) = quiet(&place, "tree convert b.nex --tree 0 -o t.nwk");
    assert_eq!(output.status.code(), Some(0), "{notes}");
    assert!(notes.contains("annotations") && notes.contains("--annotations beast"), "{notes}");
    assert_eq!(place.read("t.nwk"), "((A:1,'B c':2)95:1,D:1);\n");
    place.stdout("tree convert b.nex --tree 0 -o t.csv");
    assert_eq!(
        place.read("t.csv"),
        "id,parent,label,length,support,&rate\n\"#0\",,,0,,\n\"#1\",\"#0\",,1,95,\n\
         A,\"#1\",A,1,,0.5\nB c,\"#1\",B c,2,,0.25\nD,\"#0\",D,1,,\n"
    );
    let text = "((A[&rate=0.5]:1,'B c'[&rate=0.25]:2)95:1,D:1);\n";
    assert_eq!(place.stdout("tree convert t.csv --to newick --annotations beast"), text);
    let nhx = "((A:1[&&NHX:rate=0.5],'B c':2[&&NHX:rate=0.25])95:1,D:1);\n";
    assert_eq!(place.stdout("tree convert t.csv --to newick --annotations nhx"), nhx);
    place.stdout("tree convert b.nex --tree all -o all.nex --annotations beast");
    let same = |file: &str| place.stdout(&format!("tree convert {file} --tree all --to newick"));
    assert_eq!(same("all.nex"), same("b.nex"));
    assert!(place.read("all.nex").contains("tree * two = [&U] "));
    // Annotations and support are values.
    assert_eq!(
        place.stdout("tree leaffix b.nex --tree 0 --values rate --missing-value 0 --tips"),
        "vertex,sum\nA,0.5\nB c,0.25\nD,0\n"
    );
    refused(&place, "tree leaffix b.nex --tree 0 --values rat", &["annotation `rat`", "rate"]);
    assert_eq!(place.stdout("tree convert x.xml --to newick -q"), "(a,b);\n");
    refused(&place, "tree convert x.xml -o y.xml", &["wrong extension"]);
    refused(&place, "tree convert x.xml --to phyloxml", &["read, not written"]);
}

#[test]
fn networks_and_tips_that_are_no_taxa_are_refused() {
    let nexus = b"#NEXUS\nbegin taxa; taxlabels a b; end;\nbegin trees; tree t=(a,x); end;\n";
    let place = Place::new(&[
        ("n.nwk", b"(A:1,((B:1,(C:1)X#H1:0.5::0.7)c:1,(X#H1:0.5::0.3,D:1)d:1)e:1)f;"),
        ("n.nex", nexus),
        ("e.nex", b"#NEXUS\nbegin taxa; end;\n"),
        ("c.nwk", b"(a,\nb[&x=1);"),
    ]);
    refused(&place, "tree info n.nwk", &["n.nwk, line 1", "a network", "`X#H1`"]);
    refused(&place, "tree info n.nex", &["n.nex, line 3", "tip `x` is no taxon"]);
    refused(&place, "tree info e.nex", &["e.nex", "a NEXUS file without trees"]);
    refused(&place, "tree info c.nwk", &["c.nwk, line 2", "a closing `]`"]);
}
