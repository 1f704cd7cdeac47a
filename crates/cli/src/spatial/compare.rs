//! `palmette spatial layout --compare`: all orders on all curves.

use crate::prelude::*;
use palmette::figures::LayoutComparison;

pub(super) fn run(mut session: Session, input: &InputOptions) -> Result<()> {
    let loaded = load(&mut session, input, &Needs::default())?;
    let found = session.phase("compute", || LayoutComparison::of(&loaded.tree))?;
    session.figures(&found);
    let mut columns = vec!["curve"];
    columns.extend(LayoutComparison::ORDERS.map(Order::name));
    columns.push("virtual tree");
    let mut table = Table::new(&columns);
    for (curve, energies) in &found.curves {
        table.row([Cell::from(curve.name())].into_iter().chain(energies.map(Cell::from)));
    }
    let text = format!("energy per vertex of one message from parents to children\n\n{table}");
    session.summarise(text);
    session.finish()
}
