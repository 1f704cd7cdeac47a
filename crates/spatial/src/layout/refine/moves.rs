//! Moves at one temperature.
//!
//! **Swap.** A vertex goes next to one of its neighbours, or one cell on; who stands there
//! takes its place. **Pair.** When that is only a little too dear, it takes a neighbour
//! along, who would have stayed behind: two changes places with two. **Hub.** A vertex with
//! many neighbours goes to their median.
//!
//! Most vertices of a good layout have all their neighbours beside them, and no move of
//! theirs can gain. A pass over a tile therefore visits the *strained* ones, and of the
//! others one in [`SAMPLE`], which keeps the rest of the occupancy in motion.

use super::occupancy::Occupancy;
use super::places::Spot;

/// The side of a tile: its cells fit the first-level cache.
pub(super) const TILE: u32 = 32;
/// One of so many unstrained vertices is visited. No divisor of a tile's side.
const SAMPLE: u32 = 31;
/// How far above what is acceptable a swap may be for a pair to be tried.
const MARGIN: i32 = 2;
/// Hubs with more neighbours move to their median once a round, never else: a swap with
/// them costs as much as they have neighbours.
const BIG_HUB: usize = 64;

/// Random bits.
///
/// **Reference.** Wang Yi, *wyrand*.
pub(super) struct Bits(u64);

impl Bits {
    pub(super) fn new(seed: u64) -> Bits {
        Bits(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xd1b5_4a32_d192_ed03)
    }

    #[inline(always)]
    fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let product = u128::from(self.0) * u128::from(self.0 ^ 0xe703_7ed1_a0b4_28db);
        (product >> 64) as u64 ^ product as u64
    }
}

/// The chances, of 2^32, that a change of energy is accepted.
pub(super) struct Chances([u64; 64]);

impl Chances {
    /// Only gains, and changes for nothing.
    pub(super) const GREEDY: Chances = {
        let mut chances = [0; 64];
        chances[0] = 1 << 32;
        Chances(chances)
    };

    /// Metropolis: `exp(-cost / temperature)`. The exponential is the power of a number
    /// close to 1, good to a few per cent and the same on every platform.
    pub(super) fn new(temperature: f64) -> Chances {
        let mut one = 1.0 - 1.0 / (1024.0 * temperature);
        for _ in 0..10 {
            one *= one;
        }
        let mut chance = (1u64 << 32) as f64;
        Chances(std::array::from_fn(|_| {
            let whole = chance as u64;
            chance *= one;
            whole
        }))
    }

    #[inline(always)]
    pub(super) fn accept(&self, cost: i32, draw: u64) -> bool {
        cost < 64 && draw < self.0[(cost.max(0) & 63) as usize]
    }
}

/// What has been done.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Tally {
    pub(super) tried: u64,
    pub(super) made: u64,
    /// The change of energy.
    pub(super) change: i64,
    /// Time in units of one tried swap, by a model: the budget must not depend on a clock.
    pub(super) work: u64,
}

impl Tally {
    /// A move in a number of swaps.
    #[inline(always)]
    fn book(&mut self, cost: i32, swaps: u64) {
        self.made += 1;
        self.change += i64::from(cost);
        self.work += 3 * swaps;
    }
}

/// A rectangle of at most [`TILE`] by [`TILE`] cells.
pub(super) struct Tile {
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) width: u32,
    pub(super) height: u32,
}

/// Passes over a tile.
pub(super) fn sweep(
    occupancy: &mut Occupancy,
    tile: &Tile,
    passes: u64,
    chances: &Chances,
    bits: &mut Bits,
    tally: &mut Tally,
) {
    const AREA: usize = (TILE * TILE) as usize;
    // One more: the place after the last is written before it is known to be none.
    let mut visit = [Spot { x: 0, y: 0 }; AREA + 1];
    for _ in 0..passes {
        let mut count = 0;
        let mut until_sample = (bits.draw() >> 32) as u32 % SAMPLE;
        for y in tile.y..tile.y + tile.height {
            let strained = occupancy.strained(y, tile.x..tile.x + tile.width);
            for (x, &strained) in (tile.x..).zip(strained) {
                let sampled = until_sample == 0;
                until_sample = if sampled { SAMPLE } else { until_sample } - 1;
                visit[count.min(AREA)] = Spot { x: x as i16, y: y as i16 };
                count += usize::from(strained | u8::from(sampled));
            }
        }
        for &spot in &visit[..count.min(AREA)] {
            attempt(occupancy, spot, chances, bits, tally);
        }
        tally.work += u64::from(tile.width * tile.height) / 16;
    }
}

/// Tries to move the occupant of a cell.
#[inline(always)]
fn attempt(
    occupancy: &mut Occupancy,
    a: Spot,
    chances: &Chances,
    bits: &mut Bits,
    tally: &mut Tally,
) {
    let q = bits.draw();
    let (draw, way, kind) = (q >> 32, q >> 16, (q >> 18) & 3);
    let v = occupancy.occupant(a);
    if v.degree() == 0 && (!v.is_hub() || occupancy.hub_degree(a) > BIG_HUB) {
        return;
    }
    let from = if kind == 0 { a } else { occupancy.neighbour(a, q) };
    // Not to where it is already, but to the other side.
    let way = way ^ u64::from(from.step(way) == a);
    let b = from.step(way);
    if !occupancy.contains(b) {
        return;
    }
    let w = occupancy.occupant(b);
    if w.is_hub() && occupancy.hub_degree(b) > BIG_HUB {
        return;
    }
    let hub = v.is_hub() || w.is_hub();
    tally.tried += 1;
    tally.work += if hub { 3 } else { 1 };
    let loose = occupancy.loose_swap_cost(a, b);
    if chances.accept(loose, draw) {
        let cost = loose + occupancy.tie(a, b);
        if chances.accept(cost, draw) {
            if cost != 0 || !occupancy.are_twins(a, b) {
                occupancy.swap(a, b);
                tally.book(cost, 1);
            }
            return;
        }
    }
    if !hub && chances.accept(loose - MARGIN, draw) {
        attempt_pair(occupancy, (a, b), loose, chances, draw, bits, tally);
    }
}

/// Tries to move the occupant of `a` to `b` together with a neighbour beside it, who goes
/// the same way; `loose` is the cost for the first alone.
#[inline(always)]
fn attempt_pair(
    occupancy: &mut Occupancy,
    (a, b): (Spot, Spot),
    loose: i32,
    chances: &Chances,
    draw: u64,
    bits: &mut Bits,
    tally: &mut Tally,
) {
    let c = occupancy.neighbour(a, bits.draw());
    let d = Spot { x: c.x + (b.x - a.x), y: c.y + (b.y - a.y) };
    if a.distance(c) != 1 || c == b || d == a || !occupancy.contains(d) {
        return;
    }
    if occupancy.occupant(c).is_hub() || occupancy.occupant(d).is_hub() {
        return;
    }
    tally.tried += 1;
    tally.work += 1;
    // The edge between the two keeps its length 1, which neither's cost knows; the same
    // holds for the two who make way, if they are adjacent. All else adds to the cost.
    let kept = 2 - b.distance(c) - a.distance(d);
    let both = if occupancy.touches(b, d) { 2 * kept } else { kept };
    if !chances.accept(loose + occupancy.loose_swap_cost(c, d) + both, draw) {
        return;
    }
    let first = loose + occupancy.tie(a, b);
    occupancy.swap(a, b);
    let cost = first + occupancy.loose_swap_cost(c, d) + occupancy.tie(c, d);
    if chances.accept(cost, draw) {
        occupancy.swap(c, d);
        tally.book(cost, 2);
    } else {
        occupancy.swap(a, b);
        tally.work += 6;
    }
}

/// Moves every big hub to the median of its neighbours, or beside it when a bigger one is
/// there, where that gains.
pub(super) fn settle_hubs(occupancy: &mut Occupancy, tally: &mut Tally) {
    for row in 0..occupancy.hubs() {
        let a = occupancy.hub(row);
        let degree = occupancy.hub_degree(a);
        if degree <= BIG_HUB {
            continue;
        }
        let (mut x, mut y): (Vec<i16>, Vec<i16>) =
            occupancy.around_hub(a).map(|s| (s.x, s.y)).unzip();
        let (_, &mut x, _) = x.select_nth_unstable(degree / 2);
        let (_, &mut y, _) = y.select_nth_unstable(degree / 2);
        let median = Spot { x, y };
        let near = [median, median.step(0), median.step(1), median.step(2), median.step(3)];
        let open = |&b: &Spot| occupancy.contains(b) && b != a && occupancy.hub_degree(b) < degree;
        let Some(b) = near.into_iter().find(open) else { continue };
        tally.tried += 1;
        tally.work += degree as u64;
        let cost = occupancy.hub_swap_cost(a, b);
        if cost < 0 {
            occupancy.swap(a, b);
            tally.made += 1;
            tally.change += cost;
            tally.work += degree as u64;
        }
    }
}
