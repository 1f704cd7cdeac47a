//! Solves against dense elimination, on every kind of graph and with every preconditioner.

mod answers;
mod behaviour;
mod dense;
mod inputs;
mod quality;
mod resistance;
