//! Pictures of fields: the raster is decoded and looked at dot by dot.

use super::attribute;
use super::grids::{below, check_grid, path_points};
use crate::colour::viridis_bytes;
use crate::*;
use palmette_core::NONE;
use roxmltree::Document;

type Mesh = (Vec<[f64; 3]>, Vec<Shape>);

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

fn drawing<'a>((points, shapes): &'a Mesh, values: &'a [f64]) -> FieldDrawing<'a> {
    let components = values.len() / points.len().max(1);
    let (title, subtitle, name) = ("a < b", "", "heat (K)");
    FieldDrawing {
        title,
        subtitle,
        name,
        points,
        shapes,
        values,
        components: components.max(1),
        cells: false,
    }
}

fn values(mesh: &Mesh, field: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    mesh.0.iter().map(|p| field(p[0], p[1])).collect()
}

/// The dots of the raster: red, green, blue, opacity.
struct Dots {
    columns: usize,
    rows: usize,
    bytes: Vec<[u8; 4]>,
}

impl Dots {
    fn of(picture: &str) -> Dots {
        let document = Document::parse(picture).expect("well-formed");
        let image = document.descendants().find(|n| n.has_tag_name("image")).expect("an image");
        let data = image.attribute("href").and_then(|h| h.strip_prefix("data:image/png;base64,"));
        let file = std::io::Cursor::new(decoded(data.expect("data of a PNG")));
        let mut decoder = ::png::Decoder::new(file);
        decoder.set_transformations(::png::Transformations::EXPAND | ::png::Transformations::ALPHA);
        let mut reader = decoder.read_info().expect("a PNG");
        let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
        let info = reader.next_frame(&mut bytes).expect("dots");
        assert_eq!(info.color_type, ::png::ColorType::Rgba);
        let (columns, rows) = (info.width as usize, info.height as usize);
        Dots { columns, rows, bytes: bytes.as_chunks::<4>().0.to_vec() }
    }

    /// The dot at shares of the width from the left and of the height from the bottom.
    fn at(&self, x: f64, y: f64) -> [u8; 4] {
        let dot = |share: f64, count: usize| ((share * count as f64) as usize).min(count - 1);
        self.bytes[dot(1.0 - y, self.rows) * self.columns + dot(x, self.columns)]
    }
}

fn decoded(text: &str) -> Vec<u8> {
    let digit = |b: u8| match b {
        b'A'..=b'Z' => b - b'A',
        b'a'..=b'z' => b - b'a' + 26,
        b'0'..=b'9' => b - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut bytes = Vec::new();
    for four in text.as_bytes().chunks(4) {
        let digits: Vec<u8> = four.iter().filter(|&&b| b != b'=').map(|&b| digit(b)).collect();
        let bits = digits.iter().fold(0u32, |bits, &d| bits << 6 | u32::from(d));
        bytes.extend(&(bits << (6 * (4 - digits.len()))).to_be_bytes()[1..digits.len()]);
    }
    bytes
}

/// As viridis has it, up to the steps of the palette.
fn assert_colour(found: [u8; 4], share: f64) {
    let expected = viridis_bytes(share);
    let near = (0..3).all(|i| found[i].abs_diff(expected[i]) <= 3);
    assert!(near && found[3] == 255, "{found:?} for {expected:?}");
}

#[test]
fn colours_are_interpolated() {
    // Linear in two triangles; bilinear in one square, where the middle has the mean.
    let slope = |x: f64, y: f64| 2.0 - x + 3.0 * y;
    for triangles in [true, false] {
        let mesh = plate((1, 1), (2.0, 1.0), triangles);
        let picture = drawing(&mesh, &values(&mesh, slope)).to_svg();
        check_grid(&picture);
        let dots = Dots::of(&picture);
        assert!(dots.columns == 2 * dots.rows && dots.columns > 1000, "{}", dots.columns);
        for (x, y) in [(0.01, 0.01), (0.5, 0.5), (0.9, 0.2), (0.3, 0.95), (0.999, 0.999)] {
            assert_colour(dots.at(x, y), slope(2.0 * x, y) / 5.0);
        }
    }
    let mesh = plate((1, 1), (1.0, 1.0), false);
    let dots = Dots::of(&drawing(&mesh, &values(&mesh, |x, y| x * y)).to_svg());
    for (x, y) in [(0.5, 0.5), (0.8, 0.9), (0.25, 0.75)] {
        assert_colour(dots.at(x, y), x * y);
    }
}

#[test]
fn what_is_outside_is_transparent() {
    let mut mesh = plate((4, 4), (1.0, 1.0), true);
    // Without the lower right quarter.
    let points = mesh.0.clone();
    mesh.1.retain(|shape| {
        shape[..3].iter().any(|&n| points[n as usize][0] < 0.5 || points[n as usize][1] > 0.5)
    });
    let dots = Dots::of(&drawing(&mesh, &values(&mesh, |x, _| x)).to_svg());
    for (row, line) in dots.bytes.chunks(dots.columns).enumerate() {
        for (column, dot) in line.iter().enumerate() {
            let outside = row >= dots.rows / 2 && column >= dots.columns / 2;
            assert_eq!(dot[3] == 0, outside, "{row} {column}");
        }
    }
}

/// Two squares that touch at nodes of their own: nothing is mixed across.
#[test]
fn jumps_stay_sharp() {
    let mut mesh = plate((1, 1), (1.0, 1.0), false);
    let right: Vec<[f64; 3]> = mesh.0.iter().map(|p| [p[0] + 1.0, p[1], 0.0]).collect();
    mesh.0.extend(right);
    mesh.1.push([4, 5, 7, 6]);
    let picture = drawing(&mesh, &[-1.0, -1.0, -1.0, -1.0, 7.0, 7.0, 7.0, 7.0]).to_svg();
    let dots = Dots::of(&picture);
    for line in dots.bytes.chunks(dots.columns) {
        let (left, right) = line.split_at(dots.columns / 2);
        assert!(left.iter().all(|&dot| dot == [68, 1, 84, 255]));
        assert!(right.iter().all(|&dot| dot == [253, 231, 37, 255]));
    }
    // No line of equal value on the way; both sides of the crack in the outline.
    assert!(!picture.contains("heat (K) = "));
    assert!(picture.contains("maximum 7 at (1, 0)") && picture.contains("minimum -1 at (0, 0)"));
}

#[test]
fn values_that_are_not_finite_have_their_colour() {
    let mesh = plate((4, 1), (4.0, 1.0), false);
    let mut field = values(&mesh, |x, _| x);
    (field[0], field[5]) = (f64::NAN, f64::NEG_INFINITY);
    let picture = drawing(&mesh, &field).to_svg();
    check_grid(&picture);
    assert!(picture.contains("value not finite: 2 nodes"));
    assert!(!picture.contains("NaN") && !picture.contains("inf"));
    let dots = Dots::of(&picture);
    assert_eq!(dots.at(0.1, 0.5), [213, 94, 0, 255]);
    // The range is that of the others.
    assert_colour(dots.at(0.625, 0.5), 0.5);
    let none = drawing(&mesh, &[f64::NAN; 10]).to_svg();
    check_grid(&none);
    assert!(none.contains("no value") && none.contains("not finite: 10 nodes"));
    assert_eq!(Dots::of(&none).at(0.9, 0.9), [213, 94, 0, 255]);
}

#[test]
fn constant_fields_say_so() {
    let mesh = plate((3, 3), (1.0, 1.0), true);
    for value in [0.0, -2.5, 1e300] {
        let picture = drawing(&mesh, &[value; 16]).to_svg();
        check_grid(&picture);
        assert!(picture.contains("the same everywhere") && !picture.contains("maximum"));
        assert_colour(Dots::of(&picture).at(0.3, 0.3), 0.5);
    }
}

/// Sizes, forms and ranges of all kinds are legible.
#[test]
fn fields_of_every_form() {
    let ranges = [(0.0, 1.0), (-3.0, 6.0), (1e6, 1e-3), (-1e-7, 2e-8), (-1e300, 1e301)];
    let sizes = [(1.0, 1.0), (100.0, 1.0), (0.01, 2.0), (1e-9, 1e-9), (4e8, 3e8), (1e6, 1.0)];
    for (i, cells) in [(1, 1), (7, 3), (60, 40)].into_iter().enumerate() {
        for (j, size) in sizes.into_iter().enumerate() {
            let (low, wide) = ranges[(i + j) % ranges.len()];
            let mut mesh = plate(cells, size, cells.0 == 7);
            // Far from the origin.
            mesh.0.iter_mut().for_each(|p| p[0] += 5.0 * size.0);
            let field = values(&mesh, |x, y| low + wide * ((x / size.0).sin() * y / size.1));
            let picture = drawing(&mesh, &field).to_svg();
            check_grid(&picture);
            assert!(picture.contains("maximum ") && picture.contains("minimum "));
        }
    }
    let one = (vec![[0.0; 3], [1.0, 0.0, 0.0], [0.3, 1.0, 0.0]], vec![[0, 1, 2, NONE]]);
    check_grid(&drawing(&one, &[1.0, 2.0, 3.0]).to_svg());
    check_grid(&drawing(&(vec![], vec![]), &[]).to_svg());
    let far = (vec![[-1e308, 0.0, 0.0], [1e308, 0.0, 0.0], [0.0, 1e308, 0.0]], one.1.clone());
    check_grid(&drawing(&far, &[-f64::MAX, 0.0, f64::MAX]).to_svg());
}

#[test]
fn lines_lie_at_their_values() {
    let mesh = plate((20, 10), (2.0, 1.0), true);
    let picture = drawing(&mesh, &values(&mesh, |x, _| 5.0 * x)).to_svg();
    let document = Document::parse(&picture).expect("well-formed");
    let image = document.descendants().find(|n| n.has_tag_name("image")).expect("an image");
    let (left, wide) = (attribute(image, "x"), attribute(image, "width"));
    let mut found = Vec::new();
    for line in document.descendants().filter(|n| n.has_tag_name("path")) {
        let Some(hint) = line.first_element_child().and_then(|n| n.text()) else { continue };
        let Some(level) = hint.strip_prefix("heat (K) = ") else { continue };
        let level: f64 = level.parse().expect("a number");
        for (x, _) in path_points(line.attribute("d").expect("data")) {
            assert!((x - left - wide * level / 10.0).abs() < 0.02, "{x} {level}");
        }
        found.push(level);
    }
    assert_eq!(found, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
}

/// Arrows of vectors that turn around the middle, and lengths of vectors of space.
#[test]
fn vectors_have_lengths_and_directions() {
    let mesh = plate((40, 40), (2.0, 2.0), false);
    let turning: Vec<f64> = mesh.0.iter().flat_map(|p| [1.0 - p[1], p[0] - 1.0]).collect();
    let picture = drawing(&mesh, &turning).to_svg();
    check_grid(&picture);
    assert!(picture.contains("heat (K), length") && picture.contains("arrows: direction"));
    assert_colour(Dots::of(&picture).at(0.999, 0.999), 1.0);
    let document = Document::parse(&picture).expect("well-formed");
    let arrows = document.descendants().find(|n| n.attribute("class") == Some("arrow"));
    let points = path_points(arrows.and_then(|n| n.attribute("d")).expect("arrows"));
    let image = document.descendants().find(|n| n.has_tag_name("image")).expect("an image");
    let half = attribute(image, "width") / 2.0;
    let middle = ["x", "y"].map(|axis| attribute(image, axis) + half);
    // Five points per arrow; it goes around the middle against the clock, up to a node's place.
    assert!(points.len().is_multiple_of(5) && points.len() > 500, "{}", points.len());
    for arrow in points.chunks(5) {
        let from = (arrow[0].0 - middle[0], arrow[0].1 - middle[1]);
        let to = (arrow[1].0 - middle[0], arrow[1].1 - middle[1]);
        assert!(from.0 * to.1 - from.1 * to.0 < 0.0, "{arrow:?}");
        assert!((from.0.hypot(from.1) - to.0.hypot(to.1)).abs() < 0.1, "{arrow:?}");
    }
    let space: Vec<f64> = mesh.0.iter().flat_map(|p| [p[0], 0.0, 0.0]).collect();
    let picture = drawing(&mesh, &space).to_svg();
    assert!(picture.contains("heat (K), length = 1") && !picture.contains("class=\"arrow\""));
}

#[test]
fn large_and_rough_fields_are_small_files() {
    let mesh = plate((700, 715), (1.0, 1.0), true);
    assert!(mesh.1.len() > 1_000_000);
    let smooth = drawing(&mesh, &values(&mesh, |x, y| (9.0 * x).sin() * (7.0 * y).cos())).to_svg();
    assert!(smooth.len() < 2_000_000, "{}", smooth.len());
    assert!(smooth.contains("contours at the colour-bar ticks"));
    let mut state = 5;
    let noise: Vec<f64> = mesh.0.iter().map(|_| below(&mut state, 1 << 30) as f64).collect();
    let rough = drawing(&mesh, &noise).to_svg();
    check_grid(&rough);
    assert!(rough.len() < 2_000_000, "{}", rough.len());
    assert!(rough.contains("too many contours to draw"));
    // Every other square: an outline of all sides.
    let mut holes = plate((400, 400), (1.0, 1.0), false);
    let mut number = 0u32;
    holes.1.retain(|_| {
        number += 1;
        (number + number / 400).is_multiple_of(2)
    });
    let picture = drawing(&holes, &values(&holes, |x, y| x + y)).to_svg();
    assert!(picture.len() < 2_000_000, "{}", picture.len());
    assert!(picture.contains("outline not drawn"));
}

#[test]
fn surfaces_are_told_from_planes() {
    assert!(FieldDrawing::is_plane(&[[0.0, 0.0, 2.0], [1.0, 5.0, 2.0]]));
    assert!(!FieldDrawing::is_plane(&[[0.0, 0.0, 2.0], [1.0, 5.0, 2.5]]));
    assert!(FieldDrawing::is_plane(&[[0.0, 0.0, 1e-17], [1.0, 5.0, -1e-17]]));
    assert!(FieldDrawing::is_plane(&[]));
}
