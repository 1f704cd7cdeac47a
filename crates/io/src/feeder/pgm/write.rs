//! Writes a balanced feeder as input data of power-grid-model.

use super::VERSION;
use crate::write::invalid;
use palmette_core::feeder::{Balanced, BranchKind, Complex, Feeder, Zip};
use std::io::{self, Write};

/// The short-circuit power of a source that is ideal.
const IDEAL: f64 = 1e20;

/// Writes a balanced feeder as input data of power-grid-model. Its numbers for nodes are those of
/// buses in their order, from 0; other components follow.
///
/// # Errors
/// When writing fails, or the feeder has what the format does not: three unequal phases,
/// generators that hold a voltage.
pub fn write_pgm(feeder: &Feeder, out: &mut dyn Write) -> io::Result<()> {
    let Feeder::Balanced(feeder) = feeder else {
        return Err(invalid("power-grid-model's data are written for balanced feeders only"));
    };
    if !feeder.generators.bus.is_empty() {
        return Err(invalid("power-grid-model's data have no generators that hold a voltage"));
    }
    let mut next = feeder.buses.names.len();
    let mut id = || {
        next += 1;
        next - 1
    };
    write!(out, "{{\"version\": \"{VERSION}\", \"type\": \"input\", \"is_batch\": false, ")?;
    write!(out, "\"attributes\": {{}}, \"data\": {{")?;
    component(
        out,
        "node",
        true,
        (0..feeder.buses.names.len()).map(|bus| {
            format!("\"id\": {bus}, \"u_rated\": {:?}", feeder.buses.vn_kv.get(bus) * 1e3)
        }),
    )?;
    let branches = &feeder.branches;
    let is_link =
        |k: &usize| branches.kind.get(*k) == BranchKind::Switch && branches.z[*k].norm() == 0.0;
    let head = |id: usize, k: usize| {
        let ends = branches.ends.get(k);
        format!(
            "\"id\": {id}, \"from_node\": {}, \"to_node\": {}, \"from_status\": {}, \
            \"to_status\": {}",
            branches.from[k],
            branches.to[k],
            u8::from(ends.from),
            u8::from(ends.to)
        )
    };
    let ids: Vec<usize> = (0..branches.len()).map(|_| id()).collect();
    component(out, "link", false, (0..branches.len()).filter(is_link).map(|k| head(ids[k], k)))?;
    let others = (0..branches.len()).filter(|k| !is_link(k));
    component(out, "generic_branch", false, others.map(|k| branch(feeder, &head(ids[k], k), k)))?;
    let loads = &feeder.loads;
    let mut rows = Vec::new();
    for (k, &s) in loads.s_mva.iter().enumerate() {
        // Each part of a load that depends on the voltage in its own way is a load here.
        for (kind, part) in [0, 2, 1].into_iter().zip(loads.zip.get(k).split(s)) {
            if part != Complex::default() || (kind == 0 && loads.zip.get(k) == Zip::POWER) {
                rows.push(format!(
                    "\"id\": {}, \"node\": {}, \"status\": 1, \"type\": {kind}, \
                    \"p_specified\": {:?}, \"q_specified\": {:?}",
                    id(),
                    loads.bus[k],
                    part.re * 1e6,
                    part.im * 1e6
                ));
            }
        }
    }
    component(out, "sym_load", false, rows.into_iter())?;
    let shunts = &feeder.shunts;
    component(out, "shunt", false, (0..shunts.bus.len()).map(|k| {
        let y = shunts.y[k] / feeder.base_ohm(shunts.bus[k] as usize);
        format!(
            "\"id\": {}, \"node\": {}, \"status\": 1, \"g1\": {:?}, \"b1\": {:?}, \"g0\": {:?}, \
            \"b0\": {:?}",
            id(), shunts.bus[k], y.re, y.im, y.re, y.im
        )
    }))?;
    let sources = &feeder.sources;
    component(
        out,
        "source",
        false,
        (0..sources.bus.len()).map(|k| {
            let v = sources.v[k];
            format!(
                "\"id\": {}, \"node\": {}, \"status\": 1, \"u_ref\": {:?}, \"u_ref_angle\": {:?}, \
            \"sk\": {IDEAL:?}",
                id(),
                sources.bus[k],
                v.norm(),
                v.arg()
            )
        }),
    )?;
    out.write_all(b"\n}}\n")
}

fn branch(feeder: &Balanced, head: &str, k: usize) -> String {
    let all = &feeder.branches;
    let base = feeder.base_ohm(all.to[k] as usize);
    let (z, y, ratio) = (all.z[k] * base, all.y.get(k) / base, all.ratio.get(k));
    let kv = feeder.buses.vn_kv.get(all.from[k] as usize);
    let limit = all.rated_a.get(k)[0] * 3f64.sqrt() * kv * 1e3;
    let rating = if limit.is_finite() { format!(", \"sn\": {limit:?}") } else { String::new() };
    format!(
        "{head}, \"r1\": {:?}, \"x1\": {:?}, \"g1\": {:?}, \"b1\": {:?}, \"k\": {:?}, \"theta\": \
        {:?}{rating}",
        z.re,
        z.im,
        y.re,
        y.im,
        ratio.norm(),
        ratio.arg()
    )
}

fn component(
    out: &mut dyn Write,
    name: &str,
    first: bool,
    rows: impl Iterator<Item = String>,
) -> io::Result<()> {
    let gap = if first { "" } else { "," };
    write!(out, "{gap}\n  \"{name}\": [")?;
    for (k, row) in rows.enumerate() {
        write!(out, "{}\n    {{{row}}}", if k > 0 { "," } else { "" })?;
    }
    out.write_all(b"]")
}
