//! Tables of cases: a row per case, a column per thing that changes in some of them.

use crate::number::{is_lost, refused};
use crate::quote::shown;
use crate::rows::Rows;
use crate::source::{Source, plain};
use crate::{IoError, Labels};

/// What the rows of a table are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowsAre {
    /// Cases: a column `case` or `scenario` names them; without one they are numbered from 0.
    Cases,
    /// Nodes, which the first column names.
    Nodes,
    /// Elements, which the first column names.
    Elements,
}

impl RowsAre {
    const fn name(self) -> &'static str {
        match self {
            RowsAre::Cases => "case",
            RowsAre::Nodes => "node",
            RowsAre::Elements => "element",
        }
    }

    /// The column with the names.
    fn column(self, header: &[String]) -> Option<usize> {
        match self {
            RowsAre::Cases => header.iter().position(|name| name == "case" || name == "scenario"),
            RowsAre::Nodes | RowsAre::Elements => Some(0),
        }
    }
}

/// The column that stands for all things at once.
pub const ALL_COLUMNS: &str = "*";

/// Cases by row.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberTable {
    /// The file's name, for messages.
    pub file: String,
    /// The names of the rows.
    pub names: Labels,
    /// The line of the header, where there is a file.
    pub header: Option<u64>,
    /// The names of the columns, without that of names.
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

/// Reads a table of cases or nodes: a column of names, the other columns by the header, a number
/// or nothing in each field.
///
/// # Errors
/// No header or no case, a row of another length, a field that is no finite number, two columns or
/// cases of a name.
pub fn read_number_table_bytes(
    name: &str,
    data: &[u8],
    rows_are: RowsAre,
) -> Result<NumberTable, IoError> {
    let data = plain(name, data)?;
    let source = Source::new(name, &data)?;
    let mut rows = Rows::of(source);
    let mut fields = Vec::new();
    let Some(header) = rows.next(&mut fields)? else {
        return Err(source.on_line(1, "a header with names of columns", "an empty file"));
    };
    let mut columns: Vec<String> =
        fields.iter().map(|field| field.text(&source).into_owned()).collect();
    let width = columns.len();
    let named = rows_are.column(&columns);
    if let Some(named) = named {
        columns.remove(named);
    }
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
        if fields.len() != width {
            let expected = format!("{width} fields as the header has");
            return Err(source.on_line(line, expected, fields.len().to_string()));
        }
        names.push(match named {
            Some(named) => fields[named].text(&source).into_owned(),
            None => names.len().to_string(),
        });
        lines.push(line);
        let numbers = fields.iter().enumerate().filter(|(k, _)| Some(*k) != named);
        for (_, field) in numbers {
            let text = field.text(&source);
            let number = match text.as_ref() {
                "" => f64::NAN,
                text => match text.parse::<f64>() {
                    Ok(number) if number.is_finite() && !is_lost(text.as_bytes(), number) => number,
                    _ => return Err(source.on_line(line, "a number or nothing", refused(text))),
                },
            };
            values.push(number);
        }
    }
    if names.is_empty() {
        return Err(source.on_line(
            header,
            format!("at least one {}", rows_are.name()),
            "a header only",
        ));
    }
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by_key(|&k| (&names[k], k));
    if let Some(pair) = order.windows(2).find(|pair| names[pair[0]] == names[pair[1]]) {
        let found = format!("{} again, already on line {}", shown(&names[pair[1]]), lines[pair[0]]);
        let expected = format!("a new name for each {}", rows_are.name());
        return Err(source.on_line(lines[pair[1]], expected, found));
    }
    let names = Labels::texts(names);
    let header = Some(header);
    Ok(NumberTable { file: name.to_string(), names, header, columns, values, lines })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, rows_are: RowsAre) -> Result<NumberTable, IoError> {
        read_number_table_bytes("t.csv", text.as_bytes(), rows_are)
    }

    #[test]
    fn tables() {
        let table = read("case,I1,*\nlow,0.5,\nhigh,,2\n", RowsAre::Cases).expect("a table");
        assert_eq!((table.header, &table.columns[..]), (Some(1), &["I1".into(), "*".into()][..]));
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
            let error = read(text, RowsAre::Cases).expect_err(text).to_string();
            assert!(error.contains(part), "{error}");
        }
        let error = read("node,x\na,1\na,2\n", RowsAre::Nodes).expect_err("twice").to_string();
        assert!(error.contains("line 3: expected a new name for each node"), "{error}");
    }

    #[test]
    fn cases_without_names_are_numbered() {
        let table = read("I1,I2\n1,2\n3,\n", RowsAre::Cases).expect("a table");
        assert_eq!((table.columns.len(), table.row(0)), (2, &[1.0, 2.0][..]));
        assert_eq!((table.names.get(0), table.names.get(1)), ("0".into(), "1".into()));
        let table = read("I1,scenario\n1,low\n", RowsAre::Cases).expect("a table");
        assert_eq!((table.names.get(0), table.row(0)), ("low".into(), &[1.0][..]));
    }
}
