//! Paths in a tree.
