//! The methods, their names, and the function that runs one.

use super::{Placement, PlacementError, SearchParams, check_size, cost, curve, embed, search};
use crate::{CutTree, Machine, Quotient};
use palmette_core::named;
use palmette_core::random::{Purpose, Random};

named! {
    /// How parts are placed; see the table of the [module](super).
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Method("placement") {
        /// Part `i` on processor `i`.
        Identity = "identity",
        /// A random permutation.
        Random = "random",
        /// Centroids and machine halved by alternating cuts.
        Halving = "halving",
        /// The cut tree embedded in the machine's halving.
        CutTree = "cut-tree",
        /// Light-first order of the cut tree along a space-filling curve.
        Curve = "curve",
        /// Local search of the quadratic assignment, from the best of the others.
        #[default]
        Search = "search",
    }
}

/// What is placed where, and what is known about the parts.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// What parts exchange.
    pub quotient: &'a Quotient,
    /// Where they go.
    pub machine: &'a Machine,
    /// How the parts came about.
    pub cut_tree: Option<&'a CutTree>,
    /// Where the parts lie.
    pub centroids: Option<&'a [[f64; 3]]>,
}

/// Places parts by a method.
///
/// # Errors
/// More parts than processors; a cut tree or centroids that the method needs and that are
/// missing, or that are those of another number of parts.
pub fn place(
    method: Method,
    subject: &Subject<'_>,
    params: &SearchParams,
) -> Result<Placement, PlacementError> {
    let (quotient, machine) = (subject.quotient, subject.machine);
    let parts = quotient.parts();
    check_size(parts, machine)?;
    match method {
        Method::Identity => Placement::identity(parts, machine),
        Method::Random => Ok(random(parts, machine, params.seed)),
        Method::Halving => Ok(embed::halving(machine, centroids(subject)?)),
        Method::CutTree => Ok(embed::cut_tree(quotient, machine, cut_tree(method, subject)?)),
        Method::Curve => Ok(curve::place(machine, cut_tree(method, subject)?)),
        Method::Search => {
            let start = best_start(subject, params)?;
            Ok(search::search(quotient, machine, start, params))
        }
    }
}

/// The cheapest placement by the methods that need no search.
fn best_start(subject: &Subject<'_>, params: &SearchParams) -> Result<Placement, PlacementError> {
    let mut best = place(Method::Identity, subject, params)?;
    let mut least = cost(subject.quotient, subject.machine, &best);
    let mut also = Vec::new();
    if subject.centroids.is_some() {
        also.push(Method::Halving);
    }
    if subject.cut_tree.is_some() {
        also.extend([Method::CutTree, Method::Curve]);
    }
    for method in also {
        let placement = place(method, subject, params)?;
        let found = cost(subject.quotient, subject.machine, &placement);
        if found < least {
            (best, least) = (placement, found);
        }
    }
    Ok(best)
}

fn random(parts: usize, machine: &Machine, seed: u64) -> Placement {
    let mut random = Random::new(seed, Purpose::Shuffle);
    let mut processors = machine.available();
    for i in 0..parts {
        let rest = (processors.len() - i) as u32;
        processors.swap(i, i + random.below(rest) as usize);
    }
    processors.truncate(parts);
    Placement { processors }
}

fn cut_tree<'a>(method: Method, subject: &Subject<'a>) -> Result<&'a CutTree, PlacementError> {
    let needs = PlacementError::Needs { method: method.name(), what: "a cut tree" };
    let tree = subject.cut_tree.ok_or(needs)?;
    check_length("cut tree", subject.quotient.parts(), tree.parts(0).len())?;
    Ok(tree)
}

fn centroids<'a>(subject: &Subject<'a>) -> Result<&'a [[f64; 3]], PlacementError> {
    let needs = PlacementError::Needs { method: Method::Halving.name(), what: "coordinates" };
    let centroids = subject.centroids.ok_or(needs)?;
    check_length("centroids", subject.quotient.parts(), centroids.len())?;
    Ok(centroids)
}

fn check_length(what: &'static str, expected: usize, actual: usize) -> Result<(), PlacementError> {
    if expected == actual { Ok(()) } else { Err(PlacementError::Length { what, expected, actual }) }
}
