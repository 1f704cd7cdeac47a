//! Parses machines such as `torus:8x8` and `fat-tree:4x4x4@4,2,1`.

use super::{FatTree, Lattice, MOST_PROCESSORS, Machine, MachineError};
use palmette_core::UnknownName;
use std::fmt;
use std::str::FromStr;

impl FromStr for Machine {
    type Err = MachineError;

    fn from_str(text: &str) -> Result<Machine, MachineError> {
        let unknown = || UnknownName::among_forms("machine", text, Machine::FORMS);
        let (kind, rest) = text.split_once(':').ok_or_else(unknown)?;
        match kind {
            "mesh" | "torus" => {
                let sides = numbers(text, rest, 'x')?;
                if sides.len() > 3 {
                    let expected = "one to three sides".to_string();
                    return Err(count(text, expected, sides.len()));
                }
                check_size(text, &sides)?;
                Ok(Machine::Lattice(Lattice::new(&sides, kind == "torus")))
            }
            "fat-tree" => {
                let (branches, capacities) = match rest.split_once('@') {
                    Some((branches, capacities)) => {
                        (branches, Some(numbers(text, capacities, ',')?))
                    }
                    None => (rest, None),
                };
                let branches = numbers(text, branches, 'x')?;
                if let Some(given) = capacities.as_ref().map(Vec::len)
                    && given != branches.len()
                {
                    let expected = format!("{} capacities, one per level", branches.len());
                    return Err(count(text, expected, given));
                }
                check_size(text, &branches)?;
                Ok(Machine::FatTree(FatTree::new(branches, capacities)))
            }
            _ => Err(unknown().into()),
        }
    }
}

fn numbers(text: &str, list: &str, separator: char) -> Result<Vec<u32>, MachineError> {
    let number = |found: &str| match found.parse::<u32>() {
        Ok(number) if number > 0 && !found.starts_with('+') => Ok(number),
        _ => Err(MachineError::Number { text: text.to_string(), found: found.to_string() }),
    };
    list.split(separator).map(number).collect()
}

fn count(text: &str, expected: String, actual: usize) -> MachineError {
    MachineError::Count { text: text.to_string(), expected, actual }
}

fn check_size(text: &str, sides: &[u32]) -> Result<(), MachineError> {
    let mut all = 1u64;
    for &side in sides {
        all = all.saturating_mul(u64::from(side));
    }
    if all > MOST_PROCESSORS {
        return Err(MachineError::TooMany { text: text.to_string() });
    }
    Ok(())
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |numbers: &[u32], separator: &str| {
            numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(separator)
        };
        let text = match self {
            Machine::Lattice(lattice) => {
                let kind = if lattice.is_torus() { "torus" } else { "mesh" };
                format!("{kind}:{}", list(lattice.sides(), "x"))
            }
            Machine::FatTree(tree) if tree.has_default_capacities() => {
                format!("fat-tree:{}", list(tree.branches(), "x"))
            }
            Machine::FatTree(tree) => {
                let capacities = list(tree.capacities(), ",");
                format!("fat-tree:{}@{capacities}", list(tree.branches(), "x"))
            }
        };
        f.pad(&text)
    }
}
