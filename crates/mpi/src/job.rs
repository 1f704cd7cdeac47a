//! The life of an MPI job: if one rank fails, the job ends on all.

use crate::MpiTransport;
use mpi::Threading;
use mpi::environment::Universe;
use mpi::traits::Communicator;
use std::error::Error;

/// The exit code of a job that the user can set right.
const USER: i32 = 2;

/// The exit code of a job that ended by our own mistake.
const OWN: i32 = 101;

/// This process as a rank of a job. Dropping it leaves the job in good order.
pub struct Job {
    universe: Universe,
}

impl Job {
    /// Joins the job that `mpirun` started; a process that was started alone is a job of one
    /// rank. From now on a panic on any thread of any rank ends the job on all of them.
    ///
    /// # Errors
    /// When MPI was there before, or allows calls from one thread only.
    pub fn start() -> Result<Job, String> {
        let (universe, threading) = mpi::initialize_with_threading(Threading::Serialized)
            .ok_or("MPI has been started before in this process")?;
        if threading < Threading::Serialized {
            return Err(format!("MPI allows {threading:?} threads; expected Serialized"));
        }
        let job = Job { universe };
        let (rank, usual) = (job.rank(), std::panic::take_hook());
        std::panic::set_hook(Box::new(move |panic| {
            usual(panic);
            eprintln!("rank {rank} panicked; ending the job");
            abort(OWN);
        }));
        Ok(job)
    }

    /// The number of this process.
    pub fn rank(&self) -> usize {
        self.universe.world().rank() as usize
    }

    /// How many processes there are.
    pub fn ranks(&self) -> usize {
        self.universe.world().size() as usize
    }

    /// A transport between all ranks, with messages of its own. All ranks must call this together.
    pub fn transport(&self) -> MpiTransport {
        MpiTransport::new(&self.universe.world())
    }

    /// Runs a program. When it fails on a rank, that rank prints why, and the job ends on all
    /// of them with exit code 2.
    pub fn run<R>(&self, program: impl FnOnce(MpiTransport) -> Result<R, Box<dyn Error>>) -> R {
        match program(self.transport()) {
            Ok(answer) => answer,
            Err(error) => self.fail(&error.to_string()),
        }
    }

    /// Waits for the end of the job, which another rank is about to bring about; ends it where
    /// that does not happen soon.
    pub fn wait(&self) -> ! {
        std::thread::sleep(std::time::Duration::from_secs(10));
        abort(USER)
    }

    /// Ends the job on all ranks with exit code 2; from any thread.
    pub fn abort() -> ! {
        abort(USER)
    }

    /// Prints why and ends the job on all ranks with exit code 2.
    pub fn fail(&self, message: &str) -> ! {
        fail(self.rank(), message)
    }
}

/// Prints why and ends the job on all ranks with exit code 2.
pub(crate) fn fail(rank: usize, message: &str) -> ! {
    eprintln!("error: rank {rank}: {message}");
    abort(USER)
}

fn abort(code: i32) -> ! {
    // SAFETY: MPI has been started, and may be called from any thread here: where another
    // thread is inside a call, both belong to a job that is at its end.
    unsafe { mpi::ffi::MPI_Abort(mpi::ffi::RSMPI_COMM_WORLD, code) };
    std::process::exit(code)
}
