//! What was read, put together: labels, support, annotations, the columns asked for.

use super::Parser;
use super::notes::Note;
use crate::IoError;
use crate::annotation::{Annotation, entries};
use crate::labels::Labels;
use crate::names::Names;
use crate::quote::{listed, shown};
use crate::read_values::without_values;
use crate::tree_file::{ReadParams, SupportLabels, TreeFile};
use crate::values::{Column, ColumnKey, Number, Values};
use memchr::{memchr, memmem};
use palmette_core::NONE;
use std::borrow::Cow;

/// The key under which support is a comment.
pub(crate) const SUPPORT_KEY: &str = "support";

/// Texts of vertices by key, in the order of the text.
#[derive(Default)]
struct ByKey<'a> {
    names: Vec<String>,
    texts: Vec<Vec<(u32, Cow<'a, str>)>>,
}

impl Parser<'_> {
    pub(super) fn finish(mut self, params: &ReadParams) -> Result<TreeFile, IoError> {
        let lengths =
            (self.keep_lengths && self.measured > 0).then(|| std::mem::take(&mut self.lengths));
        if lengths.is_some()
            && params.missing_length.is_none()
            && let Some(at) = self.unmeasured
        {
            return Err(self.source.without_length(at));
        }
        self.refuse_network()?;
        let n = self.parents.len();
        let mut support = self.take_support(params.support);
        let notes = std::mem::take(&mut self.notes);
        let all = params.annotations || !params.columns.is_empty();
        let mut found = by_key(self.source.text, &notes, all);
        if params.support != SupportLabels::No && support.is_none() {
            support = found.take_support(n);
        }
        let labels = if self.keep_labels {
            Labels::from_texts(self.labels.texts().in_order(self.label_of))
        } else {
            Labels::numbers(n)
        };
        let annotations = found.names.into_iter().zip(&found.texts).map(|(name, texts)| {
            Annotation::of_some(name, n, texts.iter().map(|(v, text)| (*v, text.as_ref())))
        });
        let kept = notes.len() * usize::from(params.annotations);
        let mut file = TreeFile {
            lengths,
            support,
            annotations: annotations.collect(),
            trees: self.trees,
            comments: self.comments + notes.len() - kept,
            lines: self.lines,
            ..TreeFile::new(self.source.name, self.parents, labels)
        };
        file.take_columns(params)?;
        Ok(file)
    }

    /// Refuses a network: a label `x#H1` without quotes that two vertices have.
    fn refuse_network(&self) -> Result<(), IoError> {
        if memchr(b'#', self.labels.bytes()).is_none() {
            return Ok(());
        }
        let mut seen = std::collections::BTreeSet::new();
        for (v, &label) in self.label_of.iter().enumerate().filter(|(_, label)| **label != NONE) {
            let text = self.labels.get(label as usize);
            if let Some(hybrid) = hybrid_in(text).filter(|_| !self.is_quoted(label))
                && !seen.insert(hybrid)
            {
                let line = self.lines.line_of(v as u32).unwrap_or(1);
                let label = String::from_utf8_lossy(text).into_owned();
                return Err(IoError::Network { file: self.source.name.to_string(), line, label });
            }
        }
        Ok(())
    }

    /// The error about a network, where one of its labels was read.
    pub(super) fn network_before(&self, at: usize) -> Option<IoError> {
        let before = &self.data[..at];
        let line = crate::source::line_at(self.data, at);
        let found = memchr::memchr_iter(b'#', before).find_map(|hash| {
            let start = before[..hash].iter().rposition(|b| b"(),:;]' \n".contains(b));
            let start = start.map_or(0, |at| at + 1);
            let end = before[hash..].iter().position(|b| b"(),:;[' \n".contains(b));
            let label = &before[start..end.map_or(at, |length| hash + length)];
            hybrid_in(label).map(|_| String::from_utf8_lossy(label).into_owned())
        });
        let file = self.source.name.to_string();
        found.map(|label| IoError::Network { file, line, label })
    }
}

/// What comments say, by key; only support unless `all` is wanted.
fn by_key<'a>(text: &'a str, notes: &[Note], all: bool) -> ByKey<'a> {
    let mut found = ByKey::default();
    let mut keys = Names::new();
    for Note { vertex, range } in notes {
        let comment = &text[range.clone()];
        if !all && memmem::find(comment.as_bytes(), SUPPORT_KEY.as_bytes()).is_none() {
            continue;
        }
        entries(comment, |key, value| {
            if !all && key != SUPPORT_KEY {
                return;
            }
            let (number, is_new) = keys.number(key);
            if is_new {
                found.names.push(key.to_string());
                found.texts.push(Vec::new());
            }
            found.texts[number as usize].push((*vertex, value));
        });
    }
    found
}

/// The hybrid `H1` that a label `x#H1` says its vertex is.
fn hybrid_in(label: &[u8]) -> Option<&[u8]> {
    let hash = label.iter().rposition(|&b| b == b'#')?;
    let hybrid = &label[hash + 1..];
    let letters = hybrid.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let (kind, digits) = hybrid.split_at(letters);
    let is_hybrid = [&b"H"[..], b"LGT", b"R"].contains(&kind) && !digits.is_empty();
    (is_hybrid && digits.iter().all(u8::is_ascii_digit)).then_some(hybrid)
}

impl ByKey<'_> {
    /// Takes support that stands in comments: numbers for the key of that name.
    fn take_support(&mut self, n: usize) -> Option<Vec<f64>> {
        let key = self.names.iter().position(|name| name == SUPPORT_KEY)?;
        let mut support = vec![f64::NAN; n];
        for (vertex, text) in &self.texts[key] {
            support[*vertex as usize] = text.parse().ok().filter(|value: &f64| !value.is_nan())?;
        }
        self.names.remove(key);
        self.texts.remove(key);
        Some(support)
    }
}

impl TreeFile {
    /// Takes the columns asked for from annotations, in a format that has no others.
    pub(crate) fn take_columns(&mut self, params: &ReadParams) -> Result<(), IoError> {
        for (key, number) in &params.columns {
            let column = self.column_of(key, *number, params.missing_value.as_deref())?;
            self.columns.push(column);
        }
        if !params.annotations {
            self.annotations.clear();
        }
        Ok(())
    }

    fn column_of(
        &self,
        key: &ColumnKey,
        number: Number,
        missing: Option<&str>,
    ) -> Result<Column, IoError> {
        let error = |line, expected: String, found: String| {
            Err(IoError::on_line(&self.name, line, expected, found))
        };
        let ColumnKey::Name(name) = key else {
            return error(1, "a table, to take columns from".into(), "a file of trees".into());
        };
        let annotation = self.annotations.iter().find(|annotation| annotation.name == *name);
        let support = self.support.as_ref().filter(|_| name == SUPPORT_KEY);
        if annotation.is_none() && support.is_none() {
            let known = self.support.iter().map(|_| SUPPORT_KEY);
            let known = known.chain(self.annotations.iter().map(|a| a.name.as_str()));
            let found = match listed(known) {
                none if none.is_empty() => "none".to_string(),
                some => some,
            };
            return error(1, format!("an annotation {}", shown(name)), found);
        }
        let (mut bits, mut without) = (Vec::with_capacity(self.len()), Vec::new());
        for v in 0..self.len() as u32 {
            let of_support = support.map(|s| s[v as usize]).filter(|s| !s.is_nan());
            let text = match annotation {
                Some(annotation) => Cow::Borrowed(annotation.get(v)),
                None => of_support.map_or(Cow::Borrowed(""), |s| Cow::Owned(s.to_string())),
            };
            let text = if text.is_empty() { missing.unwrap_or("") } else { &text };
            match number.parse(text) {
                Some(value) => bits.push(value),
                None if text.is_empty() => without.push(v),
                None => {
                    let expected = format!("{} in annotation {}", number.expected(), shown(name));
                    return error(self.line_of(v).unwrap_or(1), expected, shown(text));
                }
            }
        }
        if !without.is_empty() {
            let without = without.iter().map(|&v| v as usize);
            return Err(without_values(&self.name, &self.labels, without));
        }
        Ok(Column { name: name.clone(), values: Values::from_bits(number.kind, bits) })
    }
}
