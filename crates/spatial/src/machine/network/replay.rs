//! A run's messages once more, through routers: how long it takes when links are shared.
//!
//! **Problem.** A trace, and where processors lie. How many cycles does the run take?
//!
//! **Method.** A message is injected when the last of those that it [waits for](super::schedule)
//! has arrived, and its sender has computed. Messages that are ready at once go up the ramp in the
//! order of sending. Routers do the rest.
//!
//! **Bounds.** Never fewer cycles than `hop · distance + per message · depth` along any chain, nor
//! than the words over one link, or one ramp, by its capacity (tests/all/cycles.rs).
//!
//! **Cost.** One event per hop, and two for the ramps: 32 million hops per second on one core
//! for layout creation and list ranking, 9 million for leaffix on a path, where most messages go one
//! hop (`make bench-spatial`). 27 bytes per message beside the trace's 24, and
//! 100 per cell.
//!
//! **Determinism.** Numbers decide what times do not.
//!
//! **When not to use.** Handlers are not run again. A program that would send other messages when
//! they arrive in another order is better run on a machine that delivers through the network.

use super::queues::{QueueFrame, Queues};
use super::router::{Network, Watch, Way};
use super::schedule::Schedule;
use super::{NetworkError, NetworkParams};
use crate::machine::Trace;
use crate::machine::links::Place;
use crate::{Cell, Window};

/// What a replay found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    /// The cycle in which the last word of the last message arrived.
    pub cycles: u64,
    /// Links crossed by all messages.
    pub hops: u64,
    /// The link that carried the most words, the first of them; none if no message left its cell.
    pub busiest_link: Option<BusiestLink>,
    /// The most words over one ramp, one way.
    pub busiest_ramp: u64,
    /// Waiting by phase, in the order of [`Trace::phases`]; phases without messages included.
    pub phases: Vec<PhaseWait>,
}

/// The link that carried the most words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BusiestLink {
    /// The cell that it leaves.
    pub from: Cell,
    /// Where it leads.
    pub way: Way,
    /// The words.
    pub words: u64,
}

/// How long the messages of a phase waited for each other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PhaseWait {
    /// Its name.
    pub name: String,
    /// Its messages.
    pub messages: u64,
    /// Cycles that they waited for links, all together.
    pub waited: u64,
    /// Cycles that they waited for ramps, all together.
    pub waited_at_ramps: u64,
    /// The most cycles that one of them waited, for links and ramps.
    pub longest: u64,
    /// The cycle in which the first of them was sent.
    pub begins: u64,
    /// The cycle in which the last of them arrived.
    pub ends: u64,
}

impl Replay {
    /// Cycles that all messages waited for links.
    pub fn waited(&self) -> u64 {
        self.phases.iter().map(|phase| phase.waited).sum()
    }

    /// Cycles that all messages waited for ramps.
    pub fn waited_at_ramps(&self) -> u64 {
        self.phases.iter().map(|phase| phase.waited_at_ramps).sum()
    }
}

/// Sends the messages of a trace through routers. Processor `p` lies at `cells[p]`.
///
/// ```
/// use palmette_spatial::Cell;
/// use palmette_spatial::machine::network::{NetworkParams, replay};
/// use palmette_spatial::machine::{Sent, Trace};
/// // Two messages of three words from one end of a row of four to the other.
/// let sent = Sent { step: 0, from: 0, to: 3, phase: 0, words: 3, heard: 0 };
/// let trace = Trace { processors: 4, phases: vec!["both".into()], sent: vec![sent; 2], ..Trace::default() };
/// let cells: Vec<Cell> = (0..4).map(|x| Cell { x, y: 0 }).collect();
/// let found = replay(&trace, &cells, NetworkParams::default())?;
/// // A cycle to compute, two ramps of two, three hops, and six words over every link.
/// assert_eq!(found.cycles, 1 + 2 + 3 + 2 + 5);
/// assert_eq!(found.busiest_link.unwrap().words, 6);
/// # Ok::<(), palmette_spatial::machine::network::NetworkError>(())
/// ```
///
/// # Errors
/// Parameters out of range, a message of no processor, one that waits for itself, processors in
/// a rectangle of far more cells than there are of them.
pub fn replay(
    trace: &Trace,
    cells: &[Cell],
    params: NetworkParams,
) -> Result<Replay, NetworkError> {
    Replayer::new(trace, cells, params)?.run(&mut ())
}

/// A replay, and how long queues were in each of at most `frames` equal stretches of it.
///
/// # Errors
/// As [`replay`].
pub fn replay_queues(
    trace: &Trace,
    cells: &[Cell],
    params: NetworkParams,
    frames: u32,
) -> Result<(Replay, Queues), NetworkError> {
    // The first run says how long a frame is.
    let found = replay(trace, cells, params)?;
    let replayer = Replayer::new(trace, cells, params)?;
    let mut queues = QueueFrame::counters(replayer.window, found.cycles, frames);
    let found = replayer.run(&mut queues)?;
    Ok((found, queues.finish()))
}

struct Replayer<'a> {
    trace: &'a Trace,
    params: NetworkParams,
    window: Window,
    places: Vec<Place>,
    schedule: Schedule,
    network: Network,
    /// By message: its place in the list of its receiver.
    place: Vec<u32>,
    /// By place in the lists of receivers: when; the largest number as long as that is unknown.
    arrived: Vec<u64>,
    /// By processor: of how many of the first messages that it handles that is known, and the last
    /// time of them.
    handled: Vec<(u32, u64)>,
    /// By processor: how many of its messages have been sent.
    sent: Vec<u32>,
    phases: Vec<PhaseWait>,
}

impl<'a> Replayer<'a> {
    fn new(
        trace: &'a Trace,
        cells: &[Cell],
        params: NetworkParams,
    ) -> Result<Replayer<'a>, NetworkError> {
        let params = params.check()?;
        let processors = trace.processors;
        if let Some(processor) = (cells.len()..processors).next() {
            let (message, processor) = (0, processor as u32);
            return Err(NetworkError::NoProcessor { message, processor, processors: cells.len() });
        }
        let window = Window::around(cells);
        if !window.is_dense(cells.len()) {
            let cells = window.size.len();
            return Err(NetworkError::TooSparse { processors, cells });
        }
        let schedule = Schedule::of(trace)?;
        let mut place = vec![0; trace.sent.len()];
        for (at, &message) in (0..).zip(schedule.received.items()) {
            place[message as usize] = at;
        }
        let phase = |name: &String| PhaseWait {
            name: name.clone(),
            begins: u64::MAX,
            ..PhaseWait::default()
        };
        Ok(Replayer {
            trace,
            params,
            window,
            places: cells.iter().map(|&cell| Place::from(window.inside(cell))).collect(),
            network: Network::on(window, params).foretelling(),
            place,
            arrived: vec![u64::MAX; trace.sent.len()],
            handled: vec![(0, 0); processors],
            sent: vec![0; processors],
            phases: trace.phases.iter().map(phase).collect(),
            schedule,
        })
    }

    fn run<W: Watch>(mut self, watch: &mut W) -> Result<Replay, NetworkError> {
        for p in 0..self.trace.processors as u32 {
            self.send(p);
        }
        let (mut arrivals, mut cycles, mut count) = (Vec::new(), 0, 0);
        while self.network.step_watched(watch, &mut arrivals).is_some() {
            for arrival in arrivals.drain(..) {
                let message = &self.trace.sent[arrival.number as usize];
                cycles = arrival.time.max(cycles);
                count += 1;
                if let Some(phase) = self.phases.get_mut(message.phase as usize) {
                    phase.messages += 1;
                    phase.waited += arrival.waited;
                    phase.waited_at_ramps += arrival.waited_at_ramps;
                    phase.longest = phase.longest.max(arrival.waited + arrival.waited_at_ramps);
                    phase.ends = phase.ends.max(arrival.time);
                }
                self.arrived[self.place[arrival.number as usize] as usize] = arrival.time;
                self.handle(message.to);
                self.send(message.to);
            }
        }
        if count < self.trace.sent.len() {
            return Err(self.never_sent());
        }
        Ok(self.found(cycles))
    }

    /// Counts what has arrived without a gap.
    fn handle(&mut self, p: u32) {
        let arrived = &self.arrived[self.schedule.received.range(p)];
        let (handled, last) = &mut self.handled[p as usize];
        while let Some(&time) = arrived.get(*handled as usize).filter(|&&time| time < u64::MAX) {
            *handled += 1;
            *last = time.max(*last);
        }
    }

    /// Injects what a processor can send when all that is known has arrived.
    fn send(&mut self, p: u32) {
        let (handled, last) = self.handled[p as usize];
        let ready = last + u64::from(self.params.compute);
        let next = &mut self.sent[p as usize];
        for &number in &self.schedule.sent.of(p)[*next as usize..] {
            if self.schedule.waits_for[number as usize] > handled {
                break;
            }
            *next += 1;
            let message = &self.trace.sent[number as usize];
            let [from, to] = [message.from, message.to].map(|end| self.places[end as usize]);
            if let Some(phase) = self.phases.get_mut(message.phase as usize) {
                phase.begins = phase.begins.min(ready);
            }
            self.network.inject_inside(ready, from, to, message.words, number);
        }
    }

    fn never_sent(&self) -> NetworkError {
        let waiting = |p: u32| {
            let sent = self.schedule.sent.of(p);
            sent.get(self.sent[p as usize] as usize).map(|&message| (p, message as usize))
        };
        let found = (0..self.trace.processors as u32).find_map(waiting);
        let (processor, message) = found.unwrap_or((0, 0));
        NetworkError::NeverSent { message, processor }
    }

    fn found(mut self, cycles: u64) -> Replay {
        self.phases.iter_mut().for_each(|phase| phase.begins = phase.begins.min(phase.ends));
        let mut busiest: Option<BusiestLink> = None;
        let mut busiest_ramp = 0;
        for (from, way, words) in self.network.carried() {
            if !way.is_hop() {
                busiest_ramp = busiest_ramp.max(words);
            } else if words > busiest.map_or(0, |link| link.words) {
                busiest = Some(BusiestLink { from, way, words });
            }
        }
        Replay {
            cycles,
            hops: self.network.hops(),
            busiest_link: busiest,
            busiest_ramp,
            phases: self.phases,
        }
    }
}
