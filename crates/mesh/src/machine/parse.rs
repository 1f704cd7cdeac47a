//! Parses machines such as `torus:8x8`, `fat-tree:4x4x4@4,2,1` and `torus:8x8/2x8 without 3`.

use super::given::{Base, MachineDetails, hierarchy};
use super::{FatTree, Lattice, MOST_PROCESSORS, Machine, MachineError};
use palmette_core::UnknownName;
use std::fmt;
use std::str::FromStr;

impl FromStr for Machine {
    type Err = MachineError;

    fn from_str(text: &str) -> Result<Machine, MachineError> {
        Machine::with_details(text, MachineDetails::default())
    }
}

impl Machine {
    /// Reads a machine; what its text does not say of details is taken from those given.
    ///
    /// # Errors
    /// A text of no known form; details that do not fit the machine.
    pub fn with_details(text: &str, details: MachineDetails) -> Result<Machine, MachineError> {
        let unknown = || UnknownName::among_forms("machine", text, Machine::FORMS);
        let (head, mut details) = MachineDetails::of_text(text, details)?;
        let (kind, rest) = head.split_once(':').ok_or_else(unknown)?;
        let sizes = numbers(text, rest, 'x');
        let sized = |sizes: Vec<u32>| -> Result<Vec<u32>, MachineError> {
            check_size(text, &[&sizes[..], &details.node[..]].concat())?;
            Ok(sizes)
        };
        match kind {
            "mesh" | "torus" => {
                let sides = sizes?;
                if sides.len() > 3 {
                    let expected = "one to three sides".to_string();
                    return Err(count(text, expected, sides.len()));
                }
                let lattice = Lattice::new(&sized(sides)?, kind == "torus");
                Base::Lattice(lattice).machine(&head, &details)
            }
            "dragonfly" => {
                let [groups, routers, processors] = sized(sizes?)?[..] else {
                    let actual = rest.split('x').count();
                    return Err(count(text, "groups, routers, processors".to_string(), actual));
                };
                Base::Dragonfly([groups, routers, processors]).machine(&head, &details)
            }
            _ if !details.node.is_empty() && ["fat-tree", "hierarchy"].contains(&kind) => {
                Err(MachineError::NoNetwork { text: text.to_string() })
            }
            "hierarchy" => {
                let mut branches = sized(sizes?)?;
                branches.reverse();
                hierarchy(text, branches, &details)
            }
            "fat-tree" => {
                let branches = sized(sizes?)?;
                if !details.without.is_empty() {
                    return Err(MachineError::NoNetwork { text: text.to_string() });
                }
                if details.distances.is_some() && !text.contains('@') {
                    return Err(MachineError::NoLevels { text: text.to_string() });
                }
                // After the @ are capacities here.
                let capacities = details.distances.take();
                if let Some(given) = capacities.as_ref().map(Vec::len)
                    && given != branches.len()
                {
                    let expected = format!("{} capacities, one per level", branches.len());
                    return Err(count(text, expected, given));
                }
                Ok(Machine::FatTree(FatTree::new(branches, capacities)))
            }
            _ => Err(unknown().into()),
        }
    }
}

impl MachineDetails {
    /// What a text says of details, and what is left of it: the network.
    ///
    /// # Errors
    /// What is no positive number, or said twice.
    pub fn of_text(text: &str, given: MachineDetails) -> Result<(String, Self), MachineError> {
        let mut details = given;
        let (head, without) = match text.split_once(" without ") {
            Some((head, list)) => (head, Some(list)),
            None => (text, None),
        };
        if let Some(list) = without {
            details.without.extend(numbers_of(list).map_err(|found| number(text, found))?);
        }
        let (head, distances) = match head.split_once('@') {
            Some((head, list)) => (head, Some(numbers(text, list, ',')?)),
            None => (head, None),
        };
        if distances.is_some() {
            if details.distances.is_some() {
                return Err(MachineError::Twice { text: text.to_string() });
            }
            details.distances = distances;
        }
        // A path has slashes too: a node is what follows the last one, if it is numbers.
        let is_node = |node: &&str| {
            node.split('x').all(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
        };
        let (head, node) = match head.rsplit_once('/').filter(|(_, node)| is_node(node)) {
            Some((head, node)) => (head, Some(numbers(text, node, 'x')?)),
            None => (head, None),
        };
        if let Some(node) = node {
            details.node = node;
        }
        Ok((head.to_string(), details))
    }
}

/// Numbers and ranges such as `3,17,20-23`.
///
/// # Errors
/// What is neither, or goes down.
pub fn numbers_of(list: &str) -> Result<Vec<u32>, String> {
    let mut all = Vec::new();
    for word in list.split(',') {
        let (first, last) = word.split_once('-').unwrap_or((word, word));
        let parsed = |text: &str| text.parse::<u32>().ok().filter(|_| !text.starts_with('+'));
        match (parsed(first), parsed(last)) {
            (Some(first), Some(last))
                if first <= last && u64::from(last - first) < MOST_PROCESSORS =>
            {
                all.extend(first..=last);
            }
            _ => return Err(word.to_string()),
        }
    }
    Ok(all)
}

fn number(text: &str, found: String) -> MachineError {
    MachineError::Number { text: text.to_string(), found }
}

fn numbers(text: &str, list: &str, separator: char) -> Result<Vec<u32>, MachineError> {
    let positive = |found: &str| match found.parse::<u32>() {
        Ok(number) if number > 0 && !found.starts_with('+') => Ok(number),
        _ => Err(number(text, found.to_string())),
    };
    list.split(separator).map(positive).collect()
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
            Machine::FatTree(tree) if tree.distances().is_some() => {
                let inner = |numbers: &[u32]| numbers.iter().rev().copied().collect::<Vec<_>>();
                let distances = inner(tree.distances().unwrap_or_default());
                format!(
                    "hierarchy:{}@{}",
                    list(&inner(tree.branches()), "x"),
                    list(&distances, ",")
                )
            }
            Machine::FatTree(tree) if tree.has_default_capacities() => {
                format!("fat-tree:{}", list(tree.branches(), "x"))
            }
            Machine::FatTree(tree) => {
                let capacities = list(tree.capacities(), ",");
                format!("fat-tree:{}@{capacities}", list(tree.branches(), "x"))
            }
            Machine::Network(network) => network.text.clone(),
        };
        f.pad(&text)
    }
}
