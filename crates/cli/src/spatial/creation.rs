//! `palmette spatial layout --on-machine`.

use super::layout::{Arguments, write_places};
use super::program::{check_one_root, fault, finish, keep_queues, note_run};
use crate::prelude::*;
use palmette::{CreationParams, create_layout};

pub(super) fn run(mut session: Session, arguments: &Arguments) -> Result<()> {
    let options = &arguments.layout;
    let table = arguments.output.as_deref();
    if options.order != Order::LightFirst {
        bail!("--on-machine needs --order light-first, not {}", options.order);
    }
    let machine = arguments.machine.params()?;
    let needs = Needs { any_roots: true, ..Needs::default() };
    let Loaded { file, tree } = load(&mut session, &arguments.input, &needs)?;
    check_one_root(&file, &tree)?;
    let params = CreationParams {
        curve: options.curve,
        grid: options.grid,
        machine: MachineParams {
            seed: options.seed(),
            trace: arguments.trace.is_given(),
            ..machine
        },
    };
    session
        .parameter("on_machine", true)
        .parameter("order", options.order.name())
        .parameter("curve", options.curve.name())
        .parameter("seed", options.seed());
    let run = session.phase("compute", || create_layout(&tree, &params)).map_err(fault)?;
    session.parameter("grid", run.layout.grid().to_string());
    note_run(&mut session, &run, &run.machine, tree.len(), run.correct);
    if !run.correct {
        return finish(session, false);
    }
    show(&mut session, "run", None, || pictures::creation(&file.name, &run))?;
    show(&mut session, "layout", None, || pictures::layout(&file.name, &run.layout, &run.traffic))?;
    keep_queues(&mut session, &file.name, &run.machine)?;
    arguments.trace.write(&mut session, &run.machine)?;
    if let Some(path) = table {
        write_places(&mut session, path, &file, &run.layout, &run.positions)?;
    }
    finish(session, run.correct)
}
