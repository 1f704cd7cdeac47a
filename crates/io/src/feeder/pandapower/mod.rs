//! Networks of pandapower, as `pandapower.to_json` writes them.
//!
//! Buses, lines, transformers of two windings, switches, loads with parts of constant current and
//! impedance, static generators, storages, shunts, generators and external grids; any other element
//! that has rows is an error that names it. Transformers have their magnetising admittance in the
//! middle, as is pandapower's default. Names of buses are their indices. What is out of service is
//! left out; a line with one open switch, or one end out of service, stays under voltage.

mod elements;
mod frame;

use super::json::{self, Json, Value};
use super::limits::ReactiveLimits;
use super::places::Places;
use super::{FeederFile, FeederFormat, FeederParams};
use crate::IoError;
use crate::quote::shown;
use crate::source::Source;
use elements::Builder;
use frame::Frame;
use palmette_core::feeder::{Balanced, Feeder};

/// Elements that change a power flow and are not read.
const REFUSED: [&str; 19] = [
    "asymmetric_load",
    "asymmetric_sgen",
    "b2b_vsc",
    "bi_vsc",
    "bus_dc",
    "dcline",
    "impedance",
    "line_dc",
    "load_dc",
    "motor",
    "source_dc",
    "ssc",
    "svc",
    "tcsc",
    "trafo3w",
    "vsc",
    "vsc_bipolar",
    "ward",
    "xward",
];

pub(crate) fn read(source: &Source<'_>, params: &FeederParams) -> Result<FeederFile, IoError> {
    let file = source.name;
    let root = json::parse(file, source.text, 1, false)?;
    let class = root.get("_class").map(|class| class.text(file, "a class")).transpose()?;
    if class != Some("pandapowerNet") {
        let found = class.map_or("none".to_string(), shown);
        return Err(IoError::on_line(file, root.line, "`_class` pandapowerNet", found));
    }
    let net = root.get("_object").ok_or_else(|| root.wrong(file, "`_object`"))?;
    let net_text;
    let net = match &net.value {
        // Some versions have the whole network in one string.
        Value::Text(text) => {
            net_text = json::parse(file, text, net.line, true)?;
            &net_text
        }
        _ => net,
    };
    let members = net.object(file, "a network")?;
    for (name, member) in members {
        if REFUSED.contains(&&**name)
            && let Some(frame) = Frame::open(file, name, member)?
            && frame.len() > 0
        {
            let expected = "a network of buses, lines, transformers of two windings, switches, \
                loads, static generators, storages, shunts, generators and external grids";
            let found = format!("{} rows of `{name}`", frame.len());
            return Err(IoError::on_line(file, frame.line, expected, found));
        }
    }
    let number = |name: &str, otherwise: f64| match net.get(name).map(|one| &one.value) {
        None => Ok(otherwise),
        Some(Value::Number(x)) if *x > 0.0 => Ok(*x),
        Some(_) => Err(net.wrong(file, format!("a positive number: `{name}`"))),
    };
    let table = |name: &'static str| -> Result<Option<Frame<'_>>, IoError> {
        net.get(name).map_or(Ok(None), |member: &Json<'_>| Frame::open(file, name, member))
    };
    let Some(bus) = table("bus")? else {
        return Err(net.wrong(file, "a table `bus`"));
    };
    let mut builder = Builder {
        feeder: Balanced::new(number("sn_mva", 1.0)?),
        places: Places::default(),
        file: 0,
        buses: Default::default(),
        notes: Vec::new(),
        frequency: number("f_hz", 50.0)?,
        limits: ReactiveLimits::new(params),
    };
    builder.file = builder.places.file(file);
    builder.buses(&bus)?;
    let switches = table("switch")?;
    let open = builder.switches(switches.as_ref())?;
    if let Some(frame) = table("line")? {
        builder.lines(&frame, &open)?;
    }
    if let Some(frame) = table("trafo")? {
        builder.transformers(&frame, &open)?;
    }
    for (name, sign) in [("load", 1.0), ("sgen", -1.0), ("storage", 1.0)] {
        if let Some(frame) = table(name)? {
            builder.loads(&frame, name, sign)?;
        }
    }
    if let Some(frame) = table("shunt")? {
        builder.shunts(&frame)?;
    }
    if let Some(frame) = table("ext_grid")? {
        builder.grids(&frame)?;
    }
    if let Some(frame) = table("gen")? {
        builder.generators(&frame)?;
    }
    if let Some(frame) = table("controller")?
        && frame.len() > 0
    {
        builder.notes.push(format!("{} controllers are not run", frame.len()));
    }
    let feeder = Feeder::Balanced(Box::new(builder.feeder));
    FeederFile::checked(file, FeederFormat::Pandapower, feeder, builder.places, builder.notes)
}
