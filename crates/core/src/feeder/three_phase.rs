//! A feeder whose three phases differ.

use super::{Column, Complex, Ends, VectorGroup, Zip};
use crate::Texts;
use std::fmt;
use std::str::FromStr;

/// A network of three phases in SI units: volts to ground, amperes, ohms, siemens, volt-amperes.
/// Neutrals are grounded everywhere and reduced away (Kron).
#[derive(Debug, Clone, Default)]
pub struct ThreePhase {
    /// Where elements meet.
    pub buses: PhaseBuses,
    /// What holds the voltage.
    pub sources: PhaseSources,
    /// Lines.
    pub lines: PhaseLines,
    /// Transformers and regulators.
    pub transformers: Transformers,
    /// Switches without impedance.
    pub switches: Switches,
    /// What consumes power.
    pub loads: PhaseLoads,
    /// Banks of capacitors.
    pub capacitors: Capacitors,
}

/// A set of the phases a, b and c: bits 0, 1 and 2.
///
/// ```
/// use palmette_core::feeder::Phases;
/// let ac: Phases = "ca".parse().unwrap();
/// assert_eq!((ac.to_string().as_str(), ac.count(), ac.has(1)), ("ac", 2, false));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Phases(u8);

impl Phases {
    /// All three.
    pub const ABC: Phases = Phases(7);
    /// None.
    pub const NONE: Phases = Phases(0);
    /// The letters of phases 0, 1 and 2.
    pub const LETTERS: [char; 3] = ['a', 'b', 'c'];

    /// The phases of three bits.
    pub fn from_bits(bits: u8) -> Option<Phases> {
        (bits < 8).then_some(Phases(bits))
    }

    /// Bits 0, 1 and 2.
    pub fn bits(self) -> u8 {
        self.0
    }

    /// Whether a phase (0, 1 or 2) is in it.
    pub fn has(self, phase: usize) -> bool {
        self.0 >> phase & 1 == 1
    }

    /// Whether all phases of another set are in it.
    pub fn contains(self, other: Phases) -> bool {
        other.0 & !self.0 == 0
    }

    /// The phases of both.
    #[must_use]
    pub fn and(self, other: Phases) -> Phases {
        Phases(self.0 & other.0)
    }

    /// The phases of either.
    #[must_use]
    pub fn or(self, other: Phases) -> Phases {
        Phases(self.0 | other.0)
    }

    /// How many there are.
    pub fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Its phases in order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..3).filter(move |&phase| self.has(phase))
    }
}

impl fmt::Display for Phases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters: String = self.iter().map(|phase| Phases::LETTERS[phase]).collect();
        f.pad(&letters)
    }
}

/// A text that is no set of phases.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown phases `{text}`; expected letters a, b and c, each at most once")]
pub struct UnknownPhases {
    /// The text found.
    pub text: String,
}

impl FromStr for Phases {
    type Err = UnknownPhases;

    fn from_str(text: &str) -> Result<Phases, UnknownPhases> {
        let unknown = || UnknownPhases { text: text.to_string() };
        let mut bits = 0;
        for letter in text.chars() {
            let known = |one: &char| one.eq_ignore_ascii_case(&letter);
            let phase = Phases::LETTERS.iter().position(known).ok_or_else(unknown)?;
            if bits >> phase & 1 == 1 {
                return Err(unknown());
            }
            bits |= 1 << phase;
        }
        if bits == 0 { Err(unknown()) } else { Ok(Phases(bits)) }
    }
}

/// The buses of a [`ThreePhase`] feeder.
#[derive(Debug, Clone, Default)]
pub struct PhaseBuses {
    /// Their names, each of them once.
    pub names: Texts,
    /// The phases that they have.
    pub phases: Column<Phases>,
    /// Nominal voltages in V, line to ground: what results in per unit are parts of.
    pub v_base: Column<f64>,
}

/// Ideal sources: they hold the voltage of all phases of their bus.
#[derive(Debug, Clone, Default)]
pub struct PhaseSources {
    /// Their buses, each of them once.
    pub bus: Vec<u32>,
    /// Volts to ground of phases a, b and c; 0 for phases that the bus does not have.
    pub v: Vec<[Complex; 3]>,
}

/// A symmetric matrix of three phases: aa, ab, bb, ac, bc, cc. Rows of missing phases are 0.
pub type Symmetric<T> = [T; 6];

/// Lines.
#[derive(Debug, Clone, Default)]
pub struct PhaseLines {
    /// Their names.
    pub names: Texts,
    /// The bus at one end.
    pub from: Vec<u32>,
    /// The bus at the other.
    pub to: Vec<u32>,
    /// The phases that they have.
    pub phases: Column<Phases>,
    /// Series impedances of the whole line in ohms.
    pub z: Vec<Symmetric<Complex>>,
    /// Shunt susceptances of the whole line in siemens, half of them at either end.
    pub b: Column<Symmetric<f64>>,
    /// Which ends are closed.
    pub ends: Column<Ends>,
    /// Lengths, in whatever unit the file has; 0 where unknown. Only pictures use them.
    pub length: Column<f64>,
    /// The current in A that each phase may carry; infinite where there is no limit.
    pub rated_a: Column<f64>,
}

/// Transformers and regulators: `V_to = A V_from − Z I_to`, and `I_from = Aᵀ I_to`.
#[derive(Debug, Clone, Default)]
pub struct Transformers {
    /// Their names.
    pub names: Texts,
    /// The bus at the primary side.
    pub from: Vec<u32>,
    /// The bus at the secondary side; taps and impedance are there.
    pub to: Vec<u32>,
    /// The phases that they have; all of them where a winding is a delta.
    pub phases: Column<Phases>,
    /// How windings are connected.
    pub group: Column<VectorGroup>,
    /// Rated power in kVA, of three phases even where fewer are there.
    pub rated_kva: Column<f64>,
    /// Rated voltages of `from` and `to` in kV, line to line.
    pub kv: Column<[f64; 2]>,
    /// Series impedance `r + jx` as a part of the rated one (not in percent).
    pub z_part: Column<Complex>,
    /// Taps of each phase: the secondary voltage is multiplied by it.
    pub tap: Column<[f64; 3]>,
    /// Magnetising admittance per phase in siemens, at the `to` side to ground.
    pub y: Column<Complex>,
    /// Whether they are in service.
    pub closed: Column<bool>,
}

impl Transformers {
    /// `A` and the diagonal of `Z`, in ohms, of a transformer.
    pub fn matrices(&self, k: usize) -> ([[f64; 3]; 3], [Complex; 3]) {
        let (group, [from_kv, to_kv]) = (self.group.get(k), self.kv.get(k));
        let (phases, tap) = (self.phases.get(k), self.tap.get(k));
        let (mut a, ratio) = (group.matrix(), group.ratio(from_kv, to_kv));
        let ohm = self.z_part.get(k) * (to_kv * to_kv * 1e3 / self.rated_kva.get(k));
        let mut z = [Complex::default(); 3];
        for phase in 0..3 {
            let factor = if phases.has(phase) { ratio * tap[phase] } else { 0.0 };
            a[phase].iter_mut().for_each(|entry| *entry *= factor);
            z[phase] = if phases.has(phase) { ohm * tap[phase].powi(2) } else { 0.0.into() };
        }
        (a, z)
    }
}

/// Switches without impedance.
#[derive(Debug, Clone, Default)]
pub struct Switches {
    /// Their names.
    pub names: Texts,
    /// The bus at one end.
    pub from: Vec<u32>,
    /// The bus at the other.
    pub to: Vec<u32>,
    /// The phases that they have.
    pub phases: Column<Phases>,
    /// Whether they are closed.
    pub closed: Column<bool>,
}

crate::named! {
    /// How a load is connected.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Connection("connection") {
        /// Each phase to ground.
        Wye = "wye",
        /// Between phases: of two, one pair; of three, ab, bc and ca.
        Delta = "delta",
    }
}

impl Connection {
    /// The pairs of phases that an element of such phases lies between; none stands for ground.
    pub fn pairs(self, phases: Phases) -> impl Iterator<Item = (usize, Option<usize>)> {
        let last = phases.count() - usize::from(self == Connection::Delta && phases.count() == 2);
        let present: Vec<usize> = phases.iter().collect();
        (0..last).map(move |k| match self {
            Connection::Wye => (present[k], None),
            Connection::Delta => (present[k], Some(present[(k + 1) % present.len()])),
        })
    }
}

/// Loads; negative power is generation.
#[derive(Debug, Clone, Default)]
pub struct PhaseLoads {
    /// Their names.
    pub names: Texts,
    /// Their buses; a bus may have several.
    pub bus: Vec<u32>,
    /// How they are connected.
    pub connection: Column<Connection>,
    /// Between which phases; a delta has at least two.
    pub phases: Column<Phases>,
    /// What they consume at nominal voltage in VA, in equal parts by phase or pair of phases.
    pub s_va: Vec<Complex>,
    /// How that depends on the voltage.
    pub zip: Column<Zip>,
    /// The nominal voltage in V, across the element: to ground, or between phases for a delta.
    pub v_nom: Column<f64>,
}

/// Banks of capacitors: constant impedances that give reactive power.
#[derive(Debug, Clone, Default)]
pub struct Capacitors {
    /// Their names.
    pub names: Texts,
    /// Their buses; a bus may have several.
    pub bus: Vec<u32>,
    /// How they are connected.
    pub connection: Column<Connection>,
    /// Between which phases; a delta has at least two.
    pub phases: Column<Phases>,
    /// What they give at nominal voltage in var, in equal parts by phase or pair of phases.
    pub var: Vec<f64>,
    /// The nominal voltage in V, across the element: to ground, or between phases for a delta.
    pub v_nom: Column<f64>,
}
