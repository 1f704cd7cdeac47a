//! Parts on the processors of a mesh or torus, and the loads of its links.
//!
//! **Problem.** For each processor its part, for each directed link the values that go over
//! it.
//!
//! **Method.** Processors are squares in rows and columns, a machine of three dimensions is
//! drawn layer by layer. A link is a line beside that of the opposite direction, on the right
//! of those who travel; its width is in proportion to its load and its colour shows it
//! again. Links around a torus, and those between layers, are stubs at both ends.
//!
//! **Cost.** Linear. A machine of more than [`MAX_PROCESSORS`] processors is not for this
//! picture.

mod links;

use self::links::Links;
use crate::board::heat::{BAR_HEIGHT, Heat};
use crate::board::keys::{Keys, Sign};
use crate::board::{some, start};
use crate::number::{counted, thousands};
use crate::paper::{INSIDE, MARGIN};
use crate::svg::{Anchor, Svg};
use palmette_core::NONE;

/// A [`PlacementDrawing`] has at most this many processors.
pub const MAX_PROCESSORS: usize = 4096;
const TOP: f64 = 88.0;
/// One processor takes at most so many pixels.
const MAX_CELL: f64 = 70.0;
/// Room beside the outermost processors for stubs, in cells.
const STUB: f64 = 0.42;
/// Room between layers, in cells, and for the name of one, in pixels.
const BETWEEN: f64 = 1.2;
const LAYER: f64 = 16.0;
/// A node's hint names so many of its parts.
const MOST_NAMED: usize = 32;
/// From here on squares have room for the number of their part.
const NUMBERED: f64 = 30.0;

/// Parts on a mesh or torus.
///
/// ```
/// use palmette_report::PlacementDrawing;
/// let picture = PlacementDrawing {
///     title: "Two processors",
///     subtitle: "",
///     sides: &[1, 2],
///     torus: false,
///     parts: &[1, 0],
///     loads: &[0, 0, 5, 0, 0, 0, 0, 3],
///     nodes: &[],
///     dead: &[],
/// };
/// assert!(picture.to_svg().contains("from 0 to 1: 5 values"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlacementDrawing<'a> {
    /// The heading.
    pub title: &'a str,
    /// One line below the heading; may be empty.
    pub subtitle: &'a str,
    /// One to three sides; processors are numbered with the last coordinate fastest.
    pub sides: &'a [u32],
    /// Whether sides of more than two are rings.
    pub torus: bool,
    /// By processor, its part, or `NONE`.
    pub parts: &'a [u32],
    /// By processor and direction, the values sent: up in the first dimension, down, up in the
    /// second, …; 0 where there is no link.
    pub loads: &'a [u64],
    /// Where processors are nodes that can have several parts: by node, its parts, instead of
    /// `parts`, which is empty then.
    pub nodes: &'a [Vec<u32>],
    /// Processors or nodes that are dead.
    pub dead: &'a [u32],
}

/// Where processors lie.
struct Grid {
    layers: u32,
    rows: u32,
    columns: u32,
    cell: f64,
    /// Layers beside each other.
    across: u32,
}

impl Grid {
    fn new(sides: &[u32]) -> Grid {
        let [layers, rows, columns] = match *sides {
            [columns] => [1, 1, columns],
            [rows, columns] => [1, rows, columns],
            [layers, rows, columns] => [layers, rows, columns],
            _ => panic!("one to three sides"),
        };
        let across = f64::from(layers).sqrt().ceil() as u32;
        let wide = f64::from(across) * (f64::from(columns) + BETWEEN);
        let high = f64::from(layers.div_ceil(across)) * (f64::from(rows) + BETWEEN);
        let cell = (INSIDE / wide.max(high)).min(MAX_CELL);
        Grid { layers, rows, columns, cell, across }
    }

    fn len(&self) -> usize {
        self.layers as usize * self.rows as usize * self.columns as usize
    }

    /// The layer, row and column of a processor.
    fn coordinates(&self, processor: u32) -> [u32; 3] {
        let plane = self.rows * self.columns;
        [processor / plane, processor % plane / self.columns, processor % self.columns]
    }

    /// The pixel of a processor's middle.
    fn at(&self, processor: u32) -> (f64, f64) {
        let [layer, row, column] = self.coordinates(processor);
        let (right, down) = [layer % self.across, layer / self.across].map(f64::from).into();
        let x = right * (f64::from(self.columns) + BETWEEN) + f64::from(column) + 0.5 + STUB;
        let y = down * (f64::from(self.rows) + BETWEEN) + f64::from(row) + 0.5 + STUB;
        let title = if self.layers > 1 { LAYER * (1.0 + down) } else { 0.0 };
        (MARGIN + x * self.cell, TOP + y * self.cell + title)
    }

    /// The lower end.
    fn end(&self) -> f64 {
        let last = (1..=self.layers).map(|layers| self.at(layers * self.rows * self.columns - 1));
        last.fold(0.0, |far: f64, p| far.max(p.1)) + self.cell
    }
}

impl PlacementDrawing<'_> {
    /// The picture.
    ///
    /// # Panics
    /// When there are not one part per processor and a load per direction of each, or more
    /// processors than [`MAX_PROCESSORS`].
    pub fn to_svg(&self) -> String {
        let grid = Grid::new(self.sides);
        let directions = 2 * self.sides.len();
        assert!(grid.len() <= MAX_PROCESSORS, "{} processors", grid.len());
        assert_eq!(self.parts.len().max(self.nodes.len()), grid.len(), "one part per processor");
        assert_eq!(self.loads.len(), grid.len() * directions, "a load per direction");
        let links = Links::new(self, &grid);
        let heat = Heat::of_whole_numbers(links.loads());
        let keys = self.keys(&grid, &links);
        let facts = self.facts(&links);
        let below = (MARGIN, grid.end() + 6.0);
        let key = (below.0, below.1 + if links.most > 0 { BAR_HEIGHT + 10.0 } else { 0.0 });
        let mut svg = start(
            key.1 + keys.height(),
            (self.title, self.subtitle, &facts),
            &format!("Parts on the processors of a machine: {facts}."),
        );
        links.draw(&mut svg, &grid, &heat);
        self.draw_processors(&mut svg, &grid);
        if links.most > 0 {
            heat.draw_bar(&mut svg, below, ["Values over a link", "each direction separately"]);
        }
        keys.draw(&mut svg, key);
        svg.finish()
    }

    fn facts(&self, links: &Links) -> String {
        let sides: Vec<String> = self.sides.iter().map(u32::to_string).collect();
        let kind = if self.torus { "torus" } else { "mesh" };
        let parts = self.parts.iter().filter(|&&part| part != NONE).count()
            + self.nodes.iter().map(Vec::len).sum::<usize>();
        let (parts, what) = (parts as u64, if self.has_nodes() { "nodes" } else { "processors" });
        format!(
            "{kind} of {} {what} · {} · at most {} per link · {} in total",
            sides.join(" × "),
            some(parts, "part", "parts"),
            thousands(links.most),
            counted(links.total, "value times hop", "values times hops"),
        )
    }

    fn keys(&self, grid: &Grid, links: &Links) -> Keys {
        let mut keys = Keys::default();
        let words = match self.has_nodes() {
            true => "node, with how many parts it has",
            false => "processor, with the number of its part",
        };
        keys.push(Sign::Field("zero"), words);
        keys.push_if(!self.dead.is_empty(), Sign::Remark, "crossed out: dead");
        for values in [links.most, links.most / 2].into_iter().filter(|&values| values > 0) {
            let words = counted(values, "value", "values");
            keys.push(Sign::Wide(links::width(values, links.most, grid.cell)), words);
        }
        keys.push(Sign::Remark, "traffic keeps right: one line per direction");
        keys.push_if(links.wrapped, Sign::Remark, "stubs at the border wrap around the torus");
        if grid.layers > 1 {
            keys.remark("slanted stubs go to the next layer (upper right) and to the one before (lower left)");
        }
        keys
    }

    fn has_nodes(&self) -> bool {
        !self.nodes.is_empty()
    }

    /// What is said of a processor or node, and written on it.
    fn words(&self, at: u32) -> (String, String) {
        if self.has_nodes() {
            let parts = &self.nodes[at as usize];
            let shown: Vec<String> = parts.iter().take(MOST_NAMED).map(u32::to_string).collect();
            let more = if parts.len() > MOST_NAMED { " …" } else { "" };
            let count = some(parts.len() as u64, "part", "parts");
            let number =
                if parts.is_empty() { String::new() } else { format!("×{}", parts.len()) };
            return (format!("node {at}: {count} {}{more}", shown.join(" ")), number);
        }
        match self.parts[at as usize] {
            NONE => (format!("processor {at} without a part"), String::new()),
            part => (format!("processor {at}: part {part}"), part.to_string()),
        }
    }

    fn draw_processors(&self, svg: &mut Svg, grid: &Grid) {
        let side = 0.46 * grid.cell;
        for processor in 0..grid.len() as u32 {
            let (x, y) = grid.at(processor);
            let (words, number) = self.words(processor);
            let corner = (x - side / 2.0, y - side / 2.0);
            svg.rect(corner, (side, side), "zero", &words);
            if grid.cell >= NUMBERED {
                svg.text((x, y + 4.3), Anchor::Middle, "", &number, "");
            }
            if self.dead.contains(&processor) {
                let far = side / 2.0;
                svg.line((x - far, y - far), (x + far, y + far), "axis");
                svg.line((x - far, y + far), (x + far, y - far), "axis");
            }
        }
        if grid.layers > 1 {
            for layer in 0..grid.layers {
                let (x, y) = grid.at(layer * grid.rows * grid.columns);
                let at = (x - grid.cell * 0.5, y - grid.cell * (0.5 + STUB) - 4.0);
                svg.text(at, Anchor::Start, "note", &format!("layer {layer}"), "");
            }
        }
    }
}
