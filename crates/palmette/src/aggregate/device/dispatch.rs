//! From names and types at run time to kernels, for the pairs of operator and type that devices
//! support.

use super::{DeviceAggregate, DeviceProblem, Run};
use crate::aggregate::dispatch::{all_residues, joined, needs_modulus, single, spread};
use crate::aggregate::problem::Solved;
use crate::aggregate::{AggregateError, Answer, AnswerColumn, Operator};
use palmette_core::Monoid;
use palmette_core::operator::{
    AffineModulo, And, ArgMax, ArgMin, Max, Min, Number, Operator as _, Or, ProductModulo,
    RollingHash, Sum, Xor,
};
use palmette_gpu::{Element, GroupKernel, Kernel, Pack, Packed};
use palmette_io::{ValueSlice, ValueType, Values};

type Found = Result<DeviceAggregate, AggregateError>;

/// Columns have one type where the operator takes one of them.
pub(super) fn dispatch<'a, P: DeviceProblem>(
    problem: &P,
    vertices: usize,
    operator: Operator,
    columns: &[ValueSlice<'a>],
) -> Found {
    use Operator as O;
    let (kind, actual) = (operator.name(), columns.first().map(ValueSlice::value_type));
    let none = || AggregateError::NoKernel { operator: kind, actual };
    // Runs `$body` with `$x` bound to the columns, if they have one of the types.
    macro_rules! typed {
        ($x:ident => $body:expr; $($kind:ident)*) => {
            match actual {
                $(Some(ValueType::$kind) => {
                    let column = |column: &ValueSlice<'a>| match *column {
                        ValueSlice::$kind(x) => Some(x),
                        _ => None,
                    };
                    let $x: Vec<_> = columns.iter().filter_map(column).collect();
                    $body
                })*
                _ => Err(none()),
            }
        };
    }
    let name = kind.name();
    match operator {
        O::Count => sum(problem, name, &[&vec![1u64; vertices]], true),
        O::Sum { wrapping } => typed!(x => sum(problem, name, &x, wrapping); I64 U64 F32),
        O::Min => typed!(x => plain(problem, name, &x, &Min::new()); I64 U64 F64 F32),
        O::Max => typed!(x => plain(problem, name, &x, &Max::new()); I64 U64 F64 F32),
        O::And => typed!(x => plain(problem, name, &x, &And::new()); I64 U64),
        O::Or => typed!(x => plain(problem, name, &x, &Or::new()); I64 U64),
        O::Xor => typed!(x => {
            finish(problem.group(&Xor::new(), &x)?, |solved| single(name, solved))
        }; I64 U64),
        O::ArgMin => typed!(x => {
            placed(problem, ["min", name], &x, ArgMin::new())
        }; I64 U64 F64 F32),
        O::ArgMax => typed!(x => {
            placed(problem, ["max", name], &x, ArgMax::new())
        }; I64 U64 F64 F32),
        O::Hash { seed } => typed!(x => hash(problem, name, &x, seed); I64 U64),
        O::Product { modulus } => {
            let op = ProductModulo::new(modulus).ok_or_else(needs_modulus(kind))?;
            plain(problem, name, &slices(&all_residues(kind, columns, modulus)?), &op)
        }
        O::Affine { modulus: Some(modulus) } => {
            let op = AffineModulo::new(modulus).ok_or_else(needs_modulus(kind))?;
            let x = all_residues(kind, columns, modulus)?;
            finish(problem.monoid(&op, &[&joined::<u64, _, 2>(&x)])?, spread::<u64, 2>)
        }
        O::Affine { modulus: None } | O::Matrix { .. } => Err(none()),
    }
}

fn slices<T>(columns: &[Vec<T>]) -> Vec<&[T]> {
    columns.iter().map(Vec::as_slice).collect()
}

/// The answers of all columns, one behind the other.
fn finish<E>(run: Run<E>, make: impl Fn(Solved<E>) -> Result<Answer, AggregateError>) -> Found {
    let Run { solved, engine, seconds } = run;
    let mut all = Answer::of_columns(Vec::new());
    for solved in solved {
        let Answer { columns, present, .. } = make(solved)?;
        all.columns.extend(columns);
        all.present = present;
    }
    Ok(DeviceAggregate { answer: all, engine, seconds, not_finite: 0 })
}

fn plain<P: DeviceProblem, K: Kernel>(
    problem: &P,
    name: &'static str,
    x: &[&[K::Elem]],
    op: &K,
) -> Found
where
    Values: From<Vec<K::Elem>>,
{
    finish(problem.monoid(op, x)?, |solved| single(name, solved))
}

/// Sums, with the recount of the [module](crate::aggregate) above.
fn sum<P: DeviceProblem, T: Number + Element>(
    problem: &P,
    name: &'static str,
    x: &[&[T]],
    wrapping: bool,
) -> Found
where
    Sum<T>: GroupKernel + Monoid<Elem = T>,
    Values: From<Vec<T>>,
{
    let op = Sum::<T>::new();
    let run = problem.group(&op, x)?;
    let mut not_finite = 0;
    for (x, Solved { answers, .. }) in x.iter().zip(&run.solved) {
        not_finite += answers.iter().filter(|x| !Element::is_finite(*x)).count();
        if !wrapping && op.may_overflow(x) {
            let exact: Vec<i128> = x.iter().map(|v| v.exact().unwrap_or(0)).collect();
            let exact = problem.exact_sums(&exact)?;
            let wrong = |(sum, &exact): (&T, &i128)| sum.exact() != Some(exact);
            if let Some(row) = answers.iter().zip(&exact).position(wrong) {
                return Err(problem.overflow(row, exact[row]));
            }
        }
    }
    Ok(DeviceAggregate { not_finite, ..finish(run, |solved| single(name, solved))? })
}

/// An extreme value and its vertex.
fn placed<P: DeviceProblem, T: Number, M: Monoid<Elem = (T, u32)>>(
    problem: &P,
    [value, vertex]: [&'static str; 2],
    x: &[&[T]],
    op: M,
) -> Found
where
    (T, u32): Pack<Words = [u32; 4]>,
    Packed<M>: Kernel<Elem = [u32; 4]>,
    Values: From<Vec<T>>,
{
    let column = |x: &&[T]| {
        // As words they are no floats any more.
        if let Some(row) = x.iter().position(|x| x.as_f64().is_nan()) {
            return Err(AggregateError::NotFinite { vertex: row as u32, nan: true });
        }
        Ok(x.iter().zip(0..).map(|(&x, v)| (x, v).pack()).collect())
    };
    let words = x.iter().map(column).collect::<Result<Vec<Vec<[u32; 4]>>, _>>()?;
    let run = problem.monoid(&Packed(op), &slices(&words))?;
    finish(run, |Solved { answers, present, engine }| {
        let (values, vertices): (Vec<T>, Vec<u32>) =
            answers.into_iter().map(<(T, u32)>::unpack).unzip();
        let columns =
            vec![AnswerColumn::numbers(value, values), AnswerColumn::vertices(vertex, vertices)];
        Ok(Answer { columns, present, engine, findings: None })
    })
}

fn hash<P: DeviceProblem, T: Number>(
    problem: &P,
    name: &'static str,
    x: &[&[T]],
    seed: u64,
) -> Found {
    let op = RollingHash::new(seed);
    // The bits of an integer, as the host takes them.
    let letter = |x: &T| op.letter(x.exact().unwrap_or(0) as u64).pack();
    let letters: Vec<Vec<[u64; 2]>> = x.iter().map(|x| x.iter().map(letter).collect()).collect();
    finish(problem.monoid(&Packed(op), &slices(&letters))?, |solved| {
        single(name, solved.map(|[hash, _]| hash))
    })
}
