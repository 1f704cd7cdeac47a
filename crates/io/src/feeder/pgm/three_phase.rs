//! A feeder of three phases from components of power-grid-model.

use super::super::places::Places;
use super::balanced::{
    Ids, LINE, LOAD, NODE, SHUNT, SOURCE, TRANSFORMER, ends, named, source_impedance, transformer,
    zip,
};
use super::{Component, FREQUENCY, Rows, SOURCE_DEFAULTS, refuse};
use crate::IoError;
use palmette_core::feeder::{
    Complex, Connection, Ends, Phases, Symmetric, ThreePhase, VectorGroup, Windings, Zip,
};
use std::f64::consts::TAU;

const KNOWN: [&str; 9] = [
    "node",
    "line",
    "transformer",
    "source",
    "sym_load",
    "sym_gen",
    "asym_load",
    "asym_gen",
    "shunt",
];

/// The phase matrix of a symmetric element, from its positive and zero sequence.
fn phases_of(one: Complex, zero: Complex) -> Symmetric<Complex> {
    let (own, mutual) = ((zero + one * 2.0) / 3.0, (zero - one) / 3.0);
    [own, mutual, own, mutual, mutual, own]
}

pub(super) fn read(all: &[Component<'_, '_>], places: &mut Places) -> Result<ThreePhase, IoError> {
    all.iter().try_for_each(|one| refuse(one, &KNOWN))?;
    let mut feeder = ThreePhase::default();
    let file = places.file(all.first().map_or("", |one| one.file));
    let mut ids = Ids::default();
    for row in named(all, "node", &NODE)? {
        let name = ids.add_node(&row)?;
        bus(&mut feeder, &name, row.number("u_rated")? / 3f64.sqrt());
        places.push("bus", file, row.line());
    }
    for row in named(all, "line", &LINE)? {
        let id = ids.id(&row)?;
        let (from, to) = (ids.node(&row, "from_node")?, ids.node(&row, "to_node")?);
        let one = Complex::new(row.number("r1")?, row.number("x1")?);
        let zero = Complex::new(row.number("r0")?, row.number("x0")?);
        if row.number_or("tan1", 0.0)? != 0.0 || row.number_or("tan0", 0.0)? != 0.0 {
            return Err(row.wrong("lines without losses of insulation", "`tan1` or `tan0`"));
        }
        let siemens =
            |name| row.number_or(name, 0.0).map(|c| Complex::new(TAU * FREQUENCY * c, 0.0));
        let b = phases_of(siemens("c1")?, siemens("c0")?).map(|entry| entry.re);
        let limit = row.number_or("i_n", f64::INFINITY)?;
        line(&mut feeder, &id.to_string(), [from, to], phases_of(one, zero), b, ends(&row)?, limit);
        places.push("line", file, row.line());
    }
    for row in named(all, "transformer", &TRANSFORMER)? {
        add_transformer(&row, &mut ids, &mut feeder)?;
        places.push("transformer", file, row.line());
    }
    add_loads(all, &mut ids, &mut feeder, places, file)?;
    add_sources(all, &mut ids, &mut feeder, places, file)?;
    Ok(feeder)
}

fn bus(feeder: &mut ThreePhase, name: &str, volt: f64) -> u32 {
    feeder.buses.names.push(name);
    feeder.buses.phases.push(Phases::ABC);
    feeder.buses.v_base.push(volt);
    feeder.buses.names.len() as u32 - 1
}

fn line(
    feeder: &mut ThreePhase,
    name: &str,
    [from, to]: [u32; 2],
    z: Symmetric<Complex>,
    b: Symmetric<f64>,
    ends: Ends,
    limit: f64,
) {
    let lines = &mut feeder.lines;
    lines.names.push(name);
    lines.from.push(from);
    lines.to.push(to);
    lines.phases.push(Phases::ABC);
    lines.z.push(z);
    lines.b.push(b);
    lines.ends.push(ends);
    lines.length.push(0.0);
    lines.rated_a.push(limit);
}

fn add_transformer(
    row: &Rows<'_, '_, '_>,
    ids: &mut Ids,
    feeder: &mut ThreePhase,
) -> Result<(), IoError> {
    let plate = transformer(row)?;
    let id = ids.id(row)?;
    let grounding = ["r_grounding_from", "x_grounding_from", "r_grounding_to", "x_grounding_to"];
    for name in grounding {
        if row.number_or(name, 0.0)? != 0.0 {
            return Err(row.wrong("stars that are grounded directly", format!("`{name}`")));
        }
    }
    if plate.pfe_kw != 0.0 || plate.i0_percent != 0.0 {
        let expected = "a transformer without magnetising current, in a feeder of three phases";
        return Err(row.wrong(expected, "`i0` or `p0`"));
    }
    // 0: star, 1: grounded star, 2: delta.
    let windings = match (row.whole("winding_from")?, row.whole("winding_to")?) {
        (1, 1) => Windings::StarStar,
        (2, 1) => Windings::DeltaStar,
        (2, 2) => Windings::DeltaDelta,
        (0, 2) => Windings::StarDelta,
        (from, to) => {
            let expected = "windings YNyn (1, 1), Dyn (2, 1), Dd (2, 2) or Yd (0, 2)";
            return Err(row.wrong(expected, format!("{from}, {to}")));
        }
    };
    let clock = row.whole("clock")?.rem_euclid(12) as u8;
    let group = VectorGroup::new(windings, clock)
        .ok_or_else(|| row.wrong("a clock that its windings can have", clock.to_string()))?;
    let all = &mut feeder.transformers;
    all.names.push(&id.to_string());
    all.from.push(ids.node(row, "from_node")?);
    all.to.push(ids.node(row, "to_node")?);
    all.phases.push(Phases::ABC);
    all.group.push(group);
    all.rated_kva.push(plate.sn_mva * 1e3);
    all.kv.push([plate.vn_hv_kv, plate.vn_lv_kv]);
    let (z, r) = (plate.vk_percent / 100.0, plate.vkr_percent / 100.0);
    all.z_part.push(Complex::new(r, (z * z - r * r).max(0.0).sqrt().copysign(z)));
    all.tap.push([1.0; 3]);
    all.y.push(Complex::default());
    let ends = ends(row)?;
    if ends.from != ends.to {
        return Err(row.wrong("a transformer open or closed at both ends", "one open end"));
    }
    all.closed.push(ends.from);
    Ok(())
}

fn load(feeder: &mut ThreePhase, name: &str, bus: u32, phases: Phases, s: Complex, zip: Zip) {
    let loads = &mut feeder.loads;
    loads.names.push(name);
    loads.bus.push(bus);
    loads.connection.push(Connection::Wye);
    loads.phases.push(phases);
    loads.s_va.push(s);
    loads.zip.push(zip);
    loads.v_nom.push(feeder.buses.v_base.get(bus as usize));
}

fn add_loads(
    all: &[Component<'_, '_>],
    ids: &mut Ids,
    feeder: &mut ThreePhase,
    places: &mut Places,
    file: u32,
) -> Result<(), IoError> {
    for (name, sign) in [("sym_load", 1.0), ("sym_gen", -1.0)] {
        for row in named(all, name, &LOAD)? {
            let (id, bus) = (ids.id(&row)?, ids.node(&row, "node")?);
            let s = Complex::new(row.number("p_specified")?, row.number("q_specified")?);
            let factor = if row.status("status")? { sign } else { 0.0 };
            load(feeder, &id.to_string(), bus, Phases::ABC, s * factor, zip(&row)?);
            places.push("load", file, row.line());
        }
    }
    for (name, sign) in [("asym_load", 1.0), ("asym_gen", -1.0)] {
        for row in named(all, name, &LOAD)? {
            let (id, bus) = (ids.id(&row)?, ids.node(&row, "node")?);
            let (p, q) = (row.phases("p_specified")?, row.phases("q_specified")?);
            let factor = if row.status("status")? { sign } else { 0.0 };
            for phase in 0..3 {
                let s = Complex::new(p[phase], q[phase]) * factor;
                let one = Phases::from_bits(1 << phase).unwrap_or(Phases::NONE);
                load(feeder, &format!("{id}.{one}"), bus, one, s, zip(&row)?);
                places.push("load", file, row.line());
            }
        }
    }
    for row in named(all, "shunt", &SHUNT)? {
        let (id, bus) = (ids.id(&row)?, ids.node(&row, "node")?);
        let (one, zero) = (
            Complex::new(row.number("g1")?, row.number("b1")?),
            Complex::new(row.number("g0")?, row.number("b0")?),
        );
        if one != zero {
            return Err(row.wrong("a shunt with g0 = g1 and b0 = b1", "other values"));
        }
        let volt = feeder.buses.v_base.get(bus as usize);
        let factor = if row.status("status")? { 3.0 * volt * volt } else { 0.0 };
        load(feeder, &id.to_string(), bus, Phases::ABC, one.conj() * factor, Zip::IMPEDANCE);
        places.push("load", file, row.line());
    }
    Ok(())
}

fn add_sources(
    all: &[Component<'_, '_>],
    ids: &mut Ids,
    feeder: &mut ThreePhase,
    places: &mut Places,
    file: u32,
) -> Result<(), IoError> {
    for row in named(all, "source", &SOURCE)? {
        let (id, node) = (ids.id(&row)?, ids.node(&row, "node")?);
        if !row.status("status")? {
            continue;
        }
        let angle = row.number_or("u_ref_angle", 0.0)?;
        let volt = feeder.buses.v_base.get(node as usize);
        let (direction, part) = source_impedance(&row)?;
        let one = direction * (part * 3.0 * volt * volt);
        let zero = one * row.number_or("z01_ratio", SOURCE_DEFAULTS.2)?;
        let name = format!("source {id}");
        let at = bus(feeder, &name, volt);
        places.push("bus", file, row.line());
        let free = (Ends::CLOSED, f64::INFINITY);
        line(feeder, &name, [at, node], phases_of(one, zero), [0.0; 6], free.0, free.1);
        places.push("line", file, row.line());
        let magnitude = row.positive("u_ref", None)? * volt;
        let phase = |k: f64| Complex::from_polar(magnitude, angle - k * TAU / 3.0);
        feeder.sources.bus.push(at);
        feeder.sources.v.push([phase(0.0), phase(1.0), phase(2.0)]);
        places.push("source", file, row.line());
    }
    Ok(())
}
