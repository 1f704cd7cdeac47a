//! ParaView's list of the files of a series, `.pvd`.
//!
//! **Reference.** *ParaView's reference manual*, "ParaView data (PVD) file format".

use super::vtu::escaped;
use crate::write::invalid;
use std::io::{self, Write};

/// Writes a list of files with their times. Files are named as they are found from where the
/// list lies.
///
/// ```
/// let steps = [(0.0, "heat_0.vtu".to_string()), (0.5, "heat_10.vtu".to_string())];
/// let mut list = Vec::new();
/// palmette_io::write_pvd(&mut list, &steps)?;
/// let text = String::from_utf8_lossy(&list);
/// assert!(text.contains(r#"<DataSet timestep="0.5" part="0" file="heat_10.vtu"/>"#));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// When writing fails, or a time is not finite, or a file has no name or one that XML cannot
/// hold (`InvalidInput`).
pub fn write_pvd(out: &mut dyn Write, files: &[(f64, String)]) -> io::Result<()> {
    for (i, (time, file)) in files.iter().enumerate() {
        let expected = match () {
            () if !time.is_finite() => format!("time {time} is not finite"),
            () if file.is_empty() || file.contains(char::is_control) => {
                format!("file {file:?}: the name must not contain control characters")
            }
            () => continue,
        };
        let message = format!("step {i} of the series: {expected}");
        return Err(invalid(message));
    }
    writeln!(
        out,
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" \
         byte_order=\"LittleEndian\">\n<Collection>"
    )?;
    for (time, file) in files {
        let file = escaped(file);
        writeln!(out, "<DataSet timestep=\"{time:?}\" part=\"0\" file=\"{file}\"/>")?;
    }
    writeln!(out, "</Collection>\n</VTKFile>")
}
