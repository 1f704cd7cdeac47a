//! What `palmette` says when nothing else is typed: the nouns, each with an example to type.

use crate::arguments::Cli;
use clap::{Command, CommandFactory};

/// The nouns with examples, and where to go on.
pub(crate) fn text() -> String {
    let command = Cli::command();
    let about =
        |command: &Command| command.get_about().map(ToString::to_string).unwrap_or_default();
    let mut text = format!("{}.\n", about(&command));
    for noun in command.get_subcommands().filter(|noun| noun.has_subcommands()) {
        text += &format!("\n{:<8} {}\n", noun.get_name(), about(noun));
        let example = noun.get_after_help().map(ToString::to_string).unwrap_or_default();
        for line in example.lines().skip(1) {
            text += &format!("         {}\n", line.trim());
        }
    }
    text += "\n\
        palmette demo            the whole way from a mesh to messages, as one report\n\
        palmette tree --help     the verbs of a noun; the same for the others\n\
        palmette help formats    the files that each noun reads and writes\n\
        palmette --help          all commands and options\n";
    text
}
