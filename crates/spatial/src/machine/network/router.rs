//! Routers on a grid, driven from outside: messages go in at any time, arrivals come out.
//!
//! **Method.** An event is the first word of a message at a router, or at the ramp of its sender.
//! Events are taken by time, then by number. So the messages of a link come in the order in which
//! it serves them, and a queue is one number: when the link is free again. A message has one event
//! at a time.
//!
//! **Cost.** Constant time per link and ramp that a message uses, and sorting within a cycle. 96
//! bytes per cell of the rectangle around all processors, 40 per message on its way.
//!
//! **Determinism.** Nothing but times and numbers decides.

use super::NetworkParams;
use super::wheel::Wheel;
use crate::machine::links::Place;
use crate::{Cell, Grid, Window};

/// Where a link leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Way {
    Right,
    Left,
    Down,
    Up,
    /// From a processor to its router.
    In,
    /// From a router to its processor.
    Out,
}

impl Way {
    pub(super) const COUNT: usize = 6;
    const ALL: [Way; Self::COUNT] = [Way::Right, Way::Left, Way::Down, Way::Up, Way::In, Way::Out];

    pub(super) fn of(link: usize) -> Way {
        Way::ALL[link % Way::COUNT]
    }

    /// Whether it leads to another router.
    pub fn is_hop(self) -> bool {
        !matches!(self, Way::In | Way::Out)
    }

    /// Its name in records.
    pub fn name(self) -> &'static str {
        match self {
            Way::Right => "right",
            Way::Left => "left",
            Way::Down => "down",
            Way::Up => "up",
            Way::In => "into the router",
            Way::Out => "to the processor",
        }
    }
}

/// A message that has arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrival {
    /// The number that it was injected with.
    pub number: u32,
    /// The cycle in which its last word arrived.
    pub time: u64,
    /// Cycles that it waited for links.
    pub waited: u64,
    /// Cycles that it waited for the two ramps.
    pub waited_at_ramps: u64,
}

/// Sees every use of a link or ramp.
pub(super) trait Watch {
    /// A message came at `came` and leaves at `leaves`; the link is busy for `busy` cycles then.
    fn crossing(&mut self, link: usize, came: u64, leaves: u64, busy: u64);
}

impl Watch for () {
    #[inline(always)]
    fn crossing(&mut self, _: usize, _: u64, _: u64, _: u64) {}
}

#[derive(Debug, Clone, Copy, Default)]
struct Link {
    /// When the next message can leave.
    free: u64,
    words: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Before the ramp of its sender.
    Sent,
    /// At a router.
    Routed,
    /// Its last word is at its receiver.
    Arrived,
}

/// A message on its way.
#[derive(Debug, Clone, Copy)]
struct Flight {
    at: Place,
    to: Place,
    number: u32,
    words: u32,
    waited: u64,
    waited_at_ramps: u64,
    stage: Stage,
}

/// A grid of routers and the messages on it. See the [module](super).
#[derive(Debug, Clone)]
pub struct Network {
    params: NetworkParams,
    window: Window,
    links: Vec<[Link; Way::COUNT]>,
    flights: Vec<Flight>,
    /// Places of `flights` that are free.
    free: Vec<u32>,
    /// Events: the number of a message, and its place in `flights`.
    wheel: Wheel<(u32, u32)>,
    batch: Vec<(u32, u32)>,
    hops: u64,
    /// Arrivals are told as soon as they are certain, not when time has come to them.
    foretells: bool,
}

impl Network {
    /// Idle routers for the cells of a grid.
    ///
    /// # Errors
    /// Parameters out of range.
    pub fn new(grid: Grid, params: NetworkParams) -> Result<Network, super::NetworkError> {
        Ok(Network::on(Window { corner: Cell::default(), size: grid }, params.check()?))
    }

    pub(in crate::machine) fn on(window: Window, params: NetworkParams) -> Network {
        Network {
            params,
            window,
            links: vec![[Link::default(); Way::COUNT]; window.size.len() as usize],
            flights: Vec::new(),
            free: Vec::new(),
            wheel: Wheel::new(),
            batch: Vec::new(),
            hops: 0,
            foretells: false,
        }
    }

    /// The same, which tells an arrival when its message is on the last ramp: one event less per
    /// message, for who does not mind their order.
    pub(super) fn foretelling(self) -> Network {
        Network { foretells: true, ..self }
    }

    /// A message that its sender has ready at a time, which is not before that of the last step.
    /// Where two messages come to a link in the same cycle, the smaller number goes first.
    ///
    /// # Panics
    /// When a cell lies outside.
    pub fn inject(&mut self, time: u64, from: Cell, to: Cell, words: u32, number: u32) {
        let size = self.window.size;
        let place = |cell: Cell| {
            let inside = self.window.inside(cell);
            assert!(size.contains(inside), "a message outside the grid");
            Place::from(inside)
        };
        self.inject_inside(time, place(from), place(to), words, number);
    }

    #[inline]
    pub(in crate::machine) fn inject_inside(
        &mut self,
        time: u64,
        at: Place,
        to: Place,
        words: u32,
        number: u32,
    ) {
        let (stage, waited, waited_at_ramps) = (Stage::Sent, 0, 0);
        let flight = Flight { at, to, number, words, waited, waited_at_ramps, stage };
        let slot = match self.free.pop() {
            Some(slot) => {
                self.flights[slot as usize] = flight;
                slot
            }
            None => {
                self.flights.push(flight);
                self.flights.len() as u32 - 1
            }
        };
        self.wheel.push(time, (number, slot));
    }

    /// The time of the next step; none when nothing is on its way.
    pub fn next_time(&self) -> Option<u64> {
        self.wheel.next_time()
    }

    /// Goes on to the next cycle in which something happens, and adds what arrives in it, by
    /// number. Returns that cycle; none when nothing is on its way.
    pub fn step(&mut self, arrivals: &mut Vec<Arrival>) -> Option<u64> {
        self.step_watched(&mut (), arrivals)
    }

    pub(super) fn step_watched<W: Watch>(
        &mut self,
        watch: &mut W,
        arrivals: &mut Vec<Arrival>,
    ) -> Option<u64> {
        let mut batch = std::mem::take(&mut self.batch);
        let time = self.wheel.take(&mut batch);
        if let Some(time) = time {
            batch.sort_unstable();
            for &(_, slot) in &batch {
                self.advance(time, slot, watch, arrivals);
            }
            batch.clear();
        }
        self.batch = batch;
        time
    }

    /// The first word of a message goes over its next link, now or when that is free.
    #[inline]
    fn advance<W: Watch>(
        &mut self,
        time: u64,
        slot: u32,
        watch: &mut W,
        arrivals: &mut Vec<Arrival>,
    ) {
        let flight = &mut self.flights[slot as usize];
        let Flight { number, words, waited, waited_at_ramps, .. } = *flight;
        if flight.stage == Stage::Arrived {
            arrivals.push(Arrival { number, time, waited, waited_at_ramps });
            self.free.push(slot);
            return;
        }
        let cell = flight.at.y as usize * self.window.size.width as usize + flight.at.x as usize;
        let busy = self.params.busy(words);
        let hop = u64::from(self.params.hop);
        let ramp = u64::from(self.params.ramp);
        let (way, after) = if flight.stage == Stage::Sent {
            flight.stage = Stage::Routed;
            (Way::In, ramp)
        } else if flight.at.x < flight.to.x {
            flight.at.x += 1;
            (Way::Right, hop)
        } else if flight.at.x > flight.to.x {
            flight.at.x -= 1;
            (Way::Left, hop)
        } else if flight.at.y < flight.to.y {
            flight.at.y += 1;
            (Way::Down, hop)
        } else if flight.at.y > flight.to.y {
            flight.at.y -= 1;
            (Way::Up, hop)
        } else {
            flight.stage = Stage::Arrived;
            (Way::Out, ramp + busy - 1)
        };
        let link = &mut self.links[cell][way as usize];
        let leaves = link.free.max(time);
        link.free = leaves + busy;
        link.words += u64::from(words);
        if way.is_hop() {
            self.hops += 1;
            flight.waited += leaves - time;
        } else {
            flight.waited_at_ramps += leaves - time;
        }
        watch.crossing(cell * Way::COUNT + way as usize, time, leaves, busy);
        if self.foretells && flight.stage == Stage::Arrived {
            let Flight { waited, waited_at_ramps, .. } = *flight;
            arrivals.push(Arrival { number, time: leaves + after, waited, waited_at_ramps });
            self.free.push(slot);
            return;
        }
        self.wheel.push(leaves + after, (number, slot));
    }

    /// Links crossed by all messages so far, ramps not counted.
    pub fn hops(&self) -> u64 {
        self.hops
    }

    /// Words that each link has carried, with the cell it leaves; ramps are links of theirs.
    pub fn carried(&self) -> impl Iterator<Item = (Cell, Way, u64)> + '_ {
        let Window { corner, size } = self.window;
        let cell = move |i: usize| Cell {
            x: corner.x + (i as u64 % u64::from(size.width)) as u32,
            y: corner.y + (i as u64 / u64::from(size.width)) as u32,
        };
        let links = self.links.iter().enumerate();
        links.flat_map(move |(i, links)| {
            (0..Way::COUNT).map(move |k| (cell(i), Way::of(k), links[k].words))
        })
    }
}
