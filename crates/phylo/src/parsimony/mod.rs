//! Parsimony: changes along a tree, and ancestral states.
