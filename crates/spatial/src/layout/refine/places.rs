//! What a cell knows: who stands on it, and where that vertex's neighbours are.
//!
//! Places are eight 16-bit lanes, the columns of four neighbours and then their rows. The
//! arithmetic is written lane by lane over all eight, which every compiler for a machine
//! with vectors turns into one instruction per line; an odd number of lanes would not be.

/// The longest side of a grid: the difference of two changes of distance fits a lane.
pub(super) const MAX_SIDE: u32 = 1 << 14;
/// Vertices are numbered below this, less one.
pub(super) const MAX_VERTICES: usize = 1 << 28;
/// The most neighbours whose places fit a cell.
pub(super) const SLOTS: usize = 4;

/// A cell, in the numbers of the lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) x: i16,
    pub(super) y: i16,
}

impl Spot {
    #[inline(always)]
    pub(super) fn distance(self, other: Spot) -> i32 {
        i32::from(self.x.abs_diff(other.x)) + i32::from(self.y.abs_diff(other.y))
    }

    /// One of the four cells around; `way ^ 1` is opposite to `way`.
    #[inline(always)]
    pub(super) fn step(self, way: u64) -> Spot {
        const WAYS: [(i16, i16); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
        let (dx, dy) = WAYS[(way & 3) as usize];
        Spot { x: self.x + dx, y: self.y + dy }
    }

    #[inline(always)]
    fn lanes(self) -> [i16; 2 * SLOTS] {
        let Spot { x, y } = self;
        [x, x, x, x, y, y, y, y]
    }

    /// How much further `to` is from an empty slot than `self`.
    #[inline(always)]
    fn rise(self, to: Spot) -> i32 {
        i32::from(to.x) - i32::from(self.x) + i32::from(to.y) - i32::from(self.y)
    }
}

/// Who stands on a cell: a vertex with its number of neighbours; or nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Occupant(u32);

impl Occupant {
    const DEGREE: u32 = 28;
    const HUB: u32 = 1 << 31;
    /// Nobody has no neighbours.
    pub(super) const NOBODY: Occupant = Occupant((1 << Occupant::DEGREE) - 1);

    /// A vertex with at most [`SLOTS`] neighbours.
    pub(super) fn plain(vertex: u32, degree: u32) -> Occupant {
        Occupant(vertex | degree << Occupant::DEGREE)
    }

    /// A vertex with more.
    pub(super) fn hub(vertex: u32) -> Occupant {
        Occupant(vertex | Occupant::HUB)
    }

    #[inline(always)]
    pub(super) fn vertex(self) -> usize {
        (self.0 & Occupant::NOBODY.0) as usize
    }

    /// The number of neighbours whose places the cell holds: 0 for a hub.
    #[inline(always)]
    pub(super) fn degree(self) -> u32 {
        (self.0 >> Occupant::DEGREE) & 7
    }

    #[inline(always)]
    pub(super) fn is_hub(self) -> bool {
        self.0 & Occupant::HUB != 0
    }
}

/// The places of the neighbours of a vertex that is no hub. Of a hub, the first two lanes
/// are the number of its row in the list of neighbours.
#[derive(Debug, Clone, Copy)]
pub(super) struct Places([i16; 2 * SLOTS]);

impl Places {
    /// No neighbours. An empty slot is left of and below every cell, hence moving away from
    /// it costs [`Spot::rise`], which is then taken off again for all empty slots at once.
    pub(super) const EMPTY: Places = Places([-1; 2 * SLOTS]);

    pub(super) fn of_row(row: usize) -> Places {
        let mut places = Places::EMPTY;
        places.0[0] = row as u16 as i16;
        places.0[1] = (row >> 16) as u16 as i16;
        places
    }

    pub(super) fn row(&self) -> usize {
        usize::from(self.0[0] as u16) | usize::from(self.0[1] as u16) << 16
    }

    #[inline(always)]
    pub(super) fn slot(&self, k: usize) -> Spot {
        Spot { x: self.0[k % SLOTS], y: self.0[k % SLOTS + SLOTS] }
    }

    #[inline(always)]
    pub(super) fn set(&mut self, k: usize, spot: Spot) {
        self.0[k % SLOTS] = spot.x;
        self.0[k % SLOTS + SLOTS] = spot.y;
    }

    #[inline(always)]
    pub(super) fn contains(&self, spot: Spot) -> bool {
        (0..SLOTS).fold(false, |found, k| found | (self.slot(k) == spot))
    }

    /// Exchanges two places.
    #[inline(always)]
    pub(super) fn exchange(&mut self, a: Spot, b: Spot) {
        for k in 0..SLOTS {
            let s = self.slot(k);
            let other = if s == a { b } else { a };
            self.set(k, if s == a || s == b { other } else { s });
        }
    }

    #[inline(always)]
    fn distances(&self, from: Spot) -> [i16; 2 * SLOTS] {
        let from = from.lanes();
        std::array::from_fn(|k| {
            let d = self.0[k].wrapping_sub(from[k]);
            d.max(d.wrapping_neg())
        })
    }

    /// The length of all edges of a vertex at `a`, beyond the least possible.
    #[inline(always)]
    pub(super) fn strain(&self, degree: u32, a: Spot) -> i32 {
        let sum: i32 = self.distances(a).iter().map(|&d| i32::from(d)).sum();
        let empty = SLOTS as i32 - degree as i32;
        sum - degree as i32 - empty * Spot { x: -1, y: -1 }.rise(a)
    }

    /// By how much the edges of a vertex with these places and this degree grow on its way
    /// from `a` to `b`, while those of another shrink as if it went with it.
    #[inline(always)]
    pub(super) fn growth(
        (plus, plus_degree): (&Places, u32),
        (minus, minus_degree): (&Places, u32),
        a: Spot,
        b: Spot,
    ) -> i32 {
        let (plus_a, plus_b) = (plus.distances(a), plus.distances(b));
        let (minus_a, minus_b) = (minus.distances(a), minus.distances(b));
        let mut sum = 0;
        for k in 0..2 * SLOTS {
            let plus = plus_b[k].wrapping_sub(plus_a[k]);
            let minus = minus_b[k].wrapping_sub(minus_a[k]);
            sum += i32::from(plus.wrapping_sub(minus));
        }
        sum + (plus_degree as i32 - minus_degree as i32) * a.rise(b)
    }
}
