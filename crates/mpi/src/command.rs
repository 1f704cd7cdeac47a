//! What all commands on ranks share: the command line, and what is done where one rank fails.

use clap::{Args, Parser};
use palmette::core::memory::available;
use palmette::core::ranks::{Metered, Ranks};
use palmette_mpi::{Job, MpiTransport};
use palmette_vocabulary::shown_bytes;
use std::error::Error;
use std::path::Path;

pub(crate) type Outcome<T> = Result<T, Box<dyn Error>>;

/// The way to the other ranks.
pub(crate) type Links = Metered<MpiTransport>;

/// What all ranks have found, or what the first found wrong.
pub(crate) fn agree<T>(
    ranks: &mut Links,
    found: Result<T, impl Into<Box<dyn Error>>>,
) -> Outcome<T> {
    ranks.agree(found.map_err(Into::into))
}

pub(crate) fn ends_in(path: &Path, ending: &str) -> bool {
    path.to_string_lossy().to_lowercase().ends_with(ending)
}

#[derive(Debug, Args)]
pub(crate) struct RunOptions {
    /// Print one JSON record on stdout.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print no summary.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Understands a command line; nothing where that only asked for help.
pub(crate) fn parsed<A: Parser>(
    job: &Job,
    ranks: &mut Links,
    words: &[&str],
) -> Outcome<Option<A>> {
    let error = match A::try_parse_from(words) {
        Ok(arguments) => return Ok(Some(arguments)),
        Err(error) => error,
    };
    if job.rank() == 0 {
        // A closed pipe is not an error.
        let _ = error.print();
    }
    if error.use_stderr() {
        // All ranks are here, so that nothing is cut off.
        ranks.sum(0)?;
        Job::abort();
    }
    Ok(None)
}

/// Refuses to read so many bytes' worth of something that this rank has no room for.
pub(crate) fn check_room(
    ranks: &mut Links,
    most: Option<u64>,
    file: &str,
    needed: u64,
    what: &str,
) -> Outcome<()> {
    let room = match most {
        None => {
            let together = ranks.inner().ranks_on_this_machine() as u64;
            available().map(|left| left / together)
        }
        given => given,
    };
    let fits = match room {
        Some(room) if room < needed => {
            let (rank, room, needed) = (ranks.rank(), shown_bytes(room), shown_bytes(needed));
            Err(format!(
                "{file}: {what} on rank {rank} take {needed} of memory, which has room for {room}; \
                 take more ranks or machines"
            ))
        }
        _ => Ok(()),
    };
    agree(ranks, fits)
}
