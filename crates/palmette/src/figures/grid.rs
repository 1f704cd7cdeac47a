//! Figures of chips' grids: netlists, drops, scenarios.

use super::*;
use crate::power::{GridDrop, GridTransient, PowerGrid};
use palmette_core::circuit::ElementKind;
use palmette_core::{NONE, Record};
use palmette_io::{NetlistElements, NetlistFile, NumberTable};
use palmette_power::drop::Scenarios;
use std::collections::BTreeMap;

/// What a netlist holds.
impl Figures for NetlistFile {
    fn figures(&self, record: &mut Record) {
        let counts = NetlistElements::of(&self.circuit);
        record.figure("nodes", self.nodes.len()).figure("elements", self.elements.len());
        figures!(record, counts => resistors, capacitors, inductors, voltage_sources,
            current_sources, shorts);
        record.figure("waveforms", self.circuit.waves.len());
        if let Some(card) = self.transient {
            record.figure("transient", json!({ "step": card.step, "stop": card.stop }));
        }
    }
}

/// A grid: its size and nets.
impl Figures for PowerGrid {
    fn figures(&self, record: &mut Record) {
        record
            .figure("nodes", self.file.nodes.len())
            .figure("vertices", self.point.graph.len())
            .figure("edges", self.point.graph.edge_count())
            .figure("nets", self.nets.nets.len());
    }
}

/// A row about a net, or a layer of it.
#[derive(Debug, Clone, PartialEq)]
pub struct NetRow {
    /// The number of the net, from 1.
    pub net: u32,
    /// Its layer, where one is known.
    pub layer: Option<u32>,
    /// What its pads hold.
    pub nominal: f64,
    /// How many nodes it has.
    pub nodes: usize,
    /// The largest drop, and its node.
    pub worst_drop: f64,
    /// The node with it.
    pub node: u32,
}

/// Drops by net and layer.
pub fn net_rows(grid: &PowerGrid, drops: &[f64]) -> Vec<NetRow> {
    let mut rows = BTreeMap::<(u32, u32), NetRow>::new();
    for (node, &drop) in drops.iter().enumerate() {
        let (net, layer) = (grid.nets.of[node], grid.plane.layers[node]);
        if net == NONE {
            continue;
        }
        let row = rows.entry((net, layer)).or_insert_with(|| NetRow {
            net: net + 1,
            layer: (layer != NONE).then_some(layer),
            nominal: grid.nets.nets[net as usize].nominal,
            nodes: 0,
            worst_drop: f64::NEG_INFINITY,
            node: node as u32,
        });
        row.nodes += 1;
        if drop > row.worst_drop {
            (row.worst_drop, row.node) = (drop, node as u32);
        }
    }
    rows.into_values().collect()
}

/// Rows of nets and layers that a record keeps; tables have all.
const MOST_ROWS: usize = 32;

/// The operating point of a grid.
#[derive(Debug)]
pub struct DropFigures<'a> {
    /// The grid.
    pub grid: &'a PowerGrid,
    /// What was found.
    pub found: &'a GridDrop,
}

impl Figures for DropFigures<'_> {
    fn figures(&self, record: &mut Record) {
        let DropFigures { grid, found } = self;
        let (file, drop) = (&grid.file, &found.drop);
        let worst = drop.worst.map_or(0.0, |node| drop.drops[node as usize]);
        record.figure("worst_drop", worst);
        if let Some(node) = drop.worst {
            record
                .figure("worst_node", file.nodes.get(node).into_owned())
                .figure("worst_net", grid.nets.of[node as usize] + 1);
        }
        // Of nets: ground's is always 0.
        let nets = || drop.voltages.iter().zip(&grid.nets.of).filter(|(_, net)| **net != NONE);
        let low = nets().fold(f64::INFINITY, |a, (b, _)| a.min(*b));
        let high = nets().fold(f64::NEG_INFINITY, |a, (b, _)| a.max(*b));
        record.figure("min_voltage", low).figure("max_voltage", high);
        figures!(record, drop => supplied, losses, load);
        let pads = found.circuit.count(ElementKind::Voltage);
        record.figure("voltage_sources", pads);
        let kinds = [("max_source", ElementKind::Voltage), ("max_resistor", ElementKind::Resistor)];
        for (key, kind) in kinds {
            if let Some((element, current)) = drop.busiest(&found.circuit, kind) {
                record.figure(&format!("{key}_current"), current.abs());
                record.figure(key, element_name(grid, element));
            }
        }
        if drop.elements.undetermined > 0 {
            record.figure("undetermined", drop.elements.undetermined);
        }
        if let Some(over) = &found.over {
            record.figure("over_limit", over.len());
        }
        if let Some((before, rank)) = found.before {
            record.figure("worst_drop_before", before).figure("updates", rank);
        }
        let rows = net_rows(grid, &drop.drops);
        let named = |row: &NetRow| {
            json!({
                "net": row.net,
                "layer": row.layer,
                "nominal": row.nominal,
                "nodes": row.nodes,
                "worst_drop": row.worst_drop,
                "node": file.nodes.get(row.node),
            })
        };
        record.figure("by_net", rows.iter().take(MOST_ROWS).map(named).collect::<Vec<Value>>());
        record.figure("preconditioner", found.setup.preconditioner.name());
        record.figure("iterations", found.solution.iterations);
        record.figure("residual", found.solution.residual);
    }

    fn lists(&self) -> &'static [&'static str] {
        &["by_net"]
    }
}

/// What an element is called; those that changes added have numbers.
pub fn element_name(grid: &PowerGrid, element: u32) -> String {
    let known = grid.file.elements.len() as u32;
    match element < known {
        true => grid.file.elements.get(element).into_owned(),
        false => format!("added_{}", element - known + 1),
    }
}

/// Many loads on a grid.
#[derive(Debug)]
pub struct ScenarioFigures<'a> {
    /// The grid.
    pub grid: &'a PowerGrid,
    /// The cases.
    pub table: &'a NumberTable,
    /// What was found.
    pub found: &'a Scenarios,
}

impl Figures for ScenarioFigures<'_> {
    fn figures(&self, record: &mut Record) {
        let ScenarioFigures { grid, table, found } = self;
        record.figure("scenarios", found.by_case.len());
        let cases = found.by_case.iter().enumerate();
        let worst = cases.max_by(|a, b| a.1.1.total_cmp(&b.1.1).then(b.0.cmp(&a.0)));
        if let Some((case, &(node, drop))) = worst {
            record
                .figure("scenario_worst_drop", drop)
                .figure("scenario_worst_node", grid.file.nodes.get(node).into_owned())
                .figure("worst_scenario", table.names.get(case as u32).into_owned());
        }
        let most = found.supplied.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
        record.figure("scenario_max_supplied", most);
    }
}

/// A transient of a grid.
#[derive(Debug)]
pub struct TransientFigures<'a> {
    /// The grid.
    pub grid: &'a PowerGrid,
    /// What was found.
    pub found: &'a GridTransient,
}

impl Figures for TransientFigures<'_> {
    fn figures(&self, record: &mut Record) {
        let run = &self.found.run;
        if let Some((node, drop, time)) = run.worst {
            record
                .figure("worst_drop", drop)
                .figure("worst_node", self.grid.file.nodes.get(node).into_owned())
                .figure("worst_time", time);
        }
        let first = run.first_drops.iter().fold(0f64, |a, b| a.max(*b));
        record.figure("first_drop", first);
        record.figure("unknowns", run.vertices).figure("points", run.times.len());
        record.figure("probes", self.found.names.len());
        figures!(record, run => steps, rejected, factors, factor_entries);
        record.figure("preconditioner", run.preconditioner.name());
        figures!(record, run => iterations, residual);
    }
}
