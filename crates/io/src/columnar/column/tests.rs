//! Tests of columns.

use super::*;

fn bytes<const W: usize, const N: usize>(words: [[u8; W]; N]) -> Cow<'static, [u8]> {
    Cow::Owned(words.concat())
}

#[test]
fn numbers_keep_their_value_or_are_refused() {
    let wide = bytes([u64::MAX, 3].map(u64::to_le_bytes));
    let wide = ColumnChunk::new(2, None, ChunkData::Numbers(NumberKind::U64, wide)).unwrap();
    let none = |_: usize| None;
    assert_eq!(wide.integers(0..2), Err(0));
    assert_eq!(wide.integers(1..2), Ok(vec![3]));
    assert_eq!(wide.values(0..2, ValueType::I64.into(), &none), Err(0));
    assert_eq!(wide.values(0..2, ValueType::U64.into(), &none), Ok(vec![u64::MAX, 3]));
    let reals = bytes([1.5f64, f64::NAN, 1e300].map(f64::to_le_bytes));
    let reals = ColumnChunk::new(3, None, ChunkData::Numbers(NumberKind::F64, reals)).unwrap();
    assert_eq!(reals.values(0..3, ValueType::F64.into(), &none), Err(1));
    let all = Number { nan: true, ..ValueType::F64.into() };
    assert!(reals.values(0..3, all, &none).is_ok());
    assert_eq!(reals.values(0..3, Number { nan: true, ..ValueType::F32.into() }, &none), Err(2));
    assert_eq!(reals.values(0..1, ValueType::I64.into(), &none), Err(0));
    assert_eq!(reals.values(0..1, Number { whole: true, ..all }, &none), Err(0));
}

#[test]
fn nulls_of_keys_and_of_what_they_name() {
    let texts = ChunkData::Texts {
        offsets: bytes([0u32, 1, 1, 3].map(u32::to_le_bytes)),
        wide: false,
        bytes: Cow::Borrowed(b"abc"),
    };
    let some = Validity { bits: vec![0b101].into(), first: 0 };
    let values = ColumnChunk::new(3, Some(some), texts).unwrap();
    let keys = |keys: Vec<u8>| {
        let validity = Validity { bits: vec![0b1110].into(), first: 1 };
        let values = Arc::new(values.clone());
        ColumnChunk::of_keys(3, Some(validity), NumberKind::U8, keys.into(), values).unwrap()
    };
    let chunk = keys(vec![2, 1, 9]);
    assert_eq!(
        (chunk.text(0), chunk.text(1), chunk.text(2)),
        (Ok(Some("bc")), Ok(None), Err(Damaged))
    );
    assert_eq!((chunk.is_null(1), chunk.first_null(0..3)), (true, Some(1)));
}

#[test]
fn views_are_short_or_elsewhere() {
    let mut views = [5u32.to_le_bytes(), *b"abcd", *b"e\0\0\0", [0; 4]].concat();
    views.extend([14u32, 0, 0, 2].map(u32::to_le_bytes).concat());
    views.extend([14u32, 0, 0, 3].map(u32::to_le_bytes).concat());
    let buffers = vec![Cow::Borrowed(&b"..fourteen bytes"[..])];
    let chunk =
        ColumnChunk::new(3, None, ChunkData::Views { views: views.into(), buffers }).unwrap();
    assert_eq!(chunk.text(0), Ok(Some("abcde")));
    assert_eq!(chunk.text(1), Ok(Some("fourteen bytes")));
    assert_eq!(chunk.text(2), Err(Damaged));
}
