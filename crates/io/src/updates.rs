//! Changes of a graph, one per row.
//!
//! **Problem.** Rows `insert,u,v,weight`, `weight,u,v,weight` or `delete,u,v`, to be done in their
//! order; `+`, `=` and `-` are short for them. A first row of the words `op,u,v,weight` is a header,
//! in any order; the weight may be left out where nothing needs it.
//! **Method.** Row by row: an update that is read is whole.
//! **Cost.** 32 bytes per update beside the text.

use crate::IoError;
use crate::labels::Labels;
use crate::number::float;
use crate::queries::vertex;
use crate::quote::{listed, shown};
use crate::rows::{Field, Rows};
use crate::source::Source;
use palmette_core::named;

named! {
    /// What an update does to an edge.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Change("update") {
        /// It comes.
        Insert = "insert",
        /// It goes.
        Delete = "delete",
        /// It gets another weight.
        Weight = "weight",
    }
}

/// An update of one edge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UpdateRow {
    /// What is done.
    pub change: Change,
    /// One end.
    pub u: u32,
    /// The other end.
    pub v: u32,
    /// The weight; not a number where the edge goes.
    pub weight: f64,
    /// Where the row stands.
    pub line: u64,
}

/// Updates of a graph from a file, in their order.
#[derive(Debug, Clone, PartialEq)]
pub struct UpdateFile {
    /// What errors call the file.
    pub name: String,
    /// The updates.
    pub rows: Vec<UpdateRow>,
}

/// The columns of a table of updates, where there is no header.
const COLUMNS: [&str; 4] = ["op", "u", "v", "weight"];

/// Which field is which.
struct Places {
    change: usize,
    ends: [usize; 2],
    weight: Option<usize>,
    width: usize,
}

/// Reads updates of a graph with these vertices.
///
/// ```
/// use palmette_io::{Change, Labels, read_updates_bytes};
/// let text = b"op,u,v,weight\ninsert,1,3,0.5\ndelete,2,1,\n";
/// let updates = read_updates_bytes("updates.csv", text, &Labels::counted_from(1, 3))?;
/// let second = updates.rows[1];
/// assert_eq!((second.change, second.u, second.v, second.line), (Change::Delete, 1, 0, 3));
/// # Ok::<(), palmette_io::IoError>(())
/// ```
///
/// # Errors
/// An unknown word, vertex or column; a weight that is no number, is missing, or stands where an edge
/// is deleted; a row that ends early or goes on; with its line.
pub fn read_updates_bytes(name: &str, data: &[u8], labels: &Labels) -> Result<UpdateFile, IoError> {
    let source = Source::new(name, data)?;
    let mut rows = Rows::of(source);
    let places = header(&source, &mut rows)?;
    let (mut found, mut fields) = (Vec::new(), Vec::new());
    while let Some(line) = rows.next(&mut fields)? {
        found.push(update(&source, line, &fields, &places, labels)?);
    }
    Ok(UpdateFile { name: name.to_string(), rows: found })
}

/// Skips the header, if the first row is one.
fn header(source: &Source<'_>, rows: &mut Rows<'_>) -> Result<Places, IoError> {
    let mut ahead = rows.clone();
    let mut fields = Vec::new();
    let first = ahead.next(&mut fields)?;
    let words: Vec<String> = fields.iter().map(|f| f.text(source).to_lowercase()).collect();
    let Some(line) = first.filter(|_| words.iter().any(|word| word == COLUMNS[0])) else {
        return Ok(Places { change: 0, ends: [1, 2], weight: Some(3), width: COLUMNS.len() });
    };
    *rows = ahead;
    let place = |name: &str| words.iter().position(|word| word == name);
    let known = |word: &String| COLUMNS.contains(&word.as_str());
    let twice = (1..words.len()).any(|i| words[..i].contains(&words[i]));
    let (Some(change), Some(u), Some(v), true, false) =
        (place("op"), place("u"), place("v"), words.iter().all(known), twice)
    else {
        let expected = format!("the columns {}", listed(COLUMNS));
        return Err(source.on_line(line, expected, listed(&words)));
    };
    Ok(Places { change, ends: [u, v], weight: place("weight"), width: words.len() })
}

fn update(
    source: &Source<'_>,
    line: u64,
    fields: &[Field],
    places: &Places,
    labels: &Labels,
) -> Result<UpdateRow, IoError> {
    let word = fields.get(places.change).map(|field| field.text(source)).unwrap_or_default();
    let change = match &*word {
        "insert" | "+" => Change::Insert,
        "delete" | "-" => Change::Delete,
        "weight" | "=" => Change::Weight,
        _ => return Err(source.on_line(line, "insert, delete or weight", shown(&word))),
    };
    // Only the weight of an edge that goes may be left out.
    let short = places.weight.is_some_and(|place| place + 1 == places.width)
        && change == Change::Delete
        && fields.len() + 1 == places.width;
    if fields.len() != places.width && !short {
        let expected = match change {
            Change::Delete => "the ends of the edge to delete",
            _ => "the ends of an edge and its weight",
        };
        return Err(source.on_line(line, expected, format!("{} field(s)", fields.len())));
    }
    let end = |k: usize| vertex(source, line, &fields[places.ends[k]].text(source), labels);
    let (u, v) = (end(0)?, end(1)?);
    let text = places.weight.and_then(|place| fields.get(place)).map(|field| field.text(source));
    let text = text.unwrap_or_default();
    let weight = match change {
        Change::Delete if text.is_empty() => f64::NAN,
        Change::Delete => {
            return Err(source.on_line(line, "no weight for an edge to delete", shown(&text)));
        }
        _ => {
            float(text.as_bytes()).ok_or_else(|| source.on_line(line, "a weight", shown(&text)))?
        }
    };
    Ok(UpdateRow { change, u, v, weight, line })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<UpdateFile, String> {
        let labels = Labels::counted_from(1, 9);
        read_updates_bytes("u.csv", text.as_bytes(), &labels).map_err(|error| error.to_string())
    }

    #[test]
    fn words_signs_and_headers_say_the_same() {
        let plain = "insert,1,2,0.5\ndelete,3,4\nweight,5,6,7e-3\n";
        let expected = read(plain).unwrap().rows;
        assert_eq!(expected.len(), 3);
        let same = |text: &str, lines: u64| {
            let found = read(text).unwrap().rows;
            assert_eq!(found.len(), 3, "{text}");
            for (one, other) in found.iter().zip(&expected) {
                assert_eq!((one.change, one.u, one.v), (other.change, other.u, other.v), "{text}");
                assert!(one.weight == other.weight || other.change == Change::Delete);
                assert_eq!(one.line, other.line + lines, "{text}");
            }
        };
        same("+ 1 2 0.5\n- 3 4\n= 5 6 7e-3\n", 0);
        same("op,u,v,weight\ninsert,1,2,0.5\ndelete,3,4,\nweight,5,6,0.007\n", 1);
        same("weight,v,u,op\n.5,2,1,insert\n,4,3,delete\n0.007,6,5,weight\n", 1);
        same("# changes of a road\n+,1,2,0.5\n-,3,4\n=,5,6,0.007", 1);
        assert_eq!(read("").unwrap().rows, []);
        assert_eq!(read("op,u,v\ndelete,1,2\n").unwrap().rows.len(), 1);
    }

    #[test]
    fn what_is_no_update() {
        for (text, expected) in [
            (
                "insert,1,2,1\nmove,1,2,1\n",
                "u.csv, line 2: expected insert, delete or weight, found `move`",
            ),
            (
                "insert,1,10,1\n",
                "u.csv, line 1: expected the name of a vertex, found `10`, which no vertex has",
            ),
            (
                "insert,1,2\n",
                "u.csv, line 1: expected the ends of an edge and its weight, found 3 field(s)",
            ),
            ("insert,1,2,\n", "u.csv, line 1: expected a weight, found ``"),
            ("insert,1,2,heavy\n", "u.csv, line 1: expected a weight, found `heavy`"),
            (
                "delete,1\n",
                "u.csv, line 1: expected the ends of the edge to delete, found 2 field(s)",
            ),
            (
                "delete,1,2,3\n",
                "u.csv, line 1: expected no weight for an edge to delete, found `3`",
            ),
            (
                "op,u,v,colour\n",
                "u.csv, line 1: expected the columns op, u, v, weight, found op, u, v, colour",
            ),
            ("op,u\n", "u.csv, line 1: expected the columns op, u, v, weight, found op, u"),
            (
                "op,u,v,u\n",
                "u.csv, line 1: expected the columns op, u, v, weight, found op, u, v, u",
            ),
            ("op,u,v\ninsert,1,2\n", "u.csv, line 2: expected a weight, found ``"),
        ] {
            assert_eq!(read(text).unwrap_err(), expected, "{text}");
        }
    }
}
