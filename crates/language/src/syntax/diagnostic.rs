//! Errors with file, line, column, the line itself and a caret under the place.

use std::fmt;

/// A stretch of the program's text, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Span {
    /// Where it begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

impl Span {
    /// From the beginning of this to the end of another.
    pub(crate) fn to(self, end: Span) -> Span {
        Span { start: self.start, end: end.end }
    }
}

/// What is wrong at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What is wrong, and where known what would be right.
    pub message: String,
    /// What is shown: the line, and blanks and carets under it.
    excerpt: [String; 2],
}

/// All that is wrong with a program, by place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostics {
    file: String,
    list: Vec<Diagnostic>,
    /// Errors beyond those that are listed.
    more: usize,
}

impl Diagnostics {
    /// The errors, in the order of their places.
    pub fn list(&self) -> &[Diagnostic] {
        &self.list
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, error) in self.list.iter().enumerate() {
            let Diagnostic { line, column, message, excerpt } = error;
            let newline = if k > 0 { "\n" } else { "" };
            write!(f, "{newline}{}:{line}:{column}: {message}", self.file)?;
            write!(f, "\n  {}\n  {}", excerpt[0], excerpt[1])?;
        }
        if self.more > 0 {
            write!(f, "\nand {} more", self.more)?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}

#[derive(Debug, Default)]
pub(crate) struct Errors {
    found: Vec<(Span, String)>,
}

impl Errors {
    /// One more.
    pub(crate) fn push(&mut self, span: Span, message: impl Into<String>) {
        self.found.push((span, message.into()));
    }

    pub(crate) fn count(&self) -> usize {
        self.found.len()
    }

    /// Nothing, or all errors with their lines.
    pub(crate) fn finish(&mut self, file: &str, text: &str) -> Result<(), Diagnostics> {
        if self.found.is_empty() {
            return Ok(());
        }
        let mut found = std::mem::take(&mut self.found);
        found.sort_by_key(|(span, _)| span.start);
        found.dedup();
        let more = found.len().saturating_sub(MOST_SHOWN);
        found.truncate(MOST_SHOWN);
        let list = found.into_iter().map(|(span, message)| locate(text, span, message));
        Err(Diagnostics { file: file.to_string(), list: list.collect(), more })
    }
}

/// Errors that are shown.
const MOST_SHOWN: usize = 20;

/// The line of a place, from 1.
pub(crate) fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes()[..at.min(text.len())].iter().filter(|&&byte| byte == b'\n').count() + 1
}

fn locate(text: &str, span: Span, message: String) -> Diagnostic {
    let start = span.start.min(text.len());
    let first = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let last = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let line = text[first..last].trim_end();
    let before = text[first..start].chars().count();
    let end = span.end.clamp(start, last);
    let width = text[start..end].trim_end().chars().count().max(1);
    // A very long line is shown around the place.
    let skipped = if before > WIDEST { before - WIDEST / 2 } else { 0 };
    let shown = |c: char| if c.is_control() && c != '\t' { ' ' } else { c };
    let excerpt: String = line.chars().skip(skipped).take(2 * WIDEST).map(shown).collect();
    let blanks = line.chars().chain(std::iter::repeat(' ')).skip(skipped).take(before - skipped);
    let blanks: String = blanks.map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    let carets = "^".repeat(width.min(WIDEST));
    Diagnostic {
        line: line_of(text, start),
        column: before + 1,
        message,
        excerpt: [excerpt, format!("{blanks}{carets}")],
    }
}

/// Half of the characters of a line that are shown.
const WIDEST: usize = 80;
