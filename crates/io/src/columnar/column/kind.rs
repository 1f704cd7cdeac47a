//! What columns hold.

/// What a column holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ColumnKind {
    /// Numbers.
    Number(NumberKind),
    /// Texts.
    Text,
    /// Nothing in any row: libraries have a type for it, where they cannot tell another.
    Nulls,
    /// Something that is not read: how Arrow calls it.
    Other(String),
}

/// A type of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "they are called as in Rust")]
pub enum NumberKind {
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
}

impl NumberKind {
    /// An integer of so many bits.
    pub fn integer(bits: u32, signed: bool) -> Option<NumberKind> {
        Some(match (bits, signed) {
            (8, true) => NumberKind::I8,
            (16, true) => NumberKind::I16,
            (32, true) => NumberKind::I32,
            (64, true) => NumberKind::I64,
            (8, false) => NumberKind::U8,
            (16, false) => NumberKind::U16,
            (32, false) => NumberKind::U32,
            (64, false) => NumberKind::U64,
            _ => return None,
        })
    }

    /// Bytes of a number.
    pub fn width(self) -> usize {
        match self {
            NumberKind::I8 | NumberKind::U8 => 1,
            NumberKind::I16 | NumberKind::U16 => 2,
            NumberKind::I32 | NumberKind::U32 | NumberKind::F32 => 4,
            NumberKind::I64 | NumberKind::U64 | NumberKind::F64 => 8,
        }
    }

    /// Whether they are integers.
    pub fn is_integer(self) -> bool {
        !matches!(self, NumberKind::F32 | NumberKind::F64)
    }

    fn name(self) -> &'static str {
        match self {
            NumberKind::I8 => "int8",
            NumberKind::I16 => "int16",
            NumberKind::I32 => "int32",
            NumberKind::I64 => "int64",
            NumberKind::U8 => "uint8",
            NumberKind::U16 => "uint16",
            NumberKind::U32 => "uint32",
            NumberKind::U64 => "uint64",
            NumberKind::F32 => "float32",
            NumberKind::F64 => "float64",
        }
    }
}

impl ColumnKind {
    /// How messages call it.
    pub fn name(&self) -> &str {
        match self {
            ColumnKind::Number(kind) => kind.name(),
            ColumnKind::Text => "text",
            ColumnKind::Nulls => "null",
            ColumnKind::Other(name) => name,
        }
    }
}
