//! Collectives: what all processors of a range do together, as message programs.
//!
//! Every collective works on the whole machine, on any range `[first, end)` of addresses,
//! and on many disjoint ranges at once, when every processor knows its own. Addresses
//! follow the curve; "in order" means by address. Processors may enter at different
//! clocks, and messages may take any time and overtake each other: nobody counts on an order,
//! and what a processor waits for is a number of messages that it knows beforehand. Every file
//! here says which. Memories must have a state for every processor of the machine; others are
//! a mistake of the host's, and panic.
//!
//! ```
//! use palmette_core::operator::Sum;
//! use palmette_spatial::collective::{Range, ScanKind, broadcast, scan};
//! use palmette_spatial::curve::CurveKind;
//! use palmette_spatial::machine::{Machine, MachineParams, Memory};
//!
//! let curve = CurveKind::Hilbert.fitting(64)?;
//! let mut machine = Machine::on_curve(&curve, 64, MachineParams::default())?;
//! let ones = Memory::new(64, |_| 1);
//! let all = Range::new(0, 64);
//! let ranks = scan(&mut machine, "rank", Sum::new(), ScanKind::Exclusive, all, ones)?;
//! assert_eq!(ranks.states()[63], 63);
//!
//! // The first of every eight tells the others.
//! let eights = Memory::new(64, |p| Range::new(p / 8 * 8, p / 8 * 8 + 8));
//! let firsts = broadcast(&mut machine, "tell", eights, ranks)?;
//! assert_eq!(firsts.states()[21], 16);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Costs
//! Measured at n = 2^18 on the Hilbert curve, in parentheses in Z-order; checked for
//! n from 2^8 on in `tests/all/collectives.rs`. Words are those of a processor's state beside
//! the constants of the program, with values of `t` words and k = log2 n; [`broadcast_words`] and
//! its like add those of messages.
//!
//! | operation | energy | depth | distance | words |
//! |---|---|---|---|---|
//! | [`broadcast()`] | 1.83 n (1.91) | k/2 + 1 = 10 | 2.0 √n (2.0) | 4 + t |
//! | [`announce()`] | as broadcast | as broadcast | as broadcast | 6 + 2t |
//! | [`reduce()`] | 1.83 n (1.91) | k/2 + 1 = 10 | 2.0 √n (2.0) | 5 + 5t |
//! | [`all_reduce`], [`barrier()`] | 3.66 n (3.83) | k + 2 = 20 | 4.0 √n (4.0) | 5 + 5t |
//! | [`align`] | 3.66 n (3.83) | k + 3 = 21 | 4.0 √n (4.0) | 5 |
//! | [`scan()`] | 3.66 n (3.83) | k + 2 = 20 | 4.0 √n (4.0) | 5 + 5t |
//! | [`permute()`], random | 0.667 n^1.5 (0.667) | 1 | 1.9 √n (1.9) | 4 + 2t |
//! | [`sort()`] | 9.20 n^1.5 (6.92) | k(k+1)/2 = 171 | 13.6 √n (6.9) | 2 + t |
//! | [`Pram::read`], random | 9.92 n^1.5 (7.66) | sort + k + 6 = 195 | 19.8 √n (13.9) | 10 + 5t |
//! | [`read_exclusive`], random | twice permute | 2 | twice permute | 3 + 2t per cell |
//! | [`Pram::write`], random | 9.24 n^1.5 (6.97) | sort + 3 = 174 | 13.7 √n (8.9) | 4 + 2t |
//!
//! A processor receives at most four messages in one step. Sorting uses
//! [`Network::OddEven`] on Hilbert and [`Network::Bitonic`] on Z.

mod announce;
mod barrier;
mod broadcast;
mod cells;
mod error;
mod exclusive;
mod permute;
mod pram;
mod range;
mod reduce;
mod scan;
mod select;
mod sort;
#[cfg(test)]
pub(crate) mod testing;
mod tree;

pub use announce::{Spread, announce, announce_among, announce_words};
pub use barrier::{BARRIER_WORDS, align, barrier};
pub(crate) use barrier::{Nothing, even_out};
pub use broadcast::{broadcast, broadcast_words};
pub use error::CollectiveError;
pub use exclusive::{read_exclusive, read_exclusive_words};
pub use permute::{permute, permute_words};
pub use pram::Pram;
pub use range::{Range, Ranges};
pub use reduce::{all_reduce, reduce, reduce_words};
pub use scan::{ScanKind, scan, scan_words};
pub use select::{Selected, select, select_words};
pub(crate) use sort::items_waiting;
pub use sort::{Network, sort, sort_words};
pub(crate) use tree::{below, below_first};
