//! Damage to files, from a seed.

/// SplitMix64: small, and the same everywhere.
pub(crate) struct Random(u64);

impl Random {
    /// The stream of one run.
    pub(crate) fn new(seed: u64, run: u64) -> Random {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ run);
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, or 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { (self.next() % n as u64) as usize }
    }
}

/// Words that readers stumble over.
const WORDS: [&[u8]; 40] = [
    b"-1",
    b"0",
    b"4294967295",
    b"4294967296",
    b"9223372036854775808",
    b"1e308",
    b"-1e308",
    b"1e-320",
    b"nan",
    b"inf",
    b"-0.0",
    b"0x10",
    b"1_000",
    b"+",
    b"",
    b" ",
    b"\t",
    b"\n",
    b"\r\n",
    b"\n\n\n",
    b",",
    b";",
    b":",
    b"(",
    b")",
    b"'",
    b"\"",
    b"[",
    b"]",
    b"{",
    b"#",
    b"%",
    b"*",
    b"\x1b[2J\x1b]0;x\x07",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\0",
    b"id",
    b"name",
    b"$End",
];

/// One or two changes; now and then little of the file is left.
pub(crate) fn mutate(file: &[u8], donor: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = file.to_vec();
    for _ in 0..1 + random.below(2) {
        change(&mut bytes, donor, random);
    }
    // Some changes double a file.
    bytes.truncate(1 << 18);
    bytes
}

fn change(bytes: &mut Vec<u8>, donor: &[u8], random: &mut Random) {
    let from = random.below(bytes.len());
    let to = (from + 1 + random.below(16)).min(bytes.len());
    match random.below(12) {
        0 => {
            if let Some(byte) = bytes.get_mut(from) {
                *byte ^= 1 << random.below(8);
            }
        }
        1 => drop(bytes.drain(from.min(to)..to)),
        2 => bytes.truncate(from),
        3 => {
            let again = bytes[from.min(to)..to].to_vec();
            bytes.splice(from..from, again);
        }
        4 => {
            let word = WORDS[random.below(WORDS.len())];
            bytes.splice(from..from, word.iter().copied());
        }
        5..=7 => replace_word(bytes, random),
        8 => {
            let (start, end) = line(bytes, from);
            bytes.drain(start..end);
        }
        9 => {
            let (start, end) = line(bytes, from);
            let again = bytes[start..end].repeat(1 + random.below(3));
            let at = line(bytes, random.below(bytes.len())).0;
            bytes.splice(at..at, again);
        }
        10 => {
            let start = random.below(donor.len());
            let end = (start + random.below(200)).min(donor.len());
            bytes.splice(from..from, donor[start..end].iter().copied());
        }
        _ => {
            if let Some(byte) = bytes.get_mut(from) {
                *byte = random.below(256) as u8;
            }
        }
    }
}

/// Puts another word where one stands.
fn replace_word(bytes: &mut Vec<u8>, random: &mut Random) {
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'+' | b'_');
    let from = random.below(bytes.len());
    let start = from + bytes[from..].iter().position(is_word).unwrap_or(0);
    let length = bytes[start.min(bytes.len())..].iter().position(|b| !is_word(b));
    let end = length.map_or(bytes.len(), |length| start + length);
    let word = WORDS[random.below(WORDS.len())];
    bytes.splice(start.min(end)..end, word.iter().copied());
}

/// The line around a byte, with its end.
fn line(bytes: &[u8], at: usize) -> (usize, usize) {
    let at = at.min(bytes.len());
    let start = bytes[..at].iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
    let end = bytes[at..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |i| at + i + 1);
    (start, end)
}
