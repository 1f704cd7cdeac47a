//! Options of the routers that cycles are counted on.

use crate::prelude::*;
use palmette::spatial::machine::Machine;
use palmette::spatial::machine::network::{NetworkError, NetworkParams, ReplayWhen};

#[derive(Debug, Args)]
pub(crate) struct NetworkOptions {
    /// When to send the messages through simulated routers again, which gives `cycles`.
    #[arg(long, value_name = "WHEN", default_value_t = ReplayWhen::Auto,
          value_parser = named::<ReplayWhen>(), help_heading = "Network",
          help = format!("When to send the messages through simulated routers again, which gives \
                          `cycles`: auto (up to {} processors and {} hops), always or never",
                         ReplayWhen::MOST_PROCESSORS, ReplayWhen::MOST_HOPS))]
    replay: ReplayWhen,
    /// Cycles from a router to the next.
    #[arg(long, value_name = "CYCLES", default_value_t = NetworkParams::default().hop.into(),
          allow_negative_numbers = true, help_heading = "Network")]
    hop_latency: i64,
    /// Cycles between a processor and its router.
    #[arg(long, value_name = "CYCLES", default_value_t = NetworkParams::default().ramp.into(),
          allow_negative_numbers = true, help_heading = "Network")]
    ramp_latency: i64,
    /// Cycles from the arrival of a message to what its receiver sends then.
    #[arg(long, value_name = "CYCLES", default_value_t = NetworkParams::default().compute.into(),
          allow_negative_numbers = true, help_heading = "Network")]
    compute_latency: i64,
    /// Words that a link carries per cycle and direction.
    #[arg(long, value_name = "WORDS", default_value_t = NetworkParams::default().capacity.into(),
          allow_negative_numbers = true, help_heading = "Network")]
    link_capacity: i64,
}

impl NetworkOptions {
    /// A machine with these routers.
    pub(super) fn machine(&self, params: MachineParams) -> Result<MachineParams> {
        let &NetworkOptions { hop_latency, ramp_latency, compute_latency, link_capacity, .. } =
            self;
        let network = NetworkParams::new(hop_latency, ramp_latency, compute_latency, link_capacity);
        let network = network.map_err(refused)?;
        Ok(MachineParams { replay: self.replay, network, ..params })
    }
}

/// Puts the option into an error.
fn refused(error: NetworkError) -> anyhow::Error {
    match error {
        NetworkError::Parameter { what, value, least, most } => {
            let option = what.replace(' ', "-");
            anyhow!("--{option}: expected a whole number from {least} to {most}, found {value}")
        }
        other => other.into(),
    }
}

/// Says why a run has no cycles.
pub(super) fn note_unreplayed(session: &Session, machine: &Machine) {
    note(session, machine.params().replay, machine.is_replayed());
}

/// Says why there are no cycles, if nobody asked for none.
pub(super) fn note(session: &Session, when: ReplayWhen, is_replayed: bool) {
    if when == ReplayWhen::Auto && !is_replayed {
        let (most, hops) = (ReplayWhen::MOST_PROCESSORS, ReplayWhen::MOST_HOPS);
        session.note(&format!(
            "no cycles: replaying takes long beyond {most} processors or {hops} hops; pass \
             --replay always for them"
        ));
    }
}
