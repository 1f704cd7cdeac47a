//! Writes tables of columns: what `write.rs` of texts writes, with types.
//!
//! **Method.** Rows go out in groups of a million. Of each group, blocks of a column are made in
//! parallel (and compressed, for Parquet), and written in order. Names of vertices are integers
//! where all are, else texts; what is nothing in a text is null.
//! **Cost.** Linear work; memory for a group.
//! **Determinism.** Blocks do not depend on the number of threads.

use super::arrow::ArrowWriter;
use super::parquet::ParquetWriter;
use crate::labels::Labels;
use crate::parts::TreeParts;
use crate::values::{Column, ValueSlice};
use crate::write::{Cells, annotation_names, invalid, parent_columns, rows_of};
use crate::{Format, ValueType};
use palmette_core::NONE;
use rayon::prelude::*;
use std::io::{self, Write};
use std::ops::Range;

/// Rows of a group.
const GROUP: usize = 1 << 20;
/// Rows of a block: a multiple of eight, so that the bits of blocks can be joined.
const BLOCK: usize = 1 << 16;

/// The type of a column that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OutKind {
    I64,
    U64,
    F64,
    F32,
    Text,
}

/// A column that is written.
pub(super) struct OutColumn<'a> {
    pub(super) name: &'a str,
    pub(super) kind: OutKind,
    /// Whether some of its rows may be null.
    pub(super) nullable: bool,
    cells: Cells<'a>,
}

/// Some rows of a column.
#[derive(Default)]
pub(super) struct Block {
    pub(super) nulls: usize,
    /// A bit for each row that is not null.
    pub(super) valid: Vec<u8>,
    /// The lengths of texts.
    pub(super) lengths: Vec<u32>,
    /// Numbers or texts side by side; zeros, or nothing, where a row is null.
    pub(super) bytes: Vec<u8>,
}

impl<'a> OutColumn<'a> {
    fn new(name: &'a str, cells: Cells<'a>, labels: &Labels) -> OutColumn<'a> {
        let nullable = !matches!(cells, Cells::EachVertex | Cells::Numbers(_));
        OutColumn { name, kind: kind_of(&cells, labels), nullable, cells }
    }

    fn block(&self, labels: &Labels, rows: Range<usize>) -> io::Result<Block> {
        let mut block = Block { valid: vec![0; rows.len().div_ceil(8)], ..Block::default() };
        match &self.cells {
            Cells::Numbers(numbers) => {
                block.valid.fill(0xff);
                put_numbers(&mut block.bytes, numbers, rows);
            }
            cells => {
                for (k, row) in rows.enumerate() {
                    match put_cell(cells, labels, self.kind, row, &mut block)? {
                        true => block.valid[k / 8] |= 1 << (k % 8),
                        false => block.nulls += 1,
                    }
                }
            }
        }
        Ok(block)
    }
}

fn kind_of(cells: &Cells<'_>, labels: &Labels) -> OutKind {
    match cells {
        Cells::EachVertex | Cells::Vertices(_) if labels.names_are_integers() => OutKind::I64,
        Cells::EachVertex | Cells::Vertices(_) | Cells::LabelsOf(_) | Cells::Texts(_) => {
            OutKind::Text
        }
        Cells::Known(_) => OutKind::F64,
        Cells::Where(_, cells) | Cells::Rows(_, cells) => kind_of(cells, labels),
        Cells::Numbers(numbers) => match numbers.value_type() {
            ValueType::I64 => OutKind::I64,
            ValueType::U64 => OutKind::U64,
            ValueType::F64 => OutKind::F64,
            ValueType::F32 => OutKind::F32,
        },
    }
}

fn put_numbers(out: &mut Vec<u8>, numbers: &ValueSlice<'_>, rows: Range<usize>) {
    out.reserve(8 * rows.len());
    match numbers {
        ValueSlice::I64(x) => x[rows].iter().for_each(|x| out.extend_from_slice(&x.to_le_bytes())),
        ValueSlice::U64(x) => x[rows].iter().for_each(|x| out.extend_from_slice(&x.to_le_bytes())),
        ValueSlice::F64(x) => x[rows].iter().for_each(|x| out.extend_from_slice(&x.to_le_bytes())),
        ValueSlice::F32(x) => x[rows].iter().for_each(|x| out.extend_from_slice(&x.to_le_bytes())),
    }
}

/// Appends a cell, and says whether it is not null.
fn put_cell(
    cells: &Cells<'_>,
    labels: &Labels,
    kind: OutKind,
    row: usize,
    block: &mut Block,
) -> io::Result<bool> {
    let vertex = |vertex: u32, block: &mut Block| match kind {
        OutKind::Text => put_text(&labels.get(vertex), block),
        _ => {
            block.bytes.extend_from_slice(&labels.integer(vertex as usize).to_le_bytes());
            Ok(true)
        }
    };
    match cells {
        Cells::EachVertex => vertex(row as u32, block),
        Cells::Vertices(x) if x[row] != NONE => vertex(x[row], block),
        Cells::LabelsOf(labels) => match labels.label(row as u32) {
            text if text.is_empty() => Ok(put_null(kind, block)),
            text => put_text(&text, block),
        },
        Cells::Numbers(numbers) => {
            put_numbers(&mut block.bytes, numbers, row..row + 1);
            Ok(true)
        }
        Cells::Known(x) if !x[row].is_nan() => {
            block.bytes.extend_from_slice(&x[row].to_le_bytes());
            Ok(true)
        }
        Cells::Texts(x) => match x.get(row as u32) {
            "" => Ok(put_null(kind, block)),
            text => put_text(text, block),
        },
        Cells::Where(present, cells) if present[row] => put_cell(cells, labels, kind, row, block),
        Cells::Rows(rows, cells) => put_cell(cells, labels, kind, rows[row] as usize, block),
        Cells::Where(..) | Cells::Vertices(_) | Cells::Known(_) => Ok(put_null(kind, block)),
    }
}

fn put_text(text: &str, block: &mut Block) -> io::Result<bool> {
    let length = i32::try_from(text.len()).map_err(|_| invalid("a label of more than 2 GB"))?;
    block.lengths.push(length as u32);
    block.bytes.extend_from_slice(text.as_bytes());
    Ok(true)
}

fn put_null(kind: OutKind, block: &mut Block) -> bool {
    match kind {
        OutKind::Text => block.lengths.push(0),
        OutKind::F32 => block.bytes.extend([0; 4]),
        _ => block.bytes.extend([0; 8]),
    }
    false
}

/// Writes a table of results as Parquet or Arrow: the columns of [`crate::write_table`], with types.
///
/// # Errors
/// As [`crate::write_table`]; and for another format.
pub fn write_columns(
    out: &mut dyn Write,
    format: Format,
    labels: &Labels,
    columns: &[(&str, Cells<'_>)],
) -> io::Result<()> {
    write_groups(out, format, labels, columns, GROUP)
}

/// The same, with so many rows in a group.
fn write_groups(
    out: &mut dyn Write,
    format: Format,
    labels: &Labels,
    columns: &[(&str, Cells<'_>)],
    group: usize,
) -> io::Result<()> {
    let rows = rows_of(labels, columns)?;
    let columns: Vec<OutColumn<'_>> =
        columns.iter().map(|(name, cells)| OutColumn::new(name, *cells, labels)).collect();
    let groups = (0..rows).step_by(group).map(|start| start..rows.min(start + group));
    let blocks = |column: &OutColumn<'_>, group: &Range<usize>| {
        let starts: Vec<usize> = group.clone().step_by(BLOCK).collect();
        let block = |&start: &usize| column.block(labels, start..group.end.min(start + BLOCK));
        let made: Vec<io::Result<Block>> = starts.par_iter().map(block).collect();
        made.into_iter().collect::<io::Result<Vec<Block>>>()
    };
    match format {
        Format::Parquet => {
            let (mut writer, head) = ParquetWriter::new(&columns);
            out.write_all(&head)?;
            for group in groups {
                writer.begin_group(group.len());
                for (k, column) in columns.iter().enumerate() {
                    let pages = writer.pages(k, group.len(), BLOCK, &blocks(column, &group)?)?;
                    pages.iter().try_for_each(|page| out.write_all(page))?;
                }
            }
            out.write_all(&writer.end(rows))
        }
        Format::Arrow => {
            let (mut writer, head) = ArrowWriter::new(&columns);
            out.write_all(&head)?;
            for group in groups {
                let all = columns.iter().map(|column| blocks(column, &group));
                writer.batch(out, group.len(), &all.collect::<io::Result<Vec<_>>>()?)?;
            }
            out.write_all(&writer.end())
        }
        _ => Err(invalid("a table of columns is parquet or arrow")),
    }
}

/// Writes a parent table as Parquet or Arrow: the columns of [`crate::write_parent_table`], with
/// types. A root's parent is null.
///
/// # Errors
/// As [`write_columns`].
pub fn write_parent_columns(
    out: &mut dyn Write,
    format: Format,
    parents: &[u32],
    labels: &Labels,
    lengths: Option<&[f64]>,
    columns: &[Column],
) -> io::Result<()> {
    let parts = TreeParts { lengths, columns, ..TreeParts::new(parents, labels) };
    put_parent_columns(out, format, &parts)
}

/// As [`write_parent_columns`], with all that a tree has.
pub(crate) fn put_parent_columns(
    out: &mut dyn Write,
    format: Format,
    parts: &TreeParts<'_>,
) -> io::Result<()> {
    let names = annotation_names(parts.annotations);
    let table = parent_columns("parent", &names, parts);
    write_groups(out, format, parts.labels, &table, GROUP)
}

/// A Parquet file of parents and columns with so many rows in a group.
#[cfg(test)]
pub(crate) fn parquet_in_groups(
    parents: &[u32],
    labels: &Labels,
    columns: &[Column],
    group: usize,
) -> Vec<u8> {
    let parts = TreeParts { columns, ..TreeParts::new(parents, labels) };
    let table = parent_columns("parent", &[], &parts);
    let mut bytes = Vec::new();
    write_groups(&mut bytes, Format::Parquet, labels, &table, group).unwrap();
    bytes
}
