//! The projection of resistances beside a skeleton, and what is done when it is made anew.
//!
//! **Method.** For random signs `q` on the edges of the skeleton `H`, potentials of the currents
//! `Bᵀ W^½ q` differ between two vertices by a random number whose square is the resistance between
//! them, on average; 24 of them are averaged. Before that, the recovered edges that the rest of `H` replaces
//! best, those of least `w R`, leave it, and edges are [picked](pick) that `H` replaces badly, by two
//! steps of the spectral rule.

use super::network::{Kind, Network};
use super::{DynamicError, DynamicSparsifier};
use crate::Laplacian;
use crate::solve::Reduced;
use crate::sparsify::probe::{Probe, pick};
use crate::sparsify::spectral::{MARGIN, STEPS, STRIDE, estimate};
use palmette_core::random::{Purpose, Random};

/// Numbers per vertex, and how many solves go together.
const WIDTH: usize = 24;
const LANES: usize = 8;

/// Vertices that each end of a kept edge marks.
const NEAR: usize = 8;

/// The part of edges off the skeleton above whose `w R` the first threshold lies.
const TOP: f64 = 0.1;

/// The part of recovered edges that a refresh takes out for better ones.
const SWAP: f64 = 0.08;

/// The edges of a skeleton, and their factor.
pub(super) type Factored = (Vec<(u32, u32, f64)>, Reduced);

/// The projection; without vertices at first.
#[derive(Debug, Clone, Default)]
pub(super) struct Projection {
    places: Vec<[f32; WIDTH]>,
    /// By vertex, edges kept near since it was made.
    marks: Vec<u16>,
}

impl Projection {
    /// The resistance between two vertices, about.
    #[inline]
    pub(super) fn resistance(&self, a: u32, b: u32) -> f64 {
        let (a, b) = (&self.places[a as usize], &self.places[b as usize]);
        let mut sums = [0f32; 8];
        for (a, b) in a.chunks_exact(8).zip(b.chunks_exact(8)) {
            for lane in 0..8 {
                sums[lane] += (a[lane] - b[lane]) * (a[lane] - b[lane]);
            }
        }
        f64::from(sums.iter().sum::<f32>())
    }

    pub(super) fn marks(&self, a: u32, b: u32) -> u16 {
        self.marks[a as usize].max(self.marks[b as usize])
    }

    /// Notes that an edge was kept here.
    pub(super) fn mark(&mut self, network: &Network, ends: [u32; 2]) {
        for v in ends {
            let mut near = [v; NEAR];
            let mut found = 1;
            let mut next = 0;
            while next < found && found < NEAR {
                for (_, u) in network.at(near[next], true) {
                    if found < NEAR && !near[..found].contains(&u) {
                        near[found] = u;
                        found += 1;
                    }
                }
                next += 1;
            }
            for &u in &near[..found] {
                self.marks[u as usize] = self.marks[u as usize].saturating_add(1);
            }
        }
    }

    fn new(n: usize, kept: &[(u32, u32, f64)], factor: &Reduced, seed: u64) -> Projection {
        let mut places = vec![[0f32; WIDTH]; n];
        let mut random = Random::numbered(seed, Purpose::Samples, 0);
        let mut x = vec![[0.0; LANES]; n];
        let scale = 1.0 / (WIDTH as f64).sqrt();
        for part in 0..WIDTH / LANES {
            x.fill([0.0; LANES]);
            for &(a, b, weight) in kept {
                let (signs, root) = (random.below(1 << LANES), weight.sqrt() * scale);
                let currents: [f64; LANES] =
                    std::array::from_fn(|lane| if signs >> lane & 1 == 0 { root } else { -root });
                x[a as usize].iter_mut().zip(currents).for_each(|(x, current)| *x += current);
                x[b as usize].iter_mut().zip(currents).for_each(|(x, current)| *x -= current);
            }
            factor.solve(&mut x);
            for (place, x) in places.iter_mut().zip(&x) {
                let to = &mut place[part * LANES..][..LANES];
                to.iter_mut().zip(x).for_each(|(to, x)| *to = *x as f32);
            }
        }
        Projection { places, marks: vec![0; n] }
    }
}

impl DynamicSparsifier {
    /// Makes the skeleton good again: recovers what is owed for insertions and losses, or what it takes
    /// for the condition number that is wanted, and makes the projection anew. [`apply`](Self::apply)
    /// calls it.
    ///
    /// # Errors
    /// A skeleton that is too large to be factored.
    pub fn refresh(&mut self) -> Result<(), DynamicError> {
        self.refreshes += 1;
        self.since = 0;
        let most = self.most();
        let recovered = |one: &Self| one.network.count(Kind::Recovered);
        match self.params.condition {
            None => {
                let swapped = self.drop_least((SWAP * recovered(self) as f64) as usize);
                let room = most.saturating_sub(recovered(self));
                let quota = (self.owed as usize + swapped).min(room);
                let (kept, factor) = self.factor()?;
                let picked = self.recover(&kept, &factor, quota);
                // Without the edges of this refresh, which spares a factor; marks stand for them.
                let n = self.vertices();
                self.projection = Projection::new(n, &kept, &factor, self.refreshes);
                for edge in picked {
                    let (a, b, _) = self.network.edge(edge);
                    self.projection.mark(&self.network, [a, b]);
                }
                self.owed = 0.0;
                Ok(())
            }
            Some(wanted) => {
                let graph = self.graph();
                let laplacian = Laplacian::new(&graph, None);
                loop {
                    let (kept, factor) = self.factor()?;
                    let room = most.saturating_sub(recovered(self));
                    let quota = (self.vertices() / STRIDE).max(1).min(room);
                    if quota == 0
                        || estimate(&laplacian, &factor) * MARGIN <= wanted
                        || self.recover(&kept, &factor, quota).is_empty()
                    {
                        break;
                    }
                }
                self.owed = 0.0;
                self.project()
            }
        }
    }

    /// The condition number of the graph and its skeleton, estimated from below as in
    /// [`quality`](crate::quality()).
    ///
    /// # Errors
    /// A skeleton that is too large to be factored.
    pub fn condition(&self) -> Result<f64, DynamicError> {
        let graph = self.graph();
        if graph.edge_count() == 0 {
            return Ok(1.0);
        }
        Ok(estimate(&Laplacian::new(&graph, None), &self.factor()?.1))
    }

    /// The edges of the skeleton, factored.
    pub(super) fn factor(&self) -> Result<Factored, DynamicError> {
        let kept = self.network.edges(|kind| kind != Kind::Off);
        let factor = Reduced::new(self.vertices(), &kept, None)?;
        Ok((kept, factor))
    }

    /// Takes the recovered edges out that the rest of the skeleton replaces best; returns how many.
    fn drop_least(&mut self, count: usize) -> usize {
        let is_recovered = |&edge: &u32| self.network.kind(edge) == Kind::Recovered;
        let rank = |edge: u32| {
            let (a, b, weight) = self.network.edge(edge);
            ((weight * self.projection.resistance(a, b)).to_bits(), edge)
        };
        let mut ranked: Vec<(u64, u32)> =
            self.network.numbers().filter(is_recovered).map(rank).collect();
        let count = count.min(ranked.len());
        if count > 0 {
            ranked.select_nth_unstable(count - 1);
        }
        ranked[..count].iter().for_each(|&(_, edge)| self.network.set_kind(edge, Kind::Off));
        count
    }

    /// Recovers edges that the skeleton replaces worst; returns them.
    fn recover(&mut self, kept: &[(u32, u32, f64)], factor: &Reduced, quota: usize) -> Vec<u32> {
        if quota == 0 {
            return Vec::new();
        }
        let mut probe = Probe::new(self.vertices(), self.refreshes);
        let all = self.network.edges(|_| true);
        probe.steps_by(|x, y| products(&all, x, y), factor, STEPS);
        let is_off = |&edge: &u32| self.network.kind(edge) == Kind::Off;
        let free: Vec<u32> = self.network.numbers().filter(is_off).collect();
        let picked = pick(kept, &free, |edge| self.network.edge(edge), &probe, quota);
        picked.iter().for_each(|&edge| self.network.set_kind(edge, Kind::Recovered));
        picked
    }

    /// Makes the projection, and a threshold from the edges off the skeleton.
    pub(super) fn project(&mut self) -> Result<(), DynamicError> {
        let (kept, factor) = self.factor()?;
        self.projection = Projection::new(self.vertices(), &kept, &factor, self.refreshes);
        if self.threshold == 0.0 {
            let is_off = |&edge: &u32| self.network.kind(edge) == Kind::Off;
            let off = self.network.numbers().filter(is_off);
            let mut worths: Vec<f64> = off.map(|edge| self.worth(edge)).collect();
            worths.sort_unstable_by(|a, b| b.total_cmp(a));
            let place = (TOP * worths.len() as f64) as usize;
            // With nothing to go by: what doubles the conductance between two vertices.
            self.threshold = worths.get(place).copied().filter(|w| *w > 0.0).unwrap_or(1.0);
        }
        Ok(())
    }
}

/// `y = G x`, edge by edge.
fn products<const L: usize>(edges: &[(u32, u32, f64)], x: &[[f64; L]], y: &mut [[f64; L]]) {
    y.fill([0.0; L]);
    for &(a, b, weight) in edges {
        let (a, b) = (a as usize, b as usize);
        for lane in 0..L {
            let current = weight * (x[a][lane] - x[b][lane]);
            y[a][lane] += current;
            y[b][lane] -= current;
        }
    }
}
