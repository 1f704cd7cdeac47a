//! Writes a balanced feeder as input data of power-grid-model.

use super::{NAME, VERSION};
use crate::write::invalid;
use palmette_core::Texts;
use palmette_core::feeder::{Balanced, BranchKind, Complex, Feeder, Zip};
use std::collections::HashSet;
use std::io::{self, Write};

/// The short-circuit power of a source that is ideal.
const IDEAL: f64 = 1e20;

/// The numbers of nodes: the names of buses where all of them are such numbers, or else nothing.
fn kept_numbers(names: &Texts) -> Option<Vec<usize>> {
    // Numbers of all components are of 32 bits with a sign; others follow those of nodes.
    let most = i32::MAX as usize / 2;
    let number = |bus: usize| {
        let name = names.get(bus);
        name.parse().ok().filter(|number: &usize| *number <= most && number.to_string() == name)
    };
    let numbers: Vec<usize> = (0..names.len()).map(number).collect::<Option<_>>()?;
    let different: HashSet<usize> = numbers.iter().copied().collect();
    (different.len() == numbers.len()).then_some(numbers)
}

/// What a user should know of the numbers that [`write_pgm`] gives to nodes.
pub fn pgm_note(feeder: &Feeder) -> Option<String> {
    let note = format!(
        "power-grid-model has numbers, not names: node k is bus k of the input, from 0, and its \
        name is in `extra.{NAME}`"
    );
    kept_numbers(feeder.bus_names()).is_none().then_some(note)
}

/// A text of JSON.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            _ if letter.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(letter))),
            _ => out.push(letter),
        }
    }
    out.push('"');
    out
}

/// Writes a balanced feeder as input data of power-grid-model. Where all buses are called by
/// different whole numbers from 0, these are the numbers of nodes; otherwise nodes are numbered in
/// the order of buses, from 0, and have the names in `extra`. Other components follow.
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
    let kept = kept_numbers(&feeder.buses.names);
    let node = |bus: u32| kept.as_ref().map_or(bus as usize, |numbers| numbers[bus as usize]);
    let last = kept.as_ref().and_then(|numbers| numbers.iter().max().copied());
    let mut next = last.map_or(feeder.buses.names.len(), |last| last + 1);
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
            let extra = match &kept {
                Some(_) => String::new(),
                None => {
                    let name = quoted(feeder.buses.names.get(bus));
                    format!(", \"extra\": {{\"{NAME}\": {name}}}")
                }
            };
            let volt = feeder.buses.vn_kv.get(bus) * 1e3;
            format!("\"id\": {}, \"u_rated\": {volt:?}{extra}", node(bus as u32))
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
            node(branches.from[k]),
            node(branches.to[k]),
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
                    node(loads.bus[k]),
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
            id(), node(shunts.bus[k]), y.re, y.im, y.re, y.im
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
                node(sources.bus[k]),
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
