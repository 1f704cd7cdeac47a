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
        // Options that are known but contradict each other need no other name.
        if error.kind() != ErrorKind::UnknownArgument {
            return None;
        }
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
