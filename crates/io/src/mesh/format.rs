//! Finds the format of a mesh file from its content.

use crate::IoError;
use crate::error::shown;
use crate::number::unsigned;
use palmette_core::named;

named! {
    /// A format for meshes.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum MeshFormat("mesh format") {
        /// Gmsh's MSH 2.2, 4.0 and 4.1, text or binary.
        Gmsh = "gmsh",
        /// A line of nodes per element; points are in another file.
        Metis = "metis",
        /// Medit's text.
        Medit = "medit",
        /// SU2's text.
        Su2 = "su2",
    }
}

impl MeshFormat {
    /// The format that a file's content looks like. Names do not tell: METIS and Medit both
    /// use `.mesh`.
    ///
    /// # Errors
    /// When it looks like none.
    pub fn from_content(name: &str, data: &[u8]) -> Result<MeshFormat, IoError> {
        let data = data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data);
        let error = |line: usize, found: String| IoError::Line {
            file: name.to_string(),
            line: line as u64,
            expected: "a Gmsh, METIS, Medit or SU2 mesh".to_string(),
            found,
        };
        for (before, line) in data.split(|&b| b == b'\n').enumerate() {
            // A binary file may have no second line for long.
            let line = &line[..line.len().min(200)];
            let text = String::from_utf8_lossy(line.trim_ascii());
            let words: Vec<&str> = text.split_ascii_whitespace().take(3).collect();
            let Some(byte) = text.bytes().next() else { continue };
            return match byte {
                b'$' => Ok(MeshFormat::Gmsh),
                b'%' | b'#' => continue,
                _ if text.starts_with("MeshVersionFormatted") => Ok(MeshFormat::Medit),
                _ if is_su2(&text) => Ok(MeshFormat::Su2),
                _ if words.len() < 3 && words.iter().all(|w| unsigned(w).is_some()) => {
                    Ok(MeshFormat::Metis)
                }
                _ => Err(error(before + 1, shown(&text))),
            };
        }
        Err(error(1, "an empty file".to_string()))
    }
}

/// Whether a line begins a file of SU2.
fn is_su2(line: &str) -> bool {
    ["NDIME", "NELEM", "NPOIN", "NMARK"].iter().any(|key| line.starts_with(key))
}
