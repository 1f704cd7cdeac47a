//! Errors of studies.

use super::StudyProgram;
use palmette_core::TreeError;
use palmette_core::generate::GenerateError;
use palmette_spatial::collective::CollectiveError;
use palmette_spatial::curve::CurveError;
use palmette_spatial::layout::LayoutError;
use palmette_spatial::machine::MachineError;
use palmette_spatial::program::Method;
use palmette_spatial::program::ProgramError;
use palmette_tree::TreefixError;
use thiserror::Error;

/// Errors of studies.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SweepError {
    /// A tree cannot be generated.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// What was generated is no tree.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// A tree cannot be laid out.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// A curve cannot be made.
    #[error(transparent)]
    Curve(#[from] CurveError),
    /// The machine stopped.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// A program failed.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// A collective failed.
    #[error(transparent)]
    Collective(#[from] CollectiveError),
    /// The host's engine failed.
    #[error(transparent)]
    Treefix(#[from] TreefixError),
    /// A method for a program that has one only.
    #[error("{program} has no method {method}; treefix, rootfix and list-ranking do")]
    #[expect(missing_docs, reason = "the message says what the fields are")]
    Method { program: StudyProgram, method: Method },
}
