//! Calls of all ranks, for [`palmette_tree::distributed`].

use crate::MpiTransport;
use mpi::ffi;
use mpi::traits::{AsRaw, Communicator};
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

fn told(error: TransportError) -> RanksError {
    let message = match error {
        TransportError::Library { message, .. } => message,
        other => other.to_string(),
    };
    RanksError::Library { message }
}

impl MpiTransport {
    /// Counts and places as MPI wants them.
    fn layout(&self, counts: &[usize]) -> Result<(Vec<c_int>, Vec<c_int>), RanksError> {
        let mut end = 0;
        let mut layout = (Vec::with_capacity(counts.len()), Vec::with_capacity(counts.len()));
        for &count in counts {
            layout.0.push(self.count(count).map_err(told)?);
            layout.1.push(self.count(end).map_err(told)?);
            end += count;
        }
        Ok(layout)
    }

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

    /// How many words each rank sends to this one.
    fn announced(&self, counts: &[usize]) -> Result<Vec<usize>, RanksError> {
        let sends: Vec<u64> = counts.iter().map(|&count| count as u64).collect();
        let mut receives = vec![0u64; sends.len()];
        // SAFETY: both have a word per rank.
        let code = unsafe {
            ffi::MPI_Alltoall(
                sends.as_ptr().cast(),
                1,
                ffi::RSMPI_UINT64_T,
                receives.as_mut_ptr().cast(),
                1,
                ffi::RSMPI_UINT64_T,
                self.communicator().as_raw(),
            )
        };
        self.check(code).map_err(told)?;
        Ok(receives.into_iter().map(|count| count as usize).collect())
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
        let received = self.announced(counts)?;
        let (sends, from) = self.layout(counts)?;
        let (receives, to) = self.layout(&received)?;
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
        let mut counts = vec![0u64; self.communicator().size() as usize];
        let length = own.len() as u64;
        // SAFETY: a word from here, a word per rank in `counts`.
        let code = unsafe {
            ffi::MPI_Allgather(
                (&raw const length).cast(),
                1,
                ffi::RSMPI_UINT64_T,
                counts.as_mut_ptr().cast(),
                1,
                ffi::RSMPI_UINT64_T,
                self.communicator().as_raw(),
            )
        };
        self.check(code).map_err(told)?;
        let counts: Vec<usize> = counts.into_iter().map(|count| count as usize).collect();
        let (receives, to) = self.layout(&counts)?;
        let own_count = self.count(own.len()).map_err(told)?;
        let mut all = vec![0u64; counts.iter().sum()];
        // SAFETY: `own` has as many words as said, `all` has room for those of all ranks.
        let code = unsafe {
            ffi::MPI_Allgatherv(
                own.as_ptr().cast(),
                own_count,
                ffi::RSMPI_UINT64_T,
                all.as_mut_ptr().cast(),
                receives.as_ptr(),
                to.as_ptr(),
                ffi::RSMPI_UINT64_T,
                self.communicator().as_raw(),
            )
        };
        self.check(code).map_err(told)?;
        Ok(Mail { words: all, counts })
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
