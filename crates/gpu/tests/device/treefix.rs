//! Rootfix and leaffix on the device against the host's sequential engine.

use crate::open::{plain, split};
use palmette_core::generate::{Shape, generate, shuffle};
use palmette_core::operator::{
    AffineModulo, And, ArgMax, ArgMin, Max, Min, Or, ProductModulo, RollingHash, Sum, Xor,
};
use palmette_core::{Monoid, NONE, Tree, TreeParams};
use palmette_gpu::{
    Device, DeviceTree, DeviceValues, Element, GpuError, GroupKernel, Kernel, Pack, Packed,
    leaffix, rootfix,
};
use palmette_tree::Scope;
use std::fmt::Debug;

const SCOPES: [Scope; 2] = [Scope::Inclusive, Scope::Exclusive];

type Pass<M> = fn(
    &DeviceTree<'_>,
    &DeviceValues<<M as Monoid>::Elem>,
    &M,
    Scope,
) -> Result<DeviceValues<<M as Monoid>::Elem>, GpuError>;

/// A tree, or a forest when the number is odd.
pub(crate) fn tree(shape: Shape, n: usize, seed: u64) -> Tree {
    let mut parents = shuffle(&generate(shape, n, seed).unwrap(), seed);
    if n % 2 == 1 {
        parents[n / 2] = NONE;
    }
    Tree::with_params(&parents, TreeParams { forest: true, ..Default::default() }).unwrap()
}

/// Numbers without a pattern.
pub(crate) fn bits(n: usize, seed: u64) -> Vec<u64> {
    let mix = |z: u64| (z ^ (z >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (0..n as u64).map(|k| mix(mix(seed << 40 | k).wrapping_add(0x9E37_79B9_7F4A_7C15))).collect()
}

/// Both directions by the given engine must agree with the host.
fn check<M: Monoid<Elem: Debug + PartialEq + Element>>(
    on: &DeviceTree<'_>,
    values: &[M::Elem],
    op: &M,
    [root, leaf]: [Pass<M>; 2],
) {
    let (tree, name) = (on.tree(), std::any::type_name::<M>());
    let up = on.upload(values).unwrap();
    let mut expected = vec![op.identity(); values.len()];
    for scope in SCOPES {
        palmette_tree::rootfix::sequential(tree, values, op, scope, &mut expected);
        let (answers, _) = root(on, &up, op, scope).unwrap().download().unwrap();
        assert!(answers == expected, "rootfix of {} vertices, {name}, {scope:?}", tree.len());
        palmette_tree::leaffix::sequential(tree, values, op, scope, &mut expected);
        let (answers, _) = leaf(on, &up, op, scope).unwrap().download().unwrap();
        assert!(answers == expected, "leaffix of {} vertices, {name}, {scope:?}", tree.len());
    }
}

fn monoids<K: Kernel<Elem: Debug + PartialEq>>(on: &DeviceTree<'_>, x: &[K::Elem], op: &K) {
    check(on, x, op, [rootfix::levels, leaffix::levels]);
    check(on, x, op, [rootfix::contract, leaffix::contract]);
}

fn groups<G: GroupKernel<Elem: Debug + PartialEq>>(on: &DeviceTree<'_>, x: &[G::Elem], op: &G) {
    check(on, x, op, [rootfix::euler, leaffix::euler]);
    monoids(on, x, op);
}

/// Products of 2×2 matrices modulo 2^32: not commutative, four words.
pub(crate) struct Matrix;

impl Monoid for Matrix {
    type Elem = [u32; 4];
    fn identity(&self) -> [u32; 4] {
        [1, 0, 0, 1]
    }
    fn combine(&self, [a, b, c, d]: [u32; 4], [e, f, g, h]: [u32; 4]) -> [u32; 4] {
        let dot =
            |x: u32, y: u32, z: u32, w: u32| x.wrapping_mul(y).wrapping_add(z.wrapping_mul(w));
        [dot(a, e, b, g), dot(a, f, b, h), dot(c, e, d, g), dot(c, f, d, h)]
    }
}

impl Kernel for Matrix {
    fn combine_wgsl(&self) -> String {
        "let a = left; let b = right; return vec4<u32>(a.x * b.x + a.y * b.z, \
         a.x * b.y + a.y * b.w, a.z * b.x + a.w * b.z, a.z * b.y + a.w * b.w);"
            .to_string()
    }
}

/// The left operand, unless it is the identity: the first value of a sequence.
struct First;

impl Monoid for First {
    type Elem = u32;
    fn identity(&self) -> u32 {
        NONE
    }
    fn combine(&self, left: u32, right: u32) -> u32 {
        if left == NONE { right } else { left }
    }
}

impl Kernel for First {
    fn combine_wgsl(&self) -> String {
        "if left == 0xffffffffu { return right; } return left;".to_string()
    }
}

fn words(x: &[u64]) -> Vec<u32> {
    x.iter().map(|&x| x as u32).collect()
}

fn signed(x: &[u64]) -> Vec<i32> {
    x.iter().map(|&x| x as i32).collect()
}

/// Numbers of all magnitudes and signs.
fn spread(x: &[u64]) -> Vec<i64> {
    x.iter().map(|&x| x as i64 >> (x % 60)).collect()
}

fn floats(x: &[u64]) -> Vec<f32> {
    spread(x).iter().map(|&x| x as f32 / 64.0).collect()
}

/// Fractions, with both zeros and both infinities among them.
fn long_floats(x: &[u64]) -> Vec<f64> {
    let odd = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY];
    let value = |x: i64| odd.get(x.unsigned_abs() as usize % 50).copied().unwrap_or(x as f64 / 3.0);
    spread(x).into_iter().map(value).collect()
}

/// Whole numbers below 2^24 in all: every order of additions is exact.
fn whole(x: &[u64]) -> Vec<f32> {
    let most = (1 << 23) / x.len() as u64;
    x.iter().map(|&x| (x % most.clamp(1, 1000)) as f32).collect()
}

type Case = fn(&DeviceTree<'_>, &[u64]);

/// Values with numbers of vertices, not in order.
fn placed<T: Copy>(x: &[T]) -> Vec<[u32; 4]>
where
    (T, u32): Pack<Words = [u32; 4]>,
{
    x.iter().zip(0..).map(|(&x, k)| (x, k ^ 5).pack()).collect()
}

fn modulo(on: &DeviceTree<'_>, x: &[u64], m: u64) {
    let x: Vec<u64> = x.iter().map(|&x| x % m).collect();
    monoids(on, &x, &ProductModulo::new(m).unwrap());
    let maps: Vec<[u64; 2]> = x.iter().map(|&x| [x, (x >> 1) % m]).collect();
    monoids(on, &maps, &AffineModulo::new(m).unwrap());
}

/// The largest modulus, whose sums pass 64 bits.
fn residues(on: &DeviceTree<'_>, x: &[u64]) {
    modulo(on, x, u64::MAX);
}

fn hashes(on: &DeviceTree<'_>, x: &[u64]) {
    let op = RollingHash::new(3);
    let letters: Vec<[u64; 2]> = x.iter().map(|&x| op.letter(x).pack()).collect();
    monoids(on, &letters, &Packed(op));
}

const CASES: [Case; 31] = [
    |on, x| groups(on, &words(x), &Sum::<u32>::new()),
    |on, x| groups(on, x, &Sum::<u64>::new()),
    |on, x| groups(on, &signed(x), &Sum::<i32>::new()),
    |on, x| groups(on, &spread(x), &Sum::<i64>::new()),
    |on, x| groups(on, &whole(x), &Sum::<f32>::new()),
    |on, x| {
        monoids(
            on,
            &words(x).iter().map(|&x| [x | 1, x >> 7, x >> 3, x]).collect::<Vec<_>>(),
            &Matrix,
        )
    },
    |on, x| monoids(on, &words(x), &First),
    |on, x| groups(on, &words(x), &Xor::<u32>::new()),
    |on, x| groups(on, &spread(x), &Xor::<i64>::new()),
    |on, x| monoids(on, &signed(x), &Min::<i32>::new()),
    |on, x| monoids(on, &spread(x), &Max::<i64>::new()),
    |on, x| monoids(on, &words(x), &Max::<u32>::new()),
    |on, x| monoids(on, &spread(x), &Min::<i64>::new()),
    |on, x| monoids(on, &signed(x), &Max::<i32>::new()),
    |on, x| monoids(on, x, &Max::<u64>::new()),
    |on, x| monoids(on, &floats(x), &Min::<f32>::new()),
    |on, x| monoids(on, x, &Min::<u64>::new()),
    |on, x| monoids(on, &floats(x), &Max::<f32>::new()),
    |on, x| monoids(on, &long_floats(x), &Min::<f64>::new()),
    |on, x| monoids(on, &long_floats(x), &Max::<f64>::new()),
    |on, x| monoids(on, &words(x), &And::<u32>::new()),
    |on, x| monoids(on, &spread(x), &Or::<i64>::new()),
    |on, x| monoids(on, &spread(x), &And::<i64>::new()),
    residues,
    hashes,
    |on, x| monoids(on, &placed(&spread(x)), &Packed(ArgMin::<i64>::new())),
    |on, x| monoids(on, &placed(&long_floats(x)), &Packed(ArgMin::<f64>::new())),
    |on, x| monoids(on, &placed(&long_floats(x)), &Packed(ArgMax::<f64>::new())),
    |on, x| monoids(on, &placed(&floats(x)), &Packed(ArgMax::<f32>::new())),
    |on, x| monoids(on, &placed(x), &Packed(ArgMax::<u64>::new())),
    |on, x| monoids(on, &placed(&signed(x)), &Packed(ArgMin::<i32>::new())),
];

/// One case for each thing that kernels and chunks can mind: elements of one, two and four words,
/// groups and others, floats, order, loops.
const FEW: [usize; 8] = [0, 3, 4, 5, 6, 10, 23, 26];

/// Every shape and size with one of the few operators, which take turns. Kernels are compiled for
/// each device and operator, which is most of what these tests take.
fn sweep(device: &Device, sizes: &[usize]) {
    for (round, &n) in sizes.iter().enumerate() {
        for (k, shape) in Shape::FREE.into_iter().enumerate() {
            let tree = tree(shape, n, 7);
            let on = DeviceTree::new(device, &tree).unwrap();
            CASES[FEW[(k + round) % FEW.len()]](&on, &bits(n, n as u64));
        }
    }
}

/// Around threads, workgroups and tiles (2,048, 1,024, 512 elements of one, two, four words).
#[test]
fn shapes_and_sizes() {
    sweep(plain(), &[1, 2, 3, 255, 257, 1023, 1025, 2049, 10_000]);
}

/// Around chunks, and more tiles than one dimension of a dispatch has.
#[test]
fn many_chunks() {
    sweep(split(), &[2049, 8193]);
}

#[test]
fn every_operator() {
    for (shape, n) in [(Shape::Random, 3001), (Shape::Caterpillar, 2500)] {
        let tree = tree(shape, n, 3);
        let on = DeviceTree::new(plain(), &tree).unwrap();
        CASES.iter().for_each(|case| case(&on, &bits(n, 1)));
    }
}

/// The modulus is part of a kernel's text.
#[test]
fn every_kind_of_modulus() {
    let tree = tree(Shape::Random, 300, 3);
    let on = DeviceTree::new(plain(), &tree).unwrap();
    for m in [1, 2, 1_000_003, u64::from(u32::MAX), 1 << 32, (1 << 61) - 1, 1 << 63] {
        let x: Vec<u64> = bits(300, 8).iter().map(|&x| x % m).collect();
        let op = ProductModulo::new(m).unwrap();
        check(&on, &x, &op, [rootfix::contract, leaffix::contract]);
    }
}

/// Wide families, long runs of narrow levels.
#[test]
fn large_trees() {
    for shape in [Shape::Random, Shape::Path, Shape::Star, Shape::DoubleBroom] {
        let n = 70_001;
        let tree = tree(shape, n, 7);
        let on = DeviceTree::new(plain(), &tree).unwrap();
        groups(&on, &spread(&bits(n, 2)), &Sum::<i64>::new());
    }
}

/// Narrow levels in which one thread has much to do: drivers end kernels that loop for long, or
/// leave their loops.
#[test]
fn narrow_levels_with_families() {
    let (spine, legs) = (250, 200);
    let mut parents = vec![NONE; spine * (legs + 1)];
    for k in 0..spine {
        let at = k * (legs + 1);
        parents[at] = if k == 0 { NONE } else { (at - legs - 1) as u32 };
        parents[at + 1..=at + legs].fill(at as u32);
    }
    let tree = Tree::from_parents(&parents).unwrap();
    let on = DeviceTree::new(plain(), &tree).unwrap();
    let x = bits(parents.len(), 6);
    groups(&on, &words(&x), &Sum::<u32>::new());
    residues(&on, &x);
}
