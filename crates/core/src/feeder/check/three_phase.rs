//! Checks of a three-phase feeder.

use super::{Kind, check_zip, each};
use crate::feeder::{Complex, Connection, FeederError, Phases, ThreePhase, Windings};

impl ThreePhase {
    /// Finds the first thing that is wrong with the numbers.
    ///
    /// # Errors
    /// As [`Balanced::check`](crate::feeder::Balanced::check), and elements with phases that their buses do not have.
    pub fn check(&self) -> Result<(), FeederError> {
        let names = &self.buses.names;
        let buses = Kind::new("bus", names);
        let (phases, base) = (&self.buses.phases, &self.buses.v_base);
        buses.columns(&[("phases", phases.len()), ("v_base", base.len())])?;
        if names.is_empty() {
            return Err(FeederError::NoBuses);
        }
        each(base, |k, volt| buses.positive(k, "nominal voltage", volt))?;
        let sources = Kind { kind: "source", names: None, rows: self.sources.bus.len() };
        sources.columns(&[("v", self.sources.v.len())])?;
        if self.sources.bus.is_empty() {
            return Err(FeederError::NoSource);
        }
        sources.single(&self.sources.bus, &mut vec![false; names.len()], names)?;
        for (k, v) in self.sources.v.iter().enumerate() {
            for phase in phases.get(self.sources.bus[k] as usize).iter() {
                sources.positive(k, "voltage", v[phase].norm())?;
            }
        }
        self.check_lines()?;
        self.check_transformers()?;
        self.check_loads()
    }

    fn check_lines(&self) -> Result<(), FeederError> {
        let (names, lines) = (&self.buses.names, &self.lines);
        let kind = Kind::new("line", &lines.names);
        kind.columns(&[
            ("from", lines.from.len()),
            ("to", lines.to.len()),
            ("phases", lines.phases.len()),
            ("z", lines.z.len()),
            ("b", lines.b.len()),
            ("ends", lines.ends.len()),
            ("length", lines.length.len()),
            ("rated", lines.rated_a.len()),
        ])?;
        for (k, z) in lines.z.iter().enumerate() {
            let (from, to, phases) = (lines.from[k], lines.to[k], lines.phases.get(k));
            kind.ends(k, from, to, names)?;
            kind.one_voltage(k, [from, to], self.line_kv([from, to]), names)?;
            kind.phases(k, phases, self, &[from, to])?;
            let b = lines.b.get(k);
            for (entry, (i, j)) in PAIRS.into_iter().enumerate() {
                kind.complex(k, "impedance", z[entry])?;
                kind.finite(k, "susceptance", b[entry])?;
                let there = z[entry] != Complex::default() || b[entry] != 0.0;
                if let Some(phase) = [i, j].into_iter().find(|&phase| there && !phases.has(phase)) {
                    return Err(FeederError::ExtraPhase {
                        kind: kind.kind,
                        name: kind.name(k),
                        phases: phases.to_string(),
                        phase: Phases::LETTERS[phase],
                    });
                }
                if i == j && phases.has(i) {
                    kind.not_negative(k, "resistance", z[entry].re)?;
                    if z[entry] == Complex::default() {
                        let name = kind.name(k);
                        return Err(FeederError::NoImpedance { kind: kind.kind, name });
                    }
                }
            }
            kind.not_negative(k, "length", lines.length.get(k))?;
            kind.rating(k, "rated current", lines.rated_a.get(k))?;
        }
        let switches = &self.switches;
        let kind = Kind::new("switch", &switches.names);
        kind.columns(&[
            ("from", switches.from.len()),
            ("to", switches.to.len()),
            ("phases", switches.phases.len()),
            ("closed", switches.closed.len()),
        ])?;
        for (k, (&from, &to)) in switches.from.iter().zip(&switches.to).enumerate() {
            kind.ends(k, from, to, names)?;
            kind.one_voltage(k, [from, to], self.line_kv([from, to]), names)?;
            kind.phases(k, switches.phases.get(k), self, &[from, to])?;
        }
        Ok(())
    }

    /// Nominal voltages from line to line, in kV.
    fn line_kv(&self, buses: [u32; 2]) -> [f64; 2] {
        buses.map(|bus| self.buses.v_base.get(bus as usize) * 3f64.sqrt() / 1e3)
    }

    fn check_transformers(&self) -> Result<(), FeederError> {
        let all = &self.transformers;
        let kind = Kind::new("transformer", &all.names);
        kind.columns(&[
            ("from", all.from.len()),
            ("to", all.to.len()),
            ("phases", all.phases.len()),
            ("group", all.group.len()),
            ("rated", all.rated_kva.len()),
            ("kv", all.kv.len()),
            ("z", all.z_part.len()),
            ("tap", all.tap.len()),
            ("y", all.y.len()),
            ("closed", all.closed.len()),
        ])?;
        for (k, (&from, &to)) in all.from.iter().zip(&all.to).enumerate() {
            kind.ends(k, from, to, &self.buses.names)?;
            let phases = all.phases.get(k);
            kind.phases(k, phases, self, &[from, to])?;
            if all.group.get(k).windings() != Windings::StarStar {
                kind.delta(k, phases, 3)?;
            }
            kind.positive(k, "rated power", all.rated_kva.get(k))?;
            let kv = all.kv.get(k);
            kv.iter().try_for_each(|&kv| kind.positive(k, "rated voltage", kv))?;
            kind.not_negative(k, "resistance", all.z_part.get(k).re)?;
            kind.finite(k, "reactance", all.z_part.get(k).im)?;
            kind.not_negative(k, "conductance", all.y.get(k).re)?;
            kind.finite(k, "susceptance", all.y.get(k).im)?;
            phases.iter().try_for_each(|p| kind.positive(k, "tap", all.tap.get(k)[p]))?;
        }
        Ok(())
    }

    fn check_loads(&self) -> Result<(), FeederError> {
        let (names, loads) = (&self.buses.names, &self.loads);
        let kind = Kind::new("load", &loads.names);
        kind.columns(&[
            ("bus", loads.bus.len()),
            ("connection", loads.connection.len()),
            ("phases", loads.phases.len()),
            ("s", loads.s_va.len()),
            ("zip", loads.zip.len()),
            ("v_nom", loads.v_nom.len()),
        ])?;
        for (k, &bus) in loads.bus.iter().enumerate() {
            kind.bus(k, bus, names)?;
            let phases = loads.phases.get(k);
            kind.phases(k, phases, self, &[bus])?;
            if loads.connection.get(k) == Connection::Delta {
                kind.delta(k, phases, 2)?;
            }
            kind.complex(k, "power", loads.s_va[k])?;
            kind.positive(k, "nominal voltage", loads.v_nom.get(k))?;
            check_zip(&kind, k, loads.zip.get(k))?;
        }
        let banks = &self.capacitors;
        let kind = Kind::new("capacitor", &banks.names);
        kind.columns(&[
            ("bus", banks.bus.len()),
            ("connection", banks.connection.len()),
            ("phases", banks.phases.len()),
            ("var", banks.var.len()),
            ("v_nom", banks.v_nom.len()),
        ])?;
        for (k, &bus) in banks.bus.iter().enumerate() {
            kind.bus(k, bus, names)?;
            let phases = banks.phases.get(k);
            kind.phases(k, phases, self, &[bus])?;
            if banks.connection.get(k) == Connection::Delta {
                kind.delta(k, phases, 2)?;
            }
            kind.not_negative(k, "reactive power", banks.var[k])?;
            kind.positive(k, "nominal voltage", banks.v_nom.get(k))?;
        }
        Ok(())
    }
}

/// Rows and columns of the entries of a [`Symmetric`](crate::feeder::Symmetric) matrix.
const PAIRS: [(usize, usize); 6] = [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)];
