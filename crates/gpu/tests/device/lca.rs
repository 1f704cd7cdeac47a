//! Lowest common ancestors on the device against the host's index.

use crate::open::{plain, split};
use crate::treefix::{bits, tree};
use palmette_core::generate::Shape;
use palmette_core::{NONE, Tree};
use palmette_gpu::lca::DeviceLca;
use palmette_gpu::{Device, DeviceTree, GpuError};
use palmette_tree::lca::Lca;

fn check(device: &Device, shape: Shape, n: usize, pairs: &[(u32, u32)]) {
    let tree = tree(shape, n, 5);
    let host = Lca::new(&tree);
    let index = DeviceLca::new(&DeviceTree::new(device, &tree).unwrap()).unwrap();
    assert_eq!(index.batch(pairs).unwrap().0, host.batch(pairs), "{shape}, {n} vertices");
    let distances = index.edge_distances(pairs).unwrap().0;
    assert_eq!(distances, host.edge_distances(pairs), "{shape}, {n} vertices");
}

fn random(n: usize, queries: usize) -> Vec<(u32, u32)> {
    let pick = |x: u64| ((x >> 32) % n as u64) as u32;
    bits(queries, n as u64).into_iter().map(|x| (pick(x), pick(x << 32))).collect()
}

#[test]
fn all_pairs_of_small_trees() {
    for n in [1u32, 2, 3, 7, 20, 33] {
        let pairs: Vec<(u32, u32)> = (0..n * n).map(|k| (k / n, k % n)).collect();
        for shape in Shape::FREE {
            check(plain(), shape, n as usize, &pairs);
        }
    }
}

#[test]
fn random_pairs_of_larger_trees() {
    for n in [255, 2048, 5001, 20_000] {
        for shape in Shape::FREE {
            check(plain(), shape, n, &random(n, 3000));
        }
    }
}

#[test]
fn trees_and_queries_in_many_chunks() {
    for n in [2046, 2047, 2048, 9001] {
        for shape in Shape::FREE {
            check(split(), shape, n, &random(n, 5000));
        }
    }
}

#[test]
fn nothing_to_ask_and_nobody_there() {
    let empty = Tree::from_parents(&[]).unwrap();
    let index = DeviceLca::new(&DeviceTree::new(plain(), &empty).unwrap()).unwrap();
    assert!(index.is_empty() && index.batch(&[]).unwrap().0.is_empty());
    let two = Tree::from_parents(&[NONE, 0]).unwrap();
    let index = DeviceLca::new(&DeviceTree::new(plain(), &two).unwrap()).unwrap();
    let error = index.batch(&[(0, 1), (1, 2)]).unwrap_err();
    assert_eq!(error, GpuError::NoSuchVertex { pair: 1, position: 2, vertices: 2 });
}
