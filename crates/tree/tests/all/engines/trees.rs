//! Parent arrays of every shape.

use crate::engines::random::Random;
use palmette_core::NONE;
use palmette_core::generate::{Shape, generate, shuffle};

/// A named array of parents.
pub(crate) type Named = (String, Vec<u32>);

fn from(n: usize, parent: impl Fn(u32) -> u32) -> Vec<u32> {
    (0..n as u32).map(|v| if v == 0 { NONE } else { parent(v) }).collect()
}

/// A path whose vertices each carry a path of `tooth` vertices, which comes after the
/// rest of the spine in preorder.
pub(crate) fn comb(n: usize, tooth: u32) -> Vec<u32> {
    let spine = (n as u32).div_ceil(tooth + 1);
    from(n, |v| match v.checked_sub(spine) {
        None => v - 1,
        Some(t) if t % tooth == 0 => t / tooth,
        Some(_) => v - 1,
    })
}

/// As [`comb`], but every tooth comes before the rest of the spine.
fn comb_teeth_first(n: usize, tooth: u32) -> Vec<u32> {
    from(n, |v| if v % (tooth + 1) == 0 { v - tooth - 1 } else { v - 1 })
}

/// A star at either end of a path; the root is in the middle of the path.
fn star_ended_path(n: usize) -> Vec<u32> {
    let half = (n as u32 / 4).max(1);
    from(n, |v| match v {
        v if v < half => v - 1,
        v if v == half => 0,
        v if v < 2 * half => v - 1,
        v if v % 2 == 0 => half - 1,
        _ => (2 * half - 1).min(v - 1),
    })
}

/// A path with all leaves on its first vertex, after the path in preorder.
fn kite(n: usize) -> Vec<u32> {
    from(n, |v| if v <= n as u32 / 2 { v - 1 } else { 0 })
}

/// Every parent among the last `span` vertices.
fn near_path(n: usize, span: u32, seed: u64) -> Vec<u32> {
    let mut random = Random(seed);
    (0..n as u32)
        .map(|v| if v == 0 { NONE } else { v - 1 - random.below(span.min(v).into()) as u32 })
        .collect()
}

/// A preorder walk that mostly goes down, sometimes up a little, and now and then up
/// to anywhere, with a liking for the places right around multiples of `block`.
pub(crate) fn walk(n: usize, block: usize, seed: u64) -> Vec<u32> {
    let mut random = Random(seed);
    let (up, jump) = (2 + random.below(30), 500 + random.below(20_000));
    let mut stack: Vec<u32> = Vec::new();
    (0..n)
        .map(|v| {
            let near = (v + 2) % block < 5;
            if random.below(jump) == 0 || near && random.below(2) == 0 {
                // Half of them stay near: what is open then stays so for long.
                let to = random.below(stack.len() as u64 + 1) as usize;
                stack.truncate(if random.below(2) == 0 { to.max(1) } else { stack.len() - to / 9 });
            } else if random.below(up) == 0 {
                let pops = random.below(4) as usize;
                stack.truncate(stack.len().saturating_sub(pops).max(1));
            }
            let parent = stack.last().copied().unwrap_or(NONE);
            stack.push(v as u32);
            parent
        })
        .collect()
}

/// Every shape with `n` vertices, its vertices numbered as it is made.
pub(crate) fn shapes(n: usize, seed: u64) -> Vec<Named> {
    if n == 0 {
        return vec![("empty".to_string(), Vec::new())];
    }
    let mut shapes: Vec<Named> =
        Shape::FREE.iter().map(|&s| (s.to_string(), generate(s, n, seed).unwrap())).collect();
    let (vertices, least) = (n as u32, u32::from(n > 1));
    for height in [(n as u32 / 4).max(least), (n as f64).sqrt() as u32 - 1 + least] {
        let shape = Shape::Profile { vertices, height };
        shapes.push((shape.to_string(), generate(shape, n, seed).unwrap()));
    }
    shapes.extend([
        ("comb, short teeth last".to_string(), comb(n, 3)),
        ("comb, long teeth last".to_string(), comb(n, (n as f64).sqrt() as u32)),
        ("comb, short teeth first".to_string(), comb_teeth_first(n, 3)),
        ("comb, long teeth first".to_string(), comb_teeth_first(n, (n as f64).sqrt() as u32)),
        ("star-ended path".to_string(), star_ended_path(n)),
        ("kite".to_string(), kite(n)),
        ("near path of span 2".to_string(), near_path(n, 2, seed)),
        ("near path of span 9".to_string(), near_path(n, 9, seed)),
    ]);
    shapes
}

/// A forest: the edge above every `one_in`-th vertex or so is cut.
pub(crate) fn cut(parents: &[u32], one_in: u64, seed: u64) -> Vec<u32> {
    let mut random = Random(seed);
    parents.iter().map(|&p| if random.below(one_in) == 0 { NONE } else { p }).collect()
}

/// Parents after their children.
pub(crate) fn reversed(parents: &[u32]) -> Vec<u32> {
    let last = parents.len() as u32;
    parents.iter().rev().map(|&p| if p == NONE { NONE } else { last - 1 - p }).collect()
}

/// A tree in four arrangements: as it is, shuffled, and as two forests.
pub(crate) fn arrangements((name, parents): &Named, seed: u64) -> Vec<Named> {
    if parents.is_empty() {
        return vec![(name.clone(), parents.clone())];
    }
    let one_in = if parents.len() < 1000 { 6 } else { 5000 };
    let forest = cut(parents, one_in, seed);
    vec![
        (name.clone(), parents.clone()),
        (format!("{name}, shuffled"), shuffle(parents, seed)),
        (format!("{name}, forest"), forest.clone()),
        (format!("{name}, forest, shuffled"), shuffle(&forest, seed)),
    ]
}
