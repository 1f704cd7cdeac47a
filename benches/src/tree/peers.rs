//! Peers from PyPI (`tree_peers.py`) on the same inputs, answers compared.

use super::input::values;
use super::lca::pairs;
use crate::table::Table;
use crate::timing::{pool, race, run};
use palmette_core::generate::{Shape, generate, lengths};
use palmette_core::memory::huge_vec;
use palmette_core::operator::Sum;
use palmette_core::{NONE, Tree};
use palmette_io::{
    Labels, ValueType, Values, read_bytes, read_values_bytes, write_newick, write_npy_values,
};
use palmette_tree::lca::{Distances, Lca};
use palmette_tree::leaffix::leaffix_into;
use palmette_tree::rootfix::rootfix_into;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// The head of the table.
pub const HEAD: [&str; 6] =
    ["peer", "tree", "what", "peer, ns per vertex or query", "ours, 1 thread", "peer/ours"];

type Failure = Box<dyn std::error::Error>;

/// One input as the peers read it, and our times and answers on it.
struct Case {
    name: String,
    n: usize,
    /// Position by rank; ranks put leaves first and parents after children.
    position: Vec<u32>,
    answers: [Vec<f64>; 4],
    /// Seconds: leaffix, rootfix, and a query of lca and of distance.
    seconds: [f64; 4],
}

/// Writes the inputs, runs the script, checks its answers and fills the table.
///
/// # Errors
/// When files cannot be written, the script fails, or an answer differs.
pub fn measure(python: &str, folder: &Path, quick: bool, table: &mut Table) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)?;
    let large = if quick { 20_000 } else { 10_000_000 };
    let sizes = [(Shape::Random, large), (Shape::Random, large / 10), (Shape::Path, large / 10)];
    let small = [(Shape::Phylogeny, 19_999), (Shape::Random, 100_000)];
    let mut cases = Vec::new();
    for (shape, n) in sizes.into_iter().chain(small) {
        cases.push(prepare(folder, shape, n)?);
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tree_peers.py");
    let output = Command::new(python).arg(script).arg(folder).output()?;
    if !output.status.success() {
        return Err(format!("{python}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let results: Value = serde_json::from_slice(&output.stdout)?;
    for case in &cases {
        let peers = results[&case.name].as_object().ok_or("no results from the script")?;
        for (peer, figures) in peers {
            for (k, what) in ["leaffix", "rootfix", "lca", "distance"].into_iter().enumerate() {
                let Some(seconds) = figures[what].as_f64() else { continue };
                case.check(folder, peer, what, k)?;
                let unit = if k < 2 { case.n as f64 } else { 1.0 };
                let (theirs, ours) = (seconds / unit * 1e9, case.seconds[k] / unit * 1e9);
                table.row(vec![
                    peer.clone(),
                    case.name.clone(),
                    what.to_string(),
                    format!("{theirs:.1}"),
                    format!("{ours:.2}"),
                    format!("{:.0}", theirs / ours),
                ]);
            }
        }
    }
    Ok(())
}

fn prepare(folder: &Path, shape: Shape, n: usize) -> Result<Case, Failure> {
    let name = format!("{shape}-{n}");
    let parents = generate(shape, n, 4)?;
    let tree = Tree::from_parents(&parents)?;
    let by_position: Vec<f64> = values(n).iter().map(|&x| x as f64).collect();
    let leaves = (0..n as u32).filter(|&i| tree.is_leaf(i));
    let inner = (0..n as u32).rev().filter(|&i| !tree.is_leaf(i));
    let position: Vec<u32> = leaves.chain(inner).collect();
    let mut rank = vec![0u32; n];
    position.iter().enumerate().for_each(|(r, &i)| rank[i as usize] = r as u32);
    let parent_rank = |&i: &u32| match tree.parents()[i as usize] {
        NONE => rank[i as usize],
        p => rank[p as usize],
    };
    let save = |what: &str, values: Values| -> Result<(), Failure> {
        let mut file = std::io::BufWriter::new(std::fs::File::create(
            folder.join(format!("{name}.{what}.npy")),
        )?);
        Ok(write_npy_values(&mut file, &values)?)
    };
    save("parents", position.iter().map(|i| i64::from(parent_rank(i))).collect::<Vec<_>>().into())?;
    save("values", position.iter().map(|&i| by_position[i as usize]).collect::<Vec<_>>().into())?;
    let ranks = pairs(n, 1_000_000);
    let flat = |pairs: &[(u32, u32)]| -> Values {
        pairs.iter().flat_map(|&(u, v)| [i64::from(u), i64::from(v)]).collect::<Vec<_>>().into()
    };
    save("pairs", flat(&ranks))?;
    let asked: Vec<(u32, u32)> =
        ranks.iter().map(|&(u, v)| (position[u as usize], position[v as usize])).collect();

    let index = Lca::new(&tree);
    let edges = lengths(tree.parents(), 5);
    let far = palmette_tree::rootfix::rootfix(&tree, &edges, &Sum::new(), Default::default())?;
    let mut leaf_pairs: Vec<(u32, u32)> = Vec::new();
    if shape == Shape::Phylogeny {
        leaf_pairs = asked
            .iter()
            .copied()
            .filter(|&(u, v)| tree.is_leaf(u) && tree.is_leaf(v))
            .take(100_000)
            .collect();
        save("leafpairs", flat(&leaf_pairs))?;
        let mut file =
            std::io::BufWriter::new(std::fs::File::create(folder.join(format!("{name}.nwk")))?);
        let by_vertex = tree.to_vertices(&edges)?;
        let named = Labels::texts((0..n).map(|v| format!("v{}", tree.positions()[v])));
        write_newick(&mut file, &tree, &named, Some(&by_vertex))?;
    }
    let [mut leaf, mut root] = [(); 2].map(|()| huge_vec(n, 0f64));
    let (mut lca, mut distance) = (vec![0u32; asked.len()], Vec::new());
    let one = pool(1);
    let seconds = race(
        5,
        &mut [
            run(|| {
                one.install(|| {
                    leaffix_into(&tree, &by_position, &Sum::new(), Default::default(), &mut leaf)
                })
                .expect("lengths agree")
            }),
            run(|| {
                one.install(|| {
                    rootfix_into(&tree, &by_position, &Sum::new(), Default::default(), &mut root)
                })
                .expect("lengths agree")
            }),
            run(|| one.install(|| index.batch_into(&asked, &mut lca))),
            run(|| {
                distance = one.install(|| {
                    Distances::new(&index, &far).expect("lengths agree").batch(&leaf_pairs)
                })
            }),
        ],
    );
    let lca = lca.iter().map(|&i| f64::from(rank[i as usize])).collect();
    let queries = |seconds: f64, count: usize| seconds / count.max(1) as f64;
    let seconds = [
        seconds[0],
        seconds[1],
        queries(seconds[2], asked.len()),
        queries(seconds[3], leaf_pairs.len()),
    ];
    Ok(Case { name, n, position, answers: [leaf, root, lca, distance], seconds })
}

impl Case {
    /// Compares a peer's answers with ours: exactly, but for distances, which are
    /// sums of different lengths in another order.
    fn check(&self, folder: &Path, peer: &str, what: &str, k: usize) -> Result<(), Failure> {
        let file = folder.join(format!("{}.{peer}.{what}.npy", self.name));
        let ours = &self.answers[k];
        let count = if peer == "networkx" && k == 2 { 2000 } else { ours.len() };
        let (bytes, labels) = (read_bytes(&file)?, Labels::numbers(count));
        let Values::F64(theirs) = read_values_bytes(peer, &bytes, ValueType::F64, None, &labels)?
        else {
            return Err("the script writes floats".into());
        };
        let same = theirs.iter().enumerate().all(|(i, &x)| match k {
            0 | 1 => x == ours[self.position[i] as usize],
            2 => x == ours[i],
            _ => (x - ours[i]).abs() <= 1e-5 * ours[i].abs().max(1.0),
        });
        if same {
            Ok(())
        } else {
            Err(format!("{peer} and palmette differ: {what} of {}", self.name).into())
        }
    }
}
