//! METIS and Scotch from Debian, run as programs.

use palmette_core::Graph;
use palmette_core::random::{Purpose, Random};
use palmette_io::{read_bytes, read_integers_bytes, write_metis, write_metis_mesh};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

type Failure = Box<dyn std::error::Error>;

/// What a peer answered.
#[derive(Debug, Clone)]
pub struct Answer {
    /// By vertex or element: its part, or its processor.
    pub part: Vec<u32>,
    /// Seconds of its own clock, without reading and writing. METIS counts processor
    /// seconds of its one thread.
    pub seconds: f64,
}

/// Which of METIS's two ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// All parts at once, 3% imbalance.
    Kway,
    /// By bisection, with the imbalance that METIS allows there by default.
    Bisection,
}

/// A folder for what the peers read and write; gone in the end.
pub struct Desk {
    folder: PathBuf,
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Whether both are installed.
pub fn present() -> bool {
    let there = |program: &str| Command::new(program).arg("-h").output().is_ok();
    there("gpmetis") && there("scotch_gmap")
}

impl Desk {
    /// An empty folder.
    ///
    /// # Errors
    /// When there is no place for it.
    pub fn new() -> Result<Desk, Failure> {
        let name = format!("palmette-bench-mesh-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder)?;
        Ok(Desk { folder })
    }

    fn file(
        &self,
        name: &str,
        write: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
    ) -> Result<PathBuf, Failure> {
        let path = self.folder.join(name);
        let mut out = BufWriter::new(File::create(&path)?);
        write(&mut out)?;
        out.flush()?;
        Ok(path)
    }

    /// Parts of a graph by `gpmetis`, once for each seed.
    ///
    /// # Errors
    /// When METIS fails, or its answer cannot be read.
    pub fn metis(
        &self,
        graph: &Graph,
        parts: u32,
        scheme: Scheme,
        seeds: u64,
    ) -> Result<Vec<Answer>, Failure> {
        let file = self.file("metis.graph", |out| write_metis(out, graph))?;
        let options: &[&str] = match scheme {
            Scheme::Kway => &["-ptype=kway", "-ufactor=30"],
            Scheme::Bisection => &["-ptype=rb"],
        };
        let parts = parts.to_string();
        let answer = |seed: u64| {
            let mut command = Command::new("gpmetis");
            command.args(options).arg(format!("-seed={seed}")).arg(&file).arg(&parts);
            let text = said(&mut command)?;
            let bytes = read_bytes(&beside(&file, &format!("part.{parts}")))?;
            let part = read_integers_bytes("gpmetis", &bytes, graph.len())?;
            Ok(Answer { part, seconds: number_after(&text, "Partitioning:")? })
        };
        (0..seeds).map(answer).collect()
    }

    /// Parts of elements by `mpmetis` on the graph of elements that share a face.
    ///
    /// # Errors
    /// As [`Desk::metis`].
    pub fn metis_elements(
        &self,
        mesh: &palmette_core::Mesh,
        parts: u32,
        seeds: u64,
    ) -> Result<Vec<Answer>, Failure> {
        let file = self.file("metis.mesh", |out| write_metis_mesh(out, mesh))?;
        let dimension = mesh.dimension();
        let parts = parts.to_string();
        let answer = |seed: u64| {
            let mut command = Command::new("mpmetis");
            command.arg("-gtype=dual").arg(format!("-ncommon={dimension}"));
            command.args(["-ufactor=30", &format!("-seed={seed}")]).arg(&file).arg(&parts);
            let text = said(&mut command)?;
            let bytes = read_bytes(&beside(&file, &format!("epart.{parts}")))?;
            let part = read_integers_bytes("mpmetis", &bytes, mesh.elements().len())?;
            Ok(Answer { part, seconds: number_after(&text, "Partitioning:")? })
        };
        (0..seeds).map(answer).collect()
    }

    /// Parts placed on a machine by `scotch_gmap`; `target` is Scotch's word for the machine,
    /// such as `cmplt 64` or `torus2D 8 8`. Each seed numbers the vertices in another order:
    /// the program has a seed of its own that cannot be set.
    ///
    /// # Errors
    /// When Scotch fails, or its answer cannot be read.
    pub fn scotch(&self, graph: &Graph, target: &str, seeds: u64) -> Result<Vec<Answer>, Failure> {
        let target = self.file("machine.tgt", |out| writeln!(out, "{target}"))?;
        let map = self.folder.join("scotch.map");
        let answer = |seed: u64| {
            let mut order: Vec<u32> = (0..graph.len() as u32).collect();
            Random::new(seed, Purpose::Samples).shuffle(&mut order);
            let file = self.file("scotch.grf", |out| write_scotch(out, graph, &order))?;
            let mut command = Command::new("scotch_gmap");
            command.arg(&file).arg(&target).arg(&map).args(["-b0.03", "-vt"]);
            let text = said(&mut command)?;
            let found = scotch_map(&map, graph.len())?;
            let part = order.iter().map(|&place| found[place as usize]).collect();
            Ok(Answer { part, seconds: number_after(&text, "Mapping")? })
        };
        (0..seeds).map(answer).collect()
    }
}

fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

/// What a program wrote; its failure is ours.
fn said(command: &mut Command) -> Result<String, Failure> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?}: {}\n{text}{errors}", output.status).into());
    }
    Ok(text + &String::from_utf8_lossy(&output.stderr))
}

/// The first number after a word.
fn number_after(text: &str, word: &str) -> Result<f64, Failure> {
    let rest = text.split(word).nth(1).unwrap_or_default();
    let number = rest.split_whitespace().find_map(|token| token.parse().ok());
    number.ok_or_else(|| format!("no number after `{word}` in\n{text}").into())
}

/// Scotch's form of a graph: vertex `v` is number `order[v]`.
fn write_scotch(out: &mut impl Write, graph: &Graph, order: &[u32]) -> std::io::Result<()> {
    let mut vertices = vec![0u32; order.len()];
    order.iter().zip(0..).for_each(|(&place, v)| vertices[place as usize] = v);
    writeln!(out, "0\n{} {}\n0 000", graph.len(), 2 * graph.edge_count())?;
    for v in vertices {
        let row = graph.neighbours(v);
        write!(out, "{}", row.len())?;
        row.iter().try_for_each(|&w| write!(out, " {}", order[w as usize]))?;
        writeln!(out)?;
    }
    Ok(())
}

fn scotch_map(path: &Path, n: usize) -> Result<Vec<u32>, Failure> {
    let text = fs::read_to_string(path)?;
    let mut part = vec![u32::MAX; n];
    for line in text.lines().skip(1) {
        let mut numbers = line.split_whitespace().map(str::parse::<usize>);
        if let (Some(vertex), Some(found)) = (numbers.next(), numbers.next()) {
            part[vertex?] = u32::try_from(found?)?;
        }
    }
    match part.contains(&u32::MAX) {
        true => Err(format!("{}: not every vertex has a part", path.display()).into()),
        false => Ok(part),
    }
}
