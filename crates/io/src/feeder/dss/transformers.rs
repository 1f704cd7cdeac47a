//! Transformers of two windings, and the taps that their regulators are at.

use super::bus::Build;
use super::classes::Class;
use super::lines::rename;
use super::script::{Object, Property};
use super::tokens;
use crate::IoError;
use crate::quote::shown;
use palmette_core::feeder::{Complex, Phases, VectorGroup, Windings};

/// What is said of one winding.
#[derive(Debug, Clone, Copy)]
struct Winding<'o> {
    bus: Option<(&'o str, super::script::Place)>,
    is_delta: bool,
    kv: f64,
    kva: f64,
    tap: f64,
    r_percent: f64,
    /// Ohms from its neutral to ground; none where they are below 0.
    r_neutral: f64,
}

const WINDING: Winding<'static> = Winding {
    bus: None,
    is_delta: false,
    kv: 12.47,
    kva: 1000.0,
    tap: 1.0,
    r_percent: 0.2,
    r_neutral: -1.0,
};

/// A transformer's properties, in the order of the script.
struct Plate<'o> {
    phases: usize,
    windings: [Winding<'o>; 2],
    xhl: f64,
    no_load: f64,
    magnetising: f64,
    leads: bool,
    tap_step: (f64, f64, f64),
}

impl<'o> Plate<'o> {
    fn read(build: &Build<'_>, object: &'o Object) -> Result<Plate<'o>, IoError> {
        let mut plate = Plate {
            phases: 3,
            windings: [WINDING; 2],
            xhl: 7.0,
            no_load: 0.0,
            magnetising: 0.0,
            leads: false,
            tap_step: (0.9, 1.1, 32.0),
        };
        let mut at = 0;
        for property in &object.properties {
            plate.set(build, property, &mut at)?;
        }
        Ok(plate)
    }

    fn set(
        &mut self,
        build: &Build<'_>,
        property: &'o Property,
        at: &mut usize,
    ) -> Result<(), IoError> {
        let number = || build.number(property);
        let delta = |text: &str| match text.trim().to_ascii_lowercase().as_str() {
            "wye" | "y" | "ln" => Ok(false),
            "delta" | "d" | "ll" => Ok(true),
            _ => Err(build.wrong(property, "wye or delta")),
        };
        let pair = || match build.numbers(property)?[..] {
            [first, second] => Ok([first, second]),
            _ => Err(build.wrong(property, "a number for each of two windings")),
        };
        let words = || match tokens::array(&property.value)[..] {
            [first, second] => Ok([first, second]),
            _ => Err(build.wrong(property, "a word for each of two windings")),
        };
        let winding = &mut self.windings[*at];
        match property.name.as_str() {
            "phases" => self.phases = build.whole(property)?,
            "windings" if build.whole(property)? != 2 => {
                return Err(build.wrong(property, "a transformer of 2 windings"));
            }
            "wdg" => match build.whole(property)? {
                one @ 1..=2 => *at = one - 1,
                _ => return Err(build.wrong(property, "winding 1 or 2")),
            },
            "bus" => winding.bus = Some((&property.value, property.place)),
            "conn" => winding.is_delta = delta(&property.value)?,
            "kv" => winding.kv = number()?,
            "kva" => {
                // That of the first winding is that of both until the second says otherwise.
                winding.kva = number()?;
                if *at == 0 {
                    self.windings[1].kva = self.windings[0].kva;
                }
            }
            "tap" => winding.tap = number()?,
            "%r" => winding.r_percent = number()?,
            "rneut" => winding.r_neutral = number()?,
            "xneut" if number()? != 0.0 => {
                return Err(build.wrong(property, "a neutral that is grounded or open"));
            }
            "buses" => {
                for (winding, bus) in self.windings.iter_mut().zip(words()?) {
                    winding.bus = Some((bus, property.place));
                }
            }
            "conns" => {
                for (winding, text) in self.windings.iter_mut().zip(words()?) {
                    winding.is_delta = delta(text)?;
                }
            }
            "kvs" | "kvas" | "taps" | "%rs" => {
                for (winding, value) in self.windings.iter_mut().zip(pair()?) {
                    match property.name.as_str() {
                        "kvs" => winding.kv = value,
                        "kvas" => winding.kva = value,
                        "taps" => winding.tap = value,
                        _ => winding.r_percent = value,
                    }
                }
            }
            "xhl" => self.xhl = number()?,
            "%loadloss" => {
                let half = number()? / 2.0;
                self.windings.iter_mut().for_each(|winding| winding.r_percent = half);
            }
            "%noloadloss" => self.no_load = number()?,
            "%imag" => self.magnetising = number()?,
            "mintap" => self.tap_step.0 = number()?,
            "maxtap" => self.tap_step.1 = number()?,
            "numtaps" => self.tap_step.2 = number()?,
            "leadlag" => {
                self.leads = match property.value.trim().to_ascii_lowercase().as_str() {
                    "lead" | "euro" => true,
                    "lag" | "ansi" => false,
                    _ => return Err(build.wrong(property, "lead, lag, euro or ansi")),
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// How windings are connected, whose neutrals may be open.
    fn group(&self, open: [bool; 2]) -> Option<VectorGroup> {
        let [first, second] = self.windings;
        // The side of lower voltage lags; with `leadlag=lead` it leads.
        let lags = (first.kv >= second.kv) != self.leads;
        let clock = if lags { 1 } else { 11 };
        match (first.is_delta, second.is_delta) {
            (false, false) if open == [false; 2] => Some(VectorGroup::YNYN0),
            (true, false) if !open[1] => VectorGroup::new(Windings::DeltaStar, clock),
            (true, true) => VectorGroup::new(Windings::DeltaDelta, 0),
            (false, true) if open[0] => VectorGroup::new(Windings::StarDelta, clock),
            _ => None,
        }
    }
}

/// A bus as the script names it, with the place where it does.
type NamedBus<'o> = (&'o str, super::script::Place);

/// The bus of a winding without its neutral, and whether that is open. Without a node of its own a
/// neutral is grounded, whatever `rneut` says.
fn neutral<'o>(
    build: &mut Build<'_>,
    winding: &Winding<'o>,
    phases: usize,
) -> Result<(Option<NamedBus<'o>>, bool), IoError> {
    let Some((text, place)) = winding.bus.filter(|_| !winding.is_delta && phases == 3) else {
        return Ok((winding.bus, false));
    };
    let node = |text: &str| text.trim().parse().ok().filter(|&node: &usize| node > 3);
    let own = text.rsplit_once('.').filter(|(bus, _)| bus.matches('.').count() == 3);
    let Some((bus, Some(node))) = own.map(|(bus, last)| (bus, node(last))) else {
        return Ok((winding.bus, false));
    };
    if winding.r_neutral >= 0.0 {
        let expected = "a neutral that is grounded (node 0) or open (without `rneut`)";
        return Err(build.script.wrong(place, expected, shown(text)));
    }
    let name = bus.split('.').next().unwrap_or_default().trim().to_ascii_lowercase();
    if !build.neutrals.insert((name, node)) {
        let expected = "a neutral with a node of its own";
        return Err(build.script.wrong(place, expected, shown(text)));
    }
    Ok((Some((bus, place)), true))
}

/// The taps that regulators state by number.
fn regulated(build: &Build<'_>, object: &Object, plate: &mut Plate<'_>) -> Result<(), IoError> {
    for control in build.script.objects.iter().filter(|one| one.class == Class::RegControl) {
        let (mut is_here, mut winding, mut number) = (false, 1, None);
        for property in &control.properties {
            match property.name.as_str() {
                "transformer" => is_here = property.value.eq_ignore_ascii_case(&object.name),
                "winding" | "tapwinding" => winding = build.whole(property)?,
                "tapnum" => number = Some(build.number(property)?),
                _ => {}
            }
        }
        if let (true, Some(number)) = (is_here, number) {
            let (low, high, steps) = plate.tap_step;
            if !(1..=2).contains(&winding) {
                return Err(build.script.wrong(
                    control.place,
                    "winding 1 or 2",
                    winding.to_string(),
                ));
            }
            plate.windings[winding - 1].tap = 1.0 + number * (high - low) / steps;
        }
    }
    Ok(())
}

pub(crate) fn transformer(build: &mut Build<'_>, object: &Object) -> Result<(), IoError> {
    let mut plate = Plate::read(build, object)?;
    regulated(build, object, &mut plate)?;
    let wrong = |build: &Build<'_>, expected: &str, found: String| {
        build.script.wrong(object.place, expected, found)
    };
    let n = plate.phases;
    if n != 1 && n != 3 {
        return Err(wrong(build, "a transformer of 1 or 3 phases", n.to_string()));
    }
    let [mut first, mut second] = plate.windings;
    let mut open = [false; 2];
    for (winding, open) in [&mut first, &mut second].into_iter().zip(&mut open) {
        (winding.bus, *open) = neutral(build, winding, n)?;
    }
    let Some(group) = plate.group(open) else {
        let expected = "windings wye-wye, delta-wye or delta-delta, or wye-delta with an open \
            neutral (a node of its own: `bus.1.2.3.4`)";
        return Err(wrong(build, expected, "others".to_string()));
    };
    if first.kva != second.kva {
        let found = format!("{} and {}", first.kva, second.kva);
        return Err(wrong(build, "the same kVA of both windings", found));
    }
    let (Some(from), Some(to)) = (first.bus, second.bus) else {
        return Err(wrong(build, "a bus of either winding", "one without".to_string()));
    };
    let from_end = build.terminal(from.0, n, from.1)?;
    let to_end = build.terminal(to.0, n, to.1)?;
    let is_grounded = |nodes: &[usize]| nodes.iter().skip(n).all(|&node| node == 0);
    let phases = build.phases(&from_end.nodes[..n], from.1)?;
    let same = from_end.nodes[..n] == to_end.nodes[..n] && phases != Phases::NONE;
    let plain = (n == 1 && group == VectorGroup::YNYN0) || (n == 3 && phases == Phases::ABC);
    if !same || !plain || !is_grounded(&from_end.nodes) || !is_grounded(&to_end.nodes) {
        let expected = "the same phases at both windings; a single phase from phase to ground";
        return Err(wrong(build, expected, format!("{} and {}", from.0, to.0)));
    }
    // Of one phase, voltages are across the winding.
    let (line, three) = if n == 1 { (3f64.sqrt(), 3.0) } else { (1.0, 1.0) };
    let kv = [first.kv * line * first.tap, second.kv * line];
    let rated = first.kva * three;
    let z = Complex::new((first.r_percent + second.r_percent) / 100.0, plate.xhl / 100.0);
    let siemens = rated * 1e3 / (kv[1] * second.tap * 1e3).powi(2) / 100.0;
    let y = Complex::new(plate.no_load, -plate.magnetising) * siemens;
    let ends = [(from_end.bus, from.1), (to_end.bus, to.1)]
        .map(|(bus, place)| build.bus(&bus, phases, place));
    let name = object.name.to_ascii_lowercase();
    let mut tap = [1.0; 3];
    phases.iter().for_each(|phase| tap[phase] = second.tap);
    let all = &mut build.feeder.transformers;
    // Single phases between the same buses are one transformer.
    let bank = (0..all.from.len()).rev().take(64).find(|&k| {
        n == 1
            && (all.from[k], all.to[k]) == (ends[0], ends[1])
            && all.phases.get(k).and(phases) == Phases::NONE
            && (all.rated_kva.get(k), all.kv.get(k)) == (rated, kv)
            && (all.z_part.get(k), all.y.get(k)) == (z, y)
    });
    if let Some(k) = bank {
        let mut taps = all.tap.get(k);
        phases.iter().for_each(|phase| taps[phase] = second.tap);
        all.tap.set(k, taps);
        all.phases.set(k, all.phases.get(k).or(phases));
        rename(&mut all.names, k, &name);
        return Ok(());
    }
    all.names.push(&name);
    all.from.push(ends[0]);
    all.to.push(ends[1]);
    all.phases.push(phases);
    all.group.push(group);
    all.rated_kva.push(rated);
    all.kv.push(kv);
    all.z_part.push(z);
    all.tap.push(tap);
    all.y.push(y);
    all.closed.push(true);
    build.place("transformer", object.place);
    Ok(())
}
