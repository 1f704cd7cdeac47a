//! How long messages take.
//!
//! The model of a spatial computer says what a message costs, not when it arrives: a processor
//! waits for the messages that it depends on. So an answer must not depend on the delays, and a
//! program is run under many of them to see that it does not.

mod carrier;
mod routed;
#[cfg(test)]
mod tests;

pub(super) use carrier::{Arrival, Carrier, Parcel};

use super::{Machine, MachineError, mix};
use carrier::Timed;
use palmette_core::named::UnknownName;
use routed::Routed;
use std::fmt;
use std::str::FromStr;

/// How long messages take.
///
/// | spelling | a message over a distance d takes |
/// |---|---|
/// | `step` | one step: all that is sent in a step arrives in the next |
/// | `manhattan`, `manhattan:5` | 1 + d, 5 + d |
/// | `random`, `random:1-20` | a random time from 1 to 20 |
/// | `random:5+1-2/hop` | 5, and a random time from d to 2 d |
/// | `network` | what [routers](super::network) take: it waits where links are shared |
///
/// After a random one, `,ordered` keeps messages from one processor to another in the order in
/// which they were sent; without it they may overtake each other. `,seed=7` draws other delays.
/// The machine's seed does so too, but may change what a program does as well.
///
/// Times are whole numbers and at least 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Delivery {
    /// One step each.
    #[default]
    Step,
    /// A constant and the distance.
    Manhattan {
        /// What a message to oneself takes: at least 1.
        constant: u32,
    },
    /// A constant and a random time between bounds.
    Random {
        /// What is added to every random time.
        constant: u32,
        /// The shortest random time.
        least: u32,
        /// The longest.
        most: u32,
        /// Whether the bounds are those of a hop: they are multiplied by the distance.
        per_hop: bool,
        /// Whether messages from one processor to another arrive in the order in which they
        /// were sent.
        ordered: bool,
        /// Decides the delays, together with the machine's seed.
        seed: u64,
    },
    /// What the machine's [routers](super::MachineParams::network) take.
    Network,
}

impl Delivery {
    /// `manhattan`.
    pub const MANHATTAN: Delivery = Delivery::Manhattan { constant: 1 };
    /// `random`.
    pub const RANDOM: Delivery = Delivery::Random {
        constant: 0,
        least: 1,
        most: 20,
        per_hop: false,
        ordered: false,
        seed: 0,
    };
    /// The spellings, for help texts.
    pub const FORMS: [&str; 4] = [
        "step",
        "manhattan[:TIME]",
        "random[:[TIME+]LEAST-MOST[/hop]][,ordered][,seed=SEED]",
        "network",
    ];

    /// The same delays drawn with another seed; others than random ones have none.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Delivery {
        match self {
            Delivery::Random { constant, least, most, per_hop, ordered, .. } => {
                Delivery::Random { constant, least, most, per_hop, ordered, seed }
            }
            other => other,
        }
    }

    /// Whether messages can take these times.
    ///
    /// # Errors
    /// A time below 1, bounds in the wrong order.
    pub fn check(self) -> Result<(), MachineError> {
        let shortest = match self {
            Delivery::Step | Delivery::Network => return Ok(()),
            Delivery::Manhattan { constant } => constant,
            Delivery::Random { least, most, .. } if least > most => {
                return Err(MachineError::DelayBounds { least, most });
            }
            Delivery::Random { constant: 0, least, most, per_hop: true, .. } => {
                return Err(MachineError::DelayOfHops { least, most });
            }
            Delivery::Random { constant, per_hop: true, .. } => constant,
            Delivery::Random { constant, least, .. } => constant.saturating_add(least),
        };
        match shortest {
            0 => Err(MachineError::Delay { delay: 0 }),
            _ => Ok(()),
        }
    }

    /// What carries messages in steps, where every message is an event.
    pub(super) fn in_steps() -> Box<dyn Carrier> {
        Box::new(Timed::new(Delivery::Step, 0))
    }

    /// What carries the messages of a machine's next program; none where they move in steps.
    pub(super) fn carrier(self, machine: &Machine) -> Option<Box<dyn Carrier>> {
        let seed = mix(!machine.next_seed());
        match self {
            Delivery::Step => None,
            Delivery::Network => Some(Box::new(Routed::new(
                machine.places.clone(),
                machine.window,
                machine.params.network,
            ))),
            timed => Some(Box::new(Timed::new(timed, seed))),
        }
    }
}

impl fmt::Display for Delivery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Delivery::Step => f.pad("step"),
            Delivery::Network => f.pad("network"),
            Delivery::Manhattan { constant: 1 } => f.pad("manhattan"),
            Delivery::Manhattan { constant } => write!(f, "manhattan:{constant}"),
            Delivery::Random { constant, least, most, per_hop, ordered, seed } => {
                write!(f, "random:")?;
                if constant > 0 {
                    write!(f, "{constant}+")?;
                }
                write!(f, "{least}-{most}{}", if per_hop { "/hop" } else { "" })?;
                if ordered {
                    write!(f, ",ordered")?;
                }
                if seed != 0 {
                    write!(f, ",seed={seed}")?;
                }
                Ok(())
            }
        }
    }
}

impl FromStr for Delivery {
    type Err = MachineError;

    fn from_str(text: &str) -> Result<Delivery, MachineError> {
        let unknown = || UnknownName::among_forms("delivery model", text, Delivery::FORMS);
        let delivery = match parse(text)? {
            Some(delivery) => delivery,
            None => return Err(unknown().into()),
        };
        delivery.check()?;
        Ok(delivery)
    }
}

/// Reads a spelling; none where it is not one.
fn parse(text: &str) -> Result<Option<Delivery>, MachineError> {
    let mut options = text.split(',');
    let form = options.next().unwrap_or_default();
    let (name, times) = match form.split_once(':') {
        Some((name, times)) => (name, Some(times)),
        None => (form, None),
    };
    let mut delivery = match (name, times) {
        ("step", None) => Delivery::Step,
        ("network", None) => Delivery::Network,
        ("manhattan", None) => Delivery::MANHATTAN,
        ("manhattan", Some(time)) => match number(time)? {
            Some(constant) => Delivery::Manhattan { constant },
            None => return Ok(None),
        },
        ("random", None) => Delivery::RANDOM,
        ("random", Some(times)) => match bounds(times)? {
            Some(delivery) => delivery,
            None => return Ok(None),
        },
        _ => return Ok(None),
    };
    for option in options {
        let Delivery::Random { ordered, seed, .. } = &mut delivery else { return Ok(None) };
        match (option, option.strip_prefix("seed=").map(str::parse)) {
            ("ordered", _) => *ordered = true,
            (_, Some(Ok(number))) => *seed = number,
            _ => return Ok(None),
        }
    }
    Ok(Some(delivery))
}

/// The times of random delays: `1-20`, `5+1-2/hop`.
fn bounds(text: &str) -> Result<Option<Delivery>, MachineError> {
    let (text, per_hop) = match text.strip_suffix("/hop") {
        Some(text) => (text, true),
        None => (text, false),
    };
    let (constant, range) = text.split_once('+').unwrap_or(("0", text));
    // Of `-1-20` the last sign is the one between the bounds.
    let Some((least, most)) = range.rsplit_once('-') else { return Ok(None) };
    let numbers = (number(constant)?, number(least)?, number(most)?);
    let (Some(constant), Some(least), Some(most)) = numbers else { return Ok(None) };
    Ok(Some(Delivery::Random { constant, least, most, per_hop, ordered: false, seed: 0 }))
}

/// A time; one below zero, or beyond all clocks, is an error of its own.
fn number(text: &str) -> Result<Option<u32>, MachineError> {
    match (text.parse::<i64>(), text.parse::<u64>()) {
        (Ok(delay), _) if delay < 0 => Err(MachineError::Delay { delay }),
        (_, Ok(delay)) => match u32::try_from(delay) {
            Ok(delay) => Ok(Some(delay)),
            Err(_) => Err(MachineError::DelayTooLong { delay }),
        },
        _ => Ok(None),
    }
}
