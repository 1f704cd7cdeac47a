//! Whether two answers are the same, up to the rounding of floats.
//!
//! **Problem.** Two engines combine the same values in the same order, bracketed
//! otherwise. Integers and extremes must agree exactly; how far may floats differ?
//!
//! **Method.** Let u be half the distance from 1 to the next number, and γ(k) = k u / (1 − k u). A
//! sum of m numbers has an error of at most γ(m − 1) Σ|x| however it is bracketed (Higham,
//! *Accuracy and Stability of Numerical Algorithms*, section 4.2); an entry of a product of m
//! matrices one of at most γ(2 (m − 1)) times that of |A₁| … |A_m|, and an affine map is the matrix
//! with the second row 0 1. Two answers differ by at most twice that. Where products get so small
//! that floats lose digits, each of m products of matrices adds an error below 2^-1073, multiplied
//! by the norms above 1 of the others. Where Σ|x|, or the product of those norms, is too large for
//! floats, brackets decide what overflows: there is no bound, and nothing is compared.
//!
//! **Cost.** Two more treefixes on the host, for floats only.

use super::*;

/// For the rounding of the bounds themselves.
const SLACK: f64 = 1.0 + 1e-9;

/// The logarithms of what no float exceeds, with room for rounding, and of what a product of
/// two matrices may lose when it is small.
const LARGEST: f64 = 1022.0;
const SMALLEST: f64 = -1073.0;

/// Whether two answers are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Agreement {
    /// They are, wherever they can be compared.
    pub equal: bool,
    /// How many vertices have answers that differ and cannot be compared, because brackets
    /// decide what overflows.
    pub uncompared: usize,
}

/// Whether two treefixes of the same values agree, as two engines must: integers and extremes
/// exactly, sums and products of floats up to what rounding can do in any brackets.
///
/// ```
/// use palmette::{AggregateParams, Direction, Engine, Operator, Tree, aggregate, agreement};
/// use palmette::io::ValueSlice;
/// let tree = Tree::from_parents(&[palmette::NONE, 0, 0, 2])?;
/// let values = [ValueSlice::F64(&[0.1, 0.2, 0.3, 0.4])];
/// let by = |engine| {
///     let params = AggregateParams { engine, ..Default::default() };
///     aggregate(&tree, Direction::Leaffix, Operator::SUM, &values, &params)
/// };
/// let both = [&by(Engine::Sequential)?, &by(Engine::Contract)?];
/// assert!(agreement(&tree, Direction::Leaffix, Operator::SUM, &values, both)?.equal);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the values are none for this tree and operator.
///
/// # Panics
/// When an answer has no row for a vertex of the tree.
pub fn agreement(
    tree: &Tree,
    direction: Direction,
    operator: Operator,
    values: &[ValueSlice<'_>],
    [left, right]: [&Answer; 2],
) -> Result<Agreement, AggregateError> {
    let pairs = left.columns.iter().zip(&right.columns);
    let floats: Option<Vec<[Vec<f64>; 2]>> = pairs
        .map(|(left, right)| Some([floats_of(&left.cells)?, floats_of(&right.cells)?]))
        .collect();
    let rounds = matches!(
        operator,
        Operator::Sum { .. } | Operator::Affine { .. } | Operator::Matrix { .. }
    );
    let (Some(floats), true) = (floats, rounds) else {
        let equal = left.columns.iter().zip(&right.columns).all(|(left, right)| {
            match (floats_of(&left.cells), floats_of(&right.cells)) {
                (Some(left), Some(right)) => left.iter().zip(&right).all(|(&a, &b)| same(a, b)),
                _ => left == right,
            }
        });
        return Ok(Agreement { equal, uncompared: 0 });
    };
    let bounds = Bounds::new(tree, direction, operator, values)?;
    let mut found = Agreement { equal: true, uncompared: 0 };
    for v in 0..tree.len() {
        let differs = |[left, right]: &[Vec<f64>; 2]| !same(left[v], right[v]);
        if !floats.iter().any(differs) {
            continue;
        }
        if !bounds.exist(v) {
            found.uncompared += 1;
            continue;
        }
        let close = |(k, [left, right]): (usize, &[Vec<f64>; 2])| {
            same(left[v], right[v]) || bounds.cover(k, v, left[v] - right[v])
        };
        found.equal &= floats.iter().enumerate().all(close);
    }
    Ok(found)
}

/// Whether two floats are equal, or both none.
fn same(left: f64, right: f64) -> bool {
    left == right || (left.is_nan() && right.is_nan())
}

/// The numbers of a column of floats.
fn floats_of(cells: &AnswerCells) -> Option<Vec<f64>> {
    match cells {
        AnswerCells::Numbers(values @ (Values::F64(_) | Values::F32(_))) => {
            Some(as_floats(values.as_slice()))
        }
        _ => None,
    }
}

pub(crate) fn as_floats(values: ValueSlice<'_>) -> Vec<f64> {
    match values {
        ValueSlice::F64(x) => x.to_vec(),
        ValueSlice::F32(x) => x.iter().map(|&x| x.into()).collect(),
        ValueSlice::I64(x) => x.iter().map(|&x| x as f64).collect(),
        ValueSlice::U64(x) => x.iter().map(|&x| x as f64).collect(),
    }
}

/// By how much answers may differ.
struct Bounds {
    /// By column and vertex: the answers for absolute values.
    absolute: Vec<Vec<f64>>,
    /// By vertex: how many factors there are.
    factors: Vec<f64>,
    /// By vertex: the logarithm of the product of all norms above 1; none for sums.
    growth: Option<Vec<f64>>,
    unit: f64,
    /// Beyond what sums are no numbers.
    largest: f64,
}

impl Bounds {
    fn new(
        tree: &Tree,
        direction: Direction,
        operator: Operator,
        values: &[ValueSlice<'_>],
    ) -> Result<Bounds, AggregateError> {
        let params = AggregateParams { engine: Engine::Sequential, ..Default::default() };
        let run = |operator, values: &[ValueSlice<'_>]| {
            let answer = aggregate(tree, direction, operator, values, &params)?;
            Ok(answer.columns.iter().filter_map(|c| floats_of(&c.cells)).collect::<Vec<_>>())
        };
        let sum = |x: Vec<f64>| {
            let sums: Result<Vec<_>, AggregateError> = run(Operator::SUM, &[ValueSlice::F64(&x)]);
            Ok::<_, AggregateError>(sums?.remove(0))
        };
        let magnitudes: Vec<Vec<f64>> =
            values.iter().map(|&x| as_floats(x).into_iter().map(f64::abs).collect()).collect();
        // The rows of the matrix, of which an affine map is the first.
        let norm = |v: usize| {
            let row =
                |r: usize| magnitudes.get(2 * r).map_or(1.0, |x| x[v] + magnitudes[2 * r + 1][v]);
            row(0).max(row(1)).max(1.0).log2()
        };
        let growth = match operator {
            Operator::Sum { .. } => None,
            _ => Some(sum((0..tree.len()).map(norm).collect())?),
        };
        let single = values.iter().any(|x| x.value_type() == ValueType::F32) && growth.is_none();
        let unit = if single { f64::from(f32::EPSILON) } else { f64::EPSILON } / 2.0;
        let largest = if single { f32::MAX.into() } else { f64::MAX };
        let factors = sum(vec![1.0; tree.len()])?;
        let magnitudes: Vec<_> = magnitudes.iter().map(|x| ValueSlice::F64(x)).collect();
        Ok(Bounds { absolute: run(operator, &magnitudes)?, factors, growth, unit, largest })
    }

    /// Whether there are bounds at a vertex.
    fn exist(&self, vertex: usize) -> bool {
        let growth = self.growth.as_ref().map(|growth| growth[vertex]);
        let fits = |column: &Vec<f64>| column[vertex] <= self.largest;
        self.absolute.iter().all(fits)
            && growth.is_none_or(|growth| growth <= LARGEST)
            && 2.0 * self.factors[vertex] * self.unit < 1.0
    }

    /// Whether a difference is within the bound of a column at a vertex that has one.
    fn cover(&self, column: usize, vertex: usize, difference: f64) -> bool {
        let (absolute, factors) = (self.absolute[column][vertex], self.factors[vertex]);
        let (steps, growth) = match &self.growth {
            None => (factors - 1.0, None),
            Some(growth) => (2.0 * (factors - 1.0), Some(growth[vertex])),
        };
        let share = steps * self.unit;
        let small = growth.map_or(0.0, |g| (g + SMALLEST + (2.0 * factors).log2()).exp2());
        let gamma = share / (1.0 - share);
        // The absolute values were rounded as well.
        let bound = 2.0 * gamma * absolute * (1.0 + 2.0 * gamma) + small;
        difference.abs() <= bound * SLACK
    }
}
