//! The parts of the generalised Hilbert curve on their own axes, and the small ones whole.

/// A part of the curve: it starts at the origin of its own axes, runs `along` the one
/// and ends at the other end of it; `across` is the extent of the other axis.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub(super) along: u32,
    pub(super) across: u32,
}

/// How a part that is no leaf is cut.
pub(super) enum Cut {
    /// In two: how far along the first part reaches.
    Ends(u32),
    /// In three: how far along the first part reaches, and how far across it and the
    /// last one do.
    Arch(u32, u32),
}

const LEAF: u32 = 8;

impl Part {
    #[inline]
    pub(super) const fn len(self) -> u64 {
        self.along as u64 * self.across as u64
    }

    #[inline]
    pub(super) const fn is_line(self) -> bool {
        self.along == 1 || self.across == 1
    }

    #[inline]
    pub(super) const fn is_small(self) -> bool {
        self.along <= LEAF && self.across <= LEAF
    }

    #[inline]
    pub(super) const fn cut(self) -> Cut {
        const fn half(length: u32) -> u32 {
            length / 2 + (length > 2 && length / 2 % 2 == 1) as u32
        }
        if 2 * self.along as u64 > 3 * self.across as u64 {
            Cut::Ends(half(self.along))
        } else {
            Cut::Arch(self.along / 2, half(self.across))
        }
    }

    /// The part of this one that has a place `(p, q)` on its axes, the place on the
    /// axes of that part, and how many cells come before the part.
    #[inline]
    pub(super) const fn enter(self, p: u32, q: u32) -> (Part, u32, u32, u64) {
        let Part { along, across } = self;
        match self.cut() {
            Cut::Ends(near) if p < near => (Part { along: near, across }, p, q, 0),
            Cut::Ends(near) => {
                let before = near as u64 * across as u64;
                (Part { along: along - near, across }, p - near, q, before)
            }
            Cut::Arch(near, up) if q >= up => {
                let before = near as u64 * up as u64;
                (Part { along, across: across - up }, p, q - up, before)
            }
            Cut::Arch(near, up) if p < near => (Part { along: up, across: near }, q, p, 0),
            Cut::Arch(near, up) => {
                let down = Part { along: up, across: along - near };
                (down, up - 1 - q, along - 1 - p, self.len() - down.len())
            }
        }
    }
}

/// For parts of at most 8 × 8: `to_place[along - 1][across - 1][index]` is `p << 4 | q`,
/// `to_index[along - 1][across - 1][p << 3 | q]` the index.
pub(super) struct Leaves {
    pub(super) to_place: [[[u8; 64]; 8]; 8],
    pub(super) to_index: [[[u8; 64]; 8]; 8],
}

pub(super) static LEAVES: Leaves = leaves();

const fn leaves() -> Leaves {
    let mut leaves = Leaves { to_place: [[[0; 64]; 8]; 8], to_index: [[[0; 64]; 8]; 8] };
    let mut shape = 0;
    while shape < 64 {
        let whole = Part { along: 1 + shape / 8, across: 1 + shape % 8 };
        let mut place = 0;
        while place < whole.along * whole.across {
            let (start_p, start_q) = (place / whole.across, place % whole.across);
            let (mut part, mut p, mut q, mut index) = (whole, start_p, start_q, 0);
            while !part.is_line() {
                let before;
                (part, p, q, before) = part.enter(p, q);
                index += before;
            }
            let index = index as usize + (p + q) as usize;
            let (i, j) = (shape as usize / 8, shape as usize % 8);
            leaves.to_place[i][j][index] = (start_p << 4 | start_q) as u8;
            leaves.to_index[i][j][(start_p << 3 | start_q) as usize] = index as u8;
            place += 1;
        }
        shape += 1;
    }
    leaves
}
