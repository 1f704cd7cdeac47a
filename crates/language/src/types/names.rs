//! Names: what they stand for, and suggestions for misspelt ones.

use super::Kind;
use palmette_core::named::nearest;
use std::collections::HashMap;

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A parameter, by number.
    Param(usize),
    /// A matrix, by number.
    Matrix(usize),
    /// A scalar or a vector that assignments change.
    Variable(Kind),
}

impl Meaning {
    pub(super) fn kind(self) -> Kind {
        match self {
            Meaning::Param(_) => Kind::Scalar,
            Meaning::Matrix(_) => Kind::Matrix,
            Meaning::Variable(kind) => kind,
        }
    }
}

/// The names that can be used at a place.
#[derive(Debug, Default)]
pub(super) struct Names {
    known: HashMap<String, (Meaning, u32)>,
    /// In the order of definition.
    order: Vec<String>,
    /// Names that a loop defined and took with it, and its line.
    lost: HashMap<String, u32>,
}

impl Names {
    pub(super) fn get(&self, name: &str) -> Option<(Meaning, u32)> {
        self.known.get(name).copied()
    }

    pub(super) fn define(&mut self, name: &str, meaning: Meaning, line: u32) {
        self.lost.remove(name);
        if self.known.insert(name.to_string(), (meaning, line)).is_none() {
            self.order.push(name.to_string());
        }
    }

    /// A mark to return to.
    pub(super) fn mark(&self) -> usize {
        self.order.len()
    }

    /// Forgets the names that were defined after a mark, in the loop of a line.
    pub(super) fn forget(&mut self, mark: usize, line: u32) {
        for name in self.order.drain(mark..) {
            self.known.remove(&name);
            self.lost.insert(name, line);
        }
    }

    /// What is wrong with a name that is not known.
    pub(super) fn unknown(&self, name: &str, words: &[&str]) -> String {
        if let Some(line) = self.lost.get(name) {
            return format!(
                "`{name}` is set only in the loop of line {line}, which may run zero times; \
                 set it before the loop too"
            );
        }
        let known = self.order.iter().map(String::as_str).chain(words.iter().copied());
        format!("unknown name `{name}`{}", suggestion(name, known))
    }

    /// Parameters, for suggestions.
    pub(super) fn params(&self) -> impl Iterator<Item = &str> {
        let is_param = |name: &&String| matches!(self.known[*name].0, Meaning::Param(_));
        self.order.iter().filter(is_param).map(String::as_str)
    }
}

/// What a misspelt word may have meant, as the rest of a message.
pub(super) fn suggestion<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    nearest(word, known).map_or(String::new(), |near| format!("; did you mean `{near}`?"))
}
