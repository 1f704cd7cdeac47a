//! `palmette tree order`.

use crate::prelude::*;
use palmette::core::tree::SiblingOrder;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: InputOptions,
    /// Which order.
    #[arg(long, value_enum, default_value = "preorder")]
    order: OrderName,
    #[command(flatten)]
    table: TableOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OrderName {
    /// Depth first, children as in the input.
    Preorder,
    /// Depth first, the child with the smallest subtree first.
    LightFirst,
    /// Depth first, the child with the largest subtree first.
    HeavyFirst,
    /// Level by level.
    Bfs,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let files = arguments.table.files(Files::of(&arguments.input.file));
    let mut session = Session::open("tree order", files, run)?;
    let name = arguments.order.to_possible_value();
    session.parameter("order", name.map_or(String::new(), |n| n.get_name().to_string()));
    let siblings = match arguments.order {
        OrderName::LightFirst => SiblingOrder::LightFirst,
        OrderName::HeavyFirst => SiblingOrder::HeavyFirst,
        OrderName::Preorder | OrderName::Bfs => SiblingOrder::AsGiven,
    };
    let needs = Needs { siblings, ..Needs::default() };
    let loaded = load(&mut session, &arguments.input, &needs)?;
    let tree = &loaded.tree;
    let positions: Vec<u64> = session.phase("compute", || {
        if arguments.order != OrderName::Bfs {
            return tree.positions().iter().map(|&p| p.into()).collect();
        }
        let mut positions = vec![0; tree.len()];
        for (place, &position) in tree.levels().into_items().iter().enumerate() {
            positions[tree.vertices()[position as usize] as usize] = place as u64;
        }
        positions
    });
    session.record.figure("vertices", tree.len());
    let positions = Values::U64(positions);
    let answers = Answers {
        labels: &loaded.file.labels,
        columns: vec![("vertex", Cells::EachVertex), ("position", Cells::from(&positions))],
        numbers: Some(&positions),
    };
    answers.write(&mut session, &arguments.table)?;
    session.finish()
}
