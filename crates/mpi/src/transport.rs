//! Exchanges by non-blocking messages.
//!
//! **Method.** Buffers and requests are made once. An exchange posts all receives, then all
//! sends, a message for each rank that there are words for; it ends when all have ended.
//!
//! **Unsafe.** rsmpi's safe requests are bound to a scope; an exchange that begins in one
//! call and ends in another has none. So MPI's own functions are called, on buffers that
//! belong to the transport and are not touched, moved or freed while an exchange is under way.

use mpi::ffi;
use mpi::topology::{Color, SimpleCommunicator};
use mpi::traits::{AsRaw, Communicator, Equivalence};
use palmette_mesh::spmv::{Transport, TransportError};
use std::ffi::c_int;
use std::mem::MaybeUninit;

const TAG: c_int = 7;

/// The way to the other ranks of an MPI job; see the file.
pub struct MpiTransport {
    communicator: SimpleCommunicator,
    rank: usize,
    sends: Vec<Peer>,
    receives: Vec<Peer>,
    outgoing: Vec<f64>,
    incoming: Vec<f64>,
    /// Those of receives first; not empty while an exchange is under way.
    requests: Vec<ffi::MPI_Request>,
    statuses: Vec<ffi::MPI_Status>,
}

/// Words to or from one rank.
struct Peer {
    rank: c_int,
    first: usize,
    words: c_int,
}

// SAFETY: MPI is started such that any thread may call it, one at a time; calls need the
// transport exclusively, and handles of requests are not bound to a thread.
unsafe impl Send for MpiTransport {}

impl MpiTransport {
    pub(crate) fn new(world: &SimpleCommunicator) -> MpiTransport {
        let communicator = world.duplicate();
        let handler = errors_return();
        // SAFETY: the communicator is alive. Errors come back as codes from now on.
        unsafe { ffi::MPI_Comm_set_errhandler(communicator.as_raw(), handler) };
        MpiTransport {
            rank: world.rank() as usize,
            communicator,
            sends: Vec::new(),
            receives: Vec::new(),
            outgoing: Vec::new(),
            incoming: Vec::new(),
            requests: Vec::new(),
            statuses: Vec::new(),
        }
    }

    /// The ranks that call this with the same number, among themselves, in their order. All ranks must call
    /// this together.
    ///
    /// # Errors
    /// When MPI makes no group.
    pub fn group(&self, number: usize) -> Result<MpiTransport, TransportError> {
        let color = Color::with_value(self.count(number)?);
        let group = self.communicator.split_by_color(color);
        let group = group.ok_or_else(|| TransportError::Library {
            rank: self.rank,
            message: "MPI made no group of ranks".to_string(),
        })?;
        Ok(MpiTransport::new(&group))
    }

    pub(crate) fn communicator(&self) -> &SimpleCommunicator {
        &self.communicator
    }

    /// What a code of MPI means.
    pub(crate) fn check(&self, code: c_int) -> Result<(), TransportError> {
        if code == ffi::MPI_SUCCESS as c_int {
            return Ok(());
        }
        let mut text = [0u8; ffi::MPI_MAX_ERROR_STRING as usize];
        let mut length = 0;
        // SAFETY: the buffer is as long as MPI asks for.
        unsafe { ffi::MPI_Error_string(code, text.as_mut_ptr().cast(), &mut length) };
        let message = String::from_utf8_lossy(&text[..length.max(0) as usize]).into_owned();
        Err(TransportError::Library { rank: self.rank, message })
    }

    /// As [`check`](Self::check), after a wait for all requests: says which receive failed.
    fn check_receives(&self, code: c_int) -> Result<(), TransportError> {
        let wrong = |status: &&ffi::MPI_Status| status.MPI_ERROR != ffi::MPI_SUCCESS as c_int;
        if code == ffi::MPI_ERR_IN_STATUS as c_int
            && let Some(place) = self.statuses.iter().position(|status| wrong(&status))
            && let Err(TransportError::Library { rank, message }) =
                self.check(self.statuses[place].MPI_ERROR)
        {
            let message = match self.receives.get(place) {
                Some(Peer { rank: from, words, .. }) => {
                    format!("{message}: expected {words} words from rank {from}")
                }
                None => message,
            };
            return Err(TransportError::Library { rank, message });
        }
        self.check(code)
    }

    fn peers(&self, words: &[usize]) -> Result<Vec<Peer>, TransportError> {
        let mut first = 0;
        let mut peers = Vec::new();
        for (rank, &words) in words.iter().enumerate() {
            if words > 0 {
                peers.push(Peer { rank: rank as c_int, first, words: self.count(words)? });
            }
            first += words;
        }
        Ok(peers)
    }

    /// MPI counts with 31 bits.
    pub(crate) fn count(&self, words: usize) -> Result<c_int, TransportError> {
        c_int::try_from(words).map_err(|_| TransportError::Library {
            rank: self.rank,
            message: format!("{words} words are more than MPI can count"),
        })
    }

    /// Counts and places as MPI wants them.
    pub(crate) fn layout(&self, counts: &[usize]) -> Result<[Vec<c_int>; 2], TransportError> {
        let mut end = 0;
        let mut layout = [(); 2].map(|()| Vec::with_capacity(counts.len()));
        for &count in counts {
            layout[0].push(self.count(count)?);
            layout[1].push(self.count(end)?);
            end += count;
        }
        Ok(layout)
    }

    /// The numbers of all ranks, so many from each, on every rank.
    pub(crate) fn gather_numbers<T: Equivalence<Out: AsRaw<Raw = ffi::MPI_Datatype>>>(
        &self,
        own: &[T],
        counts: &[usize],
        all: &mut [T],
    ) -> Result<(), TransportError> {
        assert_eq!(counts[self.rank], own.len(), "as many numbers as were said");
        assert_eq!(counts.iter().sum::<usize>(), all.len(), "room for all");
        let (number, [counts, places]) = (T::equivalent_datatype(), self.layout(counts)?);
        // SAFETY: `own` has as many numbers as its count says; `all` has room for all counts, one
        // after another.
        let code = unsafe {
            ffi::MPI_Allgatherv(
                own.as_ptr().cast(),
                counts[self.rank],
                number.as_raw(),
                all.as_mut_ptr().cast(),
                counts.as_ptr(),
                places.as_ptr(),
                number.as_raw(),
                self.communicator.as_raw(),
            )
        };
        self.check(code)
    }

    /// The words that a finished receive brought.
    fn received(&self, status: &ffi::MPI_Status) -> usize {
        let mut words = 0;
        // SAFETY: the status is that of a finished receive of doubles.
        unsafe { ffi::MPI_Get_count(status, ffi::RSMPI_DOUBLE, &mut words) };
        usize::try_from(words).unwrap_or(0)
    }
}

/// MPI's handler that makes errors codes.
fn errors_return() -> ffi::MPI_Errhandler {
    // SAFETY: a constant of the library, initialized when it is loaded.
    unsafe { ffi::RSMPI_ERRORS_RETURN }
}

impl Transport for MpiTransport {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.communicator.size() as usize
    }

    fn connect(&mut self, sends: &[usize], receives: &[usize]) -> Result<(), TransportError> {
        assert!(self.requests.is_empty(), "no exchange is under way");
        (self.sends, self.receives) = (self.peers(sends)?, self.peers(receives)?);
        self.outgoing = vec![0.0; sends.iter().sum()];
        self.incoming = vec![0.0; receives.iter().sum()];
        let most = self.sends.len() + self.receives.len();
        self.requests = Vec::with_capacity(most);
        self.statuses = Vec::with_capacity(most);
        Ok(())
    }

    fn outgoing(&mut self) -> &mut [f64] {
        assert!(self.requests.is_empty(), "no exchange is under way");
        &mut self.outgoing
    }

    fn begin(&mut self) -> Result<(), TransportError> {
        assert!(self.requests.is_empty(), "no exchange is under way");
        let world = self.communicator.as_raw();
        let mut code = ffi::MPI_SUCCESS as c_int;
        let (into, from) = (self.incoming.as_mut_ptr(), self.outgoing.as_ptr());
        let receives = self.receives.iter().map(|peer| (peer, true));
        for (peer, receives) in receives.chain(self.sends.iter().map(|peer| (peer, false))) {
            let Peer { rank, first, words } = *peer;
            let mut made = MaybeUninit::uninit();
            let request = made.as_mut_ptr();
            // SAFETY: the words from `first` on are inside `incoming` and no other receive's, and
            // are left alone until `finish`; or inside `outgoing`, which nobody writes until then.
            let started = unsafe {
                let double = ffi::RSMPI_DOUBLE;
                if receives {
                    let into = into.add(first).cast();
                    ffi::MPI_Irecv(into, words, double, rank, TAG, world, request)
                } else {
                    let from = from.add(first).cast();
                    ffi::MPI_Isend(from, words, double, rank, TAG, world, request)
                }
            };
            code = code.max(started);
            // SAFETY: written by the call, also when it failed.
            self.requests.push(unsafe { made.assume_init() });
        }
        self.check(code)
    }

    fn finish(&mut self) -> Result<&[f64], TransportError> {
        let count = self.requests.len();
        self.statuses.clear();
        let room = &mut self.statuses.spare_capacity_mut()[..count];
        room.fill(MaybeUninit::zeroed());
        let statuses = room.as_mut_ptr();
        // SAFETY: there is room for a status a request; all requests were started by `begin`.
        let code = unsafe {
            ffi::MPI_Waitall(count as c_int, self.requests.as_mut_ptr(), statuses.cast())
        };
        // SAFETY: zeros are a status, and MPI writes nothing else.
        unsafe { self.statuses.set_len(count) };
        self.check_receives(code)?;
        self.requests.clear();
        for (peer, status) in self.receives.iter().zip(&self.statuses) {
            let (expected, found) = (peer.words as usize, self.received(status));
            if expected != found {
                let (rank, from) = (self.rank, peer.rank as usize);
                return Err(TransportError::Length { rank, from, expected, found });
            }
        }
        Ok(&self.incoming)
    }

    fn gather(
        &mut self,
        own: &[f64],
        counts: &[usize],
        all: &mut [f64],
    ) -> Result<(), TransportError> {
        assert_eq!(counts.len(), self.ranks(), "a number per rank");
        self.gather_numbers(own, counts, all)
    }

    fn abort(&self, message: &str) {
        crate::job::fail(self.rank, message)
    }
}

impl Drop for MpiTransport {
    fn drop(&mut self) {
        if !self.requests.is_empty() {
            // An exchange that nobody finished may still write: its buffers stay for ever.
            std::mem::forget(std::mem::take(&mut self.outgoing));
            std::mem::forget(std::mem::take(&mut self.incoming));
        }
    }
}
