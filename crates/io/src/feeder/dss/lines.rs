//! Sources, lines and their codes.

use super::bus::Build;
use super::classes::Class;
use super::script::{Object, Property};
use super::tokens;
use crate::IoError;
use crate::quote::shown;
use palmette_core::feeder::{Complex, Ends, Phases};
use std::f64::consts::TAU;

/// Units of length in metres, as OpenDSS spells them.
const UNITS: [(&str, f64); 8] = [
    ("mi", 1609.344),
    ("kft", 304.8),
    ("km", 1000.0),
    ("m", 1.0),
    ("ft", 0.3048),
    ("in", 0.0254),
    ("cm", 0.01),
    ("mm", 0.001),
];

/// Impedances per length, by sequences or as matrices; capacitances are in nF.
#[derive(Debug, Clone)]
struct Impedance {
    phases: usize,
    one: Complex,
    zero: Complex,
    c1: f64,
    c0: f64,
    r: Option<Vec<Vec<f64>>>,
    x: Option<Vec<Vec<f64>>>,
    c: Option<Vec<Vec<f64>>>,
    units: Option<f64>,
    rated: f64,
    /// Whether values by sequence were given.
    by_sequence: bool,
}

impl Default for Impedance {
    /// OpenDSS's: ohms and nF per 1000 feet.
    fn default() -> Impedance {
        Impedance {
            phases: 3,
            one: Complex::new(0.058, 0.1206),
            zero: Complex::new(0.1784, 0.4047),
            c1: 3.4,
            c0: 1.6,
            r: None,
            x: None,
            c: None,
            units: None,
            rated: f64::INFINITY,
            by_sequence: false,
        }
    }
}

/// What sets an impedance by sequence, and as a matrix.
const SEQUENCE: [&str; 8] = ["r1", "x1", "r0", "x0", "c1", "c0", "b1", "b0"];
const MATRIX: [&str; 3] = ["rmatrix", "xmatrix", "cmatrix"];

impl Impedance {
    /// Takes a property; says whether it is one of an impedance.
    fn set(&mut self, build: &Build<'_>, property: &Property) -> Result<bool, IoError> {
        let number = || build.number(property);
        let matrix = |n: usize| {
            let expected = format!("a symmetric matrix of {n} rows between `|`");
            let found = tokens::matrix(&property.value, n);
            found.map(Some).ok_or_else(|| build.wrong(property, expected))
        };
        let omega = TAU * build.script.frequency;
        let name = property.name.as_str();
        if self.by_sequence && MATRIX.contains(&name) {
            // OpenDSS takes one or the other, depending on where they are.
            let expected = "impedances by sequence or as matrices, not both";
            return Err(build.wrong(property, expected));
        }
        match name {
            "r1" => self.one.re = number()?,
            "x1" => self.one.im = number()?,
            "r0" => self.zero.re = number()?,
            "x0" => self.zero.im = number()?,
            "c1" => self.c1 = number()?,
            "c0" => self.c0 = number()?,
            // Microsiemens.
            "b1" => self.c1 = number()? * 1e3 / omega,
            "b0" => self.c0 = number()? * 1e3 / omega,
            "rmatrix" => self.r = matrix(self.phases)?,
            "xmatrix" => self.x = matrix(self.phases)?,
            "cmatrix" => self.c = matrix(self.phases)?,
            "units" => {
                let text = property.value.trim().to_ascii_lowercase();
                let known = UNITS.iter().find(|(unit, _)| *unit == text);
                self.units = known.map(|&(_, metre)| metre);
                if known.is_none() && text != "none" {
                    return Err(build.wrong(property, "mi, kft, km, m, ft, in, cm, mm or none"));
                }
            }
            "normamps" => {
                let ampere = number()?;
                self.rated = if ampere > 0.0 { ampere } else { f64::INFINITY };
            }
            "basefreq" => {
                if number()? != build.script.frequency {
                    let expected =
                        format!("the circuit's frequency, {} Hz", build.script.frequency);
                    return Err(build.wrong(property, expected));
                }
            }
            _ => return Ok(false),
        }
        if SEQUENCE.contains(&name) {
            (self.r, self.x, self.c) = (None, None, None);
            self.by_sequence = true;
        }
        Ok(true)
    }

    /// Entry (i, j) of the series impedance and of the capacitance, per length.
    fn entry(&self, i: usize, j: usize) -> (Complex, f64) {
        // One phase is its positive sequence, unless part of it is a matrix: as in OpenDSS.
        let by_sequence = self.r.is_none() && self.x.is_none() && self.c.is_none();
        let (z, c) = match (self.phases, i == j) {
            (1, _) if by_sequence => (self.one, self.c1),
            (_, true) => ((self.zero + self.one * 2.0) / 3.0, (self.c0 + 2.0 * self.c1) / 3.0),
            (_, false) => ((self.zero - self.one) / 3.0, (self.c0 - self.c1) / 3.0),
        };
        let of = |matrix: &Option<Vec<Vec<f64>>>, otherwise: f64| {
            matrix.as_ref().map_or(otherwise, |matrix| matrix[i][j])
        };
        (Complex::new(of(&self.r, z.re), of(&self.x, z.im)), of(&self.c, c))
    }

    /// The code that a line names.
    fn of_code(build: &Build<'_>, property: &Property) -> Result<Impedance, IoError> {
        let Some(code) = build.script.find(Class::LineCode, &property.value) else {
            return Err(build.wrong(property, "the name of a LineCode above"));
        };
        let mut impedance = Impedance::default();
        for property in &code.properties {
            if property.name == "nphases" {
                impedance.phases = build.whole(property)?;
            } else {
                impedance.set(build, property)?;
            }
        }
        // A line may have matrices of its own.
        impedance.by_sequence = false;
        Ok(impedance)
    }
}

/// Adds a line, or the phases of one to a line that is already between its buses.
pub(crate) fn line(build: &mut Build<'_>, object: &Object) -> Result<(), IoError> {
    let mut impedance = Impedance::default();
    // Units of a line and of its code, and what lengths are multiplied by.
    let (mut code, mut units, mut convert) = (None, None, 1.0);
    let (mut length, mut is_switch) = (1.0, false);
    let ratio = |line: Option<f64>, code: Option<f64>| match (line, code) {
        (Some(line), Some(code)) => line / code,
        _ => 1.0,
    };
    let mut buses: [Option<&Property>; 2] = [None; 2];
    let mut stated = None;
    for property in &object.properties {
        match property.name.as_str() {
            "bus1" => buses[0] = Some(property),
            "bus2" => buses[1] = Some(property),
            "phases" => {
                impedance.phases = build.whole(property)?;
                stated = Some(impedance.phases);
            }
            "length" => length = build.number(property)?,
            "linecode" => {
                impedance = Impedance::of_code(build, property)?;
                let phases = impedance.phases;
                // OpenDSS would give the line the code's phases without a word.
                if let Some(stated) = stated.filter(|&stated| stated != phases) {
                    let expected = format!("a LineCode with nphases={stated}, which the line has");
                    let found = format!("{} with nphases={phases}", shown(&property.value));
                    return Err(build.script.wrong(property.place, expected, found));
                }
                code = Some(impedance.units);
                convert = ratio(units, impedance.units);
            }
            "switch" => {
                is_switch = tokens::boolean(&property.value)
                    .ok_or_else(|| build.wrong(property, "yes or no"))?;
                if is_switch {
                    let one = Complex::new(1.0, 1.0);
                    let phases = impedance.phases;
                    impedance = Impedance {
                        phases,
                        one,
                        zero: one,
                        c1: 1.1,
                        c0: 1.0,
                        ..Default::default()
                    };
                    (length, code, units, convert) = (0.001, None, None, 1.0);
                }
            }
            "units" => {
                impedance.set(build, property)?;
                convert = match code {
                    Some(code) => ratio(impedance.units, code),
                    None => convert * ratio(impedance.units, units),
                };
                units = impedance.units;
            }
            name => {
                impedance.set(build, property)?;
                // The line's own impedances are per its own unit, which counts from here: as in OpenDSS.
                if SEQUENCE.contains(&name) || MATRIX.contains(&name) {
                    (code, units, convert) = (None, None, 1.0);
                }
            }
        }
    }
    let metres = length * units.or(code.flatten()).unwrap_or(1.0);
    length *= convert;
    let n = impedance.phases;
    if n > 3 {
        let expected = "a line of 1 to 3 phases";
        return Err(build.script.wrong(object.place, expected, n.to_string()));
    }
    let [Some(first), Some(second)] = buses else {
        return Err(build.script.wrong(object.place, "`bus1` and `bus2` of a line", "one of them"));
    };
    let from = build.terminal(&first.value, n, first.place)?;
    let to = build.terminal(&second.value, n, second.place)?;
    if from.nodes[..n] != to.nodes[..n] {
        return Err(build.wrong(second, "the same phases at both ends"));
    }
    let phases = build.phases(&from.nodes[..n], first.place)?;
    let ends = [from.bus, to.bus].map(|bus| build.bus(&bus, phases, object.place));
    let (mut z, mut b) = ([Complex::default(); 6], [0.0; 6]);
    for i in 0..n {
        for j in 0..=i {
            let (p, q) = (from.nodes[i] - 1, from.nodes[j] - 1);
            let at = p.max(q) * (p.max(q) + 1) / 2 + p.min(q);
            let (entry, nano) = impedance.entry(i, j);
            z[at] = entry * length;
            b[at] = TAU * build.script.frequency * nano * 1e-9 * length;
        }
    }
    let closed = Ends { from: !object.open[0], to: !object.open[1] };
    let name = object.name.to_ascii_lowercase();
    // Without impedance it is a switch.
    if is_switch && z.iter().all(|entry| *entry == Complex::default()) {
        let switches = &mut build.feeder.switches;
        switches.names.push(&name);
        switches.from.push(ends[0]);
        switches.to.push(ends[1]);
        switches.phases.push(phases);
        switches.closed.push(closed == Ends::CLOSED);
        build.place("switch", object.place);
        return Ok(());
    }
    if joined(build, &name, ends, phases, (z, b), closed) {
        return Ok(());
    }
    let lines = &mut build.feeder.lines;
    lines.names.push(&name);
    lines.from.push(ends[0]);
    lines.to.push(ends[1]);
    lines.phases.push(phases);
    lines.z.push(z);
    lines.b.push(b);
    lines.ends.push(closed);
    lines.length.push(metres);
    lines.rated_a.push(impedance.rated);
    build.place("line", object.place);
    Ok(())
}

/// Whether a line of other phases between the same buses took these in.
fn joined(
    build: &mut Build<'_>,
    name: &str,
    [from, to]: [u32; 2],
    phases: Phases,
    (z, b): ([Complex; 6], [f64; 6]),
    closed: Ends,
) -> bool {
    if phases == Phases::ABC {
        return false;
    }
    let lines = &mut build.feeder.lines;
    let fits = |k: usize| {
        lines.from[k] == from
            && lines.to[k] == to
            && lines.phases.get(k).and(phases) == Phases::NONE
            && lines.ends.get(k) == closed
    };
    let Some(k) = (0..lines.from.len()).rev().take(64).find(|&k| fits(k)) else { return false };
    lines.phases.set(k, lines.phases.get(k).or(phases));
    let mut all = lines.b.get(k);
    for at in 0..6 {
        lines.z[k][at] += z[at];
        all[at] += b[at];
    }
    lines.b.set(k, all);
    rename(&mut lines.names, k, name);
    true
}

/// Adds a name to that of an element that takes in another.
pub(crate) fn rename(names: &mut palmette_core::Texts, at: usize, other: &str) {
    let mut changed = palmette_core::Texts::default();
    for k in 0..names.len() {
        match k == at {
            true => changed.push(&format!("{}+{other}", names.get(k))),
            false => changed.push(names.get(k)),
        }
    }
    *names = changed;
}

/// Adds a source: an ideal one, and the impedance of its short-circuit power to its bus.
pub(crate) fn source(build: &mut Build<'_>, object: &Object) -> Result<(), IoError> {
    let (mut kv, mut pu, mut angle) = (115.0, 1.0, 0.0);
    let (mut mva3, mut mva1, mut x1r1, mut x0r0) = (2000.0, 2100.0, 4.0, 3.0);
    let (mut one, mut zero) = (Complex::new(1.65, 6.6), Complex::new(1.9, 5.7));
    let mut by_power = true;
    let mut bus = ("sourcebus".to_string(), object.place);
    for property in &object.properties {
        let number = || build.number(property);
        match property.name.as_str() {
            "bus1" => bus = (property.value.clone(), property.place),
            "basekv" => kv = number()?,
            "pu" if number()? <= 0.0 => {
                return Err(build.wrong(property, "a positive voltage"));
            }
            "pu" => pu = number()?,
            "angle" => angle = number()?,
            "mvasc3" => (mva3, by_power) = (number()?, true),
            "mvasc1" => (mva1, by_power) = (number()?, true),
            "isc3" => (mva3, by_power) = (number()? * 3f64.sqrt() * kv / 1e3, true),
            "isc1" => (mva1, by_power) = (number()? * 3f64.sqrt() * kv / 1e3, true),
            "x1r1" => x1r1 = number()?,
            "x0r0" => x0r0 = number()?,
            "r1" => (one.re, by_power) = (number()?, false),
            "x1" => (one.im, by_power) = (number()?, false),
            "r0" => (zero.re, by_power) = (number()?, false),
            "x0" => (zero.im, by_power) = (number()?, false),
            "phases" if build.whole(property)? != 3 => {
                return Err(build.wrong(property, "a source of 3 phases"));
            }
            "frequency" | "basefreq" if number()? != build.script.frequency => {
                let expected = format!("the circuit's frequency, {} Hz", build.script.frequency);
                return Err(build.wrong(property, expected));
            }
            _ => {}
        }
    }
    if by_power {
        let x = kv * kv / mva3 / (1.0 + 1.0 / (x1r1 * x1r1)).sqrt();
        one = Complex::new(x / x1r1, x);
        // |2 z1 + z0| = 3 V_ln / Isc1, with x0 = r0 (x0/r0).
        let whole = 3.0 * kv * kv / mva1;
        let (a, b) = (1.0 + x0r0 * x0r0, 4.0 * (one.re + one.im * x0r0));
        let c = 4.0 * one.norm_sqr() - whole * whole;
        let r0 = (-b + (b * b - 4.0 * a * c).max(0.0).sqrt()) / (2.0 * a);
        zero = Complex::new(r0, r0 * x0r0);
    }
    let terminal = build.terminal(&bus.0, 3, bus.1)?;
    if terminal.nodes[..3] != [1, 2, 3] {
        let expected = "phases 1, 2 and 3 of a source";
        return Err(build.script.wrong(bus.1, expected, crate::shown(&bus.0)));
    }
    let is_first = build.feeder.sources.bus.is_empty();
    let own = if is_first { "source" } else { object.name.as_str() };
    let name = format!("vsource.{}", own.to_ascii_lowercase());
    let place = object.place;
    let [at, to] = [&name, &terminal.bus].map(|bus| build.bus(bus, Phases::ABC, place));
    let volt = kv * 1e3 / 3f64.sqrt();
    build.base.insert(at, volt);
    let phase = |k: f64| Complex::from_polar(volt * pu, angle.to_radians() - k * TAU / 3.0);
    build.feeder.sources.bus.push(at);
    build.feeder.sources.v.push([phase(0.0), phase(1.0), phase(2.0)]);
    build.place("source", place);
    let (own, mutual) = ((zero + one * 2.0) / 3.0, (zero - one) / 3.0);
    let lines = &mut build.feeder.lines;
    lines.names.push(&name);
    lines.from.push(at);
    lines.to.push(to);
    lines.phases.push(Phases::ABC);
    lines.z.push([own, mutual, own, mutual, mutual, own]);
    lines.b.push([0.0; 6]);
    lines.ends.push(Ends::CLOSED);
    lines.length.push(0.0);
    lines.rated_a.push(f64::INFINITY);
    build.place("line", place);
    Ok(())
}
