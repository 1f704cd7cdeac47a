//! What columns an Arrow file says it has, and how many buffers each takes.

use super::flat::FlatTable;
use crate::columnar::column::{ColumnKind, NumberKind};

/// How the entries of a column lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    Numbers(NumberKind),
    Texts {
        wide: bool,
    },
    Views,
    Nulls,
    /// Not read.
    Other,
}

/// A column of a file.
#[derive(Debug, Clone)]
pub(super) struct ArrowField {
    pub(super) name: String,
    pub(super) kind: ColumnKind,
    /// That of the values, where there is a dictionary.
    pub(super) layout: Layout,
    /// The dictionary and the type of its keys.
    pub(super) dictionary: Option<(i64, NumberKind)>,
    pub(super) span: Span,
}

/// What a column takes of a batch, its children included.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Span {
    pub(super) nodes: usize,
    /// Without those of which a batch says how many there are.
    pub(super) buffers: usize,
    /// Columns of which it says so.
    pub(super) views: usize,
}

/// Columns within columns beyond this are not believed.
const DEEPEST: usize = 64;

/// The type of integers that a table of Arrow says.
fn integer(table: FlatTable<'_>) -> Option<NumberKind> {
    NumberKind::integer(u32::try_from(table.i32(0)).ok()?, table.u8(1) != 0)
}

/// The columns of a schema; nothing where it is damaged.
pub(super) fn fields(schema: FlatTable<'_>) -> Option<Vec<ArrowField>> {
    schema.list(1).map_or(Some(Vec::new()), |list| list.tables().map(field).collect())
}

fn field(table: FlatTable<'_>) -> Option<ArrowField> {
    let (kind, layout) = kind(table)?;
    let dictionary = table.table(4).map(|encoding| {
        let keys = encoding.table(1).map_or(Some(NumberKind::I32), integer);
        keys.map(|keys| (encoding.i64(0), keys))
    });
    let dictionary = match dictionary {
        Some(None) => return None,
        Some(found) => found,
        None => None,
    };
    let name = table.text(0).unwrap_or_default().to_string();
    Some(ArrowField { name, kind, layout, dictionary, span: span(table, 0)? })
}

/// What a column holds, and how.
fn kind(table: FlatTable<'_>) -> Option<(ColumnKind, Layout)> {
    let about = table.table(3);
    let number = |kind| (ColumnKind::Number(kind), Layout::Numbers(kind));
    let name = match table.u8(2) {
        1 => return Some((ColumnKind::Nulls, Layout::Nulls)),
        2 => return about.and_then(integer).map(number),
        3 => match about.map_or(0, |about| about.i16(0)) {
            1 => return Some(number(NumberKind::F32)),
            2 => return Some(number(NumberKind::F64)),
            _ => "float16",
        },
        5 => return Some((ColumnKind::Text, Layout::Texts { wide: false })),
        20 => return Some((ColumnKind::Text, Layout::Texts { wide: true })),
        24 => return Some((ColumnKind::Text, Layout::Views)),
        4 | 15 | 19 | 23 => "binary",
        6 => "bool",
        7 => "decimal",
        8 => "date",
        9 => "time",
        10 => "timestamp",
        11 => "interval",
        12 | 16 | 21 | 25 | 26 => "a nested type (list)",
        13 => "a nested type (struct)",
        14 => "a nested type (union)",
        17 => "a nested type (map)",
        18 => "duration",
        22 => "run-end encoded data",
        _ => "an unknown type",
    };
    Some((ColumnKind::Other(name.to_string()), Layout::Other))
}

/// What a column and those within it take.
fn span(table: FlatTable<'_>, depth: usize) -> Option<Span> {
    if depth > DEEPEST {
        return None;
    }
    let mut span = Span { nodes: 1, buffers: 2, views: 0 };
    if table.table(4).is_some() {
        return Some(span);
    }
    match table.u8(2) {
        // Nulls, runs.
        1 | 22 => span.buffers = 0,
        // Texts and bytes with offsets, lists with offsets and sizes.
        4 | 5 | 19 | 20 | 25 | 26 => span.buffers = 3,
        // Structures, lists of one size.
        13 | 16 => span.buffers = 1,
        // Unions: dense ones have offsets.
        14 => span.buffers = 1 + usize::from(table.table(3).is_some_and(|about| about.i16(0) == 1)),
        23 | 24 => span.views = 1,
        _ => {}
    }
    for child in table.list(5).into_iter().flat_map(|children| children.tables()) {
        let inner = self::span(child, depth + 1)?;
        span.nodes += inner.nodes;
        span.buffers += inner.buffers;
        span.views += inner.views;
    }
    Some(span)
}
