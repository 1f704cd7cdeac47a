//! The intermediate form evaluated step by step on all ranks, in the order that its
//! documentation gives; states are checked on the way.

use palmette_language::c::RankData;
use palmette_language::ir::{
    Expression, Factor, Loop, Operand, Reduced, Reduction, Scalar, State, Statement, Term,
};
use palmette_language::{Arithmetic, Comparison, Program};

/// What a program did.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) printed: Vec<(String, f64)>,
    /// Names of files without suffix, and values by unknown of the whole mesh.
    pub(crate) files: Vec<(String, Vec<f64>)>,
    pub(crate) iterations: Vec<usize>,
    pub(crate) stopped: Vec<usize>,
    pub(crate) assemblies: u64,
    pub(crate) messages: u64,
    pub(crate) words: u64,
}

pub(crate) fn evaluate(program: &Program, ranks: &[RankData]) -> Outcome {
    let d = usize::from(program.problem.components);
    let new = |rank: &RankData| vec![f64::NAN; rank.nodes.len() * d];
    let mut vectors: Vec<Vec<Vec<f64>>> =
        vec![ranks.iter().map(new).collect(); program.vectors.len()];
    let mut states = vec![None; program.vectors.len()];
    for (k, &slot) in program.inputs.iter().enumerate() {
        let full = program.problem.sources[k].source.is_full();
        states[slot] = Some(if full { State::Full } else { State::Partial });
        for (r, rank) in ranks.iter().enumerate() {
            vectors[slot][r].clone_from(&rank.vectors[k]);
        }
    }
    let outcome = Outcome {
        iterations: vec![0; program.loops.len()],
        stopped: vec![0; program.loops.len()],
        ..Outcome::default()
    };
    let scalars = vec![f64::NAN; program.scalars.len()];
    let guards = vec![0; program.guards];
    let mut run = Run { program, ranks, d, vectors, states, scalars, guards, outcome };
    run.block(&program.statements);
    run.outcome
}

struct Run<'a> {
    program: &'a Program,
    ranks: &'a [RankData],
    d: usize,
    /// By slot, then by rank.
    vectors: Vec<Vec<Vec<f64>>>,
    states: Vec<Option<State>>,
    scalars: Vec<f64>,
    guards: Vec<usize>,
    outcome: Outcome,
}

impl Run<'_> {
    fn block(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn full(&self, slot: usize) {
        assert_eq!(self.states[slot], Some(State::Full), "{}", self.program.vectors[slot]);
    }

    fn scalar(&self, scalar: Scalar) -> f64 {
        match scalar {
            Scalar::Number(value) => value,
            Scalar::Param(k) => self.program.problem.params[k].value,
            Scalar::Slot(slot) => self.scalars[slot],
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Combine { target, terms, state } => self.combine(*target, terms, *state),
            Statement::Map { target, function, vector } => {
                self.full(*vector);
                let mut values = self.vectors[*vector].clone();
                values.iter_mut().flatten().for_each(|value| *value = function.apply(*value));
                self.vectors[*target] = values;
                self.states[*target] = Some(State::Full);
            }
            Statement::Elementwise { target, operation, operands, state } => {
                self.elementwise(*target, *operation, *operands, *state);
            }
            Statement::Assemble(slot) => self.assemble(*slot),
            Statement::Swap(a, b) => {
                self.vectors.swap(*a, *b);
                self.states.swap(*a, *b);
            }
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
            Statement::Reduce(reductions) => {
                let values: Vec<f64> = reductions.iter().map(|r| self.reduce(r)).collect();
                reductions.iter().zip(values).for_each(|(r, value)| self.scalars[r.target] = value);
            }
            Statement::Loop(this) => self.repeat(this),
            Statement::Every { guard, count, body } => {
                self.guards[*guard] += 1;
                if self.guards[*guard].is_multiple_of(*count as usize) {
                    self.block(body);
                }
            }
            Statement::Print { label, value } => {
                self.outcome.printed.push((label.clone(), self.scalar(*value)));
            }
            Statement::Output { output, vector, guard } => self.output(*output, *vector, *guard),
        }
    }

    fn combine(&mut self, target: usize, terms: &[Term], state: State) {
        for term in terms {
            assert!(term.matrix.is_none() || term.vector != target, "a product in place");
            match (term.matrix, term.split, state) {
                (Some(_), split, _) => {
                    self.full(term.vector);
                    assert!(!split && state == State::Partial);
                }
                (None, true, _) => {
                    self.full(term.vector);
                    assert_eq!(state, State::Partial);
                }
                (None, false, _) => assert_eq!(self.states[term.vector], Some(state)),
            }
        }
        let factor = |factor: Factor| match factor.scalar {
            Some(scalar) => factor.constant * self.scalar(scalar),
            None => factor.constant,
        };
        let rank_values = |(r, rank): (usize, &RankData)| -> Vec<f64> {
            let value = |i: usize| {
                let entry = |term: &Term| {
                    let x = &self.vectors[term.vector][r];
                    let value = match term.matrix {
                        Some(matrix) => {
                            let k = self.program.applied.iter().position(|&m| m == matrix);
                            let (columns, values) = rank.matrices[k.unwrap()].row(i);
                            let products = columns.iter().zip(values);
                            products.fold(-0.0, |sum, (&c, v)| sum + v * x[c as usize])
                        }
                        None if term.split && !rank.owned[i / self.d] => 0.0,
                        None => x[i],
                    };
                    factor(term.factor) * value
                };
                terms.iter().map(entry).reduce(|sum, next| sum + next).unwrap_or(0.0)
            };
            (0..rank.nodes.len() * self.d).map(value).collect()
        };
        let values = self.ranks.iter().enumerate().map(rank_values).collect();
        self.vectors[target] = values;
        self.states[target] = Some(state);
    }

    fn elementwise(
        &mut self,
        target: usize,
        operation: Arithmetic,
        operands: [Operand; 2],
        state: State,
    ) {
        let states = operands.map(|operand| match operand {
            Operand::Vector(slot) => self.states[slot].unwrap(),
            Operand::Scalar(_) => State::Full,
        });
        let linear = match operation {
            Arithmetic::Multiply => states.contains(&State::Full),
            Arithmetic::Divide => states[1] == State::Full,
            _ => states == [State::Full; 2],
        };
        assert!(linear, "{operation:?} of {states:?}");
        assert_eq!(state == State::Full, states == [State::Full; 2]);
        let entry = |operand: Operand, r: usize, i: usize| match operand {
            Operand::Vector(slot) => self.vectors[slot][r][i],
            Operand::Scalar(scalar) => self.scalar(scalar),
        };
        let [a, b] = operands;
        let values = self.ranks.iter().enumerate().map(|(r, rank)| {
            let value = |i: usize| operation.apply(entry(a, r, i), entry(b, r, i));
            (0..rank.nodes.len() * self.d).map(value).collect()
        });
        let values = values.collect();
        self.vectors[target] = values;
        self.states[target] = Some(state);
    }

    fn assemble(&mut self, slot: usize) {
        assert_eq!(self.states[slot], Some(State::Partial), "{}", self.program.vectors[slot]);
        let nodes = self.ranks.iter().flat_map(|rank| &rank.nodes).max().map_or(0, |&v| v + 1);
        // From -0.0, the copies in the order of ranks.
        let mut totals = vec![-0.0; nodes as usize * self.d];
        let place = |v: u32, c: usize| v as usize * self.d + c;
        for (rank, values) in self.ranks.iter().zip(&self.vectors[slot]) {
            for (k, &v) in rank.nodes.iter().enumerate() {
                (0..self.d).for_each(|c| totals[place(v, c)] += values[k * self.d + c]);
            }
        }
        for (rank, values) in self.ranks.iter().zip(&mut self.vectors[slot]) {
            for (k, &v) in rank.nodes.iter().enumerate() {
                (0..self.d).for_each(|c| values[k * self.d + c] = totals[place(v, c)]);
            }
        }
        let all = self.ranks.iter().flat_map(|rank| &rank.neighbours);
        self.outcome.messages += all.clone().count() as u64;
        self.outcome.words += all.map(|n| (n.nodes.len() * self.d) as u64).sum::<u64>();
        self.outcome.assemblies += 1;
        self.states[slot] = Some(State::Full);
    }

    fn reduce(&self, reduction: &Reduction) -> f64 {
        let (a, b) = match reduction.of {
            Reduced::Dot(a, b) => (a, Some(b)),
            Reduced::Sum(a) | Reduced::Extreme(_, a) => (a, None),
        };
        let full = |slot: usize| self.states[slot].unwrap() == State::Full;
        match (reduction.of, reduction.owned) {
            (Reduced::Extreme(..), _) => self.full(a),
            (_, true) => assert!(full(a) && b.is_none_or(full)),
            (Reduced::Dot(a, b), false) => assert!(full(a) != full(b)),
            (_, false) => assert!(!full(a)),
        }
        let of_rank = |(r, rank): (usize, &RankData)| {
            let x = &self.vectors[a][r];
            let weight = |i: usize| match !reduction.owned || rank.owned[i / self.d] {
                true => 1.0,
                false => 0.0,
            };
            match reduction.of {
                Reduced::Dot(_, b) => {
                    let y = &self.vectors[b][r];
                    in_blocks(x.len(), |i| x[i] * y[i] * weight(i))
                }
                Reduced::Sum(_) => in_blocks(x.len(), |i| x[i] * weight(i)),
                Reduced::Extreme(which, _) => {
                    x.iter().copied().reduce(|p, q| which.apply(p, q)).unwrap()
                }
            }
        };
        let numbers = self.ranks.iter().enumerate().map(of_rank);
        match reduction.of {
            Reduced::Extreme(which, _) => numbers.reduce(|p, q| which.apply(p, q)).unwrap(),
            _ => numbers.reduce(|p, q| p + q).unwrap(),
        }
    }

    fn repeat(&mut self, this: &Loop) {
        let limit = self.scalar(this.limit).round();
        assert!(limit >= 0.0);
        for round in 0.. {
            self.block(&this.head);
            if let Some((comparison, a, b)) = this.test {
                let (a, b) = (self.scalar(a), self.scalar(b));
                let holds = match comparison {
                    Comparison::Less => a < b,
                    Comparison::LessOrEqual => a <= b,
                    Comparison::Greater => a > b,
                    Comparison::GreaterOrEqual => a >= b,
                };
                if !holds {
                    break;
                }
            }
            if round as f64 == limit {
                self.outcome.stopped[this.number] += usize::from(this.test.is_some());
                break;
            }
            self.outcome.iterations[this.number] += 1;
            self.block(&this.body);
        }
    }

    fn output(&mut self, output: usize, slot: usize, guard: Option<usize>) {
        self.full(slot);
        let facts = &self.program.outputs[output];
        assert_eq!(facts.series, guard.is_some());
        let name = match guard {
            Some(guard) => format!("{}-{:06}", facts.name, self.guards[guard]),
            None => facts.name.clone(),
        };
        let nodes = self.ranks.iter().flat_map(|rank| &rank.nodes).max().map_or(0, |&v| v + 1);
        let mut field = vec![f64::NAN; nodes as usize * self.d];
        for (rank, values) in self.ranks.iter().zip(&self.vectors[slot]) {
            for (k, &v) in rank.nodes.iter().enumerate() {
                for c in 0..self.d {
                    let (place, value) = (v as usize * self.d + c, values[k * self.d + c]);
                    // Full means that all copies agree to the bit.
                    let first = field[place].is_nan();
                    assert!(first || field[place].to_bits() == value.to_bits(), "{name} {v}");
                    field[place] = value;
                }
            }
        }
        self.outcome.files.push((name, field));
    }
}

/// Blocks of 4096 entries in eight lanes.
fn in_blocks(count: usize, entry: impl Fn(usize) -> f64) -> f64 {
    let block = |first: usize| {
        let end = count.min(first + 4096);
        let whole = first + (end - first) / 8 * 8;
        let mut lanes = [0.0; 8];
        (first..whole).for_each(|i| lanes[(i - first) % 8] += entry(i));
        (whole..end).fold(lanes.iter().sum::<f64>(), |sum, i| sum + entry(i))
    };
    (0..count).step_by(4096).map(block).sum()
}
