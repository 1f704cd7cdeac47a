//! A table of costs: a row per state of parents, a column per state of children.

use crate::error::shown;
use crate::rows::Rows;
use crate::source::{Source, plain};
use crate::{Gaps, IoError, Symbols};

/// A square table whose header and first column have states.
///
/// ```text
/// from\to  A  C  G  T
/// A        0  2  1  2
/// …
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct CostFile {
    name: String,
    states: Vec<u8>,
    /// Row after row, in the order of `states`.
    costs: Vec<f64>,
}

impl CostFile {
    /// Reads a table (CSV, TSV, or between blanks); gzip and zstd are decompressed. `inf` is a change
    /// that cannot happen.
    ///
    /// # Errors
    /// A state that is no single character or there twice, rows that are missing or too many, a field
    /// that is no number; with the line.
    pub fn read(name: &str, bytes: &[u8]) -> Result<CostFile, IoError> {
        let data = plain(name, bytes)?;
        let source = Source::new(name, &data)?;
        let mut rows = Rows::of(source);
        let mut fields = Vec::new();
        let header = rows.next(&mut fields)?;
        let texts = |fields: &[crate::rows::Field]| -> Vec<String> {
            fields.iter().map(|field| field.text(&source).into_owned()).collect()
        };
        let mut header_texts = texts(&fields);
        let line = header.unwrap_or(1);
        // A corner is there where a row of states begins with it.
        let states = match header_texts.len() {
            0 | 1 => return Err(source.on_line(line, "a header with the states", "none")),
            _ => header_texts.split_off(1),
        };
        let state = |text: &str, line: u64| match text.as_bytes() {
            [one] => Ok(one.to_ascii_uppercase()),
            _ => Err(source.on_line(line, "a state, one character", shown(text))),
        };
        let states: Vec<u8> =
            states.iter().map(|text| state(text, line)).collect::<Result<_, _>>()?;
        if let Some(twice) = (0..states.len()).find(|&i| states[..i].contains(&states[i])) {
            let found = format!("`{}` twice", char::from(states[twice]));
            return Err(source.on_line(line, "each state once", found));
        }
        let n = states.len();
        let mut costs = vec![f64::NAN; n * n];
        let mut seen = vec![false; n];
        let mut last = line;
        while let Some(line) = rows.next(&mut fields)? {
            last = line;
            let row = texts(&fields);
            let from = state(&row[0], line)?;
            let Some(from) = states.iter().position(|&s| s == from) else {
                return Err(source.on_line(line, "a state of the header", shown(&row[0])));
            };
            if std::mem::replace(&mut seen[from], true) {
                return Err(source.on_line(
                    line,
                    "each state once",
                    format!("{} again", shown(&row[0])),
                ));
            }
            if row.len() != n + 1 {
                let found = format!("{}", row.len() - 1);
                return Err(source.on_line(line, format!("{n} costs"), found));
            }
            for (to, text) in row[1..].iter().enumerate() {
                let cost = text.parse::<f64>().ok().filter(|cost| *cost >= 0.0);
                let wrong = || source.on_line(line, "a cost, at least 0", shown(text));
                costs[from * n + to] = cost.ok_or_else(wrong)?;
            }
        }
        if let Some(missing) = seen.iter().position(|seen| !seen) {
            let expected = format!("a row for `{}`", char::from(states[missing]));
            return Err(source.on_line(last, expected, "the end"));
        }
        Ok(CostFile { name: name.to_string(), states, costs })
    }

    /// The states other than the gap, in the order of the file: an alphabet.
    pub fn alphabet(&self, gaps: Gaps) -> String {
        let gap = |symbol: &&u8| gaps != Gaps::State || **symbol != b'-';
        self.states.iter().filter(gap).map(|&symbol| char::from(symbol)).collect()
    }

    /// The costs in the order of the states of an alignment, row after row.
    ///
    /// # Errors
    /// When the states are not the same.
    pub fn ordered(&self, symbols: &Symbols) -> Result<Vec<f64>, IoError> {
        let place = |symbol: &u8| self.states.iter().position(|s| s == symbol);
        // RNA has U for T.
        let place =
            |symbol: &u8| place(symbol).or_else(|| place(&(*symbol + u8::from(*symbol == b'T'))));
        let places: Option<Vec<usize>> = symbols.states().iter().map(place).collect();
        let n = self.states.len();
        match places.filter(|places| places.len() == n) {
            Some(places) => {
                let row = |&from: &usize| places.iter().map(move |&to| (from, to));
                Ok(places
                    .iter()
                    .flat_map(row)
                    .map(|(from, to)| self.costs[from * n + to])
                    .collect())
            }
            None => Err(IoError::Table {
                file: self.name.clone(),
                expected: format!("costs of the states `{}`", symbols.alphabet()),
                found: format!("`{}`", self.alphabet(Gaps::Missing)),
            }),
        }
    }
}
