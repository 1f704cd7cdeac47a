//! Texts from files, as messages and summaries quote them.
//!
//! A label may have any number of bytes and control characters; a message stays one line of
//! a bearable length.

use std::borrow::Cow;

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

/// As [`short`], between backticks.
pub fn shown(text: &str) -> String {
    format!("`{}`", short(text))
}

/// Several texts with commas between them, together as [`short`] as one.
pub(crate) fn listed<S: AsRef<str>>(texts: impl IntoIterator<Item = S>) -> String {
    let mut all = String::new();
    for text in texts {
        if !all.is_empty() {
            all.push_str(", ");
        }
        all.push_str(&short(text.as_ref()));
        if all.len() > 4 * LONGEST {
            break;
        }
    }
    short(&all).into_owned()
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
    fn lists_are_as_short() {
        assert_eq!(listed(["a", "b"]), "a, b");
        assert_eq!(listed((0..100_000).map(|k| k.to_string())).chars().count(), 81);
        assert_eq!(listed(["x".repeat(1 << 20), "y".to_string()]).chars().count(), 81);
    }
}
