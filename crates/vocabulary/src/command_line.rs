//! The command line of a run, as it would be typed again.

use std::ffi::OsStr;

/// A program and what was typed after its name, without what decides only what is printed and
/// kept.
pub fn typed<W: AsRef<OsStr>>(program: &str, arguments: impl IntoIterator<Item = W>) -> String {
    let mut line = program.to_string();
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        match &*argument.as_ref().to_string_lossy() {
            "--json" | "-q" | "--quiet" => {}
            "--record" => drop(arguments.next()),
            text if text.starts_with("--record=") => {}
            text => {
                line.push(' ');
                line.push_str(&quoted(text));
            }
        }
    }
    line
}

/// A word as shells take it.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./:=,+@%^".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
