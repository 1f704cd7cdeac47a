//! Calls of all ranks, for [`palmette_tree::distributed`].

use crate::MpiTransport;
use mpi::ffi;
use mpi::traits::{AsRaw, Communicator, Equivalence};
use palmette_mesh::spmv::TransportError;
use palmette_tree::distributed::{Mail, Ranks, RanksError};
use std::ffi::{c_int, c_void};

/// MPI's functions that combine a number of each rank.
type Reduction = unsafe extern "C" fn(
    *const c_void,
    *mut c_void,
    c_int,
    ffi::MPI_Datatype,
    ffi::MPI_Op,
    ffi::MPI_Comm,
) -> c_int;

/// MPI's functions that leave a number of each rank on this one.
type Exchange = unsafe extern "C" fn(
    *const c_void,
    c_int,
    ffi::MPI_Datatype,
    *mut c_void,
    c_int,
    ffi::MPI_Datatype,
    ffi::MPI_Comm,
) -> c_int;

fn told(error: TransportError) -> RanksError {
    let message = match error {
        TransportError::Library { message, .. } => message,
        other => other.to_string(),
    };
    RanksError::Library { message }
}

impl MpiTransport {
    /// A sum of a word from each rank.
    fn one_word(&self, own: u64, call: Reduction) -> Result<u64, RanksError> {
        let mut sum = 0u64;
        let communicator = self.communicator().as_raw();
        // SAFETY: a word from here and a word to here.
        let code = unsafe {
            let (from, to) = ((&raw const own).cast(), (&raw mut sum).cast());
            call(from, to, 1, ffi::RSMPI_UINT64_T, ffi::RSMPI_SUM, communicator)
        };
        self.check(code).map_err(told)?;
        Ok(sum)
    }

    /// How many words each rank has for this one. Either a rank says it to each (with
    /// `MPI_Alltoall`), or the same to all; `counts` has a number per rank.
    fn announced(&self, counts: &[usize], call: Exchange) -> Result<Vec<usize>, RanksError> {
        let own: Vec<u64> = counts.iter().map(|&count| count as u64).collect();
        let mut all = vec![0u64; own.len()];
        let (world, word) = (self.communicator().as_raw(), u64::equivalent_datatype().as_raw());
        // SAFETY: both have a word per rank.
        let code =
            unsafe { call(own.as_ptr().cast(), 1, word, all.as_mut_ptr().cast(), 1, word, world) };
        self.check(code).map_err(told)?;
        Ok(all.into_iter().map(|count| count as usize).collect())
    }
}

impl MpiTransport {
    /// How many ranks of the job share this machine's memory. All ranks must call this together.
    pub fn ranks_on_this_machine(&self) -> usize {
        self.communicator().split_shared(0).size() as usize
    }
}

impl Ranks for MpiTransport {
    fn rank(&self) -> usize {
        self.communicator().rank() as usize
    }

    fn ranks(&self) -> usize {
        self.communicator().size() as usize
    }

    fn exchange(&mut self, words: &[u64], counts: &[usize]) -> Result<Mail, RanksError> {
        assert_eq!(counts.len(), self.communicator().size() as usize, "a number per rank");
        assert_eq!(counts.iter().sum::<usize>(), words.len(), "as many words as were said");
        let received = self.announced(counts, ffi::MPI_Alltoall)?;
        let [sends, from] = self.layout(counts).map_err(told)?;
        let [receives, to] = self.layout(&received).map_err(told)?;
        let mut all = vec![0u64; received.iter().sum()];
        // SAFETY: `words` has all that is sent, `all` has room for all that is announced.
        let code = unsafe {
            ffi::MPI_Alltoallv(
                words.as_ptr().cast(),
                sends.as_ptr(),
                from.as_ptr(),
                ffi::RSMPI_UINT64_T,
                all.as_mut_ptr().cast(),
                receives.as_ptr(),
                to.as_ptr(),
                ffi::RSMPI_UINT64_T,
                self.communicator().as_raw(),
            )
        };
        self.check(code).map_err(told)?;
        Ok(Mail { words: all, counts: received })
    }

    fn gather(&mut self, own: &[u64]) -> Result<Mail, RanksError> {
        let own_count = vec![own.len(); self.communicator().size() as usize];
        let counts = self.announced(&own_count, ffi::MPI_Allgather)?;
        let mut words = vec![0u64; counts.iter().sum()];
        self.gather_numbers(own, &counts, &mut words).map_err(told)?;
        Ok(Mail { words, counts })
    }

    fn sum(&mut self, own: u64) -> Result<u64, RanksError> {
        self.one_word(own, ffi::MPI_Allreduce)
    }

    fn sum_before(&mut self, own: u64) -> Result<u64, RanksError> {
        let sum = self.one_word(own, ffi::MPI_Exscan)?;
        // Rank 0 gets nothing.
        Ok(if self.communicator().rank() == 0 { 0 } else { sum })
    }
}
