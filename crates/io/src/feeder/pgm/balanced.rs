//! A balanced feeder from components of power-grid-model.

use super::super::nameplate::{Magnetising, Nameplate, TapSide};
use super::super::places::Places;
use super::{Component, FREQUENCY, NAME, Rows, SOURCE_DEFAULTS, refuse};
use crate::IoError;
use crate::quote::shown;
use palmette_core::feeder::{Balanced, BranchKind, Complex, Ends, Zip};
use std::collections::HashMap;
use std::f64::consts::TAU;

pub(super) const NODE: [&str; 2] = ["id", "u_rated"];
pub(super) const LINE: [&str; 14] = [
    "id",
    "from_node",
    "to_node",
    "from_status",
    "to_status",
    "r1",
    "x1",
    "c1",
    "tan1",
    "r0",
    "x0",
    "c0",
    "tan0",
    "i_n",
];
const LINK: [&str; 5] = ["id", "from_node", "to_node", "from_status", "to_status"];
const GENERIC: [&str; 12] = [
    "id",
    "from_node",
    "to_node",
    "from_status",
    "to_status",
    "r1",
    "x1",
    "g1",
    "b1",
    "k",
    "theta",
    "sn",
];
pub(super) const TRANSFORMER: [&str; 31] = [
    "id",
    "from_node",
    "to_node",
    "from_status",
    "to_status",
    "u1",
    "u2",
    "sn",
    "uk",
    "pk",
    "i0",
    "p0",
    "winding_from",
    "winding_to",
    "clock",
    "tap_side",
    "tap_pos",
    "tap_min",
    "tap_max",
    "tap_nom",
    "tap_size",
    "uk_min",
    "uk_max",
    "pk_min",
    "pk_max",
    "r_grounding_from",
    "x_grounding_from",
    "r_grounding_to",
    "x_grounding_to",
    "i0_zero_sequence",
    "p0_zero_sequence",
];
pub(super) const SOURCE: [&str; 8] =
    ["id", "node", "status", "u_ref", "u_ref_angle", "sk", "rx_ratio", "z01_ratio"];
pub(super) const LOAD: [&str; 6] = ["id", "node", "status", "type", "p_specified", "q_specified"];
pub(super) const SHUNT: [&str; 7] = ["id", "node", "status", "g1", "b1", "g0", "b0"];
const KNOWN: [&str; 11] = [
    "node",
    "line",
    "link",
    "generic_branch",
    "transformer",
    "source",
    "sym_load",
    "sym_gen",
    "shunt",
    "asym_load",
    "asym_gen",
];

/// Nodes and components by their numbers, which are all different.
#[derive(Default)]
pub(super) struct Ids {
    nodes: HashMap<i64, u32>,
    seen: HashMap<i64, u64>,
    names: HashMap<String, u64>,
}

impl Ids {
    /// The number of a component, which no other may have.
    pub(super) fn id(&mut self, row: &Rows<'_, '_, '_>) -> Result<i64, IoError> {
        let id = row.whole("id")?;
        match self.seen.insert(id, row.line()) {
            None => Ok(id),
            Some(line) => {
                let expected = format!("an id of its own (line {line} already has it)");
                Err(row.wrong(expected, id.to_string()))
            }
        }
    }

    /// Adds the node of a row; returns the name of its bus, which no other may have.
    pub(super) fn add_node(&mut self, row: &Rows<'_, '_, '_>) -> Result<String, IoError> {
        let id = self.id(row)?;
        self.nodes.insert(id, self.nodes.len() as u32);
        let name = row.extra(NAME)?.map_or_else(|| id.to_string(), str::to_string);
        match self.names.insert(name.clone(), row.line()) {
            None => Ok(name),
            Some(line) => {
                let expected = format!("a name of its own (line {line} already has it)");
                Err(row.wrong(expected, shown(&name)))
            }
        }
    }

    pub(super) fn node(&self, row: &Rows<'_, '_, '_>, name: &str) -> Result<u32, IoError> {
        let id = row.whole(name)?;
        let found = self.nodes.get(&id).copied();
        found.ok_or_else(|| row.wrong(format!("the id of a node: `{name}`"), id.to_string()))
    }
}

/// The rows of a component, if it is there.
pub(super) fn named<'c, 'j, 'a>(
    all: &'c [Component<'j, 'a>],
    name: &str,
    known: &[&str],
) -> Result<Vec<Rows<'c, 'j, 'a>>, IoError> {
    match all.iter().find(|one| one.name == name) {
        None => Ok(Vec::new()),
        Some(one) => {
            one.only(known)?;
            Ok(one.rows().collect())
        }
    }
}

pub(super) fn ends(row: &Rows<'_, '_, '_>) -> Result<Ends, IoError> {
    Ok(Ends { from: row.status("from_status")?, to: row.status("to_status")? })
}

/// How a load depends on the voltage.
pub(super) fn zip(row: &Rows<'_, '_, '_>) -> Result<Zip, IoError> {
    match row.number_or("type", 0.0)? {
        0.0 => Ok(Zip::POWER),
        1.0 => Ok(Zip::IMPEDANCE),
        2.0 => Ok(Zip::CURRENT),
        other => {
            Err(row
                .wrong("type 0 (constant power), 1 (impedance) or 2 (current)", other.to_string()))
        }
    }
}

/// The impedance of a source as a part of `1 / sk`, and `1 / sk` in 1/VA.
pub(super) fn source_impedance(row: &Rows<'_, '_, '_>) -> Result<(Complex, f64), IoError> {
    let (sk, ratio, _) = SOURCE_DEFAULTS;
    let (sk, ratio) = (row.number_or("sk", sk)?, row.number_or("rx_ratio", ratio)?);
    if sk <= 0.0 || ratio < 0.0 {
        return Err(row.wrong("a positive `sk` and `rx_ratio`", format!("{sk} and {ratio}")));
    }
    let x = 1.0 / (1.0 + ratio * ratio).sqrt();
    Ok((Complex::new(x * ratio, x), 1.0 / sk))
}

/// The voltages of a transformer with its tap, and its nameplate without one.
pub(super) fn transformer(row: &Rows<'_, '_, '_>) -> Result<Nameplate, IoError> {
    for name in ["uk_min", "uk_max", "pk_min", "pk_max"] {
        if row.get(name).is_some() {
            return Err(row.wrong("an impedance that the tap does not change", format!("`{name}`")));
        }
    }
    let (mut u1, mut u2, sn) =
        (row.positive("u1", None)?, row.positive("u2", None)?, row.positive("sn", None)?);
    let (low, high) = (row.number_or("tap_min", 0.0)?, row.number_or("tap_max", 0.0)?);
    let nominal = row.number_or("tap_nom", 0.0)?;
    let position = row.number_or("tap_pos", nominal)?;
    let direction = if high > low { 1.0 } else { -1.0 };
    let steps = position.clamp(low.min(high), low.max(high)) - nominal;
    let change = direction * steps * row.number_or("tap_size", 0.0)?;
    match row.number_or("tap_side", 0.0)? {
        0.0 => u1 += change,
        1.0 => u2 += change,
        other => return Err(row.wrong("tap_side 0 (from) or 1 (to)", other.to_string())),
    }
    Ok(Nameplate {
        sn_mva: sn * 1e-6,
        vn_hv_kv: u1 * 1e-3,
        vn_lv_kv: u2 * 1e-3,
        vk_percent: row.number("uk")? * 100.0,
        vkr_percent: row.number("pk")? / sn * 100.0,
        pfe_kw: row.number("p0")? * 1e-3,
        i0_percent: row.number("i0")? * 100.0,
        shift_degree: row.number("clock")? * 30.0,
        tap_side: TapSide::None,
        tap_steps: 0.0,
        tap_step_percent: 0.0,
        tap_step_degree: 0.0,
        parallel: 1.0,
    })
}

/// A branch under way.
struct Made {
    kind: BranchKind,
    z: Complex,
    y: Complex,
    ratio: Complex,
    rated_a: [f64; 2],
}

const ONE: Complex = Complex::new(1.0, 0.0);
const ZERO: Complex = Complex::new(0.0, 0.0);

pub(super) fn read(all: &[Component<'_, '_>], places: &mut Places) -> Result<Balanced, IoError> {
    all.iter().try_for_each(|one| refuse(one, &KNOWN))?;
    let mut feeder = Balanced::new(1.0);
    let file = places.file(all.first().map_or("", |one| one.file));
    let mut ids = Ids::default();
    for row in named(all, "node", &NODE)? {
        feeder.buses.names.push(&ids.add_node(&row)?);
        feeder.buses.vn_kv.push(row.number("u_rated")? * 1e-3);
        places.push("bus", file, row.line());
    }
    let kv = feeder.buses.vn_kv.clone();
    let ohm = |bus: u32| kv.get(bus as usize).powi(2);
    let mut branch = |ids: &mut Ids, row: &Rows<'_, '_, '_>, made: Made| -> Result<(), IoError> {
        let branches = &mut feeder.branches;
        branches.names.push(&ids.id(row)?.to_string());
        branches.kind.push(made.kind);
        branches.from.push(ids.node(row, "from_node")?);
        branches.to.push(ids.node(row, "to_node")?);
        branches.z.push(made.z);
        branches.y.push(made.y);
        branches.ratio.push(made.ratio);
        branches.ends.push(ends(row)?);
        branches.length_km.push(0.0);
        branches.rated_a.push(made.rated_a);
        places.push("branch", file, row.line());
        Ok(())
    };
    for row in named(all, "line", &LINE)? {
        let base = ohm(ids.node(&row, "to_node")?);
        let z = Complex::new(row.number("r1")?, row.number("x1")?) / base;
        let b = TAU * FREQUENCY * row.number_or("c1", 0.0)?;
        let y = Complex::new(b * row.number_or("tan1", 0.0)?, b) * base;
        let limit = row.number_or("i_n", f64::INFINITY)?;
        let made = Made { kind: BranchKind::Line, z, y, ratio: ONE, rated_a: [limit; 2] };
        branch(&mut ids, &row, made)?;
    }
    for row in named(all, "link", &LINK)? {
        let (kind, rated_a) = (BranchKind::Switch, [f64::INFINITY; 2]);
        branch(&mut ids, &row, Made { kind, z: ZERO, y: ZERO, ratio: ONE, rated_a })?;
    }
    for row in named(all, "transformer", &TRANSFORMER)? {
        let plate = transformer(&row)?;
        let kv = |name| ids.node(&row, name).map(|bus| kv.get(bus as usize));
        let one = plate.branch(kv("from_node")?, kv("to_node")?, 1.0, Magnetising::Ends);
        let (kind, rated_a) = (BranchKind::Transformer, one.rated_a);
        branch(&mut ids, &row, Made { kind, z: one.z, y: one.y, ratio: one.ratio, rated_a })?;
    }
    for row in named(all, "generic_branch", &GENERIC)? {
        let (from, to) = (ids.node(&row, "from_node")?, ids.node(&row, "to_node")?);
        let base = ohm(to);
        let z = Complex::new(row.number("r1")?, row.number("x1")?) / base;
        let y = Complex::new(row.number_or("g1", 0.0)?, row.number_or("b1", 0.0)?) * base;
        let (k, theta) = (row.positive("k", Some(1.0))?, row.number_or("theta", 0.0)?);
        let sn = row.number_or("sn", f64::INFINITY)?;
        let ampere = |bus: u32| sn * 1e-3 / (3f64.sqrt() * kv.get(bus as usize));
        let (ratio, rated_a) = (Complex::from_polar(k, theta), [ampere(from), ampere(to)]);
        branch(&mut ids, &row, Made { kind: BranchKind::Transformer, z, y, ratio, rated_a })?;
    }
    at_nodes(all, &mut ids, &mut feeder, places, file)?;
    Ok(feeder)
}

fn at_nodes(
    all: &[Component<'_, '_>],
    ids: &mut Ids,
    feeder: &mut Balanced,
    places: &mut Places,
    file: u32,
) -> Result<(), IoError> {
    for (name, sign) in [("sym_load", 1.0), ("sym_gen", -1.0)] {
        for row in named(all, name, &LOAD)? {
            let (id, bus) = (ids.id(&row)?, ids.node(&row, "node")?);
            let s = Complex::new(row.number("p_specified")?, row.number("q_specified")?);
            let factor = if row.status("status")? { sign * 1e-6 } else { 0.0 };
            feeder.loads.names.push(&id.to_string());
            feeder.loads.bus.push(bus);
            feeder.loads.s_mva.push(s * factor);
            feeder.loads.zip.push(zip(&row)?);
            places.push("load", file, row.line());
        }
    }
    for row in named(all, "shunt", &SHUNT)? {
        let (id, bus) = (ids.id(&row)?, ids.node(&row, "node")?);
        if row.status("status")? {
            let base = feeder.buses.vn_kv.get(bus as usize).powi(2);
            feeder.shunts.names.push(&id.to_string());
            feeder.shunts.bus.push(bus);
            feeder.shunts.y.push(Complex::new(row.number("g1")?, row.number("b1")?) * base);
            places.push("shunt", file, row.line());
        }
    }
    for row in named(all, "source", &SOURCE)? {
        let (id, node) = (ids.id(&row)?, ids.node(&row, "node")?);
        if !row.status("status")? {
            continue;
        }
        let angle = row.number_or("u_ref_angle", 0.0)?;
        let v = Complex::from_polar(row.positive("u_ref", None)?, angle);
        let (direction, part) = source_impedance(&row)?;
        let name = format!("source {id}");
        let bus = feeder.buses.names.len() as u32;
        feeder.buses.names.push(&name);
        feeder.buses.vn_kv.push(feeder.buses.vn_kv.get(node as usize));
        places.push("bus", file, row.line());
        let branches = &mut feeder.branches;
        branches.names.push(&name);
        branches.kind.push(BranchKind::Line);
        branches.from.push(bus);
        branches.to.push(node);
        // 1 MVA is the base.
        branches.z.push(direction * (part * 1e6));
        branches.y.push(ZERO);
        branches.ratio.push(ONE);
        branches.ends.push(Ends::CLOSED);
        branches.length_km.push(0.0);
        branches.rated_a.push([f64::INFINITY; 2]);
        places.push("branch", file, row.line());
        feeder.sources.bus.push(bus);
        feeder.sources.v.push(v);
        places.push("source", file, row.line());
    }
    Ok(())
}
