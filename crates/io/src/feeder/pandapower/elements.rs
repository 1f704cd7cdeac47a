//! The elements of a pandapower network, to the columns of a feeder.

use super::super::limits::ReactiveLimits;
use super::super::nameplate::{Magnetising, Nameplate, TapSide};
use super::super::places::Places;
use super::super::shares::{SHARES, are_shares};
use super::frame::{Frame, Row};
use crate::IoError;
use crate::quote::shown;
use palmette_core::feeder::{Balanced, BranchKind, Complex, Ends, Zip};
use std::collections::{HashMap, HashSet};
use std::f64::consts::TAU;

/// Lines (`l`) and transformers (`t`) with an open switch, by index and bus.
pub(super) type Open = HashSet<(char, i64, i64)>;

/// The buses of a branch, nothing for those out of service, and which ends are closed.
type BranchEnds = ([Option<u32>; 2], Ends);

pub(super) struct Builder {
    pub(super) feeder: Balanced,
    pub(super) places: Places,
    pub(super) file: u32,
    /// Buses in service, by index; nothing for those that are not.
    pub(super) buses: HashMap<i64, Option<u32>>,
    pub(super) notes: Vec<String>,
    pub(super) frequency: f64,
    pub(super) limits: ReactiveLimits,
}

/// A branch under way.
struct Made {
    name: String,
    kind: BranchKind,
    ends: [u32; 2],
    z: Complex,
    y: Complex,
    ratio: Complex,
    closed: Ends,
    length: f64,
    rated: [f64; 2],
}

const ONE: Complex = Complex::new(1.0, 0.0);

impl Builder {
    fn place(&mut self, kind: &'static str, row: &Row<'_, '_>) {
        self.places.push(kind, self.file, row.line());
    }

    /// The bus of a row: nothing where it is out of service.
    fn bus(&self, row: &Row<'_, '_>, column: &str) -> Result<Option<u32>, IoError> {
        let index = row.number(column)? as i64;
        let found = self.buses.get(&index).copied();
        found.ok_or_else(|| row.wrong(format!("the index of a bus: `{column}`"), index.to_string()))
    }

    pub(super) fn buses(&mut self, frame: &Frame<'_>) -> Result<(), IoError> {
        for row in frame.rows() {
            let at = self.feeder.buses.names.len() as u32;
            let in_service = row.flag("in_service", true)?;
            if self.buses.insert(row.index(), in_service.then_some(at)).is_some() {
                return Err(row.wrong("an index of its own for each bus", row.index().to_string()));
            }
            if in_service {
                self.feeder.buses.names.push(&row.index().to_string());
                self.feeder.buses.vn_kv.push(row.number("vn_kv")?);
                self.place("bus", &row);
            }
        }
        Ok(())
    }

    fn add(&mut self, made: Made, row: &Row<'_, '_>) {
        let all = &mut self.feeder.branches;
        all.names.push(&made.name);
        all.kind.push(made.kind);
        all.from.push(made.ends[0]);
        all.to.push(made.ends[1]);
        all.z.push(made.z);
        all.y.push(made.y);
        all.ratio.push(made.ratio);
        all.ends.push(made.closed);
        all.length_km.push(made.length);
        all.rated_a.push(made.rated);
        self.place("branch", row);
    }

    /// Adds closed switches between buses; returns the open ones at lines and transformers.
    pub(super) fn switches(&mut self, frame: Option<&Frame<'_>>) -> Result<Open, IoError> {
        let mut open = Open::new();
        for row in frame.into_iter().flat_map(Frame::rows) {
            let closed = row.flag("closed", true)?;
            let (kind, element) = (row.text("et").to_string(), row.number("element")? as i64);
            match kind.as_str() {
                "b" => {
                    let ends = (self.bus(&row, "bus")?, self.bus(&row, "element")?);
                    let (Some(from), Some(to), true) = (ends.0, ends.1, closed) else { continue };
                    if row.number_or("z_ohm", 0.0)? != 0.0 {
                        return Err(row.wrong("a switch without impedance", "`z_ohm`"));
                    }
                    let made = Made {
                        name: format!("switch {}", row.index()),
                        kind: BranchKind::Switch,
                        ends: [from, to],
                        z: Complex::default(),
                        y: Complex::default(),
                        ratio: ONE,
                        closed: Ends::CLOSED,
                        length: 0.0,
                        rated: [f64::INFINITY; 2],
                    };
                    self.add(made, &row);
                }
                "l" | "t" if !closed => {
                    let letter = if kind == "l" { 'l' } else { 't' };
                    open.insert((letter, element, row.number("bus")? as i64));
                }
                "l" | "t" => {}
                other => {
                    return Err(
                        row.wrong("a switch at a bus, a line or a transformer", shown(other))
                    );
                }
            }
        }
        Ok(open)
    }

    /// The two ends of a branch: buses, and whether they are closed. Nothing where it is out of
    /// service, or both of its ends are.
    fn ends(
        &self,
        row: &Row<'_, '_>,
        columns: [&str; 2],
        letter: char,
        open: &Open,
    ) -> Result<Option<BranchEnds>, IoError> {
        let buses = [self.bus(row, columns[0])?, self.bus(row, columns[1])?];
        let closed = |k: usize| -> Result<bool, IoError> {
            let bus = row.number(columns[k])? as i64;
            Ok(buses[k].is_some() && !open.contains(&(letter, row.index(), bus)))
        };
        let closed = Ends { from: closed(0)?, to: closed(1)? };
        let dead = !row.flag("in_service", true)? || closed == Ends::OPEN;
        Ok((!dead).then_some((buses, closed)))
    }

    pub(super) fn lines(&mut self, frame: &Frame<'_>, open: &Open) -> Result<(), IoError> {
        for row in frame.rows() {
            let Some((buses, closed)) = self.ends(&row, ["from_bus", "to_bus"], 'l', open)? else {
                continue;
            };
            // An end at a bus out of service is a bus of its own without anything.
            let known = buses[0].or(buses[1]).unwrap_or(0);
            let name = row.index().to_string();
            let kv = self.feeder.buses.vn_kv.get(known as usize);
            let mut ends = [known; 2];
            for (end, bus) in ends.iter_mut().zip(buses) {
                *end = match bus {
                    Some(bus) => bus,
                    None => {
                        let at = self.feeder.buses.names.len() as u32;
                        self.feeder.buses.names.push(&format!("end of line {name}"));
                        self.feeder.buses.vn_kv.push(kv);
                        self.place("bus", &row);
                        at
                    }
                };
            }
            let closed = if buses.contains(&None) { Ends::CLOSED } else { closed };
            let (km, parallel) = (row.number("length_km")?, row.number_or("parallel", 1.0)?);
            let ohm = kv * kv / self.feeder.base_mva;
            let per_km = Complex::new(row.number("r_ohm_per_km")?, row.number("x_ohm_per_km")?);
            let b = TAU * self.frequency * row.number("c_nf_per_km")? * 1e-9;
            let g = row.number_or("g_us_per_km", 0.0)? * 1e-6;
            let limit = row.number_or("max_i_ka", f64::INFINITY)? * 1e3;
            let limit = limit * row.number_or("df", 1.0)? * parallel;
            let made = Made {
                name: format!("line {name}"),
                kind: BranchKind::Line,
                ends,
                z: per_km * (km / ohm / parallel),
                y: Complex::new(g, b) * (ohm * km * parallel),
                ratio: ONE,
                closed,
                length: km,
                rated: [limit; 2],
            };
            self.add(made, &row);
        }
        Ok(())
    }

    pub(super) fn transformers(&mut self, frame: &Frame<'_>, open: &Open) -> Result<(), IoError> {
        for row in frame.rows() {
            let Some((buses, closed)) = self.ends(&row, ["hv_bus", "lv_bus"], 't', open)? else {
                continue;
            };
            let [Some(hv), Some(lv)] = buses else { continue };
            let plate = nameplate(frame, &row)?;
            let kv = |bus: u32| self.feeder.buses.vn_kv.get(bus as usize);
            let base = self.feeder.base_mva;
            let one = plate.branch(kv(hv), kv(lv), base, Magnetising::Middle);
            let derating = row.number_or("df", 1.0)?;
            let made = Made {
                name: format!("trafo {}", row.index()),
                kind: BranchKind::Transformer,
                ends: [hv, lv],
                z: one.z,
                y: one.y,
                ratio: one.ratio,
                closed,
                length: 0.0,
                rated: one.rated_a.map(|ampere| ampere * derating),
            };
            self.add(made, &row);
        }
        Ok(())
    }

    pub(super) fn loads(
        &mut self,
        frame: &Frame<'_>,
        name: &str,
        sign: f64,
    ) -> Result<(), IoError> {
        for row in frame.rows() {
            let Some(bus) = self.bus(&row, "bus")? else { continue };
            if !row.flag("in_service", true)? {
                continue;
            }
            let factor = row.number_or("scaling", 1.0)? * sign;
            let s = Complex::new(row.number("p_mw")?, row.number_or("q_mvar", 0.0)?) * factor;
            // Before version 3 both powers had one part.
            let part = |of: &str, each: &str| {
                let old = row.number_or(&format!("const_{of}_percent"), 0.0)?;
                row.number_or(&format!("const_{of}_{each}_percent"), old).map(|x| x / 100.0)
            };
            let zip = Zip {
                current_p: part("i", "p")?,
                impedance_p: part("z", "p")?,
                current_q: part("i", "q")?,
                impedance_q: part("z", "q")?,
            };
            if !are_shares(zip) {
                return Err(row.wrong(SHARES, "others"));
            }
            let loads = &mut self.feeder.loads;
            loads.names.push(&format!("{name} {}", row.index()));
            loads.bus.push(bus);
            loads.s_mva.push(s);
            loads.zip.push(zip);
            self.place("load", &row);
        }
        Ok(())
    }

    pub(super) fn shunts(&mut self, frame: &Frame<'_>) -> Result<(), IoError> {
        for row in frame.rows() {
            let Some(bus) = self.bus(&row, "bus")? else { continue };
            if !row.flag("in_service", true)? {
                continue;
            }
            if row.flag("step_dependency_table", false)? {
                return Err(row.wrong("a shunt without a table of steps", "one with it"));
            }
            let kv = self.feeder.buses.vn_kv.get(bus as usize);
            let scale = (kv / row.number_or("vn_kv", kv)?).powi(2) * row.number_or("step", 1.0)?;
            let y = Complex::new(row.number_or("p_mw", 0.0)?, -row.number("q_mvar")?);
            self.feeder.shunts.names.push(&format!("shunt {}", row.index()));
            self.feeder.shunts.bus.push(bus);
            self.feeder.shunts.y.push(y * (scale / self.feeder.base_mva));
            self.place("shunt", &row);
        }
        Ok(())
    }

    fn source(&mut self, bus: u32, v: Complex, row: &Row<'_, '_>) {
        self.feeder.sources.bus.push(bus);
        self.feeder.sources.v.push(v);
        self.place("source", row);
    }

    pub(super) fn grids(&mut self, frame: &Frame<'_>) -> Result<(), IoError> {
        for row in frame.rows() {
            let Some(bus) = self.bus(&row, "bus")? else { continue };
            if row.flag("in_service", true)? {
                let angle = row.number_or("va_degree", 0.0)?.to_radians();
                self.source(bus, Complex::from_polar(row.positive("vm_pu")?, angle), &row);
            }
        }
        Ok(())
    }

    pub(super) fn generators(&mut self, frame: &Frame<'_>) -> Result<(), IoError> {
        for row in frame.rows() {
            let Some(bus) = self.bus(&row, "bus")? else { continue };
            if !row.flag("in_service", true)? {
                continue;
            }
            let v = row.positive("vm_pu")?;
            if row.flag("slack", false)? {
                self.source(bus, Complex::new(v, 0.0), &row);
                continue;
            }
            let low = row.number_or("min_q_mvar", f64::NEG_INFINITY)?;
            let high = row.number_or("max_q_mvar", f64::INFINITY)?;
            let limits = self.limits.of([low, high]);
            let held = &mut self.feeder.generators;
            held.names.push(&format!("gen {}", row.index()));
            held.bus.push(bus);
            held.p_mw.push(row.number("p_mw")? * row.number_or("scaling", 1.0)?);
            held.v_set.push(v);
            held.q_mvar.push(limits);
            self.place("generator", &row);
        }
        self.notes.extend(self.limits.note());
        Ok(())
    }
}

/// The nameplate of a transformer, with its tap where pandapower takes it.
fn nameplate(frame: &Frame<'_>, row: &Row<'_, '_>) -> Result<Nameplate, IoError> {
    if row.flag("tap_dependency_table", false)? {
        return Err(row.wrong("a transformer without a table of taps", "`tap_dependency_table`"));
    }
    if row.get("tap2_pos").is_some() && row.get("tap2_side").is_some() {
        return Err(row.wrong("a transformer with one tap changer", "`tap2_pos`"));
    }
    for column in ["leakage_resistance_ratio_hv", "leakage_reactance_ratio_hv"] {
        if row.number_or(column, 0.5)? != 0.5 {
            return Err(row.wrong("a leakage that is equal on both sides", format!("`{column}`")));
        }
    }
    let changer = row.text("tap_changer_type").to_string();
    let is_old = !frame.has("tap_changer_type");
    let is_ideal = if is_old { row.flag("tap_phase_shifter", false)? } else { changer == "Ideal" };
    let is_ratio = if is_old { !is_ideal } else { changer == "Ratio" || changer == "Symmetrical" };
    if changer == "Tabular" {
        return Err(row.wrong("a tap changer by ratio or angle", "a table"));
    }
    let steps = row.number_or("tap_pos", 0.0)? - row.number_or("tap_neutral", 0.0)?;
    let (percent, degree) =
        (row.number_or("tap_step_percent", 0.0)?, row.number_or("tap_step_degree", 0.0)?);
    let side = match row.text("tap_side") {
        "hv" => TapSide::High,
        "lv" => TapSide::Low,
        _ => TapSide::None,
    };
    let has_position = row.get("tap_pos").is_some();
    let mut shift = row.number_or("shift_degree", 0.0)?;
    if is_ideal && has_position {
        let turned = match degree != 0.0 {
            true => steps * degree,
            false => 2.0 * (steps * percent / 200.0).asin().to_degrees(),
        };
        match side {
            TapSide::High => shift += turned,
            TapSide::Low => shift -= turned,
            TapSide::None => {}
        }
    }
    Ok(Nameplate {
        sn_mva: row.positive("sn_mva")?,
        vn_hv_kv: row.positive("vn_hv_kv")?,
        vn_lv_kv: row.positive("vn_lv_kv")?,
        vk_percent: row.number("vk_percent")?,
        vkr_percent: row.number("vkr_percent")?,
        pfe_kw: row.number_or("pfe_kw", 0.0)?,
        i0_percent: row.number_or("i0_percent", 0.0)?,
        shift_degree: shift,
        tap_side: if is_ratio && has_position { side } else { TapSide::None },
        tap_steps: steps,
        tap_step_percent: percent,
        tap_step_degree: degree,
        parallel: row.number_or("parallel", 1.0)?,
    })
}
