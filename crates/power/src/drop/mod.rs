//! The operating point of a grid: voltages, drops, currents.
