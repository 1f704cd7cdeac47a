//! Tables of cases: a row per case, a column per thing that changes in some of them.

use crate::quote::shown;
use crate::rows::Rows;
use crate::source::{Source, plain};
use crate::{IoError, Labels};

/// The column that stands for all things at once.
pub const ALL_COLUMNS: &str = "*";

/// Cases by row.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberTable {
    /// The file's name, for messages.
    pub file: String,
    /// The names of the cases.
    pub names: Labels,
    /// The names of the columns, without the first.
    pub columns: Vec<String>,
    /// By case, the numbers of its row; NaN where the table is empty.
    pub values: Vec<f64>,
    /// By case, its line.
    pub lines: Vec<u64>,
}

impl NumberTable {
    /// The numbers of a case, one per column.
    pub fn row(&self, case: usize) -> &[f64] {
        let width = self.columns.len();
        &self.values[case * width..(case + 1) * width]
    }
}

/// Reads a table of cases: names in the first column, the other columns by the header, a number or
/// nothing in each field.
///
/// # Errors
/// No header or no case, a row of another length, a field that is no finite number, two columns or
/// cases of a name.
pub fn read_number_table_bytes(name: &str, data: &[u8]) -> Result<NumberTable, IoError> {
    let data = plain(name, data)?;
    let source = Source::new(name, &data)?;
    let mut rows = Rows::of(source);
    let mut fields = Vec::new();
    let Some(header) = rows.next(&mut fields)? else {
        return Err(source.on_line(1, "a header with names of columns", "an empty file"));
    };
    let columns: Vec<String> =
        fields.iter().skip(1).map(|field| field.text(&source).into_owned()).collect();
    if columns.is_empty() {
        return Err(source.on_line(header, "a column of names and others", "one column"));
    }
    let mut sorted: Vec<&String> = columns.iter().collect();
    sorted.sort();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(source.on_line(
            header,
            "a new name for each column",
            format!("{} again", shown(pair[0])),
        ));
    }
    let (mut names, mut values, mut lines) = (Vec::new(), Vec::new(), Vec::new());
    while let Some(line) = rows.next(&mut fields)? {
        if fields.len() != columns.len() + 1 {
            let expected = format!("{} fields as the header has", columns.len() + 1);
            return Err(source.on_line(line, expected, fields.len().to_string()));
        }
        names.push(fields[0].text(&source).into_owned());
        lines.push(line);
        for field in &fields[1..] {
            let text = field.text(&source);
            let number = match text.as_ref() {
                "" => f64::NAN,
                text => match text.parse::<f64>() {
                    Ok(number) if number.is_finite() => number,
                    _ => return Err(source.on_line(line, "a number or nothing", shown(text))),
                },
            };
            values.push(number);
        }
    }
    if names.is_empty() {
        return Err(source.on_line(header, "at least one case", "a header only"));
    }
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by_key(|&k| (&names[k], k));
    if let Some(pair) = order.windows(2).find(|pair| names[pair[0]] == names[pair[1]]) {
        let found = format!("{} again, already on line {}", shown(&names[pair[1]]), lines[pair[0]]);
        return Err(source.on_line(lines[pair[1]], "a new name for each case", found));
    }
    let names = Labels::texts(names);
    Ok(NumberTable { file: name.to_string(), names, columns, values, lines })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables() {
        let table =
            read_number_table_bytes("t.csv", b"case,I1,*\nlow,0.5,\nhigh,,2\n").expect("a table");
        assert_eq!(table.columns, ["I1", "*"]);
        assert!(table.row(0)[0] == 0.5 && table.row(0)[1].is_nan() && table.row(1)[1] == 2.0);
        for (text, part) in [
            ("", "line 1: expected a header"),
            ("case\nx\n", "found one column"),
            ("case,a,a\n", "`a` again"),
            ("case,a\n", "at least one case"),
            ("case,a\nx,1,2\n", "line 2: expected 2 fields"),
            ("case,a\nx,inf\n", "line 2: expected a number or nothing, found `inf`"),
            (
                "case,a\nx,1\ny,1\nx,2\n",
                "line 4: expected a new name for each case, found `x` again, already on line 2",
            ),
        ] {
            let error =
                read_number_table_bytes("t.csv", text.as_bytes()).expect_err(text).to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
