//! What is known about samples: a table with their names in its first column.

use crate::quote::{listed, shown};
use crate::rows::Rows;
use crate::source::{Source, plain};
use crate::{IoError, Labels, Lookup};

/// The words of a column for each sample; empty where the table has none. Rows about other samples
/// are left out.
///
/// # Errors
/// No such column, a row of another length, two rows about one sample, or none about any.
pub fn read_metadata_bytes(
    name: &str,
    data: &[u8],
    column: &str,
    samples: &Labels,
) -> Result<Vec<String>, IoError> {
    let data = plain(name, data)?;
    let source = Source::new(name, &data)?;
    let mut rows = Rows::of(source);
    let mut fields = Vec::new();
    let Some(line) = rows.next(&mut fields)? else {
        return Err(source.on_line(1, "a header with names of columns", "an empty file"));
    };
    let width = fields.len();
    let heads: Vec<String> = fields.iter().map(|field| field.text(&source).into_owned()).collect();
    let Some(at) = heads.iter().skip(1).position(|head| head == column).map(|at| at + 1) else {
        let expected = format!("a column {}", shown(column));
        return Err(source.on_line(line, expected, listed(heads.iter().skip(1))));
    };
    let mut words = vec![String::new(); samples.len()];
    let mut line_of = vec![0; samples.len()];
    while let Some(line) = rows.next(&mut fields)? {
        let sample = fields.first().map(|field| field.text(&source)).unwrap_or_default();
        if sample == "#q2:types" {
            continue;
        }
        if fields.len() != width {
            let expected = format!("{width} fields as the header has");
            return Err(source.on_line(line, expected, fields.len().to_string()));
        }
        let Lookup::Vertex(sample_number) = samples.find(&sample) else { continue };
        let i = sample_number as usize;
        if line_of[i] != 0 {
            let expected = format!("one row per sample (line {} has one)", line_of[i]);
            return Err(source.on_line(
                line,
                expected,
                format!("another about {}", shown(&sample)),
            ));
        }
        line_of[i] = line;
        words[i] = fields[at].text(&source).into_owned();
    }
    if !samples.is_empty() && line_of.iter().all(|&line| line == 0) {
        let expected = "names of samples in the first column";
        let found = format!("none of them, such as {}", shown(&samples.label(0)));
        return Err(IoError::Table {
            file: name.to_string(),
            expected: expected.to_string(),
            found,
        });
    }
    Ok(words)
}
