//! Undoes the compressions that pages of Parquet and buffers of Arrow may have.
//!
//! **Problem.** Snappy, LZ4 (a block, or frames of blocks), gzip and zstd, to exactly as many bytes
//! as the file says.
//! **Method.** gzip and zstd are those of whole files. Snappy and LZ4 are literal bytes and copies
//! of earlier ones: two small loops that trust nothing.
//! **Cost.** Linear. Nothing is written beyond the stated length.

use std::io::Read;

/// A compression within a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Packing {
    None,
    Snappy,
    Gzip,
    Zstd,
    /// One block.
    Lz4Block,
    /// Blocks in frames.
    Lz4Frame,
}

/// The `length` bytes that `data` stands for; nothing where it does not.
pub(crate) fn unpack(packing: Packing, data: &[u8], length: usize) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    out.try_reserve_exact(length).ok()?;
    match packing {
        Packing::None => out.extend_from_slice(data),
        Packing::Snappy => snappy(data, length, &mut out)?,
        Packing::Lz4Block => lz4_block(data, length, &mut out)?,
        Packing::Lz4Frame => lz4_frames(data, length, &mut out)?,
        Packing::Gzip => read_up_to(flate2::read::MultiGzDecoder::new(data), length, &mut out)?,
        Packing::Zstd => {
            read_up_to(zstd::stream::read::Decoder::with_buffer(data).ok()?, length, &mut out)?;
        }
    }
    (out.len() == length).then_some(out)
}

/// One byte more tells what is too long.
fn read_up_to(reader: impl Read, length: usize, out: &mut Vec<u8>) -> Option<()> {
    reader.take(length as u64 + 1).read_to_end(out).ok().map(|_| ())
}

fn snappy(data: &[u8], length: usize, out: &mut Vec<u8>) -> Option<()> {
    let (stated, mut at) = varint(data)?;
    if stated != length as u64 {
        return None;
    }
    while at < data.len() {
        let tag = data[at];
        at += 1;
        // Bytes after the tag, little-endian.
        let mut extra = |count: usize| {
            let bytes = data.get(at..at + count)?;
            at += count;
            Some(bytes.iter().rev().fold(0usize, |word, &byte| word << 8 | usize::from(byte)))
        };
        let high = usize::from(tag >> 2);
        let (distance, count) = match tag & 3 {
            0 => {
                let count = if high < 60 { high } else { extra(high - 59)? } + 1;
                literal(data.get(at..at.checked_add(count)?)?, length, out)?;
                at += count;
                continue;
            }
            1 => (usize::from(tag >> 5) << 8 | extra(1)?, (high & 7) + 4),
            2 => (extra(2)?, high + 1),
            _ => (extra(4)?, high + 1),
        };
        copy(distance, count, length, out)?;
    }
    Some(())
}

fn lz4_block(data: &[u8], length: usize, out: &mut Vec<u8>) -> Option<()> {
    let mut at = 0;
    loop {
        let token = *data.get(at)?;
        at += 1;
        let count = lz4_count(data, &mut at, token >> 4)?;
        literal(data.get(at..at.checked_add(count)?)?, length, out)?;
        at += count;
        if at == data.len() {
            return Some(());
        }
        let distance = usize::from(u16::from_le_bytes(*data.get(at..)?.first_chunk()?));
        at += 2;
        let count = lz4_count(data, &mut at, token & 15)?.checked_add(4)?;
        copy(distance, count, length, out)?;
    }
}

/// Four bits, and bytes as long as they are all ones.
fn lz4_count(data: &[u8], at: &mut usize, bits: u8) -> Option<usize> {
    let mut count = usize::from(bits);
    let mut more = bits == 15;
    while more {
        let byte = *data.get(*at)?;
        *at += 1;
        count = count.checked_add(byte.into())?;
        more = byte == 255;
    }
    Some(count)
}

/// Checksums are not looked at: what is wrong shows in the length, or in what the bytes mean.
fn lz4_frames(data: &[u8], length: usize, out: &mut Vec<u8>) -> Option<()> {
    const MAGIC: u32 = 0x184d_2204;
    let word = |at: usize| Some(u32::from_le_bytes(*data.get(at..)?.first_chunk()?));
    let mut at = 0;
    while at < data.len() {
        if word(at)? != MAGIC {
            return None;
        }
        let flags = *data.get(at + 4)?;
        let has = |bit: u8| usize::from(flags >> bit & 1);
        // Flags, the block size, a checksum; between them the size of the content and an id.
        at += 4 + 3 + 8 * has(3) + 4 * has(0);
        loop {
            let size = word(at)?;
            at += 4;
            if size == 0 {
                break;
            }
            let (stored, size) = (size >> 31 == 1, (size & 0x7fff_ffff) as usize);
            let block = data.get(at..at.checked_add(size)?)?;
            match stored {
                true => literal(block, length, out)?,
                false => lz4_block(block, length, out)?,
            }
            at += size + 4 * has(4);
        }
        at += 4 * has(2);
    }
    Some(())
}

fn literal(bytes: &[u8], length: usize, out: &mut Vec<u8>) -> Option<()> {
    (bytes.len() <= length - out.len()).then(|| out.extend_from_slice(bytes))
}

/// Repeats what was written `distance` bytes ago; the copy may overlap itself.
fn copy(distance: usize, count: usize, length: usize, out: &mut Vec<u8>) -> Option<()> {
    if distance == 0 || distance > out.len() || count > length - out.len() {
        return None;
    }
    let start = out.len() - distance;
    if distance >= count {
        out.extend_from_within(start..start + count);
    } else {
        for i in start..start + count {
            out.push(out[i]);
        }
    }
    Some(())
}

/// Seven bits a byte, the lowest first, and the length.
pub(crate) fn varint(data: &[u8]) -> Option<(u64, usize)> {
    let mut value = 0u64;
    for (k, &byte) in data.iter().enumerate().take(10) {
        value |= u64::from(byte & 127) << (7 * k);
        if byte < 128 {
            return Some((value, k + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_may_overlap_themselves() {
        // `a`, then eight bytes from one byte ago.
        let snappy = [9, 0, b'a', (8 - 4) << 2 | 1, 1];
        assert_eq!(unpack(Packing::Snappy, &snappy, 9).as_deref(), Some(&b"aaaaaaaaa"[..]));
        let lz4 = [1 << 4 | 4, b'a', 1, 0, 0];
        assert_eq!(unpack(Packing::Lz4Block, &lz4, 9).as_deref(), Some(&b"aaaaaaaaa"[..]));
        let long = [2 << 4 | 15, b'a', b'b', 2, 0, 255, 7, 0];
        let found = unpack(Packing::Lz4Block, &long, 2 + 4 + 15 + 262).expect("a block");
        assert!(found.chunks(2).all(|pair| b"ab".starts_with(pair)));
    }

    #[test]
    fn damaged_data_are_refused() {
        for data in [&[][..], &[9], &[9, 0], &[9, 0, b'a', 1, 2], &[9, 0, b'a', 1, 0], &[255; 20]] {
            for packing in [Packing::Snappy, Packing::Lz4Block, Packing::Lz4Frame, Packing::Gzip] {
                assert_eq!(unpack(packing, data, 9), None, "{packing:?} {data:?}");
            }
        }
        let packed = zstd::encode_all(&[7u8; 1000][..], 1).expect("memory takes all");
        assert!(unpack(Packing::Zstd, &packed, 1000).is_some());
        assert!(unpack(Packing::Zstd, &packed, 999).is_none());
        assert!(unpack(Packing::Zstd, &packed, 1001).is_none());
    }
}
