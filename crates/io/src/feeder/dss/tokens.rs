//! One line of a script: its comment, its words `name=value`, and the values.
//!
//! Blanks and commas separate words; `"…"`, `'…'`, `(…)`, `[…]` and `{…}` hold a value together. In
//! such a value of one number, operators may follow their operands: `(8 1000 /)`.

use crate::number;
use std::borrow::Cow;

/// A word of a line.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Word<'a> {
    /// What stands before `=`, in small letters; nothing for a word alone.
    pub(crate) name: Option<String>,
    pub(crate) value: Cow<'a, str>,
}

/// A line without its comment: what follows `!` or `//` outside quotes.
pub(crate) fn without_comment(line: &str) -> &str {
    let (mut close, bytes) = (None, line.as_bytes());
    for (at, &byte) in bytes.iter().enumerate() {
        match (close, byte) {
            (Some(end), _) if byte == end => close = None,
            (Some(_), _) => {}
            (None, b'!') => return &line[..at],
            (None, b'/') if bytes.get(at + 1) == Some(&b'/') => return &line[..at],
            (None, _) => close = closing(byte),
        }
    }
    line
}

/// What ends a quote that a byte begins.
fn closing(byte: u8) -> Option<u8> {
    match byte {
        b'"' | b'\'' => Some(byte),
        b'(' => Some(b')'),
        b'[' => Some(b']'),
        b'{' => Some(b'}'),
        _ => None,
    }
}

/// The words of a line, or what is wrong with it.
pub(crate) fn words(line: &str) -> Result<Vec<Word<'_>>, String> {
    let bytes = line.as_bytes();
    let is_gap = |at: usize| matches!(bytes.get(at), Some(b' ' | b'\t' | b',' | b'\r'));
    let skip = |mut at: usize, gap: &dyn Fn(usize) -> bool| {
        while gap(at) {
            at += 1;
        }
        at
    };
    let is_blank = |at: usize| matches!(bytes.get(at), Some(b' ' | b'\t' | b'\r'));
    // A value and where it ends.
    let value = |at: usize| -> Result<(Cow<'_, str>, usize), String> {
        if let Some(end) = bytes.get(at).copied().and_then(closing) {
            let length = bytes[at + 1..].iter().position(|&byte| byte == end);
            let length = length.ok_or_else(|| format!("no `{}`", end as char))?;
            return Ok((Cow::Borrowed(&line[at + 1..at + 1 + length]), at + length + 2));
        }
        let mut end = at;
        while end < bytes.len() && !is_gap(end) && bytes[end] != b'=' {
            end += 1;
        }
        Ok((Cow::Borrowed(&line[at..end]), end))
    };
    let (mut all, mut at) = (Vec::new(), 0);
    loop {
        at = skip(at, &is_gap);
        if at >= bytes.len() {
            return Ok(all);
        }
        if bytes[at] == b'=' {
            return Err("`=` without a name".to_string());
        }
        let (first, end) = value(at)?;
        let next = skip(end, &is_blank);
        if bytes.get(next) == Some(&b'=') {
            let (text, end) = value(skip(next + 1, &is_blank))?;
            all.push(Word { name: Some(first.trim().to_ascii_lowercase()), value: text });
            at = end;
        } else {
            all.push(Word { name: None, value: first });
            at = end;
        }
    }
}

/// A number, or a calculation whose operators follow their operands.
pub(crate) fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    if let Some(value) = plain(text) {
        return Some(value);
    }
    let mut stack: Vec<f64> = Vec::new();
    for word in text.split([' ', '\t', ',']).filter(|word| !word.is_empty()) {
        if let Some(value) = plain(word) {
            stack.push(value);
            continue;
        }
        let word = word.to_ascii_lowercase();
        if let "sqrt" | "sqr" | "inv" | "sin" | "cos" | "tan" | "ln" | "exp" = word.as_str() {
            let x = stack.pop()?;
            stack.push(match word.as_str() {
                "sqrt" => x.sqrt(),
                "sqr" => x * x,
                "inv" => 1.0 / x,
                "sin" => x.to_radians().sin(),
                "cos" => x.to_radians().cos(),
                "tan" => x.to_radians().tan(),
                "ln" => x.ln(),
                _ => x.exp(),
            });
            continue;
        }
        let (b, a) = (stack.pop()?, stack.pop()?);
        stack.push(match word.as_str() {
            "+" => a + b,
            "-" => a - b,
            "*" => a * b,
            "/" => a / b,
            "^" => a.powf(b),
            _ => return None,
        });
    }
    let [value] = stack[..] else { return None };
    value.is_finite().then_some(value)
}

fn plain(word: &str) -> Option<f64> {
    let unsigned = word.strip_prefix('+').unwrap_or(word);
    let (value, length) = number::float_prefix(unsigned.as_bytes())?;
    let whole = length == unsigned.len() && value.is_finite();
    (whole && !number::is_lost(unsigned.as_bytes(), value)).then_some(value)
}

/// The words of an array.
pub(crate) fn array(text: &str) -> Vec<&str> {
    text.split([' ', '\t', ',', '|', '\r']).filter(|word| !word.is_empty()).collect()
}

/// The numbers of an array.
pub(crate) fn numbers(text: &str) -> Option<Vec<f64>> {
    array(text).into_iter().map(plain).collect()
}

/// A symmetric matrix of `n` rows between `|`: whole, or the part below the diagonal.
pub(crate) fn matrix(text: &str, n: usize) -> Option<Vec<Vec<f64>>> {
    let rows: Option<Vec<Vec<f64>>> = text.split('|').map(numbers).collect();
    let rows = rows?;
    if rows.len() != n {
        return None;
    }
    let full = rows.iter().all(|row| row.len() == n);
    let lower = rows.iter().enumerate().all(|(k, row)| row.len() == k + 1);
    if full {
        let symmetric = (0..n).all(|i| (0..i).all(|j| rows[i][j] == rows[j][i]));
        return symmetric.then_some(rows);
    }
    if !lower {
        return None;
    }
    let entry = |i: usize, j: usize| rows[i.max(j)][i.min(j)];
    Some((0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect())
}

/// `yes`, `no` and their kin.
pub(crate) fn boolean(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "y" | "yes" | "true" | "t" => Some(true),
        "n" | "no" | "false" | "f" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_names_and_quoted_values() {
        let line = "New Line.a Bus1=x.1.2,  rmatrix = (1 | 2 3 ) code='a b' yes";
        let found = words(line).expect("words");
        let pairs: Vec<(Option<&str>, &str)> =
            found.iter().map(|word| (word.name.as_deref(), &*word.value)).collect();
        let expected = [
            (None, "New"),
            (None, "Line.a"),
            (Some("bus1"), "x.1.2"),
            (Some("rmatrix"), "1 | 2 3 "),
            (Some("code"), "a b"),
            (None, "yes"),
        ];
        assert_eq!(pairs, expected);
        assert!(words("a=(1 2").is_err() && words("= 3").is_err());
        assert_eq!(without_comment("a=1 // b"), "a=1 ");
        assert_eq!(without_comment("a='!' ! c"), "a='!' ");
    }

    #[test]
    fn values_are_numbers_arrays_and_matrices() {
        assert_eq!(number("8 1000 /"), Some(0.008));
        assert_eq!(number(".5"), Some(0.5));
        assert_eq!(number("2 sqr 3 +"), Some(7.0));
        for wrong in ["", "1 2", "a", "1 /", "1 0 /", "1 rollup"] {
            assert_eq!(number(wrong), None, "{wrong}");
        }
        let whole = Some(vec![vec![1.0, 2.0], vec![2.0, 3.0]]);
        assert_eq!(matrix("1 | 2 3", 2), whole);
        assert_eq!(matrix("1 2 | 2, 3", 2), whole);
        assert_eq!((matrix("1 2 | 4 3", 2), matrix("1 | 2 3", 3)), (None, None));
        assert_eq!((boolean("Yes"), boolean("maybe")), (Some(true), None));
    }
}
