//! Treefix on the simulated spatial computer, with operators chosen at run time.

use super::aggregate as on_host;
use super::dispatch::dispatch;
use super::problem::{Problem, Solved, Treefix, wrong_length};
use super::rounding::{Agreement, agreement};
use super::words::{ProcessorOperator, WordOperator};
use super::*;
use crate::program::{SpatialError, check_layout, program_machine};
use palmette_spatial::layout::Layout;
use palmette_spatial::machine::{Machine, MachineParams, Memory};
use palmette_spatial::program::treefix::Contracted;
use palmette_spatial::program::{Method, kin};

/// How a treefix runs on the spatial computer.
#[derive(Debug, Clone, Copy)]
pub struct SpatialTreefixParams {
    /// The machine.
    pub machine: MachineParams,
    /// Let an operator that does not commute see children in the layout's order, where
    /// that is not the order in which they were given.
    pub layout_order: bool,
    /// How the tree is contracted.
    pub method: Method,
}

impl Default for SpatialTreefixParams {
    fn default() -> SpatialTreefixParams {
        let machine = program_machine();
        SpatialTreefixParams { machine, layout_order: false, method: Method::default() }
    }
}

/// A treefix as the spatial computer found it, and what it cost.
#[derive(Debug)]
pub struct SpatialTreefix {
    /// What every vertex knows in the end, by vertex.
    pub answer: Answer,
    /// The machine. Its ledger has the virtual tree, whose construction is a part of the
    /// run, and the phases of contraction.
    pub machine: Machine,
    /// The longest chain of contractions of which each waited for the one before.
    pub rounds: u32,
    /// How many vertices were contracted in each round, from the first; the root never is.
    pub contracted: Vec<u64>,
    /// By address, how a vertex was contracted.
    pub contraction: Vec<Contracted>,
    /// Whether the sequential engine on the host gives the same: exactly for integers and
    /// extremes; sums, affine maps and matrices of floats differ by at most what rounding
    /// can do when factors are bracketed otherwise.
    pub correct: bool,
    /// How many vertices have other floats than on the host and cannot be compared, because
    /// something overflows there and brackets decide what: the seed shows.
    pub uncompared: usize,
}

/// The rootfix or leaffix of a tree that is laid out in light-first order, by messages.
///
/// A leaffix takes children in the order of the layout. Where that is not the order in which they
/// were given, an operator must commute, or [`SpatialTreefixParams::layout_order`] be set.
///
/// ```
/// use palmette::spatial::layout::{Layout, LayoutParams};
/// use palmette::{Direction, NONE, Operator, Tree, ValueSlice, Values, spatial_treefix};
/// let tree = Tree::from_parents(&[2, 0, NONE, 2])?;
/// let layout = Layout::new(tree, LayoutParams::default())?;
/// let values = [ValueSlice::I64(&[1, 10, 100, 1000])];
/// let (direction, operator) = (Direction::Leaffix, Operator::SUM);
/// let run = spatial_treefix(&layout, direction, operator, &values, &Default::default())?;
/// assert_eq!(run.answer.numbers(), Some(&Values::I64(vec![11, 10, 1111, 1000])));
/// assert!(run.correct && run.machine.costs().energy > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`aggregate`](super::aggregate), a forest, a layout in another order, an operator
/// that does not commute, and a grid too large to simulate.
pub fn spatial_treefix(
    layout: &Layout,
    direction: Direction,
    operator: Operator,
    values: &[ValueSlice<'_>],
    params: &SpatialTreefixParams,
) -> Result<SpatialTreefix, AggregateError> {
    check_layout(layout)?;
    let tree = layout.tree();
    let minds_order = direction == Direction::Leaffix && !operator.name().is_commutative();
    if minds_order
        && !params.layout_order
        && let Some(vertex) = reordered(tree)
    {
        return Err(AggregateError::NotCommutative { operator: operator.name(), vertex });
    }
    let order = tree.vertex_order();
    let host =
        Treefix { tree, order, direction, scope: Scope::Inclusive, engine: Engine::Sequential };
    let problem = SpatialProblem { host, layout, params, run: RefCell::new(None) };
    let answer = dispatch(&problem, tree.len(), operator, values)?;
    let run = problem.run.into_inner().expect("every operator is solved on the machine");
    let Run { machine, rounds, contracted, contraction } = run;
    let params = AggregateParams { engine: Engine::Sequential, ..Default::default() };
    let expected = on_host(tree, direction, operator, values, &params)?;
    let Agreement { equal: correct, uncompared } =
        agreement(tree, direction, operator, values, [&answer, &expected])?;
    Ok(SpatialTreefix { answer, machine, rounds, contracted, contraction, correct, uncompared })
}

impl SpatialTreefix {
    /// By address, the step in which the message was sent that contracted a vertex: its product
    /// on the way to its parent, or to the vertex that its range was joined to. Where nothing is raked,
    /// as in a rootfix, a path is contracted when the last message has gone to its first vertex.
    /// `None` for the root. Only where the machine keeps a trace
    /// ([`MachineParams::trace`](palmette_spatial::machine::MachineParams)).
    pub fn contracted_in(&self) -> Option<Vec<Option<u32>>> {
        let trace = self.machine.trace()?;
        let ending = |end: &str| -> Vec<bool> {
            trace.phases.iter().map(|name| name.ends_with(end)).collect()
        };
        let (raking, compressing) = (ending(": rake"), ending(": compress"));
        let undoing = ending(": uncontract");
        let kinds = [&raking, &compressing, &undoing];
        let counted = |phase: u32| kinds.iter().any(|of| of[phase as usize]);
        let is_silent = !trace.sent.iter().any(|sent| raking[sent.phase as usize]);
        let first =
            trace.sent.iter().filter(|sent| counted(sent.phase)).map(|sent| sent.step).min();
        let mut steps = vec![first.filter(|_| is_silent); self.contraction.len()];
        let is_link = |vertex: u32| self.contraction[vertex as usize].compressed;
        // The last one counts.
        let mut contract = |vertex: u32, step: u32| {
            let last = &mut steps[vertex as usize];
            *last = (*last).max(Some(step));
        };
        for sent in &trace.sent {
            let phase = sent.phase as usize;
            let own = if is_link(sent.from) { &compressing } else { &raking };
            if own[phase] {
                contract(sent.from, sent.step);
            }
            if is_silent && compressing[phase] && !is_link(sent.to) {
                contract(sent.to, sent.step);
            }
        }
        if let Some(root) = steps.first_mut() {
            *root = None;
        }
        Some(steps)
    }
}

/// A vertex whose children are not in the order of their numbers, which is the given one.
fn reordered(tree: &Tree) -> Option<u32> {
    let vertices = tree.vertices();
    let is_before_a_smaller_one = |&(child, parent): &(usize, u32)| {
        let next = child + tree.sizes()[child] as usize;
        tree.parents().get(next) == Some(&parent) && vertices[next] < vertices[child]
    };
    let mut children = tree.parents().iter().copied().enumerate().skip(1);
    children.find(is_before_a_smaller_one).map(|(_, parent)| vertices[parent as usize])
}

struct Run {
    machine: Machine,
    rounds: u32,
    contracted: Vec<u64>,
    contraction: Vec<Contracted>,
}

struct SpatialProblem<'a> {
    host: Treefix<'a>,
    layout: &'a Layout,
    params: &'a SpatialTreefixParams,
    /// What the machine did, once it has run.
    run: RefCell<Option<Run>>,
}

impl Problem for SpatialProblem<'_> {
    fn solve<const N: usize>(
        &self,
        op: WordOperator<N>,
        elements: &[[u64; N]],
    ) -> Result<Solved<[u64; N]>, AggregateError> {
        let tree = self.host.tree;
        let values = Memory::from(tree.to_positions(elements).map_err(wrong_length)?);
        let (method, op) = (self.params.method, op.for_processors());
        let words = match self.host.direction {
            Direction::Rootfix => method.rootfix_words::<ProcessorOperator<N>>(),
            Direction::Leaffix => method.leaffix_words::<ProcessorOperator<N>>(),
        };
        let mut machine = self.layout.machine(self.params.machine.stating(words))?;
        let kin = kin(&mut machine.keep(&values), tree).map_err(SpatialError::from)?;
        let found = match self.host.direction {
            Direction::Rootfix => method.rootfix(&mut machine, "rootfix", op, &kin, values),
            Direction::Leaffix => method.leaffix(&mut machine, "leaffix", op, &kin, values),
        };
        let found = found.map_err(SpatialError::from)?;
        let (rounds, contracted) = (found.rounds, found.by_round());
        let contraction = found.contracted.states().to_vec();
        *self.run.borrow_mut() = Some(Run { machine, rounds, contracted, contraction });
        let answers = tree.to_vertices(found.values.states()).map_err(wrong_length)?;
        Ok(Solved { answers, present: None, engine: None })
    }

    fn exact_sums(&self, x: &[i128]) -> Result<Vec<i128>, AggregateError> {
        self.host.exact_sums(x)
    }

    fn overflow(&self, row: usize, exact: i128) -> AggregateError {
        self.host.overflow(row, exact)
    }
}
