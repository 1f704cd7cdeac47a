//! How much of an input is read.
//!
//! **Problem.** A megabyte of gzip unpacks to a gigabyte, a few kilobytes of zstd to any size: a
//! file from elsewhere must not take the memory of a machine. Neither must `/dev/zero`.
//!
//! **Method.** An input is read, and unpacked, up to a limit and one byte more. By default
//! - what lies in a file as it is has no limit: it was stored by somebody who had the room;
//! - a stream (stdin, a pipe, a device) has 8 GB;
//! - what is unpacked has 8 GB, too, and beyond 256 MB at most a hundred times its packed size.
//!   Tables and trees pack three to thirty times; arrays of one number pack a thousand times,
//!   and pass up to 256 MB.
//!
//! A limit that is asked for is the only one: so many bytes, packed or not.

/// How many bytes of an input are read; the default is in the module's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct InputLimit {
    most: Option<u64>,
}

/// Streams and what is unpacked.
const MOST: u64 = 8 << 30;
/// Unpacked to no more than this, the ratio does not matter.
const FREE: u64 = 256 << 20;
/// Bytes for one that is packed.
const RATIO: u64 = 100;

impl InputLimit {
    /// So many bytes of any input, after unpacking, and no other limit.
    pub fn of(most: u64) -> InputLimit {
        InputLimit { most: Some(most) }
    }

    pub(crate) fn of_file(self) -> u64 {
        self.most.unwrap_or(u64::MAX)
    }

    pub(crate) fn of_stream(self) -> u64 {
        self.most.unwrap_or(MOST)
    }

    /// Bytes that so many packed ones may become.
    pub(crate) fn of_unpacked(self, packed: u64) -> u64 {
        self.most.unwrap_or_else(|| packed.saturating_mul(RATIO).clamp(FREE, MOST))
    }
}

/// A number of bytes as people say it.
pub(crate) fn size(bytes: u64) -> String {
    let units = [(30, "GB"), (20, "MB"), (10, "kB")];
    match units.iter().find(|(shift, _)| bytes >> shift > 0) {
        None => format!("{bytes} bytes"),
        Some((shift, unit)) => {
            let tenths = (bytes as f64 / (1_u64 << shift) as f64 * 10.0).round() / 10.0;
            format!("{tenths} {unit}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_bounds_what_is_unpacked() {
        let limit = InputLimit::default();
        assert_eq!((limit.of_file(), limit.of_stream()), (u64::MAX, 8 << 30));
        assert_eq!(limit.of_unpacked(1000), 256 << 20);
        assert_eq!(limit.of_unpacked(10 << 20), 1000 << 20);
        assert_eq!(limit.of_unpacked(u64::MAX), 8 << 30);
        let limit = InputLimit::of(5);
        assert_eq!([limit.of_file(), limit.of_stream(), limit.of_unpacked(1 << 40)], [5; 3]);
    }

    #[test]
    fn sizes_are_short() {
        for (bytes, text) in [
            (9, "9 bytes"),
            (1023, "1023 bytes"),
            (1536, "1.5 kB"),
            (256 << 20, "256 MB"),
            (8 << 30, "8 GB"),
        ] {
            assert_eq!(size(bytes), text);
        }
    }
}
