//! The table of load cases: its header, and rows.

use super::loads_of;
use crate::IoError;
use crate::number;
use crate::quote::shown;
use crate::rows::{Field, Rows, Separator};
use crate::source::Source;
use palmette_core::feeder::{Complex, Feeder};
use std::collections::{HashMap, HashSet};

/// What a column of the table sets.
enum Column {
    Name,
    All,
    Factor(usize),
    Active(usize),
    Reactive(usize),
}

/// The columns of a table, and the loads that they set.
pub(super) struct Header {
    columns: Vec<Column>,
    pub(super) separator: Separator,
    pub(super) line: u64,
    /// The loads, those with columns of their own first.
    pub(super) loads: Vec<u32>,
    named: usize,
    nominal: Vec<Complex>,
    unit: f64,
}

/// Rows of a table.
#[derive(Default)]
pub(super) struct Block {
    /// By row: its line, and its name if there is a column of names.
    pub(super) rows: Vec<(u64, Option<String>)>,
    pub(super) powers: Vec<Complex>,
}

impl Header {
    /// Reads the header, the first row; nothing where there is none.
    pub(super) fn read(rows: &mut Rows<'_>, source: &Source<'_>, feeder: &Feeder) -> HeaderRead {
        let (names, powers, unit) = loads_of(feeder);
        let index: HashMap<&str, u32> =
            (0..names.len()).map(|k| (names.get(k), k as u32)).collect();
        let mut fields = Vec::new();
        let Some(line) = rows.next(&mut fields)? else { return Ok(None) };
        let (mut columns, mut loads): (Vec<Column>, Vec<u32>) = (Vec::new(), Vec::new());
        let mut seen: HashSet<String> = HashSet::new();
        let mut places: HashMap<u32, usize> = HashMap::new();
        for field in &fields {
            let name = field.text(source);
            if !seen.insert(name.to_string()) {
                let found = format!("{} again", shown(&name));
                return Err(source.on_line(line, "each column once", found));
            }
            let parts = [(".p_mw", 1), (".q_mvar", 2)];
            let split = parts.iter().find_map(|(end, kind)| Some((name.strip_suffix(end)?, *kind)));
            let (load, kind) = match (index.get(&*name), split, &*name) {
                (Some(&load), _, _) => (load, 0),
                (None, Some((load, kind)), _) if index.contains_key(load) => (index[load], kind),
                (None, _, "case") => {
                    columns.push(Column::Name);
                    continue;
                }
                (None, _, "all") => {
                    columns.push(Column::All);
                    continue;
                }
                _ => {
                    let expected =
                        "the name of a load, with .p_mw or .q_mvar for powers, `all` or `case`";
                    return Err(source.on_line(line, expected, shown(&name)));
                }
            };
            let at = *places.entry(load).or_insert_with(|| {
                loads.push(load);
                loads.len() - 1
            });
            columns.push(match kind {
                0 => Column::Factor(at),
                1 => Column::Active(at),
                _ => Column::Reactive(at),
            });
        }
        // A factor of all loads makes all of them differ.
        let named = loads.len();
        if columns.iter().any(|column| matches!(column, Column::All)) {
            loads.extend((0..names.len() as u32).filter(|load| !places.contains_key(load)));
        }
        let nominal = loads.iter().map(|&load| powers[load as usize]).collect();
        let separator = rows.separator;
        Ok(Some(Header { columns, separator, line, loads, named, nominal, unit }))
    }

    /// Reads a row of fields.
    pub(super) fn row(
        &self,
        source: &Source<'_>,
        line: u64,
        fields: &[Field],
        into: &mut Block,
    ) -> Result<(), IoError> {
        if fields.len() != self.columns.len() {
            let expected = format!("{} fields as in the header", self.columns.len());
            return Err(source.on_line(line, expected, fields.len().to_string()));
        }
        let first = into.powers.len();
        into.powers.extend_from_slice(&self.nominal);
        let row = &mut into.powers[first..];
        let mut label = None;
        for (column, field) in self.columns.iter().zip(fields) {
            if let Column::Name = column {
                label = Some(field.text(source).into_owned());
                continue;
            }
            let text = field.bytes(source);
            let value = number::kept(&text).ok_or_else(|| {
                source.on_line(line, "a number", number::refused(&field.text(source)))
            })?;
            match *column {
                Column::Name => {}
                Column::All => row[self.named..].iter_mut().for_each(|s| *s *= value),
                Column::Factor(at) => row[at] = self.nominal[at] * value,
                Column::Active(at) => row[at].re = value * self.unit,
                Column::Reactive(at) => row[at].im = value * self.unit,
            }
        }
        into.rows.push((line, label));
        Ok(())
    }
}

type HeaderRead = Result<Option<Header>, IoError>;
