//! Diversity of samples of tips.
