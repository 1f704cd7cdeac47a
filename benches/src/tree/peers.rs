//! Peers from PyPI.
