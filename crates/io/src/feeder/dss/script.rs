//! Runs a script: the commands of all its files, to a list of objects with their properties.
//!
//! Properties are kept as they were assigned, in order: what they mean depends on those before
//! them (`wdg=2 kv=…`, `switch=yes r1=…`), and `like=` repeats those of another object.

use super::classes::Class;
use super::tokens::{self, Word, words};
use crate::IoError;
use crate::quote::shown;
use crate::source::{Source, name_of, plain};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Files within files, at most.
const DEEPEST: usize = 40;

/// A line of one of the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    file: usize,
    line: u64,
}

/// A property as it was assigned.
#[derive(Debug, Clone)]
pub(crate) struct Property {
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) place: Place,
}

#[derive(Debug, Clone)]
pub(crate) struct Object {
    pub(crate) class: Class,
    pub(crate) name: String,
    pub(crate) place: Place,
    pub(crate) properties: Vec<Property>,
    /// Whether its first and its second terminal are open.
    pub(crate) open: [bool; 2],
}

/// What a script has made.
pub(crate) struct Script<'l> {
    load: &'l dyn Fn(&Path) -> Result<Vec<u8>, IoError>,
    files: Vec<String>,
    pub(crate) objects: Vec<Object>,
    numbers: HashMap<(&'static str, String), usize>,
    active: Option<usize>,
    pub(crate) frequency: f64,
    pub(crate) load_factor: f64,
    pub(crate) voltage_bases: Vec<f64>,
    pub(crate) controls_off: bool,
    is_empty: bool,
    /// The last `Solve`, and what was changed first after it.
    solved: Option<Place>,
    changed: Option<(Place, String)>,
}

impl<'l> Script<'l> {
    /// Runs a file whose bytes are here; others are loaded by their paths.
    pub(crate) fn run(
        path: &Path,
        bytes: &[u8],
        load: &'l dyn Fn(&Path) -> Result<Vec<u8>, IoError>,
    ) -> Result<Script<'l>, IoError> {
        let mut script = Script {
            load,
            files: Vec::new(),
            objects: Vec::new(),
            numbers: HashMap::new(),
            active: None,
            frequency: 60.0,
            load_factor: 1.0,
            voltage_bases: Vec::new(),
            controls_off: false,
            is_empty: true,
            solved: None,
            changed: None,
        };
        script.file(path, bytes, &mut vec![path.to_path_buf()])?;
        if let (Some(solved), Some((place, what))) = (script.solved, &script.changed) {
            let expected = "`Solve` after the last change of the circuit";
            let found = format!(
                "{} after the last `Solve` ({}, line {})",
                shown(what),
                script.files[solved.file],
                solved.line
            );
            return Err(script.wrong(*place, expected, found));
        }
        Ok(script)
    }

    /// Remembers a command that changes a circuit which has been solved: OpenDSS shows the state
    /// before it until the next `Solve`.
    pub(super) fn changes(&mut self, what: &str, place: Place) {
        if self.solved.is_some() && self.changed.is_none() {
            self.changed = Some((place, what.to_string()));
        }
    }

    /// The error about a line.
    pub(crate) fn wrong(
        &self,
        place: Place,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> IoError {
        IoError::on_line(&self.files[place.file], place.line, expected, found)
    }

    /// The file and the line of a place.
    pub(crate) fn file_and_line(&self, place: Place) -> (&str, u64) {
        (&self.files[place.file], place.line)
    }

    pub(crate) fn find(&self, class: Class, name: &str) -> Option<&Object> {
        let at = self.numbers.get(&(class.name(), name.trim().to_ascii_lowercase()))?;
        Some(&self.objects[*at])
    }

    fn file(&mut self, path: &Path, bytes: &[u8], above: &mut Vec<PathBuf>) -> Result<(), IoError> {
        let name = name_of(path);
        let data = plain(&name, bytes)?;
        // Scripts of old come in Latin-1: what is no UTF-8 can only be in comments and names.
        let text = String::from_utf8_lossy(&data);
        let source = Source::new(&name, text.as_bytes())?;
        self.files.push(name.clone());
        let file = self.files.len() - 1;
        let mut comment: Option<Place> = None;
        for (line, text) in source.text.lines().enumerate() {
            let place = Place { file, line: line as u64 + 1 };
            let text = text.trim();
            if text.starts_with("/*") || comment.is_some() {
                let start = comment.unwrap_or(place);
                comment = (!text.contains("*/")).then_some(start);
                continue;
            }
            let text = tokens::without_comment(text).trim();
            if !text.is_empty() {
                self.command(text, place, path, above)?;
            }
        }
        match comment {
            Some(start) => Err(self.wrong(start, "`*/` at the end of this comment", "none")),
            None => Ok(()),
        }
    }

    fn command(
        &mut self,
        text: &str,
        place: Place,
        path: &Path,
        above: &mut Vec<PathBuf>,
    ) -> Result<(), IoError> {
        let (verb, rest) = match text.strip_prefix('~') {
            Some(rest) => ("more", rest),
            None => {
                let end = text.find([' ', '\t', '=', ',']).unwrap_or(text.len());
                text.split_at(end)
            }
        };
        let wrong = |script: &Self, found: String| script.wrong(place, "`name=value`", found);
        let all = |script: &Self, text| words(text).map_err(|found| wrong(script, found));
        match verb.to_ascii_lowercase().as_str() {
            "new" => {
                let all = all(self, rest)?;
                self.make(&all, place)
            }
            "edit" => {
                let all = all(self, rest)?;
                let (at, rest) = self.named(&all, place)?;
                self.active = Some(at);
                self.assign(at, rest, place)
            }
            "more" | "m" => {
                let all = all(self, rest)?;
                match self.active {
                    Some(at) => self.assign(at, &all, place),
                    None => Err(self.wrong(place, "`new` before it", shown(verb))),
                }
            }
            "set" => {
                let all = all(self, rest)?;
                all.iter().try_for_each(|word| self.option(word, place))
            }
            "redirect" | "compile" => self.redirect(rest, place, path, above),
            "clear" | "clearall" => {
                self.objects.clear();
                self.numbers.clear();
                self.active = None;
                self.is_empty = true;
                (self.solved, self.changed) = (None, None);
                Ok(())
            }
            // Its options are those of `set`, and stay.
            "solve" => {
                let all = all(self, rest)?;
                all.iter().try_for_each(|word| self.option(word, place))?;
                (self.solved, self.changed) = (Some(place), None);
                Ok(())
            }
            "open" | "close" | "enable" | "disable" => {
                let all = all(self, rest)?;
                self.changes(verb, place);
                self.switch(verb, &all, place)
            }
            // These report, and change nothing.
            "calcv" | "calcvoltagebases" | "show" | "plot" | "export" | "buscoords"
            | "latlongcoords" | "summary" | "visualize" | "closedi" | "reset" | "sample"
            | "makebuslist" | "get" | "?" | "doc" | "help" | "set_defaults" => Ok(()),
            _ if verb.contains('.') && rest.trim_start().starts_with('=') => {
                let all = all(self, text)?;
                self.property_of(&all, place)
            }
            _ => {
                let expected = "a command: new, edit, more (~), set, redirect, compile, clear, \
                    open, close, enable, disable, solve, or a report";
                Err(self.wrong(place, expected, shown(verb)))
            }
        }
    }

    fn redirect(
        &mut self,
        rest: &str,
        place: Place,
        path: &Path,
        above: &mut Vec<PathBuf>,
    ) -> Result<(), IoError> {
        let quotes = ['"', '\'', '(', ')', '[', ']', '{', '}'];
        let target = rest.trim().trim_matches(quotes).trim().replace('\\', "/");
        if target.is_empty() {
            return Err(self.wrong(place, "the name of a file", "nothing"));
        }
        let target = path.parent().unwrap_or(Path::new("")).join(target);
        if above.contains(&target) || above.len() >= DEEPEST {
            let found = format!("{}, which is being read", shown(&target.to_string_lossy()));
            return Err(self.wrong(place, "another file", found));
        }
        let bytes = (self.load)(&target)
            .map_err(|error| self.wrong(place, "a file that can be read", error.to_string()))?;
        above.push(target.clone());
        self.file(&target, &bytes, above)?;
        above.pop();
        Ok(())
    }

    /// `new Class.name …`.
    fn make(&mut self, all: &[Word<'_>], place: Place) -> Result<(), IoError> {
        let Some((first, rest)) = all.split_first() else {
            return Err(self.wrong(place, "`Class.name` after `new`", "nothing"));
        };
        let (class, name) = self.class_and_name(first, place)?;
        if class == Class::Source && first.value.to_ascii_lowercase().starts_with("circuit") {
            self.is_empty = false;
        } else if self.is_empty && class != Class::Silent {
            let found = format!("{} before it", shown(&first.value));
            return Err(self.wrong(place, "`new Circuit.name` first", found));
        }
        let key = (class.name(), name.to_ascii_lowercase());
        if let Some(&there) = self.numbers.get(&key)
            && class != Class::Silent
        {
            let line = self.objects[there].place.line;
            let expected = format!("a name of its own (line {line} already has it)");
            return Err(self.wrong(place, expected, shown(&first.value)));
        }
        let at = self.objects.len();
        self.numbers.insert(key, at);
        let properties = Vec::new();
        self.objects.push(Object { class, name, place, properties, open: [false; 2] });
        self.active = Some(at);
        self.assign(at, rest, place)
    }

    fn class_and_name(&self, word: &Word<'_>, place: Place) -> Result<(Class, String), IoError> {
        let named = word.name.as_deref().is_none_or(|name| name == "object");
        let parts = word.value.split_once('.').filter(|(_, name)| named && !name.is_empty());
        let Some((class, name)) = parts else {
            return Err(self.wrong(place, "`Class.name`", shown(&word.value)));
        };
        match Class::of(class) {
            Some(class) => Ok((class, name.trim().to_string())),
            None => {
                let expected = "a class that is read (Circuit, Vsource, Line, LineCode, Load, \
                    Transformer, Capacitor, RegControl)";
                Err(self.wrong(place, expected, shown(class)))
            }
        }
    }

    /// The object that a line names first, and what follows.
    fn named<'w>(
        &self,
        all: &'w [Word<'w>],
        place: Place,
    ) -> Result<(usize, &'w [Word<'w>]), IoError> {
        let Some((first, rest)) = all.split_first() else {
            return Err(self.wrong(place, "`Class.name`", "nothing"));
        };
        let (class, name) = self.class_and_name(first, place)?;
        match self.numbers.get(&(class.name(), name.to_ascii_lowercase())) {
            Some(&at) => Ok((at, rest)),
            None => Err(self.wrong(place, "an object that there is", shown(&first.value))),
        }
    }

    /// `Class.name.property=value …`.
    fn property_of(&mut self, all: &[Word<'_>], place: Place) -> Result<(), IoError> {
        let path = all[0].name.clone().unwrap_or_default();
        let Some((object, property)) = path.rsplit_once('.') else {
            return Err(self.wrong(place, "`Class.name.property=value`", shown(&path)));
        };
        let object = Word { name: None, value: object.into() };
        let (at, _) = self.named(std::slice::from_ref(&object), place)?;
        let first = Word { name: Some(property.to_string()), value: all[0].value.clone() };
        self.active = Some(at);
        self.assign(at, &[first], place)?;
        self.assign(at, &all[1..], place)
    }

    fn assign(&mut self, at: usize, all: &[Word<'_>], place: Place) -> Result<(), IoError> {
        let class = self.objects[at].class;
        if class != Class::Silent {
            self.changes(&format!("{}.{}", class.name(), self.objects[at].name), place);
        }
        for word in all {
            let Some(name) = &word.name else {
                if class == Class::Silent {
                    continue;
                }
                return Err(self.wrong(place, "`name=value`", shown(&word.value)));
            };
            if name == "like" && class != Class::Silent {
                let Some(other) = self.find(class, &word.value) else {
                    let expected = format!("the name of another {}", class.name());
                    return Err(self.wrong(place, expected, shown(&word.value)));
                };
                let copied = other.properties.clone();
                self.objects[at].properties.extend(copied);
                continue;
            }
            match class.uses(name) {
                Some(true) => {
                    let (name, value) = (name.clone(), word.value.trim().to_string());
                    self.objects[at].properties.push(Property { name, value, place });
                }
                Some(false) => {}
                None => {
                    let expected = format!("a property of {} that is known", class.name());
                    return Err(self.wrong(place, expected, shown(name)));
                }
            }
        }
        Ok(())
    }

    fn switch(&mut self, verb: &str, all: &[Word<'_>], place: Place) -> Result<(), IoError> {
        let (at, rest) = self.named(all, place)?;
        let verb = verb.to_ascii_lowercase();
        if verb == "enable" || verb == "disable" {
            let value = if verb == "enable" { "yes" } else { "no" }.to_string();
            self.objects[at].properties.push(Property { name: "enabled".into(), value, place });
            return Ok(());
        }
        if self.objects[at].class != Class::Line {
            return Err(self.wrong(place, "a line to open or close", shown(&all[0].value)));
        }
        let terminal = match rest {
            [] => 1.0,
            [word] if word.name.as_deref().is_none_or(|name| name.starts_with("term")) => {
                tokens::number(&word.value).unwrap_or_default()
            }
            _ => 0.0,
        };
        if terminal != 1.0 && terminal != 2.0 {
            return Err(self.wrong(place, "a terminal, 1 or 2, all its phases", "something else"));
        }
        self.objects[at].open[terminal as usize - 1] = verb == "open";
        Ok(())
    }
}
