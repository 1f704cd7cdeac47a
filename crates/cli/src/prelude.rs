//! What most verbs use.

pub(crate) use crate::arguments::{PictureOptions, RunOptions, TableOptions};
pub(crate) use crate::endings::Kind;
pub(crate) use crate::files::Files;
pub(crate) use crate::input::{Lengths, Loaded, Needs, PairOptions, load, name_of};
pub(crate) use crate::output::Answers;
pub(crate) use crate::picture::{keep, show};
pub(crate) use crate::session::Session;
pub(crate) use anyhow::{Context, Result, anyhow, bail};
pub(crate) use clap::Args;
pub(crate) use palmette::core::DEFAULT_SEED;
pub(crate) use palmette::io::{Cells, shown};
pub(crate) use palmette::{
    Figures, GraphFile, Labels, MeshInput, NONE, OperatorName, Tree, TreeFile, ValueType, Values,
    pictures,
};
pub(crate) use palmette_report::{Cell, Table};
pub(crate) use palmette_vocabulary::named;
pub(crate) use std::path::{Path, PathBuf};
