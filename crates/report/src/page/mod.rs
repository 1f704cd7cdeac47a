//! What all pages have in common: their head, their style, their tables.
//!
//! A page is one file of HTML with nothing to fetch. It follows the reader's light or dark
//! theme. On paper nothing scrolls, figures and rows are not torn, and colours are those of the
//! light theme.

pub(crate) mod tables;

/// The style sheet of every page. Selectors name elements, or classes that no picture has.
pub(crate) const BASE_STYLE: &str = include_str!("base.css");

/// A page up to and with its opening `<body>`: `title` is escaped already, `policy` is what may
/// stand before the style, `styles` come after the common one.
pub(crate) fn head(title: &str, policy: &str, styles: &[&str]) -> String {
    let styles = styles.concat();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n{policy}\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n<title>{title}</title>\n\
         <style>\n{BASE_STYLE}{styles}</style>\n</head>\n<body>\n"
    )
}
