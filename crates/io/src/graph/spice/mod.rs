//! SPICE netlists of power grids: resistors, voltage sources, current sources.
//!
//! **Problem.** A direct-current circuit to the equations `(L + D) x = b` of its
//! potentials: a graph of conductances, conductances `D` to nodes of known potential,
//! and currents `b`.
//! **Method.** A voltage source says by how much two potentials differ: such nodes are
//! merged, with their offsets (`merge.rs`); so are the ends of a resistor of 0 ohms.
//! Nodes that hang together with ground (`0` or `gnd`) have a fixed potential; every
//! other set of merged nodes is a vertex, whose potential is that of its node which
//! appears first. A resistor between vertices is an edge, one to a fixed node a
//! conductance to ground and a current; offsets turn into currents. `I a b x` takes the
//! current x out of a and puts it into b.
//! **What is read.** Elements are known by their first letter, in any case: `R`, `V`,
//! `I`, two nodes, and a value (for a source perhaps after `DC`) with an optional scale
//! and unit (`value.rs`); each has a name of its own (`unique.rs`). Cards that cannot
//! change an operating point mean nothing, but `.end` ends the file; all others are
//! refused (`cards.rs`), and so is every other element. A first line that looks like
//! neither is a title. Nodes whose names differ in case only are refused.
//! **Cost.** One pass, linear expected work, sequential; 32 bytes per element, about
//! 40 and its name per node.
//! **Reference.** Nassif, *Power grid analysis benchmarks*, 2008.
//! **When not to use.** For anything that changes in time: capacitors are refused.

mod cards;
mod lines;
mod merge;
mod netlist;
mod unique;
mod value;

pub use netlist::{Netlist, NetlistElements, Potential};

use super::{GraphCounts, GraphFile, GraphForm, GraphFormat};
use crate::IoError;
use crate::error::shown;
use crate::labels::Labels;
use crate::names::Names;
use crate::source::Source;
use cards::{Card, card};
use lines::Statements;
use merge::Merged;
use palmette_core::MAX_VERTICES;
use unique::{ElementNames, same_but_case};
use value::value;

/// What a netlist states, nodes by number.
struct Circuit<'a> {
    source: &'a Source<'a>,
    element_names: ElementNames,
    names: Names,
    /// By node, the line where it appears first.
    lines: Vec<u64>,
    merged: Merged,
    ground: Option<u32>,
    /// Ends and conductance.
    resistors: Vec<(u32, u32, f64)>,
    /// From, to and current.
    currents: Vec<(u32, u32, f64)>,
    elements: NetlistElements,
    found: GraphCounts,
}

pub(crate) fn read(source: &Source<'_>) -> Result<GraphFile, IoError> {
    let mut circuit = Circuit {
        source,
        element_names: ElementNames::default(),
        names: Names::new(),
        lines: Vec::new(),
        merged: Merged::default(),
        ground: None,
        resistors: Vec::new(),
        currents: Vec::new(),
        elements: NetlistElements::default(),
        found: GraphCounts::default(),
    };
    let mut statements = Statements::new(source.text);
    let mut words = Vec::new();
    while let Some(line) = statements.next(&mut words) {
        match kind_of(line, &words) {
            Kind::Element => circuit.element(line, &words)?,
            Kind::Card => {
                if card(source, line, &words)? == Card::End {
                    break;
                }
            }
            // A title is one line.
            Kind::Title if statements.line() > line => {
                return Err(circuit.unknown(statements.line(), &["+"]));
            }
            Kind::Title => {}
        }
    }
    if circuit.found.entries == 0 {
        let line = statements.line().max(1);
        let found = if source.text.is_empty() { "an empty file" } else { "the end of the netlist" };
        return Err(source.on_line(line, "at least one element", found));
    }
    let element_names = std::mem::take(&mut circuit.element_names);
    if let Some(twice) = element_names.twice(source.text) {
        let found = format!("{} again, already on line {}", shown(twice.name), twice.lines[0]);
        return Err(source.on_line(twice.lines[1], "a new name for each element", found));
    }
    circuit.check_case()?;
    circuit.finish()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Element,
    Card,
    Title,
}

#[inline]
fn kind_of(line: u64, words: &[&str]) -> Kind {
    match words[0].as_bytes()[0] {
        b'.' => Kind::Card,
        _ if line == 1 && !is_element(words) => Kind::Title,
        _ => Kind::Element,
    }
}

/// The word with the value of an element, and where it ends.
fn value_word<'a>(words: &[&'a str]) -> Option<(&'a str, usize)> {
    let direct = words.get(3).is_some_and(|word| word.eq_ignore_ascii_case("dc"))
        && !matches!(words[0].as_bytes()[0], b'r' | b'R');
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

impl Circuit<'_> {
    #[inline]
    fn element(&mut self, line: u64, words: &[&str]) -> Result<(), IoError> {
        let kind = words[0].as_bytes()[0].to_ascii_lowercase();
        if !matches!(kind, b'r' | b'v' | b'i') {
            return Err(self.unknown(line, words));
        }
        let stated = value_word(words).filter(|&(_, end)| end == words.len());
        let Some((word, _)) = stated else { return Err(self.shape(line, words)) };
        let Some(number) = value(word) else {
            return Err(self.source.on_line(line, "a number", shown(word)));
        };
        self.found.entries += 1;
        self.element_names.push(words[0]);
        self.elements.shorts += usize::from(kind != b'i' && number == 0.0);
        let count = match kind {
            b'r' => &mut self.elements.resistors,
            b'v' => &mut self.elements.voltage_sources,
            _ => &mut self.elements.current_sources,
        };
        *count += 1;
        let (a, b) = (self.node(line, words[1])?, self.node(line, words[2])?);
        match kind {
            b'r' if number == 0.0 => {
                self.found.zeros += 1;
                self.join(line, a, b, 0.0)?;
            }
            b'r' => {
                let conductance = 1.0 / number;
                if !(conductance.is_normal() && number.is_normal() && number > 0.0) {
                    let expected = "a resistance, not negative, with a finite reciprocal";
                    return Err(self.source.on_line(line, expected, shown(word)));
                }
                self.resistors.push((a, b, conductance));
            }
            b'v' => self.join(line, a, b, number)?,
            _ => self.currents.push((a, b, number)),
        }
        Ok(())
    }

    #[inline]
    fn node(&mut self, line: u64, name: &str) -> Result<u32, IoError> {
        let is_ground = is_ground(name);
        if is_ground && let Some(ground) = self.ground {
            return Ok(ground);
        }
        let (node, new) = self.names.number(name);
        if new {
            if node as usize >= MAX_VERTICES {
                let expected = format!("at most {MAX_VERTICES} nodes");
                return Err(self.source.on_line(line, expected, "another"));
            }
            self.lines.push(line);
            self.merged.push();
        }
        if is_ground {
            self.ground = Some(node);
        }
        Ok(node)
    }

    /// Refuses two nodes whose names differ in case only: other programs take them for one.
    fn check_case(&self) -> Result<(), IoError> {
        let names = || (0..self.names.len() as u32).map(|node| self.names.get(node));
        if !names().any(|name| name.bytes().any(|byte| byte.is_ascii_uppercase())) {
            return Ok(());
        }
        let Some((first, second)) = same_but_case(names()) else { return Ok(()) };
        let [before, name] = [first, second].map(|node| shown(self.names.get(node)));
        let expected = format!("{before}, as on line {}", self.lines[first as usize]);
        let found = format!("{name}; SPICE ignores case in names");
        Err(self.source.on_line(self.lines[second as usize], expected, found))
    }

    fn join(&mut self, line: u64, a: u32, b: u32, value: f64) -> Result<(), IoError> {
        self.merged.join(a, b, value).map_err(|known| {
            let (a, b) = (shown(self.names.get(a)), shown(self.names.get(b)));
            let expected = format!("{a} at {known} V above {b}, as earlier sources say");
            self.source.on_line(line, expected, format!("{value} V"))
        })
    }

    #[cold]
    fn unknown(&self, line: u64, words: &[&str]) -> IoError {
        let expected = "a resistor (R), a voltage source (V) or a current source (I)";
        let name = shown(words[0]);
        let found = match words[0].as_bytes()[0].to_ascii_lowercase() {
            b'+' => "a continuation of no element".to_string(),
            b'c' => format!("the capacitor {name}, which an operating point ignores; remove it"),
            b'l' => {
                format!("the inductor {name}; replace it by a resistor of 0 ohms")
            }
            b'x' => format!("{name}, an instance of a subcircuit (they are not expanded)"),
            _ => format!("an element of unknown kind, {name}"),
        };
        self.source.on_line(line, expected, found)
    }

    #[cold]
    fn shape(&self, line: u64, words: &[&str]) -> IoError {
        self.source.on_line(line, "`name node node value`", shown(&words.join(" ")))
    }

    fn finish(self) -> Result<GraphFile, IoError> {
        let Circuit { source, names, lines, merged, ground, resistors, currents, .. } = self;
        let (elements, mut found) = (self.elements, self.found);
        let nodes = names.len();
        let made = netlist::places(merged, ground, nodes).and_then(|places| {
            let mut equations = netlist::equations(&places, &resistors, &currents)?;
            found.diagonal = equations.inside;
            let (graph, simplified) = equations.graph()?;
            let added = equations.added(simplified.parallel, &places, &resistors);
            (found.duplicates, found.tied) = (added.parallel, added.tied);
            netlist::check_grounded(&places, &graph, &equations.ground)?;
            Ok((places, graph, equations))
        });
        let (places, graph, equations) = made.map_err(|(node, expected, what)| {
            let found = format!("node {}, {what}", shown(names.get(node)));
            source.on_line(lines[node as usize], expected, found)
        })?;
        let any_ground = equations.ground.iter().any(|&g| g > 0.0);
        let ground = any_ground.then_some(equations.ground);
        let netlist = Some(Netlist {
            nodes: Labels::from_texts(names.into_texts()),
            places,
            currents: equations.currents,
            loads: equations.loads,
            supplies: equations.supplies,
            elements,
        });
        let (format, form) = (GraphFormat::Spice, GraphForm::Netlist);
        let file = GraphFile::new(source.name, format, graph, form, found);
        Ok(GraphFile { ground, netlist, ..file })
    }
}
