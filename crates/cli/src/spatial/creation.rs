//! `palmette spatial layout --on-machine`.

use super::layout::{Arguments, write_places};
use super::picture;
use super::program::{check_one_root, fault, finish, loads_to_draw, note_run, subtitle};
use crate::input::{Loaded, Needs, load};
use crate::session::Session;
use anyhow::bail;
use palmette::spatial::layout::Order;
use palmette::spatial::machine::MachineParams;
use palmette::{CreationParams, create_layout, program_machine};

pub(super) fn run(mut session: Session, arguments: &Arguments) -> anyhow::Result<()> {
    let options = &arguments.layout;
    let table = arguments.output.as_deref();
    if options.order != Order::LightFirst {
        bail!("--on-machine: expected --order light-first, found {}", options.order);
    }
    let needs = Needs { any_roots: true, ..Needs::default() };
    let Loaded { file, tree } = load(&mut session, &arguments.input, &needs)?;
    check_one_root(&file, &tree)?;
    let params = CreationParams {
        curve: options.curve,
        grid: options.grid,
        machine: MachineParams { seed: options.seed, ..program_machine() },
    };
    session
        .record
        .parameter("on_machine", true)
        .parameter("order", options.order.name())
        .parameter("curve", options.curve.name())
        .parameter("seed", options.seed);
    let run = session.phase("compute", || create_layout(&tree, &params)).map_err(fault)?;
    session.record.parameter("grid", run.layout.grid().to_string());
    let rounds = run.rounds.iter().sum();
    note_run(&mut session, &run.machine, tree.len(), rounds, run.correct);
    let traffic = session.phase("count", || run.layout.traffic());
    session
        .record
        .figure("layout_energy", traffic.energy)
        .figure("layout_energy_per_vertex", traffic.energy_per_vertex())
        .figure("layout_distance", traffic.longest)
        .figure("layout_max_link_load", traffic.max_link_load);
    if !run.correct {
        return finish(session, false);
    }
    if session.draws() {
        let what = subtitle("layout creation", options.curve, tree.len(), &run.machine);
        let loads = loads_to_draw(&run.machine);
        let (words, rounds) = ((file.name.as_str(), what.as_str()), &run.contracted);
        picture::draw_run(&mut session, words, loads.as_ref(), rounds)?;
    }
    picture::draw(&mut session, &file.name, &run.layout, &traffic)?;
    if let Some(path) = table {
        write_places(&mut session, path, &file, &run.layout, &run.positions)?;
    }
    finish(session, run.correct)
}
