//! Feeders: voltages along the way from the source, and the network as one line.

mod one_line;
mod profile;

pub use one_line::OneLine;
pub use profile::{ProfileLine, VoltageProfile};

use std::fmt::Write;

/// Adds a line to the data of a path, in tenths of pixels.
fn add_line(data: &mut String, from: (f64, f64), to: (f64, f64)) {
    let _ = write!(data, "M{:.1} {:.1}L{:.1} {:.1}", from.0, from.1, to.0, to.1);
}
