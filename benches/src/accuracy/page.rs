//! The page with the paper's figure.

use super::study::{Point, Worst, contestants, largest_deviation, picture};
use palmette_report::{Cell, SweepPage, Table};
use palmette_tree::Direction;

/// What a study found.
pub struct Found {
    /// Values per sum.
    pub terms: usize,
    /// Trees per condition number.
    pub trees: u64,
    /// Both passes.
    pub passes: [(Direction, Vec<Point>); 2],
}

/// The name of a pass.
pub const fn name(direction: Direction) -> &'static str {
    match direction {
        Direction::Rootfix => "rootfix",
        Direction::Leaffix => "leaffix",
    }
}

/// The page.
pub fn page(found: &Found) -> SweepPage {
    let &Found { terms, trees, ref passes } = found;
    let off = passes.iter().map(|(_, points)| largest_deviation(points)).fold(0.0, f64::max);
    let figures = [(true, ""), (false, " on ranks and devices")].map(|(on_the_host, elsewhere)| {
        passes.iter().zip(["10a", "10b"]).map(move |((direction, points), number)| {
            let caption = format!("Figure {number}: {}{elsewhere}", name(*direction));
            (caption, picture(*direction, points, (terms, trees), on_the_host))
        })
    });
    let tables = passes.iter().flat_map(|(direction, points)| {
        let pass = name(*direction);
        [
            (format!("{pass}: largest relative errors"), table(points, |w| w.error)),
            (format!("{pass}: largest bounds on them"), table(points, |w| w.bound)),
            (format!("{pass}: largest error/bound of all sums"), table(points, |w| w.share)),
        ]
    });
    SweepPage {
        title: "Accuracy of sums over trees".into(),
        introduction: vec![
            "Figure 10 of Defour and Marin, Regularity versus Load-Balancing on GPU for treefix \
             computations, with every engine, with compensated and exact sums, and with the \
             bounds that the paper left for later work."
                .into(),
            "A point is the largest relative error of one sum per tree. Every error of every sum \
             in every tree was compared with its bound, and every exact sum with the nearest \
             float to a sum in fixed point; compensated and exact ones on every engine."
                .into(),
        ],
        facts: vec![
            ("values per sum".into(), terms.to_string()),
            ("vertices per tree".into(), (2 * terms).to_string()),
            ("trees per condition number".into(), trees.to_string()),
            ("type".into(), "f32".into()),
            ("condition numbers are as wanted within".into(), format!("{off:.1e}")),
        ],
        figures: figures.into_iter().flatten().collect(),
        tables: tables.collect(),
        notes: vec![
            "An error of 1 or more means that no digit is right.".into(),
            "Compensated and exact sums run by blocks of the preorder, the way `auto` takes."
                .into(),
        ],
        ..SweepPage::default()
    }
}

fn table(points: &[Point], of: impl Fn(&Worst) -> f64) -> Table {
    let names: Vec<&str> = contestants().iter().map(|c| c.0).collect();
    let mut table = Table::new(&[&["condition number"][..], &names].concat());
    for point in points {
        let cells = point.worst.iter().map(|w| Cell::from(format!("{:.2e}", of(w))));
        table.row(std::iter::once(Cell::from(format!("{:.0e}", point.wanted))).chain(cells));
    }
    table
}
