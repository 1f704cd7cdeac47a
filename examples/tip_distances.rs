//! How far apart are the tips of a phylogeny? Patristic distances: branch lengths summed along
//! the path between two tips.
use palmette::io::read_tree_bytes;
use palmette::measures::weighted_depths;
use palmette::tree::lca::Distances;
use palmette::{Lca, ReadParams, TreeParams};

/// Branch lengths are in millions of years; all tips are equally old.
const APES: &str = "(((Homo:6,Pan:6)HP:3,Gorilla:9)HPG:6,(Pongo:12,Hylobates:12)PH:3)apes;";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let params = ReadParams { lengths: true, ..ReadParams::default() };
    let file = read_tree_bytes("apes.nwk", APES.as_bytes(), &params)?;
    let tree = file.tree(TreeParams::default())?;
    let lengths = tree.to_positions(file.lengths.as_deref().ok_or("no lengths")?)?;

    // d(u, v) = d(root, u) + d(root, v) - 2 d(root, lca(u, v)), for all pairs at once.
    let depths = tree.to_vertices(&weighted_depths(&tree, &lengths)?)?;
    let index = Lca::by_vertex(&tree);
    let distances = Distances::new(&index, &depths).ok_or("one depth per vertex")?;

    // By hand: twice the age of the common ancestor, which is 6, 9, 12 or 15.
    let expected = [
        ("Homo", "Pan", "HP", 12.0),
        ("Homo", "Gorilla", "HPG", 18.0),
        ("Pongo", "Hylobates", "PH", 24.0),
        ("Pan", "Pongo", "apes", 30.0),
        ("Gorilla", "Gorilla", "Gorilla", 0.0),
    ];
    let mut pairs = Vec::new();
    for (a, b, ..) in expected {
        pairs.push((file.vertex(a)?, file.vertex(b)?));
    }
    let found = distances.batch(&pairs).into_iter().zip(index.batch(&pairs));
    for ((a, b, ancestor, distance), (length, lca)) in expected.into_iter().zip(found) {
        assert_eq!((length, &*file.labels.get(lca)), (distance, ancestor), "{a} and {b}");
        println!("{a} and {b}: {length} million years by way of {ancestor}");
    }
    Ok(())
}
