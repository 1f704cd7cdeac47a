//! Tables of a balanced feeder.

use super::super::limits::ReactiveLimits;
use super::super::nameplate::{Magnetising, Nameplate, TapSide};
use super::super::places::Places;
use super::cells::Table;
use super::{BusIndex, ENDS, Folder, Ids, base_mva, shares};
use crate::IoError;
use crate::quote::shown;
use crate::source::Source;
use palmette_core::feeder::{Balanced, BranchKind, Complex, Ends};
use std::collections::HashMap;

pub(super) const BUS: &[&str] = &["bus", "vn_kv"];
pub(super) const SOURCE: &[&str] = &["bus", "vm_pu", "va_deg"];
pub(super) const BRANCH: &[&str] = &[
    "id",
    "from",
    "to",
    "kind",
    "r_pu",
    "x_pu",
    "g_pu",
    "b_pu",
    "ratio",
    "shift_deg",
    "length_km",
    "max_i_a",
    "max_i_to_a",
    "closed",
];
pub(super) const LINE: &[&str] =
    &["id", "from", "to", "length_km", "r_ohm", "x_ohm", "g_us", "b_us", "max_i_a", "closed"];
pub(super) const TRAFO: &[&str] = &[
    "id",
    "hv",
    "lv",
    "sn_mva",
    "vn_hv_kv",
    "vn_lv_kv",
    "vk_percent",
    "vkr_percent",
    "pfe_kw",
    "i0_percent",
    "shift_degree",
    "tap_side",
    "tap_pos",
    "tap_neutral",
    "tap_step_percent",
    "parallel",
    "closed",
];
pub(super) const LOAD: &[&str] =
    &["id", "bus", "p_mw", "q_mvar", "z_p_percent", "i_p_percent", "z_q_percent", "i_q_percent"];
pub(super) const GEN: &[&str] = &["id", "bus", "p_mw", "vm_pu", "q_min_mvar", "q_max_mvar"];
pub(super) const SHUNT: &[&str] = &["id", "bus", "g_pu", "b_pu"];

/// Words for kinds of branches; `trafo` is pandapower's.
pub(super) const KINDS: [(&str, BranchKind); 4] = [
    ("line", BranchKind::Line),
    ("trafo", BranchKind::Transformer),
    ("transformer", BranchKind::Transformer),
    ("switch", BranchKind::Switch),
];

pub(super) fn read(
    folder: &Folder<'_>,
    bus: Source<'_>,
    places: &mut Places,
    notes: &mut Vec<String>,
) -> Result<Balanced, IoError> {
    let mut feeder = Balanced::new(base_mva(folder)?);
    let buses = read_buses(bus, &mut feeder, places)?;
    let (name, bytes) = folder.need("source.csv")?;
    let mut table = Table::open(Source::new(&name, &bytes)?, SOURCE, 2)?;
    let file = places.file(&name);
    while table.next()? {
        feeder.sources.bus.push(buses.find(&table, 0)?);
        let angle = table.number_or(2, 0.0)?.to_radians();
        feeder.sources.v.push(Complex::from_polar(table.positive(1, None)?, angle));
        places.push("source", file, table.line);
    }
    let mut ids = Ids::default();
    match folder.get("branch_pu.csv")? {
        Some((name, bytes)) => {
            let source = Source::new(&name, &bytes)?;
            read_branches(source, &buses, &mut ids, &mut feeder, places)?;
            read_ratings(folder, &ids, &mut feeder)?;
        }
        None => read_elements(folder, &buses, &mut ids, &mut feeder, places)?,
    }
    feeder.branches.names = ids.names;
    read_at_buses(folder, &buses, &mut feeder, places)?;
    read_generators(folder, &buses, &mut feeder, places, notes)?;
    Ok(feeder)
}

fn read_buses(
    source: Source<'_>,
    feeder: &mut Balanced,
    places: &mut Places,
) -> Result<BusIndex, IoError> {
    let mut table = Table::open(source, BUS, 2)?;
    let file = places.file(source.name);
    let mut lines = Vec::new();
    while table.next()? {
        feeder.buses.names.push(&table.name(0)?);
        feeder.buses.vn_kv.push(table.number(1)?);
        places.push("bus", file, table.line);
        lines.push(table.line);
    }
    BusIndex::new(&feeder.buses.names, &table, &lines)
}

fn read_branches(
    source: Source<'_>,
    buses: &BusIndex,
    ids: &mut Ids,
    feeder: &mut Balanced,
    places: &mut Places,
) -> Result<(), IoError> {
    let mut table = Table::open(source, BRANCH, 6)?;
    let file = places.file(source.name);
    let all = &mut feeder.branches;
    while table.next()? {
        ids.push(&table, 0)?;
        all.kind.push(table.word(3, &KINDS)?);
        all.from.push(buses.find(&table, 1)?);
        all.to.push(buses.find(&table, 2)?);
        all.z.push(Complex::new(table.number(4)?, table.number(5)?));
        all.y.push(Complex::new(table.number_or(6, 0.0)?, table.number_or(7, 0.0)?));
        let (ratio, shift) = (table.positive(8, Some(1.0))?, table.number_or(9, 0.0)?);
        all.ratio.push(polar(ratio, shift));
        all.length_km.push(table.number_or(10, 0.0)?);
        let limit = table.limit(11)?;
        all.rated_a.push([limit, table.number_or(12, limit)?]);
        all.ends.push(table.word(13, &ENDS)?);
        places.push("branch", file, table.line);
    }
    Ok(())
}

/// A ratio; without a shift it is exactly real.
fn polar(ratio: f64, shift_deg: f64) -> Complex {
    match shift_deg == 0.0 {
        true => Complex::new(ratio, 0.0),
        false => Complex::from_polar(ratio, shift_deg.to_radians()),
    }
}

/// Lengths and ratings of branches in per unit, from the tables of what they are.
fn read_ratings(folder: &Folder<'_>, ids: &Ids, feeder: &mut Balanced) -> Result<(), IoError> {
    let all = &mut feeder.branches;
    let mut rows: Option<HashMap<&str, usize>> = None;
    let mut row_of = |table: &Table<'_>| {
        let rows = rows
            .get_or_insert_with(|| (0..ids.names.len()).map(|k| (ids.names.get(k), k)).collect());
        let name = table.name(0)?;
        rows.get(&*name)
            .copied()
            .ok_or_else(|| table.wrong("the name of a branch in branch_pu.csv", shown(&name)))
    };
    if let Some((name, bytes)) = folder.get("line.csv")? {
        let mut table = Table::open(Source::new(&name, &bytes)?, LINE, 6)?;
        while table.next()? {
            let row = row_of(&table)?;
            all.length_km.set(row, table.number_or(3, 0.0)?);
            let limit = table.limit(8)?;
            all.rated_a.set(row, [limit, limit]);
        }
    }
    if let Some((name, bytes)) = folder.get("trafo.csv")? {
        let mut table = Table::open(Source::new(&name, &bytes)?, TRAFO, 8)?;
        while table.next()? {
            let row = row_of(&table)?;
            let plate = nameplate(&table)?;
            let rated = plate.branch(1.0, 1.0, 1.0, Magnetising::Ends).rated_a;
            all.rated_a.set(row, rated);
        }
    }
    Ok(())
}

fn nameplate(table: &Table<'_>) -> Result<Nameplate, IoError> {
    let sides = [("hv", TapSide::High), ("lv", TapSide::Low), ("", TapSide::None)];
    Ok(Nameplate {
        sn_mva: table.positive(3, None)?,
        vn_hv_kv: table.positive(4, None)?,
        vn_lv_kv: table.positive(5, None)?,
        vk_percent: table.number(6)?,
        vkr_percent: table.number(7)?,
        pfe_kw: table.number_or(8, 0.0)?,
        i0_percent: table.number_or(9, 0.0)?,
        shift_degree: table.number_or(10, 0.0)?,
        tap_side: table.word(11, &sides)?,
        tap_steps: table.number_or(12, 0.0)? - table.number_or(13, 0.0)?,
        tap_step_percent: table.number_or(14, 0.0)?,
        tap_step_degree: 0.0,
        parallel: table.positive(15, Some(1.0))?,
    })
}

/// Branches from lines in ohms and nameplates of transformers.
fn read_elements(
    folder: &Folder<'_>,
    buses: &BusIndex,
    ids: &mut Ids,
    feeder: &mut Balanced,
    places: &mut Places,
) -> Result<(), IoError> {
    let base = feeder.base_mva;
    let kv = feeder.buses.vn_kv.clone();
    let all = &mut feeder.branches;
    let mut add = |kind, ends: [u32; 2], z, y, ratio, length, rated, closed: Ends| {
        all.kind.push(kind);
        all.from.push(ends[0]);
        all.to.push(ends[1]);
        all.z.push(z);
        all.y.push(y);
        all.ratio.push(ratio);
        all.length_km.push(length);
        all.rated_a.push(rated);
        all.ends.push(closed);
    };
    let mut found = false;
    if let Some((name, bytes)) = folder.get("line.csv")? {
        found = true;
        let mut table = Table::open(Source::new(&name, &bytes)?, LINE, 6)?;
        let file = places.file(&name);
        while table.next()? {
            ids.push(&table, 0)?;
            let ends = [buses.find(&table, 1)?, buses.find(&table, 2)?];
            let ohm = kv.get(ends[1] as usize).powi(2) / base;
            let z = Complex::new(table.number(4)?, table.number(5)?) / ohm;
            let siemens = Complex::new(table.number_or(6, 0.0)?, table.number_or(7, 0.0)?) * 1e-6;
            let (length, limit) = (table.number_or(3, 0.0)?, table.limit(8)?);
            let (y, one) = (siemens * ohm, Complex::new(1.0, 0.0));
            let closed = table.word(9, &ENDS)?;
            add(BranchKind::Line, ends, z, y, one, length, [limit; 2], closed);
            places.push("branch", file, table.line);
        }
    }
    if let Some((name, bytes)) = folder.get("trafo.csv")? {
        found = true;
        let mut table = Table::open(Source::new(&name, &bytes)?, TRAFO, 8)?;
        let file = places.file(&name);
        while table.next()? {
            ids.push(&table, 0)?;
            let ends = [buses.find(&table, 1)?, buses.find(&table, 2)?];
            let [hv, lv] = ends.map(|bus| kv.get(bus as usize));
            let one = nameplate(&table)?.branch(hv, lv, base, Magnetising::Ends);
            let closed = table.word(16, &ENDS)?;
            add(BranchKind::Transformer, ends, one.z, one.y, one.ratio, 0.0, one.rated_a, closed);
            places.push("branch", file, table.line);
        }
    }
    if !found && feeder.buses.names.len() > 1 {
        folder.need("branch_pu.csv, or line.csv and trafo.csv")?;
    }
    Ok(())
}

fn read_at_buses(
    folder: &Folder<'_>,
    buses: &BusIndex,
    feeder: &mut Balanced,
    places: &mut Places,
) -> Result<(), IoError> {
    if let Some((name, bytes)) = folder.get("load.csv")? {
        let mut table = Table::open(Source::new(&name, &bytes)?, LOAD, 4)?;
        let (file, mut ids) = (places.file(&name), Ids::default());
        let loads = &mut feeder.loads;
        while table.next()? {
            ids.push(&table, 0)?;
            loads.bus.push(buses.find(&table, 1)?);
            loads.s_mva.push(Complex::new(table.number(2)?, table.number(3)?));
            loads.zip.push(shares(&table, 4)?);
            places.push("load", file, table.line);
        }
        loads.names = ids.names;
    }
    if let Some((name, bytes)) = folder.get("shunt.csv")? {
        let mut table = Table::open(Source::new(&name, &bytes)?, SHUNT, 4)?;
        let (file, mut ids) = (places.file(&name), Ids::default());
        let shunts = &mut feeder.shunts;
        while table.next()? {
            ids.push(&table, 0)?;
            shunts.bus.push(buses.find(&table, 1)?);
            shunts.y.push(Complex::new(table.number(2)?, table.number(3)?));
            places.push("shunt", file, table.line);
        }
        shunts.names = ids.names;
    }
    Ok(())
}

fn read_generators(
    folder: &Folder<'_>,
    buses: &BusIndex,
    feeder: &mut Balanced,
    places: &mut Places,
    notes: &mut Vec<String>,
) -> Result<(), IoError> {
    let Some((name, bytes)) = folder.get("gen.csv")? else { return Ok(()) };
    let mut table = Table::open(Source::new(&name, &bytes)?, GEN, 4)?;
    let (file, mut ids) = (places.file(&name), Ids::default());
    let mut limits = ReactiveLimits::new(folder.params);
    let held = &mut feeder.generators;
    while table.next()? {
        ids.push(&table, 0)?;
        held.bus.push(buses.find(&table, 1)?);
        held.p_mw.push(table.number(2)?);
        held.v_set.push(table.number(3)?);
        let low = table.number_or(4, f64::NEG_INFINITY)?;
        let high = table.number_or(5, f64::INFINITY)?;
        if low > high {
            let expected = "limits of reactive power of which the lower one is not above the upper";
            return Err(table.wrong(expected, format!("{low} and {high}")));
        }
        held.q_mvar.push(limits.of([low, high]));
        places.push("generator", file, table.line);
    }
    held.names = ids.names;
    notes.extend(limits.note());
    Ok(())
}
