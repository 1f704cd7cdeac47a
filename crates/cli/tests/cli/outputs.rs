//! What a command writes: all of it or nothing, never over an input, never in another format
//! than its name promises.

use crate::{Place, TABLE, refused};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

/// Programs, trees, graphs and meshes for every verb.
fn place() -> Place {
    let place = Place::new(&[
        ("t.csv", TABLE),
        ("p.csv", b"u,v\nc,d\n"),
        ("w.csv", b"vertex,w\nroot,1\na,2\nb,3\nc,4\nd,5\n"),
        ("s.txt", b"a b c\n"),
        ("v.csv", b"vertex,current\n1,1\n2,-1\n"),
        ("q.csv", b"1,2\n"),
        ("weights.txt", b"1\n1\n1\n1\n1\n1\n1\n1\n1\n"),
        ("hosts.txt", b"a:4\n"),
    ]);
    place.stdout("graph generate grid:3x3 -o g.mtx --output-xyz g.xyz");
    place.stdout("mesh generate triangles:2x2 -o m.msh");
    place.stdout("mesh partition m.msh -k 4 -o part.txt -q");
    place.stdout("tree info t.csv --record r.json -q");
    place
}

/// Everything in a folder, by its path.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        if path.is_dir() {
            all.insert(format!("{name}/"), Vec::new());
            let within = contents(&path).into_iter();
            all.extend(within.map(|(below, bytes)| (format!("{name}/{below}"), bytes)));
        } else {
            all.insert(name, fs::read(&path).unwrap_or_default());
        }
    }
    all
}

/// Commands that write several files, by all that can be asked for.
const SEVERAL: [&str; 17] = [
    "tree leaffix t.csv -o a.csv --svg a.svg",
    "tree leaffix t.csv --svg a.svg",
    "tree info t.csv --svg a.svg",
    "tree convert t.csv -o a.nwk",
    "spatial layout t.csv -o a.csv --svg new/ --png a.png --on-machine",
    "spatial treefix t.csv -o a.csv --svg a.svg",
    "spatial lca t.csv c d -o a.csv --svg a.svg",
    "spatial spmv g.mtx -o a.csv --svg a.svg",
    "spatial sweep --program treefix --sizes 8 --shapes path -o a.html",
    "graph generate grid:3x3 -o a.mtx --output-xyz a.xyz",
    "graph sparsify g.mtx -o a.txt --svg a.svg --xyz g.xyz --tree b.csv",
    "graph solve g.mtx --rhs random -o a.csv --svg a.svg",
    "mesh generate triangles:2x2 -o a.msh --output-xyz a.xyz --svg a.svg",
    "mesh partition m.msh -k 2 -o a.txt --vtu a.vtu --svg a.svg --png new/",
    "mesh route m.msh --machine torus:2x2 -o a.json --svg a.svg --rankfile ranks",
    "mesh map m.msh --machine torus:2x2 -o new",
    "mesh compile m.msh --program example:cg --machine torus:1x2 -o new",
];

/// The last output fails, and nothing has changed: neither what is new nor what was there.
#[test]
fn a_command_that_fails_leaves_everything_as_it_was() {
    let place = place();
    let long = format!("{}.json", "n".repeat(300));
    for line in SEVERAL {
        for there in [false, true] {
            for name in ["a.csv", "a.svg", "b.svg", "a.txt", "a.json"] {
                let path = place.path().join(name);
                let _ = if there { fs::write(path, "precious") } else { fs::remove_file(path) };
            }
            for record in ["/dev/full", long.as_str()] {
                let before = contents(place.path());
                refused(&place, &format!("{line} --record {record}"), &[record, "cannot write"]);
                assert!(contents(place.path()) == before, "{line} --record {record}");
            }
        }
    }
}

#[test]
fn runs_reports_and_pages_too() {
    let place = place();
    for (line, full) in [
        ("mesh run m.msh --program example:cg -o new --quiet", "--record /dev/full"),
        ("report r.json --pictures new", "-o /dev/full"),
        ("report r.json -o new.html --pictures new", "--record /dev/full"),
    ] {
        let before = contents(place.path());
        let output = place.run(&format!("{line} {full}"));
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(contents(place.path()) == before, "{line}");
        place.stdout(line);
        assert!(place.path().join("new").is_dir(), "{line}");
        fs::remove_dir_all(place.path().join("new")).unwrap();
    }
}

/// Stdout is printed last: where it cannot be, nothing has appeared.
#[test]
fn a_full_stdout_takes_files_back() {
    let place = place();
    for line in ["tree leaffix t.csv --svg a.svg", "tree info t.csv --svg a.svg --json"] {
        let before = contents(place.path());
        let mut command = place.command(line);
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let status = command.stdout(full).stderr(Stdio::null()).status().unwrap();
        assert_eq!(status.code(), Some(2), "{line}");
        assert!(contents(place.path()) == before, "{line}");
    }
}

/// Mounts a small disk, which root may; the place is unmounted when this is dropped.
struct SmallDisk<'a>(&'a Path);

impl SmallDisk<'_> {
    fn mount(path: &Path) -> Option<SmallDisk<'_>> {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=64k", "none"]).arg(path).stderr(Stdio::null());
        let mounted = mount.status().is_ok_and(|status| status.success());
        if !mounted {
            eprintln!("skipped: a small disk cannot be mounted here");
        }
        mounted.then_some(SmallDisk(path))
    }
}

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

#[test]
fn a_full_disk_leaves_everything_as_it_was() {
    let place = place();
    place.stdout("mesh generate triangles:60x60 -o big.msh");
    let disk = place.path().join("disk");
    fs::create_dir(&disk).unwrap();
    let Some(_mounted) = SmallDisk::mount(&disk) else { return };
    fs::write(disk.join("old.csv"), "precious").unwrap();
    fs::create_dir(disk.join("pages")).unwrap();
    let before = contents(&disk);
    for line in [
        "tree generate random:100000 -o disk/old.csv",
        "tree generate random:100000 -o disk/new.csv --record disk/r.json",
        "mesh generate triangles:60x60 -o disk/old.msh --svg disk/a.svg --record disk/r.json",
        "mesh map big.msh --machine torus:2x2 -o disk/out",
        "man -o disk/pages",
        "man -o disk/new",
    ] {
        let output = place.run(line);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}: {stderr}");
        assert!(stderr.contains("No space left"), "{line}: {stderr}");
        assert!(contents(&disk) == before, "{line}: {:?}", contents(&disk).keys());
    }
}

/// Whatever is read is not written, by any name.
#[test]
fn inputs_are_kept() {
    let place = place();
    symlink("t.csv", place.path().join("link.csv")).unwrap();
    fs::hard_link(place.path().join("t.csv"), place.path().join("twin.csv")).unwrap();
    fs::create_dir(place.path().join("deep")).unwrap();
    fs::copy(place.path().join("weights.txt"), place.path().join("deep/part.txt")).unwrap();
    let before = contents(place.path());
    for (line, first, second) in [
        ("tree info t.csv --svg t.csv", "FILE", "--svg"),
        ("tree info t.csv --record ./t.csv", "FILE", "--record"),
        ("tree order t.csv -o t.csv", "FILE", "-o"),
        ("tree order t.csv -o deep/../t.csv", "FILE", "-o"),
        ("tree order t.csv -o link.csv", "FILE", "-o"),
        ("tree order link.csv -o t.csv", "FILE", "-o"),
        ("tree order t.csv -o twin.csv", "FILE", "-o"),
        ("tree leaffix t.csv -o t.csv", "FILE", "-o"),
        ("tree leaffix t.csv --svg t.csv", "FILE", "--svg"),
        ("tree leaffix t.csv --values w.csv -o w.csv", "--values", "-o"),
        ("tree leaffix t.csv --values file:w.csv --record ./w.csv", "--values", "--record"),
        ("tree rootfix t.csv -o t.csv", "FILE", "-o"),
        ("tree lca t.csv --pairs p.csv -o p.csv", "--pairs", "-o"),
        ("tree lca t.csv --sets s.txt -o s.txt", "--sets", "-o"),
        ("tree distance t.csv --pairs p.csv -o p.csv", "--pairs", "-o"),
        ("tree path t.csv --op sum --pairs p.csv -o p.csv", "--pairs", "-o"),
        ("tree convert t.csv -o t.csv", "FILE", "-o"),
        ("spatial layout t.csv -o t.csv", "FILE", "-o"),
        ("spatial layout t.csv --svg t.csv", "FILE", "--svg"),
        ("spatial message t.csv --svg t.csv", "FILE", "--svg"),
        ("spatial message t.csv --kind reduce --values w.csv -o w.csv", "--values", "-o"),
        ("spatial treefix t.csv --svg t.csv", "FILE", "--svg"),
        ("spatial treefix t.csv --values w.csv -o w.csv", "--values", "-o"),
        ("spatial lca t.csv --pairs p.csv -o p.csv", "--pairs", "-o"),
        ("spatial trace t.csv -o t.csv", "FILE", "-o"),
        ("graph info g.mtx --svg g.mtx", "FILE", "--svg"),
        ("graph sparsify g.mtx -o g.mtx", "FILE", "-o"),
        ("graph sparsify g.mtx --xyz g.xyz --svg g.xyz", "--xyz", "--svg"),
        ("graph sparsify g.mtx --tree g.mtx", "FILE", "--tree"),
        ("graph solve g.mtx --rhs v.csv -o v.csv", "--rhs", "-o"),
        ("graph solve g.mtx --rhs v.csv --svg g.mtx", "FILE", "--svg"),
        ("graph resistance g.mtx --pairs q.csv -o q.csv", "--pairs", "-o"),
        ("mesh info m.msh --svg m.msh", "FILE", "--svg"),
        ("mesh graph m.msh -o m.msh --to metis", "FILE", "-o"),
        (
            "mesh partition m.msh -k 2 --node-weights weights.txt -o weights.txt",
            "--node-weights",
            "-o",
        ),
        (
            "mesh place m.msh --machine torus:2x2 --partition part.txt -o part.txt",
            "--partition",
            "-o",
        ),
        (
            "mesh place m.msh --machine torus:2x2 --hosts hosts.txt --rankfile hosts.txt",
            "--hosts",
            "--rankfile",
        ),
        (
            "mesh map m.msh --machine torus:2x2 --node-weights deep/part.txt -o deep",
            "--node-weights",
            "-o",
        ),
        ("report r.json -o r.json", "RECORD", "-o"),
        ("report r.json --record r.json", "RECORD", "--record"),
    ] {
        let expected = format!("{first} and {second} name the same file: ");
        refused(&place, line, &[&expected]);
        assert!(contents(place.path()) == before, "{line}");
    }
    refused(&place, "tree order t.csv -o t.csv", &["pass --in-place to overwrite the input"]);
}

#[test]
fn in_place_means_the_main_input() {
    let place = place();
    let expected = place.stdout("tree convert t.csv --no-lengths");
    place.stdout("tree convert t.csv --no-lengths -o t.csv --in-place");
    assert_eq!(place.read("t.csv"), expected);
    place.stdout("graph sparsify g.mtx -o ./g.mtx --in-place");
    for line in [
        "tree order t.csv -o a.csv --in-place",
        "tree order t.csv --in-place",
        "tree info t.csv --in-place",
        "tree generate random:3 -o a.csv --in-place",
    ] {
        refused(&place, line, &["--in-place needs -o with the name of the input"]);
    }
    for (line, option) in [
        ("tree info t.csv --svg t.csv --in-place", "--svg"),
        ("tree lca t.csv --pairs p.csv -o p.csv --in-place", "-o"),
        ("tree order t.csv -o t.csv --record t.csv --in-place", "--record"),
    ] {
        refused(&place, line, &["name the same file", option]);
    }
}

/// A name that promises another format is refused before any work.
#[test]
fn endings_keep_their_promise() {
    let place = place();
    for (line, ending) in [
        ("tree info t.csv --svg x.txt", "svg after --svg"),
        ("tree info t.csv --svg x.png", "svg after --svg; use --png FILE for PNG"),
        ("tree leaffix t.csv --svg x.svg.pdf", "svg after --svg"),
        ("tree info t.csv --record x.svg", "json after --record"),
        ("tree leaffix t.csv -o x.xlsx", "csv, tsv, npy, parquet or arrow after -o"),
        ("tree leaffix t.csv -o x.csv.bz2", "csv, tsv, npy, parquet or arrow after -o"),
        ("tree leaffix t.csv -o x", "csv, tsv, npy, parquet or arrow after -o"),
        ("tree order t.csv -o x.nwk", "csv, tsv, npy, parquet or arrow after -o"),
        ("tree lca t.csv c d -o x.json", "csv, tsv, parquet, arrow or feather after -o"),
        ("tree convert t.csv -o x.xlsx", "csv, tsv, npy, nwk or edges after -o, or --to FORMAT"),
        ("tree generate random:3 -o x", "csv, tsv, npy, nwk or edges after -o, or --to FORMAT"),
        ("spatial treefix t.csv --png x.svg", "png after --png; use --svg FILE for SVG"),
        ("spatial layout t.csv -o x.html", "csv, tsv, parquet, arrow or feather after -o"),
        ("spatial trace t.csv -o x.xml", "goal, json or txt after -o, or --to FORMAT"),
        ("spatial sweep --program treefix --sizes 8 -o x.pdf", "html or htm after -o"),
        ("graph generate grid:2x2 -o x.csv", "mtx, graph, mm or metis after -o, or --to FORMAT"),
        ("graph generate grid:2x2 -o x.mtx --output-xyz x.csv", "xyz or txt after --output-xyz"),
        ("graph sparsify g.mtx -o x.csv", "txt, mtx, graph, edges or edgelist after -o"),
        ("graph sparsify g.mtx --tree x.nwk", "csv, tsv, npy or tab after --tree"),
        ("graph solve g.mtx --rhs random -o x.json", "csv, tsv, npy, mtx or mm after -o"),
        ("graph solve g.mtx --rhs random -o x", "csv, tsv, npy, mtx or mm after -o"),
        ("graph resistance g.mtx 1 2 -o x.ods", "csv, tsv, npy, parquet or arrow after -o"),
        ("mesh generate grid:2x2 -o x.stl", "msh, mesh, vtu or vtk after -o"),
        ("mesh partition m.msh -k 2 -o x.npy", "txt or csv after -o"),
        ("mesh partition m.msh -k 2 --vtu x.vtk", "vtu after --vtu"),
        ("mesh place m.msh --machine torus:2x2 -o x.csv", "json after -o"),
        ("report r.json -o x.md", "html or htm after -o"),
    ] {
        refused(&place, line, &[&format!("wrong extension; use {ending}")]);
    }
    for line in [
        "tree leaffix t.csv -o x.TSV",
        "tree leaffix t.csv -o x.npy.gz",
        "tree leaffix t.csv -o /dev/null --svg /dev/null --record /dev/null",
        "tree convert t.csv -o x.odd --to newick",
        "mesh partition m.msh -k 2 -o m.part.2",
        "tree info t.csv --svg picture",
    ] {
        place.stdout(line);
    }
    assert!(place.read("x.TSV").starts_with("vertex\tsum\n"));
    let text = place.stdout("tree leaffix t.csv -q -o /dev/stdout");
    assert_eq!(text, place.stdout("tree leaffix t.csv"));
    let log = place.path().join("log");
    fs::write(&log, "kept\n").unwrap();
    let appended = fs::OpenOptions::new().append(true).open(&log).unwrap();
    let mut command = place.command("tree leaffix t.csv -q -o /dev/stdout");
    assert!(command.stdout(appended).status().unwrap().success());
    assert_eq!(place.read("log"), format!("kept\n{text}"));
}

#[test]
fn a_link_to_nothing_is_followed() {
    let place = place();
    symlink("real.csv", place.path().join("link.csv")).unwrap();
    place.stdout("tree leaffix t.csv -o link.csv");
    assert!(place.path().join("link.csv").is_symlink());
    assert!(place.read("real.csv").starts_with("vertex,sum\n"));
    symlink("absent/real.csv", place.path().join("far.csv")).unwrap();
    refused(&place, "tree leaffix t.csv -o far.csv", &["far.csv: cannot write"]);
}

/// Folders are made one deep, so that a slip makes none elsewhere.
#[test]
fn only_the_last_folder_is_made() {
    let place = place();
    for line in [
        "mesh map m.msh --machine torus:2x2 -o no/where",
        "mesh run m.msh --program example:cg -o no/where",
        "mesh compile m.msh --program example:cg --machine torus:1x2 -o no/where",
        "report r.json --pictures no/where",
        "tree info t.csv --svg no/where/",
        "man -o no/where",
        "demo -o no/where",
    ] {
        refused(&place, line, &["no: no such folder", "no/where"]);
    }
    // What fails later leaves no folder, either.
    let line = "mesh map m.msh --machine torus:2x2 --hosts s.txt -o new";
    refused(&place, line, &["s.txt"]);
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error() {
    let place = Place::new(&[]);
    let output = std::process::Command::new("sh")
        .args(["-c", "ulimit -f 10; exec \"$0\" tree generate random:100000 -o big.csv"])
        .arg(env!("CARGO_BIN_EXE_palmette"))
        .current_dir(place.path())
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.starts_with("error: big.csv: cannot write"), "{stderr}");
    assert!(place.names().is_empty(), "{:?}", place.names());
}
