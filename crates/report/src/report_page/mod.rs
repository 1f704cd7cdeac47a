//! A report: one page of the runs that records tell of.
//!
//! **Problem.** Records of any commands, with pictures or without; a page that people look at
//! in a browser, on a phone, on paper, and that can be handed on as one file.
//!
//! **Method.** A section per run: its pictures, its figures, parameters and seconds, and what to
//! type for such a run. Pictures stand in trees of their own (declarative shadow roots), so that
//! their styles and names do not meet. A script, the only one that the page's policy lets run,
//! adds what paper cannot have: themes, pan and zoom, values under the pointer, views with
//! sliders, files to save. Without it the page shows the same pictures and figures.
//!
//! Everything from a record is text of others: it is escaped, pictures go through
//! [`safe_svg`], views through [`View::parse`].
//!
//! **Cost.** Linear. The script and the styles take some 40 kB of each page.

mod comparison;
mod figures;
mod pictures;
mod seconds;
mod section;
mod summary;

use crate::base64::base64;
use crate::colour::heat_variables;
use crate::page::head;
use crate::svg::escape;
use crate::untrusted::{SvgError, safe_svg};
use crate::view::{View, ViewError};
use palmette_core::{Picture, Record};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use thiserror::Error;

pub use pictures::file_stems;
pub use summary::key_figures;

const STYLE: &str = include_str!("assets/report.css");
/// One module, in files by what they do.
const SCRIPT: &str = concat!(
    include_str!("assets/theme.js"),
    include_str!("assets/hint.js"),
    include_str!("assets/camera.js"),
    include_str!("assets/saving.js"),
    include_str!("assets/still.js"),
    include_str!("assets/board.js"),
    include_str!("assets/rounds.js"),
    include_str!("assets/links.js"),
    include_str!("assets/queues.js"),
    include_str!("assets/page.js"),
);

/// Runs, on one page.
///
/// ```
/// use palmette_core::Record;
/// use palmette_report::ReportPage;
/// let mut record = Record::new("tree info", "pets.csv");
/// record.figure("vertices", 1234567);
/// let page = ReportPage { title: "Pets", overview: None, records: &[record], compared: None };
/// assert!(page.to_html()?.contains("1,234,567"));
/// # Ok::<(), palmette_report::PageError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReportPage<'a> {
    /// The heading and the name of the page.
    pub title: &'a str,
    /// A picture of all runs together, which opens the page.
    pub overview: Option<&'a Picture>,
    /// The runs, in the order in which they are shown.
    pub records: &'a [Record],
    /// Other runs to show beside these.
    pub compared: Option<Compared<'a>>,
}

/// The other side of a comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Compared<'a> {
    /// As many runs as the page has: one beside each.
    pub records: &'a [Record],
    /// What to call the page's own side and this one, such as the names of their files.
    pub names: [&'a str; 2],
}

/// What keeps a record out of a page. Records count from 0, those of the other side on.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum PageError {
    /// A picture is none.
    #[error("record {}, picture `{picture}`: {source}", .record + 1)]
    Svg { record: usize, picture: String, source: SvgError },
    /// A view is not what its kind demands.
    #[error("record {}, view of picture `{picture}`: {source}", .record + 1)]
    View { record: usize, picture: String, source: ViewError },
    /// The picture of all runs is none.
    #[error("overview: {0}")]
    Overview(SvgError),
    /// The two sides of a comparison do not fit.
    #[error("the sides have different numbers of records: {0} and {1}")]
    Sides(usize, usize),
}

impl PageError {
    /// Which record it is about, from 0; those of the other side count on.
    pub fn record(&self) -> Option<usize> {
        match self {
            PageError::Svg { record, .. } | PageError::View { record, .. } => Some(*record),
            PageError::Overview(_) | PageError::Sides(..) => None,
        }
    }

    /// The same about a record of another number, such as its place in a file.
    pub fn at(mut self, number: usize) -> Self {
        match &mut self {
            PageError::Svg { record, .. } | PageError::View { record, .. } => *record = number,
            PageError::Overview(_) | PageError::Sides(..) => {}
        }
        self
    }
}

/// A picture that may stand in a page.
struct Shown<'a> {
    picture: &'a Picture,
    svg: String,
    view: Option<View>,
}

impl ReportPage<'_> {
    /// The page.
    ///
    /// # Errors
    /// If a picture is not SVG, a view is not what its kind demands, or the sides of a
    /// comparison differ in length.
    pub fn to_html(&self) -> Result<String, PageError> {
        let title = escape(self.title);
        let mut page = head(&title, &policy(), &[STYLE, &heat_variables()]);
        let _ = write!(
            page,
            "<header class=\"top\">\n<h1>{title}</h1>\n<div class=\"tools\" id=\"page-tools\">\
             </div>\n</header>\n<main>\n"
        );
        match &self.compared {
            None => self.write_runs(&mut page)?,
            Some(compared) => self.write_pairs(&mut page, compared)?,
        }
        let _ = write!(
            page,
            "</main>\n<footer>Made by palmette {}. This file is self-contained and fetches \
            nothing.</footer>\n<script type=\"module\">{SCRIPT}</script>\n</body>\n</html>\n",
            env!("CARGO_PKG_VERSION")
        );
        Ok(page)
    }

    /// The picture of all runs, if there is one, and beside it what they are.
    fn write_opening(
        &self,
        page: &mut String,
        summary: impl FnOnce(&mut String),
    ) -> Result<(), PageError> {
        let Some(picture) = self.overview else {
            summary(page);
            return Ok(());
        };
        let svg = safe_svg(&picture.svg).map_err(PageError::Overview)?;
        page.push_str("<div class=\"opening\">\n");
        pictures::write(page, "overview", &Shown { picture, svg, view: None }, "");
        page.push_str("<div>\n");
        summary(page);
        page.push_str("</div>\n</div>\n");
        Ok(())
    }

    fn write_runs(&self, page: &mut String) -> Result<(), PageError> {
        self.write_opening(page, |page| summary::write(page, self.records))?;
        for (i, record) in self.records.iter().enumerate() {
            section::write(page, i, record, &shown(i, record)?);
        }
        Ok(())
    }

    fn write_pairs(&self, page: &mut String, compared: &Compared<'_>) -> Result<(), PageError> {
        let count = self.records.len();
        if count != compared.records.len() {
            return Err(PageError::Sides(count, compared.records.len()));
        }
        self.write_opening(page, |page| {
            comparison::write_summary(page, self.records, compared);
        })?;
        for (i, pair) in self.records.iter().zip(compared.records).enumerate() {
            let pictures = [shown(i, pair.0)?, shown(count + i, pair.1)?];
            comparison::write(page, i, [pair.0, pair.1], &pictures);
        }
        Ok(())
    }
}

/// The pictures of a record of this number, made safe.
fn shown(record: usize, Record { pictures, .. }: &Record) -> Result<Vec<Shown<'_>>, PageError> {
    let one = |picture: &'_ Picture| {
        let name = picture.name.clone();
        let svg = safe_svg(&picture.svg);
        let view = picture.view.as_ref().map(View::parse).transpose();
        match (svg, view) {
            (Ok(svg), Ok(view)) => Ok((svg, view.flatten())),
            (Err(source), _) => Err(PageError::Svg { record, picture: name, source }),
            (_, Err(source)) => Err(PageError::View { record, picture: name, source }),
        }
    };
    let shown = |picture| one(picture).map(|(svg, view)| Shown { picture, svg, view });
    pictures.iter().map(shown).collect()
}

/// Nothing may be fetched, and only our script may run.
fn policy() -> String {
    let hash = base64(&Sha256::digest(SCRIPT.as_bytes()));
    format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; img-src data: blob:; script-src 'sha256-{hash}'; \
         base-uri 'none'; form-action 'none'\"/>\n"
    )
}

/// A key as words: `max_link_load` as `max link load`.
fn words(key: &str) -> String {
    key.replace('_', " ")
}
