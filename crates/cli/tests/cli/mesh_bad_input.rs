//! What users of meshes get wrong: one line that says where, exit code 2, nothing left behind.

use crate::{Place, refused};

const MSH: &[u8] = b"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n\
    4 0 1 0\n$EndNodes\n$Elements\n1\n1 2 2 0 1 1 2 3\n$EndElements\n";

/// Two triangles, and a graph of four vertices in a ring.
fn place() -> Place {
    Place::new(&[
        ("two.mesh", b"2\n1 2 3\n1 3 4\n"),
        ("two.xyz", b"0 0\n1 0\n1 1\n0 1\n"),
        ("ring.graph", b"4 4\n2 4\n1 3\n2 4\n1 3\n"),
        ("three.xyz", b"0 0\n1 0\n1 1\n"),
        ("nan.xyz", b"0 0\n1 nan\n1 1\n0 1\n"),
        ("flat.xyz", b"0 0\n1 0\n2 0\n3 0\n"),
        ("absent.mesh", b"1\n1 2 9\n"),
        ("short.txt", b"0\n1\n"),
        ("long.txt", b"0\n1\n0\n1\n0\n"),
        ("word.txt", b"0\n1\none\n0\n"),
        ("gap.txt", b"0\n2\n0\n2\n"),
        ("far.txt", b"0\n7\n0\n1\n"),
        ("five.txt", b"0\n1\n2\n3\n"),
        ("hosts", b"a:1\nb:none\n"),
        ("few", b"a:1\n"),
        ("latin", b"caf\xe9:4\n"),
        ("one.msh", MSH),
        ("cut.msh", b"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n"),
        ("folder", b"a file\n"),
    ])
}

#[test]
fn bad_meshes() {
    let place = place();
    for (line, parts) in [
        ("two.mesh", &["two.mesh: no coordinates for this METIS mesh; add --xyz"][..]),
        ("two.mesh --xyz three.xyz", &["two.mesh, line 3", "found node 4"]),
        ("ring.graph --xyz three.xyz", &["three.xyz, line", "4 points"]),
        ("ring.graph --xyz nan.xyz", &["nan.xyz, line 2", "`nan`"]),
        ("two.mesh --xyz flat.xyz", &["two.mesh, line 2", "area 0e0"]),
        ("absent.mesh --xyz two.xyz", &["absent.mesh, line 2", "9"]),
        ("cut.msh", &["cut.msh, line"]),
        ("absent.msh", &["absent.msh", "cannot read"]),
        ("- --xyz -", &["one input can come from stdin"]),
    ] {
        refused(&place, &format!("mesh info {line} --svg p.svg"), parts);
        refused(&place, &format!("mesh partition {line} --parts 2 -o p.txt --svg p.svg"), parts);
        refused(&place, &format!("mesh map {line} --machine torus:1x2 -o out"), parts);
    }
}

#[test]
fn pictures_and_methods_that_need_coordinates() {
    let place = place();
    let missing = &["ring.graph: no coordinates for this graph; add --xyz"][..];
    for line in [
        "info ring.graph --svg p.svg",
        "graph ring.graph --weights unit -o g.mtx --output-xyz g.xyz",
        "graph ring.graph --weights unit -o g.mtx --svg p.svg",
        "partition ring.graph --parts 2 -o p.txt --svg p.svg",
    ] {
        refused(&place, &format!("mesh {line}"), missing);
    }
    for (more, parts) in [
        ("--bisection hilbert", &["hilbert bisection needs coordinates"][..]),
        ("--tries 3", &["circles and lines", "coordinates"]),
        ("--sample 3 --no-refine", &["circles and lines", "coordinates"]),
        ("--preset slow", &["fast, default", "slow"]),
    ] {
        refused(&place, &format!("mesh partition ring.graph --parts 2 -o p.txt {more}"), parts);
    }
}

#[test]
fn orders_that_are_none() {
    let place = place();
    std::fs::write(place.path().join("short.txt"), "1\n2\n3\n").unwrap();
    std::fs::write(place.path().join("twice.txt"), "1\n2\n2\n4\n").unwrap();
    std::fs::write(place.path().join("zero.txt"), "0\n1\n2\n3\n").unwrap();
    let order = "mesh order ring.graph -o p.txt";
    for (more, parts) in [
        ("--evaluate short.txt", &["short.txt", "4 numbers"][..]),
        ("--evaluate twice.txt", &["twice.txt: number 3 is 2, which number 2 is already"]),
        ("--evaluate zero.txt", &["zero.txt: number 1 is 0; expected one of 1 to 4"]),
        ("--evaluate twice.txt --places", &["number 3 is 2, which number 2 is already"]),
        ("--method nested", &["nested", "nested-dissection"]),
    ] {
        refused(&place, &format!("{order} {more}"), parts);
    }
}

#[test]
fn impossible_numbers() {
    let place = place();
    let two = "two.mesh --xyz two.xyz";
    let cases: &[(&str, &[&str])] = &[
        ("partition F --parts 5", &["5 parts are too many; at most 4"]),
        ("partition F --parts 0", &["at least one part"]),
        ("partition F --parts 3 --elements", &["two.mesh", "3 parts", "at most 2"]),
        ("partition F --parts 2 --imbalance -1", &["imbalance is -1"]),
        ("partition F --parts 2 --imbalance nan", &["imbalance"]),
        (
            "partition F --parts 2 --bisection best",
            &["auto, growing, geometric, coordinate", "best"],
        ),
        ("partition F --parts 2 --node-weights short.txt", &["short.txt, line 2", "4 lines"]),
        (
            "map F --machine torus:2x2 --parts 5",
            &[
                "5 parts do not fit on torus:2x2",
                "4 \
            processors",
            ],
        ),
        ("map F --machine torus:2x4", &["8 parts are too many; at most 4"]),
        ("map F --machine ring:8", &["unknown machine `ring`"]),
        ("map F --machine tours:8x8", &["did you mean `torus:ROWSxCOLUMNS`?"]),
        ("map F --machine torus:2x2 --hosts few", &["--output"]),
        ("place F --machine torus:2x2 --hosts few", &["--rankfile"]),
        ("place F --machine torus:2x2 --partition five.txt --imbalance 0.1", &["--imbalance"]),
        ("partition F --parts x", &["expected a whole number"]),
        ("partition F --parts 2 --cycles x", &["expected a whole number"]),
        ("run F --program example:cgg", &["unknown example `cgg`; did you mean `cg`?"]),
        ("map F --machine torus:2x2 --channels 0", &["--channels"]),
        ("map F --machine torus:2x2 --placement best", &["joint, identity, random", "best"]),
        ("map F --machine torus:2x2 --placement serach", &["did you mean `search`?"]),
        ("map F --machine torus:2x2 -o folder", &["needs a folder"]),
        ("map F --machine torus:2x2 --hosts hosts -o out", &["hosts: host 2", "b:none"]),
        ("map F --machine torus:2x2 --hosts few -o out", &["few: ", "1 slots"]),
        ("map F --machine torus:2x2 --hosts latin -o out", &["latin: not UTF-8"]),
        ("map F --machine torus:2x2 -o -", &["-o needs", "`-`"]),
        ("route F --machine mesh:2x2049 -k 2 --svg p.svg", &["up to 4096 processors"]),
        ("partition F --parts 2 --tries 0", &["--tries"]),
        ("partition F --parts 2 --tries 99999999", &["--tries"]),
        ("partition F --parts 2 --sample 0", &["--sample"]),
        ("partition F --parts 2 --bisection hilbert --tries 3", &["tries", "hilbert"]),
        ("map F --machine torus:2x2 --no-refine --cycles 2", &["cycles", "refine"]),
        ("partition F --parts 2 -o two.mesh", &["FILE and -o name the same file"]),
        ("partition F --parts 2 --svg ./two.xyz", &["--xyz and --svg name the same file"]),
        ("route F --machine torus:2x2 --rankfile two.mesh", &["FILE and --rankfile"]),
        ("place F --machine torus:2x2 -o two.mesh", &["FILE and -o"]),
        ("info F --svg two.mesh", &["FILE and --svg"]),
        ("place F --machine torus:1x2 --partition five.txt", &["4 parts do not fit on torus:1x2"]),
        ("place F --machine torus:2x2 --partition short.txt", &["short.txt, line 2", "after 2"]),
        ("place F --machine torus:2x2 --partition long.txt", &["long.txt, line 5", "more"]),
        ("place F --machine torus:2x2 --partition word.txt", &["word.txt, line 3", "`one`"]),
        ("route F --machine torus:2x2 --partition gap.txt", &["gap.txt", "part 1 of"]),
        ("route F --machine torus:2x2 --partition far.txt", &["far.txt", "from 0 to 3", "7"]),
        ("route F --machine torus:2x2 --partition gap.txt --parts 2", &["--parts"]),
        ("route F --machine torus:2x2 --time-limit soon", &["seconds", "soon"]),
        ("partition F --parts 2 -o same --svg same", &["same file", "--svg"]),
        ("partition F --parts 2 -o no/where", &["no/where"]),
        ("map F --machine torus:2x2 --threads 1 --seed x", &["--seed"]),
    ];
    for (line, parts) in cases {
        refused(&place, &format!("mesh {}", line.replace('F', two)), parts);
    }
    let graph = "mesh partition ring.graph --xyz two.xyz --parts 2";
    refused(&place, &format!("{graph} --vtu p.vtu"), &["ring.graph", "a graph"]);
    refused(&place, &format!("{graph} --elements"), &["ring.graph", "a graph"]);
    refused(
        &place,
        "mesh info one.msh --coincident",
        &["`--coincident` is gone", "`--merge` joins"],
    );
    let merge = "mesh partition ring.graph --xyz two.xyz --parts 2 --merge";
    refused(&place, merge, &["ring.graph, line 1", "to merge nodes", "a graph"]);
    let points = "mesh info one.msh --xyz two.xyz";
    refused(&place, points, &["one.msh", "already has coordinates; leave out --xyz"]);
    refused(&place, "mesh generate grid:0x4 -o g.msh", &["grid:0x4", "at least"]);
    refused(&place, "mesh generate ball:4 -o g.msh", &["unknown shape `ball`"]);
    refused(&place, "mesh generate crak-plate", &["did you mean `crack-plate[:N[:doubled]]`?"]);
    refused(&place, "mesh generate grid:2x2 -o g.obj", &["g.obj", "msh, mesh, vtu or vtk"]);
}

#[test]
fn odd_meshes_work() {
    let place = Place::new(&[
        ("same.graph", b"4 2\n2\n1\n4\n3\n"),
        ("same.xyz", b"1 1\n1 1\n1 1\n1 1\n"),
        ("line.graph", b"6 5\n2\n1 3\n2 4\n3 5\n4 6\n5\n"),
        ("line.xyz", b"0 0\n1 1\n2 2\n3 3\n4 4\n5 5\n"),
        ("alone.graph", b"5 0\n\n\n\n\n\n"),
        ("alone.xyz", b"0 0\n1 0\n0 1\n5 5\n-3 2\n"),
        ("huge.graph", b"4 4\n2 4\n1 3\n2 4\n1 3\n"),
        ("huge.xyz", b"1e308 1e308\n1e308 1e308\n1e308 -1e308\n1e308 -1e308\n"),
    ]);
    for name in ["same", "line", "alone", "huge"] {
        for more in
            ["--parts 1", "--parts 3", "--parts 4 --bisection hilbert", "--parts 2 --no-refine"]
        {
            let line = format!("mesh partition {name}.graph --xyz {name}.xyz {more} -o p.txt");
            place.stdout(&format!("{line} --svg p/"));
        }
        let line = format!("mesh map {name}.graph --xyz {name}.xyz --machine torus:2x2 -o out");
        place.stdout(&line);
    }
}

#[test]
fn weights_in_metis_meshes_are_mentioned() {
    let place =
        Place::new(&[("w.mesh", b"2 1\n5 1 2 3\n7 1 3 4\n"), ("w.xyz", b"0 0\n1 0\n1 1\n0 1\n")]);
    let output = place.run("mesh info w.mesh --xyz w.xyz");
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(notes.contains("w.mesh: the weights of the elements are ignored"), "{notes}");
}
