//! The occupancy: all that a move reads lies with the two or three cells it concerns.
//!
//! A cell knows *where* the neighbours of its occupant are, not who they are. To weigh a
//! swap is then to read two cells: no list of neighbours, no place by vertex, no chain of
//! loads that wait for each other. Who moves tells its neighbours, whom it finds at the
//! places it knows.
//!
//! Four places suffice for binary trees. A vertex with more neighbours is a *hub*: its cell
//! names a row in a list of neighbours, who are looked up by vertex.

use std::ops::Range;

use palmette_core::NONE;

use super::places::{Occupant, Places, SLOTS, Spot};
use crate::{Cell, Grid};

pub(super) struct Occupancy {
    width: u32,
    height: u32,
    occupants: Vec<Occupant>,
    places: Vec<Places>,
    /// 1 where an edge of the occupant is longer than 1, else 0.
    strained: Vec<u8>,
    /// The place of every vertex; empty when there are no hubs.
    spots: Vec<Spot>,
    /// The hubs; the neighbours of `hubs[r]` are `adjacent[start[r] .. start[r + 1]]`.
    hubs: Vec<u32>,
    start: Vec<u32>,
    adjacent: Vec<u32>,
}

impl Occupancy {
    /// The occupancy of a layout.
    ///
    /// # Panics
    /// When a cell is outside the grid or taken twice.
    pub(super) fn new(parents: &[u32], grid: Grid, cells: &[Cell]) -> Occupancy {
        let spot = |v: u32| {
            let cell = cells[v as usize];
            Spot { x: cell.x as i16, y: cell.y as i16 }
        };
        let area = grid.len() as usize;
        let mut occupancy = Occupancy {
            width: grid.width,
            height: grid.height,
            occupants: vec![Occupant::NOBODY; area],
            places: vec![Places::EMPTY; area],
            strained: vec![0; area],
            spots: Vec::new(),
            hubs: Vec::new(),
            start: vec![0],
            adjacent: Vec::new(),
        };
        let mut degrees = vec![0u32; parents.len()];
        let edges = || (0..).zip(parents).filter(|&(_, &p)| p != NONE);
        for (v, &p) in edges() {
            degrees[v as usize] += 1;
            degrees[p as usize] += 1;
        }
        let mut end = 0;
        for (v, &degree) in (0..).zip(&degrees) {
            assert!(grid.contains(cells[v as usize]), "vertex {v} is outside {grid}");
            let i = occupancy.index(spot(v));
            assert!(occupancy.occupants[i] == Occupant::NOBODY, "vertex {v} is not alone");
            occupancy.occupants[i] = if degree as usize <= SLOTS {
                Occupant::plain(v, degree)
            } else {
                occupancy.places[i] = Places::of_row(occupancy.hubs.len());
                occupancy.hubs.push(v);
                end += degree;
                occupancy.start.push(end);
                Occupant::hub(v)
            };
        }
        if end > 0 {
            occupancy.spots = (0..parents.len() as u32).map(spot).collect();
            occupancy.adjacent = vec![NONE; end as usize];
        }
        for (v, &p) in edges() {
            for (one, other) in [(v, p), (p, v)] {
                let i = occupancy.index(spot(one));
                degrees[one as usize] -= 1;
                let k = degrees[one as usize] as usize;
                if occupancy.occupants[i].is_hub() {
                    let row = occupancy.row(i);
                    occupancy.adjacent[row.start + k] = other;
                } else {
                    occupancy.places[i].set(k, spot(other));
                }
            }
        }
        for v in 0..parents.len() as u32 {
            occupancy.assess(spot(v));
        }
        occupancy
    }

    /// Writes where every vertex is.
    pub(super) fn write(&self, cells: &mut [Cell]) {
        let rows = self.occupants.chunks_exact(self.width as usize);
        for (y, row) in (0..).zip(rows) {
            for (x, who) in (0..).zip(row).filter(|&(_, &who)| who != Occupant::NOBODY) {
                cells[who.vertex()] = Cell { x, y };
            }
        }
    }

    #[inline(always)]
    fn index(&self, spot: Spot) -> usize {
        spot.y as usize * self.width as usize + spot.x as usize
    }

    #[inline(always)]
    pub(super) fn contains(&self, spot: Spot) -> bool {
        u32::from(spot.x as u16) < self.width && u32::from(spot.y as u16) < self.height
    }

    #[inline(always)]
    pub(super) fn occupant(&self, spot: Spot) -> Occupant {
        self.occupants[self.index(spot)]
    }

    /// Whether the occupants of some cells of a row are strained, 1 or 0.
    #[inline(always)]
    pub(super) fn strained(&self, y: u32, columns: Range<u32>) -> &[u8] {
        let row = y as usize * self.width as usize;
        &self.strained[row + columns.start as usize..row + columns.end as usize]
    }

    /// The place of a neighbour of an occupant with neighbours, by 16 random bits.
    #[inline(always)]
    pub(super) fn neighbour(&self, spot: Spot, bits: u64) -> Spot {
        let (i, bits) = (self.index(spot), bits & 0xffff);
        let who = self.occupants[i];
        if who.is_hub() {
            let row = self.row(i);
            let k = row.start + ((bits as usize * row.len()) >> 16);
            return self.spots[self.adjacent[k] as usize];
        }
        self.places[i].slot(((bits * u64::from(who.degree())) >> 16) as usize)
    }

    /// The list of neighbours of the hub on a cell.
    fn row(&self, i: usize) -> Range<usize> {
        let row = self.places[i].row();
        self.start[row] as usize..self.start[row + 1] as usize
    }

    /// The number of hubs.
    pub(super) fn hubs(&self) -> usize {
        self.hubs.len()
    }

    /// The place of a hub.
    pub(super) fn hub(&self, row: usize) -> Spot {
        self.spots[self.hubs[row] as usize]
    }

    /// The number of neighbours if the occupant is a hub, else 0.
    pub(super) fn hub_degree(&self, spot: Spot) -> usize {
        let i = self.index(spot);
        if self.occupants[i].is_hub() { self.row(i).len() } else { 0 }
    }

    /// The places of the neighbours of the hub on a cell.
    pub(super) fn around_hub(&self, spot: Spot) -> impl Iterator<Item = Spot> {
        let row = self.row(self.index(spot));
        self.adjacent[row].iter().map(|&u| self.spots[u as usize])
    }

    /// Whether the occupants of two cells are adjacent in the tree.
    #[inline(always)]
    pub(super) fn touches(&self, a: Spot, b: Spot) -> bool {
        if !self.occupant(a).is_hub() {
            return self.places[self.index(a)].contains(b);
        }
        if !self.occupant(b).is_hub() {
            return self.places[self.index(b)].contains(a);
        }
        self.around_hub(a).any(|s| s == b)
    }

    /// Whether two vertices are leaves of one neighbour: to exchange them changes nothing.
    #[inline(always)]
    pub(super) fn are_twins(&self, a: Spot, b: Spot) -> bool {
        let (i, j) = (self.index(a), self.index(b));
        let leaves = self.occupants[i].degree() == 1 && self.occupants[j].degree() == 1;
        leaves && self.places[i].slot(0) == self.places[j].slot(0)
    }

    /// The change of the edges of the occupant of `a` when it alone goes to `b`.
    #[inline(always)]
    fn growth(&self, a: Spot, b: Spot) -> i32 {
        let i = self.index(a);
        if self.occupants[i].is_hub() {
            return self.hub_growth(a, b) as i32;
        }
        let degree = self.occupants[i].degree();
        Places::growth((&self.places[i], degree), (&Places::EMPTY, 0), a, b)
    }

    fn hub_growth(&self, a: Spot, b: Spot) -> i64 {
        self.around_hub(a).map(|s| i64::from(b.distance(s) - a.distance(s))).sum()
    }

    /// The change of energy when the hub on `a` and the occupant of `b` change places.
    pub(super) fn hub_swap_cost(&self, a: Spot, b: Spot) -> i64 {
        let hub = self.occupant(b).is_hub();
        let back = if hub { self.hub_growth(b, a) } else { i64::from(self.growth(b, a)) };
        self.hub_growth(a, b) + back + i64::from(self.tie(a, b))
    }

    /// The change of energy when the occupants of `a` and `b` change places, unless they are
    /// adjacent: then [`Occupancy::tie`], which is positive, is still to be added.
    #[inline(always)]
    pub(super) fn loose_swap_cost(&self, a: Spot, b: Spot) -> i32 {
        let (i, j) = (self.index(a), self.index(b));
        let (v, w) = (self.occupants[i], self.occupants[j]);
        if v.is_hub() || w.is_hub() {
            return self.growth(a, b) + self.growth(b, a);
        }
        let (v, w) = ((&self.places[i], v.degree()), (&self.places[j], w.degree()));
        Places::growth(v, w, a, b)
    }

    /// The edge between the occupants of `a` and `b` keeps its length when they change
    /// places; the sum over both took it to shrink to nothing, twice.
    #[inline(always)]
    pub(super) fn tie(&self, a: Spot, b: Spot) -> i32 {
        if self.touches(a, b) { 2 * a.distance(b) } else { 0 }
    }

    /// Exchanges the occupants of two cells.
    #[inline(always)]
    pub(super) fn swap(&mut self, a: Spot, b: Spot) {
        let (i, j) = (self.index(a), self.index(b));
        // Both as they were: if they are adjacent, each is told by the other.
        let (v, w) = (self.places[i], self.places[j]);
        self.tell_neighbours(i, v, a, b);
        self.tell_neighbours(j, w, a, b);
        self.occupants.swap(i, j);
        self.places.swap(i, j);
        self.assess(a);
        self.assess(b);
        if !self.spots.is_empty() {
            for (i, spot) in [(i, a), (j, b)] {
                if self.occupants[i] != Occupant::NOBODY {
                    self.spots[self.occupants[i].vertex()] = spot;
                }
            }
        }
    }

    /// Tells the neighbours of the occupant of cell `i` that `a` and `b` are exchanged. Who
    /// is next to both occupants hears it twice, and rightly ends up as before.
    #[inline(always)]
    fn tell_neighbours(&mut self, i: usize, places: Places, a: Spot, b: Spot) {
        if self.occupants[i].is_hub() {
            for k in self.row(i) {
                self.tell(self.spots[self.adjacent[k] as usize], a, b);
            }
        } else {
            for k in 0..self.occupants[i].degree() as usize {
                self.tell(places.slot(k), a, b);
            }
        }
    }

    #[inline(always)]
    fn tell(&mut self, neighbour: Spot, a: Spot, b: Spot) {
        let i = self.index(neighbour);
        if !self.occupants[i].is_hub() {
            self.places[i].exchange(a, b);
            self.assess(neighbour);
        }
    }

    /// Notes whether the occupant of a cell is strained; a hub always is, having more
    /// neighbours than a cell has.
    #[inline(always)]
    fn assess(&mut self, spot: Spot) {
        let i = self.index(spot);
        let who = self.occupants[i];
        let strained = who.is_hub() || self.places[i].strain(who.degree(), spot) != 0;
        self.strained[i] = u8::from(strained);
    }
}
