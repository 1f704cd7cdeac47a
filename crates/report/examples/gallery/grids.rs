//! Trees on grids, and the messages between their vertices.

use std::path::Path;

use palmette_core::generate::{Shape, generate};
use palmette_core::{NONE, Tree};
use palmette_report::{GridLayout, LinkLoads, RasterMap};

use crate::Outcome;

pub(crate) fn draw(directory: &Path) -> Outcome {
    for (side, n) in [(16, 256), (64, 4096), (1024, 1 << 20)] {
        let tree = Tree::from_parents(&generate(Shape::Random, n, 7)?)?;
        let curve: Vec<(u32, u32)> = (0..side * side).map(|i| hilbert(side, i)).collect();
        let on_curve = light_first(&tree).into_iter().map(|i| curve[i as usize]).collect();
        // An odd factor permutes the numbers below a power of two.
        let place = |i: u32| i.wrapping_mul(2_654_435_761) % (side * side);
        let scattered = (0..n as u32).map(place).map(|i| (i % side, i / side)).collect();
        let orders: [(_, _, Vec<(u32, u32)>); 2] = [
            ("light-first", "light-first order on a Hilbert curve", on_curve),
            ("scattered", "vertices scattered over the grid", scattered),
        ];
        for (name, subtitle, cells) in orders {
            let picture = GridLayout {
                title: "A random tree on a grid",
                subtitle,
                width: side,
                height: side,
                cells: &cells,
                parents: tree.parents(),
                curve: (name == "light-first").then_some(&curve),
            };
            std::fs::write(directory.join(format!("grid-{side}-{name}.svg")), picture.to_svg())?;
            let (horizontal, vertical) = loads(side, &cells, tree.parents());
            let picture = LinkLoads {
                title: "Messages from the vertices of a random tree to their parents",
                subtitle: &format!("{subtitle}; routes go along rows, then along columns"),
                width: side,
                height: side,
                horizontal: &horizontal,
                vertical: &vertical,
            };
            std::fs::write(directory.join(format!("links-{side}-{name}.svg")), picture.to_svg())?;
        }
    }
    let tree = Tree::from_parents(&generate(Shape::Random, 40, 7)?)?;
    let row: Vec<(u32, u32)> = (0..40).map(|x| (x, 0)).collect();
    let picture = GridLayout {
        title: "A random tree in a row",
        subtitle: "in preorder",
        width: 40,
        height: 1,
        cells: &row,
        parents: tree.parents(),
        curve: None,
    };
    std::fs::write(directory.join("grid-row.svg"), picture.to_svg())?;
    let values: Vec<f64> = (0..60 * 80)
        .map(|cell| {
            let (row, column) = (cell / 80, cell % 80);
            let apart = |r: i32, c: i32| f64::from((row - r).pow(2) + (column - c).pow(2)).sqrt();
            let lake = apart(40, 25) < 9.0;
            if lake {
                f64::NAN
            } else {
                (-apart(10, 10) / 4.0).exp() + (-apart(45, 60) / 6.0).exp()
            }
        })
        .collect();
    let places = [((10, 10), "1".to_string()), ((45, 60), "2".to_string())];
    let map = RasterMap {
        title: "Currents through hills",
        subtitle: "a map with a lake",
        quantity: "current",
        columns: 80,
        values: &values,
        places: &places,
    };
    std::fs::write(directory.join("raster-map.svg"), map.to_svg())?;
    Ok(())
}

/// The cell at a place of the Hilbert curve through a square whose side is a power of two.
pub(crate) fn hilbert(side: u32, mut place: u32) -> (u32, u32) {
    let (mut x, mut y) = (0, 0);
    let mut s = 1;
    while s < side {
        let right = (place / 2) & 1;
        let down = (place ^ right) & 1;
        if down == 0 {
            if right == 1 {
                (x, y) = (s - 1 - x, s - 1 - y);
            }
            (x, y) = (y, x);
        }
        (x, y) = (x + s * right, y + s * down);
        place /= 4;
        s *= 2;
    }
    (x, y)
}

/// The place of every position in the preorder that visits smaller subtrees first.
pub(crate) fn light_first(tree: &Tree) -> Vec<u32> {
    let sizes = tree.sizes();
    let mut places = vec![0; tree.len()];
    let mut next = 0;
    let mut pending: Vec<u32> = tree.root_positions().collect();
    while let Some(position) = pending.pop() {
        places[position as usize] = next;
        next += 1;
        let first = pending.len();
        pending.extend(tree.children(position));
        pending[first..].sort_by_key(|&child| std::cmp::Reverse(sizes[child as usize]));
    }
    places
}

/// The loads of horizontal and vertical links when every vertex sends a message to its
/// parent, first along its row, then along the parent's column.
pub(crate) fn loads(side: u32, cells: &[(u32, u32)], parents: &[u32]) -> (Vec<u64>, Vec<u64>) {
    let link = |x: u32, y: u32, width: u32| (y * width + x) as usize;
    let mut horizontal = vec![0; link(0, side, side - 1)];
    let mut vertical = vec![0; link(0, side - 1, side)];
    for (&(x, y), &parent) in cells.iter().zip(parents).filter(|p| *p.1 != NONE) {
        let to = cells[parent as usize];
        (x.min(to.0)..x.max(to.0)).for_each(|x| horizontal[link(x, y, side - 1)] += 1);
        (y.min(to.1)..y.max(to.1)).for_each(|y| vertical[link(to.0, y, side)] += 1);
    }
    (horizontal, vertical)
}
