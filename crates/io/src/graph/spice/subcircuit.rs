//! Subcircuits: circuits with ports, of which instances (`X`) are copies.
//!
//! **Problem.** Definitions, nested or not, and instances; out come elements whose names and inner
//! nodes carry the name of their instance before a dot. **Method.** A stack of the instances under
//! way; the parameters of each are computed from its line and the defaults. A subcircuit that is
//! already on the stack contains itself: an error. **Cost.** Linear in what comes out, which may
//! be far more than the text: it is counted first (`size.rs`), and memory asked for.

use super::scope::{Scope, Stated};
use super::size::BYTES;
use super::tokens::{Token, setting, tokens};
use super::{Place, Reader, is_ground};
use crate::IoError;
use crate::error::shown;
use palmette_core::memory::check_room;
use std::collections::HashMap;
use std::rc::Rc;

/// Elements that are made between two looks at the memory: names may be longer than usual.
const BETWEEN: usize = 1 << 20;

/// Instances within instances; names grow with each.
const MOST_DEPTH: usize = 1000;

/// A statement for later.
#[derive(Debug, Clone)]
pub(super) struct Kept {
    pub(super) place: Place,
    pub(super) words: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Definition {
    place: Place,
    /// Its name, after those of the definitions around it.
    pub(super) path: String,
    name: String,
    ports: Vec<String>,
    defaults: Vec<(String, String, Place)>,
    pub(super) body: Vec<Kept>,
}

#[derive(Default)]
pub(super) struct Definitions {
    known: HashMap<String, Rc<Definition>>,
    /// Those without their `.ends` yet.
    pub(super) open: Vec<Definition>,
}

/// An instance as it is written: nodes, the name of the subcircuit, parameters.
pub(super) struct Line<'t> {
    nodes: Vec<&'t str>,
    pub(super) name: &'t str,
    settings: Vec<(&'t str, Token<'t>)>,
}

/// An instance under way.
pub(super) struct Frame {
    definition: Rc<Definition>,
    at: usize,
    /// The instance's name, with a dot.
    pub(super) prefix: String,
    /// By port in small letters, the node outside.
    nodes: HashMap<String, String>,
    pub(super) scope: Rc<Scope>,
}

impl Frame {
    /// What a node of the body is called in the whole circuit.
    pub(super) fn node(&self, name: &str, globals: &[String]) -> String {
        let folded = name.to_ascii_lowercase();
        match self.nodes.get(&folded) {
            _ if is_ground(name) => name.to_string(),
            Some(outer) => outer.clone(),
            None if globals.contains(&folded) => name.to_string(),
            None => format!("{}{name}", self.prefix),
        }
    }
}

impl Definitions {
    /// The definition that a name means inside another one.
    pub(super) fn find(&self, inside: Option<&Definition>, name: &str) -> Option<Rc<Definition>> {
        let name = name.to_ascii_lowercase();
        let mut path = inside.map_or("", |definition| &definition.path);
        loop {
            let key = if path.is_empty() { name.clone() } else { format!("{path}/{name}") };
            if let Some(found) = self.known.get(&key) {
                return Some(found.clone());
            }
            if path.is_empty() {
                return None;
            }
            path = path.rfind('/').map_or("", |end| &path[..end]);
        }
    }
}

impl Reader<'_> {
    /// `.subckt NAME PORT… [params:] [NAME=VALUE …]`.
    pub(super) fn begin_definition(&mut self, place: Place, words: &[&str]) -> Result<(), IoError> {
        let text = words[1..].join(" ");
        let found = self.tokens(place, &text)?;
        let expected = "`.subckt NAME PORT… [NAME=VALUE …]`";
        let mut parts = found.as_slice();
        let (mut texts, mut defaults) = (Vec::new(), Vec::new());
        while let Some(&token) = parts.first() {
            if let Some((name, value)) = setting(parts) {
                defaults.push((name.to_ascii_lowercase(), value.text().to_string(), place));
                parts = &parts[3..];
            } else {
                match token {
                    Token::Word(word) if word.eq_ignore_ascii_case("params:") => {}
                    Token::Word(word) if defaults.is_empty() => texts.push(word.to_string()),
                    other => return Err(self.wrong(place, expected, shown(other.text()))),
                }
                parts = &parts[1..];
            }
        }
        if texts.is_empty() {
            return Err(self.wrong(place, expected, shown(&words.join(" "))));
        }
        let name = texts.remove(0);
        let ports: Vec<String> = texts.iter().map(|port| port.to_ascii_lowercase()).collect();
        let twice = (1..ports.len()).find(|&k| ports[..k].contains(&ports[k]));
        if let Some(k) = twice {
            return Err(self.wrong(
                place,
                "a new name for each port",
                format!("{} again", shown(&texts[k])),
            ));
        }
        if let Some(ground) = texts.iter().find(|port| is_ground(port)) {
            return Err(self.wrong(place, "ports other than ground", shown(ground)));
        }
        let around = self.definitions.open.last().map(|outer| format!("{}/", outer.path));
        let path = around.unwrap_or_default() + &name.to_ascii_lowercase();
        if let Some(first) = self.definitions.known.get(&path) {
            let found = format!("{} again, already in {}", shown(&name), self.told(first.place));
            return Err(self.wrong(place, "a new name for each subcircuit", found));
        }
        let body = Vec::new();
        self.definitions.open.push(Definition { place, path, name, ports, defaults, body });
        Ok(())
    }

    /// `.ends [NAME]`.
    pub(super) fn end_definition(&mut self, place: Place, words: &[&str]) -> Result<(), IoError> {
        let Some(definition) = self.definitions.open.pop() else {
            return Err(self.wrong(place, "`.subckt` before it", shown(words[0])));
        };
        if let Some(name) = words.get(1).filter(|name| !name.eq_ignore_ascii_case(&definition.name))
        {
            let expected = format!("the end of {}", shown(&definition.name));
            return Err(self.wrong(place, expected, format!("that of {}", shown(name))));
        }
        self.definitions.known.insert(definition.path.clone(), Rc::new(definition));
        Ok(())
    }

    /// The error about a subcircuit without an end.
    pub(super) fn unfinished(&self) -> IoError {
        let place = self.definitions.open.last().map_or(Place::default(), |open| open.place);
        self.wrong(place, "`.ends` after `.subckt`", "the end of the file")
    }

    /// Defaults that `.param` states inside a definition.
    pub(super) fn add_defaults(&mut self, place: Place, settings: Vec<(String, String)>) {
        if let Some(open) = self.definitions.open.last_mut() {
            open.defaults.extend(settings.into_iter().map(|(name, text)| (name, text, place)));
        }
    }

    /// Makes the elements of an instance at the top, and of all instances in it.
    pub(super) fn instance(&mut self, kept: &Kept) -> Result<(), IoError> {
        let mut stack = vec![self.frame(kept, None)?];
        while let Some(frame) = stack.last_mut() {
            let Some(next) = frame.definition.clone().body.get(frame.at).cloned() else {
                stack.pop();
                continue;
            };
            frame.at += 1;
            self.expanded += 1;
            self.check_memory(next.place)?;
            if is_instance(&next.words[0]) {
                let inner = self.frame(&next, Some(&stack))?;
                stack.push(inner);
            } else {
                let words: Vec<&str> = next.words.iter().map(String::as_str).collect();
                self.element(next.place, &words, stack.last())?;
            }
        }
        Ok(())
    }

    fn check_memory(&self, place: Place) -> Result<(), IoError> {
        if !self.expanded.is_multiple_of(BETWEEN) {
            return Ok(());
        }
        check_room(BYTES * BETWEEN as u64).map_err(|source| {
            let what = format!("subcircuits of more than {} elements", self.expanded);
            IoError::NoRoom { file: self.told(place), what, source }
        })
    }

    /// An instance on its line: `Xname node… SUBCIRCUIT [params:] [NAME=VALUE …]`.
    fn frame(&self, kept: &Kept, stack: Option<&Vec<Frame>>) -> Result<Frame, IoError> {
        let place = kept.place;
        let outer = stack.and_then(|stack| stack.last());
        let text = kept.words[1..].join(" ");
        let Line { nodes: names, name, settings } = self.instance_line(place, &text)?;
        let inside = outer.map(|frame| &*frame.definition);
        let Some(definition) = self.definitions.find(inside, name) else {
            return Err(self.wrong(place, "a subcircuit that is defined", shown(name)));
        };
        if stack.is_some_and(|all| all.iter().any(|f| Rc::ptr_eq(&f.definition, &definition))) {
            let found = format!("{} inside itself", shown(name));
            return Err(self.wrong(place, "subcircuits that do not contain themselves", found));
        }
        if stack.is_some_and(|all| all.len() >= MOST_DEPTH) {
            let expected = format!("at most {MOST_DEPTH} instances within each other");
            return Err(self.wrong(place, expected, "one more"));
        }
        if names.len() != definition.ports.len() {
            let expected = format!("{} nodes for {}", definition.ports.len(), shown(name));
            return Err(self.wrong(place, expected, names.len().to_string()));
        }
        let globals = &self.globals;
        let outside = |node: &&str| match outer {
            Some(frame) => frame.node(node, globals),
            None => node.to_string(),
        };
        let nodes = definition.ports.iter().cloned().zip(names.iter().map(outside)).collect();
        let caller = outer.map_or(&self.scope, |frame| &frame.scope);
        let scope = Scope::inside(caller);
        for (name, text, at) in &definition.defaults {
            if !scope.state(name, Stated::Text(text.clone(), *at)) {
                let found = format!("{} again", shown(name));
                return Err(self.wrong(*at, "a new name for each parameter", found));
            }
        }
        for (name, value) in settings {
            if !scope.has(name) {
                let expected = format!("a parameter of {}", shown(&definition.name));
                return Err(self.wrong(place, expected, shown(name)));
            }
            let number =
                caller.of_token(value).map_err(|found| self.wrong(place, "a number", found))?;
            scope.state(name, Stated::Number(number));
        }
        scope.check().map_err(|(at, found)| self.wrong(at, "a number", found))?;
        let own = outer.map_or("", |frame| &frame.prefix);
        let prefix = format!("{own}{}.", kept.words[0]);
        Ok(Frame { definition, at: 0, prefix, nodes, scope: Rc::new(scope) })
    }

    /// What the line of an instance says after the instance's name.
    pub(super) fn instance_line<'t>(
        &self,
        place: Place,
        text: &'t str,
    ) -> Result<Line<'t>, IoError> {
        let expected = "`Xname node… SUBCIRCUIT [NAME=VALUE …]`";
        let found = self.tokens(place, text)?;
        let (mut nodes, mut settings) = (Vec::new(), Vec::new());
        let mut parts = found.as_slice();
        while let Some(&token) = parts.first() {
            if let Some((name, value)) = setting(parts) {
                settings.push((name, value));
                parts = &parts[3..];
                continue;
            }
            match token {
                Token::Word(word) if word.eq_ignore_ascii_case("params:") => {}
                Token::Word(word) if settings.is_empty() => nodes.push(word),
                other => return Err(self.wrong(place, expected, shown(other.text()))),
            }
            parts = &parts[1..];
        }
        match nodes.pop() {
            Some(name) => Ok(Line { nodes, name, settings }),
            None => Err(self.wrong(place, expected, shown(text))),
        }
    }

    /// The pieces of a text.
    pub(super) fn tokens<'t>(
        &self,
        place: Place,
        text: &'t str,
    ) -> Result<Vec<Token<'t>>, IoError> {
        tokens(text).map_err(|open| self.wrong(place, "an end of what was opened", shown(open)))
    }
}

pub(super) fn is_instance(name: &str) -> bool {
    matches!(name.as_bytes()[0], b'x' | b'X')
}
