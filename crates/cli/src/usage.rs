//! Parses the arguments, or prints one line that says what is wrong with them.

use crate::arguments::Cli;
use crate::{renamed, terminal};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Error, Parser};
use std::error::Error as _;
use std::num::{ParseFloatError, ParseIntError};
use std::process::ExitCode;

/// The parsed arguments; otherwise the error or the requested help has been printed.
pub(crate) fn parse() -> Result<Cli, ExitCode> {
    let typed: Vec<String> =
        std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let error = match Cli::try_parse() {
        Ok(cli) => return Ok(cli),
        Err(error) => error,
    };
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand || !error.use_stderr() {
        error.exit();
    }
    eprintln!("error: {}", terminal::line(&message(&error, &typed)));
    Err(ExitCode::from(2))
}

/// The error, a suggestion, and where to read more.
fn message(error: &Error, typed: &[String]) -> String {
    let verb = verb_of(typed);
    if let Some(new) = renamed::now(error, &verb) {
        return new.to_string();
    }
    let text = error.render().to_string();
    let lines = text.lines().map(str::trim);
    let lines = lines.take_while(|line| {
        !line.starts_with("Usage:") && !line.starts_with("For more information")
    });
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("tip:"));
    let wrong = lines.collect::<Vec<&str>>().join(" ");
    let wrong = plain(error, wrong.strip_prefix("error: ").unwrap_or(&wrong));
    let meant = meant(error).map_or(String::new(), |word| format!("; did you mean `{word}`?"));
    format!(
        "{wrong}{meant} (see `palmette{}{verb} --help`)",
        if verb.is_empty() { "" } else { " " }
    )
}

/// The text without what only programmers of Rust understand.
fn plain(error: &Error, text: &str) -> String {
    let Some(source) = error.source() else { return text.to_string() };
    let expected = match source {
        source if source.is::<ParseIntError>() => "expected a whole number",
        source if source.is::<ParseFloatError>() => "expected a number",
        _ => return text.to_string(),
    };
    text.replace(&source.to_string(), expected)
}

/// The words that name the noun and the verb.
fn verb_of(typed: &[String]) -> String {
    let mut command = Cli::command();
    let mut found = Vec::new();
    for word in typed.iter().skip(1) {
        if let Some(below) = command.find_subcommand(word) {
            found.push(word.as_str());
            command = below.clone();
        }
    }
    found.join(" ")
}

/// Clap's suggestion for a misspelt word.
fn meant(error: &Error) -> Option<&str> {
    let kinds =
        [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    kinds.into_iter().find_map(|kind| match error.get(kind)? {
        ContextValue::String(word) => Some(word.as_str()),
        ContextValue::Strings(words) => words.first().map(String::as_str),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn said(line: &str) -> String {
        let typed: Vec<String> = line.split(' ').map(str::to_string).collect();
        message(&Cli::try_parse_from(&typed).unwrap_err(), &typed)
    }

    #[test]
    fn one_line_with_a_hint() {
        for (line, expected) in [
            (
                "palmette tree inf t.csv",
                "unrecognized subcommand 'inf'; did you mean `info`? (see `palmette tree --help`)",
            ),
            (
                "palmette tree info t.csv --svgg a.svg",
                "unexpected argument '--svgg' found; did you mean `--svg`? \
                 (see `palmette tree info --help`)",
            ),
            (
                "palmette mesh place",
                "the following required arguments were not provided: --machine <MACHINE> <FILE> \
                 (see `palmette mesh place --help`)",
            ),
            (
                "palmette tree order t.csv --order bfsx",
                "invalid value 'bfsx' for '--order <ORDER>' [possible values: preorder, \
                 light-first, heavy-first, bfs]; did you mean `bfs`? \
                 (see `palmette tree order --help`)",
            ),
            (
                "palmette mesh partition m.msh --parts many",
                "invalid value 'many' for '--parts <K>': expected a whole number \
                 (see `palmette mesh partition --help`)",
            ),
            (
                "palmette mesh partition m.msh --parts 2 --imbalance much",
                "invalid value 'much' for '--imbalance <SHARE>': expected a number \
                 (see `palmette mesh partition --help`)",
            ),
            (
                "palmette tree info t.csv --threads many",
                "invalid value 'many' for '--threads <N>': expected a number up to 1024 \
                 (see `palmette tree info --help`)",
            ),
        ] {
            assert_eq!(said(line), expected);
        }
    }

    /// Every line of the table of old spellings, typed.
    #[test]
    fn old_spellings_say_the_new_one() {
        for &(verb, old, new) in renamed::OLD {
            let line = format!("palmette {verb} {old}").replace("  ", " ");
            assert_eq!(said(&line), new, "{line}");
            assert_eq!(said(&format!("{line} x.svg")), new, "{line} x.svg");
        }
    }

    /// Each verb's help has an example of this verb.
    #[test]
    fn help_has_examples() {
        let command = Cli::command();
        let verbs = command.get_subcommands().flat_map(|noun| {
            let name = noun.get_name().to_string();
            match noun.has_subcommands() {
                true => noun
                    .get_subcommands()
                    .map(|verb| (format!("{name} {}", verb.get_name()), verb.clone()))
                    .collect(),
                false => vec![(name, noun.clone())],
            }
        });
        for (name, verb) in verbs {
            let example = verb.get_after_help().map(|text| text.to_string()).unwrap_or_default();
            assert!(example.contains(&format!("\n  palmette {name}")), "{name}: {example}");
        }
    }
}
