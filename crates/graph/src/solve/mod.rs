//! Potentials for given currents.
