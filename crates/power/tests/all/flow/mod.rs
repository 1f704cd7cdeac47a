//! Power flows against references: stored solutions of other tools, and a slow engine.

mod batch;
mod certificate;
mod limits;
mod newton;
mod outages;
mod random;
mod random_phases;
mod stored;
mod tables;
