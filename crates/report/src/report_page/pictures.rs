//! Pictures in a page.

use super::Shown;
use crate::svg::escape;
use palmette_core::Record;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// What a shadow root adds to a picture's own style: it takes the width that there is, and is
/// enlarged a little at most. Ours are drawn so that their text can be read on a phone, too.
const FRAME: &str = "svg{display:block;margin:0 auto;width:min(100%,calc(1.25*var(--width)));\
    height:auto}";

/// What files of a run's pictures are called, without their ending: the number of the run from
/// 1, its command, the name of the picture and the side of a comparison, in letters, digits and
/// dashes; each name once.
pub fn file_stems(number: usize, record: &Record, side: &str) -> Vec<String> {
    let mut stems: Vec<String> = Vec::new();
    let mut taken: HashSet<String> = HashSet::new();
    let mut next: HashMap<String, usize> = HashMap::new();
    for picture in &record.pictures {
        let parts = [&number.to_string(), &record.command, &picture.name, side].map(plain);
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let stem = parts.join("-");
        // Where the last of the same name was found free, so that many of them take no longer.
        let number = next.entry(stem.clone()).or_insert(1);
        let name = loop {
            let name = if *number == 1 { stem.clone() } else { format!("{stem}-{number}") };
            *number += 1;
            if taken.insert(name.clone()) {
                break name;
            }
        };
        stems.push(name);
    }
    stems
}

fn plain(text: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let dashed: String = text.chars().map(letter).take(60).collect();
    dashed.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

/// A picture, and beside it the data of its view.
pub(super) fn write(page: &mut String, stem: &str, shown: &Shown<'_>, side: &str) {
    let Shown { picture, svg, view } = shown;
    let title = if picture.title.is_empty() { &picture.name } else { &picture.title };
    let (title, stem, side) = (escape(title), escape(stem), escape(side));
    let side = if side.is_empty() { side } else { format!("<span class=\"side\">{side}</span> ") };
    let (width, height) = size(svg);
    let _ = write!(
        page,
        "<figure class=\"picture\" data-file=\"{stem}\">\n\
         <figcaption>{side}{title}</figcaption>\n\
         <div class=\"stage still\" style=\"--width:{width}px;--height:{height}px\">\
         <template shadowrootmode=\"open\"><style>{FRAME}</style>{svg}</template></div>\n"
    );
    if let Some(view) = view {
        // Only strings can hold a `<`, and there an escape means the same.
        let data = view.to_value().to_string().replace('<', "\\u003c");
        let _ = writeln!(page, "<script type=\"application/json\" class=\"view\">{data}</script>");
    }
    page.push_str("</figure>\n");
}

/// The width and height that a picture states, so that its place is known before it is drawn.
fn size(svg: &str) -> (u32, u32) {
    let head = svg.split_once('>').map_or(svg, |(head, _)| head);
    let number = |name: &str| {
        let (_, value) = head.split_once(&format!(" {name}=\""))?;
        let (value, _) = value.split_once('"')?;
        value.parse::<f64>().ok().filter(|v| (1.0..1e5).contains(v)).map(|v| v.ceil() as u32)
    };
    (number("width").unwrap_or(800), number("height").unwrap_or(600))
}
