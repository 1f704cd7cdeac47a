//! Tables of a page.

use std::fmt::Write;

use crate::number::powers;
use crate::svg::escape;
use crate::table::Table;

/// A table with its caption. The first cell of a row names the row; where that name changes,
/// a line is drawn. Powers in the header are raised. A table without rows is left out.
pub(crate) fn write(page: &mut String, caption: &str, table: &Table) {
    if table.rows.is_empty() {
        return;
    }
    let caption = escape(caption);
    let numeric = table.numeric_columns();
    // What scrolls can be reached by the keyboard, and then has a name.
    let _ = write!(
        page,
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{caption}\">\n\
         <table>\n<caption>{caption}</caption>\n"
    );
    if !table.header.is_empty() {
        page.push_str("<thead>\n<tr>");
        for (c, name) in table.header.iter().enumerate() {
            let name = escape(&powers(name));
            // Ratios may be torn at their stroke only: narrow columns, nothing to scroll.
            let name = match name.split_once('/') {
                Some((cost, law)) => format!("{cost}/<wbr/><span>{law}</span>"),
                None => name,
            };
            let class = if numeric[c] { " class=\"number\"" } else { "" };
            let _ = write!(page, "<th scope=\"col\"{class}>{name}</th>");
        }
        page.push_str("</tr>\n</thead>\n");
    }
    page.push_str("<tbody>\n");
    let mut group: Option<&str> = None;
    for row in &table.rows {
        let name = row.first().map_or("", |cell| cell.text.as_str());
        let begins = group.is_some_and(|g| g != name);
        group = Some(name);
        page.push_str(if begins { "<tr class=\"begins\">" } else { "<tr>" });
        for (c, &is_numeric) in numeric.iter().enumerate() {
            let (text, hint) = row.get(c).map_or_else(Default::default, |cell| {
                let hint = format!(" data-hint=\"{}\"", escape(&cell.hint));
                (escape(&cell.text), if cell.hint.is_empty() { String::new() } else { hint })
            });
            // Words among numbers stand where those do, but may be torn.
            let torn = row.get(c).is_some_and(|cell| !cell.number && !cell.text.is_empty());
            let class = match is_numeric {
                true if torn => " class=\"number words\"",
                true => " class=\"number\"",
                false => "",
            };
            let _ = match c {
                0 => write!(page, "<th scope=\"row\"{class}{hint}>{text}</th>"),
                _ => write!(page, "<td{class}{hint}>{text}</td>"),
            };
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody>\n</table>\n</div>\n");
}
