//! `palmette tree order`.

use crate::prelude::*;
use palmette::core::tree::SiblingOrder;

#[derive(Debug, Args)]
#[command(mut_arg("missing_length", |argument| argument.hide(true)))]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: InputOptions,
    /// Which order: preorder (depth first, children as in the input), light-first or heavy-first
    /// (depth first, the child with the smallest or the largest subtree first), or bfs (level by
    /// level).
    #[arg(long, value_name = "ORDER", default_value = "preorder", value_parser = named::<OrderName>())]
    order: OrderName,
    #[command(flatten)]
    rows: TipsOption,
    #[command(flatten)]
    table: TableOptions,
}

palmette::core::named! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum OrderName("order") {
        Preorder = "preorder",
        LightFirst = "light-first",
        HeavyFirst = "heavy-first",
        Bfs = "bfs",
    }
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let files = arguments.table.files(Files::of(&arguments.input.file), Kind::TABLE);
    let mut session = Session::open("tree order", files, run)?;
    session.parameter("order", arguments.order.name());
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
    let rows = arguments.rows.rows(&loaded.file);
    answers.write_rows(&mut session, &arguments.table, rows.as_deref())?;
    session.finish()
}
