//! Rust's source as tokens, without comments and without what only tests compile, and what of it
//! reaches beyond its parameters.

use std::path::Path;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Token<'a> {
    Word(&'a str),
    /// What a string says.
    Text(&'a str),
    Sign(char),
}
use Token::{Sign, Text, Word};

/// The length of a prefix of characters that are all like this.
fn run(text: &str, like: impl Fn(char) -> bool) -> usize {
    text.find(|c| !like(c)).unwrap_or(text.len())
}

/// The length of a comment within comments.
fn block_comment(text: &str) -> usize {
    let (mut at, mut depth) = (0, 0);
    while at < text.len() {
        match &text.as_bytes()[at..] {
            [b'/', b'*', ..] => (at, depth) = (at + 2, depth + 1),
            [b'*', b'/', ..] => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// Where the text of a string begins and ends, and where the string ends, if here is one.
fn string(text: &str) -> Option<(usize, usize, usize)> {
    let raw = ["r", "br", "cr"].into_iter().find_map(|prefix| {
        let rest = text.strip_prefix(prefix)?;
        let hashes = run(rest, |c| c == '#');
        rest[hashes..].starts_with('"').then_some((prefix.len() + hashes + 1, hashes))
    });
    if let Some((start, hashes)) = raw {
        let close = format!("\"{}", "#".repeat(hashes));
        let end = start + text[start..].find(&close)?;
        return Some((start, end, end + close.len()));
    }
    let start = 1 + run(text, |c| c == 'b' || c == 'c').min(1);
    text[start - 1..].starts_with('"').then_some(())?;
    let mut end = start;
    while !text[end..].starts_with('"') {
        let escaped = text[end..].starts_with('\\');
        end += usize::from(escaped);
        end += text[end..].chars().next()?.len_utf8();
    }
    Some((start, end, end + 1))
}

/// The length of a character in quotes; a lifetime is none.
fn character(text: &str) -> Option<usize> {
    let mut rest = text.strip_prefix('\'')?.char_indices();
    match rest.next()?.1 {
        '\\' => Some(text[3..].find('\'')? + 4),
        c => text[1 + c.len_utf8()..].starts_with('\'').then_some(c.len_utf8() + 2),
    }
}

/// All tokens.
fn tokens(mut text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    while let Some(first) = text.chars().next() {
        let length = if text.starts_with("//") {
            run(text, |c| c != '\n')
        } else if text.starts_with("/*") {
            block_comment(text)
        } else if let Some((start, end, length)) = string(text) {
            found.push(Text(&text[start..end]));
            length
        } else if let Some(length) = character(text) {
            length
        } else if first.is_alphanumeric() || first == '_' {
            let length = run(text, |c| c.is_alphanumeric() || c == '_');
            found.push(Word(&text[..length]));
            length
        } else {
            found.extend(Some(Sign(first)).filter(|_| !first.is_whitespace()));
            first.len_utf8()
        };
        text = &text[length..];
    }
    found
}

/// The length of an attribute and its item, if it is `#[cfg(test)]` or asks for more than that.
fn test_item(tokens: &[Token<'_>]) -> Option<usize> {
    if !tokens.starts_with(&[Sign('#'), Sign('['), Word("cfg"), Sign('(')]) {
        return None;
    }
    let end = tokens.iter().position(|&token| token == Sign(']'))?;
    let says = |word| tokens[..end].contains(&Word(word));
    if !says("test") || says("not") || says("any") {
        return None;
    }
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(end + 1) {
        match token {
            Sign('{') => depth += 1,
            Sign('}') => depth -= 1,
            _ => {}
        }
        if depth == 0 && matches!(token, Sign('}' | ';')) {
            return Some(at + 1);
        }
    }
    None
}

/// The tokens that programs and libraries are compiled from.
pub(crate) fn product(text: &str) -> Vec<Token<'_>> {
    let all = tokens(text);
    let (mut at, mut kept) = (0, Vec::new());
    while at < all.len() {
        match test_item(&all[at..]) {
            Some(length) => at += length,
            None => {
                kept.push(all[at]);
                at += 1;
            }
        }
    }
    kept
}

/// Whether a file is for tests only, by its name.
pub(crate) fn is_test(path: &Path) -> bool {
    path.iter().any(|part| part == "tests" || part == "tests.rs")
}

/// `unsafe`, if there is any.
pub(crate) fn unsafe_code(tokens: &[Token<'_>]) -> Vec<String> {
    tokens
        .iter()
        .find(|&&token| token == Word("unsafe"))
        .map(|_| "unsafe".into())
        .into_iter()
        .collect()
}

/// What changes the whole process.
const PROCESS_WIDE: [&str; 8] = [
    "build_global",
    "initialize_with_threading",
    "mallopt",
    "set_current_dir",
    "set_hook",
    "setrlimit",
    "signal_hook",
    "umask",
];

/// The names of statics, those of threads included, and of calls that change the process.
pub(crate) fn globals(tokens: &[Token<'_>]) -> Vec<String> {
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        match &tokens[at..] {
            // A lifetime has a sign before it, a trait's bound no name and colon behind.
            [Word("static"), Word("mut"), Word(name), Sign(':'), ..]
            | [Word("static"), Word(name), Sign(':'), ..] => found.push(name.to_string()),
            [Word(name), ..] if PROCESS_WIDE.contains(name) => found.push(name.to_string()),
            _ => {}
        }
    }
    found
}

/// The names of environment variables; where something else is asked for, the function's name.
/// What cargo sets when compiling does not count.
pub(crate) fn environment(tokens: &[Token<'_>]) -> Vec<String> {
    let mut found: Vec<&str> = Vec::new();
    for at in 0..tokens.len() {
        match &tokens[at..] {
            [Word("env"), Sign(':'), Sign(':'), Word("split_paths" | "join_paths"), ..] => {}
            [Word("env"), Sign(':'), Sign(':'), Word("temp_dir"), ..]
            | [Word("tempfile"), Sign(':'), ..] => found.push("TMPDIR"),
            [Word("env"), Sign(':'), Sign(':'), Word(_), Sign('('), Text(name), ..]
            | [Sign('.'), Word("env" | "env_remove"), Sign('('), Text(name), ..] => {
                found.push(name)
            }
            [Word("env" | "option_env"), Sign('!'), Sign('('), Text(name), ..] => {
                found.extend(Some(*name).filter(|name| !name.starts_with("CARGO")));
            }
            [Word("env"), Sign(':'), Sign(':'), Word(function), ..]
            | [Sign('.'), Word(function @ ("env" | "envs" | "env_clear")), Sign('('), ..] => {
                found.push(function);
            }
            _ => {}
        }
    }
    found.into_iter().map(str::to_string).collect()
}
