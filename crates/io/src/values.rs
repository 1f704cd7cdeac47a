//! Typed columns of numbers: i64, u64, f64 and f32.

use crate::number::{float, float_prefix};
use palmette_core::named;

named! {
    /// The type of the numbers in a column.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum ValueType("type") {
        /// Signed integers.
        I64 = "i64",
        /// Unsigned integers.
        U64 = "u64",
        /// Double precision.
        #[default]
        F64 = "f64",
        /// Single precision.
        F32 = "f32",
    }
}

/// A column of numbers, one per vertex.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Signed integers.
    I64(Vec<i64>),
    /// Unsigned integers.
    U64(Vec<u64>),
    /// Double precision.
    F64(Vec<f64>),
    /// Single precision.
    F32(Vec<f32>),
}

/// Numbers of a column that lie with someone else.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ValueSlice<'a> {
    /// Signed integers.
    I64(&'a [i64]),
    /// Unsigned integers.
    U64(&'a [u64]),
    /// Double precision.
    F64(&'a [f64]),
    /// Single precision.
    F32(&'a [f32]),
}

/// A named column of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name in the header, or its index where there is none.
    pub name: String,
    /// One number per vertex.
    pub values: Values,
}

/// How a column is selected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ColumnKey {
    /// By its name in the header.
    Name(String),
    /// By its index in the row, from 0.
    Index(usize),
}

impl From<&str> for ColumnKey {
    fn from(name: &str) -> ColumnKey {
        ColumnKey::Name(name.to_string())
    }
}

impl From<usize> for ColumnKey {
    fn from(index: usize) -> ColumnKey {
        ColumnKey::Index(index)
    }
}

impl Values {
    /// The number of values.
    pub fn len(&self) -> usize {
        self.as_slice().len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The same numbers, lent.
    pub fn as_slice(&self) -> ValueSlice<'_> {
        match self {
            Values::I64(v) => ValueSlice::I64(v),
            Values::U64(v) => ValueSlice::U64(v),
            Values::F64(v) => ValueSlice::F64(v),
            Values::F32(v) => ValueSlice::F32(v),
        }
    }

    /// The type of the values.
    pub fn value_type(&self) -> ValueType {
        self.as_slice().value_type()
    }

    /// Columns, lent.
    pub fn slices(columns: &[Values]) -> Vec<ValueSlice<'_>> {
        columns.iter().map(Values::as_slice).collect()
    }

    /// `n` times 1.
    pub fn ones(kind: ValueType, n: usize) -> Values {
        match kind {
            ValueType::I64 => Values::I64(vec![1; n]),
            ValueType::U64 => Values::U64(vec![1; n]),
            ValueType::F64 => Values::F64(vec![1.0; n]),
            ValueType::F32 => Values::F32(vec![1.0; n]),
        }
    }

    /// The values at some places, and another one (its bits) where there is none.
    pub fn gathered(&self, places: &[u32], missing: u64) -> Values {
        fn all<T: Copy>(of: &[T], places: &[u32], missing: T) -> Vec<T> {
            places.iter().map(|&at| of.get(at as usize).copied().unwrap_or(missing)).collect()
        }
        match self {
            Values::I64(v) => Values::I64(all(v, places, missing as i64)),
            Values::U64(v) => Values::U64(all(v, places, missing)),
            Values::F64(v) => Values::F64(all(v, places, f64::from_bits(missing))),
            Values::F32(v) => Values::F32(all(v, places, f32::from_bits(missing as u32))),
        }
    }

    /// Values from their bits, as [`ValueType::parse`] makes them.
    pub(crate) fn from_bits(kind: ValueType, bits: impl IntoIterator<Item = u64>) -> Values {
        let bits = bits.into_iter();
        match kind {
            ValueType::I64 => Values::I64(bits.map(|b| b as i64).collect()),
            ValueType::U64 => Values::U64(bits.collect()),
            ValueType::F64 => Values::F64(bits.map(f64::from_bits).collect()),
            ValueType::F32 => Values::F32(bits.map(|b| f32::from_bits(b as u32)).collect()),
        }
    }
}

impl ValueSlice<'_> {
    /// The number of values.
    pub fn len(&self) -> usize {
        match self {
            ValueSlice::I64(v) => v.len(),
            ValueSlice::U64(v) => v.len(),
            ValueSlice::F64(v) => v.len(),
            ValueSlice::F32(v) => v.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The type of the values.
    pub fn value_type(&self) -> ValueType {
        match self {
            ValueSlice::I64(_) => ValueType::I64,
            ValueSlice::U64(_) => ValueType::U64,
            ValueSlice::F64(_) => ValueType::F64,
            ValueSlice::F32(_) => ValueType::F32,
        }
    }
}

/// A type of values, and whether NaN is one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number {
    /// The type.
    pub kind: ValueType,
    /// Take NaN where the type has it, instead of an error.
    pub nan: bool,
    /// Take only integers, which floats may round.
    pub whole: bool,
}

impl From<ValueType> for Number {
    /// NaN is refused.
    fn from(kind: ValueType) -> Number {
        Number { kind, nan: false, whole: false }
    }
}

impl Number {
    /// What a message says belongs in a column of this type.
    pub(crate) fn expected(self) -> &'static str {
        match (self.kind, self.nan) {
            (ValueType::I64, _) => "an integer that i64 holds",
            (ValueType::U64, _) => "an integer that u64 holds",
            (ValueType::F64, false) => "a number (not NaN)",
            (ValueType::F64, true) => "a number",
            (ValueType::F32, false) => "a number (not NaN) that f32 holds",
            (ValueType::F32, true) => "a number that f32 holds",
        }
    }

    /// Whether NaN is accepted.
    pub(crate) fn takes(self, value: f64) -> bool {
        self.nan || !value.is_nan()
    }

    /// The bits of the number that `text` is; nothing for overflow, text, and NaN unless it is
    /// taken.
    pub(crate) fn parse(self, text: &str) -> Option<u64> {
        match self.kind {
            ValueType::I64 => text.parse::<i64>().ok().map(|v| v as u64),
            ValueType::U64 => text.parse::<u64>().ok(),
            ValueType::F64 if self.whole && !is_integer(text.as_bytes()) => None,
            ValueType::F64 => float(text.as_bytes()).filter(|&v| self.takes(v)).map(f64::to_bits),
            ValueType::F32 => {
                let value = fast_float2::parse::<f32, _>(text).ok()?;
                let overflow = value.is_infinite() && text.bytes().any(|b| b.is_ascii_digit());
                (self.takes(value.into()) && !overflow).then(|| u64::from(value.to_bits()))
            }
        }
    }

    /// As [`Number::parse`] on the start of `text`, with the length; may give up
    /// on unusual spellings, which the caller then reads by `parse`.
    #[inline]
    pub(crate) fn parse_prefix(self, text: &[u8]) -> Option<(u64, usize)> {
        match self.kind {
            ValueType::I64 => {
                crate::number::canonical_prefix(text).map(|(v, length)| (v as u64, length))
            }
            ValueType::U64 => {
                let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
                let number = std::str::from_utf8(&text[..digits]).ok()?;
                number.parse().ok().map(|value: u64| (value, digits))
            }
            ValueType::F64 => {
                let (v, length) = float_prefix(text)?;
                let whole = !self.whole || is_integer(&text[..length]);
                (self.takes(v) && whole).then_some((v.to_bits(), length))
            }
            ValueType::F32 => {
                let (v, length) = fast_float2::parse_partial::<f32, _>(text).ok()?;
                let taken = !v.is_infinite() && self.takes(v.into());
                taken.then_some((u64::from(v.to_bits()), length))
            }
        }
    }
}

/// Whether a number is written as an integer.
fn is_integer(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"-").or(text.strip_prefix(b"+")).unwrap_or(text);
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}

/// Reads values as the first of these types that fits. Integers are not read as f64 because they
/// fit no other type, which might round them: the error is then `no_type` of that for the first
/// type. If none fits, it is the one for f64, which takes most numbers, or for the first type.
///
/// # Errors
/// What `read` says.
///
/// # Panics
/// When there are no types.
pub fn read_as<T, E>(
    types: &[ValueType],
    nan: bool,
    mut read: impl FnMut(Number) -> Result<T, E>,
    no_type: impl FnOnce(E) -> E,
) -> Result<T, E> {
    let mut told = None;
    for &kind in types {
        let floats = kind == ValueType::F64;
        if floats && told.is_some() && read(Number { whole: true, ..kind.into() }).is_ok() {
            told = told.map(no_type);
            break;
        }
        match read(Number { nan, ..kind.into() }) {
            Ok(answer) => return Ok(answer),
            Err(error) if told.is_none() || floats => told = Some(error),
            Err(_) => {}
        }
    }
    Err(told.expect("a type to read values as"))
}

macro_rules! values_from {
    ($($kind:ident $type:ty),*) => {$(
        impl From<Vec<$type>> for Values {
            fn from(values: Vec<$type>) -> Values {
                Values::$kind(values)
            }
        }
    )*};
}
values_from!(I64 i64, U64 u64, F64 f64, F32 f32);
