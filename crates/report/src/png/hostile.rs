//! Hostile pictures by the hundred, made from a seed: none may cause a panic or take long.

use super::{RenderError, budget, render};
use crate::tests::timed;
use crate::{GraphDrawing, MAX_EDGES, safe_svg};
use palmette_core::random::{Purpose, Random};
use resvg::usvg::{Options, Tree};
use std::fmt::Write;
use std::time::Duration;

const NUMBERS: [&str; 34] = [
    "0", "1", "-1", "5", "17.5", "30", "40", "-0", "1e-45", "1e-30", "1e-7", "0.001", "0.5", "255",
    "4096", "32767", "32768.5", "65536", "-70000", "1e5", "999999", "1e6", "2e6", "1e7", "1e9",
    "-1e12", "1e12", "3e18", "1e38", "-3.4e38", "1e39", "1e300", "nan", "50%",
];
/// So many of them may stand in a picture.
const TAME: usize = 22;
const UNITS: [&str; 8] = ["", "", "", "", "px", "em", "mm", "%"];
const SHAPES: [&str; 11] = [
    "rect", "circle", "ellipse", "line", "polyline", "polygon", "path", "text", "tspan", "image",
    "svg",
];
const LENGTHS: [&str; 20] = [
    "x",
    "y",
    "x1",
    "y1",
    "x2",
    "y2",
    "cx",
    "cy",
    "r",
    "rx",
    "ry",
    "width",
    "height",
    "dx",
    "dy",
    "stroke-width",
    "font-size",
    "letter-spacing",
    "stroke-dashoffset",
    "stroke-miterlimit",
];
const WORDS: [(&str, &[&str]); 12] = [
    ("stroke", &["red", "url(#g)", "url(#r)", "none", "#12345678"]),
    ("fill", &["none", "blue", "url(#g)", "url(#r)"]),
    ("stroke-linecap", &["round", "square"]),
    ("stroke-linejoin", &["round", "bevel", "miter", "arcs"]),
    ("opacity", &["0.5", "1e-30", "0"]),
    ("mix-blend-mode", &["multiply", "hue"]),
    ("fill-rule", &["evenodd"]),
    ("shape-rendering", &["crispEdges"]),
    ("vector-effect", &["non-scaling-stroke"]),
    ("preserveAspectRatio", &["none", "xMaxYMax slice"]),
    ("filter", &["blur(1000)", "blur(1e30)", "drop-shadow(9 9 9)"]),
    ("text-anchor", &["middle", "end"]),
];
const SPREADS: [&str; 3] = ["pad", "reflect", "repeat"];

struct Maker {
    random: Random,
    /// Numbers that no picture may have occur, too.
    wild: bool,
    svg: String,
}

impl Maker {
    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.random.below(of.len() as u32) as usize]
    }

    /// Mostly what a picture might have, so that something is drawn.
    fn number(&mut self) -> String {
        match self.random.below(16) {
            0..=10 => self.random.below(60).to_string(),
            11..=13 => format!("{:.2}", self.random.normal() * 40.0),
            _ if self.wild => self.one(&NUMBERS).to_string(),
            _ => self.one(&NUMBERS[..TAME]).to_string(),
        }
    }

    fn numbers(&mut self, most: u32) -> String {
        let count = 1 + self.random.below(most);
        (0..count).map(|_| self.number()).collect::<Vec<_>>().join(" ")
    }

    fn transform(&mut self) -> String {
        let name = self.one(&["matrix", "scale", "translate", "rotate", "skewX"]);
        let count = if name == "matrix" { 6 } else { 1 + self.random.below(2) };
        let numbers: Vec<String> = (0..count).map(|_| self.number()).collect();
        format!("{name}({})", numbers.join(","))
    }

    fn path(&mut self) -> String {
        let mut path = format!("M{} {}", self.number(), self.number());
        for _ in 0..self.random.below(12) {
            let (letter, count) =
                self.one(&[('L', 2), ('l', 2), ('H', 1), ('Q', 4), ('C', 6), ('s', 4), ('A', 7)]);
            path.push(letter);
            for place in 0..count {
                // The flags of an arc are digits.
                let flag = letter == 'A' && (place == 3 || place == 4);
                let number = if flag { self.one(&["0", "1"]).to_string() } else { self.number() };
                let _ = write!(path, " {number}");
            }
            if self.random.below(6) == 0 {
                path.push('Z');
            }
        }
        path
    }

    fn attribute(&mut self) {
        let (name, value) = match self.random.below(10) {
            0..=4 => (self.one(&LENGTHS), self.number() + self.one(&UNITS)),
            5 => ("stroke-dasharray", self.numbers(4)),
            6 => ("transform", self.transform()),
            7 => ("points", self.numbers(12)),
            8 => ("style", format!("{}:{}", self.one(&LENGTHS), self.number())),
            _ => {
                let (name, values) = self.one(&WORDS);
                (name, self.one(values).to_string())
            }
        };
        // An attribute that is there already would be no XML.
        let open = self.svg.rfind('<').unwrap_or(0);
        if !self.svg[open..].contains(&format!(" {name}=")) {
            let _ = write!(self.svg, " {name}=\"{value}\"");
        }
    }

    fn element(&mut self, depth: u32) {
        let group = depth < 6 && self.random.below(4) == 0;
        let name = if group { "g" } else { self.one(&SHAPES) };
        let _ = write!(self.svg, "<{name}");
        match name {
            "path" => {
                let path = self.path();
                let _ = write!(self.svg, " d=\"{path}\"");
            }
            "image" => {
                let data = self.one(&[PIXEL, LARGE, "AAAA"]);
                let _ = write!(self.svg, " href=\"data:image/png;base64,{data}\"");
            }
            // Every shape has a chance to be seen.
            "rect" | "circle" | "ellipse" if self.random.below(2) == 0 => {
                self.svg.push_str(" width=\"20\" height=\"9\" r=\"8\" rx=\"3\" ry=\"2\"");
            }
            _ => {}
        }
        if self.random.below(3) > 0 {
            self.svg.push_str(" stroke=\"red\"");
        }
        for _ in 0..self.random.below(6) {
            self.attribute();
        }
        self.svg.push('>');
        match name {
            "g" | "svg" if depth < 6 => {
                for _ in 0..self.random.below(4) {
                    self.element(depth + 1);
                }
            }
            "text" | "tspan" => self.svg.push_str("a\u{202e}b\u{0301}\u{1f469}\u{200d}c"),
            _ => {}
        }
        let _ = write!(self.svg, "</{name}>");
    }

    fn picture(&mut self) {
        self.svg.push_str("<svg xmlns=\"http://www.w3.org/2000/svg\"");
        if self.random.below(4) > 0 {
            self.svg.push_str(" width=\"60\" height=\"50\"");
        } else {
            let (width, height) = (self.number(), self.number());
            let _ = write!(self.svg, " width=\"{width}\" height=\"{height}\"");
        }
        if self.random.below(3) == 0 {
            let view: Vec<String> = (0..4).map(|_| self.number()).collect();
            let _ = write!(self.svg, " viewBox=\"{}\"", view.join(" "));
        }
        self.svg.push('>');
        for (element, id) in [("linearGradient", "g"), ("radialGradient", "r")] {
            let (spread, at, far) = (self.one(&SPREADS), self.number(), self.number());
            let turn = self.transform();
            let _ = write!(
                self.svg,
                "<{element} id=\"{id}\" gradientUnits=\"userSpaceOnUse\" spreadMethod=\"{spread}\" \
                 x1=\"{at}\" x2=\"{far}\" r=\"{at}\" fx=\"{far}\" gradientTransform=\"{turn}\">\
                 <stop offset=\"{at}\" stop-color=\"red\"/><stop offset=\"1\"/></{element}>"
            );
        }
        let (dash, width) = (self.numbers(3), self.number());
        let _ = write!(
            self.svg,
            "<style>rect{{stroke-dasharray:{dash}}}ellipse{{stroke-width:{width}}}</style>"
        );
        for _ in 0..1 + self.random.below(5) {
            self.element(0);
        }
        self.svg.push_str("</svg>");
    }
}

/// A pixel as PNG, and a header that promises 30,000 × 30,000 of them.
const PIXEL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const LARGE: &str = "iVBORw0KGgoAAAANSUhEUgAAdTAAAHUwCAYAAAD8zqYAAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

#[test]
fn hostile_pictures_neither_panic_nor_take_long() {
    const PICTURES: u64 = 1200;
    let (mut drawn, mut refused) = (0, 0);
    for number in 0..PICTURES {
        let random = Random::numbered(1, Purpose::Samples, number);
        let mut maker = Maker { random, wild: number % 2 == 0, svg: String::new() };
        maker.picture();
        let svg = &maker.svg;
        let safe = safe_svg(svg).unwrap_or_else(|error| panic!("{number}: {error}\n{svg}"));
        let (file, taken) = timed(|| render(&safe, 2.0));
        match file {
            Ok(file) => {
                assert!(file.starts_with(b"\x89PNG"));
                drawn += 1;
            }
            Err(RenderError::Failed(why)) => panic!("{number}: {why}\n{svg}"),
            Err(_) => refused += 1,
        }
        assert!(taken < Duration::from_secs(5), "{number}: {taken:?}\n{svg}");
    }
    // Both happen, or the pictures would test nothing.
    assert!(drawn > PICTURES / 4 && refused > PICTURES / 4, "{drawn} drawn, {refused} refused");
}

fn picture(inside: &str) -> String {
    format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"800\" height=\"600\">{inside}</svg>")
}

/// Each is small, and would take seconds to hours.
#[test]
fn what_takes_long_is_refused_soon() {
    let zigzag: String = (0..100_000).map(|i| format!("{},{} ", i % 800, i % 2 * 600)).collect();
    let rules: String = (0..20_000).map(|i| format!(".c{i}{{fill:red}}")).collect();
    let cases = [
        (picture("<circle r=\"1e12\" stroke=\"red\"/>"), "1e12 is too large, at most 1000000"),
        (
            picture("<g transform=\"scale(1e5)\"><circle r=\"1e5\"/></g>"),
            "at most 1000000 are allowed",
        ),
        (
            picture("<circle r=\"1e38\" stroke=\"red\" stroke-dasharray=\"1e-30\"/>"),
            "1e38 is too large, at most 1000000",
        ),
        (picture("<circle r=\"300\" stroke=\"red\" stroke-dasharray=\"1e-3\"/>"), "dashes"),
        (
            picture(&"<rect width=\"800\" height=\"600\" fill=\"red\"/>".repeat(20_000)),
            "pixels drawn",
        ),
        (picture(&format!("<polygon points=\"{zigzag}\"/>")), "edges"),
        (picture(&format!("<style>{rules}</style>{}", "<g/>".repeat(20_000))), "styles"),
        (picture(&format!("<text>{}</text>", "\u{12000}".repeat(30_000))), "letters"),
        (picture(&format!("<image href=\"data:image/png;base64,{LARGE}\"/>")), "raster image"),
        (picture("<g filter=\"blur(900)\"><rect width=\"9\" height=\"9\"/></g>"), "filters"),
        (
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"4000\" height=\"4000\">".to_string()
                + &"<g opacity=\"0.5\">".repeat(12)
                + "<rect width=\"4000\" height=\"4000\"/><rect width=\"9\" height=\"9\"/>"
                + &"</g>".repeat(12)
                + "</svg>",
            "layers",
        ),
    ];
    for (svg, part) in cases {
        let safe = safe_svg(&svg).expect("nothing in it runs");
        let (drawn, taken) = timed(|| render(&safe, 2.0));
        let error = drawn.expect_err(part).to_string();
        assert!(error.contains(part), "{part}: {error}");
        assert!(taken < Duration::from_secs(5), "{part}: {taken:?}");
    }
}

/// The rasteriser's own failures are errors; the message is for the record's reader.
#[test]
fn panics_are_errors() {
    let error = super::caught::<()>(|| panic!("edge {} is lost", 7)).expect_err("a panic");
    assert_eq!(error, RenderError::Failed("edge 7 is lost".to_string()));
}

/// What the limits must let through: the largest drawing that this crate makes, with its edges
/// where they cross most. It is counted, but not drawn, which takes seconds.
#[test]
fn our_largest_picture_is_within_the_budget() {
    let mut random = Random::new(3, Purpose::Samples);
    let points: Vec<[f64; 3]> = (0..5000).map(|_| [random.unit(), random.unit(), 0.0]).collect();
    let mut end = || random.below(5000);
    let edges: Vec<(u32, u32)> = (0..MAX_EDGES).map(|_| (end(), end())).collect();
    let (title, points, edges) = ("", &points, &edges);
    let names = crate::SKELETON;
    let drawing =
        GraphDrawing { title, subtitle: "", points, edges, tree: &[], recovered: &[], names };
    let svg = drawing.to_svg();
    budget::check_text(&svg).expect("a small text");
    let tree = Tree::from_str(&svg, &Options::default()).expect("a picture");
    let size = [tree.size().width(), tree.size().height()].map(|side| 2.0 * f64::from(side));
    budget::check(&tree, 2.0, size).expect("a graph");
}
