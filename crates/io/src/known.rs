//! What users know formats by: their names, extensions, and whether they are read and written.

use crate::Format;
use crate::feeder::FeederFormat;
use crate::format::stem;
use crate::graph::GraphFormat;
use crate::mesh::{MeshFileFormat, MeshFormat};
use palmette_core::named::Named;
use std::path::Path;

/// Extensions of compressed files: all formats may be packed so.
pub const COMPRESSIONS: [&str; 3] = ["gz", "zst", "zstd"];

/// What there is to know of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FormatFacts {
    /// Its name as an option.
    pub name: &'static str,
    /// Extensions of its files, the usual one first.
    pub endings: &'static [&'static str],
    /// What a file holds.
    pub about: &'static str,
    /// Whether it is read.
    pub is_read: bool,
    /// Whether it is written.
    pub is_written: bool,
}

/// The formats of trees.
pub fn tree_formats() -> Vec<FormatFacts> {
    let facts = |format: Format| FormatFacts {
        name: format.name(),
        endings: format.endings(),
        about: format.about(),
        is_read: true,
        is_written: format.is_written(),
    };
    Format::ALL.map(facts).to_vec()
}

/// The formats of graphs.
pub fn graph_formats() -> Vec<FormatFacts> {
    let facts = |format: GraphFormat| FormatFacts {
        name: format.name(),
        endings: format.endings(),
        about: format.about(),
        is_read: true,
        is_written: GraphFormat::WRITTEN.contains(&format),
    };
    GraphFormat::ALL.map(facts).to_vec()
}

/// The formats of feeders.
pub fn feeder_formats() -> Vec<FormatFacts> {
    let facts = |format: FeederFormat| FormatFacts {
        name: format.name(),
        endings: format.endings(),
        about: format.about(),
        is_read: true,
        is_written: FeederFormat::WRITTEN.contains(&format),
    };
    FeederFormat::ALL.map(facts).to_vec()
}

/// The formats of meshes. Those that are read are known by their content, not by their names.
pub fn mesh_formats() -> Vec<FormatFacts> {
    let same = |written: &MeshFileFormat| MeshFormat::from_name(written.name()).ok();
    let read = MeshFormat::ALL.map(|format| FormatFacts {
        name: format.name(),
        endings: format.endings(),
        about: format.about(),
        is_read: true,
        is_written: MeshFileFormat::ALL.iter().any(|written| same(written) == Some(format)),
    });
    let written = MeshFileFormat::ALL.into_iter().filter(|written| same(written).is_none());
    let written = written.map(|format| FormatFacts {
        name: format.name(),
        endings: format.endings(),
        about: format.about(),
        is_read: false,
        is_written: true,
    });
    read.into_iter().chain(written).collect()
}

/// The extension of a file's name in lower case, compression aside.
pub fn ending(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_string_lossy().to_lowercase();
    let packed = name.rsplit_once('.').filter(|(_, ending)| COMPRESSIONS.contains(ending));
    let (stem, ending) = packed.map_or(&name[..], |(stem, _)| stem).rsplit_once('.')?;
    (!stem.is_empty()).then(|| ending.to_string())
}

/// The format whose extensions include that of a file's name, compression aside.
pub(crate) fn by_ending<T: Named>(
    name: &str,
    endings: impl Fn(T) -> &'static [&'static str],
) -> Option<T> {
    let stem = stem(name);
    let (_, ending) = stem.rsplit_once('.')?;
    T::all().iter().copied().find(|&format| endings(format).contains(&ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_name_one_format_each() {
        for formats in [tree_formats(), graph_formats(), mesh_formats(), feeder_formats()] {
            for (i, one) in formats.iter().enumerate() {
                assert!(!one.endings.is_empty() && !one.about.is_empty(), "{}", one.name);
                assert!(one.is_read || one.is_written, "{}", one.name);
                let others = || formats[..i].iter().filter(|other| other.name == one.name);
                assert_eq!(others().count(), 0, "{}", one.name);
            }
        }
        for format in Format::ALL {
            for ending in format.endings() {
                assert_eq!(Format::from_name(&format!("a.{ending}.gz")), Some(format));
            }
        }
        let names = |formats: Vec<FormatFacts>, of: fn(&FormatFacts) -> bool| -> Vec<&str> {
            formats.iter().filter(|one| of(one)).map(|one| one.name).collect()
        };
        assert_eq!(names(graph_formats(), |one| one.is_written), ["matrix-market", "metis"]);
        assert_eq!(names(mesh_formats(), |one| !one.is_read), ["vtu", "vtk"]);
        assert_eq!(names(mesh_formats(), |one| !one.is_written), ["medit", "su2"]);
    }
}
