//! A feeder whose three phases are equal.

use super::{Column, Complex};
use crate::Texts;

/// A network with three equal phases, described by one (its positive sequence), in per unit: of
/// [`base_mva`](Balanced::base_mva) and of the nominal voltage of each bus.
#[derive(Debug, Clone)]
pub struct Balanced {
    /// The base power in MVA, of all three phases.
    pub base_mva: f64,
    /// Where elements meet.
    pub buses: Buses,
    /// What holds the voltage.
    pub sources: Sources,
    /// Lines, transformers and switches.
    pub branches: Branches,
    /// What consumes power.
    pub loads: Loads,
    /// Admittances to ground.
    pub shunts: Shunts,
    /// Generators that hold the magnitude of their voltage.
    pub generators: Generators,
}

impl Balanced {
    /// A network without elements.
    pub fn new(base_mva: f64) -> Balanced {
        Balanced {
            base_mva,
            buses: Buses::default(),
            sources: Sources::default(),
            branches: Branches::default(),
            loads: Loads::default(),
            shunts: Shunts::default(),
            generators: Generators::default(),
        }
    }

    /// The current in amperes that is 1 per unit at a bus.
    pub fn base_ampere(&self, bus: usize) -> f64 {
        self.base_mva * 1e3 / (3f64.sqrt() * self.buses.vn_kv.get(bus))
    }

    /// The impedance in ohms that is 1 per unit at a bus.
    pub fn base_ohm(&self, bus: usize) -> f64 {
        let kilovolt = self.buses.vn_kv.get(bus);
        kilovolt * kilovolt / self.base_mva
    }
}

/// The buses of a [`Balanced`] feeder.
#[derive(Debug, Clone, Default)]
pub struct Buses {
    /// Their names, each of them once.
    pub names: Texts,
    /// Nominal voltages in kV, line to line.
    pub vn_kv: Column<f64>,
}

/// Ideal sources: they hold a voltage whatever they give.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// Their buses, each of them once.
    pub bus: Vec<u32>,
    /// Their voltages, per unit.
    pub v: Vec<Complex>,
}

crate::named! {
    /// What a branch is. The equations of all kinds are the same.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum BranchKind("kind of branch") {
        /// An overhead line or cable.
        Line = "line",
        /// A transformer.
        Transformer = "transformer",
        /// A switch: the one branch that may have no impedance.
        Switch = "switch",
    }
}

/// Which ends of a branch are closed. A line that is open at one end stays under voltage: its
/// charging remains, and its open end is no bus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ends {
    /// Whether the end at `from` is closed.
    pub from: bool,
    /// Whether the end at `to` is closed.
    pub to: bool,
}

impl Ends {
    /// In service.
    pub const CLOSED: Ends = Ends { from: true, to: true };
    /// Out of service.
    pub const OPEN: Ends = Ends { from: false, to: false };
}

/// Lines, transformers and switches, all by the equations of MATPOWER: an ideal ratio `t` at
/// `from`, behind it the series impedance `z` with half of the shunt admittance `y` at either end.
///
/// ```text
/// from ──o t:1 o──┬──[ z ]──┬── to      V_from / t − V_to = z I
///                y/2       y/2
/// ```
#[derive(Debug, Clone, Default)]
pub struct Branches {
    /// Their names.
    pub names: Texts,
    /// What they are.
    pub kind: Column<BranchKind>,
    /// The bus at one end.
    pub from: Vec<u32>,
    /// The bus at the other.
    pub to: Vec<u32>,
    /// Series impedances `r + jx`, per unit of the `to` side.
    pub z: Vec<Complex>,
    /// Shunt admittances `g + jb` of the whole branch, per unit of the `to` side.
    pub y: Column<Complex>,
    /// Ratios at `from`: magnitude times `exp(j shift)`; 1 for lines.
    pub ratio: Column<Complex>,
    /// Which ends are closed.
    pub ends: Column<Ends>,
    /// Lengths in km; 0 where unknown.
    pub length_km: Column<f64>,
    /// The currents in A that they may carry, at `from` and at `to`; infinite where there is no
    /// limit.
    pub rated_a: Column<[f64; 2]>,
}

impl Branches {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.from.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.from.is_empty()
    }
}

/// How the power of a load depends on the voltage: which part of `p` and of `q` keeps its current,
/// which part keeps its impedance; the rest is constant. At voltage `v`, as a part of the nominal
/// one, `p (1 − i − z + i v + z v²)` is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Zip {
    /// The part of active power that goes with the voltage.
    pub current_p: f64,
    /// The part of active power that goes with its square.
    pub impedance_p: f64,
    /// The part of reactive power that goes with the voltage.
    pub current_q: f64,
    /// The part of reactive power that goes with its square.
    pub impedance_q: f64,
}

impl Zip {
    /// Constant power.
    pub const POWER: Zip = Zip::both(0.0, 0.0);
    /// Constant current.
    pub const CURRENT: Zip = Zip::both(1.0, 0.0);
    /// Constant impedance.
    pub const IMPEDANCE: Zip = Zip::both(0.0, 1.0);

    /// The same parts of active and reactive power.
    pub const fn both(current: f64, impedance: f64) -> Zip {
        Zip {
            current_p: current,
            impedance_p: impedance,
            current_q: current,
            impedance_q: impedance,
        }
    }

    /// The parts of a load that keep power, current and impedance.
    pub fn split(self, s: Complex) -> [Complex; 3] {
        let current = Complex::new(s.re * self.current_p, s.im * self.current_q);
        let impedance = Complex::new(s.re * self.impedance_p, s.im * self.impedance_q);
        if self == Zip::POWER {
            return [s, Complex::default(), Complex::default()];
        }
        // A part that is left over by rounding would be divided by the voltage for nothing.
        let rest = |whole: f64, i: f64, z: f64| {
            let part = 1.0 - i - z;
            if part.abs() < 1e-12 { 0.0 } else { whole * part }
        };
        let power = Complex::new(
            rest(s.re, self.current_p, self.impedance_p),
            rest(s.im, self.current_q, self.impedance_q),
        );
        [power, current, impedance]
    }
}

/// Loads; negative power is generation that does not hold its voltage.
#[derive(Debug, Clone, Default)]
pub struct Loads {
    /// Their names.
    pub names: Texts,
    /// Their buses; a bus may have several.
    pub bus: Vec<u32>,
    /// What they consume at nominal voltage, in MVA (`p + jq`, MW and Mvar).
    pub s_mva: Vec<Complex>,
    /// How that depends on the voltage.
    pub zip: Column<Zip>,
}

impl Loads {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.bus.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bus.is_empty()
    }
}

/// Admittances to ground.
#[derive(Debug, Clone, Default)]
pub struct Shunts {
    /// Their names.
    pub names: Texts,
    /// Their buses; a bus may have several.
    pub bus: Vec<u32>,
    /// `g + jb`, per unit: `g` consumes active power, and positive `b` (a capacitor) gives
    /// reactive power.
    pub y: Vec<Complex>,
}

/// Generators that hold the magnitude of the voltage at their bus (PV nodes), as far as their
/// reactive power goes.
#[derive(Debug, Clone, Default)]
pub struct Generators {
    /// Their names.
    pub names: Texts,
    /// Their buses, each of them once, none of them that of a source.
    pub bus: Vec<u32>,
    /// Active power that they inject, in MW.
    pub p_mw: Vec<f64>,
    /// The magnitude of the voltage that they hold, per unit.
    pub v_set: Vec<f64>,
    /// The least and most reactive power that they inject, in Mvar; infinite where there is no
    /// limit.
    pub q_mvar: Column<[f64; 2]>,
}
