//! Too little memory: one line, exit code 1, nothing left behind.

use super::Place;
use std::process::{Command, Output};

/// Runs a command that may have so many KiB of address space.
fn limited(place: &Place, kibibytes: u64, line: &str) -> Output {
    Command::new("sh")
        .args(["-c", "ulimit -v $0; exec \"$@\""])
        .arg(kibibytes.to_string())
        .arg(env!("CARGO_BIN_EXE_palmette"))
        .args(line.split_whitespace())
        .current_dir(place.path())
        .output()
        .unwrap()
}

fn no_room(line: &str, output: &Output) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{line}: {stderr}");
    assert!(stderr.contains("not enough memory: "), "{line}: {stderr}");
    assert_eq!(stderr.lines().count(), 1, "{line}: {stderr}");
}

#[test]
fn trees_that_no_machine_holds_are_refused_at_once() {
    let place = Place::new(&[]);
    for line in [
        "tree generate random:4294967294 -o x.npy",
        "tree generate path:4000000000 -o x.csv",
        "graph generate random:4000000000:100 -o x.mtx",
        "mesh generate triangles:60000x60000 -o x.msh",
    ] {
        // Where there is a terabyte this is no error; the limit makes it one everywhere.
        no_room(line, &limited(&place, 4 << 20, line));
        assert!(place.names().is_empty(), "{line}");
    }
}

/// Files with holes, of sizes that no machine has room for.
#[test]
fn trees_too_large_are_refused_by_the_size_of_their_files() {
    let place = Place::new(&[]);
    place.stdout("tree generate random:10 -o small.npy");
    let small = std::fs::read(place.path().join("small.npy")).unwrap();
    let head = String::from_utf8_lossy(&small[10..128]).replace("(10,), ", "(10000000000,), ");
    let head = [&small[..10], &head.as_bytes()[..117], b"\n"].concat();
    for (name, head, length, figure) in [
        ("large.npy", &head[..], 128 + 40_000_000_000, "200 GB for 10000000000 vertices"),
        ("large.csv", b"id,parent\n1,\n2,1\n", 10_000_000_000_000, "10.0 TB for the text"),
    ] {
        let path = place.path().join(name);
        std::fs::write(&path, head).unwrap();
        std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(length).unwrap();
        let line = format!("tree leaffix {name} --op sum -o s.csv");
        let output = limited(&place, 4 << 20, &line);
        no_room(&line, &output);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(stderr.contains(figure) && stderr.contains("palmette-mpi"), "{stderr}");
        std::fs::remove_file(&path).unwrap();
    }
    assert_eq!(place.names(), ["small.npy"]);
}

#[test]
fn lack_of_memory_ends_any_stage_in_order() {
    let place = Place::new(&[]);
    place.stdout("tree generate random:1000000 -o t.npy");
    let line = "tree leaffix t.npy --op sum -o s.csv --svg s.svg --threads 1";
    let (mut refused, mut succeeded) = (0, 0);
    // Small steps where it is scarce.
    let limits = (55..115).step_by(5).chain((115..400).step_by(15));
    for kibibytes in limits.map(|mebibytes| mebibytes << 10) {
        let output = limited(&place, kibibytes, line);
        if output.status.success() {
            succeeded += 1;
            continue;
        }
        refused += 1;
        no_room(&format!("{kibibytes} KiB: {line}"), &output);
        if succeeded == 0 {
            assert_eq!(place.names(), ["t.npy"], "{kibibytes} KiB");
        }
    }
    assert!(refused >= 3 && succeeded >= 3, "{refused} refused, {succeeded} succeeded");
}
