//! Programs on the ranks of an MPI job, from a process that is none of them.
//!
//! **Method.** A [`RankJob`] is written to a folder of its own: the program, where the mesh is, and
//! the part of each element. A launcher (`mpirun`) starts `palmette-mpi run FOLDER` on every rank;
//! each reads the mesh and keeps its parts of it. Rank 0 tells what happens line by line, vectors
//! in files beside the job; they reach the [`Sink`] while the program runs.
//!
//! **Cost.** Every rank reads the whole mesh.
//!
//! **Determinism.** The bits of the engine on threads, for the same parts.

mod launch;

pub use launch::{Launch, RankError, run_on_ranks};

use crate::mesh_input::{MeshInputParams, read_mesh_file};
use palmette_core::UnknownName;
use palmette_io::{InputLimit, IoError, MeshFile, read_bytes};
use palmette_language::run::{Outcome, Sink};
use palmette_language::{Diagnostics, Program, compile};
use palmette_mesh::spmv::{Piece, WorldError, pieces};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

const JOB: &str = "job.json";
const PARTS: &str = "parts.bin";

/// What ranks run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RankJob {
    /// The name of the program's file, for messages.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Values for its params: names, and the bits of numbers.
    pub settings: Vec<(String, u64)>,
    /// The file of the mesh.
    pub mesh: PathBuf,
    /// Its format, where it is not found from its content.
    pub format: Option<String>,
    /// A file with points.
    pub xyz: Option<PathBuf>,
    /// Whether nodes at the same place are merged.
    pub merge: bool,
    /// How many bytes are read of each file, where that was asked for.
    #[serde(default)]
    pub max_input: Option<u64>,
    /// By element, its part; in a file of its own.
    #[serde(skip)]
    pub part: Vec<u32>,
    /// How many parts there are.
    pub parts: usize,
    /// Threads of each rank.
    pub threads: usize,
}

impl RankJob {
    /// A job for the elements of a mesh that can be read without saying more.
    pub fn new(program: (&str, &str), mesh: impl Into<PathBuf>, part: Vec<u32>) -> RankJob {
        RankJob {
            name: program.0.to_string(),
            text: program.1.to_string(),
            settings: Vec::new(),
            mesh: mesh.into(),
            format: None,
            xyz: None,
            merge: false,
            max_input: None,
            parts: part.iter().max().map_or(0, |&last| last as usize + 1),
            part,
            threads: 1,
        }
    }

    /// With values for params.
    pub fn settings(mut self, settings: &[(String, f64)]) -> RankJob {
        self.settings =
            settings.iter().map(|(name, value)| (name.clone(), value.to_bits())).collect();
        self
    }

    fn write(&self, folder: &Path) -> io::Result<()> {
        fs::write(folder.join(JOB), serde_json::to_string(self)?)?;
        let bytes: Vec<u8> = self.part.iter().flat_map(|part| part.to_le_bytes()).collect();
        fs::write(folder.join(PARTS), bytes)
    }
}

/// A job as a rank has it.
#[derive(Debug)]
pub struct LoadedJob {
    /// The program.
    pub program: Program,
    /// The mesh.
    pub mesh: MeshFile,
    /// All of its pieces.
    pub pieces: Vec<Piece>,
    /// Threads of each rank.
    pub threads: usize,
}

/// Why a rank cannot have its job.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// A file cannot be read.
    #[error(transparent)]
    Io(#[from] IoError),
    /// The job is not one.
    #[error("{0}: not a job for ranks: {1}")]
    Job(String, String),
    /// The program does not compile.
    #[error(transparent)]
    Program(#[from] Diagnostics),
    /// The parts are not those of the mesh.
    #[error(transparent)]
    Parts(#[from] WorldError),
}

/// Reads the job of a folder.
///
/// # Errors
/// See [`LoadError`].
pub fn load_job(folder: &Path) -> Result<LoadedJob, LoadError> {
    let wrong = |why: String| LoadError::Job(folder.display().to_string(), why);
    let job: RankJob = serde_json::from_slice(&read_bytes(&folder.join(JOB))?)
        .map_err(|error| wrong(error.to_string()))?;
    let settings = job.settings.iter();
    let settings: Vec<(String, f64)> =
        settings.map(|(name, bits)| (name.clone(), f64::from_bits(*bits))).collect();
    let program = compile(&job.name, &job.text, &settings)?;
    let format = job.format.as_deref().map(str::parse).transpose();
    let params = MeshInputParams {
        format: format.map_err(|error: UnknownName| wrong(error.to_string()))?,
        graph: false,
        xyz: job.xyz.clone(),
        merge: job.merge,
        limit: job.max_input.map_or(InputLimit::default(), InputLimit::of),
    };
    let mesh = read_mesh_file(&job.mesh, &params)?;
    let bytes = read_bytes(&folder.join(PARTS))?;
    let number = |four: &[u8]| u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
    let part: Vec<u32> = bytes.chunks_exact(4).map(number).collect();
    let pieces = pieces(&mesh.mesh, &part, job.parts)?;
    Ok(LoadedJob { program, mesh, pieces, threads: job.threads })
}

/// What rank 0 tells, a line each.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Event {
    /// A number that the program prints: its bits.
    Print(String, u64),
    /// A vector that the program writes, in a file of the folder.
    Output { name: String, number: Option<u64>, file: String },
    /// The program has ended.
    End(Outcome),
}

/// The sink of a rank: rank 0 tells the process that started the job.
#[derive(Debug)]
pub struct Teller<'a> {
    folder: &'a Path,
    /// Whether this is rank 0.
    tells: bool,
    count: usize,
}

impl<'a> Teller<'a> {
    /// The teller of a rank.
    pub fn new(folder: &'a Path, rank: usize) -> Teller<'a> {
        Teller { folder, tells: rank == 0, count: 0 }
    }

    /// The program has ended.
    ///
    /// # Errors
    /// When the other side has gone.
    pub fn end(&self, outcome: Outcome) -> io::Result<()> {
        self.tell(&Event::End(outcome))
    }

    fn tell(&self, event: &Event) -> io::Result<()> {
        if !self.tells {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        writeln!(out, "{}", serde_json::to_string(event)?)?;
        out.flush()
    }
}

impl Sink for Teller<'_> {
    fn print(&mut self, label: &str, value: f64) -> io::Result<()> {
        self.tell(&Event::Print(label.to_string(), value.to_bits()))
    }

    fn output(&mut self, name: &str, number: Option<u64>, values: &[f64]) -> io::Result<()> {
        if !self.tells {
            return Ok(());
        }
        let file = format!("vector-{}.bin", self.count);
        self.count += 1;
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        fs::write(self.folder.join(&file), bytes)?;
        self.tell(&Event::Output { name: name.to_string(), number, file })
    }
}
