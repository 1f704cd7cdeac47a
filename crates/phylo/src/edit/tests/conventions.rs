//! What is done where tools differ (docs/phylogenetics.md states it), and errors.

use super::*;

fn clades(text: &str) -> Vec<(Tips, String, String)> {
    Plain::new(text).clades()
}

/// A tip at a binary root: its branch and its sibling's are one (rapidtrees adds them up wrongly).
#[test]
fn a_tip_at_a_binary_root() {
    let rooted = Plain::new("(((a:1,b:1):0.5,c:0.25):0.125,d:0.875);");
    let made = rooted.edited(&unroot(&rooted.tree, rooted.lengths()).unwrap());
    assert_eq!(made.clades(), clades("((a:1,b:1):0.5,c:0.25,d:1);"));
    // Half of the branch is half of the whole branch.
    let found = outgroup(&rooted.tree, rooted.lengths(), &rooted.among(["d"]), 0.5).unwrap();
    let made = rooted.edited(&found.edited);
    assert_eq!(made.clades(), clades("(((a:1,b:1):0.5,c:0.25):0.5,d:0.5);"));
}

/// The length of a branch that is divided goes to both sides by its share (ape puts all on one).
#[test]
fn shares_of_a_branch() {
    let tree = Plain::new("((a:1,b:2):3,c:4);");
    let vertex = tree.vertex("b");
    for (share, lower, upper) in [(0.0, 0.0, 2.0), (0.25, 0.5, 1.5), (1.0, 2.0, 0.0)] {
        let place = RootPlace::Share { vertex, share };
        let made = tree.edited(&reroot(&tree.tree, tree.lengths(), place).unwrap());
        assert_eq!(made.clades(), clades(&format!("(b:{lower},(a:1,c:7):{upper});")));
    }
    for share in [-0.1, 1.5, f64::NAN] {
        let place = RootPlace::Share { vertex, share };
        assert!(matches!(reroot(&tree.tree, tree.lengths(), place), Err(EditError::Share { .. })));
    }
}

/// Collapsed lengths are added to the children (ape drops them); both ways are asked for by name.
#[test]
fn a_collapsed_length() {
    let tree = Plain::new("((a:1,b:2):0.5,c:4);");
    let lengths = tree.lengths().unwrap();
    let gone = shorter_than(&tree.tree, lengths, 0.75).unwrap();
    let made = |rule| tree.edited(&collapse(&tree.tree, Some(lengths), &gone, rule).unwrap());
    assert_eq!(made(CollapsedLength::default()).heights(), tree.heights());
    assert_eq!(made(CollapsedLength::Drop).clades(), clades("(a:1,b:2,c:4);"));
    // The limit itself is not below the limit, and tips stay.
    assert!(shorter_than(&tree.tree, lengths, 0.5).unwrap().iter().skip(1).all(|gone| !gone));
    let all = vec![true; tree.tree.len()];
    let made = tree.edited(&collapse(&tree.tree, None, &all, CollapsedLength::Add).unwrap());
    assert_eq!(made.shape(), "(a,b,c);\n");
}

/// Pruning adds lengths by default (ete4 loses them).
#[test]
fn a_pruned_length() {
    let tree = Plain::new("(((a:1,b:2)90:3,c:4)80:5,d:6);");
    let keep = tree.among(["a", "d"]);
    let made =
        tree.edited(&prune(&tree.tree, tree.lengths(), &keep, Unifurcations::default()).unwrap());
    assert_eq!(made.clades(), clades("(a:9,d:6);"));
    // A merged branch has the support of its lowest part; a new root has no length.
    let keep = tree.among(["a", "b"]);
    let made =
        tree.edited(&prune(&tree.tree, tree.lengths(), &keep, Unifurcations::Suppress).unwrap());
    assert_eq!(made.clades(), clades("(a:1,b:2)90;"));
    assert_eq!(made.lengths().unwrap()[0], 0.0);
}

/// Supports stay with their splits when the root moves, whichever side of the root stated them.
#[test]
fn supports_belong_to_branches() {
    for (left, right) in [("70", "70"), ("70", ""), ("", "70")] {
        let mut tree = Plain::new(&format!(
            "(((a:1,b:1)95:1,c:1){left}:1,((d:1,e:1)60:1,(f:1,g:1)50:1){right}:1);"
        ));
        assert_eq!(one_support_at_root(&tree.tree, &mut tree.support), None);
        let expected = [("ab", 95.0), ("abc", 70.0), ("de", 60.0), ("fg", 50.0)];
        for name in ["a", "c", "d", "g"] {
            let place = RootPlace::Share { vertex: tree.vertex(name), share: 0.5 };
            let made = tree.edited(&reroot(&tree.tree, tree.lengths(), place).unwrap());
            made.same_unrooted(&tree).unwrap();
            let splits = made.splits();
            for (side, support) in expected {
                let side: Tips = side.chars().map(String::from).collect();
                let other: Tips =
                    "abcdefg".chars().map(String::from).filter(|t| !side.contains(t)).collect();
                let found = splits.get(&side).or_else(|| splits.get(&other)).unwrap();
                assert_eq!(found.1, support, "{side:?} after rerooting at {name}");
            }
        }
    }
}

#[test]
fn supports_that_differ_at_the_root() {
    let mut tree = Plain::new("((a,b)90,(c,d)70);");
    assert_eq!(one_support_at_root(&tree.tree, &mut tree.support), Some((90.0, 70.0)));
    assert_eq!(tree.support[1], 70.0);
    // A tip's branch has none.
    let mut tree = Plain::new("((a,b)90,c);");
    assert_eq!(one_support_at_root(&tree.tree, &mut tree.support), None);
    assert!(tree.support[4].is_nan());
}

#[test]
fn an_outgroup_is_a_clade() {
    let tree = Plain::new("(((a,b),c),((d,e),f));");
    for (names, other) in [("a", "bcdef"), ("ab", "cdef"), ("def", "abc"), ("abcde", "f")] {
        let names: Vec<String> = names.chars().map(String::from).collect();
        let out = tree.among(names.iter().map(|name| &name[..]));
        let made = tree.edited(&outgroup(&tree.tree, None, &out, 0.5).unwrap().edited);
        let below = made.tips_below();
        let other: Tips = other.chars().map(String::from).collect();
        let top: Vec<u32> = made.tree.children(0).collect();
        assert!(top.iter().any(|&v| below[v as usize] == other), "{names:?}");
    }
    let wrong = |names: &[&str]| {
        let out = tree.among(names.iter().copied());
        outgroup(&tree.tree, None, &out, 0.5).unwrap_err()
    };
    let intruder = tree.vertex("b");
    assert_eq!(wrong(&["a", "c"]), EditError::NoClade { intruder, in_outgroup: true, count: 1 });
    // One tip of the outgroup is in the way of all the others.
    let intruder = tree.vertex("b");
    assert_eq!(
        wrong(&["b", "d", "e", "f"]),
        EditError::NoClade { intruder, in_outgroup: false, count: 1 }
    );
    assert_eq!(wrong(&[]), EditError::NoTips);
    assert_eq!(wrong(&["a", "b", "c", "d", "e", "f"]), EditError::AllTips);
}

#[test]
fn a_middle_at_a_vertex_is_the_root() {
    let tree = Plain::new("(a:2,b:2,c:1);");
    let found = midpoint(&tree.tree, tree.lengths()).unwrap();
    assert_eq!(tree.edited(&found.edited).clades(), tree.clades());
    let tree = Plain::new("((a:2,b:2,c:2):5,d:1,e:1);");
    let found = min_variance(&tree.tree, tree.lengths()).unwrap();
    let made = tree.edited(&found.edited);
    assert!((variance(made.heights().into_values()) - found.variance).abs() < 1e-12);
    // A tip stays a tip, even where its branch has the middle at its end.
    let tree = Plain::new("((a:0,b:0):0,c:10);");
    let made = tree.edited(&midpoint(&tree.tree, tree.lengths()).unwrap().edited);
    assert_eq!(made.tree.leaves(), 3);
}

#[test]
fn stems_and_small_trees() {
    let stem = Plain::new("(((a:1,b:3):1,c:3):7);");
    let made = stem.edited(&midpoint(&stem.tree, stem.lengths()).unwrap().edited);
    made.same_unrooted(&stem).unwrap();
    assert_eq!(made.tree.child_counts()[0], 2);
    let place = RootPlace::Share { vertex: 1, share: 0.5 };
    assert_eq!(reroot(&stem.tree, stem.lengths(), place), Err(EditError::NoBranch { vertex: 1 }));
    let one = Plain::new("a:1;");
    assert!(matches!(midpoint(&one.tree, one.lengths()), Err(EditError::FewTips { .. })));
    assert!(matches!(min_variance(&one.tree, None), Err(EditError::NoLengths)));
    let two = Plain::new("(a:1,b:2);");
    assert!(matches!(unroot(&two.tree, two.lengths()), Err(EditError::FewTips { tips: 2, .. })));
    let star = Plain::new("(a:1,b:2,c:3);");
    let made = star.edited(&unroot(&star.tree, star.lengths()).unwrap());
    assert_eq!(made.clades(), star.clades());
    let none = vec![false; star.tree.len()];
    assert_eq!(prune(&star.tree, None, &none, Unifurcations::Keep), Err(EditError::NoTips));
    let broken = [0.0, 1.0, f64::NAN, 1.0];
    let error = midpoint(&star.tree, Some(&broken)).unwrap_err();
    assert!(matches!(error, EditError::Length { vertex: 2, .. }));
    assert!(matches!(subtree(&star.tree, None, 9), Err(EditError::NoVertex { vertex: 9, .. })));
}

#[test]
fn a_forest() {
    let forest = palmette_core::TreeParams { forest: true, ..Default::default() };
    let parents = [palmette_core::NONE, 0, 0, palmette_core::NONE, 3, 3];
    let tree = Tree::with_params(&parents, forest).unwrap();
    assert_eq!(unroot(&tree, None), Err(EditError::Roots { roots: 2 }));
    assert_eq!(common_ancestor(&tree, &[4, 1]), Err(EditError::Apart { first: 1, second: 4 }));
    let keep = [false, true, false, false, true, true];
    let edited = prune(&tree, None, &keep, Unifurcations::Suppress).unwrap();
    assert_eq!(edited.origin, [1, 3, 4, 5]);
}

#[test]
fn grafts() {
    let stock = Plain::new("((a:1,b:2):3,c:4);");
    let scion = Plain::new("(x:1,y:1):0.5;");
    let both = Plain {
        names: stock.names.iter().chain(&scion.names).cloned().collect(),
        support: stock.support.iter().chain(&scion.support).copied().collect(),
        ..stock.clone()
    };
    let made = |place| {
        graft(&stock.tree, stock.lengths(), &scion.tree, scion.lengths(), place)
            .map(|edited| both.edited(&edited).clades())
    };
    let (b, c) = (stock.vertex("b"), stock.vertex("c"));
    let above = GraftPlace::Above { vertex: b, share: 0.25 };
    assert_eq!(made(above), Ok(clades("((a:1,(b:0.5,(x:1,y:1):0.5):1.5):3,c:4);")));
    assert_eq!(made(GraftPlace::Below(1)), Ok(clades("((a:1,b:2,(x:1,y:1):0.5):3,c:4);")));
    assert_eq!(made(GraftPlace::Below(c)), Ok(clades("((a:1,b:2):3,((x:1,y:1):0.5):4);")));
    let root = GraftPlace::Above { vertex: 0, share: 0.5 };
    assert_eq!(made(root), Err(EditError::NoBranch { vertex: 0 }));
    let place = GraftPlace::Below(0);
    let mixed = graft(&stock.tree, stock.lengths(), &scion.tree, None, place);
    assert_eq!(mixed, Err(EditError::OneHasLengths));
}
