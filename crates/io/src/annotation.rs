//! Annotations of vertices: texts by key, as comments of Newick have them.
//!
//! **Problem.** From `[&&NHX:S=human:B=100]` and `[&rate=0.5,set={a,b},at="Paris, FR"]` to keys and
//! texts, and back.
//! **Method.** NHX has `key=value` between colons. BEAST has it between commas outside of `{…}` and
//! `"…"`; quotes around a text are taken off, those in it are doubled, sets stay as they are. A key
//! without a value has the text `true`. An annotation that is empty is none.
//! **Cost.** Linear; per key 4 bytes per vertex, and its texts.

use crate::texts::Texts;
use crate::write::{invalid, put_quoted};
use palmette_core::{NONE, named};
use std::borrow::Cow;
use std::io;

named! {
    /// How annotations are written in Newick and NEXUS.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum AnnotationStyle("annotation style") {
        /// Not at all.
        #[default]
        None = "none",
        /// `[&&NHX:key=value:key=value]`.
        Nhx = "nhx",
        /// `[&key=value,key=value]`.
        Beast = "beast",
    }
}

/// A text by vertex for a key.
#[derive(Debug, Clone)]
pub struct Annotation {
    /// The key.
    pub name: String,
    texts: Texts,
}

impl Annotation {
    /// From a text for each vertex; an empty one is none.
    pub fn new<S: AsRef<str>>(name: impl Into<String>, all: impl IntoIterator<Item = S>) -> Self {
        let mut texts = Texts::default();
        all.into_iter().for_each(|text| texts.push(text.as_ref()));
        Annotation { name: name.into(), texts }
    }

    /// From the texts of some of `n` vertices; of two for one vertex the last is taken.
    pub(crate) fn of_some<'a>(
        name: String,
        n: usize,
        some: impl Iterator<Item = (u32, &'a str)>,
    ) -> Annotation {
        let (mut texts, mut order) = (Texts::default(), vec![NONE; n]);
        for (vertex, text) in some {
            order[vertex as usize] = texts.pushed() as u32;
            texts.push(text);
        }
        Annotation { name, texts: texts.in_order(order) }
    }

    pub(crate) fn of_texts(name: String, texts: Texts) -> Annotation {
        Annotation { name, texts }
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text of a vertex; empty where it has none.
    ///
    /// # Panics
    /// When there is no such vertex.
    pub fn get(&self, vertex: u32) -> &str {
        self.texts.get(vertex as usize)
    }

    /// The texts of other vertices: `from[v]` says which text vertex `v` gets, `NONE` none.
    #[must_use]
    pub fn gathered(&self, from: &[u32]) -> Annotation {
        let texts = (0u32..).zip(from).filter(|(_, old)| **old != NONE);
        let texts = texts.map(|(new, &old)| (new, self.get(old))).filter(|one| !one.1.is_empty());
        Annotation::of_some(self.name.clone(), from.len(), texts)
    }
}

impl PartialEq for Annotation {
    fn eq(&self, other: &Annotation) -> bool {
        let same = |v: u32| self.get(v) == other.get(v);
        self.name == other.name && self.len() == other.len() && (0..self.len() as u32).all(same)
    }
}

/// The keys and texts of a comment, which begins with `&`.
pub(crate) fn entries<'a>(comment: &'a str, mut each: impl FnMut(&'a str, Cow<'a, str>)) {
    let text = comment.strip_prefix('&').unwrap_or(comment);
    if let Some(rest) = text.strip_prefix("&NHX") {
        rest.split(':').for_each(|item| entry(item, &mut each));
        return;
    }
    let (mut start, mut depth, mut quoted) = (0, 0usize, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b'{' if !quoted => depth += 1,
            b'}' if !quoted => depth = depth.saturating_sub(1),
            b',' if !quoted && depth == 0 => {
                entry(&text[start..at], &mut each);
                start = at + 1;
            }
            _ => {}
        }
    }
    entry(&text[start..], &mut each);
}

fn entry<'a>(item: &'a str, each: &mut impl FnMut(&'a str, Cow<'a, str>)) {
    let (key, value) = item.split_once('=').unwrap_or((item, "true"));
    let (key, value) = (key.trim(), value.trim());
    let quoted = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let value = match quoted {
        Some(inner) if inner.contains('"') => Cow::Owned(inner.replace("\"\"", "\"")),
        Some(inner) => Cow::Borrowed(inner),
        None => Cow::Borrowed(value),
    };
    if !key.is_empty() && !value.is_empty() {
        each(key, value);
    }
}

/// Appends a comment with some annotations; nothing where there are none.
pub(crate) fn put<'a>(
    out: &mut Vec<u8>,
    style: AnnotationStyle,
    items: impl Iterator<Item = (&'a str, &'a str)>,
) {
    let (start, separator): (&[u8], u8) = match style {
        AnnotationStyle::None => return,
        AnnotationStyle::Nhx => (b"[&&NHX:", b':'),
        AnnotationStyle::Beast => (b"[&", b','),
    };
    let mut any = false;
    for (key, value) in items {
        match any {
            true => out.push(separator),
            false => out.extend_from_slice(start),
        }
        any = true;
        out.extend_from_slice(key.as_bytes());
        out.push(b'=');
        match style == AnnotationStyle::Nhx || is_plain(value) {
            true => out.extend_from_slice(value.as_bytes()),
            false => put_quoted(out, b'"', value),
        }
    }
    if any {
        out.push(b']');
    }
}

/// Whether BEAST's style has a text without quotes.
fn is_plain(value: &str) -> bool {
    let ends = value.starts_with(char::is_whitespace) || value.ends_with(char::is_whitespace);
    let inner = value.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    match inner {
        Some(inner) if !inner.contains(['{', '}']) => inner.matches('"').count() % 2 == 0,
        _ => !ends && !value.contains([',', '"', '{', '}', '=']),
    }
}

/// Refuses what a style cannot say so that it is read back.
pub(crate) fn check(style: AnnotationStyle, annotations: &[Annotation]) -> io::Result<()> {
    if style == AnnotationStyle::None {
        return Ok(());
    }
    for annotation in annotations {
        let key = annotation.name.as_str();
        let marks = [',', '=', '"', '[', ']', '{', '}', '&'];
        let colon = style == AnnotationStyle::Nhx && key.contains(':');
        if key != key.trim() || key.is_empty() || key.contains(marks) || colon {
            let style = style.name();
            return Err(invalid(format!("{style} cannot hold the key `{key}` of an annotation")));
        }
        for vertex in 0..annotation.len() as u32 {
            let text = annotation.get(vertex);
            if !holds(style, text) {
                return Err(invalid(format!(
                    "{} cannot hold the text `{text}` of annotation `{key}`",
                    style.name()
                )));
            }
        }
    }
    Ok(())
}

fn holds(style: AnnotationStyle, text: &str) -> bool {
    let (mut depth, mut closed) = (0i64, true);
    for byte in text.bytes() {
        depth += i64::from(byte == b'[') - i64::from(byte == b']');
        closed &= depth >= 0;
    }
    let brackets = closed && depth == 0;
    let nhx = || {
        let quoted = text.len() > 1 && text.starts_with('"') && text.ends_with('"');
        !text.contains(':') && text == text.trim() && !quoted
    };
    brackets && (style == AnnotationStyle::Beast || nhx())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(comment: &str) -> Vec<(String, String)> {
        let mut found = Vec::new();
        entries(comment, |key, value| found.push((key.to_string(), value.into_owned())));
        found
    }

    #[test]
    fn both_styles_are_read() {
        let pairs = |list: &[(&str, &str)]| -> Vec<(String, String)> {
            list.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect()
        };
        assert_eq!(read("&&NHX:S=human:E=1.1.1.1"), pairs(&[("S", "human"), ("E", "1.1.1.1")]));
        assert_eq!(
            read("&a=1,s={\"x, y\",z},q=\"Paris, \"\"FR\"\"\",!flag, e="),
            pairs(&[("a", "1"), ("s", "{\"x, y\",z}"), ("q", "Paris, \"FR\""), ("!flag", "true")])
        );
        assert_eq!(read("&"), pairs(&[]));
    }

    #[test]
    fn what_is_written_is_read() {
        let texts = [
            "1", "a b", " a", "a,b", "a\"b", "{a,b}", "{a}{b}", "x=y", "a:b", "\"q\"", "{\"",
            "[x]", "é",
        ];
        for style in [AnnotationStyle::Nhx, AnnotationStyle::Beast] {
            for text in texts {
                let annotations = [Annotation::new("k", [text])];
                if check(style, &annotations).is_err() {
                    assert_eq!(style, AnnotationStyle::Nhx, "{text}");
                    continue;
                }
                let mut out = Vec::new();
                put(&mut out, style, [("k", text), ("l", "2")].into_iter());
                let comment = String::from_utf8(out).expect("text");
                let inner = comment.trim_start_matches('[').trim_end_matches(']');
                let inner = if text == "[x]" { &comment[1..comment.len() - 1] } else { inner };
                let expected = [("k", text), ("l", "2")].map(|(k, v)| (k.into(), v.into()));
                assert_eq!(read(inner), expected, "{comment}");
            }
        }
        assert!(check(AnnotationStyle::Beast, &[Annotation::new("k", ["a]"])]).is_err());
        assert!(check(AnnotationStyle::Beast, &[Annotation::new("a,b", ["1"])]).is_err());
    }
}
