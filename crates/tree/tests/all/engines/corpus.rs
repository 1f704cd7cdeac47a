//! The cases of `cases/`, on every engine.

use crate::engines::checker::Direction;
use crate::engines::erased::{Erased, Packed};
use crate::engines::run::{Prepared, forest, pass};
use palmette_core::NONE;
use palmette_core::operator::{
    Affine, AffineModulo, And, ArgMax, ArgMin, Matrix, MatrixModulo, Max, Min, Operator, Or,
    ProductModulo, Sum, Xor,
};
use palmette_tree::lca::Lca;
use palmette_tree::{Engine, EulerTour, Scope, TreefixError, TreefixParams};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt::Debug;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Treefix {
    name: String,
    parents: Vec<Option<u32>>,
    values: Value,
    operator: String,
    #[serde(rename = "type", default)]
    number: Option<String>,
    #[serde(default)]
    modulus: Option<u64>,
    direction: String,
    scope: String,
    expected: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ancestors {
    name: String,
    parents: Vec<Option<u32>>,
    queries: Vec<(u32, u32, Option<u32>, Option<u32>)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tour {
    name: String,
    parents: Vec<Option<u32>>,
    open: Vec<u32>,
    close: Vec<u32>,
}

pub(super) fn read<T: DeserializeOwned>(file: &str) -> Vec<T> {
    let path = format!("{}/../../cases/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}"))
}

pub(super) fn parents(parents: &[Option<u32>]) -> Vec<u32> {
    parents.iter().map(|p| p.unwrap_or(NONE)).collect()
}

fn list<T: DeserializeOwned>(case: &Treefix, value: &Value) -> Vec<T> {
    Vec::<T>::deserialize(value).unwrap_or_else(|e| panic!("{}: {e}", case.name))
}

/// Runs a case on every engine, through the front door and with prepared plans.
fn check<O>(case: &Treefix, op: &O, values: Vec<O::Elem>)
where
    O: Operator<Elem: Packed + DeserializeOwned + PartialEq + Debug>,
{
    let expected: Vec<O::Elem> = list(case, &case.expected);
    let direction = match case.direction.as_str() {
        "rootfix" => Direction::Rootfix,
        "leaffix" => Direction::Leaffix,
        other => panic!("{}: direction {other}", case.name),
    };
    let scope = match case.scope.as_str() {
        "inclusive" => Scope::Inclusive,
        "exclusive" => Scope::Exclusive,
        other => panic!("{}: scope {other}", case.name),
    };
    let is_group = Erased::new(op).is_group();
    let prepared = Prepared::new(&parents(&case.parents), 7);
    let tree = &prepared.tree;
    let placed: Vec<O::Elem> = tree.vertices().iter().map(|&v| values[v as usize]).collect();
    for engine in Engine::ALL {
        for plan in [None, Some(&prepared)] {
            let mut out: Vec<O::Elem> = placed.iter().rev().copied().collect();
            let params = TreefixParams { scope, engine };
            match pass(tree, plan, &placed, op, direction, params, &mut out) {
                Err(TreefixError::NeedsInverse) => {
                    assert!(engine == Engine::Euler && !is_group);
                }
                done => {
                    done.unwrap();
                    let actual: Vec<O::Elem> =
                        tree.positions().iter().map(|&i| out[i as usize]).collect();
                    assert_eq!(actual, expected, "{} on {engine}", case.name);
                }
            }
        }
    }
}

fn dispatch(case: &Treefix) {
    macro_rules! numbers {
        ($op:expr) => {
            check(case, &$op, list(case, &case.values))
        };
    }
    macro_rules! vertices {
        ($op:expr) => {
            check(case, &$op, list(case, &case.values).into_iter().zip(0..).collect())
        };
    }
    let number = case.number.as_deref().unwrap_or("i64");
    match (case.operator.as_str(), case.modulus, number) {
        ("sum", None, "i64") => numbers!(Sum::<i64>::new()),
        ("sum", None, "u64") => numbers!(Sum::<u64>::new()),
        ("sum", None, "f64") => numbers!(Sum::<f64>::new()),
        ("sum", None, "f32") => numbers!(Sum::<f32>::new()),
        ("min", None, "i64") => numbers!(Min::<i64>::new()),
        ("max", None, "i64") => numbers!(Max::<i64>::new()),
        ("max", None, "f64") => numbers!(Max::<f64>::new()),
        ("argmin", None, "i64") => vertices!(ArgMin::<i64>::new()),
        ("argmax", None, "i64") => vertices!(ArgMax::<i64>::new()),
        ("xor", None, "u64") => numbers!(Xor::<u64>::new()),
        ("and", None, "u64") => numbers!(And::<u64>::new()),
        ("or", None, "u64") => numbers!(Or::<u64>::new()),
        ("product", Some(m), _) => numbers!(ProductModulo::new(m).unwrap()),
        ("affine", Some(m), _) => numbers!(AffineModulo::new(m).unwrap()),
        ("affine", None, "f64") => numbers!(Affine),
        ("matrix", Some(m), _) => numbers!(MatrixModulo::new(m).unwrap()),
        ("matrix", None, "f64") => numbers!(Matrix),
        other => panic!("{}: no operator {other:?}", case.name),
    }
}

#[test]
fn treefix_cases() {
    let cases: Vec<Treefix> = read("treefix.json");
    assert!(cases.len() >= 30);
    cases.iter().for_each(dispatch);
    let mut names: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), cases.len(), "names are unique");
}

#[test]
fn lca_cases() {
    for Ancestors { name, parents: given, queries } in read::<Ancestors>("lca.json") {
        let tree = forest(&parents(&given));
        let (by_vertex, by_position) = (Lca::by_vertex(&tree), Lca::new(&tree));
        let place = |v: u32| tree.positions()[v as usize];
        let pairs: Vec<(u32, u32)> = queries.iter().map(|&(u, v, ..)| (u, v)).collect();
        let placed: Vec<(u32, u32)> = pairs.iter().map(|&(u, v)| (place(u), place(v))).collect();
        let lca: Vec<Option<u32>> = queries.iter().map(|q| q.2).collect();
        let edges: Vec<Option<u32>> = queries.iter().map(|q| q.3).collect();
        let known = |v: u32| Some(v).filter(|&v| v != NONE);
        let read = |answers: Vec<u32>| answers.into_iter().map(known).collect::<Vec<_>>();
        assert_eq!(read(by_vertex.batch(&pairs)), lca, "{name}");
        assert_eq!(read(by_vertex.edge_distances(&pairs)), edges, "{name}");
        let there: Vec<Option<u32>> = lca.iter().map(|l| l.map(place)).collect();
        assert_eq!(read(by_position.batch(&placed)), there, "{name}");
        assert_eq!(read(by_position.edge_distances(&placed)), edges, "{name}");
        for (&(u, v), &l) in pairs.iter().zip(&lca) {
            assert_eq!((by_vertex.query(u, v), by_vertex.query(v, u)), (l, l), "{name}");
        }
    }
}

#[test]
fn euler_cases() {
    for Tour { name, parents: given, open, close } in read::<Tour>("euler.json") {
        let tour = EulerTour::new(&forest(&parents(&given)));
        assert_eq!(tour.arrays(), (&open[..], &close[..]), "{name}");
    }
}
