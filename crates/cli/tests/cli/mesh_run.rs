//! Programs on meshes: on threads and on ranks of MPI, with files for viewers.

use crate::{Place, compile, refused, succeeded};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a job that lost a rank may take to end, on a machine with fewer cores than ranks.
const SOON: Duration = Duration::from_secs(60);

/// Whether there are ranks. Tests of the whole workspace build what runs on them.
fn has_ranks() -> bool {
    let worker = Path::new(env!("CARGO_BIN_EXE_palmette")).with_file_name("palmette-mpi");
    let has = compile::has_mpi();
    let how = "`cargo build -p palmette-mpi` builds it, PALMETTE_WITHOUT_MPI=1 goes without";
    assert!(!has || worker.is_file(), "no palmette-mpi beside palmette: {how}");
    has
}

/// A square of 9 by 9 squares in triangles, with named sides.
fn square(files: &[(&str, &[u8])]) -> Place {
    let place = Place::new(files);
    place.stdout("mesh generate triangles:9x9 -o box.msh");
    place
}

fn record(place: &Place, line: &str) -> Value {
    serde_json::from_str(&place.stdout(&format!("{line} --json"))).unwrap()
}

/// All files of a folder.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entry = |entry: std::io::Result<fs::DirEntry>| {
        let entry = entry.unwrap();
        (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())
    };
    fs::read_dir(folder).unwrap().map(entry).collect()
}

/// `u = x` solves the problem exactly: a linear field, nothing in between.
const LINE: &[u8] = b"fix left = 0\nfix right = 1\nmatrix A = stiffness(1)\n\
    vector b = rhs(A, load(0))\nx = 0 * b\nr = b - A*x\np = r\nrho = dot(r, r)\n\
    while sqrt(rho) > 1e-13 at most 500\n  q = A*p\n  alpha = rho / dot(p, q)\n\
    \x20 x = x + alpha*p\n  r = r - alpha*q\n  old = rho\n  rho = dot(r, r)\n\
    \x20 p = r + rho/old * p\nend\nprint \"residual\", sqrt(rho)\noutput x as potential\n";

#[test]
fn a_linear_field_is_found() {
    let place = square(&[("line.pal", LINE)]);
    let record = record(&place, "mesh run box.msh --program line.pal -k 3 -o out");
    let result = &record["result"];
    assert!(result["residual"].as_f64().unwrap() <= 1e-13, "{result}");
    assert!(result["iterations"].as_u64().unwrap() > 3, "{result}");
    assert_eq!(result["parts"], 3);
    // One assembly per iteration.
    let messages = result["messages_per_iteration"].as_f64().unwrap();
    assert!((4.0..=6.0).contains(&messages) && messages.fract() == 0.0, "{messages}");
    let text = place.read("out/potential.vtu");
    let document = roxmltree::Document::parse(&text).unwrap();
    let array = |name: &str| {
        let found = document.descendants().find(|node| node.attribute("Name") == Some(name));
        found.unwrap_or_else(|| panic!("no {name}"))
    };
    assert_eq!(array("potential").attribute("type"), Some("Float64"));
    assert_eq!(array("part").attribute("type"), Some("Int32"));
    let names: Vec<String> = contents(&place.path().join("out")).into_keys().collect();
    assert_eq!(names, ["convergence-plot.svg", "potential.svg", "potential.vtu"]);
}

#[test]
fn threads_and_ranks_give_the_same_files() {
    if !has_ranks() {
        return;
    }
    let place = square(&[]);
    for (program, set) in
        [("jacobi_cg", ""), ("wave", "--set steps=100"), ("heat", "--set steps=5")]
    {
        let line = format!("mesh run box.msh --program example:{program} {set} -k 4");
        let on_threads = record(&place, &format!("{line} -o threads"));
        let files = contents(&place.path().join("threads"));
        assert!(files.len() >= 2, "{:?}", files.keys());
        for ranks in [1, 2, 4] {
            let out = format!("ranks-{program}-{ranks}");
            let found = record(&place, &format!("{line} --engine mpi --ranks {ranks} -o {out}"));
            assert_eq!(found["result"], on_threads["result"], "{program} on {ranks} ranks");
            assert!(contents(&place.path().join(&out)) == files, "{program} on {ranks} ranks");
        }
        fs::remove_dir_all(place.path().join("threads")).unwrap();
    }
}

#[test]
fn series_name_their_files() {
    let place = square(&[]);
    place.stdout("mesh run box.msh --program example:wave --set steps=100 -o out");
    let text = place.read("out/wave.pvd");
    let document = roxmltree::Document::parse(&text).unwrap();
    let sets = document.descendants().filter(|node| node.has_tag_name("DataSet"));
    let sets: Vec<(f64, &str)> = sets
        .map(|node| {
            let time = node.attribute("timestep").unwrap().parse().unwrap();
            (time, node.attribute("file").unwrap())
        })
        .collect();
    assert_eq!(sets, [(50.0, "wave-000050.vtu"), (100.0, "wave-000100.vtu")]);
    assert!(sets.iter().all(|(_, file)| place.path().join("out").join(file).is_file()));
}

#[test]
fn people_see_what_is_printed_and_what_loops_did() {
    let place = square(&[("line.pal", LINE)]);
    let output = place.run("mesh run box.msh --program line.pal --traffic");
    let stderr = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(stderr.contains("potential: not written; add -o DIR"), "{stderr}");
    let text = succeeded("mesh run --traffic", output);
    assert!(text.starts_with("residual = "), "{text}");
    for words in ["while sqrt(rho)", "elements, delayed assembly", "line 9, per iteration"] {
        assert!(text.contains(words), "no `{words}` in {text}");
    }
    let text = place.stdout("mesh run box.msh --program example:wave --explain");
    assert!(text.contains("assemble") && text.contains("messages before"), "{text}");
    assert!(text.contains(" seconds: read "), "{text}");
}

#[test]
fn a_loop_that_ends_at_its_limit_is_mentioned() {
    let place = square(&[("half.pal", b"a = 1\nwhile a > 1e-9 at most 10\n  a = a / 2\nend\n")]);
    let output = place.run("mesh run box.msh --program half.pal");
    let stderr = String::from_utf8(output.stderr.clone()).unwrap();
    succeeded("mesh run", output);
    let text = b"a = 1\nwhile a > 0 at most 10\n  a = (a - a) / 0\nend\n";
    fs::write(place.path().join("lost.pal"), text).unwrap();
    let lost = place.run("mesh run box.msh --program lost.pal");
    let said = String::from_utf8(lost.stderr).unwrap();
    assert!(said.contains("ended because its test was not a number after "), "{said}");
    let note = "line 2: `while a > 1e-9 at most 10` ended at its limit after 10 iterations";
    assert!(stderr.contains(note), "{stderr}");
}

#[test]
fn mistakes_of_users() {
    let place = square(&[
        ("name.pal", b"x = 0 * b\n"),
        ("shape.pal", b"matrix A = stiffness(1)\nx = interpolate(x)\ny = A + x\n"),
        ("divide.pal", b"x = interpolate(x)\ny = 1 / x\noutput y\n"),
        ("endless.pal", b"a = 1\nwhile a > 0\n  a = a + 1\nend\n"),
        ("group.pal", b"fix tip = 0\nmatrix A = stiffness(1)\nx = rhs(A, load(1))\noutput x\n"),
        ("material.pal", b"matrix A = stiffness(steel: 2)\nx = A * interpolate(x)\noutput x\n"),
        ("limit.pal", b"param n = -1\na = 0\nrepeat n\n  a = a + 1\nend\nprint a\n"),
        ("latin.pal", b"print \"caf\xe9\", 1\n"),
        ("empty.pal", b""),
        ("good.pal", b"print \"sum\", sum(interpolate(x))\n"),
        ("folder", b"a file"),
    ]);
    for (line, parts) in [
        ("name.pal", &["name.pal:1:9", "`b`", "^"][..]),
        ("shape.pal", &["shape.pal:3:", "^"]),
        ("divide.pal", &["divide.pal:2:", "^"]),
        ("endless.pal", &["endless.pal:2:", "at most"]),
        ("group.pal", &["group.pal", "line 1", "`tip`", "did you mean `top`?"]),
        ("material.pal", &["material.pal", "`steel`"]),
        ("limit.pal", &["limit.pal", "line 3", "-1"]),
        ("latin.pal", &["latin.pal: not UTF-8"]),
        ("absent.pal", &["absent.pal"]),
        ("example:none", &["unknown example `none`", "cg", "wave"]),
        ("good.pal --set m=1", &["`m`"]),
        ("good.pal --set m", &["m"]),
        ("good.pal --ranks 2", &["--engine mpi"]),
        ("good.pal --engine mpi -k 2 --ranks 3", &["at most one per part", "found 3"]),
        ("good.pal --engine mpi --ranks 0", &["part"]),
        ("material.pal --engine mpi --ranks 2", &["material.pal", "`steel`"]),
        ("good.pal -k 0", &["part"]),
        ("good.pal -k 1000", &["1000"]),
        ("good.pal --machine torus:2x2 -k 5", &["5", "4"]),
        ("good.pal -o folder", &["folder", "needs a folder"]),
    ] {
        refused(&place, &format!("mesh run box.msh --program {line}"), parts);
    }
}

#[test]
fn launchers_that_cannot_be_started_are_named() {
    if has_ranks() {
        let place = square(&[("good.pal", b"print \"sum\", sum(interpolate(x))\n")]);
        let line = "mesh run box.msh --program good.pal --engine mpi --launcher absent-command";
        refused(&place, line, &["absent-command", "cannot start"]);
    }
}

#[test]
fn what_is_no_number_shows() {
    let place = square(&[(
        "blow.pal",
        b"u = interpolate(x)\nv = u - u\nw = v ./ v\n\
        print \"most\", max(w)\nprint \"least\", min(u)\noutput w\n",
    )]);
    let output = place.run("mesh run box.msh --program blow.pal -q");
    let stderr = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(succeeded("mesh run -q", output), "most = NaN\nleast = 0.0\n", "{stderr}");
    let record = record(&place, "mesh run box.msh --program blow.pal");
    assert_eq!(record["result"]["not_finite"], 1);
}

#[test]
fn shapes_are_stretched() {
    let place = square(&[("width.pal", b"u = interpolate(x)\nprint \"width\", max(u)\n")]);
    place.stdout("mesh generate triangles:3x7 --width 0.5 -o small.msh");
    let text = place.stdout("mesh run small.msh --program width.pal -k 1");
    assert!(text.starts_with("width = 0.5\n"), "{text}");
    refused(&place, "mesh generate grid:2x2 --width -1", &["positive number", "`-1`"]);
}

/// The processes of a job whose temporary files are in a folder.
fn workers(folder: &Path) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let command = |name: &str| fs::read(format!("/proc/{name}/cmdline")).unwrap_or_default();
    let is_worker = |name: &String| {
        let text = String::from_utf8_lossy(&command(name)).replace('\0', " ");
        let mut words = text.split(' ');
        words.next().is_some_and(|program| program.ends_with("palmette-mpi"))
            && text.contains(folder.to_str().unwrap())
    };
    processes.filter_map(|entry| entry.file_name().into_string().ok()).filter(is_worker).collect()
}

/// A long run on three ranks, and its ranks.
#[allow(clippy::zombie_processes, reason = "who asks for it waits for it")]
fn long_run(place: &Place) -> (Child, Vec<String>) {
    let line = "mesh run box.msh --program example:wave --set steps=1e9 -k 3 --engine mpi";
    let mut command = place.heeding(line);
    command.env("TMPDIR", place.path()).stdout(Stdio::null()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let start = Instant::now();
    loop {
        assert!(start.elapsed() < SOON, "the job does not start");
        std::thread::sleep(Duration::from_millis(50));
        let found = workers(place.path());
        if found.len() == 3 {
            // Some steps later.
            std::thread::sleep(Duration::from_millis(500));
            return (child, found);
        }
    }
}

fn send(signal: &str, process: &str) {
    assert!(Command::new("kill").args([signal, process]).status().unwrap().success());
}

#[test]
fn a_rank_that_dies_ends_the_run() {
    if !has_ranks() {
        return;
    }
    let place = square(&[]);
    let (child, ranks) = long_run(&place);
    send("-KILL", &ranks[1]);
    let start = Instant::now();
    let output = child.wait_with_output().unwrap();
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.starts_with("error: ") && stderr.contains("signal 9"), "{stderr}");
    assert!(workers(place.path()).is_empty(), "ranks are left behind");
}

#[test]
fn a_run_that_is_stopped_ends_its_ranks() {
    if !has_ranks() {
        return;
    }
    for (signal, code) in [("-INT", Some(130)), ("-TERM", Some(143)), ("-KILL", None)] {
        let place = square(&[]);
        let (child, _) = long_run(&place);
        send(signal, &child.id().to_string());
        let start = Instant::now();
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), code, "{signal}: {stderr}");
        assert!(code.is_none() || stderr.contains("interrupted"), "{signal}: {stderr}");
        let job = |name: &String| name.starts_with("palmette-");
        while !workers(place.path()).is_empty() || place.names().iter().any(job) {
            assert!(start.elapsed() < SOON, "{signal}: {:?}", place.names());
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}
