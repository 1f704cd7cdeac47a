//! Potentials that all experiments between points are sums of, and the factors.
//!
//! Let `y(t)` be the potentials when 1 enters at the point `t` and leaves at the first point of its
//! component, 0 there; `y` of the first is 0. A pair `(a, b)` has `y(b) − y(a)`. With all points but
//! `i` grounded, the currents at the points are a column of `S`, the inverse of the matrix of
//! `y(t)` at the points, completed by the first point so that columns add up to 0.

use super::FocalMode;
use crate::Laplacian;
use crate::solve::{SolveError, SolveParams, Solver};
use palmette_core::LinOp;
use palmette_core::memory::check_room;

/// Points, and potentials between them.
pub(super) struct Terminals {
    /// By region, its terminal.
    of_region: Vec<Option<u32>>,
    /// By terminal, its vertex; ascending.
    pub(super) vertices: Vec<u32>,
    /// By terminal, its component.
    components: Vec<u32>,
    /// By terminal, the first terminal of its component.
    firsts: Vec<u32>,
    /// By terminal, its column; nothing for the first of a component.
    pub(super) columns: Vec<Option<u32>>,
    /// How many columns.
    pub(super) width: usize,
    /// Vertex by vertex, its entries of all columns.
    pub(super) values: Vec<f64>,
}

/// One current that flows.
#[derive(Debug, Clone, Default)]
pub(super) struct Experiment {
    /// Columns and their factors.
    pub(super) terms: Vec<(u32, f64)>,
    /// What enters at vertices.
    pub(super) injected: Vec<(u32, f64)>,
    /// Between the two ends, if there are two.
    pub(super) resistance: f64,
    /// A vertex of potential 0.
    zero: Option<u32>,
}

impl Terminals {
    /// Solves for all points, which regions have or not.
    pub(super) fn solve(
        laplacian: &Laplacian<'_>,
        points: &[Option<u32>],
        params: &SolveParams,
    ) -> Result<Terminals, SolveError> {
        let mut vertices: Vec<u32> = points.iter().copied().flatten().collect();
        vertices.sort_unstable();
        vertices.dedup();
        let of = |v: u32| vertices.binary_search(&v).ok().map(|t| t as u32);
        let of_region = points.iter().map(|point| point.and_then(of)).collect();
        let component = |v: &u32| laplacian.components().of[*v as usize];
        let components: Vec<u32> = vertices.iter().map(component).collect();
        let first = |t: usize| components.iter().position(|c| *c == components[t]);
        let firsts: Vec<u32> = (0..vertices.len()).map(|t| first(t).unwrap_or(t) as u32).collect();
        let mut width = 0;
        let mut columns = Vec::with_capacity(vertices.len());
        for (t, &first) in firsts.iter().enumerate() {
            columns.push((first as usize != t).then_some(width as u32));
            width += usize::from(first as usize != t);
        }
        let needed = (width * laplacian.size() * size_of::<f64>()) as u64;
        check_room(needed).map_err(|room| SolveError::Memory {
            what: "keeping potentials of all focal points",
            needed: room.needed,
            limit: room.available,
        })?;
        let mut values = vec![0.0; width * laplacian.size()];
        if width > 0 {
            // As for resistances: experiments subtract potentials of different solves.
            let tolerance = (params.tolerance * 1e-3).max(1e-12).min(params.tolerance);
            let params = SolveParams { tolerance, right_hand_sides: width, ..params.clone() };
            let solver = Solver::new(laplacian, &params)?;
            let solved: Vec<usize> =
                (0..vertices.len()).filter(|&t| columns[t].is_some()).collect();
            let currents = |k: usize| {
                let mut b = vec![0.0; laplacian.size()];
                b[vertices[solved[k]] as usize] = 1.0;
                b[vertices[firsts[solved[k]] as usize] as usize] = -1.0;
                b
            };
            solver.solve_blocks(width, currents, |column, x| {
                let first = x[vertices[firsts[solved[column]] as usize] as usize];
                let own = components[solved[column]];
                let of = &laplacian.components().of;
                for ((row, &x), &c) in values.chunks_exact_mut(width).zip(x).zip(of) {
                    row[column] = if c == own { x - first } else { 0.0 };
                }
            })?;
        }
        Ok(Terminals { of_region, vertices, components, firsts, columns, width, values })
    }

    /// By region, its vertex.
    pub(super) fn points(&self) -> impl Iterator<Item = u32> + '_ {
        self.of_region.iter().flatten().copied()
    }

    /// The component of a terminal.
    pub(super) fn component(&self, terminal: u32) -> u32 {
        self.components[terminal as usize]
    }

    fn at(&self, terminal: u32, column: Option<u32>) -> f64 {
        let Some(column) = column else { return 0.0 };
        self.values[self.vertices[terminal as usize] as usize * self.width + column as usize]
    }

    /// The experiments of pairs, or of regions.
    pub(super) fn experiments(
        &self,
        mode: FocalMode,
        pairs: &[(u32, u32)],
    ) -> Result<Vec<Experiment>, SolveError> {
        let nothing = Experiment { resistance: f64::INFINITY, ..Experiment::default() };
        let terminal = |region: u32| self.of_region[region as usize];
        if mode == FocalMode::Pairwise {
            return Ok(pairs
                .iter()
                .map(|&(a, b)| match (terminal(a), terminal(b)) {
                    (Some(a), Some(b)) if self.component(a) == self.component(b) => self.pair(a, b),
                    _ => nothing.clone(),
                })
                .collect());
        }
        let inverses: Vec<Option<Vec<f64>>> = match mode {
            FocalMode::OneToAll => (0..self.vertices.len()).map(|t| self.response(t)).collect(),
            _ => vec![None; self.vertices.len()],
        };
        let experiment = |&(region, _): &(u32, u32)| {
            let Some(own) = terminal(region) else { return nothing.clone() };
            match mode {
                FocalMode::OneToAll => {
                    let inverse = &inverses[self.firsts[own as usize] as usize];
                    self.one_to_all(own, region, inverse.as_deref().unwrap_or_default())
                }
                _ => self.all_to_one(own),
            }
        };
        Ok(pairs.iter().map(experiment).collect())
    }

    fn pair(&self, a: u32, b: u32) -> Experiment {
        let term = |t: u32, factor: f64| self.columns[t as usize].map(|column| (column, factor));
        let difference =
            |t: u32| self.at(t, self.columns[b as usize]) - self.at(t, self.columns[a as usize]);
        let vertex = |t: u32| self.vertices[t as usize];
        if a == b {
            return Experiment::default();
        }
        Experiment {
            terms: [term(b, 1.0), term(a, -1.0)].into_iter().flatten().collect(),
            injected: vec![(vertex(b), 1.0), (vertex(a), -1.0)],
            resistance: difference(b) - difference(a),
            zero: Some(vertex(a)),
        }
    }

    /// The terminals of the component whose first is given.
    fn members(&self, first: u32) -> Vec<u32> {
        (0..self.vertices.len() as u32).filter(|&t| self.firsts[t as usize] == first).collect()
    }

    /// The inverse of the matrix of potentials at the terminals of a component, without its first;
    /// nothing for terminals that are no first.
    fn response(&self, first: usize) -> Option<Vec<f64>> {
        if self.firsts[first] as usize != first {
            return None;
        }
        let others = &self.members(first as u32)[1..];
        let n = others.len();
        let mut matrix: Vec<f64> = others
            .iter()
            .flat_map(|&s| others.iter().map(move |&t| (s, t)))
            .map(|(s, t)| {
                (self.at(s, self.columns[t as usize]) + self.at(t, self.columns[s as usize])) / 2.0
            })
            .collect();
        invert(&mut matrix, n);
        Some(matrix)
    }

    fn one_to_all(&self, own: u32, region: u32, inverse: &[f64]) -> Experiment {
        let members = self.members(self.firsts[own as usize]);
        let n = members.len() - 1;
        let twins = self.of_region.iter().enumerate();
        let has_twin = twins.into_iter().any(|(r, t)| *t == Some(own) && r != region as usize);
        if has_twin {
            // Another region lies in the same place: nothing flows anywhere else.
            let injected = vec![(self.vertices[own as usize], 2.0)];
            return Experiment { injected, ..Experiment::default() };
        }
        if n == 0 {
            return Experiment { resistance: f64::INFINITY, ..Experiment::default() };
        }
        let row = |k: usize| &inverse[k * n..(k + 1) * n];
        let place = members.iter().position(|&t| t == own).unwrap_or(0);
        // The column of the terminal, first of all that of the component's first.
        let column: Vec<f64> = match place {
            0 => (0..n).map(|k| -row(k).iter().sum::<f64>()).collect(),
            _ => (0..n).map(|k| row(k)[place - 1]).collect(),
        };
        let of_first = -column.iter().sum::<f64>();
        let whole = if place == 0 { of_first } else { column[place - 1] };
        let vertex = |t: u32| self.vertices[t as usize];
        let mut injected = vec![(vertex(members[0]), of_first / whole)];
        let mut terms = Vec::with_capacity(n);
        for (&t, entry) in members[1..].iter().zip(&column) {
            injected.push((vertex(t), entry / whole));
            terms.extend(self.columns[t as usize].map(|column| (column, entry / whole)));
        }
        let zero = members.iter().find(|&&t| t != own).map(|&t| vertex(t));
        Experiment { terms, injected, resistance: 1.0 / whole, zero }
    }

    fn all_to_one(&self, own: u32) -> Experiment {
        let vertex = |t: u32| self.vertices[t as usize];
        let mut experiment = Experiment { zero: Some(vertex(own)), ..Experiment::default() };
        let mut sum = 0.0;
        let same = |t: &u32| self.component(*t) == self.component(own);
        for t in self.points().filter(same).filter(|&t| t != own) {
            experiment.injected.push((vertex(t), 1.0));
            experiment.terms.extend(self.columns[t as usize].map(|column| (column, 1.0)));
            sum += 1.0;
        }
        experiment.terms.extend(self.columns[own as usize].map(|column| (column, -sum)));
        experiment.injected.push((vertex(own), -sum));
        experiment
    }

    /// By vertex, the potential of an experiment; NaN outside of its component.
    pub(super) fn potentials(&self, laplacian: &Laplacian<'_>, one: &Experiment) -> Vec<f64> {
        let of = &laplacian.components().of;
        let Some(zero) = one.zero else { return vec![f64::NAN; laplacian.size()] };
        let at = |v: usize| {
            let row = &self.values[v * self.width..(v + 1) * self.width];
            one.terms.iter().map(|&(column, factor)| factor * row[column as usize]).sum::<f64>()
        };
        let base = at(zero as usize);
        let potential = |v: usize| if of[v] == of[zero as usize] { at(v) - base } else { f64::NAN };
        (0..laplacian.size()).map(potential).collect()
    }
}

/// Replaces a symmetric positive definite matrix by its inverse.
fn invert(matrix: &mut [f64], n: usize) {
    for pivot in 0..n {
        let inverse = 1.0 / matrix[pivot * n + pivot];
        let row: Vec<f64> =
            matrix[pivot * n..(pivot + 1) * n].iter().map(|x| x * inverse).collect();
        for k in (0..n).filter(|&k| k != pivot) {
            let factor = matrix[k * n + pivot];
            let own = &mut matrix[k * n..(k + 1) * n];
            own.iter_mut().zip(&row).for_each(|(x, r)| *x -= factor * r);
            own[pivot] = -factor * inverse;
        }
        let own = &mut matrix[pivot * n..(pivot + 1) * n];
        own.copy_from_slice(&row);
        own[pivot] = inverse;
    }
}
