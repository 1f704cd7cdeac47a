//! Fields over plane meshes.

use std::path::Path;

use palmette_core::NONE;
use palmette_report::{FieldDrawing, Shape};

use crate::Outcome;

type Mesh = (Vec<[f64; 3]>, Vec<Shape>);

pub(crate) fn draw(directory: &Path) -> Outcome {
    let save = |file: &str, title: &str, name: &str, mesh: &Mesh, values: &[f64]| {
        let (points, shapes) = mesh;
        let components = values.len() / points.len();
        let subtitle = "";
        let picture = FieldDrawing {
            title,
            subtitle,
            name,
            points,
            shapes,
            values,
            components,
            cells: false,
        }
        .to_svg();
        std::fs::write(directory.join(format!("field-{file}.svg")), picture)
    };
    let over = |mesh: &Mesh, field: &dyn Fn(f64, f64) -> f64| -> Vec<f64> {
        mesh.0.iter().map(|p| field(p[0], p[1])).collect()
    };
    let mesh = cracked(40);
    save("crack", "A plate with a crack, torn", "displacement (mm)", &mesh, &tear(&mesh))?;
    let mut tips = tear(&mesh);
    tips[..90].fill(f64::NAN);
    save("odd", "Numbers are missing", "displacement (mm)", &mesh, &tips)?;

    let mesh = plate((12, 8), (3.0, 2.0), false);
    let wave = |x: f64, y: f64| (2.0 * x).sin() * (2.5 * y).cos();
    save("quadrilaterals", "Twelve times eight", "height", &mesh, &over(&mesh, &wave))?;
    save("constant", "Nothing happens", "height", &mesh, &[4.25; 13 * 9])?;
    let mesh = plate((60, 40), (3.0, 2.0), true);
    let turning: Vec<f64> = mesh.0.iter().flat_map(|p| [1.0 - p[1], p[0] - 1.5]).collect();
    save("vectors", "Around the middle", "velocity (m/s)", &mesh, &turning)?;
    let mesh = plate((200, 4), (100.0, 1.0), true);
    save("long", "A hundred to one", "height", &mesh, &over(&mesh, &|x, _| (x / 9.0).sin()))?;
    let one = (vec![[0.0; 3], [2.0, 0.3, 0.0], [0.7, 1.5, 0.0]], vec![[0, 1, 2, NONE]]);
    save("triangle", "One triangle", "height", &one, &[-3.0, -2.0, -1.0])?;
    let mesh = plate((700, 715), (1.0, 1.0), true);
    let field = |x: f64, y: f64| 1000.0 + 1e-3 * wave(3.0 * x, 3.0 * y);
    save("million", "A million triangles", "pressure (hPa)", &mesh, &over(&mesh, &field))?;
    Ok(())
}

/// Squares over `size`, or two triangles each.
fn plate((columns, rows): (u32, u32), size: (f64, f64), triangles: bool) -> Mesh {
    let (mut points, mut shapes) = (Vec::new(), Vec::new());
    for y in 0..=rows {
        for x in 0..=columns {
            let [u, v] = [(x, columns), (y, rows)].map(|(i, n)| f64::from(i) / f64::from(n));
            points.push([u * size.0, v * size.1, 0.0]);
            if x < columns && y < rows {
                let a = y * (columns + 1) + x;
                let [b, c, d] = [a + 1, a + columns + 2, a + columns + 1];
                if triangles {
                    shapes.extend([[a, b, c, NONE], [c, d, a, NONE]]);
                } else {
                    shapes.push([a, b, c, d]);
                }
            }
        }
    }
    (points, shapes)
}

/// A square whose middle row is cut from the left side to the middle: the nodes there are
/// doubled, those of the lower side last.
fn cracked(side: u32) -> Mesh {
    let (mut points, mut shapes) = plate((side, side), (2.0, 2.0), true);
    let (row, upper) = (side / 2 * (side + 1), points.len() as u32);
    let cut = row..row + side / 2;
    points.extend(cut.clone().map(|node| [points[node as usize][0], 1.0, 0.0]).collect::<Vec<_>>());
    for shape in &mut shapes {
        let below = shape.iter().any(|&node| node < row);
        for node in shape.iter_mut().filter(|node| below && cut.contains(node)) {
            *node = upper + (*node - row);
        }
    }
    (points, shapes)
}

/// The field of a crack that is torn: `sqrt(r) sin(θ / 2)` around its tip.
fn tear((points, _): &Mesh) -> Vec<f64> {
    let lower = points.len() - 20;
    let at = |(node, p): (usize, &[f64; 3])| {
        let (x, y) = (p[0] - 1.0, p[1] - 1.0);
        let value = x.hypot(y).sqrt() * (y.atan2(x) / 2.0).sin();
        if node >= lower { -value } else { value }
    };
    points.iter().enumerate().map(at).collect()
}
