//! Wrong input gives an error that carries numbers, and never a wrong answer.

use crate::engines::run::forest;
use crate::engines::trees;
use palmette_core::generate::{Shape, generate, shuffle};
use palmette_core::operator::{Max, RollingHash, Sum};
use palmette_core::{NONE, Tree, TreeError};
use palmette_tree::lca::{Distances, Lca};
use palmette_tree::{Engine, Scope, TreefixError, TreefixParams, leaffix, rootfix};

#[test]
fn wrong_lengths() {
    let tree = Tree::from_parents(&[NONE, 0, 0]).unwrap();
    let sum = Sum::<i64>::new();
    for engine in Engine::ALL {
        let params = TreefixParams { engine, scope: Scope::Inclusive };
        for actual in [0, 2, 4] {
            let wrong = TreefixError::Length { expected: 3, actual };
            let values = vec![1; actual];
            let mut out = vec![7; 3];
            assert_eq!(leaffix::leaffix(&tree, &values, &sum, params), Err(wrong.clone()));
            assert_eq!(rootfix::rootfix(&tree, &values, &sum, params), Err(wrong.clone()));
            let done = leaffix::leaffix_into(&tree, &values, &sum, params, &mut out);
            assert_eq!(done, Err(wrong.clone()));
            let done = rootfix::rootfix_into(&tree, &values, &sum, params, &mut out);
            assert_eq!(done, Err(wrong.clone()));
            assert_eq!(out, [7; 3], "what was refused leaves no trace");
            let mut short = vec![7; actual];
            let done = leaffix::leaffix_into(&tree, &[1; 3], &sum, params, &mut short);
            assert_eq!(done, Err(wrong.clone()));
            let done = rootfix::rootfix_into(&tree, &[1; 3], &sum, params, &mut short);
            assert_eq!(done, Err(wrong));
        }
    }
    let error = leaffix::leaffix(&tree, &[1], &sum, TreefixParams::default()).unwrap_err();
    assert_eq!(error.to_string(), "1 values for 3 vertices");
    let error = leaffix::from_parents(&[NONE, 0], &[1], &sum).unwrap_err();
    assert_eq!(error, TreeError::Length { what: "values", expected: 2, actual: 1 });
    let index = Lca::new(&tree);
    assert!(Distances::new(&index, &[0.0; 2]).is_none());
}

#[test]
fn the_euler_engine_needs_a_group() {
    let params = TreefixParams { engine: Engine::Euler, scope: Scope::Exclusive };
    for n in [0, 1, 5] {
        let tree = forest(&vec![NONE; n]);
        let needs = Err(TreefixError::NeedsInverse);
        let max = Max::<i64>::new();
        assert_eq!(leaffix::leaffix(&tree, &vec![1; n], &max, params), needs);
        assert_eq!(rootfix::rootfix(&tree, &vec![1; n], &max, params), needs);
        let needs = Err(TreefixError::NeedsInverse);
        let hash = RollingHash::new(1);
        assert_eq!(leaffix::leaffix(&tree, &vec![hash.letter(1); n], &hash, params), needs);
        assert!(leaffix::leaffix(&tree, &vec![1i64; n], &Sum::new(), params).is_ok());
    }
    assert!(TreefixError::NeedsInverse.to_string().contains("'euler'"));
}

#[test]
fn engines_have_names() {
    for engine in Engine::ALL {
        assert_eq!(engine.to_string().parse(), Ok(engine));
    }
    assert!("quantum".parse::<Engine>().unwrap_err().to_string().contains("sequential"));
}

/// Follows the named vertices around the cycle.
fn is_cycle(parents: &[u32], error: &TreeError) -> bool {
    let TreeError::Cycle { vertices, length } = error else { return false };
    let mut v = vertices[0];
    for k in 0..*length {
        if vertices.get(k).is_some_and(|&named| named != v) {
            return false;
        }
        v = parents[v as usize];
    }
    v == vertices[0] && vertices.len() == (*length).min(8)
}

fn refuses_cycle(parents: &[u32]) {
    let sum = leaffix::from_parents(parents, &vec![1i64; parents.len()], &Sum::new());
    let tree = Tree::from_parents(parents);
    for error in [sum.unwrap_err(), tree.unwrap_err()] {
        assert!(is_cycle(parents, &error), "{error}");
    }
}

#[test]
fn cycles() {
    refuses_cycle(&[0]);
    refuses_cycle(&[1, 0]);
    refuses_cycle(&[NONE, 0, 2]);
    refuses_cycle(&[NONE, 2, 3, 1, 1, 2]);
    for n in [3usize, 100, 20_000, 150_000] {
        for shape in Shape::FREE {
            // A tree whose root hangs below one of its leaves, beside a tree.
            let first = generate(shape, n, 1).unwrap();
            let mut parents: Vec<u32> = first.clone();
            parents[0] = n as u32 - 1;
            parents.extend(first.iter().map(|&p| if p == NONE { NONE } else { p + n as u32 }));
            refuses_cycle(&shuffle(&parents, 3));
        }
        // All of it a cycle, and a cycle with a path to it.
        let mut ring: Vec<u32> = (0..n as u32).map(|v| (v + 1) % n as u32).collect();
        refuses_cycle(&shuffle(&ring, 1));
        ring.extend(n as u32 - 1..2 * n as u32 - 1);
        refuses_cycle(&shuffle(&ring, 1));
    }
}

#[test]
fn parents_out_of_range() {
    for (n, bad) in [(1usize, 1u32), (5, 5), (5, NONE - 1), (100_000, 100_000)] {
        let (_, mut parents) = trees::shapes(n, 1).swap_remove(0);
        parents[n / 2] = bad;
        let expected =
            TreeError::ParentOutOfRange { vertex: n as u32 / 2, parent: bad, vertices: n };
        let sum = leaffix::from_parents(&parents, &vec![1i64; n], &Sum::new());
        assert_eq!(sum.unwrap_err(), expected);
        assert_eq!(Tree::from_parents(&parents).unwrap_err(), expected);
    }
}
