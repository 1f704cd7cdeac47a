//! Messages straight from vertices to their children, however many. No processor could keep the
//! addresses of all children in a few words, so that this is no program: it is what virtual trees
//! are compared with.

use palmette_core::NONE;
use palmette_spatial::layout::{Layout, LayoutTraffic};
use palmette_spatial::machine::network::{NetworkError, Replay, replay};
use palmette_spatial::machine::{MachineParams, Sent, Trace};

/// One message of one word from every vertex straight to each of its children, and what it costs.
#[derive(Debug, Clone)]
pub struct DirectMessages {
    /// What the messages cost.
    pub traffic: LayoutTraffic,
    /// The messages, if they are kept or replayed.
    pub trace: Option<Trace>,
    /// How long they take, if they are replayed.
    pub replay: Option<Replay>,
    /// What decided that.
    pub params: MachineParams,
}

/// Sends a word from every vertex straight to each of its children.
///
/// # Errors
/// Routers that cannot be, a layout that lies too far apart to be replayed.
pub fn direct_messages(
    layout: &Layout,
    params: MachineParams,
) -> Result<DirectMessages, NetworkError> {
    let traffic = layout.traffic();
    let is_replayed = params.replay.covers(traffic.vertices, traffic.energy);
    let trace = (params.trace || is_replayed).then(|| straight(layout));
    let found = trace
        .as_ref()
        .filter(|_| is_replayed)
        .map(|trace| replay(trace, layout.cells(), params.network));
    Ok(DirectMessages { traffic, replay: found.transpose()?, trace, params })
}

fn straight(layout: &Layout) -> Trace {
    let parents = layout.tree().parents();
    let edges = parents.iter().enumerate().filter(|(_, p)| **p != NONE);
    let message = |(i, &from): (usize, &u32)| Sent {
        step: 0,
        from,
        to: i as u32,
        phase: 0,
        words: 1,
        heard: 0,
    };
    let mut sent: Vec<Sent> = edges.map(message).collect();
    sent.sort_by_key(|s| s.from);
    let phases = vec!["children".to_string()];
    Trace { processors: parents.len(), phases, sent, handled: None }
}
