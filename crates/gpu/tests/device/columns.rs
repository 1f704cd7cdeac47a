//! Several columns at once against the host's engine, a column at a time.

use crate::open::{plain, split};
use crate::treefix::{Matrix, bits, tree};
use palmette_core::generate::Shape;
use palmette_core::operator::{AffineModulo, ArgMin, Max, ProductModulo, Sum};
use palmette_core::{Monoid, Tree};
use palmette_gpu::{
    Columns, Device, DeviceParams, DeviceTree, Element, GpuError, GroupKernel, Kernel, Pack, Packed,
};
use palmette_tree::{Direction, Scope};
use std::fmt::Debug;

/// The host's answer, by vertex.
fn host<M: Monoid>(
    tree: &Tree,
    x: &[M::Elem],
    op: &M,
    direction: Direction,
    scope: Scope,
) -> Vec<M::Elem> {
    let x = tree.to_positions(x).unwrap();
    let mut found = vec![op.identity(); x.len()];
    match direction {
        Direction::Rootfix => {
            palmette_tree::rootfix::sequential(tree, &x, op, scope, &mut found);
        }
        Direction::Leaffix => {
            palmette_tree::leaffix::sequential(tree, &x, op, scope, &mut found);
        }
    }
    tree.to_vertices(&found).unwrap()
}

/// Engines that a forest can use.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Engines {
    Whole,
    Trees,
}

/// All engines and directions must agree with the host, column by column.
fn monoids<K: Kernel<Elem: Debug + PartialEq + Element>>(
    on: &DeviceTree<'_>,
    columns: &[Vec<K::Elem>],
    op: &K,
    engines: Engines,
) {
    let slices: Vec<&[K::Elem]> = columns.iter().map(Vec::as_slice).collect();
    for direction in [Direction::Rootfix, Direction::Leaffix] {
        for scope in [Scope::Inclusive, Scope::Exclusive] {
            let passes = Columns::new(on, direction, scope);
            let found = match engines {
                Engines::Whole => vec![passes.levels(op, &slices), passes.contract(op, &slices)],
                Engines::Trees => vec![passes.trees(op, &slices)],
            };
            for found in found {
                compare(on.tree(), &slices, op, (direction, scope), &found.unwrap().0);
            }
        }
    }
}

fn compare<M: Monoid<Elem: PartialEq>>(
    tree: &Tree,
    columns: &[&[M::Elem]],
    op: &M,
    (direction, scope): (Direction, Scope),
    found: &[Vec<M::Elem>],
) {
    assert_eq!(found.len(), columns.len());
    for (k, (x, found)) in columns.iter().zip(found).enumerate() {
        let (n, name) = (tree.len(), std::any::type_name::<M>());
        let same = *found == host(tree, x, op, direction, scope);
        assert!(same, "{direction} of {n} vertices, {name}, {scope:?}, column {k}");
    }
}

fn groups<G: GroupKernel<Elem: Debug + PartialEq + Element>>(
    on: &DeviceTree<'_>,
    columns: &[Vec<G::Elem>],
    op: &G,
) {
    let slices: Vec<&[G::Elem]> = columns.iter().map(Vec::as_slice).collect();
    for direction in [Direction::Rootfix, Direction::Leaffix] {
        let passes = Columns::new(on, direction, Scope::Inclusive);
        let (found, _) = passes.euler(op, &slices).unwrap();
        compare(on.tree(), &slices, op, (direction, Scope::Inclusive), &found);
        assert_eq!(passes.apart().euler(op, &slices).unwrap().0, found);
    }
    monoids(on, columns, op, Engines::Whole);
}

fn columns<T>(n: usize, count: usize, value: impl Fn(u64) -> T) -> Vec<Vec<T>> {
    (0..count as u64).map(|k| bits(n, 40 + k).into_iter().map(&value).collect()).collect()
}

/// One, two and four words; one group of columns, several, and a column left over.
#[test]
fn columns_share_passes() {
    for (device, n) in [(plain(), 3000), (split(), 5001)] {
        let tree = tree(Shape::Random, n, 3);
        let on = DeviceTree::new(device, &tree).unwrap();
        for count in [1, 3, 9] {
            groups(&on, &columns(n, count, |x| x as i32), &Sum::<i32>::new());
        }
        groups(&on, &columns(n, 3, |x| x as i64), &Sum::<i64>::new());
        let words = columns(n, 2, |x| [x as u32 | 1, (x >> 9) as u32, (x >> 3) as u32, x as u32]);
        monoids(&on, &words, &Matrix, Engines::Whole);
    }
}

/// Three levels of a scan: more than 512² entries of four words.
#[test]
fn columns_of_a_large_tree() {
    let n = 140_001;
    let tree = tree(Shape::Random, n, 5);
    let on = DeviceTree::new(plain(), &tree).unwrap();
    let x = columns(n, 4, |x| x as i32);
    let slices: Vec<&[i32]> = x.iter().map(Vec::as_slice).collect();
    let (op, scope) = (Sum::<i32>::new(), Scope::Inclusive);
    for direction in [Direction::Rootfix, Direction::Leaffix] {
        let (found, _) = Columns::new(&on, direction, scope).euler(&op, &slices).unwrap();
        compare(&tree, &slices, &op, (direction, scope), &found);
    }
}

/// Helpers, floats as bits, loops.
#[test]
fn every_kind_of_operator_has_columns() {
    let tree = tree(Shape::Random, 700, 3);
    let on = DeviceTree::new(plain(), &tree).unwrap();
    monoids(&on, &columns(700, 5, |x| x as f32 - 1e18), &Max::<f32>::new(), Engines::Whole);
    let op = ProductModulo::new(1_000_003).unwrap();
    monoids(&on, &columns(700, 2, |x| x % 1_000_003), &op, Engines::Whole);
}

pub(crate) fn some_trees(on: &DeviceTree<'_>) {
    let n = on.tree().len();
    monoids(on, &columns(n, 1, |x| x as u32), &Sum::<u32>::new(), Engines::Trees);
    monoids(on, &columns(n, 5, |x| x as i32), &Max::<i32>::new(), Engines::Trees);
    monoids(on, &columns(n, 3, |x| x as i64), &Sum::<i64>::new(), Engines::Trees);
    let words = columns(n, 1, |x| [x as u32 | 1, (x >> 9) as u32, (x >> 3) as u32, x as u32]);
    monoids(on, &words, &Matrix, Engines::Trees);
    let placed = bits(n, 2).iter().zip(0..).map(|(&x, k)| (x as i64 >> 40, k).pack()).collect();
    monoids(on, &[placed], &Packed(ArgMin::<i64>::new()), Engines::Trees);
}

pub(crate) fn maps_of_small_trees(on: &DeviceTree<'_>) {
    let m = (1 << 61) - 1;
    let maps = columns(on.tree().len(), 1, |x| [x % m, (x >> 1) % m]);
    monoids(on, &maps, &AffineModulo::new(m).unwrap(), Engines::Trees);
}

/// Memory for one group of columns at a time, and not for two.
#[test]
fn little_memory_takes_longer() {
    let n = 4000;
    let tree = tree(Shape::Random, n, 3);
    let memory = Some(8 * 4000 + 6 * 16 * 4000);
    let device = Device::open(&DeviceParams { memory, ..Default::default() }).unwrap();
    let on = DeviceTree::new(&device, &tree).unwrap();
    let x = columns(n, 8, |x| x as i32);
    let slices: Vec<&[i32]> = x.iter().map(Vec::as_slice).collect();
    let (direction, scope) = (Direction::Leaffix, Scope::Inclusive);
    let op = Sum::<i32>::new();
    let (found, _) = Columns::new(&on, direction, scope).euler(&op, &slices).unwrap();
    compare(&tree, &slices, &op, (direction, scope), &found);
    assert_eq!(device.memory_used(), 8 * 4000, "the tour stays");
}

#[test]
fn columns_that_do_not_suit() {
    let tree = tree(Shape::Random, 6, 3);
    let on = DeviceTree::new(plain(), &tree).unwrap();
    let passes = Columns::new(&on, Direction::Leaffix, Scope::Inclusive);
    let error = passes.euler(&Sum::new(), &[&[1u32; 6], &[1; 5]]).unwrap_err();
    assert_eq!(error, GpuError::Length { expected: 6, actual: 5 });
    let mut x = [1.0f32; 6];
    x[4] = f32::INFINITY;
    let error = passes.contract(&Sum::new(), &[&[0.0; 6], &x]).unwrap_err();
    let position = tree.positions()[4] as usize;
    assert_eq!(error, GpuError::NotFinite { position, nan: false });
    assert!(passes.contract(&Max::new(), &[&x]).is_ok(), "infinities are compared as bits");
    assert!(passes.levels(&Max::<f32>::new(), &[]).unwrap().0.is_empty());
}
