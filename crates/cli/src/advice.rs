//! Which option helps: the table from library errors to command-line options.

use palmette::graph::dynamic::DynamicError;
use palmette::graph::mincut::MinCutError;
use palmette::graph::solve::{CgError, SolveError};
use palmette::phylo::edit::EditError;
use palmette::phylogeny::diversity::CommunityError;
use palmette::phylogeny::edit::EditProblem;
use palmette::phylogeny::parsimony::AlignedError;
use palmette::phylogeny::{ClockError, CompareInputError};
use palmette::power::feeder::FeederFlowError;
use palmette::power::flow::FlowError;
use palmette::ranks::RankError;
use palmette::{AggregateError, StreamError, TreefixError};
use palmette_vocabulary::input_advice;

/// A hint after an error, if an option of the command may help.
pub(crate) fn of(error: &anyhow::Error) -> Option<&'static str> {
    None.or_else(|| error.downcast_ref().and_then(input_advice))
        .or_else(|| error.downcast_ref().and_then(of_aggregate))
        .or_else(|| error.downcast_ref().and_then(of_solve))
        .or_else(|| error.downcast_ref().and_then(of_cut))
        .or_else(|| error.downcast_ref().and_then(of_stream))
        .or_else(|| error.downcast_ref().and_then(of_feeder))
        .or_else(|| error.downcast_ref().and_then(of_ranks))
        .or_else(|| error.downcast_ref().and_then(of_community))
        .or_else(|| error.downcast_ref().and_then(of_edit))
        .or_else(|| error.downcast_ref().and_then(of_comparison))
        .or_else(|| error.downcast_ref().and_then(of_clock))
        .or_else(|| error.downcast_ref().and_then(of_alignment))
}

fn of_aggregate(error: &AggregateError) -> Option<&'static str> {
    Some(match error {
        AggregateError::Treefix(TreefixError::Overflow { .. })
        | AggregateError::PathOverflow { .. } => {
            "pass --wrapping for modulo 2^64, or --type f64 to round"
        }
        AggregateError::NoWrapping { .. } => "leave out --wrapping",
        AggregateError::NotCommutative { .. } => "pass --layout-order to take them as laid out",
        _ => return None,
    })
}

fn of_solve(error: &SolveError) -> Option<&'static str> {
    Some(match error {
        // Rounding may stop progress long before the iterations are used up.
        SolveError::Iteration(CgError::NotConverged { .. }) => {
            "a larger --tolerance or --max-iterations may help"
        }
        SolveError::Iteration(CgError::Breakdown { .. }) => "a larger --tolerance may help",
        SolveError::Memory { .. } => "a larger --memory may help",
        SolveError::Work { .. } => "a larger --work, or another --preconditioner, may help",
        SolveError::Accuracy { .. } => "pass a larger --tolerance, or --stop backward",
        _ => return None,
    })
}

fn of_cut(error: &MinCutError) -> Option<&'static str> {
    Some(match error {
        MinCutError::TooMany { .. } => "pass a larger --limit, or leave out --all for one of them",
        MinCutError::Disconnected { .. } => "leave out --all for one of them",
        _ => return None,
    })
}

fn of_stream(error: &StreamError) -> Option<&'static str> {
    Some(match error.source {
        DynamicError::Exists { .. } => "pass --upsert to give it the new weight",
        DynamicError::Missing { .. } => "pass --upsert to insert it, or to pass over its deletion",
        _ => return None,
    })
}

fn of_feeder(error: &FeederFlowError) -> Option<&'static str> {
    of_flow(&error.source)
}

/// The same where a power flow of many has no answer.
pub(crate) fn of_flow(error: &FlowError) -> Option<&'static str> {
    Some(match error {
        FlowError::SweepLimit { .. } => "a larger --max-sweeps may help",
        _ => return None,
    })
}

fn of_ranks(error: &RankError) -> Option<&'static str> {
    Some(match error {
        RankError::Worker { .. } => {
            "install it with `cargo install --path crates/mpi` (needs an MPI library and clang)"
        }
        _ => return None,
    })
}

fn of_community(error: &CommunityError) -> Option<&'static str> {
    Some(match error {
        CommunityError::MissingTips { .. } => "pass --ignore-missing to leave them out",
        _ => return None,
    })
}

fn of_edit(error: &EditProblem) -> Option<&'static str> {
    Some(match error {
        EditProblem::Io(error) => return input_advice(error),
        EditProblem::Unknown { .. } | EditProblem::NoMatch { .. } => {
            "pass --ignore-missing where some may be missing"
        }
        EditProblem::Edit { source: EditError::Roots { .. }, .. } => {
            "pass --tree K to take one of them"
        }
        _ => return None,
    })
}

fn of_comparison(error: &CompareInputError) -> Option<&'static str> {
    Some(match error {
        CompareInputError::Different { .. } => "pass --shared to compare the tips that all have",
        CompareInputError::NoLengths { .. } => "pass --distance rf, which needs none",
        _ => return None,
    })
}

fn of_clock(error: &ClockError) -> Option<&'static str> {
    Some(match error {
        ClockError::Unknown { .. } => "pass --ignore-missing to leave them out",
        _ => return None,
    })
}

fn of_alignment(error: &AlignedError) -> Option<&'static str> {
    Some(match error {
        AlignedError::NoTip { .. } => "pass --ignore-missing to leave them out",
        AlignedError::NoSequence { .. } => "pass --ignore-missing to allow them any state",
        AlignedError::Io(error) => return input_advice(error),
        _ => return None,
    })
}
