//! Quotes texts from files in messages and summaries.
//!
//! A label may be long and contain control characters; a message stays on one short line.

use std::borrow::Cow;
use std::io::{self, Write};

/// How many characters of a text are quoted.
const LONGEST: usize = 80;

/// Stands for a character that is not shown.
const ODD: &str = "·";

/// Whether terminals act on a character instead of showing it: control characters, and those
/// that turn the direction of writing.
fn is_odd(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text without what terminals act on, but for the characters in `kept`.
pub fn visible(text: &str, kept: &[char]) -> String {
    text.replace(|c| is_odd(c) && !kept.contains(&c), ODD)
}

/// A text on one line, cut after 80 characters (`…` says so); what terminals would act on
/// becomes `·`.
///
/// ```
/// assert_eq!(palmette_io::short("a\tb"), "a·b");
/// assert_eq!(palmette_io::short(&"x".repeat(500)).chars().count(), 81);
/// ```
pub fn short(text: &str) -> Cow<'_, str> {
    cut(text, LONGEST)
}

/// As [`short`], with another length.
pub fn cut(text: &str, most: usize) -> Cow<'_, str> {
    let end = text.char_indices().nth(most).map(|(at, _)| at);
    let kept = &text[..end.unwrap_or(text.len())];
    if end.is_none() && !kept.contains(is_odd) {
        return Cow::Borrowed(text);
    }
    let mut clean = visible(kept, &[]);
    if end.is_some() {
        clean.push('…');
    }
    Cow::Owned(clean)
}

/// A writer for terminals: text goes through as [`visible`] makes it, with its lines and tabs.
pub(crate) struct Visible<W> {
    inner: W,
    /// The start of a character whose end is still to come.
    begun: Vec<u8>,
}

impl<W: Write> Visible<W> {
    pub(crate) fn new(inner: W) -> Visible<W> {
        Visible { inner, begun: Vec::new() }
    }
}

impl<W: Write> Write for Visible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begun.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.begun) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            // Bytes that are not text are shown as such.
            _ => self.begun.len(),
        };
        let text = String::from_utf8_lossy(&self.begun[..whole]);
        self.inner.write_all(visible(&text, &['\n', '\t']).as_bytes())?;
        self.begun.drain(..whole);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// As [`short`], between backticks.
pub fn shown(text: &str) -> String {
    format!("`{}`", short(text))
}

/// Several texts with commas between them, as many as fit where [`short`] would cut one, and how many
/// more there are.
pub(crate) fn listed<S: AsRef<str>>(texts: impl IntoIterator<Item = S>) -> String {
    let mut texts = texts.into_iter().peekable();
    let mut all = texts.next().map_or(String::new(), |first| short(first.as_ref()).into_owned());
    while let Some(text) = texts.peek() {
        let text = short(text.as_ref());
        if all.chars().count() + 2 + text.chars().count() > LONGEST {
            break;
        }
        all.push_str(", ");
        all.push_str(&text);
        texts.next();
    }
    match texts.count() {
        0 => all,
        more => format!("{all}, … and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_short_stays_and_what_is_long_is_cut() {
        let long = "é".repeat(81);
        assert!(matches!(short("plain é"), Cow::Borrowed("plain é")));
        assert_eq!(short(&long[..160]), "é".repeat(80));
        assert_eq!(short(&long), format!("{}…", "é".repeat(80)));
        assert_eq!(shown("a\u{1b}[31m\nb\u{202e}"), "`a·[31m·b·`");
        assert_eq!(visible("a\tb\r\n", &['\n', '\t']), "a\tb·\n");
    }

    #[test]
    fn terminals_get_nothing_to_act_on() {
        let text = "a\u{1b}[31m,ü\t\u{9b}2J\u{202e}日\n";
        for piece in 1..text.len() {
            let mut shown = Visible::new(Vec::new());
            for bytes in text.as_bytes().chunks(piece) {
                shown.write_all(bytes).expect("memory takes all");
            }
            let shown = String::from_utf8(shown.inner).expect("text");
            assert_eq!(shown, "a·[31m,ü\t·2J·日\n", "{piece} bytes at a time");
        }
        let mut shown = Visible::new(Vec::new());
        shown.write_all(b"\xff\x1bx\n").expect("memory takes all");
        assert_eq!(shown.inner, "\u{fffd}·x\n".as_bytes());
    }

    #[test]
    fn lists_are_as_short() {
        assert_eq!(listed(["a", "b"]), "a, b");
        let many = listed((0..100_000).map(|k| k.to_string()));
        assert!(many.ends_with("21, 22, … and 99977 more"), "{many}");
        let long = listed(["x".repeat(1 << 20), "y".to_string()]);
        assert_eq!(long, format!("{}…, … and 1 more", "x".repeat(80)));
    }
}
