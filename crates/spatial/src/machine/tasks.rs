//! Work for all threads, whatever it is.
//!
//! Programs are many, and each has its own types. What spreads work over threads knows
//! none of them, so that it is compiled once.

use rayon::prelude::*;

/// Something to be done once.
pub(super) trait Task: Send {
    fn run(&mut self);
}

/// Does all of it, on all threads of the current pool.
pub(super) fn run_all(tasks: &mut [&mut dyn Task]) {
    tasks.par_iter_mut().with_max_len(1).for_each(|task| task.run());
}
