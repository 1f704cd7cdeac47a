//! Trees to look around in: a small one with all that there is, one of 10^6 tips, and a ladder.

use crate::Outcome;
use palmette_core::generate::{Shape, generate, lengths};
use palmette_core::{NONE, Tree};
use palmette_report::{BranchColours, Phylogram, TreePage};
use std::path::Path;

const NAMES: [&str; 10] = [
    "apes",
    "African apes",
    "",
    "Pan",
    "Pan troglodytes",
    "Pan paniscus",
    "Homo",
    "Gorilla",
    "Pongo",
    "</script><script>window.broken=1</script>",
];

pub(crate) fn write(directory: &Path) -> Outcome<()> {
    std::fs::write(directory.join("tree-apes.html"), apes())?;
    let n = 1_999_999;
    let tree = Tree::from_parents(&generate(Shape::Phylogeny, n, 7)?)?;
    let by_length = lengths(tree.parents(), 7);
    let tips: Vec<u32> = (0..n as u32)
        .scan(0, |tips, p| {
            *tips += u32::from(tree.is_leaf(p));
            Some(*tips)
        })
        .collect();
    let name = |p: u32| match tree.is_leaf(p) {
        true => format!("taxon_{}", tips[p as usize]).into(),
        false => "".into(),
    };
    let page = TreePage {
        lengths: Some(&by_length),
        ..TreePage::new("A million tips", tree.parents(), &name)
    };
    std::fs::write(directory.join("tree-million.html"), page.to_html())?;
    // Each inner vertex has a tip and the rest.
    let ladder: Vec<u32> =
        (0..n as u32).map(|i| if i == 0 { NONE } else { (i - 1) / 2 * 2 }).collect();
    let name = |p: u32| if p % 2 == 1 { format!("t{p}").into() } else { "".into() };
    let page = TreePage::new("A ladder", &ladder, &name);
    std::fs::write(directory.join("tree-ladder.html"), page.to_html())?;
    Ok(())
}

fn apes() -> String {
    let parents = [NONE, 0, 1, 2, 3, 3, 2, 1, 0, 0];
    // Roughly in millions of years.
    let times = [0.0, 5.0, 2.5, 4.5, 2.0, 2.0, 6.5, 9.0, 14.0, 5.0];
    let none = f64::NAN;
    let support = [none, 97.0, 88.0, 100.0, none, none, none, none, none, none];
    let classes = [NONE, 0, 0, 0, 0, 0, 0, 0, 1, NONE];
    let names = ["land", "trees"].map(String::from);
    let colours = Some(BranchColours::Classes { name: "kind", classes: &classes, names: &names });
    let labels = |p: u32| NAMES[p as usize].to_string();
    let picture = Phylogram {
        lengths: Some(&times),
        unit: "million years",
        support: Some((&support, 90.0)),
        colours,
        ..Phylogram::new("Great apes", &parents, &labels)
    };
    let name = |p: u32| NAMES[p as usize].into();
    TreePage {
        lengths: Some(&times),
        unit: "million years",
        support: Some(&support),
        colours,
        still: &picture.draw().svg,
        ..TreePage::new("Great apes", &parents, &name)
    }
    .to_html()
}
