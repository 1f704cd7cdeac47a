//! Loads and capacitors.

use super::bus::Build;
use super::script::{Object, Place, Property};
use crate::IoError;
use palmette_core::feeder::{Complex, Connection, Phases, Zip};

/// Where an element is connected.
struct Shunt {
    bus: String,
    connection: Connection,
    phases: Phases,
    v_nom: f64,
}

/// The connection of an element with `n` phases, its voltage across the element in V.
fn connect(
    build: &Build<'_>,
    bus: Option<(&str, Place)>,
    n: usize,
    is_delta: bool,
    kv: f64,
    object: &Object,
) -> Result<Shunt, IoError> {
    let wrong = |expected: &str, found: &str| build.script.wrong(object.place, expected, found);
    let Some((text, place)) = bus else { return Err(wrong("`bus1`", "none")) };
    let conductors = if is_delta && n == 1 { 2 } else { n };
    if !(1..=3).contains(&n) || (is_delta && n == 2) {
        return Err(wrong("1 or 3 phases, or 2 of a wye", &n.to_string()));
    }
    let default = !text.contains('.');
    if is_delta && n == 1 && (default || text.matches('.').count() == 1) {
        return Err(wrong("two nodes of a delta of one phase, such as `646.2.3`", text));
    }
    let terminal = build.terminal(text, conductors, place)?;
    let nodes = &terminal.nodes;
    // One phase between two nodes is a delta, whatever it is called.
    let between = n == 1 && nodes.len() == 2 && nodes[1] != 0;
    let used = if between { 2 } else { conductors };
    if nodes[used..].iter().any(|&node| node != 0) {
        return Err(wrong("neutrals that are grounded (node 0)", text));
    }
    let connection = if is_delta || between { Connection::Delta } else { Connection::Wye };
    let phases = build.phases(&nodes[..used], place)?;
    let to_ground = n > 1 && !is_delta;
    let v_nom = kv * 1e3 / if to_ground { 3f64.sqrt() } else { 1.0 };
    Ok(Shunt { bus: terminal.bus, connection, phases, v_nom })
}

fn is_delta(build: &Build<'_>, property: &Property) -> Result<bool, IoError> {
    match property.value.to_ascii_lowercase().as_str() {
        "wye" | "y" | "ln" => Ok(false),
        "delta" | "d" | "ll" => Ok(true),
        _ => Err(build.wrong(property, "wye or delta")),
    }
}

/// What the power of a load follows from.
#[derive(Clone, Copy, PartialEq)]
enum Given {
    /// `kw` and the power factor.
    Factor,
    /// `kw` and `kvar`.
    Reactive,
    /// `kva` and the power factor.
    Apparent,
}

/// The power of a load, as OpenDSS keeps it. The last of `kw`, `kvar` and `kva` in a command says what the
/// power follows from; `pf` does not. At the end of each command the others are computed anew, the power
/// factor among them, so that `edit` of `kw` alone scales `kvar`.
struct Power {
    kw: f64,
    kvar: f64,
    kva: f64,
    pf: f64,
    given: Given,
}

impl Default for Power {
    fn default() -> Power {
        Power { kw: 10.0, kvar: 5.0, kva: 0.0, pf: 0.88, given: Given::Factor }
    }
}

impl Power {
    /// The end of a command.
    fn settle(&mut self) {
        let reactive = |kw: f64, pf: f64| kw * (1.0 / (pf * pf) - 1.0).sqrt() * pf.signum();
        match self.given {
            Given::Factor => self.kvar = reactive(self.kw, self.pf),
            Given::Reactive => {
                self.kva = self.kw.hypot(self.kvar);
                if self.kva > 0.0 {
                    let opposed = self.kw * self.kvar < 0.0;
                    self.pf = self.kw / self.kva * if opposed { -1.0 } else { 1.0 };
                }
            }
            Given::Apparent => {
                self.kw = self.kva * self.pf.abs();
                self.kvar = reactive(self.kw, self.pf);
            }
        }
    }
}

pub(crate) fn load(build: &mut Build<'_>, object: &Object) -> Result<(), IoError> {
    let (mut n, mut delta, mut kv, mut bus) = (3, false, 12.47, None);
    let mut power = Power::default();
    let mut last: Option<Place> = None;
    let (mut model, mut zipv, mut fixed) = (1, None, false);
    let (mut watts, mut vars) = (1.0, 2.0);
    for property in &object.properties {
        let number = || build.number(property);
        // A command ends with its line.
        if last.is_some_and(|last| last != property.place) {
            power.settle();
        }
        last = Some(property.place);
        match property.name.as_str() {
            "phases" => n = build.whole(property)?,
            "bus1" => bus = Some((property.value.as_str(), property.place)),
            "kv" => kv = number()?,
            "kw" => (power.kw, power.given) = (number()?, Given::Factor),
            "kvar" => (power.kvar, power.given) = (number()?, Given::Reactive),
            "pf" => {
                power.pf = number()?;
                if power.pf == 0.0 || power.pf.abs() > 1.0 {
                    return Err(build.wrong(property, "a power factor from -1 to 1, not 0"));
                }
            }
            "kva" => (power.kva, power.given) = (number()?, Given::Apparent),
            "conn" => delta = is_delta(build, property)?,
            "model" => model = build.whole(property)?,
            "cvrwatts" => watts = number()?,
            "cvrvars" => vars = number()?,
            "zipv" => zipv = Some((build.numbers(property)?, property)),
            "status" => fixed = property.value.to_ascii_lowercase().starts_with(['f', 'e']),
            _ => {}
        }
    }
    power.settle();
    if !power.kvar.is_finite() {
        let expected = "a power factor from -1 to 1, not 0";
        return Err(build.script.wrong(object.place, expected, power.pf.to_string()));
    }
    let s = Complex::new(power.kw, power.kvar) * 1e3;
    // A power of the voltage that is 0, 1 or 2.
    let of_power = |exponent: f64| match exponent {
        0.0 => Some((0.0, 0.0)),
        1.0 => Some((1.0, 0.0)),
        2.0 => Some((0.0, 1.0)),
        _ => None,
    };
    let mixed = |p: Option<(f64, f64)>, q: Option<(f64, f64)>| {
        let ((current_p, impedance_p), (current_q, impedance_q)) = (p?, q?);
        Some(Zip { current_p, impedance_p, current_q, impedance_q })
    };
    let zip = match (model, &zipv) {
        (1, _) => Some(Zip::POWER),
        (2, _) => Some(Zip::IMPEDANCE),
        (3, _) => mixed(of_power(0.0), of_power(2.0)),
        (4, _) => mixed(of_power(watts), of_power(vars)),
        (5, _) => Some(Zip::CURRENT),
        (8, Some((parts, property))) => match parts[..] {
            [zp, ip, pp, zq, iq, pq, cut] => {
                let whole = [zp + ip + pp, zq + iq + pq];
                if whole.iter().any(|sum| (sum - 1.0).abs() > 1e-9) || cut > 0.0 {
                    let expected = "parts of P and of Q that add up to 1, and a cut-off of 0";
                    return Err(build.wrong(property, expected));
                }
                mixed(Some((ip, zp)), Some((iq, zq)))
            }
            _ => return Err(build.wrong(property, "seven numbers")),
        },
        _ => None,
    };
    let Some(zip) = zip else {
        let expected = "model 1, 2, 3, 4 (exponents 0, 1 or 2), 5 or 8 (with zipv)";
        return Err(build.script.wrong(object.place, expected, model.to_string()));
    };
    let shunt = connect(build, bus, n, delta, kv, object)?;
    let factor = if fixed { 1.0 } else { build.script.load_factor };
    // Which phases a bus has, lines and transformers say.
    let at = build.bus(&shunt.bus, Phases::NONE, object.place);
    let loads = &mut build.feeder.loads;
    loads.names.push(&object.name.to_ascii_lowercase());
    loads.bus.push(at);
    loads.connection.push(shunt.connection);
    loads.phases.push(shunt.phases);
    loads.s_va.push(s * factor);
    loads.zip.push(zip);
    loads.v_nom.push(shunt.v_nom);
    build.place("load", object.place);
    Ok(())
}

pub(crate) fn capacitor(build: &mut Build<'_>, object: &Object) -> Result<(), IoError> {
    let (mut n, mut delta, mut kv, mut bus) = (3, false, 12.47, None);
    let (mut kvar, mut states): (Vec<f64>, Vec<f64>) = (vec![1200.0], Vec::new());
    for property in &object.properties {
        match property.name.as_str() {
            "phases" => n = build.whole(property)?,
            "bus1" => bus = Some((property.value.as_str(), property.place)),
            "kv" => kv = build.number(property)?,
            "kvar" => kvar = build.numbers(property)?,
            "conn" => delta = is_delta(build, property)?,
            "states" => states = build.numbers(property)?,
            "numsteps" if build.whole(property)? != 1 => {
                return Err(build.wrong(property, "one step; kvar of each step as an array"));
            }
            _ => {}
        }
    }
    let state = |k: usize| states.get(k).copied().unwrap_or(1.0);
    let total: f64 = kvar.iter().enumerate().map(|(k, kvar)| kvar * state(k)).sum();
    let shunt = connect(build, bus, n, delta, kv, object)?;
    // Which phases a bus has, lines and transformers say.
    let at = build.bus(&shunt.bus, Phases::NONE, object.place);
    let banks = &mut build.feeder.capacitors;
    banks.names.push(&object.name.to_ascii_lowercase());
    banks.bus.push(at);
    banks.connection.push(shunt.connection);
    banks.phases.push(shunt.phases);
    banks.var.push(total * 1e3);
    banks.v_nom.push(shunt.v_nom);
    build.place("capacitor", object.place);
    Ok(())
}
