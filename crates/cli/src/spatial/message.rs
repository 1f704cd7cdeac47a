//! `palmette spatial message`.

use super::network::{NetworkOptions, note, note_unreplayed};
use super::options::{DeliveryOption, LayoutOptions};
use super::program::keep_queues;
use crate::endings::Kind as FileKind;
use crate::prelude::*;
use crate::tree::treefix::explain;
use crate::values::number;
use palmette::pictures::MAX_DRAWN_CELLS;
use palmette::{
    DirectMessages, Messages, direct_messages, local_broadcast, local_reduce, program_machine,
};
use palmette_vocabulary::{OperatorOptions, TypeOption, value_source};

#[derive(Debug, Args)]
#[command(mut_arg("svg", |argument| {
    argument.help("Draw the messages over every link; they go along rows first, then columns")
}))]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    messages: MessageOptions,
    /// Output table of what every vertex received: csv, or tsv or npy by the file's name,
    /// optionally gz or zst; `-` is stdout.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    pictures: PictureOptions,
}

/// Which messages are sent, on which layout.
#[derive(Debug, Args)]
pub(crate) struct MessageOptions {
    /// Which messages: broadcast (every vertex sends one value to all its children, along the
    /// virtual tree), reduce (every vertex receives the aggregate of its children, along the
    /// virtual tree), or children (every vertex sends directly to each child).
    #[arg(long, value_name = "KIND", default_value = "broadcast", value_parser = named::<Kind>())]
    pub(crate) kind: Kind,
    /// Operator for a reduction.
    #[arg(long = "op", value_name = "OP", default_value = "sum", value_parser = named::<OperatorName>())]
    operator: OperatorName,
    #[command(flatten)]
    values: ReduceValues,
    #[command(flatten)]
    pub(crate) layout: LayoutOptions,
    #[command(flatten)]
    delivery: DeliveryOption,
    #[command(flatten)]
    network: NetworkOptions,
}

/// What a reduction works on.
#[derive(Debug, Args)]
struct ReduceValues {
    /// Values for a reduction, as in `tree leaffix`. [default: ones]
    #[arg(long, value_name = "VALUES", value_delimiter = ',', value_parser = value_source)]
    values: Vec<String>,
    /// Use the branch lengths as the values of a reduction.
    #[arg(long, conflicts_with = "values")]
    lengths: bool,
    #[command(flatten)]
    typed: TypeOption,
    /// Value for vertices without one: no row in a file of values, or an empty field.
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true, value_parser = number)]
    missing_value: Option<String>,
    /// Modulus for product, affine and matrix.
    #[arg(long, value_name = "M")]
    modulus: Option<u64>,
}

palmette::core::named! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Kind("kind of messages") {
        Broadcast = "broadcast",
        Reduce = "reduce",
        Children = "children",
    }
}

/// A tree with its layout and the messages sent on it.
pub(super) struct Sent {
    pub(super) file: TreeFile,
    pub(super) layout: Layout,
    pub(super) messages: Either,
}

/// Messages of a machine, or straight to children.
pub(super) enum Either {
    Machine(Box<Messages>),
    Direct(Box<DirectMessages>),
}

impl MessageOptions {
    /// The files that are read.
    pub(super) fn files(&self, input: &InputOptions) -> Files {
        value_files(&self.values.values, Files::of(&input.file))
    }

    /// Reads, lays out, and sends.
    pub(super) fn send(
        &self,
        session: &mut Session,
        input: &InputOptions,
        trace: bool,
    ) -> Result<Sent> {
        session.parameter("kind", self.kind.name());
        let seed = self.layout.seed();
        let machine = self.network.machine(self.delivery.machine(program_machine()))?;
        let machine = MachineParams { trace, seed, ..machine };
        if self.kind != Kind::Reduce {
            self.refuse_values()?;
            if self.kind == Kind::Children {
                self.delivery.refuse("--kind broadcast or reduce: children are one round")?;
            }
            let (file, layout) = self.layout.load(session, input, Needs::default())?;
            let messages = match self.kind {
                Kind::Children => {
                    let sent = session.phase("compute", || direct_messages(&layout, machine))?;
                    note(session, machine.replay, sent.replay.is_some());
                    Either::Direct(Box::new(sent))
                }
                _ => {
                    let sent = session.phase("compute", || local_broadcast(&layout, machine))?;
                    note_unreplayed(session, &sent.machine);
                    Either::Machine(Box::new(sent))
                }
            };
            return Ok(Sent { file, layout, messages });
        }
        // The seed decides the processors' random bits, too.
        let seed = (self.operator == OperatorName::Hash).then_some(seed);
        let parameters = OperatorOptions { modulus: self.values.modulus, wrapping: false, seed };
        let (values, lengths) = (self.values.values.clone(), self.values.lengths);
        let typed = self.values.typed;
        let options = ValueOptions {
            given: palmette_vocabulary::ValueOptions { values, lengths, typed, parameters },
            missing_value: self.values.missing_value.clone(),
        };
        let (operator, plan) = ValuePlan::new(self.operator, &options, false)?;
        let (mut file, layout) = self.layout.load(session, input, plan.needs())?;
        let values = plan.read(session, &mut file)?;
        session
            .parameter("op", self.operator.name())
            .parameter("values", options.given.text(self.operator));
        if !self.operator.is_commutative() {
            session.note("children are combined in the order of the layout");
        }
        let kind = values.first().map(Values::value_type);
        let messages = session
            .phase("compute", || local_reduce(&layout, operator, &Values::slices(&values), machine))
            // The text alone: this verb has no option that helps.
            .map_err(|error| anyhow!("{}", explain(error, &file, kind)))?;
        note_unreplayed(session, &messages.machine);
        Ok(Sent { file, layout, messages: Either::Machine(Box::new(messages)) })
    }

    fn refuse_values(&self) -> Result<()> {
        let unused = [
            ("--values", !self.values.values.is_empty()),
            ("--lengths", self.values.lengths),
            ("--type", self.values.typed.kind.is_some()),
            ("--missing-value", self.values.missing_value.is_some()),
            ("--modulus", self.values.modulus.is_some()),
            ("--op", self.operator != OperatorName::Sum),
        ];
        match unused.iter().find(|u| u.1) {
            Some((option, _)) => {
                bail!("{option} needs --kind reduce, not {}", self.kind.name())
            }
            None => Ok(()),
        }
    }
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let input = &arguments.input;
    let files = arguments
        .messages
        .files(input)
        .writes("-o", arguments.output.as_deref(), FileKind::TABLE)
        .draws(&arguments.pictures, "links");
    let mut session = Session::open("spatial message", files, run)?;
    let Sent { file, layout, messages } = arguments.messages.send(&mut session, input, false)?;
    let parents;
    let mut columns = vec![("vertex", Cells::EachVertex)];
    let (sent, numbers) = match &messages {
        Either::Machine(messages) => {
            session.figures(&**messages);
            columns.extend(messages.answer.cells());
            (Some(&**messages), messages.answer.numbers())
        }
        Either::Direct(messages) => {
            session.figures(&**messages);
            parents = heard_from_parents(&layout);
            columns.push(("parent", Cells::Vertices(&parents)));
            (None, None)
        }
    };
    draw(&mut session, arguments, &file, &layout, sent)?;
    if let Some(sent) = sent {
        keep_queues(&mut session, &file.name, &sent.machine)?;
    }
    if let Some(path) = &arguments.output {
        Answers { labels: &file.labels, columns, numbers }.write_to(&mut session, path)?;
    }
    session.finish()
}

/// Draws the link loads, if requested.
fn draw(
    session: &mut Session,
    arguments: &Arguments,
    file: &TreeFile,
    layout: &Layout,
    messages: Option<&Messages>,
) -> Result<()> {
    if !session.draws() {
        return Ok(());
    }
    let kind = arguments.messages.kind.name();
    let drawn = session.phase("draw", || pictures::messages(&file.name, kind, layout, messages));
    match drawn {
        Some(drawn) => keep(session, None, drawn),
        None if arguments.pictures.is_empty() => Ok(()),
        None => {
            let grid = layout.grid();
            bail!("--svg: the grid is too large to draw: {grid} cells, at most {MAX_DRAWN_CELLS}")
        }
    }
}

fn heard_from_parents(layout: &Layout) -> Vec<u32> {
    let tree = layout.tree();
    let parent = |&p: &u32| tree.parent(p).map_or(NONE, |q| tree.vertices()[q as usize]);
    tree.positions().iter().map(parent).collect()
}
