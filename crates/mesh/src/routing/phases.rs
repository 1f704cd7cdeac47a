//! Static phases: sets of messages whose paths fit a processor's channels at a time.
//!
//! **Problem.** Split messages into as few phases as possible so that in none more than a
//! limit of paths touch a processor, ends included.
//! **Method.** The number of phases goes up from a lower bound. With the routes as they are,
//! messages negotiate for phases ([`super::desk`]); if the routes may change, they then
//! negotiate for paths as well, with no bound on loads first; loads are then lowered again,
//! at most to those of before. First-fit decreasing on the routes as they are always gives
//! some number of phases, at which this stops. In the end the fullest phase is made
//! emptier, as far as half the limit, where paths as they are allow it.
//! **Bound.** The messages that a processor itself sends and receives, over the limit.
//! **Cost.** A few negotiations for each number of phases tried.

use super::desk::{Desk, Freedom, Goal};
use super::shortest::lower;
use super::{Message, Method, RouteParams, Routes, RoutingError, route};
use crate::Machine;
use std::cmp::Reverse;

/// Routes, and when each message goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phases {
    /// The paths.
    pub routes: Routes,
    /// By message, its phase from 0.
    pub phase: Vec<u32>,
    /// The number of phases; none without messages.
    pub count: usize,
    /// No routes do with fewer.
    pub lower_bound: usize,
    /// The paths that may touch a processor at a time.
    pub limit: u32,
}

impl Phases {
    /// By number of the link, the values that go over it in a phase.
    pub fn loads(&self, phase: u32) -> Vec<u64> {
        let mut loads = vec![0; self.routes.wires().link_slots()];
        let messages = self.routes.messages().iter().zip(self.routes.paths());
        for ((message, path), _) in messages.zip(&self.phase).filter(|(_, of)| **of == phase) {
            path.iter().for_each(|&link| loads[link as usize] += message.values);
        }
        loads
    }

    /// The most paths that touch a point in each phase.
    pub fn max_channels(&self) -> Vec<u32> {
        let points = self.routes.wires().points();
        let mut channels = vec![0u32; points * self.count];
        for (message, &phase) in self.phase.iter().enumerate() {
            for point in self.routes.touched(message) {
                channels[phase as usize * points + point as usize] += 1;
            }
        }
        let most = |phase: &[u32]| phase.iter().copied().max().unwrap_or(0);
        channels.chunks(points).map(most).collect()
    }
}

/// Routes messages and splits them into phases.
///
/// # Errors
/// As [`route`], or a limit of 0.
pub fn route_in_phases(
    method: Method,
    machine: &Machine,
    messages: &[Message],
    limit: u32,
    params: &RouteParams,
) -> Result<Phases, RoutingError> {
    if limit == 0 {
        return Err(RoutingError::NoChannels);
    }
    let routes = route(method, machine, messages, params)?;
    let lower_bound = lower_bound(&routes, limit);
    let (phase, most) = first_fit(&routes, limit);
    let split = (lower_bound..most).find_map(|count| split(method, &routes, count, limit, params));
    let mut desk = split.unwrap_or_else(|| desk_of(&routes, phase, most));
    level(&mut desk, limit, params);
    let Desk { phase, phases: count, paths, .. } = desk;
    let routes = Routes::new(routes.wires().clone(), routes.messages(), paths);
    Ok(Phases { routes, phase, count, lower_bound, limit })
}

fn desk_of(routes: &Routes, phase: Vec<u32>, count: usize) -> Desk<'_> {
    let paths = routes.paths().to_vec();
    Desk::new(routes.wires(), routes.messages(), paths, (phase, count))
}

fn lower_bound(routes: &Routes, limit: u32) -> usize {
    let mut own = vec![0u32; routes.wires().points()];
    for message in routes.messages().iter().filter(|message| message.from != message.to) {
        own[message.from as usize] += 1;
        own[message.to as usize] += 1;
    }
    let some = !routes.messages().is_empty();
    (own.into_iter().max().unwrap_or(0).div_ceil(limit) as usize).max(usize::from(some))
}

/// Longest paths first, each in the first phase with room; and the number of phases.
fn first_fit(routes: &Routes, limit: u32) -> (Vec<u32>, usize) {
    let mut order: Vec<usize> = (0..routes.messages().len()).collect();
    order.sort_by_key(|&i| Reverse(routes.paths()[i].len()));
    let mut channels: Vec<Vec<u32>> = Vec::new();
    let mut phase = vec![0; order.len()];
    for i in order {
        let room =
            |channels: &Vec<u32>| routes.touched(i).all(|point| channels[point as usize] < limit);
        let first = channels.iter().position(room).unwrap_or(channels.len());
        if first == channels.len() {
            channels.push(vec![0; routes.wires().points()]);
        }
        routes.touched(i).for_each(|point| channels[first][point as usize] += 1);
        phase[i] = first as u32;
    }
    (phase, channels.len())
}

/// Messages in so many phases, if negotiation finds them.
fn split<'a>(
    method: Method,
    routes: &'a Routes,
    count: usize,
    limit: u32,
    params: &RouteParams,
) -> Option<Desk<'a>> {
    let reach = |desk: &mut Desk<'a>, freedom, load| {
        let goal = Goal { load, channels: limit };
        desk.negotiate(goal, freedom, PATIENCE * params.patience, params.seed)
    };
    let dealt = (0..routes.messages().len()).map(|i| (i % count) as u32).collect();
    let start = desk_of(routes, dealt, count);
    let mut desk = start.clone();
    if count > 1 && reach(&mut desk, Freedom::Phases, u64::MAX) {
        return Some(desk);
    }
    desk = start;
    if !method.reroutes() || !reach(&mut desk, Freedom::Paths, u64::MAX) {
        return None;
    }
    lower(&mut desk, routes.max_burden(), Desk::max_load, |desk, load| {
        reach(desk, Freedom::Paths, load)
    });
    desk.tidy(Goal { load: desk.max_load(), channels: limit });
    Some(desk)
}

/// A phase less is worth so many times the patience of a goal.
const PATIENCE: u32 = 4;

/// Makes the fullest phase emptier; paths stay as they are.
fn level(desk: &mut Desk<'_>, limit: u32, params: &RouteParams) {
    let channels = |desk: &Desk<'_>| u64::from(desk.max_channels());
    let least = u64::from(limit.div_ceil(2));
    lower(desk, least, channels, |desk, channels| {
        let goal = Goal { load: u64::MAX, channels: channels as u32 };
        desk.negotiate(goal, Freedom::Phases, params.patience, params.seed)
    });
}
