//! What most verbs use.

pub(crate) use crate::arguments::{
    InputOptions, PictureOptions, RunOptions, TableOptions, TipsOption, not_in_place,
};
pub(crate) use crate::device::{self, AnyEngine, DeviceOptions};
pub(crate) use crate::endings::Kind;
pub(crate) use crate::files::Files;
pub(crate) use crate::input::{Lengths, Loaded, Needs, PairOptions, load, name_of};
pub(crate) use crate::output::Answers;
pub(crate) use crate::picture::{keep, show};
pub(crate) use crate::session::Session;
pub(crate) use crate::values::{ValueOptions, ValuePlan, value_files};
pub(crate) use crate::{Internal, terminal};
pub(crate) use anyhow::{Context, Result, anyhow, bail};
pub(crate) use clap::{Args, ValueEnum};
pub(crate) use palmette::core::DEFAULT_SEED;
pub(crate) use palmette::io::{Cells, MeshFile, Output, shown, write_points};
pub(crate) use palmette::language::Program;
pub(crate) use palmette::pictures::{DrawnMesh, Topology};
pub(crate) use palmette::spatial::curve::CurveKind;
pub(crate) use palmette::spatial::layout::{Layout, LayoutParams, Order};
pub(crate) use palmette::spatial::machine::MachineParams;
pub(crate) use palmette::{
    AggregateError, AnswerCells, DeviceJob, Direction, Figures, GraphFile, IoError, Labels,
    MeshInput, NONE, OperatorName, Record, Tree, TreeFile, ValueType, Values, pictures,
};
pub(crate) use palmette_report::{Cell, Table};
pub(crate) use palmette_vocabulary::named;
pub(crate) use serde_json::Value;
pub(crate) use std::path::{Path, PathBuf};
pub(crate) use std::time::Duration;

/// The verbs of a noun: what each is for, its arguments, what runs it, and the end of its help.
macro_rules! verbs {
    ($($(#[$about:meta])+
       $verb:ident($arguments:ty) => $run:expr, $example:expr $(, $keys:expr)?;)+) => {
        #[derive(Debug, clap::Subcommand)]
        pub(crate) enum Verb {
            $($(#[$about])+
            #[command(after_help = $example)]
            $(#[command(after_long_help = crate::examples::with_keys($example, $keys))])?
            $verb($arguments),)+
        }

        pub(crate) fn run(verb: &Verb, run: &RunOptions) -> Result<()> {
            match verb {
                $(Verb::$verb(arguments) => ($run)(arguments, run),)+
            }
        }
    };
}
pub(crate) use verbs;
