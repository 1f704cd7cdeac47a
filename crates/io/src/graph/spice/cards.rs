//! Cards: the lines of a netlist that start with a dot.
//!
//! Some make the circuit (`.subckt`, `.param`, `.include` …), some say what to compute (`.tran`,
//! `.ic`, `.print`), and some cannot change an answer here. Every other card could, and is refused.

use super::subcircuit::Kept;
use super::tokens::{Token, setting};
use super::{Place, Reader, TransientCard};
use crate::IoError;
use crate::error::shown;

/// What a card is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Card {
    /// Nothing.
    Harmless,
    /// It ends its file.
    End,
    /// `.options`.
    Options,
    /// `.subckt`.
    Begin,
    /// `.ends`.
    Ends,
    /// `.include` and `.lib`.
    Include,
    /// `.endl`.
    EndLibrary,
    /// `.param`.
    Parameters,
    /// `.global`.
    Global,
    /// `.temp`.
    Temperature,
    /// `.tran`.
    Transient,
    /// `.print`.
    Print,
    /// `.ic`.
    Initial,
    /// `.control`.
    Control,
}

/// All cards that are read. docs/power.md lists them.
const CARDS: [(&str, Card); 31] = [
    (".control", Card::Control),
    (".end", Card::End),
    (".endl", Card::EndLibrary),
    (".ends", Card::Ends),
    (".eom", Card::Ends),
    (".global", Card::Global),
    (".ic", Card::Initial),
    (".inc", Card::Include),
    (".include", Card::Include),
    (".lib", Card::Include),
    (".macro", Card::Begin),
    (".nodeset", Card::Harmless),
    (".op", Card::Harmless),
    (".opt", Card::Options),
    (".opti", Card::Options),
    (".option", Card::Options),
    (".options", Card::Options),
    (".opts", Card::Options),
    (".param", Card::Parameters),
    (".parameters", Card::Parameters),
    (".params", Card::Parameters),
    (".plot", Card::Print),
    (".print", Card::Print),
    (".probe", Card::Harmless),
    (".save", Card::Harmless),
    (".subckt", Card::Begin),
    (".temp", Card::Temperature),
    (".title", Card::Harmless),
    (".tran", Card::Transient),
    (".width", Card::Harmless),
    (".endc", Card::Harmless),
];

/// Settings of `.options` that matter to devices, to iterations and to printing only. Not among
/// them are those that add conductances (`rshunt`, `gshunt`), bound resistances (`resmin`) or
/// scale values (`scale`). `temp` and `tnom` are used.
const HARMLESS_OPTIONS: &str = "abstol acct brief chgtol co gmin gminsteps ingold interp itl1 itl2 \
    itl3 itl4 itl5 itl6 klu limpts list lvltim maxord method noacct node noinit nomod nopage \
    numdgt opts pivrel pivtol post probe reltol savecurrents sparse srcsteps temp tnom trtol \
    vntol width";

/// What the card of a name is for; the error is what should be there instead.
pub(super) fn card(word: &str) -> Result<Card, String> {
    let name = word.to_ascii_lowercase();
    match CARDS.iter().find(|(known, _)| *known == name) {
        Some((_, card)) => Ok(*card),
        None => Err(expected(&name)),
    }
}

/// What should be there instead of a card.
fn expected(name: &str) -> String {
    let expected = match name {
        ".ac" | ".dc" | ".noise" | ".tf" | ".pz" | ".sens" | ".disto" | ".four" | ".hb" | ".mc"
        | ".step" | ".data" | ".alter" => {
            "an operating point (`.op`) or a transient (`.tran`), the analyses supported"
        }
        ".model" => "elements with values instead of models",
        ".func" | ".if" | ".else" | ".elseif" | ".endif" => {
            "parameters without functions and choices"
        }
        ".meas" | ".measure" => "no measurements (waveforms go to a table)",
        _ => return format!("no card that may change the answer (only {})", names().join(", ")),
    };
    expected.to_string()
}

/// The names of all cards that are read.
fn names() -> Vec<&'static str> {
    CARDS.iter().map(|(name, _)| *name).collect()
}

impl Reader<'_> {
    /// A card at the top, or inside a definition; whether it ends the file.
    pub(super) fn card(&mut self, place: Place, words: &[&str]) -> Result<bool, IoError> {
        let card = card(words[0]).map_err(|expected| {
            self.wrong(place, expected, format!("the card {}", shown(words[0])))
        })?;
        let inside = !self.definitions.open.is_empty();
        match card {
            Card::Harmless => {}
            Card::End if inside => return Err(self.unfinished()),
            Card::End => return Ok(true),
            Card::Begin => self.begin_definition(place, words)?,
            Card::Ends => self.end_definition(place, words)?,
            Card::Include => self.include(place, words)?,
            Card::EndLibrary => {
                let expected = "`.lib SECTION` before it";
                return Err(self.wrong(place, expected, shown(words[0])));
            }
            Card::Parameters => self.parameters(place, words)?,
            Card::Options => self.options(place, words)?,
            Card::Global => self.globals.extend(words[1..].iter().map(|w| w.to_ascii_lowercase())),
            Card::Control => self.control = Some(place),
            _ if inside => {
                let found = format!("the card {} inside one", shown(words[0]));
                return Err(self.wrong(place, "elements and parameters in a subcircuit", found));
            }
            // These need parameters, which may come later.
            Card::Temperature | Card::Transient | Card::Print | Card::Initial => {
                let words = words.iter().map(ToString::to_string).collect();
                self.later.push((card, Kept { place, words }));
            }
        }
        Ok(false)
    }

    /// Settings are `name` or `name=value`, with or without blanks and commas.
    fn options(&mut self, place: Place, words: &[&str]) -> Result<(), IoError> {
        let text = words[1..].join(" ");
        let found = self.tokens(place, &text)?;
        let mut parts = found.as_slice();
        while let Some(&token) = parts.first() {
            let value = setting(parts).map(|(_, value)| value);
            parts = &parts[if value.is_some() { 3 } else { 1 }..];
            let name = token.text().to_ascii_lowercase();
            let is_known = matches!(token, Token::Word(_))
                && HARMLESS_OPTIONS.split(' ').any(|known| known == name);
            if !is_known {
                let found = format!("{} among those of {}", shown(token.text()), shown(words[0]));
                return Err(self.wrong(place, "options that do not change the answer", found));
            }
            if let ("temp" | "tnom", Some(value)) = (name.as_str(), value) {
                let number = self.scope.of_token(value);
                let number = number.map_err(|found| self.wrong(place, "a number", found))?;
                match name.as_str() {
                    "temp" => self.settings.temperature = number,
                    _ => self.settings.nominal = number,
                }
            }
        }
        Ok(())
    }

    /// `.param NAME=VALUE …`.
    fn parameters(&mut self, place: Place, words: &[&str]) -> Result<(), IoError> {
        let text = words[1..].join(" ");
        let expected = "`.param NAME=VALUE …`, an expression with blanks between braces";
        let found = self.tokens(place, &text)?;
        let mut settings = Vec::new();
        let mut parts = found.as_slice();
        while !parts.is_empty() {
            let Some((name, value)) = setting(parts) else {
                return Err(self.wrong(place, expected, shown(parts[0].text())));
            };
            settings.push((name.to_ascii_lowercase(), value.text().to_string()));
            parts = &parts[3..];
        }
        if !self.definitions.open.is_empty() {
            self.add_defaults(place, settings);
            return Ok(());
        }
        for (name, text) in settings {
            if !self.scope.state(&name, super::scope::Stated::Text(text, place)) {
                let found = format!("{} again", shown(&name));
                return Err(self.wrong(place, "a new name for each parameter", found));
            }
        }
        Ok(())
    }

    /// Cards that waited for parameters.
    pub(super) fn late_card(&mut self, card: Card, kept: &Kept) -> Result<(), IoError> {
        let place = kept.place;
        let text = kept.words[1..].join(" ");
        let found = self.tokens(place, &text)?;
        match card {
            Card::Temperature => match found[..] {
                [one] => {
                    let number = self.scope.of_token(one);
                    self.settings.temperature =
                        number.map_err(|found| self.wrong(place, "a number", found))?;
                    Ok(())
                }
                _ => Err(self.wrong(place, "one temperature", format!("{} words", found.len()))),
            },
            Card::Transient => self.transient(place, &found),
            Card::Initial => self.initial(place, &found),
            _ => self.print(place, &found),
        }
    }

    /// `.tran STEP STOP [START [LARGEST]]`.
    fn transient(&mut self, place: Place, found: &[Token<'_>]) -> Result<(), IoError> {
        if let Some(uic) = found.iter().find(|token| token.is_word("uic")) {
            let expected = "a transient that starts at the operating point";
            return Err(self.wrong(place, expected, shown(uic.text())));
        }
        let numbers: Result<Vec<f64>, String> =
            found.iter().map(|token| self.scope.of_token(*token)).collect();
        let numbers = numbers.map_err(|found| self.wrong(place, "a number", found))?;
        let (step, stop, start, largest) = match numbers[..] {
            [step, stop] => (step, stop, 0.0, None),
            [step, stop, start] => (step, stop, start, None),
            [step, stop, start, largest] => (step, stop, start, Some(largest)),
            _ => {
                let found = format!("{} numbers", numbers.len());
                return Err(self.wrong(place, "`.tran STEP STOP [START [LARGEST]]`", found));
            }
        };
        let is_fine = step > 0.0 && stop >= step && (0.0..stop).contains(&start);
        if !is_fine || largest.is_some_and(|largest| largest <= 0.0) {
            let expected = "a positive step, an end after it and a start before the end";
            return Err(self.wrong(place, expected, format!("{numbers:?}")));
        }
        if self.settings.transient.is_some() {
            return Err(self.wrong(place, "one `.tran`", "another"));
        }
        self.settings.transient = Some(TransientCard { step, stop, start, largest });
        Ok(())
    }

    /// `.ic v(node)=value …`.
    fn initial(&mut self, place: Place, found: &[Token<'_>]) -> Result<(), IoError> {
        let mut parts = found;
        while !parts.is_empty() {
            let [v, Token::Open, Token::Word(node), Token::Close, Token::Equals, value, ..] =
                *parts
            else {
                return Err(self.wrong(place, "`.ic v(NODE)=VALUE …`", shown(parts[0].text())));
            };
            if !v.is_word("v") {
                return Err(self.wrong(place, "`.ic v(NODE)=VALUE …`", shown(v.text())));
            }
            let number = self.scope.of_token(value);
            let number = number.map_err(|found| self.wrong(place, "a number", found))?;
            self.settings.initial.push((place, node.to_string(), number));
            parts = &parts[6..];
        }
        Ok(())
    }

    /// `.print tran v(node) v(node,node) i(element) …`. Commas are blanks by now.
    fn print(&mut self, place: Place, found: &[Token<'_>]) -> Result<(), IoError> {
        let Some((analysis, mut parts)) = found.split_first() else { return Ok(()) };
        if !analysis.is_word("tran") {
            return Ok(());
        }
        while let Some(&token) = parts.first() {
            let is_open = parts.get(1) == Some(&Token::Open);
            let close = parts.iter().position(|token| *token == Token::Close);
            let (probe, length) = match (token, close) {
                (Token::Word(what), Some(close)) if is_open => {
                    let names: Vec<String> =
                        parts[2..close].iter().map(|token| token.text().to_string()).collect();
                    (Some((what.to_ascii_lowercase(), names)), close + 1)
                }
                _ => (None, 1),
            };
            match probe {
                Some((what, names)) if what == "v" && (1..=2).contains(&names.len()) => {
                    self.settings.probes.push((place, super::Probe::Voltage(names)));
                }
                Some((what, mut names)) if what == "i" && names.len() == 1 => {
                    let probe = super::Probe::Current(names.remove(0));
                    self.settings.probes.push((place, probe));
                }
                _ => {
                    let text: Vec<&str> =
                        parts[..length].iter().map(|token| token.text()).collect();
                    self.notes.push(format!(
                        "{} of .print is not supported, and left out",
                        shown(&text.concat())
                    ));
                }
            }
            parts = &parts[length..];
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_lists_all_cards() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/power.md");
        let page = std::fs::read_to_string(page).expect("the page on power networks");
        for name in names() {
            assert!(page.contains(&format!("`{name}`")), "{name}");
        }
        for name in HARMLESS_OPTIONS.split_whitespace() {
            assert!(page.contains(&format!("`{name}`")), "{name}");
        }
        for (name, _) in crate::graph::spice::expression::FUNCTIONS {
            assert!(page.contains(&format!("`{name}`")), "{name}");
        }
    }
}
