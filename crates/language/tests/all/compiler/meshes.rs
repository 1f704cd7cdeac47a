//! Generated C on meshes with finite elements, against the engine that runs programs directly.

use super::compiled::{build, has_mpi, log, run};
use super::example;
use palmette_core::Mesh;
use palmette_language::Program;
use palmette_language::c::{RankData, exchanged, rank_data};
use palmette_language::run::{Collected, Outcome, conditions, piece_data, prepare};
use palmette_mesh::PartitionParams;
use palmette_mesh::partition::element_partition;
use palmette_mesh::placement::{Method, SearchParams, Subject, place};
use palmette_mesh::routing::{self, RouteParams, messages, route_in_phases};
use palmette_mesh::shapes::generate;
use palmette_mesh::spmv::{Piece, World, pieces};
use std::fs;

fn cut(mesh: &Mesh, parts: u32) -> Vec<Piece> {
    let params = PartitionParams { parts, ..PartitionParams::default() };
    let part = element_partition(mesh, None, &params).unwrap().part;
    pieces(mesh, &part, parts as usize).unwrap()
}

fn direct(program: &Program, mesh: &Mesh, pieces: Vec<Piece>) -> (Collected, Outcome) {
    let world = World::alone(pieces, usize::from(program.problem.components)).unwrap();
    let mut collected = Collected::default();
    let outcome = prepare(program, mesh, world).unwrap().run(&mut collected).unwrap();
    (collected, outcome)
}

/// Data of all ranks, whose exchanges go in the phases of routes on a torus with few channels.
fn ranks(program: &Program, mesh: &Mesh, pieces: &[Piece]) -> (Vec<RankData>, usize) {
    let quotient = exchanged(pieces);
    let machine = format!("torus:1x{}", pieces.len()).parse().unwrap();
    let subject =
        Subject { quotient: &quotient, machine: &machine, cut_tree: None, centroids: None };
    let placement = place(Method::Search, &subject, &SearchParams::default()).unwrap();
    let sent = messages(&quotient, &placement);
    let params = RouteParams::default();
    let phases = route_in_phases(routing::Method::Shortest, &machine, &sent, 4, &params).unwrap();
    let phase = |from: u32, to: u32| {
        let place = quotient.messages().position(|(a, b, _)| (a, b) == (from, to)).unwrap();
        phases.phase[place]
    };
    let conditions = conditions(program, mesh).unwrap();
    let data = |piece: &Piece| {
        let data = piece_data(program, mesh, &conditions, piece).unwrap();
        rank_data(piece, data, phase)
    };
    (pieces.iter().map(data).collect(), phases.count)
}

fn same_as_direct(name: &str, program: &Program, mesh: &Mesh, parts: &[u32]) {
    let mut most = 0;
    for &parts in parts {
        let pieces = cut(mesh, parts);
        let (ranks, phases) = ranks(program, mesh, &pieces);
        most = most.max(phases);
        let (expected, outcome) = direct(program, mesh, pieces);
        let name = format!("{name}-{parts}");
        let folder = build(&name, program, &ranks, mesh.points().len());
        let output = run(&folder, parts as usize, &[]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let log = log(&output);
        let value = |name: &str| log.iter().find(|entry| entry.0 == name).unwrap().1.clone();
        assert_eq!(value("messages"), outcome.traffic.messages.to_string(), "{name}");
        assert_eq!(value("words"), outcome.traffic.words.to_string(), "{name}");
        for (label, number) in &expected.printed {
            let found = log.iter().filter(|entry| entry.0 == *label);
            let same = |text: &str| text.parse::<f64>().unwrap().to_bits() == number.to_bits();
            assert!(found.clone().any(|entry| same(&entry.1)), "{name}: {label} is {number:e}");
        }
        for (file, number, values) in &expected.outputs {
            let file = number.map_or(file.clone(), |number| format!("{file}-{number:06}"));
            let text = fs::read_to_string(folder.join(format!("{file}.csv"))).unwrap();
            let cells = text.lines().skip(1).flat_map(|line| line.split(',').skip(1));
            let found: Vec<f64> = cells.map(|cell| cell.parse().unwrap()).collect();
            assert_eq!(found.len(), values.len(), "{name}: {file}");
            let same = found.iter().zip(values).all(|(a, b)| a.to_bits() == b.to_bits());
            assert!(same, "{name}: {file} differs");
        }
    }
    assert!(most > 1, "{name}: phases are not tried");
}

#[test]
fn the_cracked_plate_gives_the_same_bits() {
    if has_mpi() {
        let mesh = generate("crack-plate:1200".parse().unwrap(), 1).unwrap();
        same_as_direct("plate", &example("jacobi_cg.pal", &[]), &mesh, &[1, 2, 3, 4, 8]);
    }
}

#[test]
fn a_solid_gives_the_same_bits() {
    if has_mpi() {
        let mesh = generate("tetrahedra:6x5x4".parse().unwrap(), 1).unwrap();
        let program = example("wave.pal", &[("steps", 60.0), ("dt", 0.01)]);
        same_as_direct("solid", &program, &mesh, &[1, 2, 3, 4, 8]);
    }
}
