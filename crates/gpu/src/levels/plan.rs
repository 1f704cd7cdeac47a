//! Which levels a dispatch settles.

use super::form::Host;
use crate::batch::GROUP;
use palmette_tree::Direction;
use std::ops::Range;

/// Levels that one dispatch goes through: drivers reset devices whose kernels take seconds.
const RUN: usize = 1 << 12;

/// Rounds of loops that one thread goes through, for the same reason; and Mesa's device in
/// software leaves loops after 2^16 rounds.
pub(crate) const ROUNDS: usize = 1 << 15;

/// Levels that are settled together.
pub(super) enum Run {
    /// One level, by as many workgroups as it needs.
    One(usize),
    /// Several that one workgroup covers, all in one chunk.
    Narrow(Range<usize>),
}

/// The levels that have something to settle, from the top down: all but the roots' for a
/// rootfix, all but the last for a leaffix. A combination takes `each` rounds of loops.
pub(super) fn plan(host: &Host, chunk: usize, direction: Direction, each: usize) -> Vec<Run> {
    let rounds = |depth: usize| match direction {
        Direction::Rootfix => 1 + each,
        Direction::Leaffix => 1 + host.widest[depth] as usize * (1 + 2 * each),
    };
    let narrow = |depth: usize| {
        let upper = if direction == Direction::Rootfix { depth - 1 } else { depth };
        let (above, below) = (host.level(upper), host.level(upper + 1));
        let small = above.len().max(below.len()) <= GROUP && rounds(depth) <= ROUNDS;
        let place = above.start / chunk;
        let together = place == (below.end - 1) / chunk && depth / chunk == (depth + 1) / chunk;
        (small && together).then_some((place, depth / chunk))
    };
    let depths = match direction {
        Direction::Rootfix => 1..host.count(),
        Direction::Leaffix => 0..host.count() - 1,
    };
    let mut runs = Vec::new();
    let mut depth = depths.start;
    while depth < depths.end {
        let here = narrow(depth);
        let (mut end, mut sum) = (depth + 1, rounds(depth));
        while here.is_some() && end < depths.end && end - depth < RUN && narrow(end) == here {
            sum += rounds(end);
            if sum > ROUNDS {
                break;
            }
            end += 1;
        }
        runs.push(if here.is_some() { Run::Narrow(depth..end) } else { Run::One(depth) });
        depth = end;
    }
    runs
}

/// A range in pieces of a length.
pub(super) fn pieces(range: Range<usize>, length: usize) -> impl Iterator<Item = Range<usize>> {
    let end = range.end;
    range.step_by(length).map(move |first| first..(first + length).min(end))
}
