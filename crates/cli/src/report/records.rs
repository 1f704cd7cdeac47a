//! Reading records, and the pictures that they only name.

use crate::limit::read_bytes_below;
use crate::prelude::*;
use palmette::core::Picture;
use palmette_report::safe_svg;

/// More would be too much for any browser.
const MOST_BYTES: u64 = 256 << 20;
/// The unit of limits in messages.
const MEGABYTES: (&str, u64) = ("MB", 1 << 20);
/// A picture in a file of its own.
const MOST_PICTURE_BYTES: u64 = 64 << 20;
/// The parameter that names a file with a picture.
const NAMING: &str = "svg";

/// Records and where they came from.
pub(super) struct Records {
    pub(super) records: Vec<Record>,
    /// Names of files and how many records each has.
    files: Vec<(String, usize)>,
}

impl Records {
    /// Reads all files; `with_files` adds pictures that records name but do not hold.
    pub(super) fn read(files: &[PathBuf], with_files: bool) -> Result<Records> {
        let mut read = Records { records: Vec::new(), files: Vec::new() };
        for file in files {
            let name = name_of(file);
            let found = parse(&name, &text(file, &name)?)?;
            read.files.push((name, found.len()));
            for mut record in found {
                if with_files && record.pictures.is_empty() {
                    add_pictures(&mut record, file)?;
                }
                read.records.push(record);
            }
        }
        Ok(read)
    }

    /// How many records the first side of a comparison has.
    pub(super) fn sides(&self) -> Result<usize> {
        match &self.files[..] {
            [(_, a), (_, b)] if a == b => Ok(*a),
            [(left, a), (right, b)] => {
                bail!(
                    "--compare needs the same number of records in both files, found {a} in {left} \
                    and {b} in {right}"
                )
            }
            _ if self.records.len() == 2 => Ok(1),
            _ => bail!(
                "--compare needs two records, or two files of records, found {} in {}",
                self.records.len(),
                self.files.len()
            ),
        }
    }

    /// The names of the two sides: their files, if those differ.
    pub(super) fn side_names(&self, split: usize) -> [String; 2] {
        let [a, b] = [0, split].map(|record| self.place_of(record).0.to_string());
        if a == b { ["first".to_string(), "second".to_string()] } else { [a, b] }
    }

    /// The file that a record came from, and its number there, from 0.
    pub(super) fn place_of(&self, record: usize) -> (&str, usize) {
        let mut number = record;
        for (name, count) in &self.files {
            if number < *count {
                return (name, number);
            }
            number -= count;
        }
        ("", number)
    }
}

/// The text of a file of records.
fn text(file: &Path, name: &str) -> Result<String> {
    let bytes = read_bytes_below(file, MOST_BYTES, "records", MEGABYTES)?;
    String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + good.iter().filter(|&&byte| byte == b'\n').count();
        anyhow!("{name}, line {line}: not UTF-8 text")
    })
}

/// The records of a text, one after another.
fn parse(name: &str, text: &str) -> Result<Vec<Record>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut records = Vec::new();
    for record in serde_json::Deserializer::from_str(text).into_iter::<Record>() {
        records.push(record.map_err(|error| {
            let (line, column) = (error.line(), error.column());
            let said = error.to_string();
            let place = format!(" at line {line} column {column}");
            let found = said.strip_suffix(&place).unwrap_or(&said);
            anyhow!(
                "{name}, line {line}, column {column}: not a run record (as --json writes \
                them): {found}"
            )
        })?);
    }
    if records.is_empty() {
        bail!("{name}: the file is empty; expected a run record, as --json writes it");
    }
    Ok(records)
}

/// The picture that the record's parameters name, if it exists, relative to the current folder or
/// to the record's folder. Only regular files with a size: reading others may wait for ever.
fn add_pictures(record: &mut Record, file: &Path) -> Result<()> {
    let Some(named) = record.parameters.get(NAMING).and_then(Value::as_str) else {
        return Ok(());
    };
    let beside = file.parent().map(|folder| folder.join(named));
    let is_there = |path: &PathBuf| {
        std::fs::metadata(path).is_ok_and(|about| about.is_file() && about.len() > 0)
    };
    let there = [Some(PathBuf::from(named)), beside].into_iter().flatten().find(is_there);
    let Some(path) = there else { return Ok(()) };
    let shown = path.display();
    let bytes = read_bytes_below(&path, MOST_PICTURE_BYTES, "a picture", MEGABYTES)?;
    let svg =
        String::from_utf8(bytes).map_err(|_| anyhow!("{shown}: not an SVG picture (not text)"))?;
    safe_svg(&svg).map_err(|error| anyhow!("{shown}: {error}"))?;
    let title = svg_title(&svg).unwrap_or_else(|| named.to_string());
    record.pictures.push(Picture { name: NAMING.to_string(), title, svg, view: None });
    Ok(())
}

/// What a picture calls itself.
fn svg_title(svg: &str) -> Option<String> {
    palmette_report::svg::title(svg).filter(|title| !title.is_empty())
}
