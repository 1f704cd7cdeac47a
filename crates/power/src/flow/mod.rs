//! AC power flow of feeders.
