//! Text for the terminal: no label, name or text from a file can move the cursor, colour the screen
//! or fill it. Files and JSON keep everything as it is.

use palmette::io::{cut, short, visible};
use serde_json::Value;

/// Limit on a line that may quote many labels.
const LINE: usize = 2000;

/// A text of several lines.
pub(crate) fn text(text: &str) -> String {
    visible(text, &['\n', '\t'])
}

/// A message, on one line: labels between backquotes are cut, and so is the whole.
pub(crate) fn line(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    // The text between two backquotes; an unmatched last one is ignored.
    let quoted = |k: usize| k % 2 == 1 && k + 1 < parts.len();
    let part = |(k, part): (usize, &&str)| if quoted(k) { label(part) } else { part.to_string() };
    let shown: Vec<String> = parts.iter().enumerate().map(part).collect();
    cut(&shown.join("`"), LINE).into_owned()
}

/// A label or name.
pub(crate) fn label(text: &str) -> String {
    short(text).into_owned()
}

/// The labels among figures.
pub(crate) fn figure(value: &mut Value) {
    match value {
        Value::String(text) => *text = label(text),
        Value::Array(all) => all.iter_mut().for_each(figure),
        Value::Object(all) => all.values_mut().for_each(figure),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_reaches_the_terminal_as_a_command() {
        let odd = "a\u{1b}[31mb\u{9b}2J\u{7f}\u{202e}c\n";
        assert_eq!(label(odd), "a·[31mb·2J··c·");
        assert_eq!(text(odd), "a·[31mb·2J··c\n");
        assert_eq!(line(odd), label(odd));
        assert_eq!(text("a\tb\r\n"), "a\tb·\n");
    }

    #[test]
    fn labels_are_cut() {
        let long = "ü".repeat(81);
        let cut = format!("{}…", "ü".repeat(80));
        assert_eq!((label(&long), label(&long[2..])), (cut.clone(), long[2..].to_string()));
        assert_eq!(line(&format!("of `{long}`, not `x`")), format!("of `{cut}`, not `x`"));
        assert_eq!(line(&format!("it's a ` {long}")), format!("it's a ` {long}"));
        assert_eq!(line(&"x".repeat(3000)).chars().count(), LINE + 1);
    }
}
