//! Every verb with every format it reads, on small whole files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A command with the files that it reads.
pub(crate) struct Job {
    pub(crate) line: String,
    pub(crate) files: Vec<(String, Vec<u8>)>,
}

/// Makes files in the order of the lines.
const MADE: [&str; 16] = [
    "tree generate random:15 --lengths --seed 3 -o t.csv",
    "tree convert t.csv -o t.tsv",
    "tree convert t.csv -o t.npy",
    "tree convert t.csv -o t.nwk",
    "tree convert t.csv -o t.edges",
    "tree convert t.csv -o t.csv.gz",
    "tree convert t.csv -o t.nwk.zst",
    "tree rootfix t.csv --op depth -o v.csv",
    "tree rootfix t.csv --op depth -o v.npy",
    "graph generate grid:4x4 --weights uniform:1:2 -o g.mtx --output-xyz g.xyz",
    "graph generate grid:4x4 -o g.graph",
    "mesh generate triangles:4x4 --width 1 -o m.msh",
    "mesh generate tetrahedra:2x2x2 -o m.mesh --output-xyz m.xyz",
    "mesh partition m.msh -k 4 -o m.part",
    "tree leaffix t.csv --op leaves --record r.json -o r.csv",
    "spatial treefix t.csv --op max --record s.json -o s.csv",
];

/// Written by hand.
const WRITTEN: [(&str, &str); 11] = [
    ("p.csv", "u,v\n1,2\n3,4\n5,14\n0,9\n"),
    ("sets.txt", "1 2 3\n4 5\n"),
    (
        "w.csv",
        "vertex,w\n0,1\n1,2\n2,3\n3,4\n4,5\n5,6\n6,7\n7,8\n8,9\n9,1\n10,1\n11,1\n12,1\n13,1\n14,2\n",
    ),
    (
        "g.spice",
        "* grid\nV1 pad 0 1.8\nR1 pad a 1k\nR2 a b 2.5\n+ \nR3 b 0 10meg\nI1 b 0 50m\n.op\n.end\n",
    ),
    ("rhs.txt", "1\n0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n-1\n"),
    ("gp.csv", "1,16\n2,3\n"),
    ("gu.csv", "op,u,v,weight\ninsert,1,16,0.5\ndelete,1,2\nweight,2,3,7\n"),
    (
        "m.su2",
        "NDIME= 2\nNELEM= 4\n5 0 1 4 0\n5 1 2 4 1\n5 2 3 4 2\n5 3 0 4 3\nNPOIN= 5\n0 0 0\n1 0 1\n1 1 2\n0 1 3\n0.5 0.5 4\nNMARK= 1\nMARKER_TAG= wall\nMARKER_ELEMS= 1\n3 0 1\n",
    ),
    ("hosts.txt", "a slots=2\nb slots=2\n"),
    ("ew.txt", "1\n2\n1\n2\n"),
    (
        "picture.json",
        "{\"command\":\"x\",\"input\":\"y\",\"parameters\":{},\"seconds\":{\"read\":0.5},\"result\":{\"a\":1,\"b\":[1,2],\"c\":{\"d\":\"e\"}},\"pictures\":[{\"name\":\"p\",\"title\":\"p\",\"svg\":\"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 40'><style>circle{fill:red}</style><g transform='rotate(45)' stroke-dasharray='1 2'><circle cx='10' cy='10' r='5' stroke='blue' stroke-width='2'/><path d='M0 0 L10 20 C1 2 3 4 5 6 A3 3 0 0 1 9 9 Z'/></g><text x='1' y='9' font-size='8'>hi</text></svg>\"}]}\n",
    ),
];

/// Verbs on trees; `T` is the tree.
const TREES: [&str; 12] = [
    "tree info T --svg o.svg",
    "tree order T --order bfs -o o.csv",
    "tree rootfix T --op sum -o o.csv",
    "tree leaffix T --op sum --lengths -o o.csv",
    "tree leaffix T --op leaves --svg o.svg --record o.json -o o.csv",
    "tree lca T --pairs p.csv -o o.csv",
    "tree distance T --pairs p.csv -o o.csv",
    "tree path T --pairs p.csv --op sum -o o.csv",
    "tree convert T --to csv -o o.csv",
    "tree convert T --to newick -o o.nwk",
    "spatial layout T --svg o.svg -o o.csv",
    "spatial treefix T --op sum -o o.csv",
];

const OTHERS: [&str; 39] = [
    "tree leaffix t.csv --op max --values file:v.csv -o o.csv",
    "tree leaffix t.csv --op max --values file:v.npy -o o.csv",
    "tree leaffix t.csv --op sum --values file:w.csv -o o.npy",
    "tree lca t.nwk --sets sets.txt -o o.csv",
    "spatial message t.csv --svg o.svg -o o.csv",
    "spatial lca t.csv --pairs p.csv -o o.csv",
    "spatial trace t.nwk -o o.goal",
    "graph info g.mtx --svg o.svg",
    "graph info g.graph",
    "graph info g.spice",
    "graph solve g.mtx --rhs rhs.txt -o o.csv --svg o.svg",
    "graph solve g.spice -o o.csv",
    "graph solve g.spice --preconditioner direct -o o.csv",
    "graph solve g.graph --rhs random --compare --svg o.svg",
    "graph sparsify g.mtx --quality -o o.mtx --svg o.svg --xyz g.xyz",
    "graph sparsify g.graph --rule fegrass --tree o.csv -o o.mtx",
    "graph resistance g.mtx --pairs gp.csv -o o.csv",
    "graph resistance g.spice pad b",
    "graph stream g.mtx gu.csv --json",
    "mesh info m.msh --svg o.svg",
    "mesh info m.mesh --xyz m.xyz",
    "mesh info m.su2",
    "mesh graph m.msh -o o.mtx --output-xyz o.xyz",
    "mesh graph m.mesh --xyz m.xyz -o o.mtx",
    "mesh partition m.msh -k 3 -o o.part --svg o.svg --vtu o.vtu",
    "mesh partition m.mesh --xyz m.xyz -k 3 --elements -o o.part",
    "mesh partition m.su2 -k 2 --element-weights ew.txt --elements -o o.part",
    "mesh place m.msh --machine torus:2x2 --partition m.part -o o.json",
    "mesh place m.msh --machine torus:2x2 --hosts hosts.txt --rankfile o.rank -o o.json",
    "mesh route m.msh --machine fat-tree:2x2 -o o.json",
    "mesh map m.msh --machine torus:2x2 -o o",
    "mesh run m.msh --program cg.pal -k 2 -o o",
    "mesh run m.msh --program heat.pal -k 2 -o o",
    "mesh run m.msh --program jacobi_cg.pal -k 2 --explain",
    "mesh compile m.msh --program cg.pal --machine torus:2x1 -o o",
    "mesh compile m.msh --program wave.pal --machine torus:2x1 -o o",
    "report r.json -o o.html",
    "report r.json s.json -o o.html",
    "report picture.json -o o.html --pictures o",
];

/// Every job, with its files.
pub(crate) fn jobs() -> Vec<Job> {
    let folder = tempfile::tempdir().unwrap();
    let mut files = BTreeMap::new();
    for (name, text) in WRITTEN {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../language/programs");
    for name in ["cg.pal", "heat.pal", "jacobi_cg.pal", "wave.pal"] {
        fs::copy(programs.join(name), folder.path().join(name)).unwrap();
    }
    for line in MADE {
        let output = Command::new(env!("CARGO_BIN_EXE_palmette"))
            .args(line.split_whitespace())
            .current_dir(folder.path())
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "palmette {line}: {stderr}");
    }
    for entry in fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        files.insert(name, fs::read(path).unwrap());
    }
    let trees = ["t.csv", "t.tsv", "t.npy", "t.nwk", "t.edges", "t.csv.gz", "t.nwk.zst"];
    let on_trees = trees.iter().flat_map(|tree| {
        // Arrays and edge lists have no lengths.
        let lacks = |line: &&&str| line.contains("length") && matches!(*tree, "t.npy" | "t.edges");
        TREES.iter().filter(move |line| !lacks(line)).map(move |line| line.replace('T', tree))
    });
    let lines = on_trees.chain(OTHERS.map(String::from));
    lines
        .map(|line| {
            let named = |name: &&String| line.split([' ', ':']).any(|word| word == name.as_str());
            let read: Vec<_> = files.keys().filter(named).cloned().collect();
            let files = read.into_iter().map(|name| (name.clone(), files[&name].clone()));
            Job { files: files.collect(), line: line.clone() }
        })
        .collect()
}
