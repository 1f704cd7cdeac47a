//! A tree's file before it is read: whether memory holds it, and how it is read without a copy.
//!
//! **Problem.** Refuse a tree that does not fit before an hour of reading, with the figure. Read
//! an array of parents without its bytes in memory beside it.
//! **Method.** An `.npy` header has the number of vertices, and so have Parquet and Arrow
//! (`columnar/rows.rs`). Of a text the size is known, which is in memory while it is read, and a few
//! samples say how many marks it has that end or begin a vertex: line ends of tables, `(` and `,` of
//! Newick. Half as many vertices as they suggest are taken for certain. What is done with a vertex
//! afterwards is the caller's to say ([`ReadParams::bytes_per_vertex`]). Arrays are then read some
//! megabytes at a time, Parquet column by column (`columnar/parquet/store.rs`), all else as a whole. What is
//! compressed, or no file, is read up to [`InputLimit`].
//! **Cost.** A megabyte is read before anything else.

use crate::columnar::{
    ColumnTable, ParquetStore, TableNames, TreeColumns, bytes_to_read, read_tree_table, rows_of,
};
use crate::limit::InputLimit;
use crate::npy::{self, Header};
use crate::source::{is_compressed, name_of, read_bytes_within};
use crate::{Format, IoError, ReadParams, TreeFile, read_tree_bytes};
use palmette_core::memory::check_room;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// A tree's file, opened. See the module.
pub struct TreeInput {
    name: String,
    content: Content,
}

enum Content {
    Bytes(Vec<u8>),
    /// An array that is not compressed; its path.
    Array(PathBuf),
    /// A Parquet file that is not compressed as a whole.
    Columns(Box<ParquetStore>),
}

/// What is read to find out what a file is.
const HEAD: u64 = 1 << 16;
/// Samples of a text, each as long.
const SAMPLES: u64 = 16;
/// Bytes of a parent.
const PARENT: u64 = 4;

impl TreeInput {
    /// Opens a file, of at most `limit` bytes. `-` is stdin. The format is found as
    /// [`TreeInput::read`] finds it from the same parameters.
    ///
    /// # Errors
    /// When the file cannot be read, is too large, or a tree of its size does not fit in memory.
    pub fn open(path: &Path, limit: InputLimit, params: &ReadParams) -> Result<TreeInput, IoError> {
        let name = name_of(path);
        let failed = |source| IoError::Read { file: name.clone(), source };
        if path.as_os_str() != "-" {
            let file = File::open(path).map_err(failed)?;
            let about = file.metadata().map_err(failed)?;
            // Of a pipe, what is read here would be lost to the reader.
            if about.is_file() && about.len() <= limit.of_file() {
                let length = about.len();
                let head = part(&file, 0, HEAD).map_err(failed)?;
                let format = Format::of(params.format, &name, &head).ok();
                let format = format.filter(|_| !is_compressed(&head));
                let after = params.bytes_per_vertex;
                let refuse = |size: Size| size.refuse(&name, after);
                match (Header::read(&name, &head, length), format) {
                    (Ok(header), Some(Format::Npy)) => {
                        let vertices = header.shape.first().copied().unwrap_or(0) as u64;
                        refuse(Size { length: 0, vertices, reading: PARENT, certain: true })?;
                        return Ok(TreeInput { name, content: Content::Array(path.to_path_buf()) });
                    }
                    (_, Some(Format::Parquet)) => {
                        if let Some(store) = ParquetStore::open(&name, file, length)? {
                            refuse(Size::of_columns(&store, params))?;
                            return Ok(TreeInput { name, content: Content::Columns(store.into()) });
                        }
                    }
                    (_, Some(Format::Arrow)) => {
                        let (vertices, reading) = rows_of(length, |range| {
                            part(&file, range.start, range.end - range.start).map_err(failed)
                        });
                        refuse(Size { length, vertices, reading, certain: true })?;
                    }
                    (_, format) => {
                        let vertices = sampled(&file, length, format).map_err(failed)?;
                        refuse(Size { length, vertices, reading: PARENT, certain: false })?;
                    }
                }
            }
        }
        let bytes = read_bytes_within(path, limit)?;
        Ok(TreeInput { name, content: Content::Bytes(bytes) })
    }

    /// Bytes that are already here; `name` is for messages and for finding the format.
    pub fn of_bytes(name: impl Into<String>, bytes: Vec<u8>) -> TreeInput {
        TreeInput { name: name.into(), content: Content::Bytes(bytes) }
    }

    /// Reads the tree; several times if need be.
    ///
    /// # Errors
    /// As [`crate::read_tree`].
    pub fn read(&self, params: &ReadParams) -> Result<TreeFile, IoError> {
        let path = match &self.content {
            Content::Bytes(bytes) => return read_tree_bytes(&self.name, bytes, params),
            Content::Columns(store) => {
                let table = ColumnTable::of_store(store, params.limit)?;
                return read_tree_table(&table, &TableNames::default(), params);
            }
            Content::Array(path) => path,
        };
        let failed = |source| IoError::Read { file: self.name.clone(), source };
        let mut file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        let head = part(&file, 0, HEAD).map_err(failed)?;
        let header = Header::read(&self.name, &head, length)?;
        file.seek(SeekFrom::Start(header.end as u64)).map_err(failed)?;
        npy::read_from(&self.name, &header, &mut file, params)
    }
}

/// At most so many bytes of a file.
fn part(mut file: &File, start: u64, length: u64) -> std::io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What is known of a file before it is read.
struct Size {
    /// Bytes that are in memory while it is read.
    length: u64,
    vertices: u64,
    /// Bytes per vertex while it is read, at least.
    reading: u64,
    /// Whether there are exactly so many vertices, and not more.
    certain: bool,
}

impl Size {
    /// That of a Parquet file, of which the columns of a tree are read.
    fn of_columns(store: &ParquetStore, params: &ReadParams) -> Size {
        let (vertices, width) = store.rows();
        let size = |length| Size { length, vertices, reading: bytes_to_read(width), certain: true };
        // What is wrong with columns is their reader's to say.
        let table = ColumnTable::of_store(store, InputLimit::of(u64::MAX));
        let needed =
            table.and_then(|table| TreeColumns::of(&table, &TableNames::default(), params));
        size(needed.map_or(0, |columns| store.bytes(columns.needed())))
    }

    /// Refuses a file that does not fit, where so many bytes per vertex are needed after it is read.
    fn refuse(&self, name: &str, after: u64) -> Result<(), IoError> {
        check_room(self.bytes(after)).map_err(|source| IoError::NoRoom {
            file: name.to_string(),
            what: match (self.vertices, self.certain) {
                (0, _) => "the text".to_string(),
                (vertices, true) => format!("{vertices} vertices"),
                (vertices, false) => format!("the text and {vertices} vertices, or more"),
            },
            source,
        })
    }

    /// What it takes at least: while it is read, or afterwards.
    fn bytes(&self, after: u64) -> u64 {
        let each = |bytes: u64| self.vertices.saturating_mul(bytes);
        self.length.saturating_add(each(self.reading)).max(each(PARENT + after))
    }
}

/// About how many vertices a text has at least.
fn sampled(file: &File, length: u64, format: Option<Format>) -> std::io::Result<u64> {
    let is_mark = |byte: &&u8| match format {
        None | Some(Format::Npy | Format::Parquet | Format::Arrow) => false,
        Some(Format::PhyloXml) => **byte == b'/',
        Some(Format::Newick | Format::Nexus) => matches!(byte, b'(' | b','),
        Some(Format::Csv | Format::Tsv | Format::Edges) => **byte == b'\n',
    };
    let (mut marks, mut seen) = (0, 0);
    if length < SAMPLES * HEAD {
        // Nobody asks about so little.
        return Ok(0);
    }
    for sample in 0..SAMPLES {
        let bytes = part(file, length / SAMPLES * sample, HEAD)?;
        marks += bytes.iter().filter(is_mark).count() as u64;
        seen += bytes.len() as u64;
    }
    let all = marks as f64 * (length as f64 / seen as f64);
    Ok((all / 2.0) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columnar::parquet_in_groups;
    use crate::{Column, ColumnKey, Labels, ReadParams, ValueType, Values, write_npy_parents};
    use palmette_core::{NONE, Tree};
    use std::io::Write;

    fn open(path: &Path) -> Result<TreeInput, IoError> {
        TreeInput::open(path, InputLimit::default(), &ReadParams::default())
    }

    #[test]
    fn an_array_is_read_as_its_bytes_are() {
        let place = tempfile::tempdir().expect("a folder");
        let parents: Vec<u32> =
            (0..3_000_000u32).map(|v| v.checked_sub(1 + v % 7).unwrap_or(NONE)).collect();
        let mut bytes = Vec::new();
        write_npy_parents(&mut bytes, &parents).expect("memory takes it");
        let path = place.path().join("t.npy");
        let both = |bytes: &[u8], path: &Path| {
            std::fs::write(path, bytes).expect("a file");
            let name = name_of(path);
            let here = read_tree_bytes(&name, bytes, &ReadParams::default());
            let there = open(path).and_then(|input| input.read(&ReadParams::default()));
            match (here, there) {
                (Ok(here), Ok(there)) => {
                    assert!(here.parents == there.parents && here.labels == there.labels);
                    None
                }
                (Err(here), Err(there)) => {
                    assert_eq!(here.to_string(), there.to_string());
                    Some(there.to_string())
                }
                _ => panic!("one of them fails"),
            }
        };
        assert_eq!(both(&bytes, &path), None);
        // The first of two wrong parents, in different pieces.
        let end = bytes.len();
        bytes[end - 4..].copy_from_slice(&7_000_000i32.to_le_bytes());
        bytes[end - 4_000_000..end - 3_999_996].copy_from_slice(&(-7i32).to_le_bytes());
        let error = both(&bytes, &path).expect("it is refused");
        assert!(error.contains("found -7 for vertex 2000000"), "{error}");
        assert!(both(&bytes[..end - 1], &path).expect("it is cut").contains("truncated"));
        let named = place.path().join("t.csv");
        assert!(both(b"id,parent\na,\nb,a\n", &named).is_none());
    }

    #[test]
    fn what_no_memory_holds_is_refused_by_its_size() {
        let place = tempfile::tempdir().expect("a folder");
        let sparse = |name: &str, head: &[u8], length: u64| {
            let path = place.path().join(name);
            let mut file = File::create(&path).expect("a file");
            file.write_all(head).expect("a head");
            file.set_len(length).expect("a file system with holes");
            open(&path)
        };
        let n = 200_000_000_000_u64;
        let head = npy::head("<i4", &format!("({n},)"));
        let length = head.len() as u64 + 4 * n;
        for (name, head, figure) in [
            ("t.npy", &head[..], "9.6 TB for 200000000000 vertices, "),
            ("t.csv", b"id,parent\n", " for the text"),
        ] {
            match sparse(name, head, length) {
                Err(error @ IoError::NoRoom { .. }) => {
                    assert!(error.to_string().contains(figure), "{error}");
                }
                // Where the system does not say how much memory there is.
                Ok(_) => assert!(palmette_core::memory::available().is_none()),
                Err(error) => panic!("{error}"),
            }
        }
    }

    #[test]
    fn of_parquet_only_the_columns_of_the_tree_are_read() {
        let place = tempfile::tempdir().expect("a folder");
        let n = 20_000u32;
        let parents: Vec<u32> = (0..n).map(|v| v.checked_sub(1 + v % 7).unwrap_or(NONE)).collect();
        let column = |k: u32| Column {
            name: format!("c{k}"),
            values: Values::I64((0..n).map(|v| i64::from(v * (k + 1))).collect()),
        };
        let columns: Vec<Column> = (0..40).map(column).collect();
        let labels = Labels::numbers(n as usize);
        let bytes = parquet_in_groups(&parents, &labels, &columns, 3_000);
        let path = place.path().join("t.parquet");
        std::fs::write(&path, &bytes).expect("a file");
        let number = ValueType::I64.into();
        let params = |name: &str| ReadParams {
            columns: vec![(ColumnKey::from(name), number)],
            ..ReadParams::default()
        };
        let name = name_of(&path);
        let input = open(&path).expect("a tree");
        let Content::Columns(store) = &input.content else { panic!("read as a whole") };
        assert_eq!(store.bytes_read(), 0);
        for (c, share) in [("c39", 8), ("c3", 6), ("c39", 6)] {
            let there = input.read(&params(c)).expect("a tree");
            let here = read_tree_bytes(&name, &bytes, &params(c)).expect("a tree");
            assert!(there.parents == here.parents && there.labels == here.labels);
            assert!(there.columns == here.columns && there.unread == here.unread);
            // Three of 42 columns, then four, then none beside these.
            assert!(share * store.bytes_read() < bytes.len(), "{c}: {}", store.bytes_read());
        }
        // A column that nobody asks for may be damaged; one that is asked for says where.
        let damaged: Vec<usize> = (4..bytes.len() - 8).step_by(997).collect();
        for at in damaged {
            let mut changed = bytes.clone();
            changed[at..at + 8].fill(0xff);
            std::fs::write(&path, &changed).expect("a file");
            let there = open(&path).and_then(|input| input.read(&params("c3")));
            let here = read_tree_bytes(&name, &changed, &params("c3"));
            match (here, there) {
                (Ok(here), Ok(there)) => {
                    assert!(there.parents == here.parents && there.columns == here.columns, "{at}")
                }
                (Err(here), Err(there)) => assert_eq!(here.to_string(), there.to_string()),
                _ => panic!("one of them fails: {at}"),
            }
        }
        for cut in (0..bytes.len()).step_by(4_999) {
            std::fs::write(&path, &bytes[..cut]).expect("a file");
            let there = open(&path).and_then(|input| input.read(&params("c3")));
            let here = read_tree_bytes(&name, &bytes[..cut], &params("c3"));
            let texts = [here, there].map(|found| found.map(|_| ()).expect_err("cut").to_string());
            assert_eq!(texts[0], texts[1]);
        }
    }

    /// A Parquet file that says it has so many rows, and has nothing but its footer.
    fn parquet(rows: u64) -> Vec<u8> {
        let mut number = Vec::new();
        let mut rest = rows << 1;
        while rest >= 128 {
            number.push(rest as u8 | 128);
            rest >>= 7;
        }
        number.push(rest as u8);
        // Thrift: the type of a field and how much its number grows, then what it holds.
        let leaf = |name: u8| [0x15, 4, 0x25, 2, 0x18, 1, name, 0];
        let schema = [&[0x19, 0x3c, 0x48, 1, b's', 0x15, 4, 0][..], &leaf(b'v'), &leaf(b'p')];
        let groups = [&[0x19, 0x1c, 0x19, 0x0c, 0x26][..], &number, &[0, 0]];
        let footer = [&[0x15, 2], &schema.concat()[..], &[0x16], &number, &groups.concat()];
        let footer = footer.concat();
        let length = (footer.len() as u32).to_le_bytes();
        [b"PAR1", &footer[..], &length, b"PAR1"].concat()
    }

    #[test]
    fn packed_columns_are_refused_by_their_rows() {
        let place = tempfile::tempdir().expect("a folder");
        let path = place.path().join("t.parquet");
        std::fs::write(&path, parquet(200_000_000_000)).expect("a file");
        let figure = |after: u64| {
            let params = ReadParams { bytes_per_vertex: after, ..ReadParams::default() };
            match TreeInput::open(&path, InputLimit::default(), &params) {
                Err(error @ IoError::NoRoom { .. }) => Some(error.to_string()),
                Err(error) => panic!("{error}"),
                Ok(_) => None,
            }
        };
        if palmette_core::memory::available().is_some() {
            for (after, bytes) in [(Tree::BYTES_TO_BUILD, "9.6 TB"), (16, "6.4 TB")] {
                let text = figure(after).expect("it is refused");
                assert!(text.contains(&format!("{bytes} for 200000000000 vertices, ")), "{text}");
            }
        }
        std::fs::write(&path, parquet(2)).expect("a file");
        assert_eq!(figure(16), None);
    }

    #[test]
    fn texts_have_half_the_vertices_of_their_samples_for_certain() {
        let place = tempfile::tempdir().expect("a folder");
        let path = place.path().join("t.csv");
        let rows = 200_000;
        std::fs::write(&path, "1234,1234\n".repeat(rows)).expect("a file");
        let file = File::open(&path).expect("the file");
        let least = |format| sampled(&file, 2_000_000, format).expect("it is read");
        let found: Vec<u64> = [Some(Format::Csv), Some(Format::Newick), None].map(least).into();
        assert!(found[0].abs_diff(100_000) < 100 && found[1].abs_diff(100_000) < 100, "{found:?}");
        assert_eq!(found[2], 0);
        let bytes = |length, reading, after| {
            Size { length, vertices: 100_000, reading, certain: false }.bytes(after)
        };
        let build = Tree::BYTES_TO_BUILD;
        assert_eq!(bytes(2_000_000, PARENT, build), 4_800_000);
        assert_eq!(bytes(20_000_000, PARENT, build), 20_400_000);
        // One question takes less than a tree; columns are unpacked.
        assert_eq!(bytes(0, PARENT, 16), 2_000_000);
        assert_eq!(bytes(1_000, 32, 16), 3_201_000);
    }
}
