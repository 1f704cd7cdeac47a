//! Shared code of the commands that run a program on the machine.

use super::network::note_unreplayed;
use super::options::{LayoutOptions, grid};
use crate::prelude::*;
use palmette::spatial::Grid;
use palmette::spatial::machine::{Gift, Given, Machine, MachineError};
use palmette::spatial::program::ProgramError;
use palmette::{SpatialError, WrongAnswer};

/// Where a program runs: its trees lie in light-first order.
#[derive(Debug, Args)]
pub(super) struct GridOptions {
    /// The curve.
    #[arg(long, value_name = "CURVE", default_value_t = LayoutParams::default().curve,
          value_parser = named::<CurveKind>(), help_heading = "Layout")]
    pub(super) curve: CurveKind,
    /// Grid size (default: the smallest that the curve fills and the tree fits).
    #[arg(long, value_name = "COLUMNSxROWS", value_parser = grid, help_heading = "Layout")]
    pub(super) grid: Option<Grid>,
}

impl GridOptions {
    /// The layout; `seed` decides the random bits of processors.
    pub(super) fn layout(&self, seed: u64) -> LayoutOptions {
        let &GridOptions { curve, grid } = self;
        LayoutOptions { order: Order::LightFirst, curve, grid, seed: Some(seed), time_limit: None }
    }
}

/// Refuses forests.
pub(super) fn check_one_root(file: &TreeFile, tree: &Tree) -> Result<()> {
    match tree.roots() {
        1 => Ok(()),
        roots => {
            bail!("{} has {roots} roots; this needs a tree with one root", file.name)
        }
    }
}

/// Errors that no input can cause are internal; layouts fail for the grid they are given.
pub(super) fn fault(error: SpatialError) -> anyhow::Error {
    match &error {
        SpatialError::Layout(error) => anyhow!("--grid: {error}"),
        SpatialError::Program(ProgramError::Machine(MachineError::Network(error))) => {
            anyhow!("--replay always: {error}; pass --replay auto or never")
        }
        SpatialError::Program(ProgramError::Machine(error @ MachineError::GridTooLarge { .. })) => {
            anyhow!("--grid: {error}")
        }
        SpatialError::Program(ProgramError::Machine(
            MachineError::Memory { .. }
            | MachineError::Waiting { .. }
            | MachineError::OffGrid { .. }
            | MachineError::StepLimit { .. }
            | MachineError::Processors { .. },
        )) => Internal(error.to_string()).into(),
        _ => error.into(),
    }
}

/// The figures of a run; in the summary the ledger and the check come last.
pub(super) fn note_run(
    session: &mut Session,
    run: &impl Figures,
    machine: &Machine,
    vertices: usize,
    correct: bool,
) {
    session.figures(run);
    note_unreplayed(session, machine);
    note_untaken(session, machine);
    let phases = machine.ledger().phases();
    let replayed = machine.is_replayed();
    let mut columns =
        vec!["phase", "energy", "energy words", "energy/n", "messages", "depth", "distance"];
    columns.extend(replayed.then_some("waited"));
    let mut table = Table::new(&columns);
    let noted = session.record.result["phases"].clone();
    for (k, phase) in phases.iter().enumerate() {
        let costs = phase.costs;
        let mut row = vec![
            Cell::from(phase.name.as_str()),
            Cell::from(costs.energy),
            Cell::from(costs.energy_words),
            Cell::from(costs.energy as f64 / vertices.max(1) as f64),
            Cell::from(costs.messages),
            Cell::from(u64::from(costs.depth)),
            Cell::from(costs.distance),
        ];
        row.extend(replayed.then(|| Cell::from(noted[k]["cycles_waited"].as_u64().unwrap_or(0))));
        table.row(row);
    }
    let table = if phases.is_empty() { String::new() } else { table.to_string() };
    session.end_with(table, run.lists());
    let yes = if correct { "yes" } else { "no" };
    session.end_with(format!("matches the host engine: {yes}\n"), &[]);
}

/// Says what was handed out and nobody needed; `all` is what there is to need.
fn note_untaken(session: &Session, machine: &Machine) {
    let (given, taken) = (machine.given(), machine.taken());
    let left: Vec<&str> = given.gifts().filter(|&g| !taken.has(g)).map(Gift::name).collect();
    if given != Given::ALL && !left.is_empty() {
        session.note(&format!("--given {}: nothing in this run needs it", left.join(",")));
    }
}

/// Keeps the replay over time, if wanted.
pub(super) fn keep_queues(session: &mut Session, name: &str, machine: &Machine) -> Result<()> {
    if session.wants("queues")
        && let Some(queues) = session.phase("draw", || pictures::queues(name, machine))?
    {
        keep(session, None, queues)?;
    }
    Ok(())
}

/// Prints the results. A wrong answer is an internal failure.
pub(super) fn finish(session: Session, correct: bool) -> Result<()> {
    let command = session.record.command.clone();
    session.finish()?;
    Ok(WrongAnswer::unless(correct, &command)?)
}
