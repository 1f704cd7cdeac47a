//! Parameters: names for numbers, computed when asked for.
//!
//! A parameter may use others of its scope and of the netlist, wherever they stand; one that
//! needs itself is an error. Inside an instance of a subcircuit its own parameters come first, then
//! those of the instance around it and so on, the netlist's last, as in ngspice.

use super::Place;
use super::expression::evaluate;
use super::tokens::Token;
use super::value::{is_too_small, value};
use crate::error::shown;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// Parameters that lead to parameters: how many in a row are followed.
const MOST_STEPS: usize = 200;

/// What a parameter is: text to be computed, or a number.
#[derive(Debug, Clone)]
pub(super) enum Stated {
    Text(String, Place),
    Number(f64),
    /// Under way: who asks for it now asks for himself.
    Asked,
}

/// Parameters of the netlist, or of one instance of a subcircuit.
#[derive(Default)]
pub(super) struct Scope {
    own: RefCell<HashMap<String, Stated>>,
    above: Option<Rc<Scope>>,
}

impl Scope {
    pub(super) fn inside(above: &Rc<Scope>) -> Scope {
        Scope { own: RefCell::default(), above: Some(above.clone()) }
    }

    /// States a parameter; whether there was none of this name.
    pub(super) fn state(&self, name: &str, stated: Stated) -> bool {
        self.own.borrow_mut().insert(name.to_ascii_lowercase(), stated).is_none()
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.own.borrow().contains_key(&name.to_ascii_lowercase())
    }

    /// The value of a parameter; the error says what is wrong.
    pub(super) fn number(&self, name: &str) -> Result<f64, String> {
        self.find(name, 0)?.ok_or_else(|| format!("`{name}`, which is no parameter"))
    }

    fn find(&self, name: &str, steps: usize) -> Result<Option<f64>, String> {
        let key = name.to_ascii_lowercase();
        // The nearest scope that has it.
        let mut scope = self;
        loop {
            let stated = scope.own.borrow().get(&key).cloned();
            match (stated, &scope.above) {
                (Some(stated), _) => return scope.resolve(key, stated, steps).map(Some),
                (None, Some(above)) => scope = above,
                (None, None) => return Ok(None),
            }
        }
    }

    /// The value of a parameter of this scope.
    fn resolve(&self, name: String, stated: Stated, steps: usize) -> Result<f64, String> {
        let text = match stated {
            Stated::Number(number) => return Ok(number),
            Stated::Asked => {
                return Err(format!("the parameter `{name}`, which needs itself"));
            }
            Stated::Text(text, _) if steps < MOST_STEPS => text,
            Stated::Text(..) => {
                return Err(format!("`{name}` after {MOST_STEPS} parameters that need each other"));
            }
        };
        self.own.borrow_mut().insert(name.clone(), Stated::Asked);
        let number = self.compute(&text, steps + 1)?;
        self.own.borrow_mut().insert(name, Stated::Number(number));
        Ok(number)
    }

    fn compute(&self, text: &str, steps: usize) -> Result<f64, String> {
        match value(text) {
            Some(number) => Ok(number),
            None => evaluate(text, &mut |name| {
                self.find(name, steps)?.ok_or_else(|| format!("`{name}`, which is no parameter"))
            }),
        }
    }

    /// The number that a piece of a statement means: a number, an expression or a parameter.
    pub(super) fn of_token(&self, token: Token<'_>) -> Result<f64, String> {
        match token {
            Token::Word(word) => match value(word) {
                Some(number) => Ok(number),
                None => match self.find(word, 0)? {
                    Some(number) => Ok(number),
                    None if is_too_small(word) => {
                        Err(format!("{}, which is too small", shown(word)))
                    }
                    None => Err(shown(word)),
                },
            },
            Token::Expression(text) | Token::Text(text) => self.compute(text, 0),
            other => Err(shown(other.text())),
        }
    }

    /// Computes all, so that a mistake in one that nobody uses is told too.
    pub(super) fn check(&self) -> Result<(), (Place, String)> {
        let mut texts: Vec<(Place, String)> = self
            .own
            .borrow()
            .iter()
            .filter_map(|(name, stated)| match stated {
                Stated::Text(_, place) => Some((*place, name.clone())),
                _ => None,
            })
            .collect();
        texts.sort_unstable();
        for (place, name) in texts {
            self.number(&name).map_err(|wrong| (place, wrong))?;
        }
        Ok(())
    }
}
