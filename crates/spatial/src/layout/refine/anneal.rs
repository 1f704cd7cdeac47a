//! Moves at one temperature.

use super::board::{Board, Spot};

/// Random bits: wyrand.
pub(super) struct Bits(pub(super) u64);

impl Bits {
    #[inline(always)]
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let product = u128::from(self.0) * u128::from(self.0 ^ 0xe703_7ed1_a0b4_28db);
        (product >> 64) as u64 ^ product as u64
    }
}

/// The chances, of 2^32, that a change of energy is accepted.
pub(super) struct Chances([u64; 64]);

impl Chances {
    pub(super) fn new(t: f64) -> Chances {
        Chances(std::array::from_fn(|k| ((-(k as f64) / t).exp() * (1u64 << 32) as f64) as u64))
    }
    #[inline(always)]
    fn accepts(&self, cost: i32, draw: u64) -> bool {
        cost < 64 && draw < self.0[cost.max(0) as usize & 63]
    }
}

#[derive(Default, Clone, Copy, Debug)]
pub(super) struct Tally {
    pub(super) tried: u64,
    pub(super) visits: u64,
    pub(super) made: u64,
    pub(super) cycles: u64,
    pub(super) cyc_tried: u64,
    pub(super) change: i64,
}

pub(super) const TUNE: usize = 8;
pub(super) struct Tile { pub(super) x: u32, pub(super) y: u32, pub(super) w: u32, pub(super) h: u32 }

const STEPS: [(i16, i16); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

#[inline(always)]
fn step(s: Spot, k: u64) -> Spot {
    let (dx, dy) = STEPS[(k & 3) as usize];
    Spot { x: s.x + dx, y: s.y + dy }
}

#[inline(always)]
fn pick(bits: u64, degree: u32) -> usize {
    (((bits & 63) * degree as u64) >> 6) as usize
}

#[inline(never)]
pub(super) fn sweep(board: &mut Board, tile: &Tile, passes: u64, chances: &Chances, bits: &mut Bits, tally: &mut Tally, tune: &[i32; TUNE]) {
    let mut list = [Spot { x: 0, y: 0 }; 4096];
    let every = tune[5] as u32;
    for _ in 0..passes {
        let mut len = 0;
        let mut sample = (bits.next() >> 32) as u32 % every;
        for y in tile.y..tile.y + tile.h {
            let row = board.strained_row(y, tile.x, tile.w);
            for (x, &s) in (tile.x..).zip(row) {
                let hit = sample == 0;
                sample = if hit { every } else { sample } - 1;
                list[len & 4095] = Spot { x: x as i16, y: y as i16 };
                len += usize::from(s | u8::from(hit));
            }
        }
        tally.visits += len as u64;
        for k in 0..len {
            try_from(board, list[k & 4095], chances, bits, tally, tune);
        }
    }
}
#[inline(always)]
fn try_from(board: &mut Board, a: Spot, chances: &Chances, bits: &mut Bits, tally: &mut Tally, tune: &[i32; TUNE]) {
        let q = bits.next();
        let draw = q >> 32;
        let i = board.index(a);
        let v = board.occupant(i);
        if v.degree() == 0 { return; }
        let mut k = pick(q, v.degree());
        if tune[6] > 0 {
            let k2 = pick(q >> 10, v.degree());
            let (s, s2) = (board.slot(i, k), board.slot(i, k2));
            if (((q >> 16) & 255) as i32) < tune[6] && s2.distance(a) > s.distance(a) { k = k2; }
        }
        let u = board.slot(i, k);
        let kind = ((q >> 24) & 255) as i32;
        let from = if kind < tune[3] { a } else { u };
        let b = step(from, q >> 6);
        let turn = u64::from(b == a);
        let b = step(from, (q >> 6) ^ turn);
        if !board.contains(b) { return; }
        tally.tried += 1;
        let cost = board.loose_swap_cost(a, b);
        if chances.accepts(cost, draw) {
            let cost = cost + board.swap_tie(a, b);
            if chances.accepts(cost, draw) {
                board.swap(a, b);
                tally.made += 1;
                tally.change += i64::from(cost);
                return;
            }
        }
        if !chances.accepts(cost - tune[0], draw) { return; }
        let j = board.index(b);
        let w = board.occupant(j);
        if w.degree() == 0 { return; }
        let q = q >> 8;
        let c = if ((q & 255) as i32) < tune[1] { board.slot(i, pick(q >> 8, v.degree())) } else { step(board.slot(j, pick(q >> 8, w.degree())), q >> 14) };
        if !board.contains(c) || c == a || c == b { return; }
        if board.occupant(board.index(c)).is_hub() { return; }
        tally.cyc_tried += 1;
        let cost = board.cycle_cost(a, b, c);
        if chances.accepts(cost, draw) {
            board.swap(a, b);
            board.swap(a, c);
            tally.made += 1;
            tally.cycles += 1;
            tally.change += i64::from(cost);
        }
}
