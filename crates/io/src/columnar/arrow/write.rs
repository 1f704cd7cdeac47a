//! Writes Arrow's file format: a schema, batches of rows, and where they are.

use super::super::write::{Block, OutColumn, OutKind};
use super::{BATCH, CONTINUES, MAGIC, SCHEMA};
use std::io::{self, Write};

/// The version of metadata since Arrow 1.0.
const VERSION: i16 = 4;

/// A file under way.
pub(in crate::columnar) struct ArrowWriter<'c> {
    columns: &'c [OutColumn<'c>],
    /// Bytes so far.
    at: u64,
    /// Of each batch: its place, the length of its metadata, that of its body.
    blocks: Vec<[i64; 3]>,
}

impl<'c> ArrowWriter<'c> {
    /// The writer, and what comes before the first batch.
    pub(in crate::columnar) fn new(columns: &'c [OutColumn<'c>]) -> (ArrowWriter<'c>, Vec<u8>) {
        let mut head = MAGIC.to_vec();
        head.extend([0, 0]);
        head.extend(framed(&message(SCHEMA, 0, |flat| schema(flat, columns))));
        (ArrowWriter { columns, at: head.len() as u64, blocks: Vec::new() }, head)
    }

    /// Writes rows: of each column its blocks.
    pub(in crate::columnar) fn batch(
        &mut self,
        out: &mut dyn Write,
        rows: usize,
        blocks: &[Vec<Block>],
    ) -> io::Result<()> {
        let mut body = Vec::new();
        let (mut nodes, mut buffers) = (Vec::new(), Vec::new());
        for (column, blocks) in self.columns.iter().zip(blocks) {
            let nulls: usize = blocks.iter().map(|block| block.nulls).sum();
            nodes.push([rows as i64, nulls as i64]);
            let mut buffer = |fill: &dyn Fn(&mut Vec<u8>)| {
                let start = body.len();
                fill(&mut body);
                buffers.push([start as i64, (body.len() - start) as i64]);
                body.resize(body.len().next_multiple_of(64), 0);
            };
            // Blocks have multiples of eight rows, but for the last one.
            buffer(&|to| {
                if nulls > 0 {
                    blocks.iter().for_each(|block| to.extend_from_slice(&block.valid));
                }
            });
            if column.kind == OutKind::Text {
                buffer(&|to| {
                    let mut end = 0i64;
                    to.extend_from_slice(&end.to_le_bytes());
                    for length in blocks.iter().flat_map(|block| &block.lengths) {
                        end += i64::from(*length);
                        to.extend_from_slice(&end.to_le_bytes());
                    }
                });
            }
            buffer(&|to| blocks.iter().for_each(|block| to.extend_from_slice(&block.bytes)));
        }
        let about = framed(&message(BATCH, body.len() as i64, |flat| {
            let nodes = flat.words(&nodes);
            let buffers = flat.words(&buffers);
            flat.table(&[
                (0, Slot::I64(rows as i64)),
                (1, Slot::Offset(nodes)),
                (2, Slot::Offset(buffers)),
            ])
        }));
        self.blocks.push([self.at as i64, about.len() as i64, body.len() as i64]);
        self.at += (about.len() + body.len()) as u64;
        out.write_all(&about)?;
        out.write_all(&body)
    }

    /// What comes after the last batch.
    pub(in crate::columnar) fn end(self) -> Vec<u8> {
        let mut flat = Flat::default();
        let schema = schema(&mut flat, self.columns);
        let none = flat.words::<3>(&[]);
        let blocks = flat.words(&self.blocks);
        let footer = flat.table(&[
            (0, Slot::I16(VERSION)),
            (1, Slot::Offset(schema)),
            (2, Slot::Offset(none)),
            (3, Slot::Offset(blocks)),
        ]);
        let footer = flat.finish(footer);
        let mut end = CONTINUES.to_le_bytes().to_vec();
        end.extend([0; 4]);
        end.extend_from_slice(&footer);
        end.extend((footer.len() as u32).to_le_bytes());
        end.extend_from_slice(MAGIC);
        end
    }
}

/// A message with its length before it.
fn framed(message: &[u8]) -> Vec<u8> {
    let mut bytes = CONTINUES.to_le_bytes().to_vec();
    bytes.extend((message.len() as u32).to_le_bytes());
    bytes.extend_from_slice(message);
    bytes
}

fn message(kind: u8, body: i64, header: impl FnOnce(&mut Flat) -> usize) -> Vec<u8> {
    let mut flat = Flat::default();
    let header = header(&mut flat);
    let message = flat.table(&[
        (0, Slot::I16(VERSION)),
        (1, Slot::U8(kind)),
        (2, Slot::Offset(header)),
        (3, Slot::I64(body)),
    ]);
    flat.finish(message)
}

fn schema(flat: &mut Flat, columns: &[OutColumn<'_>]) -> usize {
    let field = |column: &OutColumn<'_>| {
        let name = flat.text(column.name);
        let none = flat.offsets(&[]);
        let integer =
            |flat: &mut Flat, signed: u8| flat.table(&[(0, Slot::I32(64)), (1, Slot::U8(signed))]);
        let (tag, about) = match column.kind {
            OutKind::I64 => (2, integer(flat, 1)),
            OutKind::U64 => (2, integer(flat, 0)),
            OutKind::F32 => (3, flat.table(&[(0, Slot::I16(1))])),
            OutKind::F64 => (3, flat.table(&[(0, Slot::I16(2))])),
            OutKind::Text => (20, flat.table(&[])),
        };
        flat.table(&[
            (0, Slot::Offset(name)),
            (1, Slot::U8(u8::from(column.nullable))),
            (2, Slot::U8(tag)),
            (3, Slot::Offset(about)),
            (5, Slot::Offset(none)),
        ])
    };
    let fields: Vec<usize> = columns.iter().map(field).collect();
    let fields = flat.offsets(&fields);
    flat.table(&[(0, Slot::I16(0)), (1, Slot::Offset(fields))])
}

/// A field of a table.
enum Slot {
    U8(u8),
    I16(i16),
    I32(i32),
    I64(i64),
    /// What lies at a distance from the end.
    Offset(usize),
}

impl Slot {
    fn width(&self) -> usize {
        match self {
            Slot::U8(_) => 1,
            Slot::I16(_) => 2,
            Slot::I32(_) | Slot::Offset(_) => 4,
            Slot::I64(_) => 8,
        }
    }
}

/// A flat buffer under way. It grows towards its start: what is referred to comes first, and places
/// are distances from the end.
#[derive(Default)]
struct Flat {
    reversed: Vec<u8>,
}

impl Flat {
    fn put(&mut self, bytes: &[u8]) {
        self.reversed.extend(bytes.iter().rev());
    }

    /// Makes the place after `more` bytes a multiple of `width`.
    fn align(&mut self, width: usize, more: usize) {
        let end = (self.reversed.len() + more).next_multiple_of(width);
        self.reversed.resize(end - more, 0);
    }

    fn put_offset(&mut self, to: usize) {
        let distance = (self.reversed.len() + 4 - to) as u32;
        self.put(&distance.to_le_bytes());
    }

    fn put_len(&mut self, len: usize) -> usize {
        self.put(&(len as u32).to_le_bytes());
        self.reversed.len()
    }

    fn text(&mut self, text: &str) -> usize {
        self.align(4, text.len() + 1);
        self.put(&[0]);
        self.put(text.as_bytes());
        self.put_len(text.len())
    }

    fn words<const N: usize>(&mut self, items: &[[i64; N]]) -> usize {
        self.align(8, 0);
        for word in items.iter().rev().flat_map(|item| item.iter().rev()) {
            self.put(&word.to_le_bytes());
        }
        self.put_len(items.len())
    }

    fn offsets(&mut self, items: &[usize]) -> usize {
        self.align(4, 0);
        items.iter().rev().for_each(|&item| self.put_offset(item));
        self.put_len(items.len())
    }

    fn table(&mut self, slots: &[(usize, Slot)]) -> usize {
        let end = self.reversed.len();
        let count = slots.iter().map(|(field, _)| field + 1).max().unwrap_or(0);
        let mut places = vec![0usize; count];
        for (field, slot) in slots {
            self.align(slot.width(), 0);
            match slot {
                Slot::U8(x) => self.put(&[*x]),
                Slot::I16(x) => self.put(&x.to_le_bytes()),
                Slot::I32(x) => self.put(&x.to_le_bytes()),
                Slot::I64(x) => self.put(&x.to_le_bytes()),
                Slot::Offset(to) => self.put_offset(*to),
            }
            places[*field] = self.reversed.len();
        }
        self.align(4, 0);
        let list = 4 + 2 * count;
        self.put(&(list as i32).to_le_bytes());
        let table = self.reversed.len();
        for &place in places.iter().rev() {
            let offset = if place == 0 { 0 } else { (table - place) as u16 };
            self.put(&offset.to_le_bytes());
        }
        self.put(&((table - end) as u16).to_le_bytes());
        self.put(&(list as u16).to_le_bytes());
        table
    }

    fn finish(mut self, root: usize) -> Vec<u8> {
        self.align(8, 4);
        self.put_offset(root);
        self.reversed.reverse();
        self.reversed
    }
}
