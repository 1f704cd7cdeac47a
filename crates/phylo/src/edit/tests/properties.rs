//! Properties of edits over random trees, seen by a checker that knows sets of tips only.

use super::*;
use palmette_core::NONE;
use proptest::prelude::*;

/// A tree of 2 to 24 tips, some polytomies, no unifurcations; vertices in any order; lengths and
/// supports of some digits.
fn trees() -> impl Strategy<Value = Plain> {
    (2usize..24, any::<u64>(), 0u32..3).prop_map(|(tips, seed, wide)| {
        use palmette_core::random::{Purpose, Random};
        let mut random = Random::new(seed, Purpose::Shape);
        // Join random groups until one is left.
        let mut parents = vec![NONE; tips];
        let mut groups: Vec<u32> = (0..tips as u32).collect();
        while groups.len() > 1 {
            let new = parents.len() as u32;
            let most = (2 + wide).min(groups.len() as u32);
            let size = if most == 2 { 2 } else { 2 + random.below(most - 1) };
            parents.push(NONE);
            for _ in 0..size {
                let taken = groups.swap_remove(random.below(groups.len() as u32) as usize);
                parents[taken as usize] = new;
            }
            groups.push(new);
        }
        let parents = palmette_core::generate::shuffle(&parents, seed);
        let tree = Tree::from_parents(&parents).expect("groups make a tree");
        let mut names = vec![String::new(); parents.len()];
        let mut support = vec![f64::NAN; parents.len()];
        let mut lengths = vec![0.0; parents.len()];
        for i in 0..tree.len() as u32 {
            let v = tree.vertices()[i as usize] as usize;
            if tree.is_leaf(i) {
                names[v] = format!("t{v:02}");
            } else if i > 0 && random.below(4) > 0 {
                support[v] = f64::from(random.below(101));
            }
            if i > 0 {
                // Sums of these are exact.
                lengths[v] = f64::from(random.below(1 << 10)) / 256.0;
            }
        }
        one_support_at_root(&tree, &mut support);
        Plain { tree, names, lengths: Some(lengths), support }
    })
}

/// A vertex that is not the root.
fn pick(tree: &Plain, number: usize) -> u32 {
    tree.tree.vertices()[1 + number % (tree.tree.len() - 1)]
}

proptest! {
    #[test]
    fn pruning_nothing_changes_nothing(tree in trees()) {
        let all = vec![true; tree.tree.len()];
        for unifurcations in Unifurcations::ALL {
            let edited = prune(&tree.tree, tree.lengths(), &all, unifurcations).unwrap();
            prop_assert_eq!(tree.edited(&edited).clades(), tree.clades());
            prop_assert_eq!(&edited.origin, tree.tree.vertices());
        }
    }

    #[test]
    fn pruning_keeps_distances(tree in trees(), bits in any::<u32>()) {
        let mut keep: Vec<bool> = (0..tree.tree.len()).map(|v| bits >> (v % 32) & 1 == 1).collect();
        keep[tree.tree.vertices()[tree.tree.len() - 1] as usize] = true;
        let tips = |v: usize| keep[v] && !tree.names[v].is_empty();
        let edited = prune(&tree.tree, tree.lengths(), &keep, Unifurcations::Suppress).unwrap();
        let made = tree.edited(&edited);
        let names: Tips = (0..keep.len()).filter(|&v| tips(v)).map(|v| tree.names[v].clone()).collect();
        prop_assert_eq!(&made.tips_below()[0], &names);
        prop_assert!(made.tree.child_counts().iter().all(|&k| k != 1));
        // What is farther from the root by the same amount for all tips is the stem that is cut.
        let (old, new) = (tree.heights(), made.heights());
        let stem = old[names.first().unwrap()] - new[names.first().unwrap()];
        prop_assert!(new.iter().all(|(name, height)| old[name] - height == stem));
        let kept = prune(&tree.tree, tree.lengths(), &keep, Unifurcations::Keep).unwrap();
        let kept = tree.edited(&kept).heights();
        prop_assert!(kept.iter().all(|(name, height)| old[name] == *height));
    }

    #[test]
    fn rerooting_keeps_the_unrooted_tree(
        tree in trees(),
        number in any::<usize>(),
        share in 0u32..5,
        back in any::<usize>(),
    ) {
        let share = f64::from(share) / 4.0;
        let place = RootPlace::Share { vertex: pick(&tree, number), share };
        let made = tree.edited(&reroot(&tree.tree, tree.lengths(), place).unwrap());
        prop_assert_eq!(made.same_unrooted(&tree), Ok(()));
        let place = RootPlace::Share { vertex: pick(&made, back), share: 0.5 };
        let again = made.edited(&reroot(&made.tree, made.lengths(), place).unwrap());
        prop_assert_eq!(again.same_unrooted(&tree), Ok(()));
        let place = RootPlace::Vertex(pick(&tree, number));
        let made = tree.edited(&reroot(&tree.tree, tree.lengths(), place).unwrap());
        prop_assert_eq!(made.same_unrooted(&tree), Ok(()));
        prop_assert_eq!(made.tree.leaves(), tree.tree.leaves());
    }

    #[test]
    fn the_middle_is_the_middle(tree in trees()) {
        let found = midpoint(&tree.tree, tree.lengths()).unwrap();
        let made = tree.edited(&found.edited);
        prop_assert_eq!(made.same_unrooted(&tree), Ok(()));
        let heights = made.heights();
        let highest = heights.values().copied().fold(0.0, f64::max);
        prop_assert!((highest - found.diameter / 2.0).abs() < 1e-9);
        // Two tips on different sides are that far.
        let below = made.tips_below();
        let sides = made.tree.children(0).filter(|&child| {
            below[child as usize].iter().any(|t| (heights[t] - highest).abs() < 1e-9)
        });
        prop_assert!(sides.count() >= 2);
    }

    #[test]
    fn no_root_varies_less(tree in trees(), number in any::<usize>(), share in 0u32..9) {
        let found = min_variance(&tree.tree, tree.lengths()).unwrap();
        let made = tree.edited(&found.edited);
        prop_assert_eq!(made.same_unrooted(&tree), Ok(()));
        let least = variance(made.heights().into_values());
        prop_assert!((least - found.variance).abs() < 1e-9);
        let place = RootPlace::Share { vertex: pick(&tree, number), share: f64::from(share) / 8.0 };
        let other = tree.edited(&reroot(&tree.tree, tree.lengths(), place).unwrap());
        prop_assert!(variance(other.heights().into_values()) >= least - 1e-9);
    }

    #[test]
    fn unrooting_keeps_the_unrooted_tree(tree in trees()) {
        prop_assume!(tree.tree.leaves() > 2);
        let made = tree.edited(&unroot(&tree.tree, tree.lengths()).unwrap());
        prop_assert_eq!(made.same_unrooted(&tree), Ok(()));
        prop_assert!(made.tree.child_counts()[0] > 2);
    }

    #[test]
    fn outgroups_are_found(tree in trees(), number in any::<usize>(), other in any::<bool>()) {
        // The tips on one side of any branch are an outgroup.
        let vertex = pick(&tree, number);
        let below = tree.tips_below();
        let side: Tips = below[vertex as usize].clone();
        let out: Vec<bool> = tree.names.iter().map(|n| side.contains(n) != other).collect();
        let found = outgroup(&tree.tree, tree.lengths(), &out, 0.5).unwrap();
        let made = tree.edited(&found.edited);
        prop_assert_eq!(made.same_unrooted(&tree), Ok(()));
        let sides = made.tips_below();
        prop_assert!(made.tree.children(0).any(|child| sides[child as usize] == side));
        prop_assert_eq!(made.tree.child_counts()[0], 2);
    }

    #[test]
    fn collapsing_undoes_resolving(tree in trees(), seed in any::<u64>()) {
        for resolution in Resolution::ALL {
            let edited = resolve(&tree.tree, tree.lengths(), resolution, seed).unwrap();
            let made = tree.edited(&edited);
            prop_assert!(made.tree.child_counts().iter().all(|&k| k <= 2));
            prop_assert_eq!(made.heights(), tree.heights());
            let new: Vec<bool> = edited.origin.iter().map(|&v| v == NONE).collect();
            let back = collapse(&made.tree, made.lengths(), &new, CollapsedLength::Drop).unwrap();
            prop_assert_eq!(made.edited(&back).clades(), tree.clades());
        }
    }

    #[test]
    fn orders_change_nothing_else(tree in trees()) {
        for order in LadderOrder::ALL {
            let made = tree.edited(&ladderize(&tree.tree, tree.lengths(), order).unwrap());
            prop_assert_eq!(made.clades(), tree.clades());
            let below = made.tips_below();
            for i in 0..made.tree.len() as u32 {
                let tips: Vec<usize> =
                    made.tree.children(i).map(|child| below[child as usize].len()).collect();
                let rising = order == LadderOrder::Ascending;
                prop_assert!(tips.windows(2).all(|w| w[0] == w[1] || (w[0] < w[1]) == rising));
            }
        }
        // Vertices are ranks of their tips' names.
        let ranks: Vec<u32> = (0..tree.tree.len() as u32).collect();
        let made = tree.edited(&sort(&tree.tree, tree.lengths(), &ranks).unwrap());
        prop_assert_eq!(made.clades(), tree.clades());
        let below = made.tips_below();
        for i in 0..made.tree.len() as u32 {
            let first: Vec<_> =
                made.tree.children(i).map(|child| below[child as usize].first().cloned()).collect();
            prop_assert!(first.windows(2).all(|w| w[0] < w[1]));
        }
    }

    #[test]
    fn a_graft_can_be_pruned_off(tree in trees(), scion in trees(), number in any::<usize>()) {
        let place = GraftPlace::Above { vertex: pick(&tree, number), share: 0.5 };
        let (lengths, more) = (tree.lengths(), scion.lengths());
        let edited = graft(&tree.tree, lengths, &scion.tree, more, place).unwrap();
        let old = tree.tree.len() as u32;
        let keep: Vec<bool> = edited.origin.iter().map(|&v| v < old).collect();
        let made = Tree::from_parents(&edited.parents).unwrap();
        let back = prune(&made, edited.lengths.as_deref(), &keep, Unifurcations::Suppress).unwrap();
        let names = |v: u32| edited.origin[v as usize];
        let origin: Vec<u32> = back.origin.iter().map(|&v| names(v)).collect();
        let branch = origin.clone();
        let whole = tree.edited(&Edited { origin, branch, ..back });
        prop_assert_eq!(whole.clades(), tree.clades());
    }
}
