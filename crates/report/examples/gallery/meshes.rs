//! Meshes, their parts, what parts exchange, and placements.

use std::path::Path;

use palmette_core::NONE;
use palmette_report::{MeshDrawing, PlacementDrawing, QuotientDrawing, Shape};

use crate::Outcome;

pub(crate) fn draw(directory: &Path) -> Outcome {
    for (name, side) in [("small", 25u32), ("large", 250)] {
        let (points, shapes, parts) = bent(side);
        let what = ["element", "elements"];
        let mut picture = MeshDrawing {
            title: "A bent plate",
            subtitle: "",
            points: &points,
            shapes: &shapes,
            what,
            parts: None,
        };
        std::fs::write(directory.join(format!("mesh-{name}.svg")), picture.to_svg())?;
        picture.parts = Some(&parts);
        std::fs::write(directory.join(format!("mesh-parts-{name}.svg")), picture.to_svg())?;
    }
    // Made up: a value more from pair to pair.
    let places: Vec<[f64; 3]> =
        (0..25u32).map(|p| [f64::from(p % 5), f64::from(p / 5), 0.0]).collect();
    let across = (0..25u32).filter(|p| p % 5 < 4).map(|p| (p, p + 1, u64::from(p) + 1));
    let pairs: Vec<(u32, u32, u64)> = across.chain((0..20).map(|p| (p, p + 5, 3))).collect();
    let title = "Parts in rows";
    let picture = QuotientDrawing { title, subtitle: "", places: &places, pairs: &pairs };
    std::fs::write(directory.join("quotient.svg"), picture.to_svg())?;
    for (name, sides, torus) in [
        ("torus", &[8, 8][..], true),
        ("mesh", &[3, 12], false),
        ("ring", &[9], true),
        ("solid", &[3, 4, 5], true),
    ] {
        let count = sides.iter().product::<u32>();
        let parts: Vec<u32> = (0..count).map(|p| if p == 5 { NONE } else { p }).collect();
        let loads: Vec<u64> =
            (0..u64::from(count) * 2 * sides.len() as u64).map(|i| i * i % 23).collect();
        let title = &format!("Invented loads of a {name}");
        let (parts, loads) = (&parts[..], &loads[..]);
        let picture = PlacementDrawing { title, subtitle: "", sides, torus, parts, loads };
        std::fs::write(directory.join(format!("placement-{name}.svg")), picture.to_svg())?;
    }
    Ok(())
}

/// Squares on a wave, sixteen parts in blocks.
fn bent(side: u32) -> (Vec<[f64; 3]>, Vec<Shape>, Vec<u32>) {
    let (mut points, mut shapes, mut parts) = (Vec::new(), Vec::new(), Vec::new());
    for y in 0..side {
        for x in 0..side {
            let [u, v] = [x, y].map(|i| f64::from(i) / f64::from(side - 1));
            points.push([u, v, 0.15 * (6.0 * u).sin()]);
            if x + 1 < side && y + 1 < side {
                let corner = y * side + x;
                shapes.push([corner, corner + 1, corner + side + 1, corner + side]);
                parts.push(4 * (4 * y / side) + 4 * x / side);
            }
        }
    }
    (points, shapes, parts)
}
