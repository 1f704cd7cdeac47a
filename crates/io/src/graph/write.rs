//! Writers of graphs.
//!
//! **Method.** As in [`crate::write_table`]: blocks are formatted in parallel and written
//! in order, floats as the shortest decimal that reads back to the same number.

use crate::write::{blocks, invalid, put_float, put_line, put_number};
use palmette_core::Graph;
use std::io::{self, Write};

/// Writes a graph as a symmetric matrix of weights: the lower triangle by columns,
/// numbers from 1.
///
/// # Errors
/// When writing fails.
pub fn write_matrix_market(out: &mut dyn Write, graph: &Graph) -> io::Result<()> {
    let (n, m) = (graph.len(), graph.edge_count());
    writeln!(out, "%%MatrixMarket matrix coordinate real symmetric\n{n} {n} {m}")?;
    blocks(out, n, |column, bytes| {
        let column = column as u32;
        let entries = graph.neighbours(column).iter().zip(graph.weights(column));
        for (&row, &weight) in entries.filter(|(row, _)| **row > column) {
            put_number(bytes, u64::from(row) + 1);
            bytes.push(b' ');
            put_number(bytes, u64::from(column) + 1);
            bytes.push(b' ');
            put_float(bytes, weight);
            bytes.push(b'\n');
        }
    })
}

/// Writes a graph in METIS's form. Weights are integers there; where all are 1 they are
/// left out.
///
/// # Errors
/// When writing fails, or a weight is not an integer below 2^53 (`InvalidInput`).
pub fn write_metis(out: &mut dyn Write, graph: &Graph) -> io::Result<()> {
    let integer = |w: f64| w.fract() == 0.0 && w < (1u64 << 53) as f64;
    if let Some((a, b, w)) = graph.edges().find(|&(_, _, w)| !integer(w)) {
        let (a, b) = (u64::from(a) + 1, u64::from(b) + 1);
        let message = format!("METIS graphs need integer weights, found {w} between {a} and {b}");
        return Err(invalid(message));
    }
    let unit = graph.all_weights().iter().all(|&w| w == 1.0);
    let format = if unit { "" } else { " 001" };
    writeln!(out, "{} {}{format}", graph.len(), graph.edge_count())?;
    blocks(out, graph.len(), |v, bytes| {
        let row = graph.neighbours(v as u32).iter().zip(graph.weights(v as u32));
        put_line(bytes, b' ', row, |bytes, (&u, &w)| {
            put_number(bytes, u64::from(u) + 1);
            if !unit {
                bytes.push(b' ');
                put_number(bytes, w as u64);
            }
        });
    })
}

/// Writes edges as lines `a b`, numbers from 1.
///
/// # Errors
/// When writing fails.
pub fn write_edge_pairs(out: &mut dyn Write, edges: &[(u32, u32)]) -> io::Result<()> {
    blocks(out, edges.len(), |i, bytes| {
        let ends = [edges[i].0, edges[i].1];
        put_line(bytes, b' ', ends, |bytes, end| put_number(bytes, u64::from(end) + 1));
    })
}
