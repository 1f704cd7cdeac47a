//! From names and types at run time to generic code: the only place where every
//! operator meets every type.

use super::problem::{Problem, Solved, Treefix};
use super::words::{OneNumber, WordOperator, Words};
use super::*;
use palmette_core::memory::kept::Kept;
use palmette_core::operator::{
    Affine, AffineModulo, And, ArgMax, ArgMin, Matrix, MatrixModulo, Min, Or, ProductModulo,
    RollingHash, Xor,
};
use std::borrow::Cow;

/// Runs `$body` with `$x` bound to the typed slice of any column.
macro_rules! numbers {
    ($values:expr, $x:ident => $body:expr) => {
        match $values {
            ValueSlice::I64($x) => $body,
            ValueSlice::U64($x) => $body,
            ValueSlice::F64($x) => $body,
            ValueSlice::F32($x) => $body,
        }
    };
}

/// As `numbers`, for integers; other columns are an error.
macro_rules! integers {
    ($operator:expr, $values:expr, $x:ident => $body:expr) => {
        match $values {
            ValueSlice::I64($x) => $body,
            ValueSlice::U64($x) => $body,
            other => Err(AggregateError::Type { operator: $operator, actual: other.value_type() }),
        }
    };
}

pub(super) fn dispatch<P: Problem>(
    problem: &P,
    vertices: usize,
    operator: Operator,
    columns: &[ValueSlice<'_>],
) -> Result<Answer, AggregateError> {
    check(vertices, operator, columns)?;
    let kind = operator.name();
    let name = kind.name();
    match operator {
        Operator::Count => single(name, problem.sums(&Sum::new(), &vec![1u64; vertices])?.0),
        Operator::Sum { wrapping } => numbers!(columns[0], x => sum(problem, x, wrapping)),
        Operator::Min => numbers!(columns[0], x => plain(problem, name, x, &Min::new())),
        Operator::Max => numbers!(columns[0], x => plain(problem, name, x, &Max::new())),
        Operator::Xor => integers!(kind, columns[0], x => plain(problem, name, x, &Xor::new())),
        Operator::And => integers!(kind, columns[0], x => plain(problem, name, x, &And::new())),
        Operator::Or => integers!(kind, columns[0], x => plain(problem, name, x, &Or::new())),
        Operator::ArgMin => {
            numbers!(columns[0], x => placed(problem, ["min", name], x, &ArgMin::new()))
        }
        Operator::ArgMax => {
            numbers!(columns[0], x => placed(problem, ["max", name], x, &ArgMax::new()))
        }
        Operator::Product { modulus } => {
            let op = ProductModulo::new(modulus).ok_or_else(needs_modulus(kind))?;
            plain(problem, name, &residues(kind, columns[0], modulus)?, &op)
        }
        Operator::Affine { modulus: None } => {
            spread::<f64, 2>(problem.solve(WordOperator::new(&Affine), &joined(&floats(columns)))?)
        }
        Operator::Matrix { modulus: None } => {
            spread::<f64, 4>(problem.solve(WordOperator::new(&Matrix), &joined(&floats(columns)))?)
        }
        Operator::Affine { modulus: Some(modulus) } => {
            let op = AffineModulo::new(modulus).ok_or_else(needs_modulus(kind))?;
            let x = all_residues(kind, columns, modulus)?;
            spread::<u64, 2>(problem.solve(WordOperator::new(&op), &joined(&x))?)
        }
        Operator::Matrix { modulus: Some(modulus) } => {
            let op = MatrixModulo::new(modulus).ok_or_else(needs_modulus(kind))?;
            let x = all_residues(kind, columns, modulus)?;
            spread::<u64, 4>(problem.solve(WordOperator::new(&op), &joined(&x))?)
        }
        Operator::Hash { seed } => {
            let op = RollingHash::new(seed);
            integers!(kind, columns[0], x => {
                let letters: Vec<_> = x.iter().map(|&v| op.letter(v.to_words()[0]).into()).collect();
                let hashes = problem.solve(WordOperator::new(&op), &letters)?;
                single(name, hashes.map(|[hash, _]| hash))
            })
        }
    }
}

pub(super) fn needs_modulus(operator: OperatorName) -> impl Fn() -> AggregateError {
    move || AggregateError::NeedsModulus { operator }
}

/// Refuses another number of columns than the operator takes, and of values than there are
/// vertices.
pub(super) fn check(
    vertices: usize,
    operator: Operator,
    columns: &[ValueSlice<'_>],
) -> Result<(), AggregateError> {
    let wraps = operator == Operator::Sum { wrapping: true };
    if let (true, Some(x @ (ValueSlice::F64(_) | ValueSlice::F32(_)))) = (wraps, columns.first()) {
        return Err(AggregateError::NoWrapping { actual: x.value_type() });
    }
    let operator = operator.name();
    let (expected, actual) = (operator.value_columns(), columns.len());
    if expected != actual {
        return Err(AggregateError::Columns { operator, expected, actual });
    }
    match columns.iter().position(|c| c.len() != vertices) {
        None => Ok(()),
        Some(column) => {
            let actual = columns[column].len();
            Err(AggregateError::Length { column: column + 1, expected: vertices, actual })
        }
    }
}

pub(super) fn single<T>(name: &'static str, solved: Solved<T>) -> Result<Answer, AggregateError>
where
    Values: From<Vec<T>>,
{
    let columns = vec![AnswerColumn::numbers(name, solved.answers)];
    Ok(Answer { columns, present: solved.present, engine: solved.engine, findings: None })
}

/// An operator whose elements are the values.
fn plain<P: Problem, M: OneNumber<Elem: Words<1>>>(
    problem: &P,
    name: &'static str,
    x: &[M::Elem],
    op: &M,
) -> Result<Answer, AggregateError>
where
    Values: From<Vec<M::Elem>>,
{
    let words: Vec<[u64; 1]> = x.iter().map(|v| v.to_words()).collect();
    single(name, problem.solve(WordOperator::new(op), &words)?.map(M::Elem::from_words))
}

/// Sums, with the recount of the [module](super) above.
fn sum<P: Problem, T: Number + Words<1> + Kept>(
    problem: &P,
    x: &[T],
    wrapping: bool,
) -> Result<Answer, AggregateError>
where
    Values: From<Vec<T>>,
{
    let (solved, may_overflow) = problem.sums(&Sum::<T>::new(), x)?;
    if !wrapping && may_overflow {
        check_sums(problem, x, &solved.answers)?;
    }
    single(OperatorName::Sum.name(), solved)
}

/// The same, into a slice.
pub(super) fn sum_into<T: Number + Words<1> + Kept>(
    problem: &Treefix<'_>,
    x: &[T],
    wrapping: bool,
    out: &mut [T],
) -> Result<Filled, AggregateError> {
    let (engine, may_overflow) = problem.sum(x, out)?;
    if !wrapping && may_overflow {
        check_sums(problem, x, out)?;
    }
    Ok(Filled { engine: Some(engine), findings: None })
}

/// Counts sums again in 128 bits; an error if one does not fit.
pub(super) fn check_sums<P: Problem, T: Number>(
    problem: &P,
    x: &[T],
    sums: &[T],
) -> Result<(), AggregateError> {
    let exact: Vec<i128> = x.iter().map(|v| v.exact().unwrap_or(0)).collect();
    let exact = problem.exact_sums(&exact)?;
    let wrong = |(sum, &exact): (&T, &i128)| sum.exact() != Some(exact);
    match sums.iter().zip(&exact).position(wrong) {
        Some(row) => Err(problem.overflow(row, exact[row])),
        None => Ok(()),
    }
}

/// An extreme value and its vertex.
fn placed<P: Problem, T: Number + Words<1>, M: OneNumber<Elem = (T, u32)>>(
    problem: &P,
    [value, vertex]: [&'static str; 2],
    x: &[T],
    op: &M,
) -> Result<Answer, AggregateError>
where
    Values: From<Vec<T>>,
{
    let words: Vec<_> =
        x.iter().zip(problem.first_vertex()..).map(|(&x, v)| (x, v).to_words()).collect();
    let Solved { answers, present, engine } = problem.solve(WordOperator::new(op), &words)?;
    let (values, vertices): (Vec<T>, Vec<u32>) =
        answers.into_iter().map(<(T, u32)>::from_words).unzip();
    let columns =
        vec![AnswerColumn::numbers(value, values), AnswerColumn::vertices(vertex, vertices)];
    Ok(Answer { columns, present, engine, findings: None })
}

/// One element per vertex from a column for every coefficient.
pub(super) fn joined<T: Words<1>, C: AsRef<[T]>, const N: usize>(columns: &[C]) -> Vec<[u64; N]> {
    let columns: [&[T]; N] = std::array::from_fn(|k| columns[k].as_ref());
    (0..columns[0].len()).map(|v| columns.map(|x| x[v].to_words()[0])).collect()
}

/// A column for every coefficient.
pub(super) fn spread<T: Words<1>, const N: usize>(
    solved: Solved<[u64; N]>,
) -> Result<Answer, AggregateError>
where
    Values: From<Vec<T>>,
{
    const NAMES: [&str; 4] = ["a", "b", "c", "d"];
    let column = |k: usize| {
        let values: Vec<T> = solved.answers.iter().map(|x| T::from_words([x[k]])).collect();
        AnswerColumn::numbers(NAMES[k], values)
    };
    let columns = (0..N).map(column).collect();
    Ok(Answer { columns, present: solved.present, engine: solved.engine, findings: None })
}

/// Values as residues between 0 and the modulus.
pub(super) fn residues(
    operator: OperatorName,
    values: ValueSlice<'_>,
    modulus: u64,
) -> Result<Vec<u64>, AggregateError> {
    match values {
        ValueSlice::U64(x) => Ok(x.iter().map(|&v| v % modulus).collect()),
        ValueSlice::I64(x) => {
            let residue = |&v: &i64| i128::from(v).rem_euclid(i128::from(modulus)) as u64;
            Ok(x.iter().map(residue).collect())
        }
        other => Err(AggregateError::Type { operator, actual: other.value_type() }),
    }
}

pub(super) fn all_residues(
    operator: OperatorName,
    columns: &[ValueSlice<'_>],
    modulus: u64,
) -> Result<Vec<Vec<u64>>, AggregateError> {
    columns.iter().map(|&column| residues(operator, column, modulus)).collect()
}

fn floats<'a>(columns: &[ValueSlice<'a>]) -> Vec<Cow<'a, [f64]>> {
    let floats = |&column: &ValueSlice<'a>| match column {
        ValueSlice::F64(x) => Cow::Borrowed(x),
        other => Cow::Owned(numbers!(other, x => x.iter().map(|v| v.as_f64()).collect())),
    };
    columns.iter().map(floats).collect()
}
