//! Meshes, their parts, what parts exchange, and placements.

use std::path::Path;

use palmette_core::NONE;
use palmette_report::{
    FieldDrawing, GraphDrawing, GroupsDrawing, MeshDrawing, NetworkDrawing, PlacementDrawing,
    QuotientDrawing, Shape,
};

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
    far(directory)?;
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
        let dead = if name == "solid" { &[5u32][..] } else { &[] };
        let (subtitle, nodes) = ("", &[][..]);
        let picture = PlacementDrawing { title, subtitle, sides, torus, parts, loads, nodes, dead };
        std::fs::write(directory.join(format!("placement-{name}.svg")), picture.to_svg())?;
    }
    machines(directory)
}

/// Parts in groups within groups, and on a network of switches.
fn machines(directory: &Path) -> Outcome {
    let parts: Vec<u32> = (0..192).map(|p| if p == 100 { NONE } else { p }).collect();
    let levels = [4u32, 32].map(|size| {
        (0..192 / size).map(move |group| (group * size, u64::from(group * 7 % 23 * size)))
    });
    let levels: Vec<Vec<(u32, u64)>> = levels.into_iter().rev().map(Iterator::collect).collect();
    let (title, subtitle) = ("Invented traffic of a hierarchy", "");
    let picture = GroupsDrawing { title, subtitle, parts: &parts, levels: &levels };
    std::fs::write(directory.join("placement-hierarchy.svg"), picture.to_svg())?;
    let nodes: Vec<Vec<u32>> = (0..36).map(|p| vec![2 * p, 2 * p + 1]).collect();
    let links: Vec<(u32, u32, u64, u32)> = (0..36u32)
        .flat_map(|a| (a + 1..36).map(move |b| (a, b)))
        .filter(|(a, b)| a / 4 == b / 4 || (a % 4 == b / 4 % 4 && b % 4 == a / 4 % 4))
        .map(|(a, b)| (a, b, u64::from(a * b % 17), 1))
        .collect();
    let order: Vec<u32> = (0..36).collect();
    let title = "Invented loads of a network";
    let (nodes, names, links) = (&nodes[..], &[][..], &links[..]);
    let picture = NetworkDrawing { title, subtitle, nodes, names, order: &order, links };
    std::fs::write(directory.join("placement-network.svg"), picture.to_svg())?;
    Ok(())
}

/// A mesh around a small hole with a far boundary: nodes crowd in its middle.
fn far(directory: &Path) -> Outcome {
    let (rings, sectors) = (48u32, 64u32);
    let (mut points, mut shapes, mut parts) = (Vec::new(), Vec::new(), Vec::new());
    for ring in 0..rings {
        let radius = 0.02 * 1.2f64.powi(ring as i32);
        for sector in 0..sectors {
            let angle = std::f64::consts::TAU * f64::from(sector) / f64::from(sectors);
            points.push([radius * angle.cos(), radius * angle.sin(), 0.0]);
            if ring + 1 < rings {
                let (here, next) = (ring * sectors, (sector + 1) % sectors);
                shapes.push([
                    here + sector,
                    here + next,
                    here + sectors + next,
                    here + sectors + sector,
                ]);
                parts.push(4 * (4 * ring / rings) + 4 * sector / sectors);
            }
        }
    }
    let mut picture = MeshDrawing {
        title: "A small hole in a large plate",
        subtitle: "",
        points: &points,
        shapes: &shapes,
        what: ["element", "elements"],
        parts: None,
    };
    std::fs::write(directory.join("mesh-far.svg"), picture.to_svg())?;
    picture.parts = Some(&parts);
    std::fs::write(directory.join("mesh-parts-far.svg"), picture.to_svg())?;
    // Made up: what flows around the hole, and what parts exchange.
    let speed = |p: &[f64; 3]| p[0] / (p[0].powi(2) + p[1].powi(2)).sqrt().max(0.02);
    let field = FieldDrawing {
        title: "Around a small hole",
        subtitle: "",
        name: "speed (m/s)",
        points: &points,
        shapes: &shapes,
        values: &points.iter().map(speed).collect::<Vec<f64>>(),
        components: 1,
        cells: false,
    };
    std::fs::write(directory.join("field-far.svg"), field.to_svg())?;
    let places: Vec<[f64; 3]> = (0..16u32)
        .map(|part| {
            let own = parts.iter().zip(&shapes).filter(|(p, _)| **p == part);
            let corners: Vec<[f64; 3]> = own.map(|(_, s)| points[s[0] as usize]).collect();
            [0, 1, 2]
                .map(|axis| corners.iter().map(|p| p[axis]).sum::<f64>() / corners.len() as f64)
        })
        .collect();
    let around = (0..16).map(|p| (p, p / 4 * 4 + (p + 1) % 4, 12));
    let pairs: Vec<(u32, u32, u64)> = around.chain((0..12).map(|p| (p, p + 4, 16))).collect();
    let title = "Parts around a small hole";
    let quotient = QuotientDrawing { title, subtitle: "", places: &places, pairs: &pairs };
    std::fs::write(directory.join("quotient-far.svg"), quotient.to_svg())?;
    let edges: Vec<(u32, u32)> = shapes.iter().flat_map(|&[a, b, _, d]| [(a, b), (a, d)]).collect();
    // Made up: spokes and one ring are a tree but for an edge.
    let is_spoke = |&&(a, b): &&(u32, u32)| a / sectors != b / sectors;
    let tree: Vec<(u32, u32)> =
        edges.iter().filter(is_spoke).copied().chain((1..sectors).map(|s| (s - 1, s))).collect();
    let recovered: Vec<(u32, u32)> =
        edges.iter().filter(|edge| !is_spoke(edge)).copied().skip(640).step_by(17).collect();
    let drawing = GraphDrawing {
        title: "Spokes of a wheel with a small hub",
        subtitle: "",
        points: &points,
        edges: &edges,
        tree: &tree,
        recovered: &recovered,
        names: palmette_report::SKELETON,
    };
    std::fs::write(directory.join("graph-far.svg"), drawing.to_svg())?;
    let lines: Vec<Shape> = edges.iter().map(|&(a, b)| [a, b, NONE, NONE]).collect();
    let of = |v: u32| 4 * (4 * (v / sectors) / rings) + 4 * (v % sectors) / sectors;
    let by_line: Vec<u32> =
        edges.iter().map(|&(a, b)| if of(a) == of(b) { of(a) } else { NONE }).collect();
    let picture = MeshDrawing {
        title: "Parts of a graph",
        shapes: &lines,
        what: ["edge", "edges"],
        parts: Some(&by_line),
        ..picture
    };
    Ok(std::fs::write(directory.join("graph-parts-far.svg"), picture.to_svg())?)
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
