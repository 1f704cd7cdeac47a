//! Aggregates over trees and ancestor queries, one folder a problem.
#![deny(missing_docs)]

pub mod paths;
