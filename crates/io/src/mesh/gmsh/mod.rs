//! Gmsh's MSH 2.2, 4.0 and 4.1, text and binary.
//!
//! **Problem.** Sections `$Name … $EndName`; of these the format, names of physical groups,
//! entities (which carry the groups in 4.0 and 4.1), nodes and elements make a mesh. Others are
//! skipped. Sections may come twice.
//!
//! **Method.** One pass over numbers (`words.rs`), which are text or binary data of either
//! byte order; the integer 1 in the header tells which. A file's counts are believed only as
//! far as the file is long.
//!
//! **Cost.** Linear; beside text and mesh 16 bytes per node and an element, for messages.
//!
//! **Reference.** Geuzaine and Remacle, *Gmsh reference manual*, "MSH file format", 4.1 and
//! "Legacy MSH file format", 2.2. MSH 4.0 is what Gmsh 4.0 wrote, under the version `4` or
//! `4.0`; its manual described it. Counts of its binary files are taken to have 8 bytes, which
//! is what Gmsh wrote except on Windows.

mod entities;
mod kinds;
mod v2;
mod v4;

pub(super) use kinds::{KINDS, numbers as kind_numbers};

use super::assemble::Assembly;
use super::number_reader::{Binary, NumberReader, Text};
use super::origin::Origin;
use super::{MeshFile, MeshFormat, MeshReadParams};
use crate::IoError;
use crate::error::shown;
use crate::source::Source;
use entities::Entities;
use memchr::{memchr, memmem};
use palmette_core::mesh::Group;

/// Which grammar the sections have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    V2,
    V40,
    V41,
}

/// What the section `$MeshFormat` says.
#[derive(Clone, Copy)]
struct Header {
    version: Version,
    /// Whether numbers are binary, and then whether their highest byte comes first.
    big_endian: Option<bool>,
    /// The bytes of numbers of things, and of numbers that 4.1 made wider, in binary files.
    size_bytes: usize,
    narrow_bytes: usize,
}

pub(super) fn read(name: &str, data: &[u8], params: &MeshReadParams) -> Result<MeshFile, IoError> {
    let mut reader = Reader {
        origin: Origin { name, data, binary: false },
        at: if data.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 },
    };
    let header = reader.header()?;
    let binary = header.big_endian.is_some();
    if !binary {
        Source::new(name, data)?;
    }
    reader.origin.binary = binary;
    let mut mesh = Assembly::new(reader.origin);
    let mut entities = Entities::default();
    while let Some(section) = reader.open()? {
        match (section, header.version) {
            (b"PhysicalNames", _) => reader.physical_names(&mut mesh)?,
            (b"Nodes", Version::V2) => reader.v2_nodes(&header, &mut mesh)?,
            (b"Elements", Version::V2) => reader.v2_elements(&header, &mut mesh)?,
            (
                b"Entities" | b"PartitionedEntities" | b"Nodes" | b"Elements",
                Version::V40 | Version::V41,
            ) => {
                let old = header.version == Version::V40;
                let (mesh, entities) = (&mut mesh, &mut entities);
                let mut part = v4::Section { name: section, old, mesh, entities };
                match header.big_endian {
                    None => {
                        let mut words = reader.text();
                        part.read(&mut words)?;
                        reader.at = words.at;
                    }
                    Some(order) => {
                        let mut words = reader.binary(order, &header);
                        part.read(&mut words)?;
                        reader.at = words.at;
                    }
                }
            }
            _ => {
                mesh.skipped += 1;
                reader.skip(section)?;
                continue;
            }
        }
        reader.close(section)?;
    }
    mesh.finish(MeshFormat::Gmsh, params)
}

/// What a message says was expected of a header.
const VERSIONS: &str = "version 2.2, 4.0 or 4.1 of the format";

struct Reader<'a> {
    origin: Origin<'a>,
    at: usize,
}

impl<'a> Reader<'a> {
    /// The rest of the line, without blanks around it; the next line is up.
    fn line(&mut self) -> &'a [u8] {
        let rest = &self.origin.data[self.at..];
        let length = memchr(b'\n', rest);
        self.at += length.map_or(rest.len(), |length| length + 1);
        rest[..length.unwrap_or(rest.len())].trim_ascii()
    }

    fn blanks(&mut self) {
        let rest = &self.origin.data[self.at..];
        self.at += rest.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(rest.len());
    }

    /// The name of the section that begins here; nothing at the end.
    fn open(&mut self) -> Result<Option<&'a [u8]>, IoError> {
        self.blanks();
        let at = self.at;
        match self.line() {
            [] => Ok(None),
            [b'$', name @ ..] if !name.starts_with(b"End") && name.len() < 80 => Ok(Some(name)),
            line => {
                let found = shown(&String::from_utf8_lossy(&line[..line.len().min(200)]));
                Err(self.origin.wrong(at, "the start of a section, `$…`", found))
            }
        }
    }

    fn close(&mut self, section: &[u8]) -> Result<(), IoError> {
        self.blanks();
        let at = self.at;
        let line = self.line();
        if line.strip_prefix(b"$End") == Some(section) {
            return Ok(());
        }
        let expected = format!("`$End{}`", String::from_utf8_lossy(section));
        Err(self.origin.wrong_word(at, expected))
    }

    /// Goes to the end of a section whose content is not needed.
    fn skip(&mut self, section: &[u8]) -> Result<(), IoError> {
        let end = [b"\n$End", section].concat();
        // The last end of a line may be the one before the section's own.
        let from = self.at.saturating_sub(1);
        match memmem::find(&self.origin.data[from..], &end) {
            Some(found) => {
                self.at = from + found + 1;
                self.close(section)
            }
            None => {
                let expected = format!("`$End{}`", String::from_utf8_lossy(section));
                Err(self.origin.wrong(self.origin.end(), expected, "the end of the file"))
            }
        }
    }

    fn header(&mut self) -> Result<Header, IoError> {
        let first = self.at;
        let mut section = self.open()?;
        // Comments may come first.
        while let Some(name) = section.filter(|&name| name != b"MeshFormat") {
            if name.starts_with(b"NOD") {
                return Err(self.origin.wrong(first, VERSIONS, "version 1"));
            }
            self.skip(name)?;
            section = self.open()?;
        }
        if section.is_none() {
            let expected = "the section `$MeshFormat`";
            return Err(self.origin.wrong(self.origin.end(), expected, "the end of the file"));
        }
        let at = self.at;
        let line = String::from_utf8_lossy(self.line()).into_owned();
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let [version, kind, size] = words[..] else {
            let expected = "`version file-type data-size`";
            return Err(self.origin.wrong(at, expected, shown(&line)));
        };
        let version = match version {
            "2" | "2.0" | "2.1" | "2.2" => Version::V2,
            "4" | "4.0" => Version::V40,
            "4.1" => Version::V41,
            _ => return Err(self.origin.wrong(at, VERSIONS, shown(version))),
        };
        let (size_bytes, narrow_bytes) = match (size, version) {
            ("8", Version::V2) => (4, 4),
            ("8", Version::V40) => (8, 4),
            ("8", Version::V41) => (8, 8),
            ("4", Version::V41) => (4, 4),
            _ => return Err(self.origin.wrong(at, "a data size of 8 bytes", shown(size))),
        };
        let big_endian = match kind {
            "0" => None,
            "1" => Some(self.byte_order()?),
            _ => {
                let expected = "the file type 0 (text) or 1 (binary)";
                return Err(self.origin.wrong(at, expected, shown(kind)));
            }
        };
        self.close(b"MeshFormat")?;
        Ok(Header { version, big_endian, size_bytes, narrow_bytes })
    }

    /// Whether the highest byte comes first in the number 1.
    fn byte_order(&mut self) -> Result<bool, IoError> {
        let bytes = self.origin.data[self.at..].first_chunk::<4>();
        let origin = Origin { binary: true, ..self.origin };
        let expected = "the integer 1 in four bytes of either order";
        let order = match bytes {
            Some([1, 0, 0, 0]) => false,
            Some([0, 0, 0, 1]) => true,
            Some(other) => return Err(origin.wrong(self.at, expected, format!("{other:02x?}"))),
            None => return Err(origin.wrong(self.at, expected, "the end of the file")),
        };
        self.at += 4;
        Ok(order)
    }

    fn text(&self) -> Text<'a> {
        Text { origin: self.origin, at: self.at }
    }

    fn binary(&self, big_endian: bool, header: &Header) -> Binary<'a> {
        let Header { size_bytes, narrow_bytes, .. } = *header;
        Binary { origin: self.origin, at: self.at, big_endian, size_bytes, narrow_bytes }
    }

    /// Lines `dimension tag "name"`; they are text in binary files too.
    fn physical_names(&mut self, mesh: &mut Assembly<'_>) -> Result<(), IoError> {
        let mut words = self.text();
        let count = words.size("the number of physical names")?;
        self.at = words.at;
        self.line();
        for _ in 0..count {
            self.blanks();
            let at = self.at;
            let line = self.line();
            let text = std::str::from_utf8(line).ok();
            let group = text.and_then(|text| {
                let (dimension, rest) = text.split_once(char::is_whitespace)?;
                let (tag, name) = rest.trim_start().split_once(char::is_whitespace)?;
                let name = name.trim().strip_prefix('"')?.strip_suffix('"')?.to_string();
                let dimension = dimension.parse().ok().filter(|&d| d <= 3)?;
                Some(Group { dimension, tag: tag.parse().ok()?, name })
            });
            let Some(group) = group else {
                let found = shown(&String::from_utf8_lossy(&line[..line.len().min(200)]));
                return Err(self.origin.wrong(at, "`dimension tag \"name\"`", found));
            };
            mesh.groups.push(group);
        }
        Ok(())
    }
}
