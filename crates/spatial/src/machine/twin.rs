//! Depth and distance where messages take any time.
//!
//! **Problem.** The depth of a run is the longest chain in its graph of messages: of messages each of
//! which was *waited for* before the next was sent. A machine sees what a handler has been given, not
//! what it waits for. Under delays a message that nobody waits for yet may be handled before one
//! that is waited for, and clocks would count chains through it.
//!
//! **Method.** In steps, messages are handled in the order of their clocks: whoever speaks when the
//! last of what it waits for has come has handled nothing with a later clock. So the clock is
//! that of the graph. A machine with another delivery therefore has a *twin*, on which every program
//! runs in steps, from the same states; depth and distance are the twin's.
//!
//! Both count what is sent. If they differ, what a program sends depends on delays, and its graph is
//! another one every time. From then on depth and distance are those of chains as they were handled;
//! so they are after a program of [the host's](super::DynamicProgram) that has no twin.
//!
//! **Cost.** The time of a run in steps; 24 bytes per processor, and a copy of all states.

use super::network::ReplayWhen;
use super::{Delivery, DynamicProgram, Machine, MachineError, MachineParams, Memory, Program};
use crate::{Cell, Grid};

impl Machine {
    /// The twin of a machine with such parameters, if it needs one.
    pub(super) fn twin_of(
        grid: Grid,
        cells: &[Cell],
        params: MachineParams,
    ) -> Result<Option<Box<Machine>>, MachineError> {
        if params.delivery == Delivery::Step {
            return Ok(None);
        }
        let twin = MachineParams {
            delivery: Delivery::Step,
            // What fits is found out on the machine itself.
            words: Some(usize::MAX),
            links: false,
            trace: false,
            replay: ReplayWhen::Never,
            ..params
        };
        Machine::new(grid, cells, twin).map(Box::new).map(Some)
    }

    /// Runs a program on the twin. Without an answer there is no twin any more: the program is
    /// stopped in steps, and not by these delays.
    pub(super) fn run_twin<P: Program>(
        &mut self,
        name: &str,
        constants: P::Constants,
        states: &[P::State],
    ) {
        let Some(mut twin) = self.twin.take() else { return };
        let states = Memory::from(states.to_vec());
        if twin.run::<P>(name, constants, states).is_ok() {
            self.twin = Some(twin);
        }
    }

    /// The same for a program of the host's. What its handlers raise in steps ends the run.
    pub(super) fn run_dynamic_twin(
        &mut self,
        name: &str,
        program: Option<Box<dyn DynamicProgram>>,
    ) -> Result<(), MachineError> {
        let (Some(mut twin), Some(program)) = (self.twin.take(), program) else { return Ok(()) };
        match twin.run_dynamic(name, program) {
            Ok(()) => self.twin = Some(twin),
            Err(error @ MachineError::Stopped { .. }) => return Err(error),
            Err(_) => {}
        }
        Ok(())
    }

    /// Whether the machine and its twin have sent the same; else there is no twin any more.
    pub(super) fn compare_twin(&mut self) {
        let sent = |of: &Machine| (of.total.energy, of.total.energy_words, of.total.messages);
        if self.twin.as_ref().is_some_and(|twin| sent(twin) != sent(self)) {
            self.twin = None;
        }
    }

    /// Whose depth and distance count.
    pub(super) fn clocked(&self) -> &Machine {
        self.twin.as_deref().unwrap_or(self)
    }
}
