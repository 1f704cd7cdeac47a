//! A raster as a graph: cells are vertices, and current flows between those that touch.
//!
//! **Problem.** Rows of cells, each with a conductance or a resistance, or without data; out come
//! the graph of the cells with data and where they lie.
//!
//! **Method.** Vertices are the cells with data, row by row from the top. An edge joins two that
//! share a side, or with eight neighbours a corner; its conductance is the mean of the two cells'
//! conductances, or one over the mean of their resistances, divided by the distance of their middles
//! (1, or √2 across a corner). So has Circuitscape.
//!
//! **Cost.** Linear; 16 bytes per edge beside the graph.
//!
//! **Determinism.** One thread; no choice is made.
//!
//! **Reference.** McRae, Dickson, Keitt and Shah, *Using circuit theory to model connectivity in
//! ecology*, 2008.

use super::{Graph, GraphError};
use crate::random::{Purpose, Random};
use crate::{MAX_VERTICES, NONE, named};

named! {
    /// Which cells of a raster are neighbours.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    pub enum Neighbours("number of neighbours") {
        /// Those that share a side.
        Four = "4",
        /// Those that share a side or a corner.
        #[default]
        Eight = "8",
    }
}

named! {
    /// What the numbers of a raster's cells are.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    pub enum CellValues("kind of cells") {
        /// How hard it is to cross a cell.
        #[default]
        Resistance = "resistance",
        /// How easy it is.
        Conductance = "conductance",
    }
}

/// How a raster becomes a graph.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RasterParams {
    /// Which cells are neighbours.
    pub neighbours: Neighbours,
    /// What the numbers of cells are.
    pub cells: CellValues,
    /// What an edge has the mean of; by default what the numbers are.
    pub mean: Option<CellValues>,
}

/// Cells in rows from the top.
#[derive(Debug, Clone, PartialEq)]
pub struct Raster {
    /// Rows.
    pub rows: usize,
    /// Cells of a row.
    pub columns: usize,
    /// The lower left corner.
    pub corner: [f64; 2],
    /// The side of a cell.
    pub side: f64,
    /// What the cells have, row by row; NaN where there are no data.
    pub values: Vec<f64>,
}

/// The cells that are vertices of a graph.
#[derive(Debug, Clone, PartialEq)]
pub struct Landscape {
    /// Rows.
    pub rows: usize,
    /// Cells of a row.
    pub columns: usize,
    /// The lower left corner.
    pub corner: [f64; 2],
    /// The side of a cell.
    pub side: f64,
    /// By vertex its cell, counted row by row from the top; ascending.
    pub cells: Vec<u32>,
}

impl Landscape {
    /// The vertex of a cell.
    pub fn vertex(&self, row: usize, column: usize) -> Option<u32> {
        let cell = u32::try_from(row * self.columns + column).ok()?;
        self.cells.binary_search(&cell).ok().map(|vertex| vertex as u32)
    }

    /// The row and the column of a vertex.
    ///
    /// # Panics
    /// When there is no such vertex.
    pub fn place(&self, vertex: u32) -> (usize, usize) {
        let cell = self.cells[vertex as usize] as usize;
        (cell / self.columns, cell % self.columns)
    }

    /// Values of vertices in their cells; all others have no data.
    ///
    /// # Panics
    /// Without a value for each vertex.
    pub fn raster(&self, values: &[f64]) -> Raster {
        assert_eq!(values.len(), self.cells.len(), "a value for each vertex");
        let mut all = vec![f64::NAN; self.rows * self.columns];
        self.cells.iter().zip(values).for_each(|(&cell, &value)| all[cell as usize] = value);
        let &Landscape { rows, columns, corner, side, .. } = self;
        Raster { rows, columns, corner, side, values: all }
    }
}

impl Raster {
    /// The graph of the cells with data, and which these are.
    ///
    /// # Errors
    /// Too many cells or edges; a conductance whose reciprocal is not finite.
    pub fn graph(&self, params: &RasterParams) -> Result<(Graph, Landscape), GraphError> {
        let &Raster { rows, columns, corner, side, ref values } = self;
        if values.len() > MAX_VERTICES {
            return Err(GraphError::TooMany { what: "cells", count: values.len() as u64 });
        }
        let mut vertices = vec![NONE; values.len()];
        let mut cells = Vec::new();
        for (cell, _) in values.iter().enumerate().filter(|(_, value)| !value.is_nan()) {
            vertices[cell] = cells.len() as u32;
            cells.push(cell as u32);
        }
        let mean = params.mean.unwrap_or(params.cells);
        // What is averaged, by cell.
        let averaged = |x: f64| if mean == params.cells { x } else { 1.0 / x };
        let weight = |a: usize, b: usize| {
            let middle = (averaged(values[a]) + averaged(values[b])) / 2.0;
            if mean == CellValues::Resistance { 1.0 / middle } else { middle }
        };
        let mut edges = Vec::new();
        for &cell in &cells {
            let (cell, column) = (cell as usize, cell as usize % columns);
            let below = cell + columns;
            let mut link = |other: usize, length: f64| {
                if other < values.len() && vertices[other] != NONE {
                    edges.push((vertices[cell], vertices[other], weight(cell, other) / length));
                }
            };
            if column + 1 < columns {
                link(cell + 1, 1.0);
            }
            link(below, 1.0);
            if params.neighbours == Neighbours::Eight {
                if column > 0 {
                    link(below - 1, std::f64::consts::SQRT_2);
                }
                if column + 1 < columns {
                    link(below + 1, std::f64::consts::SQRT_2);
                }
            }
        }
        if edges.len() > MAX_VERTICES {
            return Err(GraphError::TooMany { what: "edges", count: edges.len() as u64 });
        }
        let graph = Graph::from_edges(cells.len(), &edges)?;
        Ok((graph, Landscape { rows, columns, corner, side, cells }))
    }

    /// A made-up landscape of resistances from 1 to 100: hills of several sizes, and lakes without
    /// data, about a twelfth of all cells.
    pub fn hills(rows: usize, columns: usize, seed: u64) -> Raster {
        let mut random = Random::new(seed, Purpose::Shape);
        let mut waves = |size: f64| -> Vec<[f64; 3]> {
            let unit = std::f64::consts::TAU / size;
            (0..6)
                .map(|_| {
                    let (angle, phase) = (random.unit(), random.unit());
                    let (sin, cos) = (std::f64::consts::TAU * angle).sin_cos();
                    [unit * cos, unit * sin, std::f64::consts::TAU * phase]
                })
                .collect()
        };
        let size = rows.min(columns).max(4) as f64;
        let (large, small, lakes) = (waves(size / 1.5), waves(size / 6.0), waves(size / 4.0));
        let sum = |waves: &[[f64; 3]], r: usize, c: usize| -> f64 {
            let wave = |w: &[f64; 3]| (w[0] * c as f64 + w[1] * r as f64 + w[2]).sin();
            waves.iter().map(wave).sum::<f64>() / waves.len() as f64
        };
        let value = |cell: usize| {
            let (r, c) = (cell / columns, cell % columns);
            if sum(&lakes, r, c) > 0.42 {
                return f64::NAN;
            }
            let height = (sum(&large, r, c) + 0.5 * sum(&small, r, c)).clamp(-1.0, 1.0);
            // Two digits after the point: short in files.
            ((100.0 * 10f64.powf(1.0 + height)).round() / 100.0).clamp(1.0, 100.0)
        };
        let values = (0..rows * columns).map(value).collect();
        Raster { rows, columns, corner: [0.0; 2], side: 1.0, values }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_touch_are_joined() {
        let values = vec![1.0, 3.0, f64::NAN, 2.0, 4.0, 8.0];
        let raster = Raster { rows: 2, columns: 3, corner: [0.0; 2], side: 1.0, values };
        let params = |neighbours, cells, mean| RasterParams { neighbours, cells, mean };
        let (four, landscape) =
            raster.graph(&params(Neighbours::Four, CellValues::Resistance, None)).unwrap();
        assert_eq!(landscape.cells, [0, 1, 3, 4, 5]);
        assert_eq!((landscape.vertex(1, 0), landscape.vertex(0, 2)), (Some(2), None));
        assert_eq!(landscape.place(4), (1, 2));
        let edges: Vec<_> = four.edges().collect();
        let expected = [
            (0, 1, 0.5),
            (0, 2, 1.0 / 1.5),
            (1, 3, 1.0 / 3.5),
            (2, 3, 1.0 / 3.0),
            (3, 4, 1.0 / 6.0),
        ];
        assert_eq!(edges, expected);
        let conducting = params(Neighbours::Eight, CellValues::Conductance, None);
        let eight = raster.graph(&conducting).unwrap().0;
        let root = std::f64::consts::SQRT_2;
        assert_eq!(eight.edge_count(), 8);
        assert_eq!(eight.weight(1, 2), Some(2.5 / root));
        assert_eq!(eight.weight(1, 4), Some(5.5 / root));
        assert_eq!(eight.weight(0, 1), Some(2.0));
        let mixed = params(Neighbours::Four, CellValues::Resistance, Some(CellValues::Conductance));
        let mixed = raster.graph(&mixed).unwrap().0;
        assert_eq!(mixed.weight(2, 3), Some((0.5 + 0.25) / 2.0));
        let back = landscape.raster(&[1.0, 3.0, 2.0, 4.0, 8.0]);
        assert!(back.values[2].is_nan() && back.values[5] == 8.0);
    }

    #[test]
    fn hills_have_lakes_and_a_seed() {
        let (one, two) = (Raster::hills(60, 80, 1), Raster::hills(60, 80, 2));
        let same = Raster::hills(60, 80, 1);
        let bits = |r: &Raster| r.values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&one), bits(&same));
        assert_ne!(bits(&one), bits(&two));
        let lakes = one.values.iter().filter(|x| x.is_nan()).count();
        assert!((1..4800 / 4).contains(&lakes), "{lakes}");
        assert!(one.values.iter().all(|x| x.is_nan() || (1.0..=100.0).contains(x)));
    }
}
