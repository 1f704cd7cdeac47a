//! Parses the arguments, or prints one line that says what is wrong with them.

use crate::arguments::Cli;
use crate::{renamed, terminal, welcome};
use clap::error::ContextKind::{
    InvalidArg, InvalidSubcommand, InvalidValue, SuggestedArg, SuggestedSubcommand, SuggestedValue,
    ValidValue,
};
use clap::error::{ContextValue, ErrorKind};
use clap::{Command, CommandFactory, Error, Parser};
use palmette::core::named::nearest;
use std::error::Error as _;
use std::ffi::{OsStr, OsString};
use std::num::{ParseFloatError, ParseIntError};

/// The parsed arguments; otherwise the error or the requested help has been printed, and this is
/// the exit code.
pub(crate) fn parse(arguments: &[OsString]) -> Result<Cli, u8> {
    if arguments.is_empty() {
        return Err(u8::from(crate::session::print(&welcome::text()).is_err()));
    }
    let words =
        || std::iter::once(OsStr::new("palmette")).chain(arguments.iter().map(|a| a.as_os_str()));
    let error = match Cli::try_parse_from(words()) {
        Ok(cli) => return Ok(cli),
        Err(error) => error,
    };
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand || !error.use_stderr() {
        // Whoever does not listen has read enough.
        let _ = error.print();
        return Err(u8::from(error.use_stderr()) * 2);
    }
    let typed: Vec<String> = words().map(|word| word.to_string_lossy().into_owned()).collect();
    eprintln!("error: {}", terminal::line(&message(&error, &typed)));
    Err(2)
}

/// The error, a suggestion, and where to read more.
fn message(error: &Error, typed: &[String]) -> String {
    let (verb, command) = verb_of(typed);
    if let Some(new) = renamed::now(error, &verb, typed) {
        return new;
    }
    let text = error.render().to_string();
    let lines = text.lines().map(str::trim);
    let lines = lines.take_while(|line| {
        !line.starts_with("Usage:") && !line.starts_with("For more information")
    });
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("tip:"));
    let wrong = lines.collect::<Vec<&str>>().join(" ");
    let wrong = wrong.strip_prefix("error: ").unwrap_or(&wrong);
    let wrong = match error.source() {
        Some(cause) if cause.is::<ParseIntError>() => {
            wrong.replace(&cause.to_string(), "expected a whole number")
        }
        Some(cause) if cause.is::<ParseFloatError>() => {
            wrong.replace(&cause.to_string(), "expected a number")
        }
        _ => wrong.to_string(),
    };
    let meant = meant(error, &command);
    let meant = meant.map_or(String::new(), |words| format!("; did you mean {words}?"));
    format!(
        "{wrong}{meant} (see `palmette{}{verb} --help`)",
        if verb.is_empty() { "" } else { " " }
    )
}

/// The words that name the noun and the verb, and what they name.
fn verb_of(typed: &[String]) -> (String, Command) {
    let mut command = Cli::command();
    let mut found = Vec::new();
    for word in typed.iter().skip(1) {
        if let Some(below) = command.find_subcommand(word) {
            found.push(word.as_str());
            command = below.clone();
        }
    }
    (found.join(" "), command)
}

/// What a misspelt word may mean: clap's suggestion, or else a near option, value or verb; verbs
/// that lack their noun or have another one, too.
fn meant(error: &Error, command: &Command) -> Option<String> {
    let word = |kind| match error.get(kind)? {
        ContextValue::String(word) => Some(word.as_str()),
        ContextValue::Strings(words) => words.first().map(String::as_str),
        _ => None,
    };
    let kinds = [SuggestedArg, SuggestedSubcommand, SuggestedValue];
    if let Some(suggested) = kinds.into_iter().find_map(word) {
        return Some(format!("`{suggested}`"));
    }
    if let (Some(typed), Some(ContextValue::Strings(known))) =
        (word(InvalidValue), error.get(ValidValue))
    {
        let near = nearest(typed, known.iter().map(String::as_str))?;
        return Some(format!("`{near}`"));
    }
    let Some(typed) = word(InvalidSubcommand) else {
        let typed = word(InvalidArg)?.strip_prefix("--")?;
        let known = command.get_arguments().filter(|one| !one.is_hide_set());
        let near = nearest(typed, known.filter_map(clap::Arg::get_long))?;
        return Some(format!("`--{near}`"));
    };
    let all = Cli::command();
    let here =
        command.get_subcommands().map(|one| (one.get_name(), format!("`{}`", one.get_name())));
    let elsewhere = all.get_subcommands().flat_map(|noun| {
        let named = |verb: &str| format!("`palmette {} {verb}`", noun.get_name());
        noun.get_subcommands().map(move |verb| (verb.get_name(), named(verb.get_name())))
    });
    let mut known: Vec<(&str, String)> = here.collect();
    let near = match nearest(typed, known.iter().map(|one| one.0)) {
        Some(near) => near,
        None => {
            known = elsewhere.collect();
            nearest(typed, known.iter().map(|one| one.0))?
        }
    };
    known.retain(|one| one.0 == near);
    Some(known.into_iter().map(|one| one.1).collect::<Vec<_>>().join(" or "))
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
                "palmette mesh partition m.msh --parts 2 --imbalance much",
                "invalid value 'much' for '--imbalance <SHARE>': expected a number \
                 (see `palmette mesh partition --help`)",
            ),
            (
                "palmette leaffix t.csv",
                "unrecognized subcommand 'leaffix'; did you mean `palmette tree leaffix`? \
                 (see `palmette --help`)",
            ),
            (
                "palmette leafix t.csv",
                "unrecognized subcommand 'leafix'; did you mean `palmette tree leaffix`? \
                 (see `palmette --help`)",
            ),
            (
                "palmette tree rotfix t.csv",
                "unrecognized subcommand 'rotfix'; did you mean `rootfix`? \
                 (see `palmette tree --help`)",
            ),
            (
                "palmette mesh leafix t.csv",
                "unrecognized subcommand 'leafix'; did you mean `palmette tree leaffix`? \
                 (see `palmette mesh --help`)",
            ),
            (
                "palmette sparsfy g.mtx",
                "unrecognized subcommand 'sparsfy'; did you mean `palmette graph sparsify`? \
                 (see `palmette --help`)",
            ),
            (
                "palmette fromats",
                "unrecognized subcommand 'fromats'; did you mean `formats`? \
                 (see `palmette --help`)",
            ),
            (
                "palmette tree info t.csv --format cvs",
                "invalid value 'cvs' for '--format <FORMAT>' [possible values: csv, tsv, npy, \
                 newick, edges]; did you mean `csv`? (see `palmette tree info --help`)",
            ),
            (
                "palmette tree info t.csv --lenghts",
                "unexpected argument '--lenghts' found; did you mean `--lengths`? \
                 (see `palmette tree info --help`)",
            ),
            (
                "palmette help tree leafix",
                "unrecognized subcommand 'leafix'; did you mean `leaffix`? \
                 (see `palmette tree --help`)",
            ),
            (
                "palmette tree leaffix t.csv --modulus seven",
                "invalid value 'seven' for '--modulus <M>': expected a whole number \
                 (see `palmette tree leaffix --help`)",
            ),
            (
                "palmette tree generate profile:ldor",
                "invalid value 'profile:ldor' for '<SHAPE>': unknown profile `ldor`; did you mean \
                 `ldoor`? (see `palmette tree generate --help`)",
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
            for after in ["", " x.svg"] {
                let line = format!("palmette {verb} {old}{after}").replace("  ", " ");
                let typed: Vec<String> = line.split(' ').map(str::to_string).collect();
                assert_eq!(said(&line), renamed::filled(new, &typed), "{line}");
            }
        }
        let line = "palmette tree generate --shape star -n 10";
        assert!(said(line).contains("`tree generate star:10`"), "{}", said(line));
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
