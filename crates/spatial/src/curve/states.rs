//! The curves as automata: digits from the most significant, one quadrant each.
//!
//! In state `s`, digit `d` lies in quadrant `cells[s][d]` (its x in bit 0, its y in
//! bit 1) and goes on in state `next[s][d]`.

/// The automaton of a curve that visits quadrants.
pub(super) struct States<const S: usize> {
    pub(super) cells: [[u8; 4]; S],
    pub(super) next: [[u8; 4]; S],
}

pub(super) const HILBERT: States<4> = States {
    cells: [[0, 2, 3, 1], [0, 1, 3, 2], [3, 2, 0, 1], [3, 1, 0, 2]],
    next: [[1, 0, 0, 2], [0, 1, 1, 3], [3, 2, 2, 0], [2, 3, 3, 1]],
};

/// State 0 is used once, at the top.
pub(super) const MOORE: States<5> = States {
    cells: [[0, 2, 3, 1], [1, 0, 2, 3], [2, 3, 1, 0], [1, 3, 2, 0], [2, 0, 1, 3]],
    next: [[1, 1, 2, 2], [3, 1, 1, 4], [4, 2, 2, 3], [1, 3, 3, 2], [2, 4, 4, 1]],
};

/// State 0 starts the open curve, state 24 the closed one.
pub(super) const BETA_OMEGA: States<25> = States {
    cells: [
        [0, 2, 3, 1],
        [3, 2, 0, 1],
        [0, 1, 3, 2],
        [0, 1, 3, 2],
        [0, 1, 3, 2],
        [3, 1, 0, 2],
        [0, 2, 3, 1],
        [0, 2, 3, 1],
        [3, 1, 0, 2],
        [3, 2, 0, 1],
        [3, 1, 0, 2],
        [3, 2, 0, 1],
        [2, 0, 1, 3],
        [1, 0, 2, 3],
        [2, 3, 1, 0],
        [2, 3, 1, 0],
        [2, 3, 1, 0],
        [1, 3, 2, 0],
        [2, 0, 1, 3],
        [2, 0, 1, 3],
        [1, 3, 2, 0],
        [1, 0, 2, 3],
        [1, 3, 2, 0],
        [1, 0, 2, 3],
        [0, 2, 3, 1],
    ],
    next: [
        [12, 13, 14, 15],
        [16, 17, 18, 19],
        [19, 12, 20, 21],
        [13, 12, 20, 21],
        [13, 12, 20, 22],
        [17, 16, 21, 23],
        [23, 13, 14, 18],
        [12, 13, 14, 18],
        [15, 16, 21, 20],
        [22, 17, 18, 14],
        [17, 16, 21, 20],
        [16, 17, 18, 14],
        [0, 1, 2, 3],
        [4, 5, 6, 7],
        [7, 0, 8, 9],
        [1, 0, 8, 9],
        [1, 0, 8, 10],
        [5, 4, 9, 11],
        [11, 1, 2, 6],
        [0, 1, 2, 6],
        [3, 4, 9, 8],
        [10, 5, 6, 2],
        [5, 4, 9, 8],
        [4, 5, 6, 2],
        [5, 6, 0, 8],
    ],
};

/// Peano's curve in digits of base 9, its cells as `3x + y`. State bit 0 says that x
/// is reflected, bit 1 that y is.
pub(super) const PEANO_CELLS: [[u8; 9]; 4] = [
    [0, 1, 2, 5, 4, 3, 6, 7, 8],
    [6, 7, 8, 5, 4, 3, 0, 1, 2],
    [2, 1, 0, 3, 4, 5, 8, 7, 6],
    [8, 7, 6, 3, 4, 5, 2, 1, 0],
];

pub(super) const PEANO_NEXT: [[u8; 9]; 4] = [
    [0, 1, 0, 2, 3, 2, 0, 1, 0],
    [1, 0, 1, 3, 2, 3, 1, 0, 1],
    [2, 3, 2, 0, 1, 0, 2, 3, 2],
    [3, 2, 3, 1, 0, 1, 3, 2, 3],
];
