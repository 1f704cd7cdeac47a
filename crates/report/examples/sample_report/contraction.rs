//! A tree on a grid that contracts, with its messages.

use crate::Outcome;
use palmette_core::generate::{Shape, generate};
use palmette_core::{NONE, Picture, Record, Tree};
use palmette_report::RunPicture;
use palmette_report::view::{Contraction, MessageKind, RoundsView, Unit, View};
use serde_json::json;

/// Contracts a random tree of `n` vertices: in a round all leaves rake, then every second vertex
/// of a chain compresses; afterwards the rounds are undone.
pub(crate) fn record(n: usize) -> Outcome<Record> {
    let tree = Tree::from_parents(&generate(Shape::Random, n, 7)?)?;
    let columns = (n as f64).sqrt().ceil() as u32;
    let rows = (n as u32).div_ceil(columns);
    // Rows there and back, so that neighbours in preorder are neighbours on the grid.
    let place = |i: u32| {
        let (row, column) = (i / columns, i % columns);
        (if row % 2 == 0 { column } else { columns - 1 - column }, row)
    };
    let (x, y): (Vec<u32>, Vec<u32>) = (0..n as u32).map(place).unzip();
    let mut view = RoundsView::new([columns, rows], Unit::Round, &x, &y, tree.parents())?;
    let rounds = contract(&tree, &mut view)?;
    let mut record = Record::new("spatial treefix", "random, 1,024 vertices");
    record.command_line = "palmette spatial treefix tree.csv --op sum --svg rounds.svg".into();
    record.parameter("op", "sum").parameter("curve", "boustrophedon").parameter("seed", 7);
    record.figure("vertices", n).figure("messages", view.message_count());
    record
        .figure("rounds", rounds.len())
        .figure("energy_per_vertex", 4.1875)
        .figure("correct", true);
    record.figure("phases", json!([{"name": "contract", "energy": 4012, "depth": 31}, {"name": "undo", "energy": 3877, "depth": 30}]));
    for (phase, seconds) in [("build", 0.0004), ("contract", 0.0123), ("undo", 0.0101)] {
        record.seconds.insert(phase.into(), seconds.into());
    }
    let svg = RunPicture {
        title: "Treefix on the grid",
        subtitle: "a sample",
        loads: None,
        rounds: &rounds,
    }
    .to_svg();
    let title = "Rounds of contraction".to_string();
    let view = Some(View::from(view).to_value());
    record.pictures.push(Picture { name: "rounds".into(), title, svg, view });
    Ok(record)
}

fn contract(tree: &Tree, view: &mut RoundsView) -> Outcome<Vec<u64>> {
    let n = tree.len();
    let mut parent = tree.parents().to_vec();
    let mut there = vec![true; n];
    let mut rounds = Vec::new();
    let mut undo = Vec::new();
    while there.iter().filter(|there| **there).count() > 1 {
        let round = rounds.len() as u32;
        let mut children = vec![0u32; n];
        let mut only = vec![NONE; n];
        for v in (1..n).filter(|&v| there[v]) {
            children[parent[v] as usize] += 1;
            only[parent[v] as usize] = v as u32;
        }
        let mut count = 0;
        let mut busy = vec![false; n];
        for v in 1..n as u32 {
            let (i, p) = (v as usize, parent[v as usize]);
            if !there[i] || busy[i] || busy[p as usize] {
                continue;
            }
            let (how, kind) = match children[i] {
                0 => (Contraction::Rake, MessageKind::Rake),
                1 if p != 0 && children[p as usize] == 1 => {
                    (Contraction::Compress, MessageKind::Compress)
                }
                _ => continue,
            };
            if how as u8 == Contraction::Compress as u8 {
                let child = only[i] as usize;
                if busy[child] || !there[child] {
                    continue;
                }
                parent[child] = p;
                (busy[i], busy[p as usize], busy[child]) = (true, true, true);
            }
            there[i] = false;
            count += 1;
            view.contract(v, round, how)?;
            view.send(round, v, p, kind)?;
            undo.push((round, p, v));
        }
        rounds.push(count);
    }
    let last = rounds.len() as u32;
    for (round, from, to) in undo {
        view.send(2 * last - 1 - round, from, to, MessageKind::Uncontract)?;
    }
    Ok(rounds)
}
