//! Runs the statements of a program on the pieces of a mesh, and records what its loops did.

use super::setup::{PieceData, conditions, piece_data};
use super::{RunError, Sink};
use crate::Arithmetic;
use crate::ir::{
    Expression, Factor, Loop, Operand, Program, Reduced, Reduction, Scalar, Statement, Term,
};
use palmette_core::Mesh;
use palmette_mesh::spmv::{Full, Matrix, Reducible, SumTerm, Traffic, Transport, Vector, World};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The most rounds of a loop: what a number counts exactly.
const MOST_ROUNDS: f64 = 9_007_199_254_740_992.0;

/// Tests of a loop that are kept; later ones are counted only.
const MOST_TESTS: usize = 1 << 20;

/// How a loop ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ended {
    /// It has not begun.
    Never,
    /// Its test failed.
    Test,
    /// At its limit.
    Limit,
}

/// What a loop did, over all times that it was entered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoopRecord {
    /// Its line in the program.
    pub line: u32,
    /// Times it was entered.
    pub entered: u64,
    /// Rounds in all.
    pub rounds: u64,
    /// How it ended the last time.
    pub ended: Ended,
    /// Both sides of its tests, in order; written as the bits of the numbers, so that they
    /// can be read again.
    #[serde(with = "super::bits")]
    pub tests: Vec<(f64, f64)>,
    /// What was sent in it, loops in it included.
    pub traffic: Traffic,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// By loop of the program.
    pub loops: Vec<LoopRecord>,
    /// What was sent in all.
    pub traffic: Traffic,
}

/// A program with its data, ready to run.
pub struct Prepared<'a, T: Transport> {
    program: &'a Program,
    world: World<T>,
    /// By matrix of the problem; those that are not applied are missing.
    matrices: Vec<Option<Matrix>>,
    vectors: Vec<Vec<f64>>,
    scalars: Vec<f64>,
    guards: Vec<u64>,
    loops: Vec<LoopRecord>,
    /// Nodes of the whole mesh.
    nodes: usize,
}

/// Makes the data that a program asks of the mesh for the pieces of a world.
///
/// # Errors
/// What the mesh cannot give; a world of other components.
pub fn prepare<'a, T: Transport>(
    program: &'a Program,
    mesh: &Mesh,
    world: World<T>,
) -> Result<Prepared<'a, T>, RunError> {
    let (expected, found) = (usize::from(program.problem.components), world.components());
    if expected != found {
        return Err(RunError::Components { expected, found });
    }
    let conditions = conditions(program, mesh)?;
    let made = world.pieces().par_iter();
    let made = made.map(|piece| piece_data(program, mesh, &conditions, piece));
    let mut data = made.collect::<Result<Vec<PieceData>, RunError>>()?;
    let mut matrices: Vec<Option<Matrix>> = vec![None; program.problem.matrices.len()];
    for (place, &number) in program.applied.iter().enumerate().rev() {
        let pieces = data.iter_mut().map(|data| data.matrices.remove(place)).collect();
        matrices[number] = Some(world.matrix(pieces)?);
    }
    let mut vectors = vec![Vec::new(); program.vectors.len()];
    for (source, &slot) in program.inputs.iter().enumerate() {
        vectors[slot] = data.iter().flat_map(|data| &data.vectors[source]).copied().collect();
    }
    for vector in vectors.iter_mut().filter(|vector| vector.is_empty()) {
        *vector = vec![0.0; world.unknowns()];
    }
    let record = |facts: &crate::ir::LoopFacts| LoopRecord {
        line: facts.line,
        entered: 0,
        rounds: 0,
        ended: Ended::Never,
        tests: Vec::new(),
        traffic: Traffic::default(),
    };
    Ok(Prepared {
        program,
        world,
        matrices,
        vectors,
        scalars: vec![0.0; program.scalars.len()],
        guards: vec![0; program.guards],
        loops: program.loops.iter().map(record).collect(),
        nodes: mesh.points().len(),
    })
}

impl<T: Transport> Prepared<'_, T> {
    /// What all parts send in one assembly.
    pub fn assembly_traffic(&self) -> Traffic {
        self.world.assembly_traffic()
    }

    /// Runs the program to its end.
    ///
    /// # Errors
    /// A limit of a loop that is none; results that cannot be written; ranks that cannot be
    /// reached.
    pub fn run(mut self, sink: &mut dyn Sink) -> Result<Outcome, RunError> {
        let before = self.world.traffic();
        self.block(&self.program.statements, sink)?;
        let traffic = self.world.traffic().since(&before);
        Ok(Outcome { loops: self.loops, traffic })
    }

    fn block(&mut self, statements: &[Statement], sink: &mut dyn Sink) -> Result<(), RunError> {
        let mut next = 0;
        while let Some(statement) = statements.get(next) {
            next += 1;
            match statement {
                Statement::Combine { target, terms, .. } => {
                    // A product and its assembly overlap.
                    let products = terms.iter().any(|term| term.matrix.is_some());
                    let assembled = products
                        && matches!(statements.get(next), Some(Statement::Assemble(v)) if v == target);
                    self.combine(*target, terms, assembled)?;
                    next += usize::from(assembled);
                }
                _ => self.one(statement, sink)?,
            }
        }
        Ok(())
    }

    fn one(&mut self, statement: &Statement, sink: &mut dyn Sink) -> Result<(), RunError> {
        match statement {
            Statement::Combine { target, terms, .. } => self.combine(*target, terms, false)?,
            Statement::Map { target, function, vector } => {
                self.entries(*target, &[Operand::Vector(*vector)], |a| function.apply(a[0]));
            }
            Statement::Elementwise { target, operation, operands, .. } => {
                self.entries(*target, operands, |a| operation.apply(a[0], a[1]));
            }
            Statement::Assemble(vector) => {
                self.world.assemble_in_place(&mut self.vectors[*vector])?;
            }
            Statement::Swap(a, b) => self.vectors.swap(*a, *b),
            Statement::Compute { target, value } => {
                self.scalars[*target] = match *value {
                    Expression::Value(a) => self.scalar(a),
                    Expression::Function(function, a) => function.apply(self.scalar(a)),
                    Expression::Arithmetic(operation, a, b) => {
                        operation.apply(self.scalar(a), self.scalar(b))
                    }
                };
            }
            Statement::SwapScalars(a, b) => self.scalars.swap(*a, *b),
            Statement::Reduce(reductions) => self.reduce(reductions)?,
            Statement::Loop(this) => self.repeat(this, sink)?,
            Statement::Every { guard, count, body } => {
                self.guards[*guard] += 1;
                if self.guards[*guard].is_multiple_of(u64::from(*count)) {
                    self.block(body, sink)?;
                }
            }
            Statement::Print { label, value } => {
                let written = sink.print(label, self.scalar(*value));
                written.map_err(|error| RunError::Output { name: label.clone(), error })?;
            }
            Statement::Output { output, vector, guard } => {
                let name = &self.program.outputs[*output].name;
                let number = guard.map(|guard| self.guards[guard]);
                let full: Vector<Full> =
                    self.world.vector(std::mem::take(&mut self.vectors[*vector]))?;
                let values = self.world.to_nodes(&full, self.nodes)?;
                self.vectors[*vector] = full.into_values();
                let written = sink.output(name, number, &values);
                written.map_err(|error| RunError::Output { name: name.clone(), error })?;
            }
        }
        Ok(())
    }

    fn scalar(&self, scalar: Scalar) -> f64 {
        match scalar {
            Scalar::Number(number) => number,
            Scalar::Param(place) => self.program.problem.params[place].value,
            Scalar::Slot(place) => self.scalars[place],
        }
    }

    fn factor(&self, factor: Factor) -> f64 {
        match factor.scalar {
            Some(scalar) => factor.constant * self.scalar(scalar),
            None => factor.constant,
        }
    }

    fn combine(&mut self, target: usize, terms: &[Term], assemble: bool) -> Result<(), RunError> {
        let mut z = std::mem::take(&mut self.vectors[target]);
        let factors: Vec<f64> = terms.iter().map(|term| self.factor(term.factor)).collect();
        let (matrices, vectors) = (&self.matrices, &self.vectors);
        let made = |(term, factor): (&Term, f64)| SumTerm {
            factor,
            matrix: term.matrix.and_then(|number| matrices[number].as_ref()),
            values: (term.vector != target).then(|| &vectors[term.vector][..]),
            split: term.split,
        };
        let made: Vec<SumTerm<'_>> = terms.iter().zip(factors).map(made).collect();
        let done = self.world.evaluate(&made, &mut z, assemble);
        self.vectors[target] = z;
        Ok(done?)
    }

    /// Entry by entry, from at most two operands.
    fn entries(&mut self, target: usize, operands: &[Operand], f: impl Fn([f64; 2]) -> f64 + Sync) {
        enum From<'a> {
            Vector(&'a [f64]),
            Target,
            Number(f64),
        }
        let mut z = std::mem::take(&mut self.vectors[target]);
        let from = |place: usize| match operands.get(place) {
            Some(Operand::Vector(vector)) if *vector == target => From::Target,
            Some(Operand::Vector(vector)) => From::Vector(&self.vectors[*vector]),
            Some(Operand::Scalar(scalar)) => From::Number(self.scalar(*scalar)),
            None => From::Number(0.0),
        };
        let both = [from(0), from(1)];
        let at = |from: &From<'_>, i: usize, old: f64| match from {
            From::Vector(values) => values[i],
            From::Target => old,
            From::Number(number) => *number,
        };
        self.world.each(&mut z, |i, old| f([at(&both[0], i, old), at(&both[1], i, old)]));
        self.vectors[target] = z;
    }

    fn reduce(&mut self, reductions: &[Reduction]) -> Result<(), RunError> {
        let items: Vec<(Reducible<'_>, bool)> = reductions
            .iter()
            .map(|reduction| {
                let of = |vector: usize| &self.vectors[vector][..];
                let item = match reduction.of {
                    Reduced::Dot(a, b) => Reducible::Dot(of(a), of(b)),
                    Reduced::Sum(a) => Reducible::Sum(of(a)),
                    Reduced::Extreme(Arithmetic::Minimum, a) => Reducible::Smallest(of(a)),
                    Reduced::Extreme(_, a) => Reducible::Largest(of(a)),
                };
                (item, reduction.owned)
            })
            .collect();
        let found = self.world.reduce(&items)?;
        for (reduction, number) in reductions.iter().zip(found) {
            self.scalars[reduction.target] = number;
        }
        Ok(())
    }

    fn repeat(&mut self, this: &Loop, sink: &mut dyn Sink) -> Result<(), RunError> {
        let limit = self.scalar(this.limit).round();
        if !(0.0..=MOST_ROUNDS).contains(&limit) {
            let line = self.loops[this.number].line;
            return Err(RunError::Limit { line, value: limit });
        }
        let before = self.world.traffic();
        let mut rounds = 0u64;
        let ended = loop {
            self.block(&this.head, sink)?;
            if let Some((comparison, a, b)) = this.test {
                let sides = (self.scalar(a), self.scalar(b));
                let record = &mut self.loops[this.number];
                if record.tests.len() < MOST_TESTS {
                    record.tests.push(sides);
                }
                if !comparison.holds(sides.0, sides.1) {
                    break Ended::Test;
                }
            }
            if rounds as f64 >= limit {
                break Ended::Limit;
            }
            self.block(&this.body, sink)?;
            rounds += 1;
        };
        let traffic = self.world.traffic().since(&before);
        let record = &mut self.loops[this.number];
        record.entered += 1;
        record.rounds += rounds;
        record.ended = ended;
        record.traffic.add(traffic);
        Ok(())
    }
}
