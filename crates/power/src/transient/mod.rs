//! Waveforms of a grid with capacitors and inductors.
