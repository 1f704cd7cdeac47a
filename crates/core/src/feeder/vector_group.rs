//! How the windings of a three-phase transformer are connected.

use std::fmt;
use std::str::FromStr;

crate::named! {
    /// The connections of both sides. A delta or an ungrounded star carries no current to ground.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Windings("connection of windings") {
        /// Grounded stars on both sides; also regulators and transformers of one or two phases.
        StarStar = "YNyn",
        /// A delta, and a grounded star on the `to` side.
        DeltaStar = "Dyn",
        /// Deltas on both sides; what hangs on the `to` side must not draw current to ground.
        DeltaDelta = "Dd",
        /// An ungrounded star, and a delta on the `to` side, as [`Windings::DeltaDelta`].
        StarDelta = "Yd",
    }
}

/// Connections of windings and the hours by which the `to` side lags, such as `Dyn11`.
///
/// ```
/// use palmette_core::feeder::{VectorGroup, Windings};
/// let group: VectorGroup = "Dyn11".parse().unwrap();
/// assert_eq!((group.windings(), group.clock()), (Windings::DeltaStar, 11));
/// assert_eq!("YNyn".parse::<VectorGroup>().unwrap().to_string(), "YNyn0");
/// assert!("Dyn2".parse::<VectorGroup>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VectorGroup {
    windings: Windings,
    clock: u8,
}

impl VectorGroup {
    /// Grounded stars without a shift.
    pub const YNYN0: VectorGroup = VectorGroup { windings: Windings::StarStar, clock: 0 };

    /// Connections with a lag in hours of 30 degrees: even between sides of one kind, odd between
    /// a star and a delta.
    pub fn new(windings: Windings, clock: u8) -> Option<VectorGroup> {
        let odd = matches!(windings, Windings::DeltaStar | Windings::StarDelta);
        (clock < 12 && (clock % 2 == 1) == odd).then_some(VectorGroup { windings, clock })
    }

    /// The connections.
    pub fn windings(self) -> Windings {
        self.windings
    }

    /// The lag of the `to` side in hours of 30 degrees.
    pub fn clock(self) -> u8 {
        self.clock
    }

    /// The matrix `C` of `V_to = k C V_from`, volts to ground, where `k` is the ratio of the
    /// voltages that [`VectorGroup::ratio`] says. Currents go back by its transpose.
    pub fn matrix(self) -> [[f64; 3]; 3] {
        // Hours 1 and 0; each phase further on lags by 4 hours more, the opposite sign by 6.
        let base = match self.windings {
            Windings::StarStar => [1.0, 0.0, 0.0],
            Windings::DeltaDelta => [2.0 / 3.0, -1.0 / 3.0, -1.0 / 3.0],
            Windings::DeltaStar => [1.0, 0.0, -1.0],
            Windings::StarDelta => [1.0 / 3.0, 0.0, -1.0 / 3.0],
        };
        let hours = self.clock / 2 * 2;
        // 4 p + 6 s = hours (mod 12), for p phases and s changes of sign.
        let (phases, sign) = match hours {
            0 => (0, 1.0),
            2 => (2, -1.0),
            4 => (1, 1.0),
            6 => (0, -1.0),
            8 => (2, 1.0),
            _ => (1, -1.0),
        };
        let mut matrix = [[0.0; 3]; 3];
        for (row, out) in matrix.iter_mut().enumerate() {
            for (column, entry) in base.iter().enumerate() {
                out[(row + column + phases) % 3] = sign * entry;
            }
        }
        matrix
    }

    /// The factor of [`VectorGroup::matrix`] for voltages of the two sides, line to line.
    pub fn ratio(self, from_kv: f64, to_kv: f64) -> f64 {
        match self.windings {
            Windings::StarStar | Windings::DeltaDelta => to_kv / from_kv,
            Windings::DeltaStar => to_kv / (3f64.sqrt() * from_kv),
            Windings::StarDelta => 3f64.sqrt() * to_kv / from_kv,
        }
    }
}

impl fmt::Display for VectorGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.windings, self.clock)
    }
}

/// A text that is no vector group.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown connection `{text}`; expected YNyn or Dd with an even hour from 0 to 10, or Dyn or \
    Yd with an odd one from 1 to 11, such as YNyn0 or Dyn11"
)]
pub struct UnknownGroup {
    /// The text found.
    pub text: String,
}

impl FromStr for VectorGroup {
    type Err = UnknownGroup;

    /// Without an hour, `YNyn` and `Dd` have 0.
    fn from_str(text: &str) -> Result<Self, UnknownGroup> {
        let letters = text.trim_end_matches(|c: char| c.is_ascii_digit());
        let found = Windings::ALL.into_iter().find(|one| one.name().eq_ignore_ascii_case(letters));
        let clock = match &text[letters.len()..] {
            "" => Some(0),
            digits => digits.parse().ok(),
        };
        let group =
            found.zip(clock).and_then(|(windings, clock)| VectorGroup::new(windings, clock));
        group.ok_or_else(|| UnknownGroup { text: text.to_string() })
    }
}
