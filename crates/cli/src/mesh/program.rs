//! Programs in the language of docs/language.md, and the meshes they are for.

use super::options::ReadOptions;
use crate::input::text_of;
use crate::limit;
use crate::prelude::*;
use palmette::language::run::{RunError, check};
use palmette::language::{Exchange, MOST_BYTES, compile, example, explain};
use palmette::ranks::RankJob;
use serde_json::Map;

/// The program and the mesh to read, and how.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct ProgramOptions {
    /// Mesh to read: Gmsh, METIS, Medit or SU2; optionally gz or zst; `-` is stdin.
    #[arg(value_name = "FILE", help_heading = None)]
    pub(crate) mesh: PathBuf,
    /// Program in the language of docs/language.md, optionally gz or zst; `-` is stdin; or a
    /// built-in one: example:cg, example:jacobi_cg, example:heat, example:wave.
    #[arg(long, value_name = "PROGRAM", help_heading = None)]
    pub(crate) program: PathBuf,
    /// Set a param of the program; may be repeated.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting, help_heading = None)]
    settings: Vec<(String, f64)>,
    #[command(flatten)]
    read: ReadOptions,
}

fn setting(text: &str) -> Result<(String, f64), String> {
    let parts = text.split_once('=').map(|(name, value)| (name.trim(), value.trim().parse()));
    match parts {
        Some((name, Ok(value))) if !name.is_empty() && f64::is_finite(value) => {
            Ok((name.to_string(), value))
        }
        _ => Err(format!("expected a param and a finite number, such as dt=0.01, found `{text}`")),
    }
}

/// What was read.
pub(super) struct Loaded {
    /// The program as it was written.
    pub(super) text: String,
    pub(super) program: Program,
    pub(super) file: MeshFile,
}

impl ProgramOptions {
    /// The program's name in messages and records.
    pub(super) fn name(&self) -> String {
        terminal::label(&name_of(&self.program))
    }

    /// The files of a command that reads the program and the mesh.
    pub(super) fn files(&self) -> Files {
        self.read.files(Files::of(&self.mesh).reads("--program", Some(&self.program)))
    }

    /// Compiles the program, then reads the mesh, which must have what the program names. Notes
    /// both.
    pub(super) fn load(&self, session: &mut Session) -> Result<Loaded> {
        session.parameter("program", self.name());
        let text = session.phase("read", || self.text())?;
        let program = session.phase("compile", || compile(&self.name(), &text, &self.settings))?;
        let params = program.problem.params.iter();
        let params: Map<String, Value> =
            params.map(|param| (param.name.clone(), param.value.into())).collect();
        session.parameter("params", params);
        let file = self.read.load_mesh(session, &self.mesh)?;
        check(&program, &file.mesh).map_err(|error| self.failed(&error))?;
        Ok(Loaded { text, program, file })
    }

    /// The text of the program.
    fn text(&self) -> Result<String> {
        let path = self.program.to_string_lossy();
        let Some(name) = path.strip_prefix("example:").filter(|_| !self.program.exists()) else {
            // Longer programs would not compile.
            let most = MOST_BYTES as u64;
            let bytes = limit::read_bytes_below(&self.program, most, "a program", ("bytes", 1))?;
            return text_of(&self.program, bytes);
        };
        Ok(example(name).map_err(|error| anyhow!("--program: {error}"))?.to_string())
    }

    /// What ranks need to read the same, with the part of each element.
    pub(super) fn job(&self, text: &str, part: Vec<u32>) -> RankJob {
        let job = RankJob::new((&self.name(), text), &self.mesh, part).settings(&self.settings);
        let (format, merge) = (self.read.format_name(), self.read.merge);
        RankJob { format, xyz: self.read.xyz.clone(), merge, max_input: limit::most(), ..job }
    }

    /// Ends the summary with the program's intermediate form.
    pub(super) fn explain(&self, session: &mut Session, program: &Program, exchange: Exchange) {
        let text = explain(program, Some(exchange));
        session.record.figure("explain", text.as_str());
        session.end_with(text, &["explain"]);
    }

    /// A failure of the program on its mesh.
    pub(super) fn failed(&self, error: &RunError) -> anyhow::Error {
        anyhow!("{}: {error}", self.name())
    }
}
