//! `palmette-mpi mesh`: meshes that no rank has whole.

mod arguments;
mod input;

use crate::command::{Links, Outcome, ends_in, parsed};
use crate::record::Report;
use crate::tree::output;
use arguments::{Arguments, PartitionArguments, Verb};
use input::Input;
use palmette::Figures;
use palmette::core::ranks::{Metered, RanksError};
use palmette::io::write_integers;
use palmette::mesh::partition::distributed::{
    RanksPartitionError, copies_on_ranks, partition_on_ranks,
};
use palmette_mpi::{Job, MpiTransport};
use std::error::Error;

/// Runs a command on all ranks. Where one gives up, the others wait for the end of the job.
pub(crate) fn run(job: &Job, transport: MpiTransport, words: &[&str]) -> Outcome<()> {
    let mut ranks = Metered::new(transport);
    let Some(arguments) = parsed::<Arguments>(job, &mut ranks, words)? else { return Ok(()) };
    ranks.phase("read");
    let Verb::Partition(arguments) = &arguments.verb;
    partition(&mut ranks, arguments)
        .map_err(|error| if is_elsewhere(&*error) { job.wait() } else { error })
}

/// Whether another rank has found the mistake, and tells it.
fn is_elsewhere(error: &(dyn Error + 'static)) -> bool {
    let ranks = |error: &RanksError| matches!(error, RanksError::Elsewhere { .. });
    error.downcast_ref().is_some_and(ranks)
        || matches!(error.downcast_ref(), Some(RanksPartitionError::Ranks(e)) if ranks(e))
}

fn partition(ranks: &mut Links, arguments: &PartitionArguments) -> Outcome<()> {
    let mut report = Report::new("mesh partition", &arguments.file);
    if let Some(path) = &arguments.output {
        let mut inputs = vec![arguments.file.as_path()];
        inputs.extend(arguments.xyz.as_deref());
        let packed = [".gz", ".zst"].iter().any(|ending| ends_in(path, ending));
        let found = path.display();
        let wrong = format!("-o: {found}: ranks cannot write into a compressed file together");
        output::check_place(ranks, path, &inputs, packed.then_some(wrong))?;
    }
    let params = arguments.params();
    let Input { graph, elements } = input::read(ranks, arguments)?;
    let file = arguments.file.display();
    let found = partition_on_ranks(ranks, graph, &params).map_err(|error| match error {
        RanksPartitionError::Ranks(_) => Box::<dyn Error>::from(error),
        RanksPartitionError::OneSided { vertex, neighbour } => format!(
            "{file}: expected each edge at both its ends with the same weight, found {} as a neighbour \
             of {}, but not the reverse (vertices count from 1)",
            neighbour + 1,
            vertex + 1
        )
        .into(),
        other => format!("{file}: {other}").into(),
    })?;
    report
        .record
        .parameter("parts", params.parts)
        .parameter("preset", params.preset.name())
        .parameter("bisection", params.bisection.name())
        .parameter("imbalance", params.imbalance)
        .parameter("seed", params.seed)
        .parameter("elements", arguments.elements);
    if let Some(xyz) = &arguments.xyz {
        report.record.parameter("xyz", xyz.display().to_string());
    }
    found.figures(&mut report.record);
    if let Some(elements) = &elements {
        ranks.phase("copies");
        let copies = copies_on_ranks(ranks, elements, &found.part)?;
        report.record.figure("copies", copies);
    }
    if let Some(path) = &arguments.output {
        ranks.phase("write");
        let mut own = Vec::new();
        write_integers(&mut own, &found.part)?;
        output::write(ranks, path, Vec::new(), &own)?;
        report.record.parameter("output", path.display().to_string());
    } else if !arguments.run.json {
        report.note("the parts are not kept; pass -o FILE to write them".to_string());
    }
    report.finish(ranks, &arguments.run)
}
