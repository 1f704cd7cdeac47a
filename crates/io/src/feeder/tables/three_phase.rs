//! Tables of a feeder of three phases, in SI units.

use super::super::places::Places;
use super::cells::Table;
use super::{BusIndex, ENDS, Folder, Ids, shares};
use crate::IoError;
use crate::quote::shown;
use crate::source::Source;
use palmette_core::feeder::{Complex, Connection, Phases, ThreePhase, VectorGroup, Zip};

pub(super) const BUS: &[&str] = &["bus", "vbase_ln_v", "phases"];
pub(super) const SOURCE: &[&str] = &["bus", "phase", "v_re", "v_im"];
pub(super) const LINE: &[&str] = &[
    "id",
    "from",
    "to",
    "phases",
    "r_aa",
    "r_ab",
    "r_bb",
    "r_ac",
    "r_bc",
    "r_cc",
    "x_aa",
    "x_ab",
    "x_bb",
    "x_ac",
    "x_bc",
    "x_cc",
    "b_aa",
    "b_ab",
    "b_bb",
    "b_ac",
    "b_bc",
    "b_cc",
    "length",
    "length_km",
    "max_i_a",
    "closed",
];
pub(super) const TRAFO: &[&str] = &[
    "id",
    "from",
    "to",
    "phases",
    "conn",
    "kva_3ph",
    "kv1_ll",
    "kv2_ll",
    "r_percent",
    "x_percent",
    "tap_a",
    "tap_b",
    "tap_c",
    "g_s",
    "b_s",
    "closed",
];
pub(super) const LOAD: &[&str] = &[
    "id",
    "bus",
    "conn",
    "phases",
    "kw",
    "kvar",
    "v_nom",
    "model",
    "z_p_percent",
    "i_p_percent",
    "z_q_percent",
    "i_q_percent",
];
pub(super) const CAPACITOR: &[&str] = &["id", "bus", "conn", "phases", "kvar", "v_nom"];
pub(super) const SWITCH: &[&str] = &["id", "from", "to", "phases", "closed"];

const CONNECTIONS: [(&str, Connection); 2] =
    [("wye", Connection::Wye), ("delta", Connection::Delta)];
/// Models of loads; nothing where the parts are in columns of their own.
const MODELS: [(&str, Zip); 4] =
    [("P", Zip::POWER), ("I", Zip::CURRENT), ("Z", Zip::IMPEDANCE), ("", Zip::POWER)];
const CLOSED: [(&str, bool); 3] = [("yes", true), ("", true), ("no", false)];

pub(super) fn read(
    folder: &Folder<'_>,
    bus: Source<'_>,
    places: &mut Places,
) -> Result<ThreePhase, IoError> {
    let mut feeder = ThreePhase::default();
    let mut table = Table::open(bus, BUS, 3)?;
    let file = places.file(bus.name);
    let mut lines = Vec::new();
    while table.next()? {
        feeder.buses.names.push(&table.name(0)?);
        feeder.buses.v_base.push(table.number(1)?);
        feeder.buses.phases.push(phases(&table, 2)?);
        places.push("bus", file, table.line);
        lines.push(table.line);
    }
    let buses = BusIndex::new(&feeder.buses.names, &table, &lines)?;
    read_sources(folder, &buses, &mut feeder, places)?;
    read_lines(folder, &buses, &mut feeder, places)?;
    read_transformers(folder, &buses, &mut feeder, places)?;
    read_loads(folder, &buses, &mut feeder, places)?;
    Ok(feeder)
}

/// A set of phases, in any order.
fn phases(table: &Table<'_>, column: usize) -> Result<Phases, IoError> {
    let text = table.text(column);
    let found = text.parse::<Phases>();
    found.map_err(|_| table.wrong("phases, such as `abc` or `b`", shown(&text)))
}

fn read_sources(
    folder: &Folder<'_>,
    buses: &BusIndex,
    feeder: &mut ThreePhase,
    places: &mut Places,
) -> Result<(), IoError> {
    let (name, bytes) = folder.need("source.csv")?;
    let mut table = Table::open(Source::new(&name, &bytes)?, SOURCE, 4)?;
    let file = places.file(&name);
    let all = &mut feeder.sources;
    let mut given: Vec<Phases> = Vec::new();
    while table.next()? {
        let (bus, phase) = (buses.find(&table, 0)?, phases(&table, 1)?);
        let v = Complex::new(table.number(2)?, table.number(3)?);
        let at = all.bus.iter().position(|&known| known == bus).unwrap_or_else(|| {
            all.bus.push(bus);
            all.v.push([Complex::default(); 3]);
            given.push(Phases::NONE);
            places.push("source", file, table.line);
            all.bus.len() - 1
        });
        let available = feeder.buses.phases.get(bus as usize);
        if phase.count() != 1 || given[at].contains(phase) || !available.contains(phase) {
            let expected = format!("one of the phases {available} of the bus, once");
            return Err(table.wrong(expected, shown(&table.text(1))));
        }
        given[at] = given[at].or(phase);
        all.v[at][phase.iter().next().unwrap_or(0)] = v;
    }
    Ok(())
}

fn read_lines(
    folder: &Folder<'_>,
    buses: &BusIndex,
    feeder: &mut ThreePhase,
    places: &mut Places,
) -> Result<(), IoError> {
    if let Some((name, bytes)) = folder.get("line.csv")? {
        let mut table = Table::open(Source::new(&name, &bytes)?, LINE, 16)?;
        let (file, mut ids) = (places.file(&name), Ids::default());
        let lines = &mut feeder.lines;
        while table.next()? {
            ids.push(&table, 0)?;
            lines.from.push(buses.find(&table, 1)?);
            lines.to.push(buses.find(&table, 2)?);
            lines.phases.push(phases(&table, 3)?);
            let (mut z, mut b) = ([Complex::default(); 6], [0.0; 6]);
            for k in 0..6 {
                z[k] = Complex::new(table.number_or(4 + k, 0.0)?, table.number_or(10 + k, 0.0)?);
                b[k] = table.number_or(16 + k, 0.0)?;
            }
            lines.z.push(z);
            lines.b.push(b);
            let length = if table.has(22) { 22 } else { 23 };
            lines.length.push(table.number_or(length, 0.0)?);
            lines.rated_a.push(table.limit(24)?);
            lines.ends.push(table.word(25, &ENDS)?);
            places.push("line", file, table.line);
        }
        lines.names = ids.names;
    }
    if let Some((name, bytes)) = folder.get("switch.csv")? {
        let mut table = Table::open(Source::new(&name, &bytes)?, SWITCH, 4)?;
        let (file, mut ids) = (places.file(&name), Ids::default());
        let switches = &mut feeder.switches;
        while table.next()? {
            ids.push(&table, 0)?;
            switches.from.push(buses.find(&table, 1)?);
            switches.to.push(buses.find(&table, 2)?);
            switches.phases.push(phases(&table, 3)?);
            switches.closed.push(table.word(4, &CLOSED)?);
            places.push("switch", file, table.line);
        }
        switches.names = ids.names;
    }
    Ok(())
}

fn read_transformers(
    folder: &Folder<'_>,
    buses: &BusIndex,
    feeder: &mut ThreePhase,
    places: &mut Places,
) -> Result<(), IoError> {
    let Some((name, bytes)) = folder.get("trafo.csv")? else { return Ok(()) };
    let mut table = Table::open(Source::new(&name, &bytes)?, TRAFO, 10)?;
    let (file, mut ids) = (places.file(&name), Ids::default());
    let all = &mut feeder.transformers;
    while table.next()? {
        ids.push(&table, 0)?;
        all.from.push(buses.find(&table, 1)?);
        all.to.push(buses.find(&table, 2)?);
        all.phases.push(phases(&table, 3)?);
        let text = table.text(4);
        let group = text.parse::<VectorGroup>();
        all.group.push(group.map_err(|_| {
            table.wrong("a connection, such as YNyn0, Dyn1, Dyn11 or Dd0", shown(&text))
        })?);
        all.rated_kva.push(table.number(5)?);
        all.kv.push([table.number(6)?, table.number(7)?]);
        all.z_part.push(Complex::new(table.number(8)? / 100.0, table.number(9)? / 100.0));
        let tap = |column| table.number_or(column, 1.0);
        all.tap.push([tap(10)?, tap(11)?, tap(12)?]);
        all.y.push(Complex::new(table.number_or(13, 0.0)?, table.number_or(14, 0.0)?));
        all.closed.push(table.word(15, &CLOSED)?);
        places.push("transformer", file, table.line);
    }
    all.names = ids.names;
    Ok(())
}

fn read_loads(
    folder: &Folder<'_>,
    buses: &BusIndex,
    feeder: &mut ThreePhase,
    places: &mut Places,
) -> Result<(), IoError> {
    if let Some((name, bytes)) = folder.get("load.csv")? {
        let mut table = Table::open(Source::new(&name, &bytes)?, LOAD, 7)?;
        let (file, mut ids) = (places.file(&name), Ids::default());
        let loads = &mut feeder.loads;
        let parts = (8..12).any(|column| table.has(column));
        while table.next()? {
            ids.push(&table, 0)?;
            loads.bus.push(buses.find(&table, 1)?);
            loads.connection.push(table.word(2, &CONNECTIONS)?);
            loads.phases.push(phases(&table, 3)?);
            loads.s_va.push(Complex::new(table.number(4)?, table.number(5)?) * 1e3);
            loads.v_nom.push(table.number(6)?);
            let model = table.word(7, &MODELS)?;
            loads.zip.push(match parts && table.text(7).is_empty() {
                false => model,
                true => shares(&table, 8)?,
            });
            places.push("load", file, table.line);
        }
        loads.names = ids.names;
    }
    if let Some((name, bytes)) = folder.get("capacitor.csv")? {
        let mut table = Table::open(Source::new(&name, &bytes)?, CAPACITOR, 6)?;
        let (file, mut ids) = (places.file(&name), Ids::default());
        let banks = &mut feeder.capacitors;
        while table.next()? {
            ids.push(&table, 0)?;
            banks.bus.push(buses.find(&table, 1)?);
            banks.connection.push(table.word(2, &CONNECTIONS)?);
            banks.phases.push(phases(&table, 3)?);
            banks.var.push(table.number(4)? * 1e3);
            banks.v_nom.push(table.number(5)?);
            places.push("capacitor", file, table.line);
        }
        banks.names = ids.names;
    }
    Ok(())
}
