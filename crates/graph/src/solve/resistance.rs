//! Compute effective resistances between pairs of vertices.
//!
//! **Problem.** A [`Laplacian`] and pairs `(a, b)`; out comes for each the potential between
//! `a` and `b` when a current of 1 flows from one to the other. Ground conducts. Infinity
//! where nothing joins them, 0 where they are the same.
//!
//! **Method.** Without cycles, ground included, a distance in the tree with resistances for
//! lengths, by lowest common ancestors. Otherwise by solves with one preconditioner, the
//! cheaper of two ways: one for each different pair, `R = x(a) − x(b)`; or, when there are
//! clearly fewer vertices than pairs, one for each vertex but the first of a floating component,
//! from it to that first, `R = x_a(a) − 2 x_a(b) + x_b(b)`, with potentials against the first's
//! (all pairs among `k` vertices: `k − 1` solves), to a thousandth of the tolerance: this way subtracts
//! potentials of different solves, and errors do not cancel as they do in a pair's energy.
//! Where rounding does not let residuals fall so far, pairs are solved for after all.
//!
//! **Cost.** As many solves, threads' number at a time; on forests O(1) per pair after linear
//! work.
//!
//! **Determinism.** As the solver's.
//!
//! **Reference.** Klein and Randić, *Resistance distance*, 1993; Spielman and Srivastava,
//! *Graph sparsification by effective resistances*, 2008.
//!
//! **When not to use.** For all edges: [`edge_resistances`](super::edge_resistances).

use super::{
    CgError, Forest, Preconditioner, SolveError, SolveParams, Solver, check_ground, choose,
};
use crate::Laplacian;
use palmette_core::LinOp;
use palmette_core::operator::Sum;
use palmette_tree::lca::{Distances, Lca};
use palmette_tree::rootfix::rootfix;

/// The effective resistance of each pair.
///
/// # Errors
/// As [`SolveParams::check`]; a pair that names no vertex; as [`Solver::new`] and [`Solver::solve`].
pub fn resistances(
    laplacian: &Laplacian<'_>,
    pairs: &[(u32, u32)],
    params: &SolveParams,
) -> Result<Vec<f64>, SolveError> {
    params.check()?;
    check_ground(laplacian)?;
    let vertices = laplacian.size();
    if let Some(&(a, b)) = pairs.iter().find(|p| p.0.max(p.1) as usize >= vertices) {
        return Err(SolveError::Vertex { vertex: a.max(b), vertices });
    }
    if choose(laplacian) == Preconditioner::Tree {
        return on_forest(laplacian, pairs);
    }
    let ordered = |&(a, b): &(u32, u32)| (a.min(b), a.max(b));
    let mut different: Vec<(u32, u32)> = pairs.iter().map(ordered).collect();
    different.retain(|&(a, b)| a != b && joined(laplacian, a, b));
    different.sort_unstable();
    different.dedup();
    let mut ends: Vec<u32> = different.iter().flat_map(|&(a, b)| [a, b]).collect();
    ends.sort_unstable();
    ends.dedup();
    let found = if different.is_empty() {
        Vec::new()
    } else if 3 * solves(laplacian, &ends) < 2 * different.len() {
        match by_vertices(laplacian, &different, &ends, params) {
            // Rounding may not let residuals fall that far; pairs ask for less.
            Err(
                SolveError::Accuracy { .. }
                | SolveError::Iteration(CgError::NotConverged { .. } | CgError::Breakdown { .. }),
            ) => by_pairs(laplacian, &different, params)?,
            found => found?,
        }
    } else {
        by_pairs(laplacian, &different, params)?
    };
    let answer = |pair: &(u32, u32)| match different.binary_search(&ordered(pair)) {
        Ok(place) => found[place],
        Err(_) if pair.0 == pair.1 => 0.0,
        Err(_) => f64::INFINITY,
    };
    Ok(pairs.iter().map(answer).collect())
}

fn joined(laplacian: &Laplacian<'_>, a: u32, b: u32) -> bool {
    let component = |v: u32| laplacian.components().of[v as usize] as usize;
    let grounded = |v: u32| !laplacian.floating()[component(v)];
    component(a) == component(b) || (grounded(a) && grounded(b))
}

fn on_forest(laplacian: &Laplacian<'_>, pairs: &[(u32, u32)]) -> Result<Vec<f64>, SolveError> {
    let forest = Forest::new(laplacian)?;
    let tree = forest.tree();
    let depths = rootfix(tree, forest.resistances(), &Sum::new(), Default::default())
        .expect("a resistance for each position");
    let position = |v: u32| tree.positions()[v as usize];
    let moved: Vec<(u32, u32)> = pairs.iter().map(|&(a, b)| (position(a), position(b))).collect();
    let index = Lca::new(tree);
    let mut distances =
        Distances::new(&index, &depths).expect("a depth for each position").batch(&moved);
    // NaN means different trees.
    distances.iter_mut().filter(|d| d.is_nan()).for_each(|d| *d = f64::INFINITY);
    Ok(distances)
}

fn by_pairs(
    laplacian: &Laplacian<'_>,
    pairs: &[(u32, u32)],
    params: &SolveParams,
) -> Result<Vec<f64>, SolveError> {
    let params = SolveParams { right_hand_sides: pairs.len(), ..params.clone() };
    let solver = Solver::new(laplacian, &params)?;
    solver.solve_each(pairs.len(), |k| {
        let (a, b) = (pairs[k].0 as usize, pairs[k].1 as usize);
        let mut currents = vec![0.0; laplacian.size()];
        (currents[a], currents[b]) = (1.0, -1.0);
        let x = solver.solve(&currents)?.x;
        Ok(x[a] - x[b])
    })
}

/// By vertex, the one that its current leaves at: the first of its component, if that floats.
fn bases(laplacian: &Laplacian<'_>, ends: &[u32]) -> Vec<Option<u32>> {
    let mut firsts = vec![None; laplacian.floating().len()];
    let base = |&end: &u32| {
        let component = laplacian.components().of[end as usize] as usize;
        let first = *firsts[component].get_or_insert(end);
        laplacian.floating()[component].then_some(first)
    };
    ends.iter().map(base).collect()
}

/// How many vertices are solved for.
fn solves(laplacian: &Laplacian<'_>, ends: &[u32]) -> usize {
    bases(laplacian, ends).iter().zip(ends).filter(|(base, end)| **base != Some(**end)).count()
}

/// Pairs are sorted, so that those of a first end lie together.
fn by_vertices(
    laplacian: &Laplacian<'_>,
    pairs: &[(u32, u32)],
    ends: &[u32],
    params: &SolveParams,
) -> Result<Vec<f64>, SolveError> {
    // Not below what rounding lets a residual reach.
    let tolerance = (params.tolerance * 1e-3).max(1e-12).min(params.tolerance);
    let bases = bases(laplacian, ends);
    let solved: Vec<usize> = (0..ends.len()).filter(|&k| bases[k] != Some(ends[k])).collect();
    let params = SolveParams { tolerance, right_hand_sides: solved.len(), ..params.clone() };
    let solver = Solver::new(laplacian, &params)?;
    let currents = |k: usize| {
        let mut currents = vec![0.0; laplacian.size()];
        currents[ends[solved[k]] as usize] = 1.0;
        if let Some(base) = bases[solved[k]] {
            currents[base as usize] = -1.0;
        }
        currents
    };
    // At each end its own potential; by pair, that of the second end when 1 enters at the first.
    let mut own = vec![0.0; ends.len()];
    let mut across = vec![0.0; pairs.len()];
    solver.solve_blocks(solved.len(), currents, |k, x| {
        let end = ends[solved[k]];
        let zero = bases[solved[k]].map_or(0.0, |base| x[base as usize]);
        own[solved[k]] = x[end as usize] - zero;
        let first = pairs.partition_point(|pair| pair.0 < end);
        let of_end = pairs[first..].iter().take_while(|pair| pair.0 == end);
        let across = across[first..].iter_mut();
        across.zip(of_end).for_each(|(across, pair)| *across = x[pair.1 as usize] - zero);
    })?;
    let at = |v: u32| ends.binary_search(&v).expect("an end of a pair");
    let resistance =
        |(&(a, b), across): (&(u32, u32), &f64)| (own[at(a)] - across) + (own[at(b)] - across);
    Ok(pairs.iter().zip(&across).map(resistance).collect())
}
