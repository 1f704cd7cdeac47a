//! Tree shapes, made from a seed.
