//! The encodings of Parquet's pages: runs and packed bits, differences, bytes apart.
//!
//! Each takes the bytes of a page and the number of values it should have, and gives nothing if
//! these are not there: pages may be damaged.

use crate::columnar::unpack::varint;

/// Numbers of so many bits, in runs of one number or packed side by side.
pub(super) fn hybrid(data: &[u8], bits: u32, count: usize) -> Option<Vec<u32>> {
    let mut found = Vec::with_capacity(count);
    if bits > 32 {
        return None;
    }
    if bits == 0 {
        found.resize(count, 0);
        return Some(found);
    }
    let mut at = 0;
    while found.len() < count {
        let (head, length) = varint(data.get(at..)?)?;
        at += length;
        let left = count - found.len();
        let many = usize::try_from(head >> 1).ok()?;
        if head & 1 == 0 {
            let width = bits.div_ceil(8) as usize;
            let bytes = data.get(at..at + width)?;
            let value = bytes.iter().rev().fold(0u32, |word, &byte| word << 8 | u32::from(byte));
            at += width;
            if many == 0 {
                return None;
            }
            found.resize(found.len() + many.min(left), value);
        } else {
            let bytes = many.checked_mul(bits as usize)?;
            let packed = data.get(at..)?;
            let packed = &packed[..bytes.min(packed.len())];
            at = at.checked_add(bytes)?;
            let there = many.checked_mul(8)?.min(8 * packed.len() / bits as usize).min(left);
            if there == 0 {
                return None;
            }
            unpack_bits(packed, bits, there, |value| found.push(value as u32));
        }
    }
    Some(found)
}

/// Numbers of up to 64 bits side by side, the lowest bit first; as many must be there.
fn unpack_bits(data: &[u8], bits: u32, count: usize, mut put: impl FnMut(u64)) {
    let mask = u64::MAX.checked_shr(64 - bits).unwrap_or(0);
    let mut at = 0usize;
    for _ in 0..count {
        let (byte, shift) = (at / 8, at % 8);
        if bits <= 56
            && let Some(word) = data.get(byte..).and_then(<[u8]>::first_chunk)
        {
            put(u64::from_le_bytes(*word) >> shift & mask);
            at += bits as usize;
            continue;
        }
        let mut word = [0u8; 16];
        let there = &data[byte.min(data.len())..data.len().min(byte + 16)];
        word[..there.len()].copy_from_slice(there);
        put((u128::from_le_bytes(word) >> shift) as u64 & mask);
        at += bits as usize;
    }
}

fn signed(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// Integers by their differences, in blocks with a least one each. Also how many bytes they took.
pub(super) fn differences(data: &[u8], limit: usize) -> Option<(Vec<i64>, usize)> {
    let mut at = 0;
    let next = |at: &mut usize| {
        let (value, length) = varint(data.get(*at..)?)?;
        *at += length;
        Some(value)
    };
    let block = usize::try_from(next(&mut at)?).ok()?;
    let parts = usize::try_from(next(&mut at)?).ok()?;
    let count = usize::try_from(next(&mut at)?).ok()?;
    let mut value = signed(next(&mut at)?);
    if count > limit || parts == 0 || block % parts != 0 || block / parts % 8 != 0 || block == 0 {
        return None;
    }
    let each = block / parts;
    let mut found = Vec::with_capacity(count);
    if count > 0 {
        found.push(value);
    }
    while found.len() < count {
        let least = signed(next(&mut at)?);
        let widths = data.get(at..at.checked_add(parts)?)?;
        at += parts;
        for &bits in widths {
            if found.len() == count {
                break;
            }
            if bits > 64 {
                return None;
            }
            let bytes = (each / 8).checked_mul(bits.into())?;
            let packed = data.get(at..at.checked_add(bytes)?)?;
            at += bytes;
            unpack_bits(packed, bits.into(), each.min(count - found.len()), |difference| {
                value = value.wrapping_add(least).wrapping_add(difference as i64);
                found.push(value);
            });
        }
    }
    Some((found, at))
}

/// Numbers of `width` bytes whose first bytes come first, then their second ones.
pub(super) fn bytes_apart(data: &[u8], width: usize, count: usize) -> Option<Vec<u8>> {
    if Some(data.len()) != width.checked_mul(count) {
        return None;
    }
    Some((0..count).flat_map(|i| (0..width).map(move |k| data[k * count + i])).collect())
}

/// Texts side by side, and where each ends.
#[derive(Debug, Default)]
pub(super) struct TextBytes {
    /// Eight bytes each, and a zero before them.
    pub(super) offsets: Vec<u8>,
    pub(super) bytes: Vec<u8>,
}

impl TextBytes {
    fn begin(count: usize) -> TextBytes {
        let mut offsets = Vec::with_capacity(8 * (count + 1));
        offsets.extend([0; 8]);
        TextBytes { offsets, bytes: Vec::new() }
    }

    fn end(&mut self) {
        self.offsets.extend((self.bytes.len() as u64).to_le_bytes());
    }

    /// Each with its length before it.
    pub(super) fn plain(data: &[u8], count: usize) -> Option<TextBytes> {
        let mut found = TextBytes::begin(count);
        found.bytes.reserve(data.len().saturating_sub(4 * count));
        let mut at = 0;
        for _ in 0..count {
            let length = u32::from_le_bytes(*data.get(at..)?.first_chunk()?) as usize;
            found.bytes.extend_from_slice(data.get(at + 4..(at + 4).checked_add(length)?)?);
            found.end();
            at += 4 + length;
        }
        Some(found)
    }

    /// All lengths first.
    pub(super) fn lengths_first(data: &[u8], count: usize) -> Option<TextBytes> {
        let (lengths, mut at) = differences(data, count)?;
        let mut found = TextBytes::begin(count);
        for length in lengths {
            let length = usize::try_from(length).ok()?;
            found.bytes.extend_from_slice(data.get(at..at.checked_add(length)?)?);
            found.end();
            at += length;
        }
        Some(found)
    }

    /// First how many bytes each shares with the one before, then the rests. `limit` bounds the
    /// bytes of all.
    pub(super) fn shared_starts(data: &[u8], count: usize, limit: u64) -> Option<TextBytes> {
        let (shared, at) = differences(data, count)?;
        let rests = TextBytes::lengths_first(data.get(at..)?, shared.len())?;
        let mut found = TextBytes::begin(count);
        let (mut before, mut rest) = (0, 0);
        let ends = rests.offsets.as_chunks::<8>().0.iter().skip(1);
        for (&shared, end) in shared.iter().zip(ends) {
            let (start, end) = (found.bytes.len(), u64::from_le_bytes(*end) as usize);
            let shared = usize::try_from(shared).ok().filter(|&k| k <= start - before)?;
            found.bytes.extend_from_within(before..before + shared);
            found.bytes.extend_from_slice(rests.bytes.get(rest..end)?);
            if found.bytes.len() as u64 > limit {
                return None;
            }
            found.end();
            (before, rest) = (start, end);
        }
        Some(found)
    }

    pub(super) fn len(&self) -> usize {
        self.offsets.len() / 8 - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_and_packed_bits() {
        // The example of the format's specification: 0 to 7 in three bits each.
        let packed = [3, 0b1000_1000, 0b1100_0110, 0b1111_1010];
        assert_eq!(hybrid(&packed, 3, 8), Some((0..8).collect()));
        assert_eq!(hybrid(&packed, 3, 5), Some((0..5).collect()));
        assert_eq!(hybrid(&[8, 7], 3, 4), Some(vec![7; 4]));
        assert_eq!(hybrid(&[8, 7], 3, 5), None);
        assert_eq!(hybrid(&[0, 7], 3, 5), None);
        assert_eq!(hybrid(&[], 0, 3), Some(vec![0; 3]));
        assert_eq!(hybrid(&[], 40, 3), None);
    }

    #[test]
    fn differences_of_the_specification() {
        // 7, 5, 3, 1, 2, 3, 4, 5 in a block of 128 with 4 parts; differences of two bits.
        let mut data = vec![0x80, 1, 4, 8, 14, 3, 2, 0, 0, 0];
        data.extend([0b1100_0000, 0b0011_1111, 0, 0, 0, 0, 0, 0]);
        let (found, length) = differences(&data, 8).unwrap();
        assert_eq!((found, length), (vec![7, 5, 3, 1, 2, 3, 4, 5], data.len()));
        assert!(differences(&data, 7).is_none() && differences(&data[..12], 8).is_none());
    }
}
