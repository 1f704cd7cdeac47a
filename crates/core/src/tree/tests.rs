use super::*;
use crate::generate::{Shape, generate, shuffle};
use proptest::prelude::*;

/// Checks every invariant of a tree against the parents it was made from, by
/// means that share nothing with the builder.
fn check(parents: &[u32], tree: &Tree, siblings: SiblingOrder) {
    let n = parents.len();
    assert_eq!(tree.len(), n);
    let mut seen = vec![false; n];
    for (i, &v) in tree.vertices().iter().enumerate() {
        assert!(!std::mem::replace(&mut seen[v as usize], true), "vertex {v} twice");
        assert_eq!(tree.positions()[v as usize] as usize, i);
        let above = tree.parents()[i];
        match parents[v as usize] {
            NONE => assert_eq!(above, NONE),
            p => {
                assert!((above as usize) < i);
                assert_eq!(tree.vertices()[above as usize], p);
            }
        }
    }
    let mut size = vec![1u32; n];
    for i in (0..n).rev() {
        if let Some(p) = tree.parent(i as u32) {
            size[p as usize] += size[i];
        }
    }
    assert_eq!(tree.sizes(), size);
    let ordered = |list: Vec<u32>| {
        for pair in list.windows(2) {
            let vertex = |i: usize| tree.vertices()[pair[i] as usize];
            let weight = |i: usize| size[pair[i] as usize];
            let ok = match siblings {
                SiblingOrder::AsGiven => vertex(0) < vertex(1),
                SiblingOrder::LightFirst => (weight(0), vertex(0)) < (weight(1), vertex(1)),
                SiblingOrder::HeavyFirst => {
                    (weight(1), vertex(0)) < (weight(0), vertex(1)) || weight(0) > weight(1)
                }
            };
            assert!(ok, "siblings {pair:?} out of order");
        }
    };
    let counts = tree.child_counts();
    for i in 0..n as u32 {
        let children: Vec<u32> = tree.children(i).collect();
        assert_eq!(children.len() as u32, counts[i as usize]);
        assert!(children.iter().all(|&c| tree.parent(c) == Some(i)));
        ordered(children);
    }
    let roots: Vec<u32> = tree.root_positions().collect();
    assert_eq!(roots.len(), tree.roots());
    ordered(roots);
}

fn check_all_orders(parents: &[u32]) {
    for siblings in [SiblingOrder::AsGiven, SiblingOrder::LightFirst, SiblingOrder::HeavyFirst] {
        let params = TreeParams { siblings, forest: true };
        check(parents, &Tree::with_params(parents, params).unwrap(), siblings);
    }
}

#[test]
fn small_trees_of_every_shape() {
    for n in 1..60 {
        for shape in Shape::FREE {
            let parents = generate(shape, n, 7).unwrap();
            check_all_orders(&parents);
            check_all_orders(&shuffle(&parents, n as u64));
        }
    }
}

/// Large enough for several tasks and for chains; on one thread and on several.
#[test]
fn large_trees_of_every_shape() {
    for shape in Shape::FREE {
        let parents = generate(shape, 100_000, 3).unwrap();
        let mut reversed = parents.clone();
        reversed.reverse();
        reversed.iter_mut().for_each(|p| *p = if *p == NONE { NONE } else { 99_999 - *p });
        for parents in [shuffle(&parents, 5), parents, reversed] {
            let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
            let four = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
            let a = one.install(|| Tree::from_parents(&parents).unwrap());
            let b = four.install(|| Tree::from_parents(&parents).unwrap());
            check(&parents, &a, SiblingOrder::AsGiven);
            assert_eq!(a, b, "{shape}: threads must not change the tree");
        }
    }
}

/// Long chains that hang from one another, chains below a star, and a forest of
/// chains, with shuffled labels: what `peel::chains` is for.
#[test]
fn chains_in_many_arrangements() {
    let n = 200_000usize;
    let arrangements: [&dyn Fn(usize) -> u32; 4] = [
        // Ten chains that meet at the root.
        &|i| {
            if i == 0 {
                NONE
            } else if i <= 10 {
                0
            } else {
                i as u32 - 10
            }
        },
        // A chain of which every thousandth vertex carries another chain.
        &|i| match i {
            0 => NONE,
            i if i % 1000 == 999 && i > 1000 => (i - 999) as u32 / 2,
            i => i as u32 - 1,
        },
        // A forest of seven chains.
        &|i| if i < 7 { NONE } else { i as u32 - 7 },
        // A chain whose upper half is a caterpillar.
        &|i| match i {
            0 => NONE,
            i if i > n / 2 && i % 2 == 1 => i as u32 - 1,
            i if i > n / 2 => i as u32 - 2,
            i => i as u32 - 1,
        },
    ];
    for arrangement in arrangements {
        let parents: Vec<u32> = (0..n).map(arrangement).collect();
        for seed in 0..3 {
            check_all_orders(&shuffle(&parents, seed));
        }
    }
}

#[test]
fn a_path_of_ten_million() {
    let parents = shuffle(&generate(Shape::Path, 10_000_000, 0).unwrap(), 1);
    let tree = Tree::from_parents(&parents).unwrap();
    assert!(tree.parents().iter().enumerate().all(|(i, &p)| i == 0 || p as usize == i - 1));
    assert!(tree.sizes().iter().enumerate().all(|(i, &s)| s as usize == 10_000_000 - i));
}

#[test]
fn cycles_are_named() {
    let error = Tree::from_parents(&[NONE, 0, 3, 4, 2, 1]).unwrap_err();
    let TreeError::Cycle { vertices, length } = error else { panic!("{error}") };
    assert_eq!(length, 3);
    let at = vertices.iter().position(|&v| v == 2).unwrap();
    let next = |k: usize| vertices[(at + k) % 3];
    assert_eq!([next(0), next(1), next(2)], [2, 3, 4]);
    let alone = Tree::from_parents(&[NONE, 1]).unwrap_err();
    assert_eq!(alone, TreeError::Cycle { vertices: vec![1], length: 1 });
    // A long one with shuffled labels, below a tree that is fine.
    let n = 100_000u32;
    let mut parents: Vec<u32> = (0..n).map(|i| if i == 0 { NONE } else { i / 2 }).collect();
    parents.extend((0..n).map(|i| n + (i + 1) % n));
    let error = Tree::from_parents(&shuffle(&parents, 9)).unwrap_err();
    assert!(matches!(error, TreeError::Cycle { length: 100_000, .. }), "{error}");
    assert!(error.to_string().contains("cycle of 100000 vertices"));
}

#[test]
fn other_errors_carry_numbers() {
    assert_eq!(
        Tree::from_parents(&[NONE, 0, NONE]).unwrap_err(),
        TreeError::ManyRoots { first: 0, second: 2, count: 2 }
    );
    assert_eq!(
        Tree::from_parents(&[NONE, 7]).unwrap_err(),
        TreeError::ParentOutOfRange { vertex: 1, parent: 7, vertices: 2 }
    );
    let tree = Tree::from_parents(&[NONE, 0]).unwrap();
    let what = "values";
    assert_eq!(
        tree.to_positions(&[1]).unwrap_err(),
        TreeError::Length { what, expected: 2, actual: 1 }
    );
}

#[test]
fn empty_and_single() {
    let empty = Tree::from_parents(&[]).unwrap();
    assert!(empty.is_empty() && empty.roots() == 0 && empty.levels().is_empty());
    let one = Tree::from_parents(&[NONE]).unwrap();
    assert_eq!((one.len(), one.roots(), one.leaves(), one.levels().len()), (1, 1, 1, 1));
}

proptest! {
    /// Any array of parents either gives a tree that passes every check or an error
    /// that is true.
    #[test]
    fn any_parents(parents in prop::collection::vec(prop_oneof![9 => 0u32..40, 1 => Just(NONE)], 0..40)) {
        match Tree::with_params(&parents, TreeParams { forest: true, ..Default::default() }) {
            Ok(tree) => check(&parents, &tree, SiblingOrder::AsGiven),
            Err(TreeError::ParentOutOfRange { vertex, parent, .. }) => {
                prop_assert_eq!(parents[vertex as usize], parent);
                prop_assert!(parent as usize >= parents.len());
            }
            Err(TreeError::Cycle { vertices, length }) => {
                let mut v = vertices[0];
                for k in 0..length {
                    if let Some(&named) = vertices.get(k) {
                        prop_assert_eq!(named, v);
                    }
                    v = parents[v as usize];
                }
                prop_assert_eq!(v, vertices[0]);
            }
            Err(other) => prop_assert!(false, "{}", other),
        }
    }

    #[test]
    fn values_move_there_and_back(n in 1usize..200, seed in 0u64..50) {
        let parents = shuffle(&generate(Shape::Random, n, seed).unwrap(), seed);
        let tree = Tree::from_parents(&parents).unwrap();
        let values: Vec<u32> = (0..n as u32).collect();
        let there = tree.to_positions(&values).unwrap();
        prop_assert_eq!(&there, tree.vertices());
        prop_assert_eq!(tree.to_vertices(&there).unwrap(), values);
    }
}

#[test]
fn siblings_can_be_sorted_anew() {
    for shape in Shape::FREE {
        let parents = generate(shape, 300, 5).unwrap();
        let given = Tree::from_parents(&parents).unwrap();
        for siblings in [SiblingOrder::LightFirst, SiblingOrder::HeavyFirst, SiblingOrder::AsGiven]
        {
            let params = TreeParams { forest: false, siblings };
            let made = Tree::with_params(&parents, params).unwrap();
            assert_eq!(given.with_siblings(siblings), made);
            assert!(made.has_siblings(siblings));
        }
    }
    let bush = Tree::from_parents(&[NONE, 0, 0, 1]).unwrap();
    assert!(bush.has_siblings(SiblingOrder::HeavyFirst));
    assert!(!bush.has_siblings(SiblingOrder::LightFirst));
}

/// As a forest made from the trees' parents.
#[test]
fn trees_can_be_joined() {
    let mut all = Vec::new();
    let trees: Vec<Tree> = (0..7)
        .map(|k| {
            let parents = shuffle(&generate(Shape::Random, 1 + 3 * k, 1).unwrap(), 2);
            let first = all.len() as u32;
            all.extend(parents.iter().map(|&p| if p == NONE { NONE } else { p + first }));
            Tree::with_params(&parents, TreeParams { forest: true, ..Default::default() }).unwrap()
        })
        .collect();
    let joined = Tree::join(&trees.iter().collect::<Vec<_>>()).unwrap();
    let params = TreeParams { forest: true, ..Default::default() };
    assert_eq!(joined, Tree::with_params(&all, params).unwrap());
    assert!(Tree::join(&[]).unwrap().is_empty());
}
