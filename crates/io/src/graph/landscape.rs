//! A raster as a graph, and what else lies on its cells: focal points, currents.
//!
//! **Problem.** A raster of resistances or conductances, to the graph of its cells with data; a
//! raster of the same shape, or lines `number x y`, to regions of cells that have a number in common.
//! **Method.** [`Raster::graph`]. A cell of conductance 0 lets nothing pass and is no vertex.
//! **Determinism.** One thread.

use super::{GraphCounts, GraphFile, GraphForm, GraphFormat, GraphReadParams};
use crate::IoError;
use crate::error::shown;
use crate::number::kept;
use crate::raster::{self, RasterText};
use crate::source::{Source, plain};
use palmette_core::graph::raster::{CellValues, Landscape};
use std::collections::BTreeMap;

/// Focal points of a landscape: regions of one cell or more.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FocalFile {
    /// The numbers of the regions, ascending.
    pub numbers: Vec<u32>,
    /// By region, its vertices, ascending.
    pub vertices: Vec<Vec<u32>>,
    /// Cells of regions that have no data, where they were to be skipped.
    pub skipped: usize,
}

pub(super) fn read(source: &Source<'_>, params: &GraphReadParams) -> Result<GraphFile, IoError> {
    let RasterText { mut raster, lines } = raster::read(source)?;
    let (columns, cells) = (raster.columns, params.raster.cells);
    let mut found = GraphCounts { entries: raster.values.len(), ..GraphCounts::default() };
    for (cell, value) in raster.values.iter_mut().enumerate() {
        if *value == 0.0 && cells == CellValues::Conductance {
            *value = f64::NAN;
            found.zeros += 1;
        }
        if !(value.is_nan() || (*value > 0.0 && value.is_normal() && (1.0 / *value).is_normal())) {
            let (line, column) = (lines[cell / columns], cell % columns + 1);
            let expected = match cells {
                CellValues::Resistance => "a resistance above 0",
                _ => "a conductance, 0 or above",
            };
            return Err(source.on_line(
                line,
                format!("{expected}, in column {column}"),
                value.to_string(),
            ));
        }
    }
    if raster.values.iter().all(|value| value.is_nan()) {
        return Err(IoError::NoVertices { file: source.name.to_string() });
    }
    let made = raster.graph(&params.raster);
    let (graph, landscape) = made
        .map_err(|error| source.on_line(lines[0], "cells that form a graph", error.to_string()))?;
    let (format, form) = (GraphFormat::AsciiGrid, GraphForm::Adjacency);
    let file = GraphFile::new(source.name, format, graph, form, found);
    Ok(GraphFile { landscape: Some(landscape), ..file })
}

/// Reads focal points of a landscape: a raster of the same shape, whose positive whole numbers name
/// regions (zeros and negative ones do not), or lines `number x y`. With `skip`, cells without data
/// are left out, and a region that has no others stays empty.
///
/// # Errors
/// Another shape, points outside or on cells without data, numbers that are not whole; with the line.
pub fn read_focal_bytes(
    name: &str,
    bytes: &[u8],
    landscape: &Landscape,
    skip: bool,
) -> Result<FocalFile, IoError> {
    let data = plain(name, bytes)?;
    let source = Source::new(name, &data)?;
    let places = match raster::is_raster(source.text) {
        true => of_raster(&source, landscape)?,
        false => of_lines(&source, landscape)?,
    };
    let mut regions: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let mut skipped = 0;
    for Place { number, row, column, line } in places {
        let region = regions.entry(number).or_default();
        match landscape.vertex(row, column) {
            Some(vertex) => region.push(vertex),
            None if skip => skipped += 1,
            None => {
                let found = format!(
                    "point {number} in row {}, column {}, which has none",
                    row + 1,
                    column + 1
                );
                return Err(source.on_line(line, "points on cells with data", found));
            }
        }
    }
    if regions.is_empty() {
        return Err(source.on_line(1, "focal points", "none"));
    }
    let (numbers, mut vertices): (Vec<u32>, Vec<Vec<u32>>) = regions.into_iter().unzip();
    for region in &mut vertices {
        region.sort_unstable();
        region.dedup();
    }
    Ok(FocalFile { numbers, vertices, skipped })
}

/// Reads a raster of the same shape as a landscape, to a value for each vertex; where it has no
/// data, nothing.
///
/// # Errors
/// Another shape; a value other than 0 where the landscape has no data; as [`crate::read_raster_bytes`].
pub fn read_layer_bytes(
    name: &str,
    bytes: &[u8],
    landscape: &Landscape,
) -> Result<Vec<Option<f64>>, IoError> {
    let data = plain(name, bytes)?;
    let source = Source::new(name, &data)?;
    let RasterText { raster, lines } = raster::read(&source)?;
    check_shape(&source, &raster, landscape)?;
    let mut layer = vec![None; landscape.cells.len()];
    for (cell, &value) in raster.values.iter().enumerate() {
        if value.is_nan() {
            continue;
        }
        let (row, column) = (cell / raster.columns, cell % raster.columns);
        let Some(vertex) = landscape.vertex(row, column) else {
            if value == 0.0 {
                continue;
            }
            let found = format!("{value} in column {}, where it has none", column + 1);
            return Err(source.on_line(lines[row], "values where the landscape has data", found));
        };
        layer[vertex as usize] = Some(value);
    }
    Ok(layer)
}

struct Place {
    number: u32,
    row: usize,
    column: usize,
    line: u64,
}

/// Relative to a cell, how far corners of two rasters may lie apart.
const APART: f64 = 1e-3;

fn check_shape(
    source: &Source<'_>,
    raster: &palmette_core::graph::raster::Raster,
    landscape: &Landscape,
) -> Result<(), IoError> {
    let &Landscape { rows, columns, corner, side, .. } = landscape;
    if (raster.rows, raster.columns) != (rows, columns) {
        let found = format!("{} rows of {}", raster.rows, raster.columns);
        let expected = format!("{rows} rows of {columns} cells, as the landscape has");
        return Err(source.on_line(1, expected, found));
    }
    let near = |a: f64, b: f64| (a - b).abs() <= APART * side;
    let spread = (raster.side - side).abs() * rows.max(columns) as f64;
    if !near(raster.corner[0], corner[0]) || !near(raster.corner[1], corner[1]) || spread > side {
        let place =
            |[x, y]: [f64; 2], side: f64| format!("a corner at {x}, {y} and cells of {side}");
        let expected = format!("{}, as the landscape has", place(corner, side));
        return Err(source.on_line(1, expected, place(raster.corner, raster.side)));
    }
    Ok(())
}

fn of_raster(source: &Source<'_>, landscape: &Landscape) -> Result<Vec<Place>, IoError> {
    let RasterText { raster, lines } = raster::read(source)?;
    check_shape(source, &raster, landscape)?;
    let mut places = Vec::new();
    for (cell, &value) in raster.values.iter().enumerate().filter(|(_, value)| **value > 0.0) {
        let (row, column) = (cell / raster.columns, cell % raster.columns);
        if value.fract() != 0.0 || value > f64::from(u32::MAX) {
            let expected = format!("whole numbers for points, in column {}", column + 1);
            return Err(source.on_line(lines[row], expected, value.to_string()));
        }
        places.push(Place { number: value as u32, row, column, line: lines[row] });
    }
    Ok(places)
}

fn of_lines(source: &Source<'_>, landscape: &Landscape) -> Result<Vec<Place>, IoError> {
    let &Landscape { rows, columns, corner, side, .. } = landscape;
    let mut places = Vec::new();
    for (before, text) in source.text.lines().enumerate() {
        let (line, text) = (before as u64 + 1, text.trim());
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let words: Vec<&str> = text
            .split(|c: char| c.is_ascii_whitespace() || c == ',')
            .filter(|w| !w.is_empty())
            .collect();
        let numbers: Option<Vec<f64>> = words.iter().map(|word| kept(word.as_bytes())).collect();
        let wrong = || source.on_line(line, "a raster, or lines `number x y`", shown(text));
        let &[number, x, y] = &numbers.ok_or_else(wrong)?[..] else { return Err(wrong()) };
        if number.fract() != 0.0 || !(1.0..=f64::from(u32::MAX)).contains(&number) {
            return Err(source.on_line(
                line,
                "a positive whole number for the point",
                shown(words[0]),
            ));
        }
        let column = ((x - corner[0]) / side).floor();
        let from_below = ((y - corner[1]) / side).floor();
        let inside =
            (0.0..columns as f64).contains(&column) && (0.0..rows as f64).contains(&from_below);
        if !inside {
            let [left, below] = corner;
            let (right, above) = (left + side * columns as f64, below + side * rows as f64);
            let expected = format!("x from {left} to {right} and y from {below} to {above}");
            return Err(source.on_line(line, expected, format!("{x}, {y}")));
        }
        let row = rows - 1 - from_below as usize;
        places.push(Place { number: number as u32, row, column: column as usize, line });
    }
    Ok(places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_graph_bytes;
    use palmette_core::graph::raster::RasterParams;

    const HEAD: &str = "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n";

    fn landscape(body: &str, cells: CellValues) -> Result<GraphFile, IoError> {
        let raster = RasterParams { cells, ..Default::default() };
        let params = GraphReadParams { raster, ..Default::default() };
        read_graph_bytes("land.asc", format!("{HEAD}{body}").as_bytes(), &params)
    }

    #[test]
    fn points_by_raster_and_by_line() {
        let file = landscape("1 2 -9999\n3 0 5\n", CellValues::Conductance).unwrap();
        assert_eq!((file.graph.len(), file.found.zeros), (4, 1));
        let land = file.landscape.unwrap();
        let points = format!("{HEAD}7 -9999 -9999\n7 0 2\n");
        let focal = read_focal_bytes("p", points.as_bytes(), &land, false).unwrap();
        assert_eq!((focal.numbers, focal.vertices), (vec![2, 7], vec![vec![3], vec![0, 2]]));
        let lines =
            read_focal_bytes("p", b"# id x y\n4 0.5 1.5\n9, 2.9, 0.1\n", &land, false).unwrap();
        assert_eq!((lines.numbers, lines.vertices), (vec![4, 9], vec![vec![0], vec![3]]));
        let lake = format!("{HEAD}1 -9999 6\n2 -9999 -9999\n");
        let skipped = read_focal_bytes("p", lake.as_bytes(), &land, true).unwrap();
        assert_eq!((skipped.skipped, skipped.vertices), (1, vec![vec![0], vec![2], vec![]]));
        for (text, message) in [
            (
                &lake[..],
                "p, line 6: expected points on cells with data, found point 6 in row 1, column 3, which has none",
            ),
            ("1 3.5 0.5\n", "p, line 1: expected x from 0 to 3 and y from 0 to 2, found 3.5, 0.5"),
            ("1 0.5\n", "p, line 1: expected a raster, or lines `number x y`, found `1 0.5`"),
            ("0 0.5 0.5\n", "p, line 1: expected a positive whole number for the point, found `0`"),
            ("", "p, line 1: expected focal points, found none"),
            (
                &format!("{HEAD}1.5 2 3\n1 2 3\n"),
                "p, line 6: expected whole numbers for points, in column 1, found 1.5",
            ),
            (
                "ncols 1\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n1\n",
                "p, line 1: expected 2 rows of 3 cells, as the landscape has, found 1 rows of 1",
            ),
        ] {
            let error = read_focal_bytes("p", text.as_bytes(), &land, false).expect_err(text);
            assert_eq!(error.to_string(), message);
        }
        let layer = format!("{HEAD}0 2 -9999\n-3 -9999 -9999\n");
        let layer = read_layer_bytes("s", layer.as_bytes(), &land).unwrap();
        assert_eq!(layer, [Some(0.0), Some(2.0), Some(-3.0), None]);
    }

    #[test]
    fn cells_that_cannot_conduct_are_errors() {
        let message = |body: &str, cells| landscape(body, cells).unwrap_err().to_string();
        assert_eq!(
            message("1 2 3\n4 -5 6\n", CellValues::Conductance),
            "land.asc, line 7: expected a conductance, 0 or above, in column 2, found -5"
        );
        assert_eq!(
            message("1 0 3\n4 5 6\n", CellValues::Resistance),
            "land.asc, line 6: expected a resistance above 0, in column 2, found 0"
        );
        assert!(
            message("-9999 -9999 -9999\n-9999 -9999 -9999\n", CellValues::Resistance)
                .contains("vert")
        );
    }
}
