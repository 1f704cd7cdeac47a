//! Writes Parquet: pages of version 1, plain values packed by zstd, and a footer.

use super::MAGIC;
use super::thrift::{BINARY, I32, STRUCT, Writer};
use crate::columnar::write::{Block, OutColumn, OutKind};
use rayon::prelude::*;
use std::io;

/// zstd's own default takes three times as long for a tenth less.
const LEVEL: i32 = 1;
const ZSTD: i32 = 6;
const PLAIN: i32 = 0;
const RUNS: i32 = 3;

/// A file under way.
pub(in crate::columnar) struct ParquetWriter<'c> {
    columns: &'c [OutColumn<'c>],
    at: u64,
    groups: Vec<Group>,
}

#[derive(Default)]
struct Group {
    rows: usize,
    columns: Vec<Stored>,
}

/// Where a column of a group is, and its bytes before and after packing.
struct Stored {
    at: u64,
    plain: u64,
    packed: u64,
}

impl<'c> ParquetWriter<'c> {
    /// The writer, and what comes before the first group.
    pub(in crate::columnar) fn new(columns: &'c [OutColumn<'c>]) -> (ParquetWriter<'c>, Vec<u8>) {
        let at = MAGIC.len() as u64;
        (ParquetWriter { columns, at, groups: Vec::new() }, MAGIC.to_vec())
    }

    pub(in crate::columnar) fn begin_group(&mut self, rows: usize) {
        self.groups.push(Group { rows, columns: Vec::new() });
    }

    /// The pages of the next column of the group: one for each block, of `each` rows but the last.
    pub(in crate::columnar) fn pages(
        &mut self,
        column: usize,
        rows: usize,
        each: usize,
        blocks: &[Block],
    ) -> io::Result<Vec<Vec<u8>>> {
        let column = &self.columns[column];
        let page = |(k, block): (usize, &Block)| page(column, block, each.min(rows - k * each));
        let made: Vec<io::Result<(Vec<u8>, u64)>> =
            blocks.par_iter().enumerate().map(page).collect();
        let made: Vec<(Vec<u8>, u64)> = made.into_iter().collect::<io::Result<_>>()?;
        let packed = made.iter().map(|(page, _)| page.len() as u64).sum();
        let plain = made.iter().map(|(_, plain)| plain).sum();
        if let Some(group) = self.groups.last_mut() {
            group.columns.push(Stored { at: self.at, plain, packed });
        }
        self.at += packed;
        Ok(made.into_iter().map(|(page, _)| page).collect())
    }

    /// What comes after the last group.
    pub(in crate::columnar) fn end(self, rows: usize) -> Vec<u8> {
        let mut out = Writer::default();
        out.begin();
        out.i32(1, 2);
        out.list(2, STRUCT, self.columns.len() + 1);
        out.begin();
        out.text(4, "schema");
        out.i32(5, self.columns.len() as i32);
        out.end();
        self.columns.iter().for_each(|column| schema(&mut out, column));
        out.i64(3, rows as i64);
        out.list(4, STRUCT, self.groups.len());
        for group in &self.groups {
            out.begin();
            out.list(1, STRUCT, group.columns.len());
            for (column, stored) in self.columns.iter().zip(&group.columns) {
                about(&mut out, column, stored, group.rows);
            }
            out.i64(2, group.columns.iter().map(|stored| stored.plain as i64).sum());
            out.i64(3, group.rows as i64);
            out.end();
        }
        out.text(6, concat!("palmette version ", env!("CARGO_PKG_VERSION")));
        out.end();
        let mut bytes = out.bytes;
        bytes.extend((bytes.len() as u32).to_le_bytes());
        bytes.extend_from_slice(MAGIC);
        bytes
    }
}

/// The number of the stored type.
fn physical(kind: OutKind) -> i32 {
    match kind {
        OutKind::I64 | OutKind::U64 => 2,
        OutKind::F32 => 4,
        OutKind::F64 => 5,
        OutKind::Text => 6,
    }
}

fn schema(out: &mut Writer, column: &OutColumn<'_>) {
    out.begin();
    out.i32(1, physical(column.kind));
    out.i32(3, i32::from(column.nullable));
    out.text(4, column.name);
    // Older readers know the first of each two, newer ones the second.
    match column.kind {
        OutKind::Text => {
            out.i32(6, 0);
            out.structure(10);
            out.structure(1);
            out.end();
            out.end();
        }
        OutKind::U64 => {
            out.i32(6, 14);
            out.structure(10);
            out.structure(10);
            out.i8(1, 64);
            out.truth(2, false);
            out.end();
            out.end();
        }
        _ => {}
    }
    out.end();
}

fn about(out: &mut Writer, column: &OutColumn<'_>, stored: &Stored, rows: usize) {
    out.begin();
    out.i64(2, 0);
    out.structure(3);
    out.i32(1, physical(column.kind));
    out.list(2, I32, 2);
    out.number(PLAIN);
    out.number(RUNS);
    out.list(3, BINARY, 1);
    out.item(column.name);
    out.i32(4, ZSTD);
    out.i64(5, rows as i64);
    out.i64(6, stored.plain as i64);
    out.i64(7, stored.packed as i64);
    out.i64(9, stored.at as i64);
    out.end();
    out.end();
}

/// A page with its header, and how many bytes it has before packing.
fn page(column: &OutColumn<'_>, block: &Block, rows: usize) -> io::Result<(Vec<u8>, u64)> {
    let mut plain = Vec::with_capacity(block.bytes.len() + 4 * block.lengths.len() + rows / 8 + 16);
    if column.nullable {
        levels(&mut plain, block, rows);
    }
    let present = |row: usize| block.valid[row / 8] >> (row % 8) & 1 == 1;
    match column.kind {
        OutKind::Text => {
            let mut at = 0;
            for (row, &length) in block.lengths.iter().enumerate() {
                if present(row) {
                    plain.extend(length.to_le_bytes());
                    plain.extend_from_slice(&block.bytes[at..at + length as usize]);
                }
                at += length as usize;
            }
        }
        _ if block.nulls == 0 => plain.extend_from_slice(&block.bytes),
        kind => {
            let width = if kind == OutKind::F32 { 4 } else { 8 };
            for (row, number) in block.bytes.chunks_exact(width).enumerate() {
                if present(row) {
                    plain.extend_from_slice(number);
                }
            }
        }
    }
    let too_large = |_| crate::write::invalid("a page of more than 2 GB: labels are too long");
    let length = i32::try_from(plain.len()).map_err(too_large)?;
    let packed = zstd::bulk::compress(&plain, LEVEL)?;
    let mut header = Writer::default();
    header.begin();
    header.i32(1, 0);
    header.i32(2, length);
    header.i32(3, i32::try_from(packed.len()).map_err(too_large)?);
    header.structure(5);
    header.i32(1, rows as i32);
    header.i32(2, PLAIN);
    header.i32(3, RUNS);
    header.i32(4, RUNS);
    header.end();
    header.end();
    let mut bytes = header.bytes;
    let before = bytes.len() as u64 + plain.len() as u64;
    bytes.extend_from_slice(&packed);
    Ok((bytes, before))
}

/// Which rows are not null: a run where all are, else a bit for each.
fn levels(out: &mut Vec<u8>, block: &Block, rows: usize) {
    let start = out.len();
    out.extend([0; 4]);
    let head = match block.nulls {
        0 => (rows as u64) << 1,
        _ => (rows.div_ceil(8) as u64) << 1 | 1,
    };
    let mut rest = head;
    while rest >= 128 {
        out.push(rest as u8 | 128);
        rest >>= 7;
    }
    out.push(rest as u8);
    match block.nulls {
        0 => out.push(1),
        _ => out.extend_from_slice(&block.valid),
    }
    let length = (out.len() - start - 4) as u32;
    out[start..start + 4].copy_from_slice(&length.to_le_bytes());
}
