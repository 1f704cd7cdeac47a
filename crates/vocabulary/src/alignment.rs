//! The alignment of `tree parsimony`, and what its symbols are.

use crate::named;
use clap::Args;
use palmette::io::{AlignmentFormat, AlignmentParams, CostFile, Gaps, SequenceType};
use std::path::PathBuf;

/// An alignment, and how to read it.
#[derive(Debug, Args)]
pub struct AlignmentOptions {
    /// Alignment to read: FASTA or PHYLIP, optionally gz or zst; sequences are called as the tips are.
    #[arg(value_name = "ALIGNMENT")]
    pub alignment: PathBuf,
    /// Alignment format (default: from the content).
    #[arg(long, value_name = "FORMAT", value_parser = named::<AlignmentFormat>(), help_heading = "Input")]
    pub alignment_format: Option<AlignmentFormat>,
    /// Type of sequences: dna (also RNA), protein, or standard (default: from their symbols).
    #[arg(long = "type", value_name = "TYPE", value_parser = named::<SequenceType>(), help_heading = "Input")]
    pub kind: Option<SequenceType>,
    /// States of the type standard, in order, such as 01 (default: 0 to the largest digit).
    #[arg(long, value_name = "STATES", help_heading = "Input")]
    pub alphabet: Option<String>,
    /// What a gap is: missing (any state, as `?` is) or state (one of its own).
    #[arg(long, value_name = "WHAT", default_value = "missing", value_parser = named::<Gaps>())]
    pub gaps: Gaps,
    /// Cost of every change, as a table: row = state of the parent, column = state of the child
    /// (default: 1 each); `inf` is a change that cannot happen.
    #[arg(long, value_name = "FILE")]
    pub cost: Option<PathBuf>,
    /// Leave out sequences that are no tips, and allow tips without a sequence any state.
    #[arg(long)]
    pub ignore_missing: bool,
}

impl AlignmentOptions {
    /// How the alignment is read, where its states may be those that have costs.
    ///
    /// # Errors
    /// An alphabet for a type that has one of its own.
    pub fn params(&self, costs: Option<&CostFile>) -> Result<AlignmentParams, String> {
        let kind = self.kind;
        if self.alphabet.is_some() && kind.is_some_and(|kind| kind != SequenceType::Standard) {
            let text = "--alphabet has an effect with --type standard only; leave out one of them";
            return Err(text.to_string());
        }
        let of_costs = || {
            let standard = kind == Some(SequenceType::Standard);
            costs.filter(|_| standard).map(|costs| costs.alphabet(self.gaps))
        };
        Ok(AlignmentParams {
            format: self.alignment_format,
            kind,
            alphabet: self.alphabet.clone().or_else(of_costs),
            gaps: self.gaps,
        })
    }
}
