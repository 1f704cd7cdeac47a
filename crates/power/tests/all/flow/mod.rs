//! Power flows against references: stored solutions of other tools, and a slow engine.

mod stored;
mod tables;
