//! Shape, balance and time of one tree.
