//! Pictures of meshes, of what parts exchange, and of placements.

use super::grids::{below, check_grid, path_points};
use crate::*;
use palmette_core::NONE;
use roxmltree::Document;

/// Squares of `side` x `side` corners, in space if `deep`, dealt out to parts in blocks.
fn squares(side: u32, deep: bool) -> (Vec<[f64; 3]>, Vec<Shape>, Vec<u32>) {
    let (mut points, mut shapes, mut parts) = (Vec::new(), Vec::new(), Vec::new());
    for y in 0..side {
        for x in 0..side {
            points.push([x, y, if deep { x * y } else { 0 }].map(f64::from));
            if x + 1 < side && y + 1 < side {
                let corner = y * side + x;
                shapes.push([corner, corner + 1, corner + side + 1, corner + side]);
                parts.push(4 * (4 * y / side) + 4 * x / side);
            }
        }
    }
    (points, shapes, parts)
}

fn drawing<'a>(
    points: &'a [[f64; 3]],
    shapes: &'a [Shape],
    parts: Option<&'a [u32]>,
) -> MeshDrawing<'a> {
    let what = ["element", "elements"];
    MeshDrawing { title: "a < b", subtitle: "", points, shapes, what, parts }
}

/// The number of closed shapes with a class.
fn closed(picture: &str, class: &str) -> usize {
    let document = Document::parse(picture).expect("well-formed");
    let paths = document.descendants().filter(|n| n.has_tag_name("path"));
    let with = paths.filter(|n| {
        let classes = n.attribute("class").unwrap_or("");
        classes.split(' ').any(|c| c == class)
    });
    with.map(|n| n.attribute("d").unwrap_or("").matches('z').count()).sum()
}

#[test]
fn meshes_of_every_size() {
    for side in [2, 3, 20, 60] {
        for deep in [false, true] {
            let (points, shapes, parts) = squares(side, deep);
            let plain = drawing(&points, &shapes, None).to_svg();
            check_grid(&plain);
            assert_eq!(closed(&plain, "wire"), shapes.len());
            let coloured = drawing(&points, &shapes, Some(&parts)).to_svg();
            check_grid(&coloured);
            assert_eq!(closed(&coloured, "tile"), shapes.len());
            assert_eq!(coloured.contains("oblique projection"), deep);
        }
    }
    let none = drawing(&[], &[], Some(&[])).to_svg();
    check_grid(&none);
}

#[test]
fn many_elements_become_dots_or_a_sample() {
    let (points, shapes, parts) = squares(201, false);
    assert!(shapes.len() > MAX_SHAPES);
    let dots = drawing(&points, &shapes, Some(&parts)).to_svg();
    check_grid(&dots);
    assert!(dots.contains("drawn as dots of 2 pixels") && dots.len() < 200_000);
    // The dots of all parts together cover the square.
    let document = Document::parse(&dots).expect("well-formed");
    let paths = document.descendants().filter(|n| n.has_tag_name("path"));
    let mut area = 0.0;
    for data in paths.filter_map(|n| n.attribute("d")) {
        for rectangle in data.split('M').skip(1) {
            let points = path_points(&format!("M{rectangle}"));
            let (low, high) = scale::range(points.iter().map(|p| p.0));
            area += 2.0 * (high - low);
        }
    }
    assert!((area / (430.0 * 430.0) - 1.0).abs() < 0.02, "{area}");
    let sample = drawing(&points, &shapes, None).to_svg();
    assert!(sample.contains("30,000 of 40,000 elements drawn"));
    assert_eq!(closed(&sample, "wire"), MAX_SHAPES);
}

#[test]
fn samples_have_all_large_elements() {
    let (points, mut shapes, _) = squares(201, false);
    let large = 100;
    for corner in 0..large {
        shapes.push([corner, corner + 90, corner + 90 + 201 * 90, corner + 201 * 90]);
    }
    let sample = drawing(&points, &shapes, None).to_svg();
    assert_eq!(closed(&sample, "wire"), MAX_SHAPES);
    assert_eq!(closed(&sample, "wire") - closed(&sample, "bare"), large as usize);
}

/// The numbers of parts, with their places.
fn numbers(picture: &str) -> Vec<(u32, (f64, f64))> {
    let document = Document::parse(picture).expect("well-formed");
    let texts = document.descendants().filter(|n| n.attribute("class") == Some("panel halo"));
    let number = |n: roxmltree::Node<'_, '_>| {
        let part = n.text().and_then(|text| text.parse().ok()).expect("a number");
        (part, (super::attribute(n, "x"), super::attribute(n, "y")))
    };
    texts.map(number).collect()
}

#[test]
fn parts_have_their_numbers() {
    for (side, deep) in [(20, false), (20, true), (201, false)] {
        let (points, shapes, parts) = squares(side, deep);
        let picture = drawing(&points, &shapes, Some(&parts)).to_svg();
        check_grid(&picture);
        let found = numbers(&picture);
        assert!(found.len() == 16 || deep, "{side}: {found:?}");
        assert!(!found.is_empty(), "{side}: {found:?}");
        for &(part, (x, y)) in found.iter().filter(|_| !deep) {
            // Blocks from the lower left, of 430 / 4 pixels.
            let (column, row) = ((x - 20.0) / 107.5, (94.0 + 430.0 - y) / 107.5);
            assert_eq!(part, 4 * row as u32 + column as u32, "{x} {y}");
            let off = [column, row].map(|at| (at.fract() - 0.5).abs());
            assert!(off.iter().all(|&off| off < 0.2), "{part}: {off:?}");
        }
    }
}

#[test]
fn numbers_that_cannot_be_read_are_left_out() {
    // Strips of one element, 16 pixels wide: one digit fits, two would not.
    let (points, shapes, _) = squares(27, false);
    let narrow: Vec<u32> = (0..shapes.len() as u32).map(|e| e % 26).collect();
    let picture = drawing(&points, &shapes, Some(&narrow)).to_svg();
    let strips = numbers(&picture);
    assert!(strips.iter().all(|&(part, _)| part < 10), "{strips:?}");
    assert!(!strips.is_empty() && picture.contains("parts without room for a number: 10, 11,"));
    let (points, shapes, _) = squares(41, false);
    // Hundreds of parts have none.
    let many: Vec<u32> = (0..shapes.len() as u32).map(|e| (e / 40 / 4) * 20 + e % 40 / 2).collect();
    let picture = drawing(&points, &shapes, Some(&many)).to_svg();
    assert!(numbers(&picture).is_empty());
    assert!(picture.contains("200 parts without room for a number"));
    // A frame of part 1 around part 0: the number of the frame stands in it.
    let around = |e: usize| u32::from(!(6..34).contains(&(e % 40)) || !(6..34).contains(&(e / 40)));
    let ring: Vec<u32> = (0..shapes.len()).map(around).collect();
    let found = numbers(&drawing(&points, &shapes, Some(&ring)).to_svg());
    let [(0, inner), (1, outer)] = found[..] else { panic!("{found:?}") };
    assert!((inner.0 - 235.0).abs() < 6.0 && (outer.0 - 235.0).hypot(outer.1 - 309.0) > 150.0);
}

/// Rings around a small hole, far out: quadrilaterals, and the part of each.
fn rings() -> (Vec<[f64; 3]>, Vec<Shape>, Vec<u32>) {
    let (mut points, mut shapes, mut parts) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..40 * 32u32 {
        let (ring, sector) = (i / 32, i % 32);
        let angle = std::f64::consts::TAU * f64::from(sector) / 32.0;
        let radius = 1.25f64.powi(ring as i32);
        points.push([radius * angle.cos(), radius * angle.sin(), 0.0]);
        if ring < 39 {
            let next = ring * 32 + (sector + 1) % 32;
            shapes.push([i, next, next + 32, i + 32]);
            parts.push(ring / 20);
        }
    }
    (points, shapes, parts)
}

/// The frames of an inset: in the key, around the part, and where it is drawn again.
fn frames(picture: &str) -> Vec<[f64; 4]> {
    let document = Document::parse(picture).expect("well-formed");
    let frames = document.descendants().filter(|n| n.attribute("class") == Some("frame"));
    frames.map(|n| ["x", "y", "width", "height"].map(|name| super::attribute(n, name))).collect()
}

/// Parts around a point, ten times nearer from ring to ring; the field of `1 / r`.
#[test]
fn crowded_parts_and_fields_are_drawn_again_larger() {
    let at = |part: u32| {
        let (radius, angle) = (0.1f64.powi(part as i32 / 8), f64::from(part % 8) * 0.785);
        [radius * angle.cos(), radius * angle.sin(), 0.0]
    };
    let places: Vec<[f64; 3]> = (0..24).map(at).collect();
    let pairs: Vec<(u32, u32, u64)> = (1..24).map(|part| (part - 1, part, 9)).collect();
    let quotient = QuotientDrawing { title: "", subtitle: "", places: &places, pairs: &pairs };
    let (points, shapes, _) = rings();
    let values: Vec<f64> = points.iter().map(|p| 1.0 / p[0].hypot(p[1])).collect();
    let field = FieldDrawing {
        title: "",
        subtitle: "",
        name: "",
        points: &points,
        shapes: &shapes,
        values: &values,
        components: 1,
        cells: false,
    };
    for (picture, words) in [
        (quotient.to_svg(), "16 of 24 parts, drawn again"),
        (field.to_svg(), "of 1,280 nodes, drawn again"),
    ] {
        check_grid(&picture);
        assert!(picture.contains(words) && frames(&picture).len() == 3, "{words}");
    }
    // A number for each part, in the drawing or in the inset.
    let found = numbers(&quotient.to_svg());
    assert!((0..16).all(|part| found.iter().any(|n| n.0 == part)), "{found:?}");
}

#[test]
fn crowded_nodes_are_drawn_again_larger() {
    let (points, shapes, parts) = rings();
    for parts in [None, Some(&parts[..])] {
        let picture = drawing(&points, &shapes, parts).to_svg();
        check_grid(&picture);
        assert!(
            picture.contains("of 1,280 nodes, drawn again") && picture.contains("times larger")
        );
        let class = if parts.is_some() { "tile" } else { "wire" };
        // Shapes of the dense part are there twice.
        let twice = closed(&picture, class) - shapes.len();
        assert!(twice > shapes.len() / 3 && twice < shapes.len(), "{twice}");
        let [sign, small, large] = frames(&picture)[..] else { panic!("two frames and a sign") };
        assert!(sign[2] == 14.0 && small[2] < 90.0 && large[2] > 3.0 * small[2]);
    }
    // Inner parts are seen in the inset only, and no number stands on the frame around them.
    let halves: Vec<u32> =
        (0..shapes.len() as u32).map(|e| e / 32 / 10 * 2 + e % 32 / 16).collect();
    let lines = |&[a, b, ..]: &Shape| [a, b, NONE, NONE];
    let lines: Vec<Shape> = shapes.iter().map(lines).collect();
    for shapes in [&shapes, &lines] {
        let picture = drawing(&points, shapes, Some(&halves)).to_svg();
        let found = numbers(&picture);
        let (whole, inset): (Vec<_>, Vec<_>) = found.iter().partition(|n| n.1.1 < 524.0);
        assert!(inset.len() >= 2 && whole.len() >= 2, "{found:?}");
        assert!(picture.contains("parts without room for a number: 0, 1"), "{found:?}");
        let [mark, _] = frames(&picture)[1..] else { panic!("two frames and a sign") };
        for (_, (x, y)) in whole {
            let beside = x + 7.0 < mark[0] || mark[0] + mark[2] < x - 7.0;
            assert!(beside || y < mark[1] || mark[1] + mark[3] < y - 9.0, "{mark:?} {x} {y}");
        }
    }
    let (points, shapes, parts) = squares(60, false);
    assert!(!drawing(&points, &shapes, Some(&parts)).to_svg().contains("times larger"));
}

#[test]
fn edges_between_parts_are_pale() {
    let points = [[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [3.0, 1.0, 0.0]];
    let shapes = [[0, 1, NONE, NONE], [1, 2, NONE, NONE], [2, 3, NONE, NONE]];
    let picture = drawing(&points, &shapes, Some(&[0, NONE, 1])).to_svg();
    check_grid(&picture);
    assert!(picture.contains("edge between two parts") && picture.contains("2 parts drawn"));
    assert!(picture.contains("<title>part 0</title>") && picture.contains("<title>part 1</title>"));
}

#[test]
fn widths_are_in_proportion_to_values() {
    let places = [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]];
    let pairs = [(0, 1, 40), (1, 2, 10), (0, 2, 1)];
    let drawing = QuotientDrawing { title: "a < b", subtitle: "", places: &places, pairs: &pairs };
    let picture = drawing.to_svg();
    check_grid(&picture);
    let document = Document::parse(&picture).expect("well-formed");
    let width = |hint: &str| {
        let titles = document.descendants().filter(|n| n.has_tag_name("title"));
        let mut found = titles.filter(|n| n.text().is_some_and(|t| t.starts_with(hint)));
        let line = found.next().and_then(|n| n.parent()).expect(hint);
        super::attribute(line, "stroke-width")
    };
    assert_eq!([width("parts 0 and 1"), width("parts 1 and 2")], [9.0, 2.25]);
    assert_eq!(width("parts 0 and 2"), 0.5);
    assert!(picture.contains("3 parts · 3 pairs that exchange · 51 values"));
    for places in [&places[..0], &places[..1]] {
        check_grid(&QuotientDrawing { places, pairs: &[], ..drawing }.to_svg());
    }
    let many: Vec<(u32, u32, u64)> = (0..20_000).map(|i| (i % 3, (i + 1) % 3, i.into())).collect();
    let picture = QuotientDrawing { pairs: &many, ..drawing }.to_svg();
    assert!(picture.contains("only the 10,000 widest of 20,000 lines drawn"));
}

#[test]
fn machines_of_every_form() {
    for (sides, torus) in [
        (&[1][..], false),
        (&[7], true),
        (&[1, 2], true),
        (&[8, 8], true),
        (&[8, 5], false),
        (&[4, 4, 4], true),
        (&[2, 3, 5], false),
        (&[64, 64], true),
    ] {
        let count = sides.iter().product::<u32>() as usize;
        let parts: Vec<u32> =
            (0..count as u32).map(|p| if p % 5 == 4 { NONE } else { p }).collect();
        let mut state = 3;
        let loads: Vec<u64> = (0..2 * sides.len() * count).map(|_| below(&mut state, 30)).collect();
        let picture = PlacementDrawing {
            title: "a < b",
            subtitle: "sub",
            sides,
            torus,
            parts: &parts,
            loads: &loads,
            nodes: &[],
            dead: &[0],
        };
        let text = picture.to_svg();
        if count < 4000 {
            check_grid(&text);
        }
        super::check(&text);
        assert!(text.len() < 2_000_000, "{}", text.len());
        // A ring has a link a processor each way, a row one less.
        let links = |&side: &u32| {
            let side = side as usize;
            let rows = count / side;
            2 * rows * if torus && side > 2 { side } else { side - 1 }
        };
        let expected: usize = sides.iter().map(links).sum();
        let hints = text.matches("<title>from ").count();
        if expected > 4096 {
            assert_eq!(hints, 0);
            continue;
        }
        let around: usize = (sides.len().saturating_sub(2)..sides.len())
            .map(|axis| sides[axis] as usize)
            .filter(|&side| torus && side > 2)
            .map(|side| 2 * count / side)
            .sum();
        // Links around the torus are drawn at both ends.
        assert_eq!(hints, expected + around, "{sides:?} {torus}");
    }
}

/// A plate in parts on a torus, its tree on a grid.
#[test]
fn an_overview_has_six_panels() {
    let side = 12;
    let (points, shapes, parts) = squares(side, false);
    let parent = |i: u32| match i {
        0 => NONE,
        i if i % side == 0 => i - side,
        i => i - 1,
    };
    let parents: Vec<u32> = (0..side * side).map(parent).collect();
    let tree: Vec<(u32, u32)> = (1..side * side).map(|i| (parent(i), i)).collect();
    let cells: Vec<(u32, u32)> = (0..side * side).map(|i| (i % side, i / side)).collect();
    let mut on: Vec<u32> = (0..16).collect();
    on[3] = NONE;
    let overview = Overview {
        title: "A way & its end, with a title that needs more than one line of this picture",
        subtitle: "from a mesh",
        facts: [(); 6].map(|_| "so many nodes, and so many edges between them".to_string()),
        points: &points,
        shapes: &shapes,
        parts: &parts,
        sides: [4, 4],
        torus: true,
        on: &on,
        tree: &tree,
        recovered: &[(0, 13)],
        parents: &parents,
        grid: [side, side],
        cells: &cells,
    };
    let picture = overview.to_svg();
    check_grid(&picture);
    for name in ["1  Mesh", "2  Parts", "3  Machine", "4  Skeleton", "5  Tree", "6  Grid"] {
        assert!(picture.contains(&format!(">{name}<")), "{name}");
    }
    // A processor has the colour of its part.
    let class = |hint: &str| {
        let end = picture.find(&format!("<title>{hint}</title>")).expect(hint);
        let start = picture[..end].rfind("class=\"").expect("a class");
        let class = picture[start + 7..end].split('"').next().unwrap_or_default();
        class.trim_end_matches(" whole").to_string()
    };
    for part in [0, 5, 15] {
        let processor = class(&format!("processor {part}: part {part}"));
        assert_eq!(class(&format!("part {part}")), processor);
    }
    assert_eq!(class("processor 3 without a part"), "zero");
    let small = Overview { grid: [0, 0], cells: &[], parents: &[], tree: &[], ..overview.clone() };
    check_grid(&Overview { shapes: &[], parts: &[], on: &[], sides: [0, 0], ..small }.to_svg());
}
