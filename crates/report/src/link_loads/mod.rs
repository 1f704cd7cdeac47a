//! How many messages each link of a grid machine carries.
//!
//! **Method.** Up to 64 columns and rows every link is a bar between its two processors.
//! Larger grids become a map of bins; a bin's colour is the mean load of the links at its
//! processors, those that both ends share counted twice. The most loaded link is marked, and a table shows how
//! links and messages divide over classes of load.
//!
//! **Cost.** Linear time; the picture has at most 8,064 links or 16,384 bins.

mod links;

use std::fmt::Write;

use crate::board::bins::Bins;
use crate::board::classes::{self, Classes};
use crate::board::heat::{BAR_HEIGHT, Heat};
use crate::board::keys::{Keys, Sign, draw_mark};
use crate::board::{Board, MAX_SIDE, place, some, start};
use crate::number::{counted, short, thousands};

const HEADS: [&str; 3] = ["messages", "links", "load"];

/// The loads of all links of a grid, both directions of a link summed.
///
/// ```
/// use palmette_report::LinkLoads;
/// let picture = LinkLoads {
///     title: "Two rows of three",
///     subtitle: "",
///     width: 3,
///     height: 2,
///     horizontal: &[5, 1, 0, 2],
///     vertical: &[0, 7, 1],
/// };
/// assert!(picture.to_svg().contains("7 messages between (1, 0) and (1, 1)"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkLoads<'a> {
    /// The heading.
    pub title: &'a str,
    /// One line below the heading; may be empty.
    pub subtitle: &'a str,
    /// The number of columns.
    pub width: u32,
    /// The number of rows.
    pub height: u32,
    /// Messages between `(x, y)` and `(x + 1, y)`, row by row from the top: `width - 1` a row.
    pub horizontal: &'a [u64],
    /// Messages between `(x, y)` and `(x, y + 1)`, row by row from the top: `width` a row,
    /// `height - 1` rows.
    pub vertical: &'a [u64],
}

/// A link: the processor at its left or upper end, whether it goes down, and its load.
type Link = ((u32, u32), bool, u64);

impl LinkLoads<'_> {
    /// The picture.
    ///
    /// # Panics
    /// When the slices do not have one load a link.
    pub fn to_svg(&self) -> String {
        let (width, height) = (u64::from(self.width), u64::from(self.height));
        let (horizontal, vertical) =
            (width.saturating_sub(1) * height, width * height.saturating_sub(1));
        assert_eq!(self.horizontal.len() as u64, horizontal, "one load a horizontal link");
        assert_eq!(self.vertical.len() as u64, vertical, "one load a vertical link");

        let whole = self.width <= MAX_SIDE && self.height <= MAX_SIDE;
        let board = Board::new(self.width, self.height);
        let mut loads = Classes::new();
        let mut bins = Bins::new(&board);
        let mut top: Option<(Link, u64)> = None;
        for link in self.links() {
            loads.add(link.2);
            if !whole {
                bins.add(link.0, link.2);
                bins.add(other_end(link), link.2);
            }
            match top {
                Some((most, count)) if most.2 == link.2 => top = Some((most, count + 1)),
                Some((most, _)) if most.2 > link.2 => {}
                _ => top = Some((link, 1)),
            }
        }
        let top = top.filter(|t| t.0.2 > 0);
        let heat = if whole {
            Heat::of_whole_numbers(self.links().map(|l| l.2 as f64))
        } else {
            Heat::new(bins.means().flatten())
        };

        let mut keys = Keys::default();
        if let Some((link, count)) = top {
            let alike = match count {
                1 => String::new(),
                _ => format!(", the first of {} such links", thousands(count)),
            };
            keys.push(Sign::Mark, format!("most: {}{alike}", messages(link)));
            keys.push(Sign::More, ends(link));
        }
        keys.push_if(heat.zeros_apart, Sign::Field("zero"), "no message");
        let stretched = "the short side of the grid is stretched";
        keys.push_if(board.is_stretched(), Sign::Remark, stretched);
        let bar = board.beside();
        let key_top = bar.1 + if loads.count() > 0 { BAR_HEIGHT + 10.0 } else { 0.0 };
        let table = (bar.0, key_top + keys.height() + 22.0);
        let facts = self.facts(&board, &loads);
        let shown = if whole {
            "Every link is a bar, coloured by its load".to_string()
        } else {
            format!(
                "A map in {}; colours show the mean load of the links at a bin's processors",
                board.bin_text()
            )
        };
        let description = format!(
            "The links of a grid of processors, column 0 at the left, row 0 at the top: {facts}. \
             {shown}. {}.",
            loads.describe(HEADS)
        );
        let end = board.outside().1;
        let mut svg = start(
            (bar.0 + classes::WIDTH, end.1.max(table.1 + loads.height())),
            (self.title, self.subtitle, &facts),
            &description,
        );
        if whole {
            links::draw(&mut svg, &board, self, &heat);
        } else {
            bins.draw(&mut svg, &heat);
            board.draw_frame(&mut svg);
        }
        board.draw_numbers(&mut svg);
        if let Some((link, _)) = top {
            let radius = if whole { (board.cell.0 * 0.5).clamp(7.0, 16.0) } else { 8.0 };
            draw_mark(&mut svg, middle(&board, link), radius);
        }
        if loads.count() > 0 {
            let below =
                if whole { "both directions together".to_string() } else { board.bin_text() };
            let caption = if whole { "Messages a link" } else { "Mean messages a link" };
            heat.draw_bar(&mut svg, bar, [caption, &below]);
        }
        keys.draw(&mut svg, (bar.0, key_top));
        loads.draw(&mut svg, table, "Links by load", HEADS, &|_| "f0".to_string());
        svg.finish()
    }

    /// All links, the horizontal ones first.
    fn links(&self) -> impl Iterator<Item = Link> + Clone {
        let of = |i: usize, width: u32| {
            let width = width.max(1) as usize;
            ((i % width) as u32, (i / width) as u32)
        };
        let (across, down) = (self.horizontal.iter(), self.vertical.iter());
        let across = across.enumerate().map(move |(i, &load)| (of(i, self.width - 1), false, load));
        across.chain(down.enumerate().map(move |(i, &load)| (of(i, self.width), true, load)))
    }

    fn facts(&self, board: &Board, loads: &Classes) -> String {
        let mut facts = format!("{} · {}", board.size_text(), some(loads.count(), "link", "links"));
        if loads.count() > 0 {
            let _ = write!(
                facts,
                " · load {} in all · mean {} a link · most {}",
                thousands(loads.sum()),
                short(loads.mean()),
                thousands(loads.largest)
            );
        }
        facts
    }
}

/// The middle of a link.
fn middle(board: &Board, (from, is_down, _): Link) -> (f64, f64) {
    let (x, y) = board.centre(from);
    if is_down { (x, y + board.cell.1 / 2.0) } else { (x + board.cell.0 / 2.0, y) }
}

/// The processor at a link's right or lower end.
fn other_end((from, is_down, _): Link) -> (u32, u32) {
    if is_down { (from.0, from.1 + 1) } else { (from.0 + 1, from.1) }
}

fn messages(link: Link) -> String {
    counted(link.2, "message", "messages")
}

fn ends(link: Link) -> String {
    format!("between {} and {}", place(link.0), place(other_end(link)))
}
