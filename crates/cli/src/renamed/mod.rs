//! Old spellings of verbs, options and values, and what to write now.

mod old;

use clap::Error;
use clap::error::{ContextKind, ContextValue};
use old::OLD;

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
fn filled(message: &str, words: &[String]) -> String {
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
