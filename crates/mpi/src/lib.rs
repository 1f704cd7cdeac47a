//! Meshes and trees on the ranks of an MPI job.
//!
//! The program `palmette-mpi` is what it promises; this library is internal and may change in any
//! release. This is the only crate that links MPI. It has the [`MpiTransport`] of [`palmette_mesh::spmv`]
//! and of [`palmette_tree::distributed`], and a [`Job`] that ends on all ranks if it fails on one.
//!
//! ```no_run
//! use palmette_mesh::spmv::{World, parts_of_rank};
//! use palmette_mpi::Job;
//! # fn pieces() -> Vec<palmette_mesh::spmv::Piece> { Vec::new() }
//! let job = Job::start()?;
//! job.run(|transport| {
//!     let all = pieces();
//!     let own = parts_of_rank(job.rank(), job.ranks(), all.len());
//!     let mut world = World::new(all[own].to_vec(), all.len(), 1, transport)?;
//!     let ones = world.full(1.0);
//!     println!("{} unknowns", world.dot(&ones, &ones)?);
//!     Ok(())
//! });
//! # Ok::<(), String>(())
//! ```
#![deny(missing_docs)]

mod collective;
mod job;
mod transport;

pub use job::Job;
pub use transport::MpiTransport;
