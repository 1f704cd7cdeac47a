//! Finds the format of a graph file, from its name or its content.

use crate::IoError;
use crate::format::by_first_line;
use crate::known::by_ending;
use crate::number::unsigned;
use crate::raster::is_raster;
use palmette_core::named;

named! {
    /// A format for graphs.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum GraphFormat("graph format") {
        /// A symmetric matrix, one entry per line; also without the format's first line.
        MatrixMarket = "matrix-market",
        /// A line of neighbours per vertex.
        Metis = "metis",
        /// A netlist of resistors, capacitors, inductors, sources and subcircuits.
        Spice = "spice",
        /// A raster of resistances or conductances.
        AsciiGrid = "ascii-grid",
    }
}

impl GraphFormat {
    /// Those that are written, too.
    pub const WRITTEN: [GraphFormat; 2] = [GraphFormat::MatrixMarket, GraphFormat::Metis];

    /// Extensions of its files, the usual one first.
    pub const fn endings(self) -> &'static [&'static str] {
        match self {
            GraphFormat::MatrixMarket => &["mtx", "mm"],
            GraphFormat::Metis => &["graph", "metis"],
            GraphFormat::Spice => &["spice", "sp", "cir", "net"],
            GraphFormat::AsciiGrid => &["asc"],
        }
    }

    /// What a file holds, in a few words.
    pub const fn about(self) -> &'static str {
        match self {
            GraphFormat::MatrixMarket => "a symmetric sparse matrix, an entry per line",
            GraphFormat::Metis => "a line of neighbours per vertex",
            GraphFormat::Spice => "a netlist: R, C, L, sources, subcircuits",
            GraphFormat::AsciiGrid => "a raster of resistances or conductances",
        }
    }

    /// The format a file's name promises, compression suffixes aside.
    pub fn from_name(name: &str) -> Option<GraphFormat> {
        by_ending(name, GraphFormat::endings)
    }

    /// The format that a file's content looks like. Of files that start with three
    /// numbers, those whose third can be METIS's description of weights (three digits
    /// 0 or 1) are taken for METIS.
    ///
    /// # Errors
    /// When it looks like none.
    pub fn from_content(name: &str, data: &[u8]) -> Result<GraphFormat, IoError> {
        let expected = "a Matrix Market file, a METIS graph, a SPICE netlist or an ASCII grid";
        let comment = |text: &[u8]| text[0] == b'%' && !is_banner(&String::from_utf8_lossy(text));
        by_first_line(name, data, expected, comment, |text| {
            let line = String::from_utf8_lossy(text);
            let words: Vec<&str> = line.split_ascii_whitespace().take(5).collect();
            let numbers = words.iter().all(|word| unsigned(word).is_some());
            match (text[0], &words[..]) {
                (b'%', _) => Some(GraphFormat::MatrixMarket),
                _ if is_raster(&line) => Some(GraphFormat::AsciiGrid),
                (b'*' | b'.' | b'a'..=b'z' | b'A'..=b'Z', _) => Some(GraphFormat::Spice),
                (_, [_, _] | [_, _, _, _]) if numbers => Some(GraphFormat::Metis),
                (_, [_, _, weights]) if numbers && is_weights(weights) => Some(GraphFormat::Metis),
                (_, [_, _, _]) if numbers => Some(GraphFormat::MatrixMarket),
                _ => None,
            }
        })
    }
}

/// Whether a line is the first of a Matrix Market file.
pub(crate) fn is_banner(line: &str) -> bool {
    line.get(..14).is_some_and(|start| start.eq_ignore_ascii_case("%%MatrixMarket"))
}

/// Whether a word can describe the weights of a METIS file.
pub(crate) fn is_weights(word: &str) -> bool {
    (1..=3).contains(&word.len()) && word.bytes().all(|b| matches!(b, b'0' | b'1'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_by_name_and_content() {
        for format in GraphFormat::ALL {
            assert_eq!(format.name().parse(), Ok(format));
        }
        assert!("mtx".parse::<GraphFormat>().is_err());
        assert_eq!(GraphFormat::from_name("a/B.MTX.gz"), Some(GraphFormat::MatrixMarket));
        assert_eq!(GraphFormat::from_name("4elt.graph"), Some(GraphFormat::Metis));
        assert_eq!(GraphFormat::from_name("x.cir"), Some(GraphFormat::Spice));
        assert_eq!(GraphFormat::from_name("graph"), None);
        let content = |text: &str| GraphFormat::from_content("f", text.as_bytes());
        for (text, format) in [
            ("%%matrixmarket matrix", GraphFormat::MatrixMarket),
            ("\n3 3 4\n1 2 3\n", GraphFormat::MatrixMarket),
            ("% c\n3 2\n2\n1 3\n2\n", GraphFormat::Metis),
            ("3 2 011\n", GraphFormat::Metis),
            ("* title\nr1 a b 1\n", GraphFormat::Spice),
            ("R1 a b 1\n", GraphFormat::Spice),
            ("NCOLS 5\n", GraphFormat::AsciiGrid),
        ] {
            assert_eq!(content(text).ok(), Some(format), "{text}");
        }
        for (text, part) in [("", "line 1: expected"), ("\n(a,b);", "line 2"), ("1\n", "`1`")] {
            let error = content(text).expect_err(text).to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
