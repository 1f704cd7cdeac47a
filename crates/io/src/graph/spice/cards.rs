//! Cards: the lines of a netlist that start with a dot.
//!
//! An operating point of resistors and sources depends on no tolerance, temperature or order of
//! printing: cards about those mean nothing here. Every other card could change the circuit or
//! asks for something else than its operating point, and is refused.

use crate::IoError;
use crate::error::shown;
use crate::source::Source;

/// Cards that cannot change an operating point. The book lists them.
const HARMLESS: [&str; 12] = [
    ".end", ".global", ".nodeset", ".op", ".options", ".plot", ".print", ".probe", ".save",
    ".temp", ".title", ".width",
];

/// Other names of `.options`.
const OPTIONS: [&str; 3] = [".option", ".opt", ".opts"];

/// Settings of `.options` that matter to devices, to iterations and to printing only. Not among
/// them are those that add conductances (`rshunt`, `gshunt`), bound resistances (`resmin`) or
/// scale values (`scale`).
const HARMLESS_OPTIONS: &str = "abstol acct brief chgtol co gmin gminsteps ingold interp itl1 itl2 \
    itl3 itl4 itl5 itl6 klu limpts list lvltim maxord method noacct node noinit nomod nopage \
    numdgt opts pivrel pivtol post probe reltol savecurrents sparse srcsteps temp tnom trtol \
    vntol width";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Card {
    /// Nothing.
    Harmless,
    /// It ends the netlist.
    End,
}

/// What the card with these words does; an error if it may change the answer.
pub(super) fn card(source: &Source<'_>, line: u64, words: &[&str]) -> Result<Card, IoError> {
    let name = words[0].to_ascii_lowercase();
    match name.as_str() {
        ".end" => Ok(Card::End),
        ".options" => options(source, line, words),
        name if OPTIONS.contains(&name) => options(source, line, words),
        name if HARMLESS.contains(&name) => Ok(Card::Harmless),
        name => Err(source.on_line(line, expected(name), format!("the card {}", shown(words[0])))),
    }
}

/// Settings are `name` or `name=value`, with or without blanks and commas.
fn options(source: &Source<'_>, line: u64, words: &[&str]) -> Result<Card, IoError> {
    let text = words[1..].join(" ").replace('=', " = ");
    let mut parts = text.split([' ', ',']).filter(|part| !part.is_empty()).peekable();
    while let Some(name) = parts.next() {
        if parts.next_if_eq(&"=").is_some() {
            parts.next();
        }
        if !HARMLESS_OPTIONS.split(' ').any(|known| known.eq_ignore_ascii_case(name)) {
            let found = format!("{} among those of {}", shown(name), shown(words[0]));
            let expected = "options that do not change the operating point";
            return Err(source.on_line(line, expected, found));
        }
    }
    Ok(Card::Harmless)
}

/// What should be there instead of a card.
fn expected(name: &str) -> String {
    let expected = match name {
        ".subckt" | ".ends" | ".macro" | ".eom" => {
            "a netlist without subcircuits (they are not expanded)"
        }
        ".include" | ".inc" | ".lib" | ".endl" => {
            "the whole circuit in one file (includes are not read)"
        }
        ".param" | ".params" | ".parameters" | ".func" => {
            "numbers instead of parameters (they are not evaluated)"
        }
        ".tran" | ".ac" | ".dc" | ".noise" | ".tf" | ".pz" | ".sens" | ".disto" | ".four"
        | ".hb" | ".mc" => "an operating point (`.op`), the only analysis supported",
        _ => {
            let harmless = HARMLESS.join(", ");
            return format!("no card that may change the operating point (only {harmless})");
        }
    };
    expected.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Result<Card, String> {
        let source = Source::new("n", b"").expect("UTF-8");
        let words: Vec<&str> = text.split(' ').collect();
        card(&source, 7, &words).map_err(|error| error.to_string())
    }

    #[test]
    fn cards_without_meaning() {
        assert_eq!(found(".END"), Ok(Card::End));
        for name in HARMLESS.iter().filter(|name| **name != ".end") {
            assert_eq!(found(&name.to_uppercase()), Ok(Card::Harmless), "{name}");
        }
        for text in [
            ".options reltol=1e-6 post GMIN = 1e-12, acct itl1= 100",
            ".OPTION nomod",
            ".opt post =2 brief",
            ".print tran v(a)",
            ".title tran of .subckt",
        ] {
            assert_eq!(found(text), Ok(Card::Harmless), "{text}");
        }
    }

    #[test]
    fn cards_that_may_change_the_answer() {
        for (text, part) in [
            (
                ".subckt load p",
                "without subcircuits (they are not expanded), found the card `.subckt`",
            ),
            (".ENDS", "found the card `.ENDS`"),
            (".include grid.inc", "in one file (includes are not read), found the card `.include`"),
            (".lib x tt", "found the card `.lib`"),
            (".param r=5", "(they are not evaluated), found the card `.param`"),
            (".tran 1n 1u", "the only analysis supported, found the card `.tran`"),
            (".dc v1 0 1 0.1", "found the card `.dc`"),
            (".ic v(a)=1", "no card that may change the operating point (only .end, .global"),
            (".model m r tc1=1", "found the card `.model`"),
            (".control", "found the card `.control`"),
            (".", "found the card `.`"),
            (".endx", "found the card `.endx`"),
            (".options rshunt=1e9", "found `rshunt` among those of `.options`"),
            (".options reltol=1 scale = 2", "found `scale` among"),
            (".option post post=1 resmin", "found `resmin` among those of `.option`"),
            (".options = 1", "found `=` among"),
        ] {
            let error = found(text).expect_err(text);
            assert!(error.starts_with("n, line 7: expected ") && error.contains(part), "{error}");
        }
    }

    #[test]
    fn the_book_lists_harmless_cards() {
        let book = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/book/src/graph.md");
        let book = std::fs::read_to_string(book).expect("the chapter on graphs");
        for name in HARMLESS {
            assert!(book.contains(&format!("`{name}`")), "{name}");
        }
    }
}
