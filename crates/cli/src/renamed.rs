//! Old spellings of verbs, options and values, and what to write now.

use clap::Error;
use clap::error::{ContextKind, ContextValue};

/// The start of the command, the old spelling, and the message; see [`filled`].
pub(crate) const OLD: &[(&str, &str, &str)] = &[
    ("mesh", "shape", "`mesh shape` is now `mesh generate`"),
    (
        "mesh generate",
        "--mesh",
        "the C program comes from `mesh compile MESH --program PROGRAM`; `mesh generate SHAPE` \
         makes a mesh",
    ),
    ("mesh run", "--mesh", "the mesh comes first: `mesh run MESH --program PROGRAM`"),
    ("mesh compile", "--mesh", "the mesh comes first: `mesh compile MESH --program PROGRAM`"),
    ("tree generate", "--shape", SHAPE),
    ("tree generate", "--n", SHAPE),
    ("tree generate", "-n", SHAPE),
    (
        "tree leaffix",
        "--op weighted-depth",
        "depths are rootfixes: `tree rootfix --op depth --lengths`",
    ),
    ("tree path", "--op weighted-depth", "the length of a path is `--op sum --lengths`"),
    ("tree rootfix", "--op weighted-depth", "`--op weighted-depth` is now `--op depth --lengths`"),
    ("tree rootfix", "--values length", LENGTHS),
    ("tree leaffix", "--values length", LENGTHS),
    ("tree path", "--values length", LENGTHS),
    ("spatial treefix", "--values length", LENGTHS),
    ("spatial message", "--values length", LENGTHS),
    ("spatial trace", "--values length", LENGTHS),
    ("tree distance", "--weighted", "`--weighted` is now `--lengths`"),
    ("spatial layout", "--picture", PICTURE),
    ("spatial treefix", "--picture", PICTURE),
    ("spatial lca", "--picture", PICTURE),
    ("spatial treefix", "--direction leaf", "`--direction leaf` is now `--direction leaffix`"),
    ("spatial treefix", "--direction root", "`--direction root` is now `--direction rootfix`"),
    ("spatial trace", "--input-format", "`--input-format` is now `--format`"),
    ("spatial trace", "--format goal", "`--format goal` is now `--to goal`"),
    ("spatial trace", "--format perfetto", "`--format perfetto` is now `--to perfetto`"),
    ("graph sparsify", "--drawing", "`--drawing` is now `--svg` together with `--xyz`"),
    ("mesh partition", "--quotient-svg", "`--quotient-svg` is now `--svg DIR/`, for all pictures"),
    ("mesh partition", "--method", "`--method` is now `--bisection`"),
    ("mesh", "--method", "`--method` is now `--placement`"),
    ("mesh", "--cut-method", "`--cut-method` is now `--bisection`"),
    ("mesh", "--joint", "`--joint` is now `--placement joint`, the default"),
    ("graph sparsify", "--edges", "`--edges` is now `--budget`"),
    ("graph generate", "--xyz", "`--xyz` is now `--output-xyz`"),
    ("mesh generate", "--xyz", "`--xyz` is now `--output-xyz`"),
    ("mesh graph", "--points", "`--points` is now `--output-xyz`"),
    ("", "--out", "`--out` is now `-o`"),
    ("man", "--dir", "`--dir` is now `-o`"),
    ("mesh", "--coincident", "`--coincident` is gone: nodes may coincide; `--merge` joins them"),
];

const SHAPE: &str = "the shape comes first, with its size: `tree generate {shape|random}:{n|1000}`";
const PICTURE: &str = "`--picture` is now `--svg {picture|FILE}`; a name that ends in `/` is a folder for all pictures";
const LENGTHS: &str = "`--values length` is now `--lengths`; `column:length` is a column";

/// The message for an old spelling of a verb, an option or a value.
pub(crate) fn now(error: &Error, verb: &str, words: &[String]) -> Option<String> {
    let word = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.split(' ').next(),
        _ => None,
    };
    let typed = match (word(ContextKind::InvalidSubcommand), word(ContextKind::InvalidArg)) {
        (Some(word), _) | (None, Some(word)) => word,
        _ => return None,
    };
    let typed = match word(ContextKind::InvalidValue) {
        Some(value) => format!("{typed} {value}"),
        None => typed.to_string(),
    };
    let old = OLD.iter().find(|old| verb.starts_with(old.0) && old.1 == typed);
    old.map(|old| filled(old.2, words))
}

/// A message in which `{option|default}` is what was typed after an option.
pub(crate) fn filled(message: &str, words: &[String]) -> String {
    let value = |option: &str| {
        let mut words = words.iter().flat_map(|word| word.split('='));
        words.find(|word| word.trim_start_matches('-') == option).and_then(|_| words.next())
    };
    let parts = message.split(['{', '}']).map(|part| match part.split_once('|') {
        Some((option, default)) => value(option).unwrap_or(default),
        None => part,
    });
    parts.collect()
}
