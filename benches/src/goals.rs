//! What was to be reached, and whether it was.

use crate::table::Table;

/// A table of goals; they are about times of this machine, so a missed one is no error.
pub struct Goals {
    table: Table,
}

impl Default for Goals {
    fn default() -> Self {
        Goals { table: Table::new(&["goal", "wanted", "measured", "holds"]) }
    }
}

impl Goals {
    /// Something that should be small.
    pub fn at_most(&mut self, what: &str, wanted: f64, measured: f64, unit: &str) {
        self.row(what, format!("at most {wanted}{unit}"), measured, unit, measured <= wanted);
    }

    /// Something that should be large.
    pub fn at_least(&mut self, what: &str, wanted: f64, measured: f64, unit: &str) {
        self.row(what, format!("at least {wanted}{unit}"), measured, unit, measured >= wanted);
    }

    fn row(&mut self, what: &str, wanted: String, measured: f64, unit: &str, holds: bool) {
        let holds = if holds { "yes" } else { "no" }.to_string();
        self.table.row(vec![what.to_string(), wanted, format!("{measured:.2}{unit}"), holds]);
    }

    /// The table as Markdown; nothing without goals.
    pub fn markdown(&self) -> String {
        if self.table.is_empty() { String::new() } else { self.table.markdown() }
    }
}
