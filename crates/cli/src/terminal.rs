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
