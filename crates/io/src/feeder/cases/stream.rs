//! Cases of a file, piece by piece.
//!
//! **Problem.** A year of hours for ten thousand loads is a table of 700 MB, and 1.4 GB as numbers.
//! **Method.** Pieces of the file of some megabytes end at the end of a line. Threads share the lines of
//! a piece. A piece with quotes in it, which may hold line ends, is read by one thread, and a row that its
//! end cuts off is left to the next.
//! **Cost.** A piece and its numbers, whatever the number of cases; packed files and stdin are held whole.
//! **Determinism.** Cases come in their order; of several errors the first is told.

use super::LoadCases;
use super::table::{Block, Header};
use super::update::read_update;
use crate::quote::shown;
use crate::rows::Rows;
use crate::source::{Source, is_compressed, line_at, name_of, plain, read_bytes_within};
use crate::{InputLimit, IoError};
use memchr::{memchr, memchr_iter, memrchr};
use palmette_core::feeder::Feeder;
use rayon::prelude::*;
use std::collections::HashMap;
use std::fs::File;
use std::io::{Cursor, Read};
use std::path::Path;

/// Bytes of a piece.
const PIECE: usize = 8 << 20;
/// The first bytes of a packed file.
const MAGIC: usize = 4;

/// Reads cases as they are asked for.
pub struct CaseReader<'a> {
    name: String,
    feeder: &'a Feeder,
    from: Box<dyn Read + Send + 'a>,
    ended: bool,
    /// What was read and not yet understood, and the lines before it.
    text: Vec<u8>,
    lines: u64,
    header: Option<Header>,
    /// Names of cases, with their lines.
    seen: HashMap<String, u64>,
    cases: usize,
    done: bool,
}

impl<'a> CaseReader<'a> {
    /// Opens a file; `-` is stdin, gzip and zstd are decompressed.
    ///
    /// # Errors
    /// When it cannot be read, or is too large.
    pub fn open(
        path: &Path,
        limit: InputLimit,
        feeder: &'a Feeder,
    ) -> Result<CaseReader<'a>, IoError> {
        let name = name_of(path);
        if path.as_os_str() != "-" {
            let failed = |source| IoError::Read { file: name.clone(), source };
            let mut file = File::open(path).map_err(failed)?;
            let about = file.metadata().map_err(failed)?;
            let mut first = Vec::new();
            if about.is_file() {
                let most = limit.of_file();
                if about.len() > most {
                    return Err(IoError::TooLarge { file: name, limit: most, packed: None });
                }
                (&mut file).take(MAGIC as u64).read_to_end(&mut first).map_err(failed)?;
                if !is_compressed(&first) {
                    let from = Box::new(Cursor::new(first).chain(file.take(most)));
                    return Ok(CaseReader::new(&name, from, feeder));
                }
            }
        }
        let bytes = read_bytes_within(path, limit)?;
        Ok(CaseReader::new(&name, Box::new(Cursor::new(bytes)), feeder))
    }

    /// The cases of bytes that are already here.
    ///
    /// # Errors
    /// Damaged compression.
    pub fn of_bytes(
        name: &str,
        bytes: &'a [u8],
        feeder: &'a Feeder,
    ) -> Result<CaseReader<'a>, IoError> {
        let from = Box::new(Cursor::new(plain(name, bytes)?));
        Ok(CaseReader::new(name, from, feeder))
    }

    fn new(name: &str, from: Box<dyn Read + Send + 'a>, feeder: &'a Feeder) -> CaseReader<'a> {
        CaseReader {
            name: name.to_string(),
            feeder,
            from,
            ended: false,
            text: Vec::new(),
            lines: 0,
            header: None,
            seen: HashMap::new(),
            cases: 0,
            done: false,
        }
    }

    /// The next cases, as many as a piece of the file has; nothing after the last.
    ///
    /// # Errors
    /// What the feeder does not have, and what is no number; with the line.
    pub fn read(&mut self) -> Result<Option<LoadCases>, IoError> {
        self.read_piece(PIECE)
    }

    /// All cases that are left.
    ///
    /// # Errors
    /// As [`CaseReader::read`]; also where none are left.
    pub fn rest(mut self) -> Result<LoadCases, IoError> {
        let mut all: Option<LoadCases> = None;
        while let Some(mut more) = self.read()? {
            match &mut all {
                None => all = Some(more),
                Some(all) => {
                    all.names.append(&mut more.names);
                    all.powers.append(&mut more.powers);
                }
            }
        }
        all.ok_or_else(|| self.none())
    }

    fn none(&self) -> IoError {
        let line = self.header.as_ref().map_or(1, |header| header.line);
        IoError::on_line(&self.name, line, "a row per case after the header", "none")
    }

    pub(super) fn read_piece(&mut self, piece: usize) -> Result<Option<LoadCases>, IoError> {
        let mut wanted = piece;
        while !self.done {
            self.fill(wanted)?;
            if self.header.is_none() && self.lines == 0 {
                if self.text.starts_with("\u{feff}".as_bytes()) {
                    self.text.drain(..3);
                }
                if self.text.trim_ascii_start().starts_with(b"{") {
                    return self.whole().map(Some);
                }
            }
            let end = match self.ended {
                true => self.text.len(),
                false => memrchr(b'\n', &self.text).map_or(0, |at| at + 1),
            };
            let (found, used) = self.understand(end)?;
            self.lines += memchr_iter(b'\n', &self.text[..used]).count() as u64;
            self.text.drain(..used);
            self.done = self.ended;
            // A row that is longer than the piece.
            wanted = if used == 0 { 2 * wanted } else { piece };
            if !found.rows.is_empty() {
                return self.named(found).map(Some);
            }
        }
        match (&self.header, self.cases) {
            (None, 0) => {
                let expected = "a header with names of loads";
                Err(IoError::on_line(&self.name, 1, expected, "an empty file"))
            }
            (_, 0) => Err(self.none()),
            _ => Ok(None),
        }
    }

    /// Reads on until there are so many bytes, or the end.
    fn fill(&mut self, wanted: usize) -> Result<(), IoError> {
        let missing = wanted.saturating_sub(self.text.len());
        if self.ended || missing == 0 {
            return Ok(());
        }
        let failed = |source| IoError::Read { file: self.name.clone(), source };
        let read = (&mut self.from).take(missing as u64).read_to_end(&mut self.text);
        self.ended = read.map_err(failed)? < missing;
        Ok(())
    }

    /// A batch of power-grid-model.
    fn whole(&mut self) -> Result<LoadCases, IoError> {
        self.fill(usize::MAX)?;
        self.done = true;
        let found = read_update(&Source::new(&self.name, &self.text)?, self.feeder)?;
        self.cases = found.len();
        Ok(found)
    }

    /// The rows of the text up to a byte, and how many bytes they were.
    fn understand(&mut self, end: usize) -> Result<(Block, usize), IoError> {
        let data = &self.text[..end];
        let text = std::str::from_utf8(data).map_err(|error| {
            let at = error.valid_up_to();
            let line = self.lines + line_at(data, at);
            let found = format!("byte 0x{:02x}", data[at]);
            IoError::on_line(&self.name, line, "UTF-8 text", found)
        })?;
        let source = Source::part(&self.name, text);
        let mut start = 0;
        if self.header.is_none() {
            let mut rows = Rows::of(source);
            rows.line += self.lines;
            let quoted = memchr(b'"', data).is_some();
            let found = Header::read(&mut rows, &source, self.feeder);
            if quoted && !self.ended && (found.is_err() || rows.at >= end) {
                return Ok((Block::default(), 0));
            }
            self.header = found?;
            start = rows.at;
        }
        let Some(header) = &self.header else { return Ok((Block::default(), end)) };
        let line = self.lines + memchr_iter(b'\n', &data[..start]).count() as u64 + 1;
        if memchr(b'"', &data[start..]).is_some() {
            let part = Part { source, from: start, end, line };
            let (block, used) = part.read(header, !self.ended)?;
            return Ok((block, used));
        }
        let mut parts = Vec::new();
        let (mut from, mut line) = (start, line);
        let step = ((end - start) / (4 * rayon::current_num_threads())).max(1 << 16);
        while from < end {
            let near = (from + step).min(end);
            let to = memchr(b'\n', &data[near..end]).map_or(end, |more| near + more + 1);
            parts.push(Part { source, from, end: to, line });
            line += memchr_iter(b'\n', &data[from..to]).count() as u64;
            from = to;
        }
        let read: Vec<Result<(Block, usize), IoError>> =
            parts.par_iter().map(|part| part.read(header, false)).collect();
        let mut all = Block::default();
        for part in read {
            let (mut part, _) = part?;
            all.rows.append(&mut part.rows);
            all.powers.append(&mut part.powers);
        }
        Ok((all, end))
    }

    /// The cases of rows, with their names.
    fn named(&mut self, found: Block) -> Result<LoadCases, IoError> {
        let mut names = Vec::with_capacity(found.rows.len());
        for (line, label) in found.rows {
            names.push(match label {
                None => self.cases.to_string(),
                Some(label) => {
                    if let Some(first) = self.seen.insert(label.clone(), line) {
                        let found = format!("{} again, already on line {first}", shown(&label));
                        let expected = "a new name for each case";
                        return Err(IoError::on_line(&self.name, line, expected, found));
                    }
                    label
                }
            });
            self.cases += 1;
        }
        let loads = self.header.as_ref().map_or(Vec::new(), |header| header.loads.clone());
        Ok(LoadCases { name: self.name.clone(), names, loads, powers: found.powers })
    }
}

/// Lines of a text.
struct Part<'b> {
    source: Source<'b>,
    from: usize,
    end: usize,
    line: u64,
}

impl Part<'_> {
    /// The rows, and the byte after the last. With `more` to come, a row that the end may have cut off
    /// is left.
    fn read(&self, header: &Header, more: bool) -> Result<(Block, usize), IoError> {
        let source = self.source.until(self.end);
        let mut rows = Rows::new(source, header.separator);
        (rows.at, rows.line) = (self.from, self.line);
        let (mut block, mut fields) = (Block::default(), Vec::new());
        loop {
            let before = rows.at;
            match rows.next(&mut fields) {
                Err(_) if more => return Ok((block, before)),
                Err(error) => return Err(error),
                Ok(None) => return Ok((block, self.end)),
                // Its last field may go on: only an end of a line that is seen ends a row.
                Ok(Some(_)) if more && !source.bytes()[..rows.at].ends_with(b"\n") => {
                    return Ok((block, before));
                }
                Ok(Some(line)) => header.row(&source, line, &fields, &mut block)?,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feeder::{FeederParams, read_feeder_bytes};

    const FEEDER: &[u8] = b"function mpc = two
mpc.version = '2'; mpc.baseMVA = 10;
mpc.bus = [1 3 0 0 0 0 1 1 0 12 1 1 1; 2 1 2 1 0 0 1 1 0 12 1 1 1; 3 1 4 1 0 0 1 1 0 12 1 1 1];
mpc.gen = [1 0 0 9 -9 1 10 1 9 0];
mpc.branch = [1 2 0.01 0.02 0 0 0 0 0 0 1 -360 360; 2 3 0.01 0.02 0 0 0 0 0 0 1 -360 360];
";

    fn pieces(text: &str, feeder: &Feeder, piece: usize) -> Result<LoadCases, IoError> {
        let mut reader = CaseReader::of_bytes("c.csv", text.as_bytes(), feeder)?;
        let mut all: Option<LoadCases> = None;
        while let Some(mut more) = reader.read_piece(piece)? {
            match &mut all {
                None => all = Some(more),
                Some(all) => {
                    all.names.append(&mut more.names);
                    all.powers.append(&mut more.powers);
                }
            }
        }
        all.ok_or_else(|| reader.none())
    }

    /// Whatever pieces are read, and whatever is quoted, cases and errors are the same.
    #[test]
    fn pieces_do_not_show() {
        let file = read_feeder_bytes("two.m", FEEDER, &FeederParams::default()).expect("a feeder");
        let feeder = &file.feeder;
        let names = crate::feeder::cases::loads_of(feeder).0;
        let (a, b) = (names.get(0), names.get(1));
        let row = |k: usize| match k % 4 {
            0 => format!("\"hour\n{k}\",{},0.5\n", k as f64 / 7.0),
            1 => format!("h{k},{},\"2\"\r\n", k as f64 / 3.0),
            2 => format!("# a \"comment\n\nh{k},1,2\n"),
            _ => format!("\"a \"\"b\"\" {k}\",1,{k}\n"),
        };
        let body: String = (0..40).map(row).collect();
        let plain: String = (0..40).map(|k| format!("h{k},{k},0.25\n")).collect();
        for body in [body, plain] {
            let text = format!("\u{feff}case,{a},{b}.p_mw\n{body}last,1,2");
            let whole = pieces(&text, feeder, 1 << 20).expect("cases");
            assert_eq!(whole.len(), 41);
            for piece in 1..200 {
                assert_eq!(pieces(&text, feeder, piece).expect("cases"), whole, "{piece}");
            }
            let bad = format!("{text}\nlate,1e-400,1\n");
            let told = pieces(&bad, feeder, 1 << 20).expect_err("too small").to_string();
            assert!(told.ends_with("found `1e-400`, which is too small"), "{told}");
            for piece in [1, 7, 50, 333] {
                let again = pieces(&bad, feeder, piece).expect_err("too small").to_string();
                assert_eq!(again, told, "{piece}");
            }
        }
        for text in ["", "\n# only\n"] {
            let error = pieces(text, feeder, 4).expect_err("no header").to_string();
            assert!(error.contains("line 1: expected a header"), "{error}");
        }
    }
}
