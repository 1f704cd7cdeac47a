//! Orders of elimination in figures.

use super::*;
use palmette_graph::order::Order;

impl Figures for Order {
    fn figures(&self, record: &mut Record) {
        if let Some(method) = self.method {
            record.figure("method", method.name());
        }
        record
            .figure("entries", self.entries)
            .figure("operations", self.operations)
            .figure("height", self.height);
        if let Some(first) = self.separators.first() {
            let largest: Vec<u32> = self.separators.iter().map(|level| level.largest).collect();
            record.figure("first_separator", first.largest).figure("separators", json!(largest));
        }
    }

    fn lists(&self) -> &'static [&'static str] {
        &["separators"]
    }
}
