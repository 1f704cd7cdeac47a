//! Products along paths on the device against the host's.

use crate::open::{plain, split};
use crate::treefix::{Matrix, bits, tree};
use palmette_core::generate::Shape;
use palmette_core::operator::{ArgMin, Sum};
use palmette_core::{NONE, Tree};
use palmette_gpu::paths::{DevicePaths, On};
use palmette_gpu::{Device, DeviceTree, GpuError, Kernel, Pack, Packed};
use palmette_tree::paths::{HeavyPaths, PathAggregate};
use std::fmt::Debug;

fn check<K: Kernel<Elem: Debug + PartialEq>>(
    device: &Device,
    tree: &Tree,
    x: &[K::Elem],
    op: &K,
    pairs: &[(u32, u32)],
) {
    let on_device = DeviceTree::new(device, tree).unwrap();
    let paths = DevicePaths::new(&on_device).unwrap();
    let heavy = HeavyPaths::new(tree);
    let up = on_device.upload(x).unwrap();
    for on in [On::Vertices, On::Edges] {
        let host = match on {
            On::Vertices => PathAggregate::new(&heavy, x, op).unwrap(),
            On::Edges => PathAggregate::on_edges(&heavy, x, op).unwrap(),
        };
        let (answers, _) = paths.products(&up, op, on, pairs).unwrap();
        assert!(answers == host.batch(pairs), "{} vertices, {on:?}", tree.len());
    }
}

fn operators(device: &Device, tree: &Tree, pairs: &[(u32, u32)]) {
    let x = bits(tree.len(), 9);
    check(device, tree, &x, &Sum::<u64>::new(), pairs);
    let word = |x: u64| [x as u32 | 1, (x >> 7) as u32, (x >> 3) as u32, x as u32];
    check(device, tree, &x.iter().map(|&x| word(x)).collect::<Vec<_>>(), &Matrix, pairs);
    let placed: Vec<_> = x.iter().zip(0..).map(|(&x, k)| (x as i64, k).pack()).collect();
    check(device, tree, &placed, &Packed(ArgMin::<i64>::new()), pairs);
}

fn random(n: usize, queries: usize) -> Vec<(u32, u32)> {
    let pick = |x: u64| ((x >> 32) % n as u64) as u32;
    bits(queries, n as u64).into_iter().map(|x| (pick(x), pick(x << 32))).collect()
}

#[test]
fn all_pairs_of_small_trees() {
    for n in [1u32, 2, 3, 8, 17] {
        let pairs: Vec<(u32, u32)> = (0..n * n).map(|k| (k / n, k % n)).collect();
        Shape::FREE.iter().for_each(|&s| operators(plain(), &tree(s, n as usize, 5), &pairs));
    }
}

#[test]
fn larger_trees_whole_and_in_chunks() {
    for shape in Shape::FREE {
        operators(plain(), &tree(shape, 5001, 5), &random(5001, 3000));
        operators(split(), &tree(shape, 2501, 5), &random(2501, 2500));
    }
}

#[test]
fn nothing_to_ask_and_nobody_there() {
    let op = Sum::<u32>::new();
    let empty = Tree::from_parents(&[]).unwrap();
    let on = DeviceTree::new(plain(), &empty).unwrap();
    let paths = DevicePaths::new(&on).unwrap();
    let none = on.upload::<u32>(&[]).unwrap();
    assert!(paths.products(&none, &op, On::Vertices, &[]).unwrap().0.is_empty());
    let two = Tree::from_parents(&[NONE, 0]).unwrap();
    let on = DeviceTree::new(plain(), &two).unwrap();
    let paths = DevicePaths::new(&on).unwrap();
    let values = on.upload(&[1u32, 2]).unwrap();
    let error = paths.products(&values, &op, On::Vertices, &[(0, 1), (1, 2)]).unwrap_err();
    assert_eq!(error, GpuError::NoSuchVertex { pair: 1, position: 2, vertices: 2 });
    let error = paths.products(&none, &op, On::Vertices, &[(0, 1)]).unwrap_err();
    assert_eq!(error, GpuError::Length { expected: 2, actual: 0 });
}
