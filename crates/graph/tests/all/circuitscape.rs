//! Circuitscape's own baselines: resistances, currents and voltages to 1e-6.

use palmette_core::Graph;
use palmette_core::graph::raster::{CellValues, Neighbours, RasterParams};
use palmette_graph::focal::{
    FocalCurrents, FocalMode, FocalParams, focal_currents, focal_resistances,
};
use palmette_graph::solve::SolveParams;
use palmette_io::{
    FocalFile, GraphFile, GraphReadParams, read_focal_bytes, read_graph, read_raster_bytes,
};
use std::path::PathBuf;

fn folder() -> Option<PathBuf> {
    let folder =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/graph2/circuitscape");
    if !folder.exists() {
        eprintln!("skipped: {} is missing", folder.display());
    }
    folder.exists().then_some(folder)
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(folder().unwrap().join(name)).unwrap()
}

fn landscape(map: &str, points: &str, raster: RasterParams) -> (GraphFile, FocalFile) {
    let params = GraphReadParams { raster, ..Default::default() };
    let file = read_graph(folder().unwrap().join(map), &params).unwrap();
    let land = file.landscape.as_ref().unwrap();
    // All three have points on cells without data.
    let focal = read_focal_bytes(points, &bytes(points), land, true).unwrap();
    (file, focal)
}

/// Rows of numbers.
fn rows(name: &str) -> Vec<Vec<f64>> {
    let text = String::from_utf8(bytes(name)).unwrap();
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| line.split_whitespace().map(|x| x.parse().unwrap()).collect()).collect()
}

fn params(mode: FocalMode, only: Option<Vec<u32>>) -> FocalParams {
    let solve = SolveParams { tolerance: 1e-10, ..Default::default() };
    FocalParams { mode, only, solve, ..Default::default() }
}

fn close(found: f64, expected: f64, what: &str) {
    within(found, expected, what, 1e-6);
}

fn within(found: f64, expected: f64, what: &str, bound: f64) {
    let bound = bound * expected.abs().max(1.0);
    assert!((found - expected).abs() <= bound, "{what}: {found} instead of {expected}");
}

/// Compares a map with a baseline where the landscape has data.
fn same_map(file: &GraphFile, values: &[f64], name: &str) {
    same_sum(file, values, name, 1e-6);
}

/// The same for a sum of maps. Cells in a row, which have the same current, differ by 2e-7 in the
/// baseline of one pair; in sums of 15 and 10 pairs that adds up.
fn same_sum(file: &GraphFile, values: &[f64], name: &str, bound: f64) {
    let land = file.landscape.as_ref().unwrap();
    let expected = read_raster_bytes(name, &bytes(name)).unwrap();
    for (&cell, &value) in land.cells.iter().zip(values) {
        // Cells that no current can reach have no potential.
        let value = if value.is_nan() { 0.0 } else { value };
        within(value, expected.values[cell as usize], &format!("{name}, cell {cell}"), bound);
    }
}

/// Compares all pairs with a square table; −1 is no path.
fn same_table(graph: &Graph, numbers: &[u32], regions: &[Vec<u32>], name: &str, listed: bool) {
    let table = rows(name);
    let (pairs, found) =
        focal_resistances(graph, regions, &params(FocalMode::Pairwise, None)).unwrap();
    let place = |region: u32| {
        let number = f64::from(numbers[region as usize]);
        table[0][1..].iter().position(|x| *x == number)
    };
    let mut compared = 0;
    for (&(a, b), &r) in pairs.iter().zip(&found) {
        let (Some(i), Some(j)) = (place(a), place(b)) else { panic!("{name} lacks a point") };
        match table[i + 1][j + 1] {
            // Pairs that were not asked for look the same as those without a path.
            expected if expected < 0.0 => assert!(listed || r.is_infinite(), "{name}: {r}"),
            expected => {
                close(r, expected, name);
                compared += 1;
            }
        }
    }
    assert!(compared >= 10, "{name}: {compared}");
}

fn place(focal: &FocalFile, number: u32) -> u32 {
    focal.numbers.iter().position(|&n| n == number).unwrap() as u32
}

fn currents(file: &GraphFile, focal: &FocalFile, params: &FocalParams) -> FocalCurrents {
    focal_currents(&file.graph, &focal.vertices, params).unwrap()
}

const FOUR: RasterParams =
    RasterParams { neighbours: Neighbours::Four, cells: CellValues::Resistance, mean: None };

#[test]
fn pairwise_with_four_neighbours() {
    let Some(_) = folder() else { return };
    let (file, focal) = landscape("sgVerify4_cellmap.asc", "sgVerify4_points.asc", FOUR);
    same_table(&file.graph, &focal.numbers, &focal.vertices, "sgVerify4_resistances.out", false);
    let all = currents(&file, &focal, &params(FocalMode::Pairwise, None));
    same_sum(&file, &all.currents, "sgVerify4_cum_curmap.asc", 2e-6);
    let only = Some(vec![place(&focal, 1), place(&focal, 2)]);
    let one = currents(&file, &focal, &params(FocalMode::Pairwise, only));
    same_map(&file, &one.currents, "sgVerify4_curmap_1_2.asc");
    same_map(&file, &one.potentials.unwrap(), "sgVerify4_voltmap_1_2.asc");
}

#[test]
fn regions_with_eight_neighbours() {
    let Some(_) = folder() else { return };
    let (cells, mean) = (CellValues::Conductance, Some(CellValues::Resistance));
    let raster = RasterParams { cells, mean, ..Default::default() };
    let (file, focal) = landscape("sgVerify10_cellmap.asc", "sgVerify10_points.asc", raster);
    same_table(&file.graph, &focal.numbers, &focal.vertices, "sgVerify10_resistances.out", false);
    let all = currents(&file, &focal, &params(FocalMode::Pairwise, None));
    same_sum(&file, &all.currents, "sgVerify10_cum_curmap.asc", 2e-6);
    let only = Some(vec![place(&focal, 1), place(&focal, 2)]);
    let one = currents(&file, &focal, &params(FocalMode::Pairwise, only));
    same_map(&file, &one.currents, "sgVerify10_curmap_1_2.asc");
}

#[test]
fn sites_by_their_coordinates() {
    let Some(_) = folder() else { return };
    let (file, focal) =
        landscape("sgVerify17_raster.asc", "sgVerify17_sites.txt", RasterParams::default());
    same_table(&file.graph, &focal.numbers, &focal.vertices, "sgVerify17_resistances.out", true);
}

#[test]
fn one_to_all() {
    let Some(_) = folder() else { return };
    let (file, focal) = landscape("sgVerify4_cellmap.asc", "sgVerify4_points.asc", FOUR);
    let all = currents(&file, &focal, &params(FocalMode::OneToAll, None));
    let found = all.resistances.unwrap();
    for row in rows("oneToAllVerify4_resistances.out") {
        let r = found[place(&focal, row[0] as u32) as usize];
        match row[1] {
            expected if expected < 0.0 => assert!(r.is_infinite(), "{row:?}: {r}"),
            expected => close(r, expected, "one to all"),
        }
    }
    let only = Some(vec![place(&focal, 1)]);
    let one = currents(&file, &focal, &params(FocalMode::OneToAll, only));
    same_map(&file, &one.currents, "oneToAllVerify4_curmap_1.asc");
}

#[test]
fn a_network() {
    let Some(_) = folder() else { return };
    let edges: Vec<(u32, u32, f64)> = rows("sgNetworkVerify3_graph_resistances.txt")
        .iter()
        .map(|row| (row[0] as u32, row[1] as u32, 1.0 / row[2]))
        .collect();
    let graph = Graph::from_edges(14, &edges).unwrap();
    let numbers: Vec<u32> =
        rows("sgNetworkVerify3_focal_nodes.txt").iter().map(|row| row[0] as u32).collect();
    let regions: Vec<Vec<u32>> = numbers.iter().map(|&v| vec![v]).collect();
    same_table(&graph, &numbers, &regions, "sgNetworkVerify3_resistances.out", false);
    let all = focal_currents(&graph, &regions, &params(FocalMode::Pairwise, None)).unwrap();
    for row in rows("sgNetworkVerify3_node_currents_cum.txt") {
        close(all.currents[row[0] as usize], row[1], "a node");
    }
    // Branches from the potentials of each pair.
    let mut branches = vec![0.0; graph.edge_count()];
    for a in 0..regions.len() as u32 {
        for b in a + 1..regions.len() as u32 {
            let one = params(FocalMode::Pairwise, Some(vec![a, b]));
            let x = focal_currents(&graph, &regions, &one).unwrap().potentials.unwrap();
            for ((u, v, w), sum) in graph.edges().zip(&mut branches) {
                let flow = w * (x[u as usize] - x[v as usize]).abs();
                *sum += if flow.is_nan() { 0.0 } else { flow };
            }
        }
    }
    for row in rows("sgNetworkVerify3_branch_currents_cum.txt") {
        let (a, b) = (row[0] as u32, row[1] as u32);
        let branch = graph.edges().position(|(u, v, _)| (u.min(v), u.max(v)) == (a, b));
        close(branches[branch.unwrap()], row[2], "a branch");
    }
}
