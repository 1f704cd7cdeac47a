//! **Problem.** A colour for each part, so that parts that touch differ.
//!
//! **Method.** Parts touch where their shapes share two corners, or where an edge between two
//! parts joins them. The part with the fewest uncoloured neighbours is taken away, again and
//! again; colours are given in the opposite order, each time the one that is used least
//! among those that no neighbour has. In the plane, parts in one piece have at most five
//! coloured neighbours then, so that the palette suffices.
//!
//! **Reference.** Matula and Beck, *Smallest-last ordering*, 1983.

use super::Shape;
use palmette_core::NONE;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How many colours there are; after that they repeat, pale.
const PALETTE: usize = 7;

/// By part, its colour.
pub(crate) struct Colours {
    of: Vec<usize>,
    /// How many different ones there are.
    pub(crate) used: usize,
}

impl Colours {
    pub(crate) fn new(points: usize, shapes: &[Shape], parts: &[u32]) -> Colours {
        let count = parts.iter().filter(|&&p| p != NONE).max().map_or(0, |&p| p as usize + 1);
        let neighbours = neighbours(points, shapes, parts, count);
        let mut of = vec![usize::MAX; count];
        let mut uses = vec![0usize; PALETTE];
        for part in smallest_last(&neighbours).into_iter().rev() {
            let taken: Vec<usize> =
                neighbours[part as usize].iter().map(|&other| of[other as usize]).collect();
            let free = (0..uses.len()).filter(|colour| !taken.contains(colour));
            let colour = free.min_by_key(|&colour| uses[colour]).unwrap_or(uses.len());
            if colour == uses.len() {
                uses.push(0);
            }
            uses[colour] += 1;
            of[part as usize] = colour;
        }
        let used = uses.iter().filter(|&&uses| uses > 0).count();
        Colours { of, used }
    }

    /// The class of style of a part.
    pub(crate) fn class(&self, part: u32, is_line: bool) -> String {
        let colour = self.of[part as usize];
        let pale = if colour >= PALETTE { " faded" } else { "" };
        // The seventh colour of series is black, on which outlines are not seen; after it comes
        // yellow, of which lines are not seen.
        let number = [0, 1, 2, 3, 4, 5, if is_line { 6 } else { 7 }][colour % PALETTE];
        match is_line {
            true => format!("strand fine l{number}{pale}"),
            false => format!("tile f{number}{pale}"),
        }
    }
}

/// The parts that each part touches, ascending.
fn neighbours(points: usize, shapes: &[Shape], parts: &[u32], count: usize) -> Vec<Vec<u32>> {
    let mut sides: Vec<(u32, u32, u32)> = Vec::new();
    let mut by_point = vec![NONE; points];
    for (shape, &part) in shapes.iter().zip(parts).filter(|(_, part)| **part != NONE) {
        let corners = shape.iter().take_while(|&&c| c != NONE).count();
        for i in 0..corners {
            let (a, b) = (shape[i], shape[(i + 1) % corners]);
            sides.push((a.min(b), a.max(b), part));
            by_point[a as usize] = part;
        }
    }
    sides.sort_unstable();
    let shared = sides.windows(2).filter(|w| (w[0].0, w[0].1) == (w[1].0, w[1].1));
    let mut pairs: Vec<(u32, u32)> = shared.map(|w| (w[0].2, w[1].2)).collect();
    for shape in shapes.iter().zip(parts).filter(|(_, part)| **part == NONE).map(|(s, _)| s) {
        pairs.push((by_point[shape[0] as usize], by_point[shape[1] as usize]));
    }
    let mut lists = vec![Vec::new(); count];
    for (a, b) in pairs.into_iter().filter(|&(a, b)| a != b && a != NONE && b != NONE) {
        lists[a as usize].push(b);
        lists[b as usize].push(a);
    }
    for list in &mut lists {
        list.sort_unstable();
        list.dedup();
    }
    lists
}

/// Parts in the order in which they are taken away.
fn smallest_last(neighbours: &[Vec<u32>]) -> Vec<u32> {
    let mut left: Vec<usize> = neighbours.iter().map(Vec::len).collect();
    let mut gone = vec![false; left.len()];
    let mut heap: BinaryHeap<Reverse<(usize, u32)>> =
        left.iter().enumerate().map(|(part, &count)| Reverse((count, part as u32))).collect();
    let mut order = Vec::with_capacity(left.len());
    while let Some(Reverse((count, part))) = heap.pop() {
        // Old entries of parts that lost neighbours since.
        if gone[part as usize] || count != left[part as usize] {
            continue;
        }
        gone[part as usize] = true;
        order.push(part);
        for &other in neighbours[part as usize].iter().filter(|&&other| !gone[other as usize]) {
            left[other as usize] -= 1;
            heap.push(Reverse((left[other as usize], other)));
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_parts_differ() {
        // Squares of 30 x 30 corners, parts of 3 x 2 squares shifted from row to row.
        let (mut shapes, mut parts) = (Vec::new(), Vec::new());
        for y in 0..29u32 {
            for x in 0..29u32 {
                let corner = y * 30 + x;
                shapes.push([corner, corner + 1, corner + 31, corner + 30]);
                parts.push((y / 2) * 11 + (x + y / 2 % 3) / 3);
            }
        }
        let colours = Colours::new(900, &shapes, &parts);
        assert!(colours.used <= PALETTE, "{}", colours.used);
        for (i, &part) in parts.iter().enumerate() {
            for next in [i + 1, i + 29] {
                let Some(&other) = parts.get(next).filter(|_| next != i + 1 || next % 29 != 0)
                else {
                    continue;
                };
                let same = colours.of[part as usize] == colours.of[other as usize];
                assert!(part == other || !same, "{part} {other}");
            }
        }
    }

    #[test]
    fn more_than_the_palette() {
        // Twelve parts, each joined with each.
        let all: Vec<Shape> = (0..12).map(|p| [2 * p, 2 * p + 1, NONE, NONE]).collect();
        let pairs = (0..12u32).flat_map(|a| (0..a).map(move |b| [2 * a, 2 * b, NONE, NONE]));
        let shapes: Vec<Shape> = all.into_iter().chain(pairs).collect();
        let parts: Vec<u32> =
            (0..shapes.len() as u32).map(|i| if i < 12 { i } else { NONE }).collect();
        let colours = Colours::new(24, &shapes, &parts);
        let mut found = colours.of.clone();
        found.sort_unstable();
        assert_eq!(found, (0..12).collect::<Vec<_>>());
        assert!(colours.of.iter().any(|&c| c >= PALETTE) && colours.used == 12);
    }
}
