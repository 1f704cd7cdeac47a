//! Local messages on the simulated spatial computer, with operators chosen at run time.

use super::dispatch::dispatch;
use super::problem::{Problem, Solved, wrong_length};
use super::words::{ProcessorOperator, WordOperator};
use super::*;
use palmette_core::NONE;
use palmette_spatial::layout::Layout;
use palmette_spatial::local::{
    self, CONSTRUCT_WORDS, VirtualLinks, broadcast_words, construct, families, reduce_words,
};
use palmette_spatial::machine::network::ReplayWhen;
use palmette_spatial::machine::{Costs, Machine, MachineError, MachineParams, Memory};

/// What vertices heard, and what it cost.
#[derive(Debug)]
pub struct Messages {
    /// What every vertex heard, by vertex.
    pub answer: Answer,
    /// The machine after one round of messages along the virtual tree.
    pub machine: Machine,
    /// What building the virtual tree cost before, on a machine of its own.
    pub construction: Costs,
}

/// Every vertex tells all its children its own number, along the virtual tree.
///
/// # Errors
/// A grid too large to simulate.
pub fn local_broadcast(layout: &Layout, params: MachineParams) -> Result<Messages, MachineError> {
    let (links, construction) = links(layout, params)?;
    let mut machine = layout.machine(params.stating(broadcast_words::<u32>()))?;
    let tree = layout.tree();
    let own = Memory::from(tree.vertices().to_vec());
    let heard = local::broadcast(&mut machine, "broadcast", &links, own)?;
    let mut by_vertex = vec![NONE; tree.len()];
    for (heard, &vertex) in heard.states().iter().zip(tree.vertices()) {
        by_vertex[vertex as usize] = heard.unwrap_or(NONE);
    }
    let answer = Answer::of_columns(vec![AnswerColumn::vertices("parent", by_vertex)]);
    Ok(Messages { answer, machine, construction })
}

/// Every vertex learns the product of its children's values, along the virtual tree, in the order
/// of their positions in the layout's tree; the operator's identity where there are no children.
///
/// # Errors
/// As [`aggregate`](super::aggregate), and a grid too large to simulate.
pub fn local_reduce(
    layout: &Layout,
    operator: Operator,
    values: &[ValueSlice<'_>],
    params: MachineParams,
) -> Result<Messages, AggregateError> {
    let (links, construction) = links(layout, params)?;
    let problem = LocalReduce { layout, links: &links, params, machine: RefCell::new(None) };
    let answer = dispatch(&problem, layout.tree().len(), operator, values)?;
    let machine = problem.machine.into_inner().expect("every operator is solved on the machine");
    Ok(Messages { answer, machine, construction })
}

fn links(
    layout: &Layout,
    params: MachineParams,
) -> Result<(Memory<VirtualLinks>, Costs), MachineError> {
    let params = MachineParams { trace: false, replay: ReplayWhen::Never, ..params };
    let mut machine = layout.machine(params.stating(CONSTRUCT_WORDS))?;
    let links = construct(&mut machine, &families(layout.tree()))?;
    Ok((links, machine.costs()))
}

struct LocalReduce<'a> {
    layout: &'a Layout,
    links: &'a Memory<VirtualLinks>,
    params: MachineParams,
    /// The machine, once it has run.
    machine: RefCell<Option<Machine>>,
}

impl Problem for LocalReduce<'_> {
    fn solve<const N: usize>(
        &self,
        op: WordOperator<N>,
        elements: &[[u64; N]],
    ) -> Result<Solved<[u64; N]>, AggregateError> {
        let tree = self.layout.tree();
        let values = Memory::from(tree.to_positions(elements).map_err(wrong_length)?);
        let (op, words) = (op.for_processors(), reduce_words::<ProcessorOperator<N>>());
        let mut machine = self.layout.machine(self.params.stating(words))?;
        let answers = local::reduce(&mut machine, "reduce", op, self.links, values)?;
        *self.machine.borrow_mut() = Some(machine);
        let answers = tree.to_vertices(answers.states()).map_err(wrong_length)?;
        Ok(Solved { answers, present: None, engine: None })
    }

    fn exact_sums(&self, x: &[i128]) -> Result<Vec<i128>, AggregateError> {
        let tree = self.layout.tree();
        let mut sums = vec![0; x.len()];
        for (i, &p) in tree.parents().iter().enumerate() {
            if p != NONE {
                let (child, parent) = (tree.vertices()[i], tree.vertices()[p as usize]);
                sums[parent as usize] += x[child as usize];
            }
        }
        Ok(sums)
    }

    fn overflow(&self, row: usize, exact: i128) -> AggregateError {
        palmette_tree::TreefixError::Overflow { vertex: row as u32, exact }.into()
    }
}
