//! Cases of MATPOWER: a function that fills the matrices `bus`, `gen` and `branch`.
//!
//! A case is a program. This reader takes assignments of numbers, and the few statements by which the
//! cases of distribution networks convert ohms and kilowatts ([`Tail`]); anything else is an error
//! with its line, since it might change the numbers. Numbers may be calculated: `135/sqrt(3)`.
//! `gencost` and other fields of an optimal power flow are left out.

use super::limits::ReactiveLimits;
use super::places::Places;
use super::{FeederFile, FeederFormat, FeederParams};
use crate::IoError;
use crate::quote::shown;
use crate::source::Source;
use palmette_core::feeder::{Balanced, BranchKind, Complex, Ends, Feeder, Zip, same_voltage};
use std::collections::HashMap;

mod statements;

use statements::{Row, Statement, statements};

/// Statements that convert units, without blanks and commas; `idx_bus` and `idx_brch` only name
/// columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tail {
    Nothing,
    OhmToPerUnit,
    KilowattToMegawatt,
    PowerFactor,
    ReactiveOfFactor,
    ActiveOfFactor,
}

const TAILS: &[(&str, Tail)] = &[
    ("Vbase=mpc.bus(1BASE_KV)*1e3", Tail::Nothing),
    ("Sbase=mpc.baseMVA*1e6", Tail::Nothing),
    ("mpc.branch(:[BR_RBR_X])=mpc.branch(:[BR_RBR_X])/(Vbase^2/Sbase)", Tail::OhmToPerUnit),
    ("mpc.bus(:[PDQD])=mpc.bus(:[PDQD])/1e3", Tail::KilowattToMegawatt),
    ("mpc.bus(:QD)=mpc.bus(:PD)*sin(acos(pf))", Tail::ReactiveOfFactor),
    ("mpc.bus(:PD)=mpc.bus(:PD)*pf", Tail::ActiveOfFactor),
    ("pf=", Tail::PowerFactor),
];

/// The matrices of a case.
#[derive(Default)]
struct Case {
    base: Option<f64>,
    bus: Vec<Row>,
    generators: Vec<Row>,
    branch: Vec<Row>,
    power_factor: f64,
}

pub(crate) fn read(source: &Source<'_>, params: &FeederParams) -> Result<FeederFile, IoError> {
    let mut case = Case::default();
    for statement in statements(source)? {
        case.run(source, statement)?;
    }
    let Some(base) = case.base else {
        return Err(source.on_line(1, "`mpc.baseMVA = …`", "a case without it"));
    };
    let (mut feeder, mut places) = (Balanced::new(base), Places::default());
    let mut notes = Vec::new();
    let buses = case.buses(source, &mut feeder, &mut places)?;
    case.branches(source, &buses, &mut feeder, &mut places)?;
    case.generators(source, &buses, params, &mut feeder, &mut places, &mut notes)?;
    let feeder = Feeder::Balanced(Box::new(feeder));
    FeederFile::checked(source.name, FeederFormat::Matpower, feeder, places, notes)
}

impl Case {
    fn run(&mut self, source: &Source<'_>, statement: Statement) -> Result<(), IoError> {
        match statement {
            Statement::Number { field, value, .. } if field == "baseMVA" => self.base = Some(value),
            Statement::Text { field, value, line } if field == "version" => {
                if value != "2" {
                    return Err(source.on_line(line, "version '2' of the format", shown(&value)));
                }
            }
            Statement::Matrix { field, rows, line } => match field.as_str() {
                "bus" => self.bus = rows,
                "gen" => self.generators = rows,
                "branch" => self.branch = rows,
                // Of optimal power flow, and of no effect here.
                "gencost" | "areas" | "bus_name" | "gentype" | "genfuel" => {}
                _ => {
                    let expected = "a field of a power flow: bus, gen, branch";
                    return Err(source.on_line(line, expected, shown(&field)));
                }
            },
            Statement::Names { .. } => {}
            Statement::Number { field, line, .. } | Statement::Text { field, line, .. } => {
                let expected = "a field of a case: version, baseMVA, bus, gen, branch";
                return Err(source.on_line(line, expected, shown(&field)));
            }
            Statement::Other { text, line } => self.tail(source, &text, line)?,
        }
        Ok(())
    }

    /// Runs a statement of the list.
    fn tail(&mut self, source: &Source<'_>, text: &str, line: u64) -> Result<(), IoError> {
        let packed: String = text.chars().filter(|c| !c.is_whitespace() && *c != ',').collect();
        let names = packed.starts_with('[')
            && (packed.ends_with("]=idx_bus") || packed.ends_with("]=idx_brch"));
        let known = TAILS.iter().find(|(known, tail)| match tail {
            Tail::PowerFactor => packed.starts_with(known),
            _ => packed == *known,
        });
        let tail = if names { Some(Tail::Nothing) } else { known.map(|&(_, tail)| tail) };
        match tail {
            Some(Tail::Nothing) => {}
            Some(Tail::OhmToPerUnit) => {
                let (Some(base), Some(first)) = (self.base, self.bus.first()) else {
                    return Err(source.on_line(line, "`baseMVA` and `bus` before it", shown(text)));
                };
                let kv = first.get(source, "bus", 10)?;
                let ohm = (kv * 1e3).powi(2) / (base * 1e6);
                self.branch.iter_mut().for_each(|row| row.scale(&[2, 3], 1.0 / ohm));
            }
            Some(Tail::KilowattToMegawatt) => {
                self.bus.iter_mut().for_each(|row| row.scale(&[2, 3], 1e-3));
            }
            Some(Tail::PowerFactor) => {
                let factor = statements::expression(&packed["pf=".len()..]);
                let factor = factor.filter(|factor| (0.0..=1.0).contains(factor));
                self.power_factor = factor.ok_or_else(|| {
                    source.on_line(line, "a power factor from 0 to 1", shown(text))
                })?;
            }
            Some(Tail::ReactiveOfFactor) => {
                let sine = self.power_factor.acos().sin();
                self.bus.iter_mut().for_each(|row| row.values[3] = row.values[2] * sine);
            }
            Some(Tail::ActiveOfFactor) => {
                let factor = self.power_factor;
                self.bus.iter_mut().for_each(|row| row.scale(&[2], factor));
            }
            None => {
                let expected = "an assignment of numbers, or one of the known conversions of units";
                return Err(source.on_line(line, expected, shown(text)));
            }
        }
        Ok(())
    }

    /// Buses, their loads and shunts; returns where the numbers of buses are.
    fn buses(
        &self,
        source: &Source<'_>,
        feeder: &mut Balanced,
        places: &mut Places,
    ) -> Result<HashMap<i64, u32>, IoError> {
        let (file, mut found) = (places.file(source.name), HashMap::new());
        for row in &self.bus {
            let at = feeder.buses.names.len();
            let number = row.get(source, "bus", 1)?;
            if number.fract() != 0.0 || found.insert(number as i64, at as u32).is_some() {
                let expected = "a number of its own for each bus";
                return Err(source.on_line(row.line, expected, number.to_string()));
            }
            let name = (number as i64).to_string();
            let kind = row.get(source, "bus", 2)?;
            let kv = row.get(source, "bus", 10)?;
            feeder.buses.names.push(&name);
            // Results are per unit: a case of transmission may leave voltages out.
            feeder.buses.vn_kv.push(if kv > 0.0 { kv } else { 1.0 });
            places.push("bus", file, row.line);
            if kind == 4.0 {
                let expected = "a bus in service (type 1, 2 or 3)";
                return Err(source.on_line(row.line, expected, "an isolated bus (type 4)"));
            }
            let s = Complex::new(row.get(source, "bus", 3)?, row.get(source, "bus", 4)?);
            if s != Complex::default() {
                feeder.loads.names.push(&name);
                feeder.loads.bus.push(at as u32);
                feeder.loads.s_mva.push(s);
                feeder.loads.zip.push(Zip::POWER);
                places.push("load", file, row.line);
            }
            // MW consumed and Mvar injected at 1 per unit.
            let y = Complex::new(row.get(source, "bus", 5)?, row.get(source, "bus", 6)?);
            if y != Complex::default() {
                feeder.shunts.names.push(&name);
                feeder.shunts.bus.push(at as u32);
                feeder.shunts.y.push(y / feeder.base_mva);
                places.push("shunt", file, row.line);
            }
        }
        Ok(found)
    }

    fn branches(
        &self,
        source: &Source<'_>,
        buses: &HashMap<i64, u32>,
        feeder: &mut Balanced,
        places: &mut Places,
    ) -> Result<(), IoError> {
        let file = places.file(source.name);
        for (k, row) in self.branch.iter().enumerate() {
            let get = |column| row.get(source, "branch", column);
            let end = |column| bus(source, buses, row, "branch", column);
            let (from, to) = (end(1)?, end(2)?);
            let (ratio, shift) = (get(9)?, get(10)?);
            if ratio < 0.0 {
                let expected = "a ratio that is positive, or 0 for none (column 9 of mpc.branch)";
                return Err(source.on_line(row.line, expected, ratio.to_string()));
            }
            // Without a ratio a branch between two voltages is a transformer at its nominal one.
            let kv = [from, to].map(|bus| feeder.buses.vn_kv.get(bus as usize));
            let is_line = ratio == 0.0 && shift == 0.0 && same_voltage(kv[0], kv[1]);
            let z = Complex::new(get(3)?, get(4)?);
            let kind = match (is_line, z == Complex::default()) {
                (true, true) => BranchKind::Switch,
                (true, false) => BranchKind::Line,
                (false, _) => BranchKind::Transformer,
            };
            let all = &mut feeder.branches;
            all.names.push(&(k + 1).to_string());
            all.kind.push(kind);
            all.from.push(from);
            all.to.push(to);
            all.z.push(z);
            all.y.push(Complex::new(0.0, get(5)?));
            let ratio = if ratio == 0.0 { 1.0 } else { ratio };
            all.ratio.push(match shift == 0.0 {
                true => Complex::new(ratio, 0.0),
                false => Complex::from_polar(ratio, shift.to_radians()),
            });
            all.ends.push(if get(11)? > 0.0 { Ends::CLOSED } else { Ends::OPEN });
            all.length_km.push(0.0);
            let (mva, kv) = (get(6)?, &feeder.buses.vn_kv);
            let ampere = |bus: u32| mva * 1e3 / (3f64.sqrt() * kv.get(bus as usize));
            // A rating of 0 means none.
            let rated = if mva > 0.0 { [ampere(from), ampere(to)] } else { [f64::INFINITY; 2] };
            all.rated_a.push(rated);
            places.push("branch", file, row.line);
        }
        Ok(())
    }

    fn generators(
        &self,
        source: &Source<'_>,
        buses: &HashMap<i64, u32>,
        params: &FeederParams,
        feeder: &mut Balanced,
        places: &mut Places,
        notes: &mut Vec<String>,
    ) -> Result<(), IoError> {
        let file = places.file(source.name);
        let mut limits = ReactiveLimits::new(params);
        for (k, row) in self.generators.iter().enumerate() {
            let get = |column| row.get(source, "gen", column);
            let bus = bus(source, buses, row, "gen", 1)?;
            if get(8)? <= 0.0 {
                continue;
            }
            let at = &self.bus[bus as usize];
            let (name, kind) = ((k + 1).to_string(), at.get(source, "bus", 2)?);
            if kind == 3.0 {
                if !feeder.sources.bus.contains(&bus) {
                    let angle = at.get(source, "bus", 9)?.to_radians();
                    feeder.sources.bus.push(bus);
                    let v = get(6)?;
                    if v <= 0.0 {
                        let expected = "a positive voltage (column 6 of mpc.gen)";
                        return Err(source.on_line(row.line, expected, v.to_string()));
                    }
                    feeder.sources.v.push(Complex::from_polar(v, angle));
                    places.push("source", file, row.line);
                }
            } else if kind == 2.0 {
                let held = &mut feeder.generators;
                if let Some(there) = held.bus.iter().position(|&known| known == bus) {
                    held.p_mw[there] += get(2)?;
                    let [low, high] = held.q_mvar.get(there);
                    let own = limits.of([get(5)?, get(4)?]);
                    held.q_mvar.set(there, [low + own[0], high + own[1]]);
                    continue;
                }
                held.names.push(&name);
                held.bus.push(bus);
                held.p_mw.push(get(2)?);
                held.v_set.push(get(6)?);
                held.q_mvar.push(limits.of([get(5)?, get(4)?]));
                places.push("generator", file, row.line);
            } else {
                feeder.loads.names.push(&format!("gen {name}"));
                feeder.loads.bus.push(bus);
                feeder.loads.s_mva.push(-Complex::new(get(2)?, get(3)?));
                feeder.loads.zip.push(Zip::POWER);
                places.push("load", file, row.line);
            }
        }
        notes.extend(limits.note());
        Ok(())
    }
}

/// The bus that a row names.
fn bus(
    source: &Source<'_>,
    buses: &HashMap<i64, u32>,
    row: &Row,
    matrix: &str,
    column: usize,
) -> Result<u32, IoError> {
    let number = row.get(source, matrix, column)?;
    let found = buses.get(&(number as i64)).filter(|_| number.fract() == 0.0).copied();
    found.ok_or_else(|| {
        source.on_line(row.line, "the number of a bus of mpc.bus", number.to_string())
    })
}
