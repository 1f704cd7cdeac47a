//! Checks of a feeder's numbers, element by element.

mod three_phase;

use super::{Balanced, BranchKind, Complex, FeederError, Phases, ThreePhase};
use crate::{MAX_VERTICES, Texts};

/// Elements of one kind, for messages.
struct Kind<'a> {
    kind: &'static str,
    names: Option<&'a Texts>,
    rows: usize,
}

impl<'a> Kind<'a> {
    fn new(kind: &'static str, names: &'a Texts) -> Kind<'a> {
        Kind { kind, names: Some(names), rows: names.len() }
    }

    fn columns(&self, columns: &[(&'static str, usize)]) -> Result<(), FeederError> {
        if self.rows > MAX_VERTICES {
            return Err(FeederError::TooMany { kind: self.kind, count: self.rows });
        }
        let &Kind { kind, rows: expected, .. } = self;
        match columns.iter().find(|column| column.1 != expected) {
            Some(&(column, actual)) => Err(FeederError::Rows { kind, column, expected, actual }),
            None => Ok(()),
        }
    }

    fn name(&self, k: usize) -> String {
        self.names.map_or_else(|| k.to_string(), |names| names.get(k).to_string())
    }

    fn finite(&self, k: usize, what: &'static str, value: f64) -> Result<(), FeederError> {
        match value.is_finite() {
            true => Ok(()),
            false => {
                Err(FeederError::NotFinite { kind: self.kind, name: self.name(k), what, value })
            }
        }
    }

    fn complex(&self, k: usize, what: &'static str, value: Complex) -> Result<(), FeederError> {
        self.finite(k, what, value.re)?;
        self.finite(k, what, value.im)
    }

    fn positive(&self, k: usize, what: &'static str, value: f64) -> Result<(), FeederError> {
        self.finite(k, what, value)?;
        match value > 0.0 {
            true => Ok(()),
            false => {
                Err(FeederError::NotPositive { kind: self.kind, name: self.name(k), what, value })
            }
        }
    }

    /// May be infinite, which stands for no limit.
    fn rating(&self, k: usize, what: &'static str, value: f64) -> Result<(), FeederError> {
        match value > 0.0 {
            true => Ok(()),
            false => {
                Err(FeederError::NotPositive { kind: self.kind, name: self.name(k), what, value })
            }
        }
    }

    fn not_negative(&self, k: usize, what: &'static str, value: f64) -> Result<(), FeederError> {
        self.finite(k, what, value)?;
        match value >= 0.0 {
            true => Ok(()),
            false => {
                Err(FeederError::Negative { kind: self.kind, name: self.name(k), what, value })
            }
        }
    }

    fn bus(&self, k: usize, bus: u32, buses: &Texts) -> Result<(), FeederError> {
        match (bus as usize) < buses.len() {
            true => Ok(()),
            false => Err(FeederError::NoSuchBus {
                kind: self.kind,
                name: self.name(k),
                bus,
                buses: buses.len(),
            }),
        }
    }

    fn ends(&self, k: usize, from: u32, to: u32, buses: &Texts) -> Result<(), FeederError> {
        self.bus(k, from, buses)?;
        self.bus(k, to, buses)?;
        match from != to {
            true => Ok(()),
            false => Err(FeederError::OneBus {
                kind: self.kind,
                name: self.name(k),
                bus: buses.get(from as usize).to_string(),
            }),
        }
    }

    /// Both ends of what is no transformer have one nominal voltage, given in kV.
    fn one_voltage(
        &self,
        k: usize,
        [from, to]: [u32; 2],
        [from_kv, to_kv]: [f64; 2],
        buses: &Texts,
    ) -> Result<(), FeederError> {
        match super::same_voltage(from_kv, to_kv) {
            true => Ok(()),
            false => Err(FeederError::Voltages {
                kind: self.kind,
                name: self.name(k),
                from: buses.get(from as usize).to_string(),
                to: buses.get(to as usize).to_string(),
                from_kv,
                to_kv,
            }),
        }
    }

    /// At most one per bus.
    fn single(&self, at: &[u32], taken: &mut [bool], buses: &Texts) -> Result<(), FeederError> {
        for (k, &bus) in at.iter().enumerate() {
            self.bus(k, bus, buses)?;
            if std::mem::replace(&mut taken[bus as usize], true) {
                let bus = buses.get(bus as usize).to_string();
                return Err(FeederError::Second { kind: "source or generator", bus });
            }
        }
        Ok(())
    }

    fn phases(
        &self,
        k: usize,
        phases: Phases,
        feeder: &ThreePhase,
        at: &[u32],
    ) -> Result<(), FeederError> {
        for &bus in at {
            let available = feeder.buses.phases.get(bus as usize);
            if !available.contains(phases) {
                return Err(FeederError::Phases {
                    kind: self.kind,
                    name: self.name(k),
                    phases: phases.to_string(),
                    bus: feeder.buses.names.get(bus as usize).to_string(),
                    available: available.to_string(),
                });
            }
        }
        Ok(())
    }

    fn delta(&self, k: usize, phases: Phases, least: usize) -> Result<(), FeederError> {
        match phases.count() >= least {
            true => Ok(()),
            false => Err(FeederError::Delta {
                kind: self.kind,
                name: self.name(k),
                phases: phases.to_string(),
            }),
        }
    }
}

impl Balanced {
    /// Finds the first thing that is wrong with the numbers.
    ///
    /// # Errors
    /// Columns that differ in length, buses that are not there, numbers that are infinite, no
    /// number, zero or negative where that has no meaning, and two sources at one bus.
    pub fn check(&self) -> Result<(), FeederError> {
        if !(self.base_mva > 0.0 && self.base_mva.is_finite()) {
            return Err(FeederError::Base { base: self.base_mva });
        }
        let names = &self.buses.names;
        let buses = Kind::new("bus", names);
        buses.columns(&[("vn_kv", self.buses.vn_kv.len())])?;
        if names.is_empty() {
            return Err(FeederError::NoBuses);
        }
        each(&self.buses.vn_kv, |k, kv| buses.positive(k, "nominal voltage", kv))?;
        self.check_sources()?;
        self.check_branches()?;
        let loads = Kind::new("load", &self.loads.names);
        let (s, zip) = (&self.loads.s_mva, &self.loads.zip);
        loads.columns(&[("bus", self.loads.bus.len()), ("s", s.len()), ("zip", zip.len())])?;
        for (k, &bus) in self.loads.bus.iter().enumerate() {
            loads.bus(k, bus, names)?;
            loads.complex(k, "power", s[k])?;
        }
        each(zip, |k, zip| check_zip(&loads, k, zip))?;
        let shunts = Kind::new("shunt", &self.shunts.names);
        shunts.columns(&[("bus", self.shunts.bus.len()), ("y", self.shunts.y.len())])?;
        for (k, &bus) in self.shunts.bus.iter().enumerate() {
            shunts.bus(k, bus, names)?;
            shunts.complex(k, "admittance", self.shunts.y[k])?;
        }
        Ok(())
    }

    fn check_sources(&self) -> Result<(), FeederError> {
        let names = &self.buses.names;
        let mut taken = vec![false; names.len()];
        let sources = Kind { kind: "source", names: None, rows: self.sources.bus.len() };
        sources.columns(&[("v", self.sources.v.len())])?;
        if self.sources.bus.is_empty() {
            return Err(FeederError::NoSource);
        }
        sources.single(&self.sources.bus, &mut taken, names)?;
        for (k, v) in self.sources.v.iter().enumerate() {
            sources.positive(k, "voltage", v.norm())?;
        }
        let held = &self.generators;
        let kind = Kind::new("generator", &held.names);
        let limits = &held.q_mvar;
        kind.columns(&[
            ("bus", held.bus.len()),
            ("p", held.p_mw.len()),
            ("v_set", held.v_set.len()),
            ("q", limits.len()),
        ])?;
        kind.single(&held.bus, &mut taken, names)?;
        for k in 0..held.bus.len() {
            kind.finite(k, "power", held.p_mw[k])?;
            kind.positive(k, "voltage", held.v_set[k])?;
            let [low, high] = limits.get(k);
            let wrong = low.is_nan() || high.is_nan() || low > high;
            if wrong {
                return Err(FeederError::Limits { kind: kind.kind, name: kind.name(k), low, high });
            }
        }
        Ok(())
    }

    fn check_branches(&self) -> Result<(), FeederError> {
        let names = &self.buses.names;
        let all = &self.branches;
        let kind = |k: usize| Kind::new(all.kind.get(k).name(), &all.names);
        Kind::new("branch", &all.names).columns(&[
            ("kind", all.kind.len()),
            ("from", all.from.len()),
            ("to", all.to.len()),
            ("z", all.z.len()),
            ("y", all.y.len()),
            ("ratio", all.ratio.len()),
            ("ends", all.ends.len()),
            ("length", all.length_km.len()),
            ("rated", all.rated_a.len()),
        ])?;
        for (k, &z) in all.z.iter().enumerate() {
            kind(k).ends(k, all.from[k], all.to[k], names)?;
            let is = all.kind.get(k);
            kind(k).not_negative(k, "resistance", z.re)?;
            match is {
                // A winding of three may have a negative reactance in its equivalent star.
                BranchKind::Transformer => kind(k).finite(k, "reactance", z.im)?,
                _ => kind(k).not_negative(k, "reactance", z.im)?,
            }
            if is != BranchKind::Transformer {
                let ends = [all.from[k], all.to[k]];
                let kv = ends.map(|bus| self.buses.vn_kv.get(bus as usize));
                kind(k).one_voltage(k, ends, kv, names)?;
            }
            if z == Complex::default() && is != BranchKind::Switch {
                return Err(FeederError::NoImpedance { kind: is.name(), name: kind(k).name(k) });
            }
        }
        each(&all.y, |k, y| {
            kind(k).not_negative(k, "conductance", y.re)?;
            // Positive for lines, negative for the magnetising current of a transformer.
            match all.kind.get(k) {
                BranchKind::Transformer => kind(k).finite(k, "susceptance", y.im),
                _ => kind(k).not_negative(k, "susceptance", y.im),
            }
        })?;
        each(&all.ratio, |k, ratio| kind(k).positive(k, "ratio", ratio.norm()))?;
        each(&all.length_km, |k, length| kind(k).not_negative(k, "length", length))?;
        each(&all.rated_a, |k, rated| {
            rated.iter().try_for_each(|&end| kind(k).rating(k, "rated current", end))
        })
    }
}

/// Looks at one row where all agree.
fn each<T: Copy + PartialEq>(
    column: &super::Column<T>,
    mut check: impl FnMut(usize, T) -> Result<(), FeederError>,
) -> Result<(), FeederError> {
    let rows = if column.uniform().is_some() { column.len().min(1) } else { column.len() };
    (0..rows).try_for_each(|k| check(k, column.get(k)))
}

fn check_zip(loads: &Kind<'_>, k: usize, zip: super::Zip) -> Result<(), FeederError> {
    let parts = [zip.current_p, zip.impedance_p, zip.current_q, zip.impedance_q];
    parts
        .iter()
        .try_for_each(|&part| loads.finite(k, "part of constant current or impedance", part))
}
