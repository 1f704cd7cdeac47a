//! Finds the format of a mesh file from its content.

use crate::IoError;
use crate::format::by_first_line;
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
        let comment = |text: &[u8]| matches!(text[0], b'%' | b'#');
        by_first_line(name, data, "a Gmsh, METIS, Medit or SU2 mesh", comment, |text| {
            // A binary file may have no second line for long.
            let text = String::from_utf8_lossy(&text[..text.len().min(200)]);
            let words: Vec<&str> = text.split_ascii_whitespace().take(3).collect();
            match text.as_bytes()[0] {
                b'$' => Some(MeshFormat::Gmsh),
                _ if text.starts_with("MeshVersionFormatted") => Some(MeshFormat::Medit),
                _ if is_su2(&text) => Some(MeshFormat::Su2),
                _ if words.len() < 3 && words.iter().all(|w| unsigned(w).is_some()) => {
                    Some(MeshFormat::Metis)
                }
                _ => None,
            }
        })
    }
}

/// Whether a line begins a file of SU2.
fn is_su2(line: &str) -> bool {
    ["NDIME", "NELEM", "NPOIN", "NMARK"].iter().any(|key| line.starts_with(key))
}
