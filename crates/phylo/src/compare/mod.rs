//! Distances between trees, and consensus.
