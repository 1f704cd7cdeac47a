//! ASCII grids (Esri): a raster in text.
//!
//! **Problem.** A header of `ncols`, `nrows`, `xllcorner` and `yllcorner` (or `xllcenter` and
//! `yllcenter`), `cellsize` and perhaps `NODATA_value` (−9999 where it is missing), in any order and
//! case; then a line of numbers for each row, from the top. Out comes a [`Raster`] with NaN
//! for no data.
//! **Method.** The header line by line; rows in parallel.
//! **Cost.** Linear; 8 bytes per cell beside the text.
//! **Determinism.** Of several wrong lines the first is named.
//! **Reference.** Esri, *ASCII raster format*, ArcGIS documentation.

use crate::IoError;
use crate::error::shown;
use crate::number::{kept, refused, unsigned};
use crate::source::{Source, plain};
use crate::write::{put_float, put_line, runs};
use palmette_core::MAX_VERTICES;
use palmette_core::graph::raster::Raster;
use rayon::prelude::*;
use std::io::{self, Write};

/// What stands for no data where the header does not say it, and in what we write.
const NO_DATA: f64 = -9999.0;

/// A raster and where its rows stand.
pub(crate) struct RasterText {
    pub(crate) raster: Raster,
    /// By row, its line.
    pub(crate) lines: Vec<u64>,
}

/// Whether a text starts as a raster does.
pub(crate) fn is_raster(text: &str) -> bool {
    let word = text.split_ascii_whitespace().next().unwrap_or("");
    KEYS.iter().any(|key| word.eq_ignore_ascii_case(key))
}

const KEYS: [&str; 8] = [
    "ncols",
    "nrows",
    "xllcorner",
    "yllcorner",
    "xllcenter",
    "yllcenter",
    "cellsize",
    "nodata_value",
];

/// Reads a raster from bytes; gzip and zstd are decompressed.
///
/// # Errors
/// A header that lacks something or says it twice, rows that are too short, too long, too few or too
/// many, what is no number; with the line.
pub fn read_raster_bytes(name: &str, bytes: &[u8]) -> Result<Raster, IoError> {
    let data = plain(name, bytes)?;
    Ok(read(&Source::new(name, &data)?)?.raster)
}

pub(crate) fn read(source: &Source<'_>) -> Result<RasterText, IoError> {
    let lines: Vec<(u64, &str)> = source
        .text
        .lines()
        .enumerate()
        .map(|(before, line)| (before as u64 + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty())
        .collect();
    let is_key = |line: &str| line.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_number = |line: &str| line.split_ascii_whitespace().next().is_some_and(is_odd_number);
    let count = lines.iter().take_while(|(_, line)| is_key(line) && !is_number(line)).count();
    let (above, body) = lines.split_at(count);
    let header = Header::read(source, above)?;
    let Header { rows, columns, corner, side, no_data } = header;
    let last = lines.last().map_or(1, |line| line.0);
    if body.len() < rows {
        let found = format!("the end after {}", body.len());
        return Err(source.on_line(last, format!("{rows} rows of cells"), found));
    }
    if let Some((line, text)) = body.get(rows) {
        return Err(source.on_line(*line, format!("the end after {rows} rows"), shown(text)));
    }
    let parsed: Vec<Result<Vec<f64>, IoError>> = body
        .par_iter()
        .with_min_len(16)
        .map(|&(line, text)| row(source, line, text, columns, no_data))
        .collect();
    let values = parsed.into_iter().collect::<Result<Vec<_>, IoError>>()?.concat();
    let raster = Raster { rows, columns, corner, side, values };
    Ok(RasterText { raster, lines: body.iter().map(|line| line.0).collect() })
}

/// `nan` and `inf` are letters, but no keys.
fn is_odd_number(word: &str) -> bool {
    ["nan", "inf", "infinity"].iter().any(|odd| word.eq_ignore_ascii_case(odd))
}

fn row(
    source: &Source<'_>,
    line: u64,
    text: &str,
    columns: usize,
    no_data: f64,
) -> Result<Vec<f64>, IoError> {
    // A header may claim anything.
    let mut values = Vec::with_capacity(columns.min(text.len()));
    for word in text.split_ascii_whitespace() {
        let place = values.len() + 1;
        if place > columns {
            let count = text.split_ascii_whitespace().count();
            return Err(source.on_line(line, format!("{columns} cells"), count.to_string()));
        }
        let odd = no_data.is_nan() && word.eq_ignore_ascii_case("nan");
        let value = if odd { Some(f64::NAN) } else { kept(word.as_bytes()) };
        let Some(value) = value else {
            let expected = format!("a finite number or the value for no data in column {place}");
            return Err(source.on_line(line, expected, refused(word)));
        };
        values.push(if value == no_data { f64::NAN } else { value });
    }
    match values.len() == columns {
        true => Ok(values),
        false => Err(source.on_line(line, format!("{columns} cells"), values.len().to_string())),
    }
}

struct Header {
    rows: usize,
    columns: usize,
    corner: [f64; 2],
    side: f64,
    no_data: f64,
}

impl Header {
    fn read(source: &Source<'_>, lines: &[(u64, &str)]) -> Result<Header, IoError> {
        let mut found: [Option<(u64, &str)>; KEYS.len()] = [None; KEYS.len()];
        for &(line, text) in lines {
            let mut words = text.split_ascii_whitespace();
            let key = words.next().unwrap_or("");
            let Some(place) = KEYS.iter().position(|known| key.eq_ignore_ascii_case(known)) else {
                let expected = format!("one of {}", KEYS.join(", "));
                return Err(source.on_line(line, expected, shown(key)));
            };
            let (Some(value), None) = (words.next(), words.next()) else {
                return Err(source.on_line(
                    line,
                    format!("{} and one number", KEYS[place]),
                    shown(text),
                ));
            };
            if let Some((first, _)) = found[place] {
                let text = format!("it again after line {first}");
                return Err(source.on_line(line, format!("{} once", KEYS[place]), text));
            }
            found[place] = Some((line, value));
        }
        let end = lines.last().map_or(1, |line| line.0);
        let size = |place: usize| {
            let (line, text) = found[place].ok_or_else(|| missing(source, end, KEYS[place]))?;
            match unsigned(text).filter(|n| (1..=MAX_VERTICES as u64).contains(n)) {
                Some(number) => Ok(number as usize),
                None => {
                    let expected = format!("{} from 1 to {MAX_VERTICES}", KEYS[place]);
                    Err(source.on_line(line, expected, shown(text)))
                }
            }
        };
        let (columns, rows) = (size(0)?, size(1)?);
        if (columns as u64).saturating_mul(rows as u64) > MAX_VERTICES as u64 {
            let expected = format!("at most {MAX_VERTICES} cells");
            return Err(source.on_line(end, expected, format!("{rows} rows of {columns}")));
        }
        let number = |(line, text): (u64, &str), place: usize| {
            let wrong =
                || source.on_line(line, format!("a number for {}", KEYS[place]), refused(text));
            kept(text.as_bytes()).ok_or_else(wrong)
        };
        let (line, text) = found[6].ok_or_else(|| missing(source, end, KEYS[6]))?;
        let side = number((line, text), 6)?;
        if side <= 0.0 {
            return Err(source.on_line(line, "a cellsize above 0", shown(text)));
        }
        let mut corner = [0.0; 2];
        for (axis, corner) in corner.iter_mut().enumerate() {
            *corner = match (found[2 + axis], found[4 + axis]) {
                (Some(at), None) => number(at, 2 + axis)?,
                (None, Some(at)) => number(at, 4 + axis)? - side / 2.0,
                (Some((line, _)), Some(_)) => {
                    let expected = format!("either {} or {}", KEYS[2 + axis], KEYS[4 + axis]);
                    return Err(source.on_line(line, expected, "both"));
                }
                (None, None) => return Err(missing(source, end, KEYS[2 + axis])),
            };
        }
        let no_data = match found[7] {
            Some((_, text)) if text.eq_ignore_ascii_case("nan") => f64::NAN,
            Some(at) => number(at, 7)?,
            None => NO_DATA,
        };
        Ok(Header { rows, columns, corner, side, no_data })
    }
}

fn missing(source: &Source<'_>, line: u64, key: &str) -> IoError {
    source.on_line(line, format!("a header with {key}"), "none")
}

/// Writes a raster; cells without data are −9999, or the next power of ten where a cell has
/// that value.
///
/// # Errors
/// When writing fails.
pub fn write_raster(out: &mut dyn Write, raster: &Raster) -> io::Result<()> {
    let &Raster { rows, columns, corner: [x, y], side, ref values } = raster;
    let mut no_data = NO_DATA;
    while values.contains(&no_data) {
        no_data = 10.0 * no_data - 9.0;
    }
    let mut head = Vec::new();
    for (key, value) in [
        ("ncols", columns as f64),
        ("nrows", rows as f64),
        ("xllcorner", x),
        ("yllcorner", y),
        ("cellsize", side),
        ("NODATA_value", no_data),
    ] {
        head.extend_from_slice(format!("{key:<14}").as_bytes());
        put_float(&mut head, value);
        head.push(b'\n');
    }
    out.write_all(&head)?;
    runs(out, rows, |run, bytes| {
        for row in run {
            let cells = &values[row * columns..(row + 1) * columns];
            put_line(bytes, b' ', cells, |bytes, &value| {
                put_float(bytes, if value.is_nan() { no_data } else { value });
            });
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "ncols 3\nnrows 2\nxllcorner 1.5\nyllcorner -2\ncellsize 0.5\n";

    #[test]
    fn what_is_written_reads_back() {
        let text = format!("{HEAD}nodata_value -1\n1 -1 2.5\r\n\n-9999 1e-3 7\n");
        let raster = read_raster_bytes("a.asc", text.as_bytes()).unwrap();
        assert_eq!((raster.rows, raster.columns, raster.side), (2, 3, 0.5));
        assert_eq!(raster.corner, [1.5, -2.0]);
        assert!(raster.values[1].is_nan() && raster.values[3] == -9999.0);
        let mut bytes = Vec::new();
        write_raster(&mut bytes, &raster).unwrap();
        let again = read_raster_bytes("b.asc", &bytes).unwrap();
        let bits = |r: &Raster| r.values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!((bits(&again), again.corner), (bits(&raster), raster.corner));
        let middle = HEAD.replace("xllcorner 1.5", "XLLCENTER 1.75");
        let other = read_raster_bytes("c", format!("{middle}1 2 3\n4 5 6\n").as_bytes()).unwrap();
        assert_eq!(other.corner, [1.5, -2.0]);
    }

    #[test]
    fn errors_name_the_line() {
        for (text, message) in [
            ("", "a, line 1: expected a header with ncols, found none"),
            ("ncols 3\nnrows 2\n", "a, line 2: expected a header with cellsize, found none"),
            ("ncols 0\nnrows 2\n", "a, line 1: expected ncols from 1 to"),
            ("ncols 3\nncols 3\n", "a, line 2: expected ncols once, found it again after line 1"),
            ("ncols 3 4\n", "a, line 1: expected ncols and one number, found `ncols 3 4`"),
            ("width 3\n", "a, line 1: expected one of ncols"),
            ("ncols 99999\nnrows 99999\n", "a, line 2: expected at most"),
            (&HEAD.replace("0.5", "-1"), "a, line 5: expected a cellsize above 0, found `-1`"),
            (
                &format!("{HEAD}1 2 3\n"),
                "a, line 6: expected 2 rows of cells, found the end after 1",
            ),
            (&format!("{HEAD}1 2\n1 2 3\n"), "a, line 6: expected 3 cells, found 2"),
            (&format!("{HEAD}1 2 3\n1 2 3 4\n"), "a, line 7: expected 3 cells, found 4"),
            (&format!("{HEAD}1 2 3\n1 2 3\n4 5 6\n"), "a, line 8: expected the end after 2 rows"),
            (
                &format!("{HEAD}1 2 3\n1 x 3\n"),
                "a, line 7: expected a finite number or the value for no data in column 2, found `x`",
            ),
            (&format!("{HEAD}nan 2 3\n1 2 3\n"), "a, line 6: expected a finite number"),
        ] {
            let error = read_raster_bytes("a", text.as_bytes()).expect_err(text).to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
