//! Pictures from files, made safe for a page.
//!
//! **Problem.** A record is a file, so its SVG is anybody's text; put into a page it must not run
//! script, fetch anything, or end the element it stands in.
//!
//! **Method.** What would keep a parser busy is refused first (`scan`). The text is then parsed as XML and written anew from a list of elements that draw.
//! Elements not on the list are left out with all that is in them. So are attributes of other
//! name spaces, those that name handlers, and references to anything but parts of the same
//! picture and raster images within it. Styles with anything that could fetch are refused. The
//! answer is the same to readers of XML and of HTML. A page's policy, which lets only its own
//! script run and nothing be fetched, is a second wall.
//!
//! **Cost.** Linear; the parsed picture takes a few times its size.

mod scan;
#[cfg(test)]
mod tests;

use crate::svg::escape;
use roxmltree::{Document, Node, NodeType};
use std::fmt::Write;
use thiserror::Error;

const SVG: &str = "http://www.w3.org/2000/svg";
const XLINK: &str = "http://www.w3.org/1999/xlink";

/// Elements that draw themselves, or hold such. What draws other parts again (`use`, `mask`,
/// `pattern`, `clipPath`) is not among them: a few lines of it keep a browser busy for ever.
const DRAWING: &str = "\
    svg g defs title desc style path line polyline polygon rect circle ellipse text tspan image \
    linearGradient radialGradient stop";
/// Elements in which readers of HTML would take elements for theirs.
const TEXT_ONLY: [&str; 3] = ["title", "desc", "style"];
/// Raster images, which cannot run anything.
const IMAGES: [&str; 4] = ["png", "jpeg", "gif", "webp"];
/// What fetches, hides what fetches, or leaves the picture's place on the page, in a style.
const FETCHING: [&str; 10] = [
    "@import",
    "@font-face",
    "@namespace",
    "\\",
    "image(",
    "image-set(",
    "src(",
    "expression(",
    ":host",
    "position",
];
/// Deeper than any picture of ours.
const DEEPEST: usize = 16;

/// Why a text cannot be shown as a picture in a page.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("not a safe SVG picture: {found}")]
pub struct SvgError {
    found: String,
}

/// The picture without anything that could run or fetch; see the module. Its dark colours are
/// for screens only, so that paper stays light.
///
/// # Errors
/// If the text is not well-formed XML, is not SVG, has a document type, has elements more
/// than 16 deep or with more than 256 attributes, or its style could fetch or leave the
/// picture's place.
pub fn safe_svg(text: &str) -> Result<String, SvgError> {
    let failed = |found: String| SvgError { found };
    scan::check(text, DEEPEST).map_err(failed)?;
    let document = Document::parse(text).map_err(|error| failed(format!("{error}")))?;
    let root = document.root_element();
    if !root.has_tag_name((SVG, "svg")) {
        return Err(failed(format!("the element `{}`", cut(root.tag_name().name()))));
    }
    let mut out = String::with_capacity(text.len() + 64);
    write_element(&mut out, root, 0).map_err(failed)?;
    Ok(out)
}

fn write_element(out: &mut String, node: Node<'_, '_>, depth: usize) -> Result<(), String> {
    let name = node.tag_name().name();
    if depth > DEEPEST {
        return Err(format!("elements more than {DEEPEST} deep"));
    }
    let _ = write!(out, "<{name}");
    if depth == 0 {
        let _ = write!(out, " xmlns=\"{SVG}\"");
    }
    for attribute in node.attributes() {
        let value = attribute.value();
        // The older spelling of a reference is written as the newer one, but not beside it.
        if attribute.namespace() == Some(XLINK) && node.attribute("href").is_some() {
            continue;
        }
        if is_allowed(name, attribute.namespace(), attribute.name(), value)? {
            let _ = write!(out, " {}=\"{}\"", attribute.name(), escape(value));
        }
    }
    if !node.has_children() {
        out.push_str("/>");
        return Ok(());
    }
    out.push('>');
    let inside = out.len();
    if TEXT_ONLY.contains(&name) {
        let text: String =
            node.descendants().filter(Node::is_text).filter_map(|n| n.text()).collect();
        match name {
            "style" => out.push_str(&style(&text)?),
            _ => out.push_str(&escape(&text)),
        }
    } else {
        for child in node.children() {
            match child.node_type() {
                NodeType::Text => out.push_str(&escape(child.text().unwrap_or(""))),
                NodeType::Element if is_drawing(&child) => write_element(out, child, depth + 1)?,
                _ => {}
            }
        }
    }
    if out.len() == inside {
        // Nothing was left of it.
        out.pop();
        out.push_str("/>");
    } else {
        let _ = write!(out, "</{name}>");
    }
    Ok(())
}

fn is_drawing(node: &Node<'_, '_>) -> bool {
    let tag = node.tag_name();
    tag.namespace() == Some(SVG) && DRAWING.split(' ').any(|name| name == tag.name())
}

/// Whether an attribute may stay; references within attributes are as restricted as styles.
fn is_allowed(
    element: &str,
    namespace: Option<&str>,
    name: &str,
    value: &str,
) -> Result<bool, String> {
    let lower = name.to_ascii_lowercase();
    let plain = lower.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    if !plain || lower.starts_with("on") {
        return Ok(false);
    }
    match namespace {
        None => {}
        Some(XLINK) if lower == "href" => {}
        Some(_) => return Ok(false),
    }
    if lower == "href" {
        let raster =
            IMAGES.iter().any(|kind| value.starts_with(&format!("data:image/{kind};base64,")));
        return Ok(value.starts_with('#') || element == "image" && raster);
    }
    fetches(value).map_or(Ok(true), Err)
}

/// A style sheet, with its dark colours for screens only.
fn style(text: &str) -> Result<String, String> {
    if let Some(found) = fetches(text) {
        return Err(found);
    }
    let screen = text.replace("@media (prefers-color-scheme:dark)", DARK_ON_SCREEN);
    // Lines stay as they are: a style has them in strings only where it is broken.
    Ok(screen.lines().map(escape).collect::<Vec<_>>().join("\n"))
}

/// The condition that the page's script looks for when the reader chooses a theme.
const DARK_ON_SCREEN: &str = "@media screen and (prefers-color-scheme:dark)";

/// What in a style or an attribute could fetch.
fn fetches(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    if let Some(bad) = FETCHING.iter().find(|bad| lower.contains(**bad)) {
        return Some(format!("`{bad}` in a style"));
    }
    let mut rest = lower.as_str();
    while let Some(at) = rest.find("url(") {
        rest = rest[at + 4..].trim_start_matches([' ', '"', '\'', '\t', '\n']);
        if !rest.starts_with('#') {
            return Some(format!("a reference to `{}` in a style", cut(rest)));
        }
    }
    None
}

/// Text of a file, short enough for a message.
fn cut(text: &str) -> String {
    text.chars().take(40).collect()
}
