//! VTK's XML format for unstructured grids, `.vtu`: arrays in base64 inside of the XML.
//!
//! **Method.** An array is its length in bytes and its numbers, lowest byte first, as one
//! base64 text. Text is made in blocks of numbers whose bytes are a multiple of three, so
//! that blocks can be joined.
//!
//! **Reference.** *VTK file formats*, "XML file formats"; RFC 4648.

use super::{Field, FieldValues, Fields, padded, vtk_nodes, vtk_type};
use palmette_core::Mesh;
use rayon::prelude::*;
use std::io::{self, Write};

/// Writes the elements of a mesh with fields.
///
/// # Errors
/// When writing fails, or a field has not a number or a vector of up to three for each element
/// or node, or two have one name (`InvalidInput`).
pub fn write_vtu(out: &mut dyn Write, mesh: &Mesh, fields: &Fields<'_>) -> io::Result<()> {
    fields.check(mesh)?;
    let (points, cells) = (mesh.points(), mesh.elements());
    let (n, m) = (points.len(), cells.len());
    writeln!(
        out,
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" \
         byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n\
         <Piece NumberOfPoints=\"{n}\" NumberOfCells=\"{m}\">\n<Points>"
    )?;
    let coordinate = |i: usize| points[i / 3][i % 3].to_le_bytes();
    array(out, "Points", "Float64\" NumberOfComponents=\"3", 3 * n, coordinate)?;
    writeln!(out, "</Points>\n<Cells>")?;
    let nodes = vtk_nodes(cells);
    array(out, "connectivity", "Int64", nodes.len(), |i| i64::from(nodes[i]).to_le_bytes())?;
    array(out, "offsets", "Int64", m, |i| (cells.offsets()[i + 1] as i64).to_le_bytes())?;
    array(out, "types", "UInt8", m, |i| [vtk_type(cells.kind(i))])?;
    writeln!(out, "</Cells>")?;
    data(out, "CellData", fields.cells)?;
    data(out, "PointData", fields.points)?;
    writeln!(out, "</Piece>\n</UnstructuredGrid>\n</VTKFile>")
}

fn data(out: &mut dyn Write, what: &str, fields: &[Field<'_>]) -> io::Result<()> {
    writeln!(out, "<{what}>")?;
    for field in fields {
        match field.values {
            FieldValues::I32(x) => array(out, field.name, "Int32", x.len(), |i| x[i].to_le_bytes()),
            FieldValues::F64(x) => {
                array(out, field.name, "Float64", x.len(), |i| x[i].to_le_bytes())
            }
            FieldValues::Vectors { values, components } => {
                let written = field.values.written();
                let kind = format!("Float64\" NumberOfComponents=\"{written}");
                let number = |i| padded(values, components, i).to_le_bytes();
                array(out, field.name, &kind, values.len() / components * written, number)
            }
        }?;
    }
    writeln!(out, "</{what}>")
}

/// An array of `count` numbers of `N` bytes.
fn array<const N: usize>(
    out: &mut dyn Write,
    name: &str,
    kind: &str,
    count: usize,
    number: impl Fn(usize) -> [u8; N] + Sync,
) -> io::Result<()> {
    /// Bytes of a block, a multiple of three.
    const BLOCK: usize = 3 << 16;
    /// Blocks held in memory at a time.
    const WAVE: usize = 16;
    let name = escaped(name);
    writeln!(out, "<DataArray type=\"{kind}\" Name=\"{name}\" format=\"binary\">")?;
    let length = (count as u64 * N as u64).to_le_bytes();
    let total = 8 + count * N;
    let block = |b: usize| {
        let (first, last) = (b * BLOCK, ((b + 1) * BLOCK).min(total));
        let mut bytes = Vec::with_capacity(BLOCK + 2 * N);
        bytes.extend_from_slice(length.get(first..).unwrap_or_default());
        // Numbers may lie across the border of two blocks.
        let before = first.saturating_sub(8) / N;
        let cut = first.saturating_sub(8) % N;
        let after = last.saturating_sub(8).div_ceil(N);
        let start = bytes.len();
        (before..after).for_each(|i| bytes.extend(number(i)));
        bytes.drain(start..start + cut);
        bytes.truncate(last - first);
        base64(&bytes)
    };
    let blocks = total.div_ceil(BLOCK);
    for wave in (0..blocks).step_by(WAVE) {
        let texts: Vec<Vec<u8>> =
            (wave..blocks.min(wave + WAVE)).into_par_iter().map(block).collect();
        texts.iter().try_for_each(|text| out.write_all(text))?;
    }
    writeln!(out, "\n</DataArray>")
}

fn base64(bytes: &[u8]) -> Vec<u8> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = Vec::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |i: usize| u32::from(three.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * i) & 63) as usize];
            text.push(if i <= three.len() { digit } else { b'=' });
        }
    }
    text
}

/// Text inside of quotes in XML.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '"' => safe.push_str("&quot;"),
            // XML has no place for these.
            c if c.is_control() => safe.push('_'),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(text: &[u8]) -> Vec<u8> {
        let digit = |b: u8| match b {
            b'A'..=b'Z' => b - b'A',
            b'a'..=b'z' => b - b'a' + 26,
            b'0'..=b'9' => b - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            other => panic!("{other}"),
        };
        let mut bytes = Vec::new();
        for four in text.chunks(4) {
            let digits: Vec<u8> = four.iter().filter(|&&b| b != b'=').map(|&b| digit(b)).collect();
            let bits = digits.iter().fold(0u32, |bits, &d| bits << 6 | u32::from(d));
            let bits = bits << (6 * (4 - digits.len()));
            bytes.extend(&bits.to_be_bytes()[1..digits.len()]);
        }
        bytes
    }

    #[test]
    fn texts_of_the_standard() {
        for (plain, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(plain.as_bytes()), text.as_bytes());
        }
    }

    /// Arrays that end at, before and after the ends of blocks.
    #[test]
    fn arrays_of_many_blocks() {
        for count in [0, 1, 24_574, 24_575, 24_576, 100_000] {
            let mut text = Vec::new();
            array(&mut text, "a", "Float64", count, |i| (i as f64 + 0.5).to_le_bytes()).unwrap();
            let text = String::from_utf8(text).unwrap();
            let body = text.lines().nth(1).unwrap();
            let mut expected = (8 * count as u64).to_le_bytes().to_vec();
            (0..count).for_each(|i| expected.extend((i as f64 + 0.5).to_le_bytes()));
            assert!(decoded(body.as_bytes()) == expected, "{count}");
        }
        let mut text = Vec::new();
        array(&mut text, "a<b>&\"c\"\n", "UInt8", 300_001, |i| [i as u8]).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("Name=\"a&lt;b>&amp;&quot;c&quot;_\""));
        assert_eq!(decoded(text.lines().nth(1).unwrap().as_bytes()).len(), 300_009);
    }
}
