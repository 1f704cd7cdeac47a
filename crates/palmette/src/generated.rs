//! A program for the ranks of a mapping, as C with MPI.

use crate::ElementMapping;
use crate::figures::{Figures, PlacementFigures, whole};
use palmette_core::{Mesh, Record};
use palmette_language::c::{DataError, SourceFile, rank_data, source_files, write_data};
use palmette_language::run::{RunError, conditions, piece_data};
use palmette_language::{Exchange, Program};
use palmette_mesh::element::Conditions;
use serde_json::{Value, json};
use std::io::Write;
use thiserror::Error;

/// Errors of writing a rank's data.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// The mesh cannot give what the program asks for.
    #[error(transparent)]
    Mesh(#[from] RunError),
    /// The file cannot be written.
    #[error(transparent)]
    Data(#[from] DataError),
}

/// A compiled program, a mesh and where its parts go. Part `r` is rank `r`.
///
/// ```
/// use palmette::{language::compile, mesh::shapes::generate};
/// use palmette::{GeneratedProgram, MappingParams, map_elements};
/// let program = compile("mass.pal", "u = interpolate(x)\nprint sum(u)\n", &[])?;
/// let mesh = generate("grid:8x8".parse()?, 1)?;
/// let mapping = map_elements(&mesh, &"torus:2x2".parse()?, &MappingParams::default())?;
/// let generated = GeneratedProgram::new(&program, &mesh, &mapping)?;
/// assert!(generated.sources(None).iter().any(|file| file.name == "program.c"));
/// let mut data = Vec::new();
/// generated.write_rank(0, &mut data)?;
/// assert!(data.starts_with(b"palmette"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GeneratedProgram<'a> {
    program: &'a Program,
    mesh: &'a Mesh,
    mapping: &'a ElementMapping,
    conditions: Conditions,
}

impl<'a> GeneratedProgram<'a> {
    /// Finds the fixed nodes.
    ///
    /// # Errors
    /// Groups that the mesh does not have.
    pub fn new(
        program: &'a Program,
        mesh: &'a Mesh,
        mapping: &'a ElementMapping,
    ) -> Result<GeneratedProgram<'a>, RunError> {
        let conditions = conditions(program, mesh)?;
        Ok(GeneratedProgram { program, mesh, mapping, conditions })
    }

    /// The number of ranks.
    pub fn ranks(&self) -> u32 {
        self.mapping.pieces.len() as u32
    }

    /// What an assembly exchanges.
    pub fn exchange(&self) -> Exchange {
        Exchange::of(&self.mapping.quotient, usize::from(self.program.problem.components))
    }

    /// All text files.
    pub fn sources(&self, rankfile: Option<&str>) -> Vec<SourceFile> {
        source_files(self.program, self.mapping.pieces.len(), rankfile)
    }

    /// Makes and writes the data of one rank; nothing of the others is in memory.
    ///
    /// # Errors
    /// What the mesh cannot give, and what writing gives.
    ///
    /// # Panics
    /// When there is no such rank.
    pub fn write_rank(&self, rank: u32, out: impl Write) -> Result<(), GenerateError> {
        let piece = &self.mapping.pieces[rank as usize];
        let made = piece_data(self.program, self.mesh, &self.conditions, piece)?;
        let phase = |from, to| self.mapping.phase(from, to).unwrap_or(0);
        let data = rank_data(piece, made, phase);
        let (ranks, nodes) = (self.mapping.pieces.len(), self.mesh.points().len() as u64);
        Ok(write_data(self.program, (rank, ranks), nodes, &data, out)?)
    }
}

/// What the program exchanges, how far that goes, and how often.
impl Figures for GeneratedProgram<'_> {
    fn figures(&self, record: &mut Record) {
        let ElementMapping { machine, pieces, quotient, placement, traffic, .. } = self.mapping;
        let exchange = self.exchange();
        let sizes = || pieces.iter().map(|piece| piece.elements.len());
        record
            .figure("parts", pieces.len())
            .figure("smallest_part", sizes().min().unwrap_or(0))
            .figure("largest_part", sizes().max().unwrap_or(0))
            .figure("messages", exchange.messages)
            .figure("words", exchange.words);
        PlacementFigures { quotient, machine, placement }.hops(record);
        traffic.figures(record);
        let (outside, loops) = self.program.counts();
        record
            .figure("phases", self.mapping.phases())
            .figure("assemblies", whole(outside.assemblies))
            .figure("reductions", whole(outside.reductions));
        let loops = self.program.loops.iter().zip(&loops).map(|(facts, counts)| {
            json!({
                "line": facts.line, "assemblies": whole(counts.assemblies),
                "undelayed": whole(counts.undelayed), "reductions": whole(counts.reductions),
            })
        });
        record.figure("loops", loops.collect::<Vec<Value>>());
    }

    fn lists(&self) -> &'static [&'static str] {
        &["loops"]
    }
}
