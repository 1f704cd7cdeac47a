//! Counts how often a program would communicate on parts of nodes, for comparison.
//!
//! **Method.** The rules of `place.rs` with *has ghosts* instead of *full*, where only products
//! need something.

use super::place::{Rules, Way};
use super::{Flow, Item, Op, ValueId};
use crate::ir::Ghosts;
use crate::problem::Problem;
use crate::types::Kind;

/// The fewest exchanges of ghosts.
pub(crate) fn ghosts(flow: &Flow, problem: &Problem) -> Ghosts {
    let mut rules = Rules::of(flow, problem);
    rules.pairs.clear();
    rules.demands.clear();
    let is_vector = |v: &ValueId| flow.values[*v].kind == Kind::Vector;
    for (id, way) in rules.ways.iter_mut().enumerate().filter(|(_, way)| way.is_some()) {
        let op = &flow.values[id].op;
        let products = match op {
            Op::Combine(terms) => terms.iter().filter(|term| term.matrix.is_some()).collect(),
            _ => Vec::new(),
        };
        rules.demands.extend(products.iter().map(|term| term.vector));
        // By entry: those of the operands.
        if !matches!(op, Op::Source(_)) && products.is_empty() {
            *way = Some(Way::All(op.operands().into_iter().filter(is_vector).collect()));
        }
    }
    let (there, _, _) = rules.best();
    let fetched = |id: ValueId| there[id] && rules.is_paid(id, &there);
    let mut found = Ghosts { outside: 0.0, loops: vec![0.0; flow.loops.len()] };
    count(flow, &flow.items, (None, 1.0), &fetched, &mut found);
    found
}

/// Adds up what is fetched in a part that runs in a share of the rounds of a loop.
fn count(
    flow: &Flow,
    items: &[Item],
    (inside, share): (Option<usize>, f64),
    fetched: &dyn Fn(ValueId) -> bool,
    found: &mut Ghosts,
) {
    let add = |inside: Option<usize>, id: ValueId, found: &mut Ghosts| {
        if fetched(id) {
            let sum = inside.map_or(&mut found.outside, |number| &mut found.loops[number]);
            *sum += share;
        }
    };
    for item in items {
        match item {
            Item::Value(id) => add(inside, *id, found),
            Item::Loop(number) => {
                let this = &flow.loops[*number];
                this.phis.iter().for_each(|&phi| add(Some(*number), phi, found));
                for part in [&this.head, &this.body] {
                    count(flow, part, (Some(*number), 1.0), fetched, found);
                }
            }
            Item::Every(every, body) => {
                count(flow, body, (inside, share / f64::from(*every)), fetched, found);
            }
            _ => {}
        }
    }
}
