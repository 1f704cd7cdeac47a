//! How budgets are written.

use super::{Budget, SparsifyError};
use std::fmt;
use std::str::FromStr;

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
            Budget::Rule => write!(f, "default"),
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
        for text in ["1000", "4%", "10%V", "150%V"] {
            let budget: Budget = text.parse().unwrap();
            assert_eq!(budget.to_string(), text);
        }
        for text in ["-1", "200%", "-4%", "nan%", "", "%V", "1.5"] {
            assert!(text.parse::<Budget>().is_err(), "{text}");
        }
    }
}
