//! Parts on a torus, and what its links carry.

use crate::Outcome;
use palmette_core::{Picture, Record};
use palmette_report::PlacementDrawing;
use palmette_report::view::{LinksView, QueueFrame, QueuesView, View};

/// A torus of `side` times `side` processors with three phases of traffic.
pub(crate) fn record(side: u32) -> Outcome<Record> {
    let count = side * side;
    let parts: Vec<u32> = (0..count).map(|p| (p * 7) % count).collect();
    let mut view = LinksView::new([side, side], true, &parts)?;
    let mut sums = vec![0; 4 * count as usize];
    for phase in 0..3u64 {
        let load =
            |i: u64| if (i + phase).is_multiple_of(3) { 0 } else { (i * 37 + phase * 101) % 90 };
        let loads: Vec<u64> = (0..4 * u64::from(count)).map(load).collect();
        sums.iter_mut().zip(&loads).for_each(|(sum, load)| *sum += load);
        view.phase(&loads)?;
    }
    let title = format!("{count} parts on a torus");
    let drawing = PlacementDrawing {
        title: &title,
        subtitle: "a sample",
        sides: &[side, side],
        torus: true,
        parts: &parts,
        loads: &sums,
        nodes: &[],
        dead: &[],
    };
    let mut record = Record::new("mesh map", "plate.msh");
    record.command_line =
        format!("palmette mesh map plate.msh --machine torus:{side}x{side} --seed 1");
    record.parameter("machine", format!("torus:{side}x{side}")).parameter("seed", 1);
    record.figure("parts", count).figure("cut", 1234).figure("hopsum", sums.iter().sum::<u64>());
    record.figure("max_link_load", sums.iter().max().copied()).figure("imbalance", 1.031_25);
    for (phase, seconds) in [("partition", 0.31), ("place", 0.12), ("route", 0.044)] {
        record.seconds.insert(phase.into(), seconds.into());
    }
    let svg = drawing.to_svg();
    let view = Some(View::from(view).to_value());
    record.pictures.push(Picture {
        name: "placement".into(),
        title: "Placement and link loads".into(),
        svg: svg.clone(),
        view,
    });
    record.pictures.push(Picture {
        name: "queues".into(),
        title: "Queues of the replay, over time".into(),
        svg,
        view: Some(View::from(queues(side)?).to_value()),
    });
    Ok(record)
}

/// Two stretches of ten cycles: messages wait in the first row, then for the way down.
fn queues(side: u32) -> Outcome<QueuesView> {
    let mut view = QueuesView::new([side, side], 10)?;
    // Links 0, 2 and 4 of a cell lead to the right, down, and in from its processor.
    view.frame(QueueFrame(vec![0, 4, 6], vec![10, 8, 5], vec![30, 10, 0]))?;
    view.frame(QueueFrame(vec![2, 6], vec![10, 5], vec![15, 0]))?;
    Ok(view)
}
