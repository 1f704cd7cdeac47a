//! A selection of a phylogeny on the sheet.

use super::arrangement::Rows;
use super::colours::{Paint, Painter};
use super::plane::Plane;
use super::selection::{Drawn, Kind, Wanted, select};
use super::shape::Shape;
use super::{DrawnPhylogram, MOST_ROWS, Phylogram, TreeForm};
use crate::board::keys::{Keys, Sign};
use crate::dendrogram::arrangement::widest;
use crate::dendrogram::legend::draw_bar;
use crate::inset::Rect;
use crate::number::short;
use crate::paper::{MARGIN, SMALL, WIDTH, heading};
use crate::scale::{Scale, Spread, range};
use crate::svg::{Anchor, Svg};
use crate::text;
use palmette_core::NONE;

/// Where the drawing begins, below a title and a line.
const TOP: f64 = 66.0;
/// Most of the width that names take.
const NAMES: f64 = 176.0;
/// Pixels from the middle of a circle to its root, and of names around it.
const HOLE: f64 = 8.0;
const AROUND: f64 = 96.0;
/// Pixels of a bar that marks a highlight, with its words.
const BAR: f64 = 20.0;
/// Classes of highlights.
const WASHES: [&str; 6] = ["f4 wash", "f5 wash", "f3 wash", "f2 wash", "f1 wash", "f0 wash"];
const BARS: [&str; 6] = ["f4", "f5", "f3", "f2", "f1", "f0"];

const STYLE: &str = "\
.twig{fill:none;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}.stem{stroke-width:1.2;stroke:#57606a}
.clade{stroke:#57606a;stroke-width:.8;stroke-linejoin:round}.group{stroke-dasharray:3 2.5;fill-opacity:.45}
.l-none{stroke:#b4bcc5}.f-none{fill:#dfe4e9}.l-other,.f-other{stroke:#7d8590}.f-other{fill:#7d8590}
.wash{fill-opacity:.2}.leader{fill:none;stroke:#c3cad2;stroke-width:.8;stroke-dasharray:1.5 2.5}
@media (prefers-color-scheme:dark){
.stem,.clade{stroke:#9ea7b3}.l-none{stroke:#4b535d}.f-none{fill:#2b3139}.leader{stroke:#3a424c}.wash{fill-opacity:.32}
}
";

/// A highlight with the rows that it has.
struct Marked {
    words: String,
    class: usize,
    /// Distance where it begins, and its rows.
    x: f64,
    span: (f64, f64),
    /// How many highlights lie in it.
    level: usize,
}

pub(super) fn draw(of: &Phylogram<'_>) -> DrawnPhylogram {
    let shape = Shape::new(of.parents, of.lengths);
    let shown: Vec<u32> = of.highlights.iter().map(|h| h.0).collect();
    let is_named = |position: u32| !(of.labels)(position).is_empty();
    let limit = of.limit.clamp(2, MOST_ROWS);
    let wanted = Wanted { limit, collapsed: of.collapsed, shown: &shown, is_named: &is_named };
    let drawn = select(&shape, &wanted);
    // Around a circle there is less room.
    let rows = Rows::new(&drawn, if of.form == TreeForm::Circular { 12.0 } else { 38.0 });
    let (marked, hidden) = marked(of, &shape, &drawn, &rows);
    let painter = Painter::new(of.colours.as_ref());
    let sheet = Sheet { of, shape: &shape, drawn: &drawn, rows: &rows, painter: &painter };
    let count = |is: fn(&Kind) -> bool| drawn.iter().filter(|d| is(&d.kind)).count();
    DrawnPhylogram {
        svg: sheet.draw(&marked),
        rows: count(|kind| *kind != Kind::Inner),
        clades: count(|kind| *kind == Kind::Clade),
        groups: count(|kind| matches!(kind, Kind::Group(_))),
        tips: count(|kind| *kind == Kind::Tip),
        hidden,
    }
}

/// What of the highlights can be seen, and which cannot.
fn marked(
    of: &Phylogram<'_>,
    shape: &Shape<'_>,
    drawn: &[Drawn],
    rows: &Rows,
) -> (Vec<Marked>, Vec<u32>) {
    let (mut marked, mut hidden) = (Vec::<Marked>::new(), Vec::new());
    for (k, (position, words)) in of.highlights.iter().enumerate() {
        let below = *position..shape.end(*position);
        let within: Vec<usize> =
            (0..drawn.len()).filter(|&i| below.contains(&drawn[i].position)).collect();
        if within.is_empty() {
            hidden.push(*position);
            continue;
        }
        let spans = within.iter().map(|&i| rows.span[i]);
        let span =
            spans.fold((f64::INFINITY, f64::NEG_INFINITY), |a, b| (a.0.min(b.0), a.1.max(b.1)));
        let words = if words.is_empty() { (of.labels)(*position) } else { words.clone() };
        let x = shape.x[*position as usize];
        marked.push(Marked { words, class: k % BARS.len(), x, span, level: 0 });
    }
    for i in 0..marked.len() {
        let (low, high) = marked[i].span;
        let inside = |m: &Marked| m.span.0 >= low && m.span.1 <= high;
        marked[i].level = marked.iter().filter(|m| inside(m)).count() - 1;
    }
    // Large ones lie under small ones.
    marked.sort_by_key(|m| std::cmp::Reverse(m.level));
    (marked, hidden)
}

pub(super) struct Sheet<'a> {
    pub(super) of: &'a Phylogram<'a>,
    pub(super) shape: &'a Shape<'a>,
    pub(super) drawn: &'a [Drawn],
    rows: &'a Rows,
    pub(super) painter: &'a Painter<'a>,
}

impl Sheet<'_> {
    fn draw(&self, marked: &[Marked]) -> String {
        let names: Vec<String> = self.drawn.iter().map(|d| self.name(d)).collect();
        let bars = marked.iter().map(|m| m.level + 1).max().unwrap_or(0) as f64;
        let straight = self.of.form == TreeForm::Rectangular;
        let edge = WIDTH - MARGIN - if straight { BAR * bars } else { 0.0 };
        let (plane, room, bottom, edge) = match self.of.form {
            TreeForm::Rectangular => self.straight(&names, edge),
            TreeForm::Circular => self.round(&names),
        };
        let keys = self.keys(marked, &plane);
        let scale = bottom + 48.0;
        let key_top = scale + self.painter.scale_height();
        let note = self.note();
        let mut svg = Svg::new(
            WIDTH,
            key_top + keys.height() + 10.0,
            self.of.title,
            &self.description(&note),
        );
        svg.add_style(STYLE.to_string());
        heading(&mut svg, self.of.title, &[&note]);
        for m in marked {
            let hint = &m.words;
            svg.path(&plane.wash(m.x, m.span, edge), WASHES[m.class], hint);
        }
        self.draw_branches(&mut svg, &plane);
        self.draw_names(&mut svg, &plane, &names, room);
        if straight {
            draw_bars(&mut svg, marked, edge);
        }
        self.draw_distance(&mut svg, &plane, bottom + 14.0);
        self.painter.draw_scale(&mut svg, (MARGIN, scale));
        keys.draw(&mut svg, (MARGIN, key_top));
        svg.finish()
    }

    fn range(&self) -> (f64, f64) {
        let (low, high) = range(self.drawn.iter().flat_map(|d| {
            let x = self.shape.x[d.position as usize];
            // A group begins where its first clade does.
            [x, self.start(d), f64::from(d.reach.0), f64::from(d.reach.1)]
        }));
        if low == high { (low, low + 1.0) } else { (low, high) }
    }

    /// The plane, pixels that names have, where the drawing ends below and at the right.
    fn straight(&self, names: &[String], edge: f64) -> (Plane, f64, f64, f64) {
        let left = MARGIN + 12.0;
        let ends = self.drawn.iter().zip(names).filter(|(d, _)| d.kind != Kind::Inner);
        let ends = ends.map(|(d, name)| {
            (f64::from(d.reach.1), text::width(&text::fit(name, SMALL, NAMES), SMALL))
        });
        let right = left + widest(self.range(), ends, edge - 9.0 - left);
        let x = Scale::new(Spread::Linear, self.range(), (left, right));
        (Plane::Straight { x, top: TOP }, NAMES, TOP + self.rows.height, edge)
    }

    fn round(&self, names: &[String]) -> (Plane, f64, f64, f64) {
        let leaves = self.drawn.iter().zip(names).filter(|(d, _)| d.kind != Kind::Inner);
        let widths = leaves.map(|(_, name)| text::width(name, SMALL));
        let room = widths.fold(12.0, f64::max).min(AROUND);
        let outer = WIDTH / 2.0 - MARGIN;
        let rim = outer - room;
        let radius = Scale::new(Spread::Linear, self.range(), (HOLE, rim - 7.0));
        let centre = (WIDTH / 2.0, TOP + outer);
        (Plane::round(radius, centre, self.rows.height, rim), room, TOP + 2.0 * outer, outer)
    }

    /// Where a branch begins.
    fn start(&self, d: &Drawn) -> f64 {
        match d.kind {
            // Its clades hang from this vertex and those below.
            Kind::Group(_) => match self.shape.parents[d.position as usize] {
                NONE => 0.0,
                parent => self.shape.x[parent as usize],
            },
            _ => self.shape.x[d.position as usize],
        }
    }

    fn draw_branches(&self, svg: &mut Svg, plane: &Plane) {
        let (y, x) = (&self.rows.middle, &self.shape.x);
        for (i, d) in self.drawn.iter().enumerate() {
            let own = self.start(d);
            let hint = self.hint(d);
            let paint = match d.kind {
                Kind::Group(_) => Paint::None,
                _ => self.painter.of(d.position),
            };
            if d.parent != NONE {
                let from = x[self.drawn[d.parent as usize].position as usize];
                self.stroke(svg, &plane.along(from, own, y[i]), &paint, &hint);
            } else if d.kind == Kind::Inner || d.kind == Kind::Tip {
                let (low, high) = self.range();
                let stub = own - (high - low) * 0.012;
                self.stroke(svg, &plane.along(stub.max(low), own, y[i]), &paint, &hint);
            }
            let (first, last) = self.rows.ends[i];
            if d.kind == Kind::Inner && first < last {
                // Each half has the colour of the vertex.
                self.stroke(svg, &plane.across(own, first, last), &paint, "");
            }
            if let Kind::Clade | Kind::Group(_) = d.kind {
                let (top, bottom) = self.rows.span[i];
                let reach = (f64::from(d.reach.0), f64::from(d.reach.1));
                let data = plane.triangle(own, y[i], reach, (top + 2.5, bottom - 2.5));
                let (class, fill) = paint.area();
                let group = if matches!(d.kind, Kind::Group(_)) { " group" } else { "" };
                svg.painted(&data, &format!("clade{group} {class}"), "fill", fill, &hint);
            }
        }
        let Some((support, least)) = self.of.support else { return };
        for (i, d) in self.drawn.iter().enumerate() {
            let found = support[d.position as usize];
            if d.kind != Kind::Tip && !matches!(d.kind, Kind::Group(_)) && found >= least {
                let hint = format!("support {}", short(found));
                svg.disc(plane.at(x[d.position as usize], y[i]), 2.7, "vertex", "", &hint);
            }
        }
    }

    fn stroke(&self, svg: &mut Svg, data: &str, paint: &Paint, hint: &str) {
        if self.painter.is_plain() {
            return svg.path(data, "twig stem", hint);
        }
        let (class, stroke) = paint.line();
        svg.painted(data, &format!("twig {class}"), "stroke", stroke, hint);
    }

    fn draw_names(&self, svg: &mut Svg, plane: &Plane, names: &[String], room: f64) {
        let mut taken: Vec<Rect> = Vec::new();
        let (y, straight) = (&self.rows.middle, matches!(plane, Plane::Straight { .. }));
        for (i, d) in self.drawn.iter().enumerate().filter(|(_, d)| d.kind != Kind::Inner) {
            let (top, bottom) = self.rows.span[i];
            if plane.room(bottom - top) < SMALL - 1.0 {
                continue;
            }
            let fitted = text::fit(&names[i], SMALL, room);
            let (at, turn, anchor) = plane.name(d.reach.1.into(), y[i], SMALL);
            let class = if d.kind == Kind::Tip { "" } else { "inner" };
            svg.turned_text(at, turn, anchor, class, &fitted, &names[i]);
            if let Some(leader) = plane.leader(d.reach.1.into(), y[i]) {
                svg.path(&leader, "leader", "");
            }
            taken.push(text::area(at, &fitted, SMALL));
        }
        for (i, d) in self.drawn.iter().enumerate() {
            let named = d.kind == Kind::Inner && d.parent != NONE && straight;
            if !named || names[i].is_empty() {
                continue;
            }
            // Only where the branch is long enough to carry the name, which hides no other.
            let at = plane.at(self.shape.x[d.position as usize], y[i]);
            let parent = self.drawn[d.parent as usize].position;
            let from = plane.at(self.shape.x[parent as usize], y[i]);
            let wide = text::width(&names[i], SMALL);
            let own = text::area((at.0 - 4.0 - wide, at.1 - 3.5), &names[i], SMALL);
            if wide <= at.0 - from.0 - 8.0 && !taken.iter().any(|other| own.meets(other)) {
                svg.text((at.0 - 4.0, at.1 - 3.5), Anchor::End, "inner", &names[i], "");
                taken.push(own);
            }
        }
    }

    fn draw_distance(&self, svg: &mut Svg, plane: &Plane, y: f64) {
        let (low, high) = self.range();
        let pixels = match plane {
            Plane::Straight { x, .. } => x.at(high) - x.at(low),
            Plane::Round { radius, .. } => radius.at(high) - radius.at(low),
        };
        let unit = match (self.of.lengths, self.of.unit) {
            (None, _) => "(edges)".to_string(),
            (Some(_), "") => "(branch length)".to_string(),
            (Some(_), unit) => unit.to_string(),
        };
        draw_bar(svg, (MARGIN + 12.0, y), pixels / (high - low), high - low, &unit);
    }

    fn keys(&self, marked: &[Marked], plane: &Plane) -> Keys {
        let mut keys = Keys::default();
        self.painter.keys(&mut keys);
        if !self.of.colour_note.is_empty() {
            keys.remark(self.of.colour_note);
        }
        if let Some((support, least)) = self.of.support
            && support.iter().any(|s| *s >= least)
        {
            keys.push(Sign::Vertex, format!("support {} or more", short(least)));
        }
        let mut by_class: Vec<&Marked> = marked.iter().collect();
        by_class.sort_by_key(|m| m.class);
        for m in by_class {
            keys.push(Sign::Field(WASHES[m.class]), m.words.clone());
        }
        let any = |is: fn(&Kind) -> bool| self.drawn.iter().any(|d| is(&d.kind));
        keys.push_if(any(|k| *k == Kind::Clade), Sign::Field("clade f-none"), "collapsed clade");
        let group = "small clades along a branch";
        keys.push_if(
            any(|k| matches!(k, Kind::Group(_))),
            Sign::Field("clade group f-none"),
            group,
        );
        let leaves = (0..self.drawn.len()).filter(|&i| self.drawn[i].kind != Kind::Inner);
        let small = |i: usize| plane.room(self.rows.span[i].1 - self.rows.span[i].0) < SMALL - 1.0;
        if self.of.form == TreeForm::Circular && any(|k| *k == Kind::Clade) {
            keys.remark("A number beside a name is how many tips the clade has.");
        }
        if leaves.filter(|&i| small(i)).count() > 0 {
            keys.remark("Names are left out where they do not fit.");
        }
        keys
    }
}

/// Bars at the right edge, with words where they fit.
fn draw_bars(svg: &mut Svg, marked: &[Marked], edge: f64) {
    for m in marked {
        let (top, bottom) = (TOP + m.span.0 + 1.0, TOP + m.span.1 - 1.0);
        let left = edge + 3.0 + BAR * m.level as f64;
        svg.rect((left, top), (3.0, (bottom - top).max(1.0)), BARS[m.class], &m.words);
        let fitted = text::fit(&m.words, SMALL, bottom - top - 4.0);
        if fitted.chars().count() > 3.min(m.words.chars().count().saturating_sub(1)) {
            let at = (left + 7.0, (top + bottom) / 2.0);
            svg.turned_text(at, 90.0, Anchor::Middle, "", &fitted, &m.words);
        }
    }
}
