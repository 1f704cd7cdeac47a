//! Deep and wide trees: nothing recurses, nothing is quadratic.

use super::*;
use palmette_core::NONE;

const TIPS: u32 = 1_000_000;

/// A caterpillar: vertex 2k is inner, 2k + 1 a tip below it.
fn caterpillar() -> (Tree, Vec<f64>) {
    let n = 2 * TIPS - 1;
    let parents: Vec<u32> = (0..n).map(|v| if v == 0 { NONE } else { (v - 1) / 2 * 2 }).collect();
    let lengths = (0..n).map(|v| f64::from(v % 7)).collect();
    (Tree::from_parents(&parents).expect("a caterpillar is a tree"), lengths)
}

#[test]
fn a_caterpillar_of_a_million_tips() {
    let (tree, lengths) = caterpillar();
    let n = tree.len();
    let lengths = Some(&lengths[..]);
    let last = n as u32 - 1;
    let place = RootPlace::Share { vertex: last, share: 0.5 };
    assert_eq!(reroot(&tree, lengths, place).unwrap().len(), n);
    let middle = midpoint(&tree, lengths).unwrap();
    assert_eq!(Tree::from_parents(&middle.edited.parents).unwrap().leaves(), TIPS as usize);
    assert!(min_variance(&tree, lengths).unwrap().variance > 0.0);
    let half: Vec<bool> = (0..n).map(|v| v % 4 < 2).collect();
    prune(&tree, lengths, &half, Unifurcations::Suppress).unwrap();
    let all = vec![true; n];
    let star = collapse(&tree, lengths, &all, CollapsedLength::Add).unwrap();
    assert_eq!(star.len(), TIPS as usize + 1);
    let star_tree = Tree::from_parents(&star.parents).unwrap();
    for resolution in Resolution::ALL {
        let comb = resolve(&star_tree, star.lengths.as_deref(), resolution, 1).unwrap();
        assert_eq!(comb.len(), n);
    }
    assert_eq!(ladderize(&tree, lengths, LadderOrder::Descending).unwrap().len(), n);
    let ranks: Vec<u32> = (0..n as u32).rev().collect();
    assert_eq!(sort(&star_tree, None, &ranks[..star_tree.len()]).unwrap().len(), star.len());
    assert_eq!(common_ancestor(&tree, &[last, last - 1]), Ok(last - 2));
}
