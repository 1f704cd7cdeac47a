//! Finds the format of a mesh file from its content.

use crate::IoError;
use crate::format::by_first_line;
use crate::known::by_ending;
use crate::mesh::write::{Fields, VtkForm, write_gmsh, write_metis_mesh, write_vtk, write_vtu};
use crate::number::unsigned;
use palmette_core::Mesh;
use palmette_core::named;
use std::io::Write;

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

named! {
    /// A format that meshes are written in.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum MeshFileFormat("mesh format") {
        /// Gmsh's MSH 4.1.
        #[default]
        Gmsh = "gmsh",
        /// A line of nodes per element.
        Metis = "metis",
        /// VTK's XML, for ParaView.
        Vtu = "vtu",
        /// VTK's old text.
        Vtk = "vtk",
    }
}

impl MeshFileFormat {
    /// Extensions of its files, the usual one first.
    pub const fn endings(self) -> &'static [&'static str] {
        match self {
            MeshFileFormat::Gmsh => &["msh"],
            MeshFileFormat::Metis => &["mesh"],
            MeshFileFormat::Vtu => &["vtu"],
            MeshFileFormat::Vtk => &["vtk"],
        }
    }

    /// What a file holds, in a few words.
    pub const fn about(self) -> &'static str {
        match self {
            MeshFileFormat::Gmsh => MeshFormat::Gmsh.about(),
            MeshFileFormat::Metis => MeshFormat::Metis.about(),
            MeshFileFormat::Vtu => "VTK's XML, with fields, for ParaView",
            MeshFileFormat::Vtk => "VTK's legacy format",
        }
    }

    /// The format a file's name promises, compression suffixes aside.
    pub fn from_name(name: &str) -> Option<MeshFileFormat> {
        by_ending(name, MeshFileFormat::endings)
    }

    /// Writes a mesh without fields.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(self, out: &mut dyn Write, mesh: &Mesh) -> std::io::Result<()> {
        match self {
            MeshFileFormat::Gmsh => write_gmsh(out, mesh, None),
            MeshFileFormat::Metis => write_metis_mesh(out, mesh),
            MeshFileFormat::Vtu => write_vtu(out, mesh, &Fields::default()),
            MeshFileFormat::Vtk => write_vtk(out, mesh, &Fields::default(), VtkForm::default()),
        }
    }
}

impl MeshFormat {
    /// Usual extensions of its files, which do not tell formats apart.
    pub const fn endings(self) -> &'static [&'static str] {
        match self {
            MeshFormat::Gmsh => &["msh"],
            MeshFormat::Metis => &["mesh"],
            MeshFormat::Medit => &["mesh"],
            MeshFormat::Su2 => &["su2"],
        }
    }

    /// What a file holds, in a few words.
    pub const fn about(self) -> &'static str {
        match self {
            MeshFormat::Gmsh => "Gmsh's MSH 2.2, 4.0 and 4.1, text or binary",
            MeshFormat::Metis => "a line of nodes per element; coordinates in a file of their own",
            MeshFormat::Medit => "Medit's text",
            MeshFormat::Su2 => "SU2's text",
        }
    }

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
