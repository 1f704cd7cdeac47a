//! Meshes and tori of one to three dimensions.
//!
//! **Links** are directed and have numbers: a processor's number times the number of
//! directions, plus the direction. Direction `2 d` goes up in dimension `d`, `2 d + 1` down.
//! At the borders of a mesh numbers are left out; arrays by link have
//! [`Lattice::link_slots`] entries.
//!
//! **Short rings.** In a ring of two the wrap-around link would join the same processors
//! as the straight one. There is one link each way then, as in a mesh; a ring of one has
//! none.
//!
//! **Default routes** are dimension-ordered: along the last dimension first (in a plane the
//! columns: x, then y), in each the shorter way round; upwards where both are as long.

/// A mesh or torus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lattice {
    sides: [u32; 3],
    dimensions: usize,
    torus: bool,
}

impl Lattice {
    /// From one to three sides, all positive, within [`super::MOST_PROCESSORS`].
    pub(super) fn new(given: &[u32], torus: bool) -> Lattice {
        let mut sides = [1; 3];
        sides[..given.len()].copy_from_slice(given);
        Lattice { sides, dimensions: given.len(), torus }
    }

    /// The sides, by dimension.
    pub fn sides(&self) -> &[u32] {
        &self.sides[..self.dimensions]
    }

    /// Whether it is a torus.
    pub fn is_torus(&self) -> bool {
        self.torus
    }

    /// The mesh with the same sides.
    pub fn unwrapped(&self) -> Lattice {
        Lattice { torus: false, ..*self }
    }

    /// The number of processors.
    pub fn processors(&self) -> usize {
        self.sides.iter().map(|&side| side as usize).product()
    }

    /// The number of directions a link can have.
    pub fn directions(&self) -> usize {
        2 * self.dimensions
    }

    /// One more than the largest number of a link could be.
    pub fn link_slots(&self) -> usize {
        self.processors() * self.directions()
    }

    /// The numbers of all links, ascending.
    pub fn links(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.link_slots() as u32).filter(|&link| self.step_of(link).is_some())
    }

    /// Where a link starts and ends.
    ///
    /// # Panics
    /// When there is no such link.
    pub fn ends(&self, link: u32) -> (u32, u32) {
        let end = self.step_of(link).expect("the number of a link");
        (link / self.directions() as u32, end)
    }

    /// The link that leaves a processor in a direction.
    #[inline]
    pub fn link(&self, processor: u32, direction: usize) -> u32 {
        processor * self.directions() as u32 + direction as u32
    }

    /// The processor one step away, if there is a link.
    pub fn step(&self, processor: u32, direction: usize) -> Option<u32> {
        let dimension = direction / 2;
        let side = self.sides[dimension];
        let at = self.coordinates(processor)[dimension];
        let stride = self.stride(dimension);
        match (direction % 2, at) {
            (0, at) if at + 1 < side => Some(processor + stride),
            (1, 1..) => Some(processor - stride),
            _ if !self.is_ring(dimension) => None,
            (0, _) => Some(processor - (side - 1) * stride),
            _ => Some(processor + (side - 1) * stride),
        }
    }

    /// The coordinates of a processor; those of missing dimensions are 0.
    #[inline]
    pub fn coordinates(&self, processor: u32) -> [u32; 3] {
        let [_, y, z] = self.sides;
        [processor / (y * z), processor / z % y, processor % z]
    }

    /// The processor at some coordinates.
    #[inline]
    pub fn processor(&self, at: [u32; 3]) -> u32 {
        (at[0] * self.sides[1] + at[1]) * self.sides[2] + at[2]
    }

    /// The hops between two processors.
    #[inline]
    pub fn distance(&self, a: u32, b: u32) -> u32 {
        self.between(self.coordinates(a), self.coordinates(b))
    }

    /// The hops between the processors at two places.
    #[inline]
    pub fn between(&self, a: [u32; 3], b: [u32; 3]) -> u32 {
        (0..3).map(|d| self.gap(d, a[d].abs_diff(b[d]))).sum()
    }

    /// The ways from one coordinate to another that are shortest: direction and steps. None
    /// when they are equal, two when both ways round are as long, upwards first.
    pub fn ways(&self, dimension: usize, from: u32, to: u32) -> Vec<(usize, u32)> {
        let side = self.sides[dimension];
        let [up, down] = if self.is_ring(dimension) {
            [(to + side - from) % side, (from + side - to) % side]
        } else {
            [if to >= from { to - from } else { u32::MAX }, from.saturating_sub(to)]
        };
        let down = if down == 0 && up != 0 { u32::MAX } else { down };
        let shortest = up.min(down);
        let both = [(2 * dimension, up), (2 * dimension + 1, down)];
        both.into_iter().filter(|&(_, steps)| steps == shortest && steps > 0).collect()
    }

    /// The default route between two processors: its links in order.
    pub fn route(&self, from: u32, to: u32) -> Vec<u32> {
        let (a, b) = (self.coordinates(from), self.coordinates(to));
        let dimensions = (0..self.dimensions).rev();
        let pieces: Vec<_> =
            dimensions.filter_map(|d| self.ways(d, a[d], b[d]).first().copied()).collect();
        self.walk(from, &pieces)
    }

    /// The links of a walk in straight pieces: directions and steps.
    ///
    /// # Panics
    /// When it runs out of a mesh.
    pub fn walk(&self, from: u32, pieces: &[(usize, u32)]) -> Vec<u32> {
        let mut links = Vec::new();
        let mut at = from;
        for &(direction, steps) in pieces {
            for _ in 0..steps {
                links.push(self.link(at, direction));
                at = self.step(at, direction).expect("a walk inside of the machine");
            }
        }
        links
    }

    fn step_of(&self, link: u32) -> Option<u32> {
        let directions = self.directions() as u32;
        self.step(link / directions, (link % directions) as usize)
    }

    fn stride(&self, dimension: usize) -> u32 {
        self.sides[dimension + 1..].iter().product()
    }

    #[inline]
    fn is_ring(&self, dimension: usize) -> bool {
        self.torus && self.sides[dimension] > 2
    }

    #[inline]
    fn gap(&self, dimension: usize, straight: u32) -> u32 {
        if self.torus { straight.min(self.sides[dimension] - straight) } else { straight }
    }
}
