//! The sheet that every picture is drawn on: its width, its smallest letters, its heading.
//!
//! **Method.** Pictures have one width, that of a column of text, and grow downwards: what explains
//! them stands below them. So they fit a phone without scrolling, and their letters stay letters: a
//! page of 390 pixels has 356 for a picture, where [`SMALL`] letters have 9. Long headings take
//! several lines and push down what follows.

use crate::svg::{Anchor, Svg};
use crate::text;

/// The width of every picture.
pub(crate) const WIDTH: f64 = 470.0;
/// Space between a picture's edge and what is in it.
pub(crate) const MARGIN: f64 = 14.0;
/// The width between the margins.
pub(crate) const INSIDE: f64 = WIDTH - 2.0 * MARGIN;
/// Pixels of the smallest letters.
pub(crate) const SMALL: f64 = 12.0;
/// Sizes at which bold letters, about a tenth wider, take their room: titles, and names of panels.
const TITLE: f64 = 17.6;
pub(crate) const PANEL: f64 = 14.3;
/// Lines that a title, and a note, take at most.
const MOST_LINES: usize = 3;
/// Pixels from one line to the next, of a title and of a note.
const TITLE_LINE: f64 = 21.0;
pub(crate) const NOTE_LINE: f64 = 17.0;

/// A title and notes under it, at the top left of an empty picture. Each has room for one line;
/// what is drawn later moves down by the lines that they take beyond that, and up by those of notes
/// that are empty.
pub(crate) fn heading(svg: &mut Svg, title: &str, notes: &[&str]) {
    let mut y = 28.0;
    let mut more = 0.0;
    let mut write = |words: &str, class: &str, size: f64, apart: f64| {
        let lines = text::wrap(words, size, INSIDE, MOST_LINES);
        for (i, line) in lines.iter().enumerate() {
            let hint = if line.ends_with('…') { words } else { "" };
            svg.text((MARGIN, y + apart * i as f64), Anchor::Start, class, line, hint);
        }
        let extra = apart * lines.len().saturating_sub(1) as f64;
        y += extra;
        more += extra;
        y += if class == "title" { 19.0 } else { apart };
    };
    write(title, "title", TITLE, TITLE_LINE);
    for note in notes.iter().filter(|note| !note.is_empty()) {
        write(note, "note", SMALL, NOTE_LINE);
    }
    let missing = notes.iter().filter(|note| note.is_empty()).count() as f64;
    svg.begin_body(more - NOTE_LINE * missing);
}

/// How many lines words take within this room.
pub(crate) fn lines(words: &str, room: f64) -> usize {
    text::wrap(words, SMALL, room, MOST_LINES).len()
}

/// Writes words below each other within this room.
pub(crate) fn paragraph(svg: &mut Svg, (left, top): (f64, f64), words: &str, room: f64) {
    for (i, line) in text::wrap(words, SMALL, room, MOST_LINES).iter().enumerate() {
        let hint = if line.ends_with('…') { words } else { "" };
        let at = (left, top + NOTE_LINE * i as f64);
        svg.text(at, Anchor::Start, "note", line, hint);
    }
}
