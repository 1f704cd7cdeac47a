//! Meshes on ranks: the same parts for any number of them, and a quick, clear end when something
//! is wrong.

use palmette::io::{read_integers_bytes, write_metis, write_metis_mesh, write_points};
use palmette::mesh::element::{dual_graph, node_graph};
use palmette::mesh::shapes::generate;
use serde_json::Value;
use std::path::PathBuf;
use std::process::{Output, Stdio};

/// A folder that is gone after the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("palmette-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_string()
    }

    fn place(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_string()
    }

    fn files(&self) -> usize {
        std::fs::read_dir(&self.0).unwrap().count()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn job(ranks: usize, arguments: &[&str]) -> Output {
    let mut command = crate::mpirun(ranks);
    command.arg(env!("CARGO_BIN_EXE_palmette-mpi")).args(["mesh", "partition"]).args(arguments);
    command.stdin(Stdio::null()).output().unwrap()
}

fn said(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

/// The files of a mesh of 3,000 points: its graph, its elements, its points.
fn files(folder: &Folder) -> [String; 3] {
    let mesh = generate("delaunay:3000".parse().unwrap(), 1).unwrap();
    let (mut graph, mut elements, mut points) = (Vec::new(), Vec::new(), Vec::new());
    write_metis(&mut graph, &node_graph(&mesh)).unwrap();
    write_metis_mesh(&mut elements, &mesh).unwrap();
    write_points(&mut points, mesh.points()).unwrap();
    [
        folder.write("d.graph", graph),
        folder.write("d.mesh", elements),
        folder.write("d.xyz", points),
    ]
}

#[test]
fn any_number_of_ranks_writes_the_same_file() {
    let folder = Folder::new("mpi-meshes");
    let [graph, elements, points] = files(&folder);
    let mesh = generate("delaunay:3000".parse().unwrap(), 1).unwrap();
    let (nodes, dual) = (node_graph(&mesh), dual_graph(&mesh));
    let out = folder.place("parts.txt");
    for (file, more, whole) in [
        (&graph, vec![], &nodes),
        (&graph, vec!["--xyz", &points], &nodes),
        (&elements, vec!["--xyz", &points], &nodes),
        (&elements, vec!["--xyz", &points, "--elements"], &dual),
    ] {
        let mut first: Option<Vec<u32>> = None;
        for ranks in [1, 2, 4] {
            let arguments = [&[&file[..], "-k", "6", "-o", &out, "--json"], &more[..]].concat();
            let output = job(ranks, &arguments);
            assert!(output.status.success(), "{}", said(&output));
            let record: Value = serde_json::from_slice(&output.stdout).unwrap();
            let bytes = std::fs::read(&out).unwrap();
            let part = read_integers_bytes("parts.txt", &bytes, whole.len()).unwrap();
            let cut = whole.edges().filter(|e| part[e.0 as usize] != part[e.1 as usize]).count();
            assert_eq!(record["result"]["cut"], cut);
            assert_eq!(record["result"]["vertices"], whole.len());
            assert_eq!(record["result"].get("copies").is_some(), more.contains(&"--elements"));
            assert!(*first.get_or_insert_with(|| part.clone()) == part, "{ranks} ranks");
        }
    }
    // The mesh and its graph are one.
    let part = |file: &str| {
        let output = job(3, &[file, "--xyz", &points, "-k", "6", "-o", &out, "-q"]);
        assert!(output.status.success(), "{}", said(&output));
        std::fs::read(&out).unwrap()
    };
    assert!(part(&graph) == part(&elements));
}

#[test]
fn mistakes_end_the_job_with_one_message() {
    let folder = Folder::new("mpi-mesh-mistakes");
    let [graph, elements, points] = files(&folder);
    let text = |file: &str| std::fs::read_to_string(file).unwrap();
    let lines = |text: &str| text.lines().map(str::to_string).collect::<Vec<_>>();
    let whole = text(&graph);
    let cut = folder.write("cut.graph", lines(&whole)[..2000].join("\n") + "\n");
    let mut wrong = lines(&whole);
    wrong[1234] = "1 2 3001".to_string();
    let wrong = folder.write("wrong.graph", wrong.join("\n"));
    let one_sided = folder.write("one.graph", "4 2\n2 3\n1\n\n1\n");
    let mut nan = lines(&text(&points));
    nan[2500] = "nan 1".to_string();
    let nan = folder.write("nan.xyz", nan.join("\n"));
    let short = folder.write("short.xyz", lines(&text(&points))[..2999].join("\n"));
    let mut unknown = lines(&text(&elements));
    unknown[4000] = "1 2 3001".to_string();
    let unknown = folder.write("unknown.mesh", unknown.join("\n"));
    let ended = folder.write("ended.mesh", lines(&text(&elements))[..3000].join("\n"));
    let (out, gz) = (folder.place("parts.txt"), folder.place("parts.gz"));
    let (out, gz) = (&out[..], &gz[..]);
    let before = folder.files();
    for (arguments, expected) in [
        (
            vec![&cut[..], "-k", "4", "-o", out],
            "cut.graph, line 2000: expected a line for each of 3000",
        ),
        (
            vec![&wrong, "-k", "4", "-o", out],
            "wrong.graph, line 1235: expected a neighbour from 1 to 3000",
        ),
        (
            vec![&one_sided, "-k", "2", "-o", out],
            "found 3 as a neighbour of 1, but not the reverse",
        ),
        (vec![&graph, "-k", "3001", "-o", out], "3001 parts are too many; at most 3000"),
        (vec![&graph, "-k", "0", "-o", out], "expected at least one part"),
        (
            vec![&graph, "-k", "4", "--xyz", &nan, "-o", out],
            "nan.xyz, line 2501: expected a finite number",
        ),
        (vec![&graph, "-k", "4", "--xyz", &short, "-o", out], "expected 3000 points, found 2999"),
        (vec![&graph, "-k", "4", "--elements", "-o", out], "this is a graph"),
        (vec![&graph, "-k", "4", "--bisection", "hilbert", "-o", out], "needs coordinates"),
        (vec![&graph, "-k", "4", "--imbalance", "-1", "-o", out], "the imbalance is -1"),
        (vec![&elements, "-k", "4", "-o", out], "pass --xyz"),
        (
            vec![&unknown, "-k", "4", "--xyz", &points, "-o", out],
            "line 4001: expected the nodes of an element, found node 3001",
        ),
        (vec![&ended, "-k", "4", "--xyz", &points, "-o", out], "elements, as line 1 says"),
        (vec!["no-such.graph", "-k", "4", "-o", out], "no-such.graph"),
        (vec![&graph, "-k", "4", "-o", &graph], "names the input"),
        (vec![&graph, "-k", "4", "-o", gz], "compressed"),
        (vec![&graph, "-k", "4", "--memory", "1000", "-o", out], "has room for 1000"),
    ] {
        let output = job(3, &arguments);
        let said = said(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert_eq!(said.matches("error: ").count(), 1, "{said}");
        assert!(said.contains(expected), "{expected}: {said}");
        assert_eq!(folder.files(), before, "{arguments:?}");
    }
}
