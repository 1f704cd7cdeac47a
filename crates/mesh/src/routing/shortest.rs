//! Congestion-weighted shortest paths with rip-up and reroute.
//!
//! **Method.** From the best paths of two bends (on other networks than grids, the best shortest
//! paths), goals are set and reached by negotiation
//! ([`super::desk`]): first ever lower largest loads of a link, halving what is left above
//! a lower bound; then with that load ever fewer paths at a processor; in the end paths
//! with detours that are no longer needed are shortened. Several attempts with seeds of
//! their own; the best by (load, paths at a processor, hopsum) is taken, the first of equals.
//!
//! **Cost.** About `log` of the gaps to the lower bounds times some rounds of rerouting per
//! attempt. Measured with two attempts on two cores, 64 parts on an 8×8 torus: 2 to 70 ms for the
//! 332 messages of a plane mesh, 0.1 to 0.3 s for the 698 of a solid one.
//!
//! **When not to use.** When the machine routes by itself, or routes must be of a form.

use super::desk::{Desk, Freedom, Goal};
use super::{Message, RouteParams, Routes, bends, minimal};
use crate::machine::{Lattice, Wires};
use rayon::prelude::*;
use std::sync::Arc;

/// The paths of all messages.
pub(super) fn route(
    grid: Option<&Lattice>,
    wires: &Arc<Wires>,
    messages: &[Message],
    params: &RouteParams,
) -> Vec<Vec<u32>> {
    let plain = RouteParams { random_bends: false, ..*params };
    let bent = match grid {
        Some(lattice) => bends::route(lattice, messages, true, &plain),
        None => minimal::route(wires, messages, false, params),
    };
    let run = |attempt: u32| {
        let seed = attempt_seed(params.seed, attempt);
        Routes::new(wires.clone(), messages, optimised(wires, messages, bent.clone(), params, seed))
    };
    let attempts: Vec<Routes> = (0..params.attempts).into_par_iter().map(run).collect();
    let best = attempts.iter().min_by_key(|routes| routes.score());
    best.map_or_else(|| bent.clone(), |routes| routes.paths().to_vec())
}

pub(super) fn attempt_seed(seed: u64, attempt: u32) -> u64 {
    seed.wrapping_add(u64::from(attempt).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

fn optimised(
    wires: &Wires,
    messages: &[Message],
    paths: Vec<Vec<u32>>,
    params: &RouteParams,
    seed: u64,
) -> Vec<Vec<u32>> {
    let mut desk = Desk::new(wires, messages, paths, (vec![0; messages.len()], 1));
    let (least_load, least_channels) = lower_bounds(wires, messages);
    lower(&mut desk, least_load, Desk::max_load, |desk, load| {
        let goal = Goal { load, channels: u32::MAX };
        desk.negotiate(goal, Freedom::Paths, params.patience, seed)
    });
    let load = desk.max_load();
    let channels = |desk: &Desk<'_>| u64::from(desk.max_channels());
    lower(&mut desk, u64::from(least_channels), channels, |desk, channels| {
        let goal = Goal { load, channels: channels as u32 };
        desk.negotiate(goal, Freedom::Paths, params.patience, seed)
    });
    desk.tidy(Goal { load, channels: desk.max_channels() });
    desk.paths
}

/// Lowers a figure of a desk towards a bound, as far as attempts at a goal between succeed.
pub(super) fn lower<'a>(
    desk: &mut Desk<'a>,
    bound: u64,
    figure: impl Fn(&Desk<'a>) -> u64,
    reach: impl Fn(&mut Desk<'a>, u64) -> bool,
) {
    let mut bound = bound;
    while bound < figure(desk) {
        let goal = bound + (figure(desk) - bound) / 2;
        let mut changed = desk.clone();
        if reach(&mut changed, goal) {
            *desk = changed;
        } else {
            bound = goal + 1;
        }
    }
}

/// No routes have a lower largest load, or fewer paths at the fullest point.
fn lower_bounds(wires: &Wires, messages: &[Message]) -> (u64, u32) {
    let points = wires.points();
    let (mut out, mut into) = (vec![0u64; points], vec![0u64; points]);
    let mut own = vec![0u32; points];
    let (mut hops, mut visits, mut largest) = (0u64, 0u64, 0u64);
    for &Message { from, to, values } in
        messages.iter().filter(|message| message.from != message.to)
    {
        out[from as usize] += values;
        into[to as usize] += values;
        own[from as usize] += 1;
        own[to as usize] += 1;
        let distance = u64::from(wires.hops(from, to));
        hops += distance * values;
        visits += distance + 1;
        largest = largest.max(values);
    }
    // Loads in units in which the emptiest of links counts 1 for a value.
    let room = |links: &mut dyn Iterator<Item = u32>| {
        links.map(|l| 1.0 / wires.burden(l) as f64).sum::<f64>()
    };
    let even = wires.is_even();
    let over = |values: u64, room: f64| {
        let share = values as f64 / room.max(f64::MIN_POSITIVE);
        (if even { share.ceil() } else { share.floor() }) as u64
    };
    let least = wires.links().map(|link| wires.burden(link)).min().unwrap_or(1);
    let mut load = (largest * least).max(over(hops, room(&mut wires.links())));
    for point in 0..points {
        let room = room(&mut wires.links_of(point as u32).map(|(link, _)| link));
        if room > 0.0 {
            load = load.max(over(out[point].max(into[point]), room));
        }
    }
    let channels = own.into_iter().max().unwrap_or(0);
    (load, channels.max(visits.div_ceil(points as u64) as u32))
}
