//! A file with a number or a word for some vertices.
//!
//! **Problem.** Numbers or words by vertex, such as countries of tips, from rows `name,…,value` in any
//! order; vertices without a row, or with an empty field, `NA` or `nan`, have none. Files of numbers
//! (`.npy`, Parquet, Arrow) are read as those of values are.
//! **Method.** Row by row. The first row is a header if its first field names no vertex. If all values are
//! numbers, the column is one of numbers.
//! **Cost.** Linear, with one lookup per row.

use crate::IoError;
use crate::columnar;
use crate::index::Lookup;
use crate::labels::Labels;
use crate::limit::InputLimit;
use crate::npy::Npy;
use crate::number::float;
use crate::queries::vertex;
use crate::quote::shown;
use crate::read_values::{ValueParams, read_values_with};
use crate::rows::Rows;
use crate::source::Source;
use crate::values::{ColumnKey, Number, ValueType, Values};

/// Numbers or words by vertex.
#[derive(Debug, Clone, PartialEq)]
pub enum VertexColumn {
    /// Numbers; NaN where there is none.
    Numbers(Vec<f64>),
    /// Words.
    Words(Vec<Option<String>>),
}

/// Reads a number or a word for some vertices, from the last column or another; with the column's
/// name, which is empty where there is no header.
///
/// # Errors
/// A name that no vertex has or several, a second value for a vertex, another number of fields; with
/// the line. Files of numbers: as [`crate::read_values_bytes`].
///
/// ```
/// use palmette_io::{Labels, VertexColumn, read_column_bytes};
/// let labels = Labels::texts(["root", "a", "b"]);
/// let (name, column) = read_column_bytes("t.csv", b"tip,place\nb,Paris\n", None, &labels)?;
/// assert_eq!(name, "place");
/// assert_eq!(column, VertexColumn::Words(vec![None, None, Some("Paris".into())]));
/// # Ok::<(), palmette_io::IoError>(())
/// ```
pub fn read_column_bytes(
    name: &str,
    data: &[u8],
    column: Option<&ColumnKey>,
    labels: &Labels,
) -> Result<(String, VertexColumn), IoError> {
    if columnar::format_of(data).is_some() || Npy::is_npy(data) {
        let number = Number { nan: true, ..Number::from(ValueType::F64) };
        let limit = InputLimit::default();
        let params = ValueParams { number, column, missing: Some("nan"), limit };
        let Values::F64(values) = read_values_with(name, data, &params, labels)? else {
            return Ok((String::new(), VertexColumn::Numbers(Vec::new())));
        };
        return Ok((String::new(), VertexColumn::Numbers(values)));
    }
    let source = Source::new(name, data)?;
    let (mut rows, mut fields) = (Rows::of(source), Vec::new());
    let n = labels.len();
    let (mut words, mut line_of) = (vec![None; n], vec![0u64; n]);
    let (mut width, mut value, mut head) = (0, 0, String::new());
    while let Some(line) = rows.next(&mut fields)? {
        if width == 0 {
            width = fields.len();
            if width < 2 {
                return Err(source.on_line(line, "a name and a value", "one field"));
            }
            let texts: Vec<String> =
                fields.iter().map(|field| field.text(&source).into_owned()).collect();
            let is_header = matches!(labels.find(&texts[0]), Lookup::Unknown);
            let (found, expected) = match column {
                None => (Some(width - 1), String::new()),
                Some(ColumnKey::Index(k)) => {
                    (Some(*k).filter(|k| *k < width), format!("more than {k} columns"))
                }
                Some(ColumnKey::Name(key)) => (
                    texts.iter().position(|text| text == key).filter(|_| is_header),
                    format!("a header with a column {}", shown(key)),
                ),
            };
            let Some(found) = found else {
                return Err(source.on_line(line, expected, format!("{width} columns")));
            };
            value = found;
            if is_header {
                head.clone_from(&texts[value]);
                continue;
            }
        }
        if fields.len() != width {
            let expected = format!("{width} fields as in the first row");
            return Err(source.on_line(line, expected, fields.len().to_string()));
        }
        let label = fields[0].text(&source);
        let v = vertex(&source, line, &label, labels)? as usize;
        if line_of[v] != 0 {
            let expected = format!("one value per vertex (line {} already gives one)", line_of[v]);
            return Err(source.on_line(line, expected, format!("another for {}", shown(&label))));
        }
        line_of[v] = line;
        let text = fields[value].text(&source);
        if !(text.is_empty() || text == "NA" || text.eq_ignore_ascii_case("nan")) {
            words[v] = Some(text.into_owned());
        }
    }
    Ok((head, numbers_or_words(words)))
}

fn numbers_or_words(words: Vec<Option<String>>) -> VertexColumn {
    let number = |word: &Option<String>| match word {
        None => Some(f64::NAN),
        Some(text) => float(text.as_bytes()).filter(|number: &f64| number.is_finite()),
    };
    let any = words.iter().any(Option::is_some);
    match words.iter().map(number).collect::<Option<Vec<f64>>>() {
        Some(numbers) if any => VertexColumn::Numbers(numbers),
        _ => VertexColumn::Words(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(String, VertexColumn), IoError> {
        let labels = Labels::texts(["root", "a", "b", "b"]);
        read_column_bytes("t.csv", text.as_bytes(), None, &labels)
    }

    #[test]
    fn numbers_and_words_are_told_apart() {
        let (name, column) = read("id\tx\ty\na\t1\t2.5\nroot\t2\tNA\n").expect("a column");
        assert_eq!(name, "y");
        let VertexColumn::Numbers(numbers) = column else { panic!("numbers") };
        assert!(numbers[0].is_nan() && numbers[1] == 2.5 && numbers[2].is_nan());
        let (name, column) = read("a,1\nroot,x").expect("a column");
        assert_eq!(name, "");
        let words = vec![Some("x".to_string()), Some("1".to_string()), None, None];
        assert_eq!(column, VertexColumn::Words(words));
    }

    #[test]
    fn errors_name_the_line() {
        for (text, part) in [
            ("a,1\nz,2", "2"),
            ("a,1\na,2", "line 1 already gives one"),
            ("a,1\nb,2", "several vertices have"),
            ("a,1\nroot", "2 fields"),
            ("a\n", "a name and a value"),
        ] {
            let error = read(text).expect_err(text).to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
