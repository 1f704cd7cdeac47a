//! A run for a notebook: a fragment of HTML without scripts and without styles of its own.
//!
//! Notebooks put fragments of many cells on one page, so that pictures, whose styles and names
//! would meet there, come as images.

use crate::svg::escape;
use crate::table::{Cell, Table};
use palmette_core::Record;
use serde_json::Value;
use std::fmt::Write;

/// The figures of a run as a table, then tables of what has rows of its own (phases, levels),
/// then its pictures.
///
/// ```
/// let mut record = palmette_core::Record::new("tree info", "<apes>");
/// record.figure("vertices", 1234);
/// let html = palmette_report::notebook(&record);
/// assert!(html.contains("<b>tree info</b> &lt;apes&gt;") && html.contains("1,234"));
/// ```
pub fn notebook(record: &Record) -> String {
    let mut plain = record.clone();
    plain.result.retain(|_, value| !is_rows(value));
    let mut page = String::from("<div>\n");
    let _ = writeln!(page, "<p><b>{}</b> {}</p>", escape(&record.command), escape(&record.input));
    table(&mut page, "", &Table::of_record(&plain));
    for (name, value) in record.result.iter().filter(|(_, value)| is_rows(value)) {
        if let Some(found) = rows(value) {
            table(&mut page, name, &found);
        }
    }
    for picture in &record.pictures {
        page.push_str(&image(&picture.title, &picture.svg));
    }
    page.push_str("</div>");
    page
}

/// A picture as an image whose styles and names stay inside.
pub fn image(title: &str, svg: &str) -> String {
    let mut address = String::with_capacity(svg.len() * 5 / 4);
    for byte in svg.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => address.push(byte as char),
            b' ' | b'.' | b',' | b'-' | b'/' | b':' | b'=' | b'(' | b')' | b';' => {
                address.push(byte as char);
            }
            _ => {
                let _ = write!(address, "%{byte:02X}");
            }
        }
    }
    let title = escape(title);
    format!("<img alt=\"{title}\" src=\"data:image/svg+xml,{address}\"/>\n")
}

fn is_rows(value: &Value) -> bool {
    value.as_array().is_some_and(|rows| rows.first().is_some_and(Value::is_object))
}

/// Objects with the same keys as a table.
fn rows(value: &Value) -> Option<Table> {
    let rows = value.as_array()?;
    let header: Vec<&str> = rows.first()?.as_object()?.keys().map(String::as_str).collect();
    let mut table = Table::new(&header);
    for row in rows {
        let value = |key: &&str| row.get(key).filter(|value| !value.is_null());
        table.row(header.iter().map(|key| value(key).map_or_else(Cell::missing, Cell::of)));
    }
    Some(table)
}

fn table(page: &mut String, caption: &str, table: &Table) {
    page.push_str("<table>\n");
    if !caption.is_empty() {
        let _ = writeln!(page, "<caption>{}</caption>", escape(caption));
    }
    if !table.header.is_empty() {
        page.push_str("<tr>");
        for name in &table.header {
            let _ = write!(page, "<th>{}</th>", escape(name));
        }
        page.push_str("</tr>\n");
    }
    for row in &table.rows {
        page.push_str("<tr>");
        for cell in row {
            let side = if cell.number { "right" } else { "left" };
            let text = escape(&cell.text);
            let _ = write!(page, "<td style=\"text-align:{side}\">{text}</td>");
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table>\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmette_core::record::Picture;
    use serde_json::json;

    #[test]
    fn rows_are_tables_and_pictures_are_images() {
        let mut record = Record::new("spatial treefix", "t");
        record.figure("energy", 7);
        record.figure("phases", json!([{"name": "<rake>", "energy": 3}, {"name": "b"}]));
        let svg = "<svg><style>a{}</style></svg>".to_string();
        record.pictures.push(Picture { title: "loads".into(), svg, ..Picture::default() });
        let html = notebook(&record);
        for part in [
            "<caption>phases</caption>\n<tr><th>name</th><th>energy</th></tr>",
            "<td style=\"text-align:left\">&lt;rake&gt;</td>",
            "<td style=\"text-align:right\">–</td>",
            "<img alt=\"loads\" src=\"data:image/svg+xml,%3Csvg%3E%3Cstyle%3Ea%7B%7D",
        ] {
            assert!(html.contains(part), "{part} in {html}");
        }
        assert!(!html.contains("<style") && !html.contains("<svg"));
    }
}
