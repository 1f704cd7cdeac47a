//! How many messages each link of a grid machine carries.
//!
//! **Method.** Up to 64 columns and rows every link is a bar between its two processors.
//! Larger grids become a map of bins; a bin's colour is the mean load of the links at its
//! processors, those that both ends share counted twice. The most loaded link is marked, and a table shows how
//! links and messages divide over classes of load.
//!
//! **Cost.** Linear time; the picture has at most 8,064 links or 16,384 bins.

mod drawing;
mod links;

pub(crate) use drawing::Drawing;

use crate::board::{place, start};
use crate::number::counted;

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
    /// Messages between `(x, y)` and `(x + 1, y)`, row by row from the top: `width - 1` per row.
    pub horizontal: &'a [u64],
    /// Messages between `(x, y)` and `(x, y + 1)`, row by row from the top: `width` per row,
    /// `height - 1` rows.
    pub vertical: &'a [u64],
}

/// A link: the processor at its left or upper end, whether it goes down, and its load.
type Link = ((u32, u32), bool, u64);

impl LinkLoads<'_> {
    /// The picture.
    ///
    /// # Panics
    /// When the slices do not have one load per link.
    pub fn to_svg(&self) -> String {
        let drawing = Drawing::new(self);
        let words = (self.title, self.subtitle, drawing.facts.as_str());
        let mut svg = start(drawing.end(), words, &drawing.description());
        drawing.draw(&mut svg);
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
