//! Every verb on a small tree, with its exact output.

use crate::{Place, TABLE};

fn place() -> Place {
    Place::new(&[
        ("t.csv", TABLE),
        ("p.csv", b"u,v\nc,d\nc,b\nd,d\n"),
        ("w.csv", b"vertex,w\nd,0.5\nc,1\nb,2\na,3\nroot,4\n"),
        ("s.txt", b"c,d\nc,d,b\nb\n"),
        ("f.csv", b"id,parent\nx,\ny,x\nz,\n"),
        ("maps.csv", b"id,parent,p,q\n0,,2,1\n1,0,3,0\n2,0,1,5\n"),
        ("two.nwk", b"(a,b)r;\n(c)s;\n"),
        ("mixed.csv", b"id,parent,n,x\nr,,9007199254740993,0.5\ns,r,18446744073709551615,1\n"),
    ])
}

/// Runs commands and compares what they print.
fn check(cases: &[(&str, &str)]) {
    let place = place();
    for (line, expected) in cases {
        assert_eq!(place.stdout(line), *expected, "palmette {line}");
    }
}

#[test]
fn info() {
    let place = place();
    assert_eq!(
        place.summary("tree info t.csv"),
        "vertices                      5\n\
             roots                         1\n\
             leaves                        3\n\
             height                        2\n\
             max_children                  2\n\
             mean_depth                1.200\n\
             centroid                      a\n\
             diameter                      3\n\
             diameter_from                 c\n\
             diameter_to                   b\n\
             input_order       parents first\n\
             bytes_per_vertex             16\n"
    );
    assert_eq!(place.stdout("tree info t.csv --quiet"), "");
    let text = place.stdout("tree info t.csv --lengths");
    assert!(text.contains("\ndiameter_length") && text.contains("4.500\n"), "{text}");
    let text = place.stdout("tree info two.nwk --tree all");
    assert!(text.contains("roots                    2\n"), "{text}");
}

#[test]
fn order() {
    check(&[
        ("tree order t.csv", "vertex,position\nroot,0\na,1\nb,4\nc,2\nd,3\n"),
        ("tree order t.csv --order bfs", "vertex,position\nroot,0\na,1\nb,2\nc,3\nd,4\n"),
        ("tree order t.csv --order light-first", "vertex,position\nroot,0\na,2\nb,1\nc,3\nd,4\n"),
        ("tree order t.csv --order heavy-first", "vertex,position\nroot,0\na,1\nb,4\nc,2\nd,3\n"),
    ]);
}

#[test]
fn leaffix() {
    check(&[
        ("tree leaffix t.csv", "vertex,sum\nroot,5\na,3\nb,1\nc,1\nd,1\n"),
        ("tree leaffix t.csv --values weight", "vertex,sum\nroot,15\na,11\nb,3\nc,4\nd,5\n"),
        (
            "tree leaffix t.csv --values 2 --engine euler",
            "vertex,sum\nroot,15\na,11\nb,3\nc,4\nd,5\n",
        ),
        (
            "tree leaffix t.csv --values weight --exclusive --engine contract",
            "vertex,sum\nroot,14\na,9\nb,0\nc,0\nd,0\n",
        ),
        ("tree leaffix t.csv --values w.csv", "vertex,sum\nroot,10.5\na,4.5\nb,2\nc,1\nd,0.5\n"),
        ("tree leaffix t.csv --op max --lengths", "vertex,max\nroot,2\na,1.5\nb,2\nc,0.25\nd,1\n"),
        (
            "tree leaffix t.csv --op argmax --values weight",
            "vertex,max,argmax\nroot,5,d\na,5,d\nb,3,b\nc,4,c\nd,5,d\n",
        ),
        (
            "tree leaffix t.csv --op product --values weight --modulus 7",
            "vertex,product\nroot,1\na,5\nb,3\nc,4\nd,5\n",
        ),
        ("tree leaffix t.csv --op xor --values weight", "vertex,xor\nroot,1\na,3\nb,3\nc,4\nd,5\n"),
        ("tree leaffix t.csv --op count", "vertex,count\nroot,5\na,3\nb,1\nc,1\nd,1\n"),
        ("tree leaffix t.csv --op size", "vertex,size\nroot,5\na,3\nb,1\nc,1\nd,1\n"),
        ("tree leaffix t.csv --op leaves", "vertex,leaves\nroot,3\na,2\nb,1\nc,1\nd,1\n"),
        ("tree leaffix t.csv --op height", "vertex,height\nroot,2\na,1\nb,0\nc,0\nd,0\n"),
        (
            "tree leaffix t.csv --type f32 --values weight",
            "vertex,sum\nroot,15\na,11\nb,3\nc,4\nd,5\n",
        ),
    ]);
}

#[test]
fn rootfix() {
    check(&[
        ("tree rootfix t.csv --values weight", "vertex,sum\nroot,1\na,3\nb,4\nc,7\nd,8\n"),
        ("tree rootfix t.csv --op min --values weight", "vertex,min\nroot,1\na,1\nb,1\nc,1\nd,1\n"),
        ("tree rootfix t.csv --op depth", "vertex,depth\nroot,0\na,1\nb,1\nc,2\nd,2\n"),
        (
            "tree rootfix t.csv --op depth --lengths",
            "vertex,depth\nroot,0\na,1.5\nb,2\nc,1.75\nd,2.5\n",
        ),
        // 2(3x) + 1 and 2(x + 5) + 1.
        ("tree rootfix maps.csv --op affine --values p,q", "vertex,a,b\n0,2,1\n1,6,1\n2,2,11\n"),
        (
            "tree rootfix maps.csv --op affine --values p,q --modulus 5",
            "vertex,a,b\n0,2,1\n1,1,1\n2,2,1\n",
        ),
        (
            "tree rootfix maps.csv --op matrix --values p,q,q,p",
            "vertex,a,b,c,d\n0,2,1,1,2\n1,6,3,3,6\n2,7,11,11,7\n",
        ),
        ("tree rootfix f.csv --forest --engine levels", "vertex,sum\nx,1\ny,2\nz,1\n"),
    ]);
}

#[test]
fn ancestors() {
    check(&[
        ("tree lca t.csv c d", "u,v,lca\nc,d,a\n"),
        ("tree lca t.csv --pairs p.csv", "u,v,lca\nc,d,a\nc,b,root\nd,d,d\n"),
        ("tree lca t.csv c d b", "set,lca,tips,named\nc d b,root,3,root\n"),
        ("tree lca t.csv --set c,d", "set,lca,tips,named\nc d,a,2,a\n"),
        (
            "tree lca t.csv --sets s.txt",
            "set,lca,tips,named\nc d,a,2,a\nc d b,root,3,root\nb,b,1,b\n",
        ),
        ("tree lca f.csv --forest y z", "u,v,lca\ny,z,\n"),
        ("tree path t.csv --ancestor 1", "vertex,ancestor\nroot,\na,root\nb,root\nc,a\nd,a\n"),
    ]);
}

#[test]
fn distances() {
    check(&[
        ("tree distance t.csv --edges --pairs p.csv", "u,v,edges\nc,d,2\nc,b,3\nd,d,0\n"),
        ("tree distance t.csv --pairs p.csv", "u,v,length\nc,d,1.25\nc,b,3.75\nd,d,0\n"),
        ("tree distance f.csv --forest y z", "u,v,edges\ny,z,\n"),
        ("tree distance t.csv root d --lengths", "u,v,length\nroot,d,2.5\n"),
    ]);
}

#[test]
fn paths() {
    check(&[
        ("tree path t.csv c b", "vertex,step\nc,0\na,1\nroot,2\nb,3\n"),
        (
            "tree path t.csv --op sum --values weight --pairs p.csv",
            "u,v,sum\nc,d,11\nc,b,10\nd,d,5\n",
        ),
        ("tree path t.csv --op sum --values weight --edges c b", "u,v,sum\nc,b,9\n"),
        ("tree path t.csv --op sum --lengths c b", "u,v,sum\nc,b,3.75\n"),
        ("tree path t.csv --op argmin --values weight c b", "u,v,min,argmin\nc,b,1,root\n"),
        ("tree path f.csv --forest --op sum y z", "u,v,sum\ny,z,\n"),
        ("tree path f.csv --forest y z", "vertex,step\n"),
    ]);
}

#[test]
fn the_record_of_one_query_has_its_answer() {
    let place = place();
    for (line, expected) in [
        ("tree lca t.csv c d", r#""lca":"a""#),
        ("tree lca t.csv c d b", r#""lca":"root""#),
        ("tree distance t.csv c b", r#""length":3.75"#),
        ("tree distance t.csv c b --edges", r#""edges":3"#),
        ("tree path t.csv c b --op max --values weight", r#""max":4"#),
        ("tree path t.csv c b --op argmin --values weight", r#""min":1,"argmin":"root""#),
        ("spatial lca t.csv c d", r#""lca":"a""#),
    ] {
        let record = place.stdout(&format!("{line} --json"));
        assert!(record.contains(expected), "{line}: {record}");
    }
}

#[test]
fn conversions() {
    let newick = "((c:0.25,d:1)a:1.5,b:2)root;\n";
    check(&[
        ("tree convert t.csv --to newick", newick),
        ("tree convert t.csv --to edges", "root a\nroot b\na c\na d\n"),
        ("tree convert two.nwk --tree 1", "id,parent\ns,\nc,s\n"),
        (
            "tree convert t.csv --to tsv --columns weight --no-lengths",
            "id\tparent\tweight\nroot\t\t1\na\troot\t2\nb\troot\t3\nc\ta\t4\nd\ta\t5\n",
        ),
        // Each column has its own type.
        (
            "tree convert mixed.csv --columns x,n",
            "id,parent,x,n\nr,,0.5,9007199254740993\ns,r,1,18446744073709551615\n",
        ),
    ]);
    let place = place();
    for name in ["o.nwk", "o.nwk.gz", "o.csv.zst", "o.tsv"] {
        place.stdout(&format!("tree convert t.csv -o {name}"));
        assert_eq!(place.stdout(&format!("tree convert {name} --to newick")), newick, "{name}");
    }
    place.stdout("tree convert t.csv -o o.npy --quiet");
    assert_eq!(
        place.stdout("tree rootfix o.npy --op depth"),
        "vertex,depth\n0,0\n1,1\n2,1\n3,2\n4,2\n"
    );
}

#[test]
fn generation_is_reproducible() {
    check(&[
        ("tree generate path:3", "id,parent\n0,\n1,0\n2,1\n"),
        ("tree generate star:4 --to newick", "(1,2,3)'0';\n"),
    ]);
    let place = place();
    let line = "tree generate phylogeny:101 --seed 7 --shuffle --lengths";
    assert_eq!(place.stdout(line), place.stdout(line));
    place.stdout(&format!("{line} -o g.nwk.gz"));
    let info = place.stdout("tree info g.nwk.gz --lengths");
    assert!(info.contains("101\n") && info.contains("diameter_length"), "{info}");
    let profile = place.stdout("tree generate profile:1000:40 --json");
    assert!(
        profile.contains("\"vertices\":1000") && profile.contains("\"height\":40"),
        "{profile}"
    );
}

#[test]
fn answers_go_where_they_are_told() {
    let place = place();
    let text = place.stdout("tree leaffix t.csv --values weight -o o.tsv");
    assert!(text.starts_with("vertices ") && text.contains("largest"), "{text}");
    assert_eq!(place.read("o.tsv"), "vertex\tsum\nroot\t15\na\t11\nb\t3\nc\t4\nd\t5\n");
    place.stdout("tree leaffix t.csv --values weight -o o.npy");
    assert_eq!(
        place.stdout("tree leaffix t.csv --op max --values o.npy"),
        "vertex,max\nroot,15\na,11\nb,3\nc,4\nd,5\n"
    );
    place.stdout("tree leaffix t.csv --op size --svg s.svg -q -o o.csv");
    let svg = place.read("s.svg");
    assert!(svg.starts_with("<svg") && svg.contains("size") && svg.contains(">c<"), "{svg}");
    place.stdout("tree generate random:5000 -o big.csv");
    place.stdout("tree info big.csv --svg big.svg");
    assert!(place.read("big.svg").contains("Level profile"));
    // A large tree is drawn by its profile, and so is the answer.
    place.stdout("tree leaffix big.csv --op size --svg size.svg -q -o o.csv");
    let svg = place.read("size.svg");
    assert!(svg.contains("size by depth") && svg.contains("Distribution of size"), "{svg}");
}

#[test]
fn nothing_typed_shows_the_nouns() {
    let place = place();
    let text = place.stdout("");
    for noun in ["tree", "spatial", "graph", "power", "mesh"] {
        let example = format!("\n         palmette {noun} ");
        assert!(text.contains(&format!("\n{noun:<8} ")) && text.contains(&example), "{text}");
    }
    assert!(text.lines().all(|line| line.len() <= 100), "{text}");
    assert!(text.contains("palmette help formats"), "{text}");
}

#[test]
fn formats() {
    let place = place();
    let text = place.stdout("formats");
    for line in [
        "Trees (palmette tree, palmette spatial):",
        "Graphs (palmette graph, palmette mesh, palmette power):",
        "Meshes (palmette mesh):",
        "  newick    .nwk .newick .nw .tree .tre .treefile .nhx  parentheses with labels",
        "  spice          .spice .sp .cir .net  a netlist: R, C, L, sources, subcircuits (read only)",
        "  vtu    .vtu   VTK's XML, with fields, for ParaView (written only)",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(text.lines().all(|line| line.len() <= 100), "{text}");
    let help = place.stdout("help formats");
    assert!(help.contains(text.trim_end().lines().next().unwrap()), "{help}");
    let record: serde_json::Value = serde_json::from_str(&place.stdout("formats --json")).unwrap();
    assert_eq!(record["result"]["trees"]["nouns"][1], "spatial");
    assert_eq!(record["result"]["meshes"]["formats"][0]["name"], "gmsh");
}
