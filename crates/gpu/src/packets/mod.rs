//! Rootfix and leaffix of many small trees, thousands of them in one dispatch.
//!
//! **Problem.** A forest of trees with at most 1,024 vertices each: the trees of a bootstrap, or of a
//! decision forest. Engines for large trees go over the memory several times, and have a dispatch
//! per level or per round.
//!
//! **Method.** Neighbouring trees are packed, up to 1,024 vertices together. A workgroup brings the
//! values of a packet into its own memory, in order by level, goes through the levels with barriers
//! between them, and writes answers. Packets go to the device in loads of up to 2^20 vertices, so
//! that the host prepares a load while the device computes another.
//!
//! **Cost.** n combinations; values are read once and answers written once; 4 bytes per vertex and
//! 4 per level of a packet for the plan. One dispatch per load.
//!
//! **Determinism.** The association is the tree's: children from the first to the last.
//!
//! **When not to use.** A tree of more vertices is an error. An operator that loops, on a vertex
//! with hundreds of children, would keep a thread for too long, which is an error as well.

mod form;

pub(crate) use form::{Load, PacketForm};

use crate::array::Array;
use crate::batch::{Batch, Binding, Running, Source, VALUES, read, write};
use crate::kernel::Law;
use crate::levels::ROUNDS;
use crate::{Device, GpuError};
use palmette_tree::{Direction, Scope};

/// Vertices of a packet: of the largest elements they fill the 16 KiB of a workgroup's memory.
pub(crate) const MOST: usize = 1024;

/// Vertices of a load.
const LOAD: usize = 1 << 20;

/// Threads of a workgroup: levels of small trees are narrow.
const THREADS: usize = 64;

const PACKETS: Binding = read("packets", "vec4<u32>");
const PLAN: Binding = read("plan", "u32");
const ANSWERS: Binding = write("answers", "Elem");

const ROOTFIX: Source = Source {
    params: &["count", "inclusive"],
    arrays: &[PACKETS, PLAN, VALUES, ANSWERS],
    body: concat!(include_str!("../wgsl/packet.wgsl"), include_str!("../wgsl/packet_rootfix.wgsl")),
};

const LEAFFIX: Source = Source {
    params: &["count", "inclusive"],
    arrays: &[PACKETS, PLAN, VALUES, ANSWERS],
    body: concat!(include_str!("../wgsl/packet.wgsl"), include_str!("../wgsl/packet_leaffix.wgsl")),
};

/// Sends the dispatch for the values of a load, by position, on its way.
pub(crate) fn start(
    device: &Device,
    load: &Load,
    values: &Array,
    law: &Law,
    scope: Scope,
    direction: Direction,
) -> Result<(Array, Running), GpuError> {
    let rounds = load.rounds(law.rounds);
    if rounds > ROUNDS {
        return Err(GpuError::LongKernel { rounds, most: ROUNDS });
    }
    let answers = Array::of_bytes(device, values.len(), law.bytes())?;
    let mut batch = Batch::of(device, law);
    let kernel = batch.kernel(match direction {
        Direction::Rootfix => &ROOTFIX,
        Direction::Leaffix => &LEAFFIX,
    })?;
    let arrays = [load.packets.chunk(0), load.plan.chunk(0), values.chunk(0), answers.chunk(0)];
    let count = load.packets.len();
    let inclusive = u32::from(scope == Scope::Inclusive);
    batch.push(&kernel, &arrays, &[count as u32, inclusive], count);
    Ok((answers, batch.start()?))
}
