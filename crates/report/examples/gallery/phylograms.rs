//! Phylogenies with collapsed clades.

use crate::Outcome;
use palmette_core::generate::{Shape, generate, lengths};
use palmette_core::{NONE, Tree};
use palmette_report::{BranchColours, Phylogram, TreeForm};
use std::path::Path;

pub(crate) fn draw(directory: &Path) -> Outcome {
    for (name, shape, n) in [
        ("small", Shape::Phylogeny, 79),
        ("large", Shape::Phylogeny, 200_001),
        ("random", Shape::Random, 20_000),
        ("star", Shape::Star, 5000),
        ("path", Shape::Path, 1000),
    ] {
        let tree = Tree::from_parents(&generate(shape, n, 7)?)?;
        let by_length = lengths(tree.parents(), 7);
        let places: Vec<f64> = (0..n).map(|i| i as f64 / n as f64).collect();
        let classes: Vec<u32> =
            (0..n).map(|i| if i * 9 / n == 8 { NONE } else { (i * 9 / n) as u32 }).collect();
        let names: Vec<String> = (0..8).map(|k| format!("kind {k}")).collect();
        let labels = |p: u32| match (tree.is_leaf(p), p % 5) {
            (true, 3) => format!("taxon {p} with a rather long name, isolate B-{p}"),
            (true, _) => format!("taxon {p}"),
            (false, 0) if p > 0 => format!("Clade {p}"),
            _ => String::new(),
        };
        let clade = tree.children(0).last().unwrap_or(0);
        let highlights = [(clade, "marked".to_string())];
        let title = format!("A tree of shape {shape}");
        let plain = || Phylogram::new(&title, tree.parents(), &labels);
        let classes = BranchColours::Classes { name: "kind", classes: &classes, names: &names };
        let values = BranchColours::Values { name: "place in the tree", values: &places };
        for (kind, picture) in [
            ("plain", plain()),
            ("classes", Phylogram { colours: Some(classes), highlights: &highlights, ..plain() }),
            (
                "circular",
                Phylogram {
                    form: TreeForm::Circular,
                    limit: TreeForm::Circular.usual_limit(),
                    lengths: Some(&by_length),
                    unit: "substitutions per site",
                    colours: Some(values),
                    support: Some((&places, 0.7)),
                    ..plain()
                },
            ),
        ] {
            let file = directory.join(format!("phylogram-{name}-{kind}.svg"));
            std::fs::write(file, picture.draw().svg)?;
        }
    }
    Ok(())
}
