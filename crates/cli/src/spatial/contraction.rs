//! A treefix step by step, for reports: which vertices are contracted, where messages go.

use super::picture::title;
use crate::picture::{Drawn, show};
use crate::session::Session;
use palmette::SpatialTreefix;
use palmette::spatial::layout::Layout;
use palmette::spatial::machine::Sent;
use palmette_report::GridLayout;
use palmette_report::view::{Contraction, MessageKind, RoundsView, Unit, View, ViewError};

/// More vertices than that are too many to follow.
const MOST_VERTICES: usize = 1 << 15;

/// Whether a run should keep its messages.
pub(super) fn is_followed(session: &Session, layout: &Layout) -> bool {
    session.keeps_pictures() && layout.tree().len() <= MOST_VERTICES
}

/// Keeps the steps of a run whose machine has a trace, beside a picture of its layout.
pub(super) fn keep(
    session: &mut Session,
    (name, subtitle): (&str, &str),
    layout: &Layout,
    run: &SpatialTreefix,
) -> anyhow::Result<()> {
    let Some(view) = steps(layout, run) else { return Ok(()) };
    let view = Some(View::from(view?).to_value());
    let (grid, cells) = (layout.grid(), layout.cells());
    let cells: Vec<(u32, u32)> = cells.iter().map(|cell| (cell.x, cell.y)).collect();
    let picture = GridLayout {
        title: &title(name),
        subtitle,
        width: grid.width,
        height: grid.height,
        cells: &cells,
        parents: layout.tree().parents(),
        curve: None,
    };
    let drawn = || Drawn { svg: picture.to_svg(), view };
    show(session, ("contraction", "The contraction, step by step"), None, drawn)
}

/// Frames are steps of the machine's clock, from the first of the contraction.
fn steps(layout: &Layout, run: &SpatialTreefix) -> Option<Result<RoundsView, ViewError>> {
    let (trace, contracted) = (run.machine.trace()?, run.contracted_in()?);
    let kinds: Vec<Option<MessageKind>> = trace.phases.iter().map(|name| kind(name)).collect();
    let of = |sent: &&Sent| kinds[sent.phase as usize].is_some();
    let first = trace.sent.iter().filter(of).map(|sent| sent.step).min().unwrap_or(0);
    let filled = || {
        let (grid, cells) = (layout.grid(), layout.cells());
        let (x, y): (Vec<u32>, Vec<u32>) = cells.iter().map(|cell| (cell.x, cell.y)).unzip();
        let parents = layout.tree().parents();
        let mut view = RoundsView::new([grid.width, grid.height], Unit::Step, &x, &y, parents)?;
        for (vertex, (step, how)) in (0..).zip(contracted.iter().zip(&run.contraction)) {
            let how = if how.compressed { Contraction::Compress } else { Contraction::Rake };
            step.map_or(Ok(()), |step| view.contract(vertex, step - first, how))?;
        }
        for sent in &trace.sent {
            if let Some(kind) = kinds[sent.phase as usize] {
                view.send(sent.step - first, sent.from, sent.to, kind)?;
            }
        }
        Ok(view)
    };
    Some(filled())
}

/// What a phase of the ledger is about; none for those before the contraction.
fn kind(phase: &str) -> Option<MessageKind> {
    match phase.rsplit_once(": ")?.1 {
        "rake" => Some(MessageKind::Rake),
        "compress" => Some(MessageKind::Compress),
        "uncontract" => Some(MessageKind::Uncontract),
        _ => None,
    }
}
