//! Pictures from files, made safe for a page.
//!
//! **Problem.** A record is a file, so its SVG is anybody's text; put into a page it must not run
//! script, fetch anything, or end the element it stands in.
//!
//! **Method.** The text is parsed as XML and written anew from a list of elements that draw.
//! Elements not on the list are left out with all that is in them. So are attributes of other
//! name spaces, those that name handlers, and references to anything but parts of the same
//! picture and raster images within it. Styles with anything that could fetch are refused. The
//! answer is the same to readers of XML and of HTML. A page's policy, which lets only its own
//! script run and nothing be fetched, is a second wall.
//!
//! **Cost.** Linear; the parsed picture takes a few times its size.

use crate::svg::escape;
use roxmltree::{Document, Node, NodeType};
use std::fmt::Write;
use thiserror::Error;

const SVG: &str = "http://www.w3.org/2000/svg";
const XLINK: &str = "http://www.w3.org/1999/xlink";

/// Elements that draw themselves, or hold such. What draws other parts again (`use`, `mask`,
/// `pattern`, `clipPath`) is not among them: a few lines of it keep a browser busy for ever.
const DRAWING: [&str; 19] = [
    "svg",
    "g",
    "defs",
    "title",
    "desc",
    "style",
    "path",
    "line",
    "polyline",
    "polygon",
    "rect",
    "circle",
    "ellipse",
    "text",
    "tspan",
    "image",
    "linearGradient",
    "radialGradient",
    "stop",
];
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

/// Why a text is no picture for a page.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected an SVG picture, found {found}")]
pub struct SvgError {
    found: String,
}

/// The picture without anything that could run or fetch; see the module. Its dark colours are
/// for screens only, so that paper stays light.
///
/// # Errors
/// When the text is not well-formed XML, is no SVG, has a document type, has elements more
/// than 16 deep, or its style could fetch or leave the picture's place.
pub fn safe_svg(text: &str) -> Result<String, SvgError> {
    let failed = |found: String| SvgError { found };
    let document =
        Document::parse(text).map_err(|error| failed(format!("text that is none: {error}")))?;
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
    let _ = write!(out, "</{name}>");
    Ok(())
}

fn is_drawing(node: &Node<'_, '_>) -> bool {
    let tag = node.tag_name();
    tag.namespace() == Some(SVG) && DRAWING.contains(&tag.name())
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

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(inside: &str) -> String {
        format!(
            "<svg xmlns=\"{SVG}\" xmlns:xlink=\"{XLINK}\" width=\"9\" height=\"9\">{inside}</svg>"
        )
    }

    #[test]
    fn our_pictures_stay_as_they_are() {
        let mut svg = crate::svg::Svg::new(40.0, 30.0, "a <b> & \"c\"", "it's");
        svg.gradient((1.0, 2.0), (3.0, 4.0), "scale", &["#000".into(), "#fff".into()]);
        svg.rect((1.0, 2.0), (3.0, 4.0), "f0", "5 > 4 & so on");
        svg.image((0.0, 0.0), (9.0, 9.0), "data:image/png;base64,AAAA");
        let text = svg.finish();
        let safe = safe_svg(&text).expect("a picture");
        let [before, after] = [&text, &safe].map(|text| Document::parse(text).expect("XML"));
        let shape = |document: &Document<'_>| -> Vec<String> {
            let nodes = document.descendants().filter(Node::is_element);
            nodes
                .map(|n| {
                    let attributes: Vec<_> =
                        n.attributes().map(|a| (a.name(), a.value())).collect();
                    let text = n
                        .text()
                        .unwrap_or("")
                        .replace(DARK_ON_SCREEN, "@media (prefers-color-scheme:dark)");
                    format!("{} {attributes:?} {}", n.tag_name().name(), text.trim())
                })
                .collect()
        };
        assert_eq!(shape(&before), shape(&after));
        assert!(safe.contains(DARK_ON_SCREEN));
        assert_eq!(safe_svg(&safe), Ok(safe.clone()), "cleaning twice changes nothing");
    }

    #[test]
    fn what_runs_or_fetches_is_left_out() {
        for inside in [
            "<script>alert(1)</script>",
            "<script xlink:href=\"data:text/javascript,alert(1)\"/>",
            "<foreignObject><body xmlns=\"http://www.w3.org/1999/xhtml\"><img src=\"x\" onerror=\"alert(1)\"/></body></foreignObject>",
            "<a href=\"javascript:alert(1)\"><text>x</text></a>",
            "<set attributeName=\"href\" to=\"javascript:alert(1)\"/>",
            "<animate attributeName=\"onclick\" values=\"alert(1)\"/>",
            "<h:script xmlns:h=\"http://www.w3.org/1999/xhtml\">alert(1)</h:script>",
            "<use href=\"#alert\"/><mask id=\"alert\"/><pattern id=\"alert\"/><clipPath id=\"alert\"/>",
            "<iframe src=\"javascript:alert(1)\"/>",
        ] {
            let safe = safe_svg(&picture(inside)).expect("a picture");
            assert!(!safe.contains("alert"), "{inside}: {safe}");
        }
        for attribute in [
            "onload=\"alert(1)\"",
            "ONCLICK=\"alert(1)\"",
            "xlink:href=\"http://example.org/\"",
            "href=\"//example.org/x.png\"",
            "href=\"data:image/svg+xml;base64,AAAA\"",
            "href=\" data:image/png;base64,AAAA\"",
            "xml:base=\"http://example.org/\"",
        ] {
            let safe = safe_svg(&picture(&format!("<image {attribute}/>"))).expect("a picture");
            assert!(safe.ends_with("<image/></svg>"), "{attribute}: {safe}");
        }
    }

    #[test]
    fn text_cannot_leave_its_element() {
        let hidden = "&lt;/style&gt;&lt;script&gt;alert(1)&lt;/script&gt;";
        for element in ["style", "title", "text"] {
            let safe =
                safe_svg(&picture(&format!("<{element}>{hidden}</{element}>"))).expect("a picture");
            assert!(!safe.contains("<script"), "{safe}");
        }
        let nested = picture("<title><b>bold</b><script>x</script></title>");
        assert!(safe_svg(&nested).expect("a picture").contains("<title>boldx</title>"));
        let comment = picture("<style><!-- </style><script>alert(1)</script> --></style>");
        assert!(!safe_svg(&comment).expect("a picture").contains("alert"));
    }

    #[test]
    fn styles_that_fetch_are_refused() {
        for style in [
            "@import 'x.css';",
            ".a{fill:url(http://example.org/#a)}",
            ".a{fill:url( \"//example.org\")}",
            ".a{background:\\75rl(x)}",
            ".a{background:image-set('x' 1x)}",
            ":host{inset:0}",
            "svg{position:fixed}",
        ] {
            assert!(safe_svg(&picture(&format!("<style>{style}</style>"))).is_err(), "{style}");
            let attribute = style.replace('"', "'");
            assert!(safe_svg(&picture(&format!("<g style=\"{attribute}\"/>"))).is_err(), "{style}");
        }
        assert!(safe_svg(&picture("<style>.a{fill:url(#g)}</style>")).is_ok());
    }

    #[test]
    fn other_texts_are_refused() {
        for text in
            ["", "no XML", "<svg/>", "<html xmlns=\"http://www.w3.org/1999/xhtml\"/>", "<svg"]
        {
            assert!(safe_svg(text).is_err(), "{text}");
        }
        let bomb = "<!DOCTYPE svg [<!ENTITY a \"aaaa\">]><svg xmlns=\"http://www.w3.org/2000/svg\"><text>&a;</text></svg>";
        assert!(safe_svg(bomb).is_err());
        let deep = picture(&("<g>".repeat(500) + &"</g>".repeat(500)));
        assert!(safe_svg(&deep).expect_err("deep").to_string().contains("16 deep"));
    }
}
