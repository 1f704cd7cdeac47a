//! What a program prints and writes: files for viewers.

use crate::files::Writer;
use crate::prelude::*;
use crate::session::print;
use palmette::io::{Field, FieldValues, Fields, write_pvd, write_vtu};
use palmette::language::run::{Outcome, Sink};
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// Takes results while a program runs. Files of a series appear at once, so that a long run can be
/// watched; all others appear together at the end.
pub(super) struct Results<'a> {
    /// The session's writer, given back at the end.
    writer: Writer,
    folder: Option<&'a Path>,
    file: &'a MeshFile,
    /// By element, its part.
    part: Vec<i32>,
    /// Whether pictures are wanted without files.
    keeps: bool,
    /// Whether printed values are shown immediately.
    live: bool,
    pub(super) printed: Vec<(String, f64)>,
    /// Files of series, with their numbers.
    series: BTreeMap<String, Vec<(f64, String)>>,
    /// The last values of each output, and their number in a series.
    last: BTreeMap<String, (Option<u64>, Vec<f64>)>,
    /// Outputs with values that are not finite: the first file, and how many files.
    odd: BTreeMap<String, (String, usize)>,
    files: Vec<String>,
}

impl<'a> Results<'a> {
    /// Starts with nothing. The folder exists and is writable.
    pub(super) fn new(
        session: &mut Session,
        folder: Option<&'a Path>,
        file: &'a MeshFile,
        part: &[u32],
    ) -> Result<Results<'a>> {
        let mut writer = std::mem::take(&mut session.writer);
        if let Some(folder) = folder {
            writer.make_folder(folder)?;
        }
        Ok(Results {
            writer,
            folder,
            file,
            part: part.iter().map(|&part| part as i32).collect(),
            keeps: session.keeps_pictures(),
            live: !session.is_json(),
            printed: Vec::new(),
            series: BTreeMap::new(),
            last: BTreeMap::new(),
            odd: BTreeMap::new(),
            files: Vec::new(),
        })
    }

    fn vtu(&mut self, path: &Path, name: &str, values: &[f64], now: bool) -> Result<()> {
        let components = values.len() / self.file.mesh.points().len().max(1);
        let values = match components {
            1 => FieldValues::F64(values),
            _ => FieldValues::Vectors { components, values },
        };
        let points = [Field { name, values }];
        let cells = [Field { name: "part", values: FieldValues::I32(&self.part) }];
        let fields = Fields { points: &points, cells: &cells };
        let mesh = &self.file.mesh;
        let write = |out: &mut Output| Ok(out.write_with(|out| write_vtu(out, mesh, &fields))?);
        match now {
            true => self.writer.write_now(path, write),
            false => self.writer.write(path, write).map(drop),
        }
    }

    /// Writes series and pictures, and notes all files.
    pub(super) fn finish(
        &mut self,
        session: &mut Session,
        program: &Program,
        outcome: &Outcome,
    ) -> Result<()> {
        session.writer = std::mem::take(&mut self.writer);
        session.record.figure("not_finite", self.odd.values().map(|odd| odd.1).sum::<usize>());
        for (name, (file, count)) in &self.odd {
            session.note(&format!(
                "{name}: {count} files have values that are not finite, the first is {file}"
            ));
        }
        if self.folder.is_none() && !program.outputs.is_empty() {
            let names: BTreeSet<&str> =
                program.outputs.iter().map(|output| output.name.as_str()).collect();
            let names: Vec<&str> = names.into_iter().collect();
            session.note(&format!("{}: not written; add -o DIR", names.join(", ")));
        }
        if let Some(folder) = self.folder {
            session.file("output", Some(folder));
            self.write_series(session, folder)?;
        }
        self.draw(session, program, outcome)?;
        if self.folder.is_some() {
            session.record.figure("outputs", std::mem::take(&mut self.files));
            session.end_with(String::new(), &["outputs"]);
        }
        Ok(())
    }

    fn write_series(&mut self, session: &mut Session, folder: &Path) -> Result<()> {
        for (name, files) in std::mem::take(&mut self.series) {
            let path = self.place(folder, format!("{name}.pvd"));
            session.write(&path, |out| write_pvd(out, &files))?;
        }
        Ok(())
    }

    /// Draws the last field of each output, and what loops tested.
    fn draw(&mut self, session: &mut Session, program: &Program, outcome: &Outcome) -> Result<()> {
        let folder = self.folder;
        for (name, (number, values)) in std::mem::take(&mut self.last) {
            if pictures::has_field(&self.file.mesh) {
                let path = folder.map(|folder| self.place(folder, format!("{name}.svg")));
                let draw = || pictures::field(self.file, &name, number, &values);
                show(session, &name, path.as_deref(), draw)?;
            }
        }
        let wanted = folder.is_some() || self.keeps;
        if wanted && let Some(drawn) = session.phase("draw", || pictures::loops(program, outcome)) {
            let name = "convergence-plot.svg".to_string();
            let path = folder.map(|folder| self.place(folder, name));
            keep(session, path.as_deref(), drawn)?;
        }
        Ok(())
    }

    /// The place of a file in the folder; it is noted.
    fn place(&mut self, folder: &Path, name: String) -> PathBuf {
        let path = folder.join(&name);
        self.files.push(name);
        path
    }
}

impl Sink for Results<'_> {
    fn print(&mut self, label: &str, value: f64) -> io::Result<()> {
        if self.live {
            print(&format!("{label} = {value:?}\n")).map_err(io::Error::other)?;
        }
        self.printed.push((label.to_string(), value));
        Ok(())
    }

    fn output(&mut self, name: &str, number: Option<u64>, values: &[f64]) -> io::Result<()> {
        let file = match number {
            Some(number) => format!("{name}-{number:06}.vtu"),
            None => format!("{name}.vtu"),
        };
        if values.iter().any(|value| !value.is_finite()) {
            self.odd.entry(name.to_string()).or_insert_with(|| (file.clone(), 0)).1 += 1;
        }
        if self.folder.is_some() || self.keeps {
            self.last.insert(name.to_string(), (number, values.to_vec()));
        }
        let Some(folder) = self.folder else { return Ok(()) };
        // Written again, it is still one file.
        if number.is_none() {
            self.files.retain(|known| *known != file);
        }
        let path = self.place(folder, file.clone());
        self.vtu(&path, name, values, number.is_some()).map_err(io::Error::other)?;
        if let Some(number) = number {
            self.series.entry(name.to_string()).or_default().push((number as f64, file));
        }
        Ok(())
    }
}
