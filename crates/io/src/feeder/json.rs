//! JSON whose values know their lines, so that errors about what they mean can name the place.
//!
//! **Method.** Descent over the text, at most [`DEEPEST`] levels; names of objects are borrowed
//! from it where they have no escapes. `NaN` and `Infinity` are read as Python writes them.

use crate::IoError;
use crate::quote::shown;
use std::borrow::Cow;
use std::collections::HashSet;

/// Levels of lists and objects.
const DEEPEST: usize = 100;
/// So many names are compared with each other; more of them are kept in a set.
const FEW: usize = 16;

/// A value and the line it starts on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Json<'a> {
    pub(crate) line: u64,
    pub(crate) value: Value<'a>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value<'a> {
    Null,
    Bool(bool),
    Number(f64),
    Text(Cow<'a, str>),
    List(Vec<Json<'a>>),
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

/// Reads a whole text, whose first line has a number; with `nested` every value is said to be on
/// that line, which is that of a text in a JSON string.
pub(crate) fn parse<'a>(
    file: &str,
    text: &'a str,
    line: u64,
    nested: bool,
) -> Result<Json<'a>, IoError> {
    let mut reader = Reader { file, text, bytes: text.as_bytes(), at: 0, line, nested };
    let value = reader.value(0)?;
    reader.blanks();
    match reader.at == text.len() {
        true => Ok(value),
        false => Err(reader.expected("the end of the JSON text")),
    }
}

struct Reader<'a, 'f> {
    file: &'f str,
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    line: u64,
    nested: bool,
}

impl<'a> Reader<'a, '_> {
    fn blanks(&mut self) {
        while let Some(byte @ (b' ' | b'\t' | b'\r' | b'\n')) = self.bytes.get(self.at) {
            self.line += u64::from(*byte == b'\n' && !self.nested);
            self.at += 1;
        }
    }

    fn expected(&self, what: &str) -> IoError {
        let rest: String = self.text.get(self.at..).unwrap_or("").chars().take(12).collect();
        let found = if rest.is_empty() { "the end".to_string() } else { shown(&rest) };
        IoError::on_line(self.file, self.line, what, found)
    }

    fn take(&mut self, byte: u8) -> bool {
        self.blanks();
        let there = self.bytes.get(self.at) == Some(&byte);
        self.at += usize::from(there);
        there
    }

    fn value(&mut self, depth: usize) -> Result<Json<'a>, IoError> {
        if depth > DEEPEST {
            return Err(self.expected(&format!("at most {DEEPEST} levels of lists")));
        }
        self.blanks();
        let line = self.line;
        let value = match self.bytes.get(self.at) {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'"') => Value::Text(self.text()?),
            Some(b'-' | b'0'..=b'9' | b'N' | b'I') => self.number()?,
            _ => self.word()?,
        };
        Ok(Json { line, value })
    }

    fn list(&mut self, depth: usize) -> Result<Value<'a>, IoError> {
        self.at += 1;
        let mut all = Vec::new();
        if self.take(b']') {
            return Ok(Value::List(all));
        }
        loop {
            all.push(self.value(depth + 1)?);
            if self.take(b']') {
                return Ok(Value::List(all));
            }
            if !self.take(b',') {
                return Err(self.expected("`,` or `]`"));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value<'a>, IoError> {
        self.at += 1;
        let mut all: Vec<(Cow<'a, str>, Json<'a>)> = Vec::new();
        if self.take(b'}') {
            return Ok(Value::Object(all));
        }
        loop {
            self.blanks();
            if self.bytes.get(self.at) != Some(&b'"') {
                return Err(self.expected("a name in quotes"));
            }
            let name = self.text()?;
            if !self.take(b':') {
                return Err(self.expected("`:`"));
            }
            let value = self.value(depth + 1)?;
            all.push((name, value));
            if self.take(b'}') {
                self.check_names(&all)?;
                return Ok(Value::Object(all));
            }
            if !self.take(b',') {
                return Err(self.expected("`,` or `}`"));
            }
        }
    }

    /// Refuses a name that an object has twice: which of the values holds would be a guess.
    fn check_names(&self, all: &[(Cow<'a, str>, Json<'a>)]) -> Result<(), IoError> {
        let again = match all.len() <= FEW {
            true => (1..all.len()).find(|&k| all[..k].iter().any(|(name, _)| *name == all[k].0)),
            false => {
                let mut seen = HashSet::with_capacity(all.len());
                all.iter().position(|(name, _)| !seen.insert(&**name))
            }
        };
        again.map_or(Ok(()), |k| {
            let (name, value) = &all[k];
            let found = format!("{} again", shown(name));
            Err(IoError::on_line(self.file, value.line, "each name of an object once", found))
        })
    }

    fn word(&mut self) -> Result<Value<'a>, IoError> {
        let words =
            [("true", Value::Bool(true)), ("false", Value::Bool(false)), ("null", Value::Null)];
        for (word, value) in words {
            if self.bytes[self.at..].starts_with(word.as_bytes()) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(self.expected("a JSON value"))
    }

    fn number(&mut self) -> Result<Value<'a>, IoError> {
        let words =
            [("NaN", f64::NAN), ("Infinity", f64::INFINITY), ("-Infinity", f64::NEG_INFINITY)];
        for (word, value) in words {
            if self.bytes[self.at..].starts_with(word.as_bytes()) {
                self.at += word.len();
                return Ok(Value::Number(value));
            }
        }
        let is_part = |b: &u8| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.' | b'e' | b'E');
        let length = self.bytes[self.at..].iter().take_while(|b| is_part(b)).count();
        let digits = &self.text[self.at..self.at + length];
        match fast_float2::parse::<f64, _>(digits) {
            Ok(value) if crate::number::is_lost(digits.as_bytes(), value) => {
                Err(self.expected("a number that is not too small"))
            }
            Ok(value) => {
                self.at += length;
                Ok(Value::Number(value))
            }
            Err(_) => Err(self.expected("a number")),
        }
    }

    fn text(&mut self) -> Result<Cow<'a, str>, IoError> {
        self.at += 1;
        let start = self.at;
        let end = |reader: &Self| memchr::memchr2(b'"', b'\\', &reader.bytes[reader.at..]);
        let mut owned = String::new();
        let mut from = start;
        loop {
            let Some(step) = end(self) else {
                self.at = self.bytes.len();
                return Err(self.expected("`\"` at the end of a text"));
            };
            self.at += step;
            if self.bytes[self.at] == b'"' {
                let last = &self.text[from..self.at];
                self.at += 1;
                return Ok(if from == start {
                    Cow::Borrowed(last)
                } else {
                    owned.push_str(last);
                    Cow::Owned(owned)
                });
            }
            owned.push_str(&self.text[from..self.at]);
            self.at += 1;
            owned.push(self.escape()?);
            from = self.at;
        }
    }

    fn escape(&mut self) -> Result<char, IoError> {
        let byte = self.bytes.get(self.at).copied();
        self.at += 1;
        Ok(match byte {
            Some(b @ (b'"' | b'\\' | b'/')) => b as char,
            Some(b'n') => '\n',
            Some(b't') => '\t',
            Some(b'r') => '\r',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'u') => {
                let first = self.hex()?;
                let code = match first {
                    0xd800..0xdc00 if self.bytes[self.at..].starts_with(b"\\u") => {
                        self.at += 2;
                        let second = self.hex()?;
                        0x10000 + ((first - 0xd800) << 10) + (second.wrapping_sub(0xdc00) & 0x3ff)
                    }
                    code => code,
                };
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            _ => {
                self.at -= 1;
                return Err(self.expected("an escape of JSON after `\\`"));
            }
        })
    }

    fn hex(&mut self) -> Result<u32, IoError> {
        let digits = self.text.get(self.at..self.at + 4);
        let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let code = code.ok_or_else(|| self.expected("four hexadecimal digits"))?;
        self.at += 4;
        Ok(code)
    }
}

impl<'a> Json<'a> {
    /// What an error calls it.
    pub(crate) fn found(&self) -> String {
        match &self.value {
            Value::Null => "null".to_string(),
            Value::Bool(b) => b.to_string(),
            Value::Number(x) => x.to_string(),
            Value::Text(text) => shown(text),
            Value::List(_) => "a list".to_string(),
            Value::Object(_) => "an object".to_string(),
        }
    }

    pub(crate) fn wrong(&self, file: &str, expected: impl Into<String>) -> IoError {
        IoError::on_line(file, self.line, expected, self.found())
    }

    /// The members of an object.
    pub(crate) fn object(
        &self,
        file: &str,
        what: &str,
    ) -> Result<&[(Cow<'a, str>, Json<'a>)], IoError> {
        match &self.value {
            Value::Object(all) => Ok(all),
            _ => Err(self.wrong(file, format!("an object: {what}"))),
        }
    }

    pub(crate) fn list(&self, file: &str, what: &str) -> Result<&[Json<'a>], IoError> {
        match &self.value {
            Value::List(all) => Ok(all),
            _ => Err(self.wrong(file, format!("a list: {what}"))),
        }
    }

    pub(crate) fn text(&self, file: &str, what: &str) -> Result<&str, IoError> {
        match &self.value {
            Value::Text(text) => Ok(text),
            _ => Err(self.wrong(file, format!("a text: {what}"))),
        }
    }

    /// A member of an object.
    pub(crate) fn get(&self, name: &str) -> Option<&Json<'a>> {
        match &self.value {
            Value::Object(all) => all.iter().find(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_their_lines() {
        let text =
            "{\"a\": [1, -2.5e3,\n null],\n \"b\\u00e9\\n\": {\"c\": \"x\\\"y\"}, \"n\": NaN}";
        let json = parse("f", text, 1, false).expect("JSON");
        let list = json.get("a").and_then(|a| a.list("f", "a").ok()).expect("a list");
        assert_eq!(list[1].value, Value::Number(-2500.0));
        assert_eq!((list[2].line, &list[2].value), (2, &Value::Null));
        let inner = json.get("bé\n").and_then(|b| b.get("c")).expect("c");
        assert_eq!((inner.line, inner.text("f", "").expect("text")), (3, "x\"y"));
        assert!(matches!(json.get("n").expect("n").value, Value::Number(x) if x.is_nan()));
    }

    #[test]
    fn damage_is_an_error_with_its_line() {
        for (text, line) in [
            ("{\"a\": 1,\n\"b\" 2}", 2),
            ("[1, 2", 1),
            ("[1,\n\n x]", 3),
            ("\"abc", 1),
            ("{\"a\": \"\\x\"}", 1),
            ("[1] 2", 1),
            ("", 1),
            ("{\"a\": {\"b\": 1, \"c\": 2,\n\"b\": 3}}", 2),
        ] {
            let error = parse("f", text, 1, false).expect_err(text).to_string();
            assert!(error.starts_with(&format!("f, line {line}: expected")), "{text}: {error}");
        }
        assert!(parse("f", &"[".repeat(1000), 1, false).is_err());
        let many: String = (0..100).map(|k| format!("\"k{}\": {k}, ", k % 99)).collect();
        let error = parse("f", &format!("{{{many}\"z\": 0}}"), 1, false).expect_err("k0 twice");
        assert!(error.to_string().contains("found `k0` again"), "{error}");
    }
}
