//! How rules, engines and budgets are written.

use super::{Budget, Engine, Rule, SparsifyError};
use std::fmt;
use std::str::FromStr;

impl Rule {
    /// All names, in the order of [`Rule`].
    pub const NAMES: &[&str] = &["contest", "fegrass"];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

impl Engine {
    /// All names, in the order of [`Engine`].
    pub const NAMES: &[&str] = &["reference", "linear", "parallel"];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

fn named<T: Copy>(
    all: &[T],
    names: &'static [&'static str],
    text: &str,
) -> Result<T, SparsifyError> {
    let known = names.iter().position(|name| *name == text);
    known.map(|i| all[i]).ok_or_else(|| SparsifyError::Name { names, text: text.to_string() })
}

impl FromStr for Rule {
    type Err = SparsifyError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        named(&[Rule::Contest, Rule::Fegrass], Self::NAMES, text)
    }
}

impl FromStr for Engine {
    type Err = SparsifyError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        named(&[Engine::Reference, Engine::Linear, Engine::Parallel], Self::NAMES, text)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Budget {
    type Err = SparsifyError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || SparsifyError::Budget { text: text.to_string() };
        let percent = |number: &str| match number.parse::<f64>() {
            Ok(p) if p.is_finite() && p >= 0.0 => Ok(p),
            _ => Err(wrong()),
        };
        if let Some(number) = text.strip_suffix("%V") {
            percent(number).map(Budget::Vertices)
        } else if let Some(number) = text.strip_suffix('%') {
            match percent(number)? {
                part if part <= 100.0 => Ok(Budget::OffTree(part)),
                _ => Err(wrong()),
            }
        } else {
            text.parse().map(Budget::Count).map_err(|_| wrong())
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Rule => write!(f, "rule"),
            Budget::Count(count) => write!(f, "{count}"),
            Budget::OffTree(percent) => write!(f, "{percent}%"),
            Budget::Vertices(percent) => write!(f, "{percent}%V"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for rule in [Rule::Contest, Rule::Fegrass] {
            assert_eq!(rule.to_string().parse(), Ok(rule));
        }
        for engine in [Engine::Reference, Engine::Linear, Engine::Parallel] {
            assert_eq!(engine.to_string().parse(), Ok(engine));
        }
        for text in ["1000", "4%", "10%V", "150%V"] {
            let budget: Budget = text.parse().unwrap();
            assert_eq!(budget.to_string(), text);
        }
        for text in ["-1", "200%", "-4%", "nan%", "", "%V", "1.5"] {
            assert!(text.parse::<Budget>().is_err(), "{text}");
        }
        assert!("quick".parse::<Engine>().is_err());
    }
}
