//! What a page shows of a run beyond a still picture: data, and a `kind` that says how.
//!
//! A view stands beside a picture in a record (`view` of
//! [`Picture`](palmette_core::Picture)), as JSON that was written by
//! [`View::to_value`]. Records come from files, so [`View::parse`] checks all that the page's
//! script relies on: lengths, and that numbers name something.
//!
//! A new kind is a file here, a variant of [`View`], and a file of script in
//! `report_page/assets`; see docs/report.md.

mod links;
mod queues;
mod rounds;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

pub use links::{LinksView, MAX_LOADS};
pub use queues::{MAX_QUEUES, QueueFrame, QueuesView};
pub use rounds::{Contraction, MAX_CELLS, MAX_MESSAGES, MessageKind, Messages, RoundsView, Unit};

/// A view of any kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[non_exhaustive]
pub enum View {
    /// The rounds of a contraction on a grid.
    Rounds(RoundsView),
    /// The loads of links, phase by phase.
    Links(LinksView),
    /// The queues of routers over time.
    Queues(QueuesView),
}

/// What is wrong with a view.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected {expected}, found {found}")]
pub struct ViewError {
    /// What belongs there.
    pub expected: String,
    /// What is there.
    pub found: String,
}

impl ViewError {
    pub(crate) fn new(expected: impl Into<String>, found: impl Into<String>) -> Self {
        ViewError { expected: expected.into(), found: found.into() }
    }
}

/// Fails unless `count` is as many as wanted.
fn check_count(what: &str, count: usize, wanted: usize) -> Result<(), ViewError> {
    if count == wanted {
        return Ok(());
    }
    Err(ViewError::new(format!("{wanted} numbers in `{what}`"), format!("{count}")))
}

/// Fails when there are more than a page can show.
fn check_most(what: &str, count: usize, most: usize) -> Result<(), ViewError> {
    if count <= most {
        return Ok(());
    }
    Err(ViewError::new(format!("at most {most} {what}"), format!("{count}")))
}

impl View {
    /// The view of a record; none where its kind is not one of ours, so that records of later
    /// versions still make a report.
    ///
    /// # Errors
    /// When the view has no kind, or its data are not what its kind demands.
    pub fn parse(value: &Value) -> Result<Option<View>, ViewError> {
        let Some(kind) = value.get("kind").and_then(Value::as_str) else {
            return Err(ViewError::new("a view with a text `kind`", "none"));
        };
        if !["rounds", "links", "queues"].contains(&kind) {
            return Ok(None);
        }
        let view = View::deserialize(value).map_err(|error| {
            ViewError::new(format!("a view of kind `{kind}`"), error.to_string())
        })?;
        match &view {
            View::Rounds(rounds) => rounds.check()?,
            View::Links(links) => links.check()?,
            View::Queues(queues) => queues.check()?,
        }
        Ok(Some(view))
    }

    /// The view as a record holds it.
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).expect("a view has only numbers, texts and lists")
    }
}

impl From<RoundsView> for View {
    fn from(view: RoundsView) -> Self {
        View::Rounds(view)
    }
}

impl From<LinksView> for View {
    fn from(view: LinksView) -> Self {
        View::Links(view)
    }
}

impl From<QueuesView> for View {
    fn from(view: QueuesView) -> Self {
        View::Queues(view)
    }
}
