//! A page of theorems: one plot each, then the tables behind them.
//!
//! The page is one file of HTML without scripts and without anything to fetch. It follows the
//! reader's light or dark theme and can be printed. It is well-formed XML too, so that any
//! tool can take its tables out again.
//!
//! **Cost.** Linear in the points and the rows.

use std::fmt::Write;

use crate::colour::{PLOT_STYLE, STYLE};
use crate::number::{constant, powers};
use crate::page::{head, tables};
use crate::svg::{escape, within_page};
use crate::table::{Cell, Table};
use crate::theorem_plot::TheoremPlot;

/// What a sweep over sizes and shapes found. All text is escaped; powers such as `n^1.5` are
/// raised, except in facts and cells.
///
/// ```
/// use palmette_report::{SweepPage, Table};
/// let mut table = Table::new(&["shape", "n", "energy/n"]);
/// table.row(["path".into(), 256u64.into(), 1.83.into()]);
/// let page = SweepPage {
///     title: "Sweep of list ranking".into(),
///     facts: vec![("seed".into(), "1".into())],
///     tables: vec![("list-ranking".into(), table)],
///     ..SweepPage::default()
/// };
/// assert!(page.to_html().contains("<td class=\"number\">1.830</td>"));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SweepPage {
    /// The heading and the name of the page.
    pub title: String,
    /// Paragraphs below the heading.
    pub introduction: Vec<String>,
    /// Names and values of what made the page, such as its command, seed and curve.
    pub facts: Vec<(String, String)>,
    /// Captions and pictures: the SVG of charts.
    pub figures: Vec<(String, String)>,
    /// One plot per theorem and quantity.
    pub plots: Vec<TheoremPlot>,
    /// A caption and a table, one per program.
    pub tables: Vec<(String, Table)>,
    /// Remarks at the end.
    pub notes: Vec<String>,
}

impl SweepPage {
    /// The page.
    pub fn to_html(&self) -> String {
        let title = escape(&self.title);
        let mut page = head(&title, "", &[STYLE, PLOT_STYLE]);
        let _ = write!(page, "<main>\n<h1>{title}</h1>\n");
        for paragraph in &self.introduction {
            let _ = writeln!(page, "<p>{}</p>", escape(&powers(paragraph)));
        }
        self.write_facts(&mut page);
        for (caption, svg) in &self.figures {
            let (caption, svg) = (escape(&powers(caption)), within_page(svg));
            let _ = writeln!(page, "<figure>\n<figcaption>{caption}</figcaption>\n{svg}</figure>");
        }
        if !self.plots.is_empty() {
            page.push_str("<h2>Theorems and measurements</h2>\n");
            tables::write(&mut page, "Constants over all shapes and sizes", &self.constants());
            for plot in &self.plots {
                write_figure(&mut page, plot);
            }
        }
        if !self.tables.is_empty() {
            page.push_str("<h2>Measurements</h2>\n");
        }
        for (caption, table) in &self.tables {
            tables::write(&mut page, caption, table);
        }
        if !self.notes.is_empty() {
            page.push_str("<h2>Notes</h2>\n<ul>\n");
            for note in &self.notes {
                let _ = writeln!(page, "<li>{}</li>", escape(&powers(note)));
            }
            page.push_str("</ul>\n");
        }
        page.push_str("</main>\n</body>\n</html>\n");
        page
    }

    fn write_facts(&self, page: &mut String) {
        if self.facts.is_empty() {
            return;
        }
        page.push_str("<dl>\n");
        for (name, value) in &self.facts {
            let (name, value) = (escape(name), escape(value));
            let _ = writeln!(page, "<dt>{name}</dt><dd><code>{value}</code></dd>");
        }
        page.push_str("</dl>\n");
    }

    /// The constants of all plots, in one place.
    fn constants(&self) -> Table {
        let heads = ["theorem", "quantity", "law", "fitted constant", "largest ratio", "points"];
        let mut table = Table::new(&heads);
        for plot in &self.plots {
            let law = plot.law.name();
            let mut row = vec![Cell::from(plot.name.as_str()), Cell::from(plot.quantity.as_str())];
            row.push(Cell::from(law));
            match plot.fit() {
                Some(fit) => {
                    row.extend([fit.constant, fit.largest].map(|c| Cell::number(constant(c))));
                    row.push(Cell::from(fit.points));
                }
                None => row.extend([Cell::missing(), Cell::missing(), Cell::from(0u64)]),
            }
            table.row(row);
        }
        table
    }
}

/// A plot, with what it shows in words above it.
fn write_figure(page: &mut String, plot: &TheoremPlot) {
    let heading = escape(&plot.heading());
    let words = escape(&plot.words());
    let svg = plot.to_inline();
    let _ = write!(
        page,
        "<figure>\n<figcaption><strong>{heading}</strong> {words}</figcaption>\n{svg}</figure>\n"
    );
}
