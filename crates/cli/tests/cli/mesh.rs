//! Every verb of `palmette mesh` on small meshes.

use crate::Place;
use serde_json::Value;

/// A plate of 12 x 12 squares in triangles, as Gmsh, METIS and a graph with points.
fn place() -> Place {
    let place = Place::new(&[]);
    place.stdout("mesh generate triangles:12x12 -o plate.msh");
    place.stdout("mesh generate triangles:12x12 -o plate.mesh --output-xyz plate.xyz --quiet");
    place.stdout("mesh generate tetrahedra:5x5x5 -o block.msh");
    place
}

fn record(place: &Place, line: &str) -> Value {
    serde_json::from_str(&place.stdout(line)).unwrap()
}

/// The numbers of a part file.
fn parts(place: &Place, name: &str) -> Vec<u32> {
    place.read(name).lines().map(|line| line.parse().unwrap()).collect()
}

fn check_picture(place: &Place, name: &str) -> String {
    let text = place.read(name);
    let document = roxmltree::Document::parse(&text).unwrap();
    assert!(document.root_element().has_tag_name("svg"), "{name}");
    text
}

#[test]
fn info() {
    let place = place();
    assert_eq!(
        place.summary("mesh info plate.msh --svg plate.svg"),
        "nodes                                        169\n\
         edges                                        456\n\
         elements                                     288\n\
         kinds                               triangle 288\n\
         dimension                                      2\n\
         components                                     1\n\
         smallest_edge                              1.000\n\
         largest_edge                               1.414\n\
         smallest_element                          0.5000\n\
         largest_element                           0.5000\n\
         format                                      gmsh\n\
         boundary                                      48\n\
         groups            body, left, right, bottom, top\n"
    );
    assert!(check_picture(&place, "plate.svg").contains("169 nodes · 288 elements"));
    let found = &record(&place, "mesh info block.msh --svg block.svg --json")["result"];
    assert_eq!((&found["dimension"], &found["kinds"]), (&3.into(), &"tetrahedron 750".into()));
    assert!(check_picture(&place, "block.svg").contains("300 faces of the surface"));
    let line = "mesh info plate.mesh --xyz plate.xyz --json";
    assert_eq!(record(&place, line)["result"]["format"], "metis");
}

/// A square that is cut along its diagonal: the faces of the cut have nodes of their own.
const CUT: &[u8] = b"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n\
    $PhysicalNames\n1\n1 5 \"left\"\n$EndPhysicalNames\n\
    $Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 1 0 0\n5 0 1 0\n6 1 1 0\n$EndNodes\n\
    $Elements\n3\n1 1 2 5 1 3 1\n2 2 2 0 1 1 2 3\n3 2 2 0 1 4 6 5\n$EndElements\n";

#[test]
fn nodes_may_coincide() {
    let place = Place::new(&[("cut.msh", CUT)]);
    let found = &record(&place, "mesh info cut.msh --json")["result"];
    assert_eq!((&found["coincident"], &found["components"]), (&2.into(), &2.into()));
    let merged = &record(&place, "mesh info cut.msh --merge --json")["result"];
    assert_eq!((&merged["coincident"], &merged["merged"]), (&0.into(), &2.into()));
    assert_eq!((&merged["nodes"], &merged["components"]), (&4.into(), &1.into()));
    let said = |line: &str| String::from_utf8(place.run(line).stderr).unwrap();
    let note = "note: cut.msh: 2 nodes coincide with another";
    assert_eq!(
        said("mesh info cut.msh"),
        format!("{note}, as on the faces of a crack; pass --merge to join them\n")
    );
    assert_eq!(said("mesh info cut.msh --merge"), format!("{note}; merged, 4 nodes are left\n"));
    assert_eq!(said("mesh info cut.msh --quiet"), "");
    for (more, nodes) in [("", 6), ("--merge", 4)] {
        for method in ["geometric", "coordinate", "inertial", "hilbert"] {
            let line =
                format!("mesh partition cut.msh {more} --parts 2 --bisection {method} -o p.txt");
            place.stdout(&line);
            assert_eq!(parts(&place, "p.txt").len(), nodes);
        }
        place.stdout(&format!("mesh map cut.msh {more} --machine torus:2x2 -o out"));
        place.stdout(&format!("mesh run cut.msh --program example:wave {more} -k 2 -o field"));
    }
}

#[test]
fn shape() {
    let place = place();
    let text = place.stdout("mesh generate grid:1x1");
    assert!(text.starts_with("$MeshFormat\n2.2 0 8\n"), "{text}");
    assert_eq!(place.read("plate.mesh").lines().next(), Some("288"));
    assert_eq!(place.read("plate.xyz").lines().count(), 169);
    let draw = |seed: u64| place.stdout(&format!("mesh generate delaunay:50 --seed {seed}"));
    assert_eq!(draw(3), draw(3));
    assert_ne!(draw(3), draw(4));
    for name in ["m.vtu", "m.vtk", "m.msh.gz"] {
        place.stdout(&format!("mesh generate box:2x2x2 -o {name}"));
    }
    roxmltree::Document::parse(&place.read("m.vtu")).unwrap();
    let found = record(&place, "mesh info m.msh.gz --json");
    assert_eq!(found["result"]["kinds"], "hexahedron 8");
}

#[test]
fn partition() {
    let place = place();
    let line = "mesh partition plate.msh --parts 4 -o p.txt --vtu p.vtu --svg p/ \
                --separator s.txt --json";
    let found = record(&place, line);
    let keys: Vec<&String> = found["result"].as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "nodes",
            "edges",
            "elements",
            "parts",
            "cut",
            "imbalance",
            "smallest_part",
            "largest_part",
            "components",
            "separator_size"
        ]
    );
    let part = parts(&place, "p.txt");
    let size = |p: u32| part.iter().filter(|&&q| q == p).count() as u64;
    let sizes: Vec<u64> = (0..4).map(size).collect();
    assert_eq!(part.len(), 169);
    assert_eq!(found["result"]["smallest_part"].as_u64(), sizes.iter().min().copied());
    assert_eq!(found["result"]["largest_part"].as_u64(), sizes.iter().max().copied());
    assert_eq!(found["result"]["components"], 4);
    // Straight cuts along rows and columns take 3 edges per step, less at the ends.
    let cut = found["result"]["cut"].as_u64().unwrap();
    assert!((40..=80).contains(&cut), "{cut}");
    let separator = parts(&place, "s.txt");
    assert_eq!(found["result"]["separator_size"], separator.len());
    assert!(separator.iter().all(|v| (1..=169).contains(v)));
    assert!(check_picture(&place, "p/partition.svg").contains("4 parts drawn"));
    assert!(check_picture(&place, "p/quotient.svg").contains("4 parts · "));
    let vtu = place.read("p.vtu");
    roxmltree::Document::parse(&vtu).unwrap();
    assert_eq!(vtu.matches("Name=\"part\"").count(), 2);
}

#[test]
fn partition_of_elements() {
    let place = place();
    for (mesh, elements) in [("plate.msh", 288), ("block.msh", 750)] {
        let line = format!(
            "mesh partition {mesh} --parts 3 --elements -o e.txt --svg e/ \
                            --vtu e.vtu --json"
        );
        let found = record(&place, &line);
        assert_eq!(parts(&place, "e.txt").len(), elements);
        let copies = found["result"]["copies"].as_u64().unwrap();
        assert!(copies > 10 && copies < elements as u64 / 2, "{mesh}: {copies}");
        let smallest = found["result"]["smallest_part"].as_u64().unwrap();
        assert!(smallest as f64 > 0.9 * elements as f64 / 3.0, "{mesh}: {smallest}");
        check_picture(&place, "e/partition.svg");
        check_picture(&place, "e/quotient.svg");
    }
}

#[test]
fn methods_and_weights() {
    let place = place();
    for method in ["geometric", "coordinate", "inertial", "hilbert"] {
        let line = format!(
            "mesh partition plate.mesh --xyz plate.xyz --parts 5 --bisection {method} --no-refine \
             -o p.txt"
        );
        place.stdout(&line);
        let mut found = parts(&place, "p.txt");
        found.sort_unstable();
        found.dedup();
        assert_eq!(found, [0, 1, 2, 3, 4], "{method}");
    }
    // The first row weighs as much as all others.
    let weights: String = (0..169).map(|v| if v < 13 { "12\n" } else { "1\n" }).collect();
    std::fs::write(place.path().join("w.txt"), weights).unwrap();
    let line = "mesh partition plate.msh --parts 2 --node-weights w.txt --json";
    let found = &record(&place, line)["result"];
    let (small, large) = (&found["smallest_part"], &found["largest_part"]);
    assert_eq!(small.as_u64().unwrap() + large.as_u64().unwrap(), 13 * 12 + 156);
    assert!(found["imbalance"].as_f64().unwrap() <= 0.03 + 12.0 / 156.0);
    // Likewise the first 24 of 288 elements, which are a row of squares.
    let weights: String = (0..288).map(|e| if e < 24 { "11\n" } else { "1\n" }).collect();
    std::fs::write(place.path().join("w.txt"), weights).unwrap();
    let line = "mesh partition plate.msh -k 2 --elements --element-weights w.txt -o p.txt --json";
    let found = &record(&place, line)["result"];
    let (small, large) = (&found["smallest_part"], &found["largest_part"]);
    assert_eq!(small.as_u64().unwrap() + large.as_u64().unwrap(), 24 * 11 + 264);
    assert!(found["imbalance"].as_f64().unwrap() <= 0.03 + 11.0 / 264.0, "{found}");
}

#[test]
fn contiguous_parts() {
    let place = place();
    // Along the curve, parts of a coarse net fall apart more often than not.
    for seed in 0..5 {
        let line = format!(
            "mesh partition plate.msh -k 9 --contiguous --imbalance 0.2 --bisection hilbert \
             --seed {seed} --json"
        );
        let found = &record(&place, &line)["result"];
        assert_eq!(found["components"], 9, "{seed}");
        assert!(found["smallest_part"].as_u64().unwrap() > 0);
    }
}

#[test]
fn place_and_route() {
    let place = place();
    place.stdout("mesh partition plate.msh --parts 6 -o p.txt");
    std::fs::write(place.path().join("hosts"), "a:4\nb:5\n").unwrap();
    let line = "mesh place plate.msh --machine torus:3x3 --partition p.txt -o place.json \
                --hosts hosts --rankfile ranks --json";
    let found = record(&place, line);
    let placed: Value = serde_json::from_str(&place.read("place.json")).unwrap();
    let processors = placed["processors"].as_array().unwrap();
    assert_eq!((processors.len(), &placed["machine"]), (6, &"torus:3x3".into()));
    for (rank, line) in place.read("ranks").lines().enumerate() {
        let processor = processors[rank].as_u64().unwrap();
        let (host, slot) = if processor < 4 { ("a", processor) } else { ("b", processor - 4) };
        assert_eq!(line, format!("rank {rank}={host} slot={slot}"));
        let at = [processor / 3, processor % 3];
        assert_eq!(placed["coordinates"][rank], serde_json::json!(at));
    }
    let line = "mesh route plate.msh --machine torus:3x3 --partition p.txt -o routes.json \
                --svg routes.svg --channels 12 --json";
    let routed = record(&place, line);
    assert_eq!(routed["result"]["hopsum"], found["result"]["hopsum"]);
    check_routes(&place, &routed, processors);
    assert!(check_picture(&place, "routes.svg").contains("torus of 3 × 3 processors · 6 parts"));
}

/// Paths join the processors of their parts by single steps, and add up to the record.
fn check_routes(place: &Place, record: &Value, processors: &[Value]) {
    let routes: Value = serde_json::from_str(&place.read("routes.json")).unwrap();
    assert_eq!((&routes["channels"], &routes["phases"]), (&12.into(), &record["result"]["phases"]));
    let mut hopsum = 0;
    for message in routes["messages"].as_array().unwrap() {
        let path: Vec<u64> =
            message["path"].as_array().unwrap().iter().map(|p| p.as_u64().unwrap()).collect();
        let [from, to] = ["from", "to"].map(|key| message[key].as_u64().unwrap() as usize);
        let ends = (path.first().copied(), path.last().copied());
        assert_eq!(ends, (processors[from].as_u64(), processors[to].as_u64()));
        for step in path.windows(2) {
            let apart = |a: u64, b: u64| a.abs_diff(b).min(3 - a.abs_diff(b));
            let hops = apart(step[0] / 3, step[1] / 3) + apart(step[0] % 3, step[1] % 3);
            assert_eq!(hops, 1, "{path:?}");
        }
        hopsum += message["values"].as_u64().unwrap() * (path.len() as u64 - 1);
    }
    assert_eq!(record["result"]["routed_hopsum"], hopsum);
}

#[test]
fn map() {
    let place = place();
    let found = record(&place, "mesh map plate.msh --machine torus:2x3 -o out --json");
    let result = &found["result"];
    for key in ["cut", "hopsum", "max_link_load", "max_channels", "phases"] {
        assert!(result[key].as_u64().unwrap() > 0, "{key}");
    }
    assert_eq!((&result["parts"], &found["parameters"]["placement"]), (&6.into(), &"joint".into()));
    let names = [
        "mapping.vtu",
        "mesh.svg",
        "neighbours.h",
        "part.txt",
        "partition.svg",
        "placement.json",
        "placement.svg",
        "quotient.svg",
        "rankfile",
        "routes.json",
    ];
    let folder = std::fs::read_dir(place.path().join("out")).unwrap();
    let mut there: Vec<String> =
        folder.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    there.sort();
    assert_eq!(there, names);
    for name in names.iter().filter(|name| name.ends_with("svg")) {
        check_picture(&place, &format!("out/{name}"));
    }
    let vtu = place.read("out/mapping.vtu");
    let count = |name: &str| vtu.matches(&format!("Name=\"{name}\"")).count();
    assert_eq!((count("part"), count("processor"), count("phase")), (2, 2, 1));
    assert!(place.read("out/rankfile").starts_with("rank 0=localhost slot="));
    let notes = |line: &str| String::from_utf8(place.run(line).stderr).unwrap();
    let line = "mesh map plate.msh --machine torus:2x3";
    assert_eq!(notes(line), "note: parts, placement and routes: not written; add -o DIR\n");
    assert_eq!(notes(&format!("{line} --svg map.svg")), "");
    check_picture(&place, "map.svg");
}

#[test]
fn fat_trees_have_levels() {
    let place = place();
    let line = "mesh map plate.msh --machine fat-tree:2x3 --placement cut-tree -o out --json";
    let found = record(&place, line);
    let levels = found["result"]["levels"].as_array().unwrap();
    assert_eq!(levels.len(), 2);
    // Everything leaves its processor.
    assert_eq!(levels[1]["values"], found["result"]["values"]);
    assert!(found["result"].get("phases").is_none());
    let routes: Value = serde_json::from_str(&place.read("out/routes.json")).unwrap();
    assert_eq!(routes["levels"].as_array().unwrap().len(), 2);
    let text = place.stdout("mesh map plate.msh --machine fat-tree:2x3");
    assert!(text.contains("level  values  largest  capacity"), "{text}");
}

/// Sides and branches of 1 are legal anywhere; every verb takes them.
#[test]
fn machines_with_sides_of_one() {
    let place = place();
    for machine in ["fat-tree:2x1", "fat-tree:1x2x1", "fat-tree:1x1", "torus:1x1", "mesh:2x1x1"] {
        let on = format!("--machine {machine}");
        let parts = if machine.contains('2') { 2 } else { 1 };
        place.stdout(&format!("mesh place plate.msh {on} -o place.json"));
        let placed: Value = serde_json::from_str(&place.read("place.json")).unwrap();
        let mut processors: Vec<u64> =
            placed["processors"].as_array().unwrap().iter().map(|p| p.as_u64().unwrap()).collect();
        processors.sort_unstable();
        assert_eq!(processors, (0..parts).collect::<Vec<u64>>(), "{machine}");
        place.stdout(&format!("mesh route plate.msh {on}"));
        place.stdout(&format!("mesh map plate.msh {on} -o out"));
        place.stdout(&format!("mesh map plate.msh {on} -o out --placement search"));
        place.stdout(&format!("mesh compile plate.msh --program example:wave {on} -o program"));
        place.stdout(&format!("mesh run plate.msh --program example:wave {on} -o field"));
    }
}

#[test]
fn threads_do_not_show() {
    let place = place();
    for line in [
        "mesh partition block.msh --parts 7 --seed 5 -o FILE -q",
        "mesh partition block.msh --parts 7 --seed 5 --elements -o FILE -q",
        "mesh partition block.msh --parts 7 --seed 5 --contiguous -o FILE -q",
        "mesh route plate.msh --machine mesh:2x4 --seed 5 -o FILE -q",
        "mesh place plate.msh --machine torus:3x3 --seed 5 -o FILE -q",
    ] {
        let [one, two] = [1, 2].map(|threads| {
            place.stdout(&format!("{} --threads {threads}", line.replace("FILE", "out")));
            place.read("out")
        });
        assert_eq!(one, two, "{line}");
    }
    for machine in ["torus:3x3", "fat-tree:2x2x2"] {
        let [one, two] = [1, 2].map(|threads| {
            let options = format!("-o there --seed 5 --threads {threads} -q");
            place.stdout(&format!("mesh map plate.msh --machine {machine} {options}"));
            ["part.txt", "placement.json", "routes.json"].map(|name| {
                let file = place.path().join("there").join(name);
                std::fs::read_to_string(file).unwrap()
            })
        });
        assert_eq!(one, two, "{machine}");
    }
}

#[test]
fn every_key_has_a_word_in_the_help() {
    let place = place();
    for line in [
        "info block.msh",
        "generate grid:2x2 -o g.msh",
        "partition plate.msh --parts 2 --elements",
        "partition plate.msh --parts 2 --separator s.txt",
        "place plate.msh --machine mesh:1x2",
        "route plate.msh --machine mesh:1x2",
        "map plate.msh --machine fat-tree:2x2",
    ] {
        let verb = line.split(' ').next().unwrap();
        let mut help = place.stdout(&format!("mesh {verb} --help"));
        if ["place", "route", "map"].contains(&verb) {
            help += &place.stdout("mesh partition --help");
            help += &place.stdout("mesh place --help");
        }
        let found = record(&place, &format!("mesh {line} --json"));
        for key in found["result"].as_object().unwrap().keys() {
            let words = help.split(|c: char| !c.is_alphanumeric() && c != '_');
            assert!(words.into_iter().any(|word| word == key), "{line}: {key}");
        }
    }
}

/// Graphs and matrices are cut and mapped without coordinates; what cannot be drawn is said.
#[test]
fn graphs_without_coordinates() {
    let place = Place::new(&[]);
    place.stdout("graph generate grid:20x20 -o g.graph");
    place.stdout("graph generate grid:20x20 -o g.mtx");
    for (file, preset) in [("g.graph", "fast"), ("g.graph", "default"), ("g.mtx", "strong")] {
        let line = format!(
            "mesh partition {file} -k 4 --preset {preset} --separator s.txt -o p.txt --json"
        );
        let record = record(&place, &line);
        let result = &record["result"];
        assert_eq!(
            (result["parts"].as_u64(), result["nodes"].as_u64()),
            (Some(4), Some(400)),
            "{line}"
        );
        assert!(result["cut"].as_f64().unwrap() <= 46.0, "{line}: {result}");
        assert!(result["separator_size"].as_u64().unwrap() <= 46, "{line}: {result}");
        assert_eq!(place.read("p.txt").lines().count(), 400);
    }
    let output = place.run("mesh map g.mtx --machine torus:2x2 -o out");
    assert!(output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    let note =
        "no coordinates for this graph: not drawn: mesh, partition, quotient; add --xyz FILE";
    assert!(said.contains(note), "{said}");
    assert!(place.path().join("out/placement.svg").exists());
    assert!(!place.path().join("out/mesh.svg").exists());
}

/// An order comes back from its file in both forms, with the same figures.
#[test]
fn orders_of_elimination() {
    let place = Place::new(&[]);
    place.stdout("graph generate grid:30x30 -o g.mtx");
    place.stdout("mesh generate box:8x8x8 -o box.msh");
    for (file, nodes) in [("g.mtx", 900), ("box.msh", 729)] {
        let line = format!("mesh order {file} -o perm.txt --svg order.svg --json");
        let found = record(&place, &line)["result"].clone();
        assert!(found["height"].as_u64().unwrap() < nodes, "{found}");
        let mut order: Vec<u64> =
            place.read("perm.txt").lines().map(|line| line.parse().unwrap()).collect();
        let again = record(&place, &format!("mesh order {file} --evaluate perm.txt --json"));
        let line = format!("mesh order {file} --places -o places.txt --json");
        assert_eq!(record(&place, &line)["result"]["operations"], found["operations"]);
        let places =
            record(&place, &format!("mesh order {file} --evaluate places.txt --places --json"));
        for other in [again, places] {
            for key in ["entries", "operations", "height"] {
                assert_eq!(other["result"][key], found[key], "{file} {key}");
            }
        }
        order.sort_unstable();
        assert!(order.into_iter().eq(1..=nodes), "{file}");
        assert!(place.read("order.svg").contains("in this order"));
        let degree = format!("mesh order {file} --method minimum-degree --json");
        let degree = record(&place, &degree)["result"]["operations"].as_f64().unwrap();
        assert!(found["operations"].as_f64().unwrap() <= degree, "{file}");
    }
}
