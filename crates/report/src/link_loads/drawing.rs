//! The parts of a picture of link loads, measured before they are drawn.

use std::fmt::Write;

use super::{Link, LinkLoads, ends, links, messages, other_end};
use crate::board::bins::Bins;
use crate::board::classes::Classes;
use crate::board::heat::{BAR_HEIGHT, Heat};
use crate::board::keys::{Keys, Sign, draw_mark};
use crate::board::{Board, MAX_SIDE, some};
use crate::number::{short, thousands};
use crate::svg::Svg;

const HEADS: [&str; 3] = ["messages", "links", "load"];

/// The board with its colours, and the bar, the key and the table below it.
pub(crate) struct Drawing<'a> {
    machine: &'a LinkLoads<'a>,
    board: Board,
    /// Every link is drawn.
    whole: bool,
    loads: Classes,
    bins: Bins,
    heat: Heat,
    /// The first of the most loaded links.
    top: Option<Link>,
    keys: Keys,
    /// Size and loads, in one line.
    pub(crate) facts: String,
}

impl<'a> Drawing<'a> {
    /// # Panics
    /// When the machine does not have one load per link.
    pub(crate) fn new(machine: &'a LinkLoads<'a>) -> Self {
        let (width, height) = (u64::from(machine.width), u64::from(machine.height));
        let (horizontal, vertical) =
            (width.saturating_sub(1) * height, width * height.saturating_sub(1));
        assert_eq!(machine.horizontal.len() as u64, horizontal, "one load per horizontal link");
        assert_eq!(machine.vertical.len() as u64, vertical, "one load per vertical link");

        let whole = machine.width <= MAX_SIDE && machine.height <= MAX_SIDE;
        let board = Board::new(machine.width, machine.height);
        let mut loads = Classes::new();
        let mut bins = Bins::new(&board);
        let mut top: Option<(Link, u64)> = None;
        for link in machine.links() {
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
            Heat::of_whole_numbers(machine.links().map(|l| l.2 as f64))
        } else {
            Heat::new(bins.means().flatten())
        };

        let mut keys = Keys::default();
        if let Some((link, count)) = top {
            keys.push(Sign::Mark, format!("most: {} {}", messages(link), ends(link)));
            let alike = format!("the first of {} links with so many", thousands(count));
            keys.push_if(count > 1, Sign::Remark, &alike);
        }
        keys.push_if(heat.zeros_apart, Sign::Field("zero"), "no message");
        let stretched = "the short side of the grid is stretched";
        keys.push_if(board.is_stretched(), Sign::Remark, stretched);
        let facts = facts(&board, &loads);
        let top = top.map(|t| t.0);
        Drawing { machine, board, whole, loads, bins, heat, top, keys, facts }
    }

    /// The lower end.
    pub(crate) fn end(&self) -> f64 {
        self.table().1 + self.loads.height()
    }

    fn key_top(&self) -> f64 {
        let bar = if self.loads.count() > 0 { BAR_HEIGHT + 10.0 } else { 0.0 };
        self.board.below().1 + bar
    }

    fn table(&self) -> (f64, f64) {
        (self.board.below().0, self.key_top() + self.keys.height() + 22.0)
    }

    /// What is shown, for those who cannot see it.
    pub(crate) fn description(&self) -> String {
        let shown = if self.whole {
            "Every link is a bar, coloured by its load".to_string()
        } else {
            format!(
                "A map in {}; colours show the mean load of links at a bin's processors",
                self.board.bin_text()
            )
        };
        format!(
            "The links of a grid of processors, column 0 at the left, row 0 at the top: {}. \
             {shown}. {}.",
            self.facts,
            self.loads.describe(HEADS)
        )
    }

    pub(crate) fn draw(&self, svg: &mut Svg) {
        let Drawing { board, whole, heat, .. } = self;
        if *whole {
            links::draw(svg, board, self.machine, heat);
        } else {
            self.bins.draw(svg, heat);
            board.draw_frame(svg);
        }
        board.draw_numbers(svg);
        if let Some(link) = self.top {
            let radius = if *whole { (board.cell.0 * 0.5).clamp(7.0, 16.0) } else { 8.0 };
            draw_mark(svg, middle(board, link), radius);
        }
        let bar = board.below();
        if self.loads.count() > 0 {
            let below =
                if *whole { "both directions together".to_string() } else { board.bin_text() };
            let caption = if *whole { "Messages per link" } else { "Mean messages per link" };
            heat.draw_bar(svg, bar, [caption, &below]);
        }
        self.keys.draw(svg, (bar.0, self.key_top()));
        self.loads.draw(svg, self.table(), "Links by load", HEADS, &|_| "f0".to_string());
    }
}

fn facts(board: &Board, loads: &Classes) -> String {
    let mut facts = format!("{} · {}", board.size_text(), some(loads.count(), "link", "links"));
    if loads.count() > 0 {
        let _ = write!(
            facts,
            " · total load {} · mean {} per link · most {}",
            thousands(loads.sum()),
            short(loads.mean()),
            thousands(loads.largest)
        );
    }
    facts
}

/// The middle of a link.
fn middle(board: &Board, (from, is_down, _): Link) -> (f64, f64) {
    let (x, y) = board.centre(from);
    if is_down { (x, y + board.cell.1 / 2.0) } else { (x + board.cell.0 / 2.0, y) }
}
