//! Simulated annealing and descent on an assignment.
//!
//! **Method.** A step takes a random part and a processor for it: mostly one next to a
//! partner, every fifth time any. Now and then two groups of processors exchange all they
//! have. The move is made when it costs less than the
//! temperature times an exponential variable, which is Metropolis' rule. Temperatures fall
//! by a constant factor; the best placement at the end of each temperature is kept. Descent
//! then tries for every part all processors next to its partners, until none helps.
//!
//! **Determinism.** Whole numbers, fixed factors and [`Random`]: no function of the
//! mathematical library.
//!
//! **Reference.** Kirkpatrick, Gelatt and Vecchi, *Optimization by simulated annealing*, 1983.

use super::assignment::{Assignment, Rules};
use palmette_core::random::{Purpose, Random};
use std::time::Instant;

/// Temperatures of one cooling, and the factor between them: from 1 to 0.063.
const TEMPERATURES: u64 = 110;
const FACTOR: f64 = 0.975;

/// Groups are exchanged once in so many steps.
const GROUPS: u64 = 64;

/// The clock is looked at once in so many steps.
const CLOCK: u64 = 1024;

/// How one annealing runs.
#[derive(Clone, Copy)]
pub(super) struct Schedule {
    pub(super) steps: u64,
    /// The first temperature, in mean sizes of a random move's difference.
    pub(super) heat: f64,
    pub(super) seed: u64,
    pub(super) until: Option<Instant>,
}

/// Improves an assignment; it is never worse afterwards.
pub(super) fn anneal(rules: &Rules<'_>, assignment: &mut Assignment<'_>, schedule: &Schedule) {
    if assignment.parts() == 0 || rules.available.len() < 2 {
        return;
    }
    let mut random = Random::new(schedule.seed, Purpose::Samples);
    let exponentials: Vec<f64> = (0..EXPONENTIALS).map(|_| random.exponential()).collect();
    let mut best = assignment.clone();
    let mut temperature = schedule.heat * mean_difference(rules, assignment, &mut random);
    for round in 0..TEMPERATURES {
        let steps = (schedule.steps + round) / TEMPERATURES;
        let mut late = false;
        for step in 0..steps {
            if step % CLOCK == 0 && schedule.until.is_some_and(|end| Instant::now() >= end) {
                late = true;
                break;
            }
            let bound = temperature * exponentials[random.below(EXPONENTIALS) as usize];
            if step % GROUPS == 0 {
                exchange_groups(rules, assignment, &mut random, bound);
            }
            let (part, to) = proposal(rules, assignment, &mut random);
            if assignment.processor(part) != to {
                let difference = assignment.difference(part, to);
                if difference as f64 <= bound {
                    assignment.apply(part, to, difference);
                }
            }
        }
        if assignment.cost < best.cost {
            best.clone_from(assignment);
        }
        if late {
            break;
        }
        temperature *= FACTOR;
    }
    *assignment = best;
    descend(rules, assignment);
}

/// As many exponential variables are drawn once and used again in random order.
const EXPONENTIALS: u32 = 4096;

#[inline]
fn proposal(rules: &Rules<'_>, assignment: &Assignment<'_>, random: &mut Random) -> (u32, u32) {
    let part = random.below(assignment.parts() as u32);
    let partners = rules.partners(part);
    let any = partners.len() / 4 + 1;
    let choice = random.below((partners.len() + any) as u32) as usize;
    if let Some(&(partner, _)) = partners.get(choice) {
        let near = rules.near(assignment.processor(partner));
        (part, near[random.below(near.len() as u32) as usize])
    } else {
        (part, rules.available[random.below(rules.available.len() as u32) as usize])
    }
}

/// Exchanges two random groups of processors, unless that costs more than a bound.
fn exchange_groups(
    rules: &Rules<'_>,
    assignment: &mut Assignment<'_>,
    random: &mut Random,
    bound: f64,
) {
    let sizes = &rules.group_sizes;
    if sizes.is_empty() {
        return;
    }
    let size = sizes[random.below(sizes.len() as u32) as usize];
    let count = rules.processors as u32 / size;
    let groups = [random.below(count), random.below(count)];
    if groups[0] != groups[1] {
        let before = assignment.cost;
        assignment.exchange(size, groups);
        if (assignment.cost - before) as f64 > bound {
            assignment.exchange(size, groups);
        }
    }
}

/// The mean size of the difference of a random move.
fn mean_difference(rules: &Rules<'_>, assignment: &Assignment<'_>, random: &mut Random) -> f64 {
    const MOVES: u32 = 256;
    let mut sum = 0;
    for _ in 0..MOVES {
        let part = random.below(assignment.parts() as u32);
        let to = rules.available[random.below(rules.available.len() as u32) as usize];
        if assignment.processor(part) != to {
            sum += assignment.difference(part, to).abs();
        }
    }
    sum as f64 / f64::from(MOVES)
}

/// Moves parts next to partners as long as that helps.
pub(super) fn descend(rules: &Rules<'_>, assignment: &mut Assignment<'_>) {
    let mut helped = true;
    while helped {
        helped = false;
        for part in 0..assignment.parts() as u32 {
            for &(partner, _) in rules.partners(part) {
                // The partner may itself be moved by the exchange, so look it up each time.
                for k in 0..rules.near(assignment.processor(partner)).len() {
                    let to = rules.near(assignment.processor(partner))[k];
                    if to == assignment.processor(part) {
                        continue;
                    }
                    let difference = assignment.difference(part, to);
                    if difference < 0 {
                        assignment.apply(part, to, difference);
                        helped = true;
                    }
                }
            }
        }
    }
}
