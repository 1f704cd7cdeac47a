//! `palmette mesh compile`: from program, mesh and machine to `make && mpirun`.

use crate::signals::wait_for;
use crate::{Place, refused};
use palmette::language::compile;
use palmette::language::run::{Collected, Outcome, prepare};
use palmette::mesh::partition::JointParams;
use palmette::mesh::placement::SearchParams;
use palmette::mesh::spmv::World;
use palmette::mesh::{Machine, PartitionParams};
use palmette::{MappingParams, MeshInputParams, map_elements, read_mesh_file};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const CG: &str = include_str!("../../../language/programs/jacobi_cg.pal");
const WAVE: &str = include_str!("../../../language/programs/wave.pal");

/// Ranks enough for a small computer, and as root.
const FLAGS: &str = "MPIRUN_FLAGS=--allow-run-as-root --oversubscribe";

/// Two triangles, each in a group of its own.
const TWO: &[u8] =
    b"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"a\"\n2 2 \"b\"\n\
    $EndPhysicalNames\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n$Elements\n2\n\
    1 2 2 1 1 1 2 3\n2 2 2 2 1 1 3 4\n$EndElements\n";

/// Whether generated programs are run. `make setup` installs MPI; who goes without must say so.
pub(crate) fn has_mpi() -> bool {
    if std::env::var_os("PALMETTE_WITHOUT_MPI").is_some() {
        eprintln!("PALMETTE_WITHOUT_MPI: generated programs are not run");
        return false;
    }
    for tool in ["mpicc", "mpirun"] {
        let found = Command::new(tool).arg("--version").output().is_ok();
        assert!(found, "no {tool}: `make setup` installs it, PALMETTE_WITHOUT_MPI=1 goes without");
    }
    true
}

fn place() -> Place {
    let place = Place::new(&[
        ("cg.pal", CG.as_bytes()),
        ("wave.pal", WAVE.as_bytes()),
        ("two.msh", TWO),
        ("ring.graph", b"4 4\n2 4\n1 3\n2 4\n1 3\n"),
        ("ring.xyz", b"0 0\n1 0\n1 1\n0 1\n"),
        ("file", b"a file\n"),
    ]);
    place.stdout("mesh generate crack-plate:400 -o plate.msh");
    place.stdout("mesh generate tetrahedra:4x4x4 -o block.msh");
    place
}

fn make(place: &Place, folder: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new("timeout");
    command.arg("120").arg("make").args(arguments).current_dir(place.path().join(folder));
    command.output().unwrap()
}

fn made(place: &Place, folder: &str, arguments: &[&str]) -> String {
    let output = make(place, folder, arguments);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "make {arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// What the engine of the library gives for the same parts.
fn direct(
    place: &Place,
    (program, settings): (&str, &[(String, f64)]),
    mesh: &str,
    (machine, parts): (&str, u32),
) -> (Collected, Outcome) {
    let program = compile(program, &place.read(program), settings).unwrap();
    let path = place.path().join(mesh);
    let mesh = read_mesh_file(path, &MeshInputParams::default()).unwrap().mesh;
    let machine: Machine = machine.parse().unwrap();
    let params = MappingParams {
        partition: PartitionParams { parts, seed: 1, ..Default::default() },
        search: Some(SearchParams { seed: 1, ..JointParams::default().search }),
        ..Default::default()
    };
    let pieces = map_elements(&mesh, &machine, &params).unwrap().pieces;
    let world = World::alone(pieces, usize::from(program.problem.components)).unwrap();
    let mut collected = Collected::default();
    let outcome = prepare(&program, &mesh, world).unwrap().run(&mut collected).unwrap();
    (collected, outcome)
}

/// Files and log have the numbers of the engine, bit for bit.
fn compare(folder: &Path, log: &str, (expected, outcome): &(Collected, Outcome)) {
    let logged = |name: &str| {
        let lines = log.lines().filter_map(|line| line.split_once(" = "));
        lines.filter(|line| line.0 == name).map(|line| line.1.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(logged("messages"), [outcome.traffic.messages.to_string()]);
    assert_eq!(logged("words"), [outcome.traffic.words.to_string()]);
    assert!(!expected.printed.is_empty() && !expected.outputs.is_empty());
    for (label, number) in &expected.printed {
        let found: Vec<u64> =
            logged(label).iter().map(|text| text.parse::<f64>().unwrap().to_bits()).collect();
        assert!(found.contains(&number.to_bits()), "{label}: {number} not in\n{log}");
    }
    for (name, number, values) in &expected.outputs {
        let name = number.map_or(name.clone(), |number| format!("{name}-{number:06}"));
        let text = std::fs::read_to_string(folder.join(format!("{name}.csv"))).unwrap();
        let cells = text.lines().skip(1).flat_map(|line| line.split(',').skip(1));
        let found: Vec<u64> = cells.map(|cell| cell.parse::<f64>().unwrap().to_bits()).collect();
        let expected: Vec<u64> = values.iter().map(|value| value.to_bits()).collect();
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn programs_for_a_torus_give_the_same_bits() {
    let place = place();
    let line = "mesh compile plate.msh --program cg.pal --machine torus:2x2 -o out \
                --set tolerance=1e-6 --json";
    let record: Value = serde_json::from_str(&place.stdout(line)).unwrap();
    let result = &record["result"];
    let keys: Vec<&String> = result.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "nodes",
            "elements",
            "parts",
            "smallest_part",
            "largest_part",
            "messages",
            "words",
            "hopsum",
            "dilation",
            "routed_hopsum",
            "max_link_load",
            "max_link_load_at_least",
            "max_channels",
            "phases",
            "phases_at_least",
            "assemblies",
            "reductions",
            "loops",
            "files",
            "bytes"
        ]
    );
    assert_eq!((&result["parts"], &result["files"]), (&4.into(), &12.into()));
    assert_eq!(record["parameters"]["params"]["tolerance"], 1e-6);
    let loops = result["loops"].as_array().unwrap();
    assert_eq!((loops.len(), &loops[0]["assemblies"]), (1, &1.into()));
    let ranks = place.read("out/rankfile");
    let expected: String = (0..4).map(|r| format!("rank {r}=localhost slot={r}\n")).collect();
    assert_eq!(ranks, expected);
    if !has_mpi() {
        return;
    }
    let settings = [("tolerance".to_string(), 1e-6)];
    let expected = direct(&place, ("cg.pal", &settings), "plate.msh", ("torus:2x2", 4));
    let exchanges = expected.1.traffic.exchanges;
    let (messages, words) = (expected.1.traffic.messages, expected.1.traffic.words);
    assert_eq!(result["messages"].as_u64().unwrap() * exchanges, messages);
    assert_eq!(result["words"].as_u64().unwrap() * exchanges, words);
    made(&place, "out", &["CFLAGS=-O2 -Werror"]);
    let folder = place.path().join("out");
    compare(&folder, &made(&place, "out", &["-s", "run", FLAGS]), &expected);
    // With a rankfile for more cores than any one has, on one of them.
    std::fs::remove_file(folder.join("potential.csv")).unwrap();
    let log = made(&place, "out", &["-s", "placed", "CORES=1", FLAGS]);
    compare(&folder, &log, &expected);
}

#[test]
fn solids_few_parts_and_phases() {
    let place = place();
    std::fs::write(place.path().join("hosts"), "localhost:3\nfar:9\n").unwrap();
    std::fs::create_dir(place.path().join("deep")).unwrap();
    // Paths through a processor take turns: three channels make several phases.
    let line = "mesh compile block.msh --program wave.pal --machine mesh:3x4 -k 7 -o deep/out \
                --set steps=40 --set dt=0.01 --hosts hosts --explain";
    let text = place.stdout(line);
    assert!(text.contains("loop in line  assemblies  undelayed  reductions"), "{text}");
    assert!(text.contains("assemble t5\n") && text.contains("messages before"), "{text}");
    let record = place.stdout(&format!("{line} --channels 3 --json"));
    let record: Value = serde_json::from_str(&record).unwrap();
    assert!(record["result"]["phases"].as_u64().unwrap() > 1, "{record}");
    assert!(record["result"]["explain"].as_str().unwrap().contains("assemble t5\n"));
    let ranks = place.read("deep/out/rankfile");
    let slots: Vec<&str> = ranks.lines().map(|line| line.split_once('=').unwrap().1).collect();
    assert!(slots.len() == 7 && slots.iter().any(|slot| slot.starts_with("far slot=")), "{ranks}");
    assert!(slots.is_sorted_by_key(|slot| (slot.starts_with("far"), *slot)), "{ranks}");
    if !has_mpi() {
        return;
    }
    let settings = [("steps".to_string(), 40.0), ("dt".to_string(), 0.01)];
    let expected = direct(&place, ("wave.pal", &settings), "block.msh", ("mesh:3x4", 7));
    let log = made(&place, "deep/out", &["-s", "run", FLAGS]);
    compare(&place.path().join("deep/out"), &log, &expected);
}

#[test]
fn fat_trees_take_one_phase() {
    let place = place();
    let line = "mesh compile plate.msh --program cg.pal --machine fat-tree:2x2 -o out --json";
    let record: Value = serde_json::from_str(&place.stdout(line)).unwrap();
    assert_eq!(record["result"]["phases"], 1);
    assert_eq!(record["result"]["levels"].as_array().unwrap().len(), 2);
    if has_mpi() {
        let expected = direct(&place, ("cg.pal", &[]), "plate.msh", ("fat-tree:2x2", 4));
        let log = made(&place, "out", &["-s", "run", FLAGS]);
        compare(&place.path().join("out"), &log, &expected);
    }
}

#[test]
fn threads_and_repetition_do_not_show() {
    let place = place();
    let line = "mesh compile plate.msh --program cg.pal --machine torus:2x3";
    place.stdout(&format!("{line} -o one --threads 1"));
    place.stdout(&format!("{line} -o two --threads 2"));
    place.stdout(&format!("{line} -o two --threads 3"));
    for rank in 0..6 {
        let name = format!("data/rank-{rank:06}.bin");
        let read = |folder: &str| std::fs::read(place.path().join(folder).join(&name)).unwrap();
        assert!(read("one") == read("two"), "{name}");
    }
    assert_eq!(place.read("one/program.c"), place.read("two/program.c"));
    assert_eq!(std::fs::read_dir(place.path().join("two/data")).unwrap().count(), 6);
}

#[test]
fn bad_input() {
    let place = place();
    for (name, text) in [
        ("group.pal", "u = interpolate(x)\n\nfix lft = 0\noutput u\n"),
        (
            "form.pal",
            "matrix A = mass(1)\nmatrix K = stiffness(steel: 5)\nu = K*interpolate(x)\n\
                      output u\n",
        ),
        ("flux.pal", "u = flux(tp: 2)\noutput u\n"),
        ("half.pal", "matrix K = stiffness(a: 5)\nu = K*interpolate(x)\noutput u\n"),
        ("bad.pal", "u = interpolate(x)\nv = uu + 1\noutput v\nw = 1 / u\n"),
    ] {
        std::fs::write(place.path().join(name), text).unwrap();
    }
    std::fs::write(place.path().join("latin.pal"), b"# caf\xe9\n").unwrap();
    std::fs::create_dir_all(place.path().join("kept")).unwrap();
    std::fs::write(place.path().join("kept/program.c"), CG).unwrap();
    let groups = "the mesh has ";
    let cases: &[(&str, &[&str])] = &[
        (
            "M P group.pal T -o out",
            &["group.pal: line 3: fix lft", "no physical group `lft`", "did you mean `left`?"],
        ),
        ("M P form.pal T -o out", &["form.pal: line 2: matrix K", "`steel`", groups]),
        (
            "M P flux.pal T -o out",
            &["flux.pal: line 1: flux(tp: 2)", "`tp`", "did you mean `top`?"],
        ),
        (
            "M P bad.pal T -o out",
            &["bad.pal:2:5: unknown name `uu`", "\n  v = uu + 1\n      ^^\n", "bad.pal:4:"],
        ),
        ("two.msh P half.pal --machine torus:1x2 -o new", &["line 1: matrix K", "element 2"]),
        ("M P cg.pal T -o out --set tol=1", &["no param `tol`", "it has: tolerance"]),
        ("M P cg.pal T -o out --set tolerance", &["--set", "as dt=0.01"]),
        ("M P cg.pal T -o out --set tolerance=inf", &["--set", "finite"]),
        ("M P absent.pal T -o out", &["absent.pal", "cannot read"]),
        ("M P latin.pal T -o out", &["latin.pal: not UTF-8"]),
        ("- P - T -o out", &["one input can come from stdin"]),
        ("absent.msh P cg.pal T -o out", &["absent.msh"]),
        ("ring.graph P cg.pal --xyz ring.xyz T -o out", &["ring.graph", "a graph"]),
        ("ring.graph P cg.pal T -o out", &["ring.graph", "a graph"]),
        ("M P cg.pal T -o file", &["needs a folder"]),
        ("M P cg.pal T -o file/deep", &["needs a folder"]),
        ("M P cg.pal T -o -", &["-o needs", "`-`"]),
        ("M P cg.pal T -o out -k 5", &["5 parts do not fit on torus:2x2", "4 processors"]),
        ("M P cg.pal T -o out -k 0", &["at least one part"]),
        ("two.msh P half.pal T -o out", &["two.msh", "4 parts are too many; at most 2"]),
        ("M P cg.pal T -o out --hosts file", &["file: the hosts have only 2 slots"]),
        ("M P kept/program.c T -o kept", &["--program and -o", "kept/program.c"]),
        ("M P cg.pal T", &["--output <DIR>"]),
        ("P cg.pal T -o out", &["<FILE>"]),
        ("plate.msh T -o out", &["--program <PROGRAM>"]),
        ("M P cg.pal T -o out --node-weights file", &["--node-weights"]),
    ];
    for (line, parts) in cases {
        let line = line.replace("M ", "plate.msh ").replace("P ", "--program ");
        let line = line.replace(" T", " --machine torus:2x2");
        refused(&place, &format!("mesh compile {line}"), parts);
    }
    assert_eq!(place.read("kept/program.c"), CG);
}

#[test]
fn what_cannot_be_written_leaves_everything_as_it_was() {
    let place = place();
    place.stdout("mesh compile plate.msh --program cg.pal --machine torus:2x2 -o out");
    let before = place.read("out/program.c");
    // A folder is where a file should be.
    std::fs::remove_file(place.path().join("out/sums.c")).unwrap();
    std::fs::create_dir(place.path().join("out/sums.c")).unwrap();
    let line = "mesh compile plate.msh --program wave.pal --machine torus:2x2 -o out";
    refused(&place, line, &["out/sums.c"]);
    assert_eq!(place.read("out/program.c"), before);
    let count = |folder: &str| std::fs::read_dir(place.path().join(folder)).unwrap().count();
    assert_eq!((count("out"), count("out/data")), (9, 4));
}

#[test]
fn a_lost_rank_ends_all() {
    if !has_mpi() {
        return;
    }
    let place = place();
    let text =
        "matrix M = mass(1)\nu = interpolate(x)\nrepeat 1e12\n  u = 2*(M*u)\nend\noutput u\n";
    std::fs::write(place.path().join("long.pal"), text).unwrap();
    place.stdout("mesh compile plate.msh --program long.pal --machine torus:1x3 -o out");
    made(&place, "out", &[]);
    let folder = place.path().join("out");
    let mut command = Command::new("timeout");
    command.args([
        "120",
        "mpirun",
        "--allow-run-as-root",
        "--oversubscribe",
        "-n",
        "3",
        "sh",
        "-c",
    ]);
    command.arg("echo $$ > pid-$OMPI_COMM_WORLD_RANK && exec ./program").current_dir(&folder);
    let job = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let pid = |rank: usize| std::fs::read_to_string(folder.join(format!("pid-{rank}")));
    let start = Instant::now();
    let all = loop {
        let found: Vec<String> = (0..3).filter_map(|rank| pid(rank).ok()).collect();
        if found.len() == 3 && found.iter().all(|pid| pid.ends_with('\n')) {
            break found.iter().map(|pid| pid.trim().to_string()).collect::<Vec<_>>();
        }
        assert!(start.elapsed() < Duration::from_secs(60), "the job does not start");
        std::thread::sleep(Duration::from_millis(50));
    };
    // Long enough to be in the loop.
    std::thread::sleep(Duration::from_secs(2));
    let killed = Instant::now();
    assert!(Command::new("kill").args(["-9", &all[1]]).status().unwrap().success());
    let output = job.wait_with_output().unwrap();
    assert!(killed.elapsed() < Duration::from_secs(30), "{:?}", killed.elapsed());
    assert!(!output.status.success());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("signal 9"), "{errors}");
    let log = String::from_utf8_lossy(&output.stdout);
    assert!(log.contains("ranks = 3\n") && !log.contains("assemblies ="), "{log}");
    // The job ends when the ranks are told to, which may be a moment before they do.
    for pid in all {
        wait_for(&format!("{pid} still runs"), || {
            let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            state.is_empty() || state.contains(") Z")
        });
    }
}
