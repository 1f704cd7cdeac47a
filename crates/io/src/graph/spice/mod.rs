//! SPICE netlists of power grids.
//!
//! **Problem.** Text to a [`Circuit`] of resistors, capacitors, inductors and sources, with all
//! subcircuits expanded; and what analysis the text asks for.
//! **Method.** Statements go by once (`lines.rs`). Elements with plain numbers become part of the
//! circuit at once; those that need parameters, options or subcircuits wait until all files are
//! read (`deck.rs`), since what they need may stand further down. Then they follow, instances by
//! a stack (`subcircuit.rs`). Each element has a name of its own (`unique.rs`).
//! **What is read.** Elements are known by their first letter, in any case (`element.rs`,
//! `sources.rs`), cards by their names (`cards.rs`). Whatever may change an answer and is not
//! known is an error. A first line that looks like neither is a title. Nodes whose names differ
//! in case only are refused.
//! **Cost.** Linear expected work in what comes out, sequential; about 60 bytes and its name per
//! element, 40 and its name per node.
//! **Reference.** Nassif, *Power grid analysis benchmarks*, 2008; *Ngspice user's manual*.

mod cards;
mod deck;
mod element;
mod expression;
mod lines;
mod netlist;
mod scope;
mod size;
mod sources;
mod subcircuit;
mod tokens;
mod unique;
mod value;

pub(crate) use deck::Includes;
pub(crate) use netlist::graph_file;
pub use netlist::{
    Netlist, NetlistElements, NetlistFile, Probe, TransientCard, read_netlist, read_netlist_bytes,
    read_netlist_within,
};
pub use value::value as spice_value;

use crate::IoError;
use crate::error::shown;
use crate::names::Names;
use crate::source::Source;
use cards::Card;
use deck::Open;
use element::NOMINAL;
use lines::Statements;
use palmette_core::{Circuit, MAX_VERTICES};
use scope::Scope;
use std::rc::Rc;
use subcircuit::{Definitions, Kept, is_instance};
use unique::{ElementNames, Folded, same_but_case};

/// A line of one of the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Place {
    file: u32,
    line: u32,
}

/// Whether a file is a library, and where in it we are.
#[derive(Debug, Default)]
enum Section {
    /// No library.
    #[default]
    None,
    /// Between sections.
    Outside { wanted: String, found: bool },
    /// In the section.
    Inside { wanted: String },
}

impl Section {
    fn of(wanted: &Option<String>) -> Section {
        match wanted {
            None => Section::None,
            Some(wanted) => Section::Outside { wanted: wanted.clone(), found: false },
        }
    }

    fn was_found(&self) -> bool {
        matches!(self, Section::Outside { found: true, .. } | Section::Inside { .. })
    }
}

/// What cards say.
struct Settings {
    temperature: f64,
    nominal: f64,
    transient: Option<TransientCard>,
    probes: Vec<(Place, Probe)>,
    initial: Vec<(Place, String, f64)>,
}

/// What was read so far.
struct Reader<'a> {
    includes: Option<&'a Includes>,
    files: Vec<String>,
    opened: Vec<Open>,
    section: Section,
    /// The `.control` that goes on.
    control: Option<Place>,
    definitions: Definitions,
    scope: Rc<Scope>,
    globals: Vec<String>,
    /// Elements and cards that wait until all is read.
    waiting: Vec<Kept>,
    later: Vec<(Card, Kept)>,
    settings: Settings,
    notes: Vec<String>,
    element_names: ElementNames,
    element_places: Vec<Place>,
    names: Names,
    /// By node, where it appears first.
    node_places: Vec<Place>,
    circuit: Circuit,
    expanded: usize,
}

/// Reads a netlist; without `includes` it must be in one piece.
fn read(source: &Source<'_>, includes: Option<&Includes>) -> Result<NetlistFile, IoError> {
    let mut reader = Reader {
        includes,
        files: vec![source.name.to_string()],
        opened: includes.map(|includes| Open::first(includes, source.name)).into_iter().collect(),
        section: Section::None,
        control: None,
        definitions: Definitions::default(),
        scope: Rc::default(),
        globals: Vec::new(),
        waiting: Vec::new(),
        later: Vec::new(),
        settings: Settings {
            temperature: NOMINAL,
            nominal: NOMINAL,
            transient: None,
            probes: Vec::new(),
            initial: Vec::new(),
        },
        notes: Vec::new(),
        element_names: ElementNames::default(),
        element_places: Vec::new(),
        names: Names::new(),
        node_places: Vec::new(),
        circuit: Circuit::default(),
        expanded: 0,
    };
    let last = reader.statements(0, source.text)?;
    reader.finish_definitions()?;
    if reader.circuit.elements.is_empty() {
        let found = if source.text.is_empty() { "an empty file" } else { "the end of the netlist" };
        let place = Place { file: 0, line: last.max(1) };
        return Err(reader.wrong(place, "at least one element", found));
    }
    reader.check_names()?;
    reader.finish()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Element,
    Card,
    Title,
}

#[inline]
fn kind_of(first: bool, words: &[&str]) -> Kind {
    match words[0].as_bytes()[0] {
        b'.' => Kind::Card,
        _ if first && !is_element(words) => Kind::Title,
        _ => Kind::Element,
    }
}

/// The word with the value of an element, and where it ends.
fn value_word<'a>(words: &[&'a str]) -> Option<(&'a str, usize)> {
    let direct = words.get(3).is_some_and(|word| word.eq_ignore_ascii_case("dc"))
        && matches!(words[0].as_bytes()[0], b'v' | b'V' | b'i' | b'I');
    let place = 3 + usize::from(direct);
    words.get(place).map(|word| (*word, place + 1))
}

/// Whether a first line is an element, perhaps a wrong one, rather than a title: it names
/// ground, or it has the right number of words and ends in what starts like a number. What
/// is no resistor or source is named by a letter and a number.
fn is_element(words: &[&str]) -> bool {
    let numeric = |word: &str| word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    let is_stated = || {
        value_word(words).is_some_and(|(word, end)| {
            words[1..3].iter().any(|node| is_ground(node)) || (end == words.len() && numeric(word))
        })
    };
    let name = words[0].as_bytes();
    let is_numbered = name.len() > 1 && name[1..].iter().all(u8::is_ascii_digit);
    match name[0].to_ascii_lowercase() {
        b'+' => true,
        b'r' | b'v' | b'i' => is_stated(),
        b'x' => is_numbered && words.len() > 2,
        b'a'..=b'z' => is_numbered && is_stated(),
        _ => false,
    }
}

/// Whether a node is the one with potential 0.
#[inline]
fn is_ground(name: &str) -> bool {
    name == "0" || (name.len() == 3 && name.eq_ignore_ascii_case("gnd"))
}

impl Reader<'_> {
    /// All statements of a file; returns its last line.
    fn statements(&mut self, file: u32, text: &str) -> Result<u32, IoError> {
        let short = |line: u64| u32::try_from(line).unwrap_or(u32::MAX);
        if let Some(at) = memchr::memchr(0, text.as_bytes()) {
            let line = memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count() as u64 + 1;
            return Err(self.wrong(Place { file, line: short(line) }, "text", "a byte of 0"));
        }
        let mut statements = Statements::new(text);
        let mut words = Vec::new();
        while let Some(line) = statements.next(&mut words) {
            let place = Place { file, line: short(line) };
            if self.control.is_some() {
                if words[0].eq_ignore_ascii_case(".endc") {
                    self.end_control();
                }
                continue;
            }
            if !matches!(self.section, Section::None) && self.is_between_sections(&words) {
                continue;
            }
            match kind_of(file == 0 && line == 1, &words) {
                Kind::Card => {
                    if self.card(place, &words)? {
                        break;
                    }
                }
                // A title is one line.
                Kind::Title if statements.line() > line => {
                    let place = Place { file, line: short(statements.line()) };
                    return Err(self.unknown(place, &["+"]));
                }
                Kind::Title => {}
                Kind::Element => self.statement(place, &words)?,
            }
        }
        if let Some(place) = self.control {
            return Err(self.wrong(place, "`.endc` after `.control`", "the end of the file"));
        }
        Ok(short(statements.line()))
    }

    #[inline]
    fn statement(&mut self, place: Place, words: &[&str]) -> Result<(), IoError> {
        if element::kind_of_name(words[0]).is_none() && !is_instance(words[0]) {
            return Err(self.unknown(place, words));
        }
        let kept = || Kept { place, words: words.iter().map(ToString::to_string).collect() };
        if let Some(open) = self.definitions.open.last_mut() {
            open.body.push(kept());
        } else if !self.plain_element(place, words)? {
            self.waiting.push(kept());
        }
        Ok(())
    }

    /// In a library: notes where its sections start and end, and says whether a statement is in
    /// none that is wanted.
    fn is_between_sections(&mut self, words: &[&str]) -> bool {
        let is = |name: &str| words[0].eq_ignore_ascii_case(name);
        let next = match &self.section {
            Section::Inside { wanted } if is(".endl") => {
                Some(Section::Outside { wanted: wanted.clone(), found: true })
            }
            Section::Outside { wanted, .. }
                if is(".lib") && words.len() == 2 && words[1].eq_ignore_ascii_case(wanted) =>
            {
                Some(Section::Inside { wanted: wanted.clone() })
            }
            Section::Outside { .. } => return true,
            _ => None,
        };
        let is_mark = next.is_some();
        if let Some(next) = next {
            self.section = next;
        }
        is_mark
    }

    fn end_control(&mut self) {
        if let Some(place) = self.control.take() {
            self.notes.push(format!("skipped the .control block at {}", self.told(place)));
        }
    }

    /// What waited for parameters and subcircuits.
    fn finish_definitions(&mut self) -> Result<(), IoError> {
        if !self.definitions.open.is_empty() {
            return Err(self.unfinished());
        }
        let scope = self.scope.clone();
        scope.check().map_err(|(at, found)| self.wrong(at, "a number", found))?;
        for (card, kept) in std::mem::take(&mut self.later) {
            self.late_card(card, &kept)?;
        }
        let waiting = std::mem::take(&mut self.waiting);
        self.check_size(&waiting)?;
        for kept in waiting {
            if is_instance(&kept.words[0]) {
                self.instance(&kept)?;
            } else {
                let words: Vec<&str> = kept.words.iter().map(String::as_str).collect();
                self.element(kept.place, &words, None)?;
            }
        }
        Ok(())
    }

    #[inline]
    fn node(&mut self, place: Place, name: &str) -> Result<u32, IoError> {
        let is_ground = is_ground(name);
        if is_ground && let Some(ground) = self.circuit.ground {
            return Ok(ground);
        }
        let (node, new) = self.names.number(name);
        if new {
            if node as usize >= MAX_VERTICES {
                let expected = format!("at most {MAX_VERTICES} nodes");
                return Err(self.wrong(place, expected, "another"));
            }
            self.node_places.push(place);
        }
        if is_ground {
            self.circuit.ground = Some(node);
        }
        Ok(node)
    }

    /// Refuses two elements of a name, and two nodes whose names differ in case only: other
    /// programs take them for one.
    fn check_names(&self) -> Result<(), IoError> {
        if let Some((first, second)) = self.element_names.twice() {
            let name = shown(self.element_names.get(second));
            let before = self.element_places[first];
            let found = match before.file == self.element_places[second].file {
                true => format!("{name} again, already on line {}", before.line),
                false => format!("{name} again, already in {}", self.told(before)),
            };
            return Err(self.wrong(
                self.element_places[second],
                "a new name for each element",
                found,
            ));
        }
        let names = || (0..self.names.len() as u32).map(|node| self.names.get(node));
        if !names().any(|name| name.bytes().any(|byte| byte.is_ascii_uppercase())) {
            return Ok(());
        }
        let Some((first, second)) = same_but_case(names()) else { return Ok(()) };
        let [before, name] = [first, second].map(|node| shown(self.names.get(node)));
        let place = self.node_places[first as usize];
        let expected = match place.file == self.node_places[second as usize].file {
            true => format!("{before}, as on line {}", place.line),
            false => format!("{before}, as in {}", self.told(place)),
        };
        let found = format!("{name}; SPICE ignores case in names");
        Err(self.wrong(self.node_places[second as usize], expected, found))
    }

    /// An error at a place.
    fn wrong(
        &self,
        place: Place,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> IoError {
        let file = &self.files[place.file as usize];
        IoError::on_line(file, u64::from(place.line), expected, found)
    }

    /// A place in words.
    fn told(&self, place: Place) -> String {
        format!("{}, line {}", self.files[place.file as usize], place.line)
    }

    #[cold]
    fn unknown(&self, place: Place, words: &[&str]) -> IoError {
        let expected = "a resistor (R), capacitor (C), inductor (L), voltage source (V), current \
                        source (I) or instance of a subcircuit (X)";
        let name = shown(words[0]);
        let found = match words[0].as_bytes()[0].to_ascii_lowercase() {
            b'+' => "a continuation of no element".to_string(),
            _ => format!("an element of unknown kind, {name}"),
        };
        self.wrong(place, expected, found)
    }

    #[cold]
    fn shape(&self, place: Place, words: &[&str]) -> IoError {
        self.wrong(place, "`name node node value`", shown(&words.join(" ")))
    }
}
