//! Many small trees at once.

use crate::columns::{maps_of_small_trees, some_trees};
use crate::open::{plain, split};
use crate::treefix::tree;
use palmette_core::generate::{Shape, generate, shuffle};
use palmette_core::operator::{ProductModulo, Sum};
use palmette_core::{NONE, Tree, TreeParams};
use palmette_gpu::{Columns, DeviceTree, Form, GpuError};
use palmette_tree::{Direction, Scope};

/// Trees of all shapes around a thread, a workgroup, a packet.
fn forest() -> Tree {
    let mut trees = Vec::new();
    for n in [1, 2, 3, 64, 65, 500, 524, 1024] {
        trees.extend(Shape::FREE.iter().map(|&shape| {
            let parents = shuffle(&generate(shape, n, 7).unwrap(), 7);
            Tree::from_parents(&parents).unwrap()
        }));
    }
    Tree::join(&trees.iter().collect::<Vec<_>>()).unwrap()
}

/// Whose vertices are numbered without regard to trees.
fn shuffled() -> Tree {
    let sizes = [300usize, 7, 900, 1, 40];
    let mut parents = Vec::new();
    for k in 0..20 {
        let first = parents.len() as u32;
        let one = generate(Shape::Random, sizes[k % 5], k as u64).unwrap();
        parents.extend(one.into_iter().map(|p| if p == NONE { NONE } else { p + first }));
    }
    let params = TreeParams { forest: true, ..Default::default() };
    Tree::with_params(&shuffle(&parents, 4), params).unwrap()
}

#[test]
fn trees_in_packets() {
    let forest = forest();
    let on = DeviceTree::new(plain(), &forest).unwrap();
    assert!(on.has_small_trees());
    some_trees(&on);
    on.prepare(Form::Packets).unwrap();
}

/// Loads of 2,048 vertices.
#[test]
fn trees_in_many_loads() {
    for forest in [forest(), shuffled()] {
        some_trees(&DeviceTree::new(split(), &forest).unwrap());
    }
}

#[test]
fn operators_that_loop() {
    let trees: Vec<Tree> = (0..50).map(|seed| tree(Shape::Random, 60, seed)).collect();
    let forest = Tree::join(&trees.iter().collect::<Vec<_>>()).unwrap();
    maps_of_small_trees(&DeviceTree::new(plain(), &forest).unwrap());
}

#[test]
fn trees_that_do_not_suit() {
    let star = |n| Tree::from_parents(&generate(Shape::Star, n, 1).unwrap()).unwrap();
    let (large, fits) = (star(1025), star(1000));
    let both = Tree::join(&[&fits, &large]).unwrap();
    let on = DeviceTree::new(plain(), &both).unwrap();
    assert!(!on.has_small_trees());
    let passes = Columns::new(&on, Direction::Leaffix, Scope::Inclusive);
    let error = passes.trees(&Sum::new(), &[&vec![1u32; 2025]]).unwrap_err();
    assert_eq!(error, GpuError::LargeTree { vertices: 1025, most: 1024 });
    let on = DeviceTree::new(plain(), &fits).unwrap();
    let passes = Columns::new(&on, Direction::Leaffix, Scope::Inclusive);
    let op = ProductModulo::new(97).unwrap();
    let error = passes.trees(&op, &[&vec![2u64; 1000]]).unwrap_err();
    assert!(matches!(error, GpuError::LongKernel { rounds, .. } if rounds > 1000 * 64), "{error}");
    let none = Tree::from_parents(&[]).unwrap();
    let on = DeviceTree::new(plain(), &none).unwrap();
    let passes = Columns::new(&on, Direction::Leaffix, Scope::Inclusive);
    let (found, _) = passes.trees(&Sum::<u32>::new(), &[&[]]).unwrap();
    assert_eq!(found, [Vec::<u32>::new()]);
}
