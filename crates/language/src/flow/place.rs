//! The placement of assemblies.
//!
//! **Problem.** Every vector value gets a label: *full*, every copy of a node has the whole
//! value, or *partial*, the copies add up to it. Choose labels so that the assemblies,
//! weighted by how often they run (`LOOP_WEIGHT` times as often with each loop, `n` times as
//! rarely under `every n`), are as few as possible.
//!
//! - A sum, a multiple, a copy, a phi, `a ./ b` (in `a`) and `a .* b` are full for free when
//!   all operands are; otherwise being full takes an assembly where they are computed (for a
//!   phi, at the head of its loop).
//! - A product with a matrix, and what is made from the mesh without communication, is
//!   partial; being full takes an assembly.
//! - What products multiply, what is divided by, arguments of functions that are not linear,
//!   squares, extremes and outputs must be full.
//! - `dot(a, b)` and `a .* b` of two values need one of them full, whichever.
//!
//! **Why labels suffice.** An assembly turns one value from partial to full at some place
//! after its definition. No path leads from a definition in a loop to a use outside it but
//! through a copy after the loop, and none to a use under `every` but through a copy there;
//! so all places where a value can be assembled run at least as often as its definition.
//! Assembling it there instead costs no more and harms no use, for a full vector can stand
//! for a partial one for free. So some optimal placement assembles every value where it is
//! defined or never, which is what labels say.
//!
//! **Method.** Without the either-or of the last rule this is a minimum cut. Each value `v`
//! is a node, on the source's side when full. Where being full can be free there is a second
//! node `all(v)`, on the source's side only when all operands are (infinite arcs from it to
//! them), and an arc `v → all(v)` with the weight of `v`; a product has an arc `v → sink`
//! instead. What must be full has an infinite arc from the source. Every set of labels that
//! obeys the rules is a cut with its cost as capacity, and every finite cut is one.
//! Either-or rules are enumerated by branch and bound: a cut without those that are undecided
//! is a lower bound, and often obeys them by itself; one that it breaks is decided both ways.
//! Values that no rule connects are searched apart.
//! Among equal cuts the one nearest to the sink is taken: assemblies right after products,
//! where interior rows can hide them.
//!
//! **Cost.** One cut of `2 n` nodes, and at most `2^p` for `p` connected either-or rules that
//! are broken on the way; after [`MOST_CUTS`] the best labels so far are taken, and said not to
//! be proved best.
//!
//! **Determinism.** No random choices.
//!
//! **Reference.** The separator paper, section 4 (delayed assembly), which leaves the
//! analysis of loops and the choice among two partial operands open; Picard, *Maximal closure
//! of a graph*, 1976, for the cut.

use super::cut::{INFINITE, Network, SINK, SOURCE};
use super::{Flow, Item, Op, Term, ValueId};
use crate::problem::Problem;
use crate::types::Kind;
use std::collections::HashMap;

/// After so many cuts the search ends.
const MOST_CUTS: usize = 5_000;

/// What the placement decided.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Labels {
    /// By value, whether it is full.
    pub(crate) full: Vec<bool>,
    /// By value, whether it is assembled where it is made.
    pub(crate) assembled: Vec<bool>,
    /// The weight of all assemblies.
    pub(crate) cost: u128,
    /// Whether no labels are better.
    pub(crate) proved: bool,
}

/// How a value becomes full.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Way {
    /// It is.
    Free,
    /// When these are, or by an assembly.
    All(Vec<ValueId>),
    /// By an assembly.
    Paid,
}

/// The rules for labels of a program.
#[derive(Debug)]
pub(super) struct Rules {
    /// By value; `None` for scalars and for what is not there any more.
    pub(super) ways: Vec<Option<Way>>,
    pub(super) weights: Vec<u128>,
    /// What must be full.
    pub(super) demands: Vec<ValueId>,
    /// Of two, one must be full.
    pub(super) pairs: Vec<(ValueId, ValueId)>,
}

/// The best labels.
pub(crate) fn place(flow: &Flow, problem: &Problem) -> Labels {
    let rules = Rules::of(flow, problem);
    let (full, cost, proved) = rules.best();
    let assembled = (0..full.len()).map(|v| full[v] && rules.is_paid(v, &full)).collect();
    Labels { full, assembled, cost, proved }
}

impl Rules {
    pub(super) fn of(flow: &Flow, problem: &Problem) -> Rules {
        let count = flow.values.len();
        let weights = flow.values.iter().map(|v| flow.regions[v.region].weight).collect();
        let mut rules =
            Rules { ways: vec![None; count], weights, demands: Vec::new(), pairs: Vec::new() };
        let mut visit = |id: ValueId| rules.value(flow, problem, id);
        flow.each_item(&flow.items, &mut |item| match item {
            Item::Value(id) => visit(*id),
            Item::Loop(number) => flow.loops[*number].phis.iter().for_each(|&phi| visit(phi)),
            _ => {}
        });
        flow.each_item(&flow.items, &mut |item| {
            if let Item::Output(_, value) = item {
                rules.demands.push(*value);
            }
        });
        rules
    }

    fn value(&mut self, flow: &Flow, problem: &Problem, id: ValueId) {
        let value = &flow.values[id];
        let is_vector = |v: &ValueId| flow.values[*v].kind == Kind::Vector;
        let way = match &value.op {
            Op::Source(number) if problem.sources[*number].source.is_full() => Way::Free,
            Op::Source(_) => Way::Paid,
            Op::Combine(terms) => {
                let (products, sums): (Vec<&Term>, Vec<&Term>) =
                    terms.iter().partition(|term| term.matrix.is_some());
                self.demands.extend(products.iter().map(|term| term.vector));
                if products.is_empty() {
                    Way::All(sums.iter().map(|term| term.vector).collect())
                } else {
                    Way::Paid
                }
            }
            Op::Copy(a) => Way::All(vec![*a]),
            Op::Phi(a, b) => Way::All(vec![*a, *b]),
            Op::Times(a, b) => {
                self.either(*a, *b);
                Way::All(vec![*a, *b])
            }
            Op::Over(a, b) => {
                self.demands.push(*b);
                Way::All(vec![*a])
            }
            Op::Dot(a, b) => {
                self.either(*a, *b);
                Way::Free
            }
            Op::Map(..) | Op::Map2(..) | Op::Extreme(..) => {
                self.demands.extend(value.op.operands().iter().filter(|v| is_vector(v)));
                Way::Free
            }
            Op::Number(_) | Op::Param(_) | Op::Scalar(..) | Op::Scalar2(..) | Op::Sum(_) => {
                Way::Free
            }
        };
        if value.kind == Kind::Vector {
            self.ways[id] = Some(way);
        }
    }

    fn either(&mut self, a: ValueId, b: ValueId) {
        if a == b { self.demands.push(a) } else { self.pairs.push((a, b)) }
    }

    /// Whether a value that is full is assembled.
    pub(super) fn is_paid(&self, value: ValueId, full: &[bool]) -> bool {
        match &self.ways[value] {
            None | Some(Way::Free) => false,
            Some(Way::All(operands)) => !operands.iter().all(|&v| full[v]),
            Some(Way::Paid) => true,
        }
    }

    /// The best labels, their cost, and whether they are proved best.
    pub(super) fn best(&self) -> (Vec<bool>, u128, bool) {
        let mut best = (vec![false; self.ways.len()], 0, true);
        for independent in self.independent() {
            let (full, cost, proved) = independent.search();
            best.0.iter_mut().zip(full).for_each(|(all, full)| *all |= full);
            best.1 += cost;
            best.2 &= proved;
        }
        best
    }

    /// Rules for sets of values that have nothing to do with each other. Those without an
    /// either-or stay together.
    fn independent(&self) -> Vec<Rules> {
        let mut parent: Vec<ValueId> = (0..self.ways.len()).collect();
        fn find(parent: &mut [ValueId], mut v: ValueId) -> ValueId {
            while parent[v] != v {
                parent[v] = parent[parent[v]];
                v = parent[v];
            }
            v
        }
        let all = |(v, way): (ValueId, &Option<Way>)| match way {
            Some(Way::All(operands)) => operands.iter().map(|&a| (v, a)).collect(),
            _ => Vec::new(),
        };
        let links: Vec<_> = self.ways.iter().enumerate().flat_map(all).collect();
        for &(a, b) in links.iter().chain(&self.pairs) {
            let (a, b) = (find(&mut parent, a), find(&mut parent, b));
            parent[a.max(b)] = a.min(b);
        }
        let mut set_of_root: HashMap<ValueId, usize> = HashMap::new();
        for &(a, _) in &self.pairs {
            let next = set_of_root.len() + 1;
            set_of_root.entry(find(&mut parent, a)).or_insert(next);
        }
        let mut set = |v: ValueId| set_of_root.get(&find(&mut parent, v)).copied().unwrap_or(0);
        let sets: Vec<usize> = (0..self.ways.len()).map(&mut set).collect();
        let part = |number: usize| {
            let of = |v: ValueId| sets[v] == number;
            let way = |(v, way): (ValueId, &Option<Way>)| way.clone().filter(|_| of(v));
            Rules {
                ways: self.ways.iter().enumerate().map(way).collect(),
                weights: self.weights.clone(),
                demands: self.demands.iter().copied().filter(|&v| of(v)).collect(),
                pairs: self.pairs.iter().copied().filter(|&(a, _)| of(a)).collect(),
            }
        };
        (0..=set_of_root.len()).map(part).collect()
    }

    /// Branch and bound over either-or rules.
    fn search(&self) -> (Vec<bool>, u128, bool) {
        let mut best: Option<(Vec<bool>, u128)> = None;
        let mut waiting = vec![Vec::new()];
        let mut cuts = 0;
        while let Some(decided) = waiting.pop() {
            cuts += 1;
            if cuts > MOST_CUTS {
                break;
            }
            let (full, cost) = self.cut(&decided);
            if best.as_ref().is_some_and(|(_, known)| cost >= *known) {
                continue;
            }
            match self.pairs.iter().find(|&&(a, b)| !full[a] && !full[b]) {
                None => best = Some((full, cost)),
                Some(&(a, b)) => {
                    let with = |v: ValueId| decided.iter().copied().chain([v]).collect();
                    waiting.extend([with(b), with(a)]);
                }
            }
        }
        let (full, cost) = best.unwrap_or_else(|| {
            let firsts: Vec<ValueId> = self.pairs.iter().map(|pair| pair.0).collect();
            self.cut(&firsts)
        });
        (full, cost, cuts <= MOST_CUTS)
    }

    /// The best labels when more values must be full, without either-or rules.
    fn cut(&self, decided: &[ValueId]) -> (Vec<bool>, u128) {
        let count = self.ways.len();
        let node = |v: ValueId| 2 + v;
        let all = |v: ValueId| 2 + count + v;
        let mut network = Network::new(2 + 2 * count);
        for &v in self.demands.iter().chain(decided) {
            network.arc(SOURCE, node(v), INFINITE);
        }
        for (v, way) in self.ways.iter().enumerate() {
            match way {
                None | Some(Way::Free) => {}
                Some(Way::Paid) => network.arc(node(v), SINK, self.weights[v]),
                Some(Way::All(operands)) => {
                    network.arc(node(v), all(v), self.weights[v]);
                    for &operand in operands {
                        network.arc(all(v), node(operand), INFINITE);
                    }
                }
            }
        }
        let (cost, sides) = network.smallest_cut();
        let is_vector = |v: ValueId| self.ways[v].is_some();
        ((0..count).map(|v| is_vector(v) && sides[node(v)]).collect(), cost)
    }
}
