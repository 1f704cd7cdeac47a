//! Pictures as PNG files.
//!
//! **Method.** resvg draws the picture in its light colours. Text needs fonts: those of the
//! system, and two that are carried along, so that labels never vanish. Pictures may be
//! anybody's, so what they would cost is counted before they are drawn (`budget`), and a failure
//! of the rasteriser is an error like any other.
//!
//! **Cost.** Linear in the pixels and the shapes; the system's fonts are looked for once. A
//! picture takes a few seconds at most; what would take longer is refused.
//!
//! **Determinism.** The same file for the same picture and the same fonts.

mod budget;
#[cfg(test)]
mod hostile;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Family, Query, Weight};
use resvg::usvg::{Options, Tree};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use thiserror::Error;

/// A file has at most this many pixels: 256 MB of memory.
const MOST_PIXELS: f64 = 64e6;
/// What systems have for text without serifs, the first that is there is taken.
const FAMILIES: [&str; 9] = [
    "Inter",
    "Segoe UI",
    "Helvetica Neue",
    "Helvetica",
    "Arial",
    "DejaVu Sans",
    "Noto Sans",
    "Liberation Sans",
    CARRIED,
];
/// The name of the font that is carried along.
const CARRIED: &str = "Ubuntu";

/// Why a picture cannot become a PNG file.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum RenderError {
    /// The text is not SVG.
    #[error("not an SVG picture: {0}")]
    Svg(String),
    /// The picture is too large, or has no size.
    #[error("too large: {0} × {1} pixels, at most 64 million")]
    Size(u64, u64),
    /// A shape is far outside, or has no place at all.
    #[error("a shape lies {found:e} pixels from the picture's corner, at most {most} are allowed")]
    Reach { found: f64, most: u64 },
    /// A number is too large for any picture.
    #[error("the number {found:e} is too large, at most {most} is allowed")]
    Number { found: f64, most: f64 },
    /// Drawing it would take too long, or too much memory.
    #[error("too many {what}: {found:e}, at most {most:e}")]
    Budget { what: &'static str, found: f64, most: f64 },
    /// The picture has something that pictures here never have.
    #[error("pictures with {0} are not supported")]
    Feature(&'static str),
    /// The rasteriser failed on it.
    #[error("the rasteriser failed: {0}")]
    Failed(String),
    /// The file could not be made.
    #[error("cannot write the PNG file: {0}")]
    Encode(String),
}

/// The picture as a PNG file, `scale` pixels for one of its own.
///
/// ```
/// # let svg = palmette_report::LineChart::default().to_svg();
/// let file = palmette_report::png::render(&svg, 2.0)?;
/// assert!(file.starts_with(b"\x89PNG"));
/// # Ok::<(), palmette_report::png::RenderError>(())
/// ```
///
/// # Errors
/// If the text is not SVG, there are no pixels or more than 64 million, shapes lie far outside,
/// drawing would take too long, or the rasteriser fails.
///
/// A failure of the rasteriser is a panic that is caught; programs that do not want to see its
/// message silence their panic hook meanwhile.
pub fn render(svg: &str, scale: f32) -> Result<Vec<u8>, RenderError> {
    caught(|| draw(svg, scale))
}

/// A panic as an error. Nothing outlives it but the fonts, which are only read.
fn caught<T>(draw: impl FnOnce() -> Result<T, RenderError>) -> Result<T, RenderError> {
    catch_unwind(AssertUnwindSafe(draw)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        Err(RenderError::Failed(text.unwrap_or_else(|| "no reason given".to_string())))
    })
}

fn draw(svg: &str, scale: f32) -> Result<Vec<u8>, RenderError> {
    budget::check_text(svg)?;
    let options =
        Options { fontdb: fonts(), font_family: "sans-serif".into(), ..Options::default() };
    let tree =
        Tree::from_str(svg, &options).map_err(|error| RenderError::Svg(error.to_string()))?;
    let size = tree.size();
    let [width, height] = [size.width(), size.height()].map(|side| f64::from(side * scale).ceil());
    let wrong = RenderError::Size(width as u64, height as u64);
    if !(width >= 1.0 && height >= 1.0 && width * height <= MOST_PIXELS) {
        return Err(wrong);
    }
    budget::check(&tree, scale, [width, height])?;
    let mut pixels = Pixmap::new(width as u32, height as u32).ok_or(wrong)?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| RenderError::Encode(error.to_string()))
}

/// The fonts of the system, and those that are carried along.
fn fonts() -> Arc<Database> {
    static FONTS: OnceLock<Arc<Database>> = OnceLock::new();
    let found = FONTS.get_or_init(|| {
        let mut fonts = Database::new();
        fonts.load_system_fonts();
        Arc::new(with_family(fonts))
    });
    found.clone()
}

/// Adds the carried fonts, and names a family for text without serifs: one of the system's if
/// there is a known one. Signs that it lacks come from any other font.
fn with_family(mut fonts: Database) -> Database {
    // The second has signs that the first lacks, such as the minus of exponents.
    for font in [epaint_default_fonts::UBUNTU_LIGHT, epaint_default_fonts::HACK_REGULAR] {
        fonts.load_font_data(font.to_vec());
    }
    let there = |name: &&&str| {
        let families = &[Family::Name(name)];
        fonts.query(&Query { families, weight: Weight::NORMAL, ..Query::default() }).is_some()
    };
    let family = FAMILIES.iter().find(there).copied().unwrap_or(CARRIED);
    fonts.set_sans_serif_family(family);
    fonts.set_serif_family(family);
    fonts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::{Anchor, Svg};
    use resvg::usvg::{Group, Node};

    #[test]
    fn the_carried_font_has_our_signs() {
        let fonts = with_family(Database::new());
        let face = fonts.faces().next().expect("the carried font");
        assert!(face.families.iter().any(|(name, _)| name.contains(CARRIED)), "{face:?}");
        let options = Options { fontdb: Arc::new(fonts), ..Options::default() };
        for text in ["a", "2¹⁷", "3 × 4", "·", "…", "√n", "log² n", "–", "n¹·⁵", "10⁻³", "−"]
        {
            let mut picture = Svg::new(200.0, 40.0, "", "");
            picture.text((5.0, 20.0), Anchor::Start, "", text, "");
            let tree = Tree::from_str(&picture.finish(), &options).expect("a picture");
            let glyphs = glyphs(tree.root());
            assert_eq!(glyphs.len(), text.chars().count(), "{text}");
            assert!(glyphs.iter().all(|&glyph| glyph != 0), "{text} has a sign that is missing");
        }
    }

    /// The numbers of all glyphs of all texts; 0 is the sign for a missing one.
    fn glyphs(group: &Group) -> Vec<u32> {
        let mut found = Vec::new();
        for node in group.children() {
            match node {
                Node::Group(group) => found.extend(glyphs(group)),
                Node::Text(text) => {
                    let spans = text.layouted().iter();
                    found.extend(spans.flat_map(|s| s.positioned_glyphs.iter().map(|g| g.id.0)));
                }
                _ => {}
            }
        }
        found
    }

    #[test]
    fn sizes_have_limits() {
        let picture = Svg::new(20000.0, 20000.0, "", "").finish();
        assert_eq!(render(&picture, 1.0), Err(RenderError::Size(20000, 20000)));
        assert!(render(&picture, 0.0).is_err());
        assert!(render(&picture, f32::NAN).is_err());
        assert!(matches!(render("no picture", 1.0), Err(RenderError::Svg(_))));
    }
}
