//! Points: a line of two or three coordinates each, as beside METIS meshes (`.xyz`).
//!
//! **Method.** `fast.rs` in parallel; where it gives up, row by row, which is also what
//! reports errors. The first line says how many coordinates points have; a missing
//! third is 0. Points are written without it where all lie in the plane.

use crate::IoError;
use crate::error::shown;
use crate::fast::Cell;
use crate::number::float;
use crate::rows::{Rows, Separator};
use crate::source::{Source, plain};
use crate::values::ValueType;
use crate::write::{blocks, put_float, put_line};
use std::io::{self, Write};

/// Reads `n` points; see the module. Lines that start with `#` or `%` are comments.
///
/// # Errors
/// Another number of points, a line with another number of coordinates, a coordinate
/// that is not a finite number; names the line.
pub fn read_points_bytes(name: &str, bytes: &[u8], n: usize) -> Result<Vec<[f64; 3]>, IoError> {
    points(name, bytes, Some(n))
}

/// Reads as many points as there are; otherwise as [`read_points_bytes`].
///
/// # Errors
/// As [`read_points_bytes`], but for their number.
pub fn read_all_points_bytes(name: &str, bytes: &[u8]) -> Result<Vec<[f64; 3]>, IoError> {
    points(name, bytes, None)
}

fn points(name: &str, bytes: &[u8], n: Option<usize>) -> Result<Vec<[f64; 3]>, IoError> {
    let data = plain(name, bytes)?;
    Ok(points_of(Source::new(name, &data)?, n)?.0)
}

/// The points of a text, and how many coordinates they have there.
pub(crate) fn points_of(
    source: Source<'_>,
    n: Option<usize>,
) -> Result<(Vec<[f64; 3]>, usize), IoError> {
    let rows = Rows::new(source, Separator::Blanks);
    let mut fields = Vec::new();
    let first = rows.clone().next(&mut fields)?;
    let width = fields.len();
    if let Some(line) = first
        && !(2..=3).contains(&width)
    {
        let found = format!("{width} field(s)");
        return Err(source.on_line(line, "two or three coordinates per line", found));
    }
    let points = match fast_points(&rows, width, n) {
        Some(points) => points,
        None => slow_points(&source, rows, width, n)?,
    };
    Ok((points, width))
}

fn fast_points(rows: &Rows<'_>, width: usize, n: Option<usize>) -> Option<Vec<[f64; 3]>> {
    let cells = [Cell::Value(ValueType::F64.into()); 3];
    let numbers = rows.numbers(&cells[..width])?;
    if n.is_some_and(|n| numbers.rows != n) {
        return None;
    }
    let mut points = vec![[0.0; 3]; numbers.rows];
    for axis in 0..width {
        for (point, x) in points.iter_mut().zip(numbers.column(axis, f64::from_bits)) {
            point[axis] = x;
        }
    }
    points.iter().flatten().all(|x| x.is_finite()).then_some(points)
}

fn slow_points(
    source: &Source<'_>,
    mut rows: Rows<'_>,
    width: usize,
    n: Option<usize>,
) -> Result<Vec<[f64; 3]>, IoError> {
    let (mut points, mut fields) = (Vec::new(), Vec::new());
    while let Some(line) = rows.next(&mut fields)? {
        if fields.len() != width {
            let expected = format!("{width} coordinates as in the first line");
            return Err(source.on_line(line, expected, fields.len().to_string()));
        }
        if let Some(n) = n.filter(|&n| points.len() == n) {
            return Err(source.on_line(line, format!("{n} points"), "more"));
        }
        let mut point = [0.0; 3];
        for (x, field) in point.iter_mut().zip(&fields) {
            let text = field.text(source);
            let number = float(text.as_bytes()).filter(|x| x.is_finite());
            *x = number.ok_or_else(|| source.on_line(line, "a finite number", shown(&text)))?;
        }
        points.push(point);
    }
    if let Some(n) = n.filter(|&n| points.len() < n) {
        let found = format!("the end after {}", points.len());
        return Err(source.on_line(rows.line, format!("{n} points"), found));
    }
    Ok(points)
}

/// Writes points, a line each: two coordinates where the third is 0 everywhere.
///
/// # Errors
/// When writing fails.
pub fn write_points(out: &mut dyn Write, points: &[[f64; 3]]) -> io::Result<()> {
    let width = if points.iter().all(|p| p[2] == 0.0) { 2 } else { 3 };
    blocks(out, points.len(), |i, bytes| {
        put_line(bytes, b' ', &points[i][..width], |bytes, &x| put_float(bytes, x));
    })
}

#[cfg(test)]
mod tests {
    use super::{read_points_bytes, write_points};

    #[test]
    fn what_is_written_reads_back() {
        for (points, text) in [
            ([[0.5, -2.0, 0.0], [1e-9, 3.0, 0.0]], "0.5 -2\n1e-9 3\n"),
            ([[0.5, -2.0, 0.0], [1.0, 3.0, 4.0]], "0.5 -2 0\n1 3 4\n"),
        ] {
            let mut written = Vec::new();
            write_points(&mut written, &points).expect("a vector takes everything");
            assert_eq!(String::from_utf8_lossy(&written), text);
            assert_eq!(read_points_bytes("p.xyz", &written, 2).expect("two points"), points);
        }
    }

    #[test]
    fn two_or_three_coordinates() {
        let read = |text: &str, n| read_points_bytes("p.xyz", text.as_bytes(), n);
        let points = read("% c\n1 -2.5\n\n3\t4\r\n", 2).expect("two points");
        assert_eq!(points, [[1.0, -2.5, 0.0], [3.0, 4.0, 0.0]]);
        assert_eq!(read("+1 2 3e1", 1).expect("a point"), [[1.0, 2.0, 30.0]]);
        assert_eq!(read("", 0).expect("no points"), [[0.0; 3]; 0]);
        for (text, n, message) in [
            ("1 2\n", 2, "p.xyz, line 2: expected 2 points, found the end after 1"),
            ("1 2\n3 4\n", 1, "p.xyz, line 2: expected 1 points, found more"),
            ("", 1, "p.xyz, line 1: expected 1 points, found the end after 0"),
            (
                "1\n",
                1,
                "p.xyz, line 1: expected two or three coordinates per line, found 1 \
                field(s)",
            ),
            (
                "1 2\n1 2 3\n",
                2,
                "p.xyz, line 2: expected 2 coordinates as in the first line, found 3",
            ),
            ("1 2\n1 inf\n", 2, "p.xyz, line 2: expected a finite number, found `inf`"),
            ("1 x\n", 1, "p.xyz, line 1: expected a finite number, found `x`"),
        ] {
            assert_eq!(read(text, n).expect_err(text).to_string(), message);
        }
    }
}
