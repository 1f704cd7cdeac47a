//! Power flows against references: stored solutions of other tools, and a slow engine.
#![allow(clippy::unwrap_used)]

mod stored;
mod tables;
