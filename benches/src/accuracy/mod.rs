//! The study of accuracy: Defour and Marin's Figure 10 with every engine, compensated and
//! exact sums and bounds; and what they cost.

pub mod cost;
pub mod instance;
pub mod page;
pub mod place;
pub mod study;
pub mod values;
