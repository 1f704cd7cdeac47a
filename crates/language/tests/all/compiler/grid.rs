//! A square of n × n cells with made-up elements: enough for programs to have something to do.

use palmette_language::Program;
use palmette_language::c::{Neighbour, RankData};
use palmette_language::problem::{Coefficient, Form, Load, Loads, Source};
use palmette_mesh::spmv::Csr;
use std::collections::BTreeMap;

/// Nodes are numbered row by row.
pub(crate) struct Grid {
    n: usize,
}

/// Entries of a matrix by unknowns.
type Entries = BTreeMap<(usize, usize), f64>;

impl Grid {
    pub(crate) fn new(n: usize) -> Grid {
        Grid { n }
    }

    pub(crate) fn nodes(&self) -> usize {
        (self.n + 1) * (self.n + 1)
    }

    pub(crate) fn point(&self, node: usize) -> [f64; 3] {
        let (row, column) = (node / (self.n + 1), node % (self.n + 1));
        [column as f64 / self.n as f64, row as f64 / self.n as f64, 0.0]
    }

    /// The nodes of a cell, around it.
    fn cell(&self, cell: usize) -> [usize; 4] {
        let first = cell / self.n * (self.n + 1) + cell % self.n;
        [first, first + 1, first + self.n + 2, first + self.n + 1]
    }

    /// A part for each cell: stripes that are askew, so that some nodes have many copies.
    fn part(&self, cell: usize, parts: usize) -> usize {
        let (row, column) = (cell / self.n, cell % self.n);
        (2 * row + 3 * column) * parts / (5 * self.n) % parts
    }

    /// The data of all ranks.
    pub(crate) fn ranks(&self, program: &Program, parts: usize) -> Vec<RankData> {
        let mut parts_of: Vec<Vec<usize>> = vec![Vec::new(); self.nodes()];
        for cell in 0..self.n * self.n {
            for v in self.cell(cell) {
                parts_of[v].push(self.part(cell, parts));
            }
        }
        for list in &mut parts_of {
            list.sort_unstable();
            list.dedup();
        }
        (0..parts).map(|part| self.rank(program, parts, part, &parts_of)).collect()
    }

    fn rank(
        &self,
        program: &Program,
        parts: usize,
        part: usize,
        parts_of: &[Vec<usize>],
    ) -> RankData {
        let mut nodes: Vec<usize> =
            (0..self.nodes()).filter(|&v| parts_of[v].contains(&part)).collect();
        nodes.sort_by_key(|&v| (parts_of[v].len() == 1, v));
        let shared = nodes.iter().filter(|&&v| parts_of[v].len() > 1).count();
        let local: BTreeMap<usize, u32> = nodes.iter().copied().zip(0..).collect();
        let phase = |from: usize, to: usize| ((from + 2 * to) % 3) as u32;
        let others = (0..parts).filter(|&other| other != part);
        let neighbours = others.filter_map(|other| {
            let both = nodes.iter().copied().filter(|&v| parts_of[v].contains(&other));
            let mut both: Vec<usize> = both.collect();
            both.sort_unstable();
            (!both.is_empty()).then(|| Neighbour {
                rank: other as u32,
                send_phase: phase(part, other),
                receive_phase: phase(other, part),
                nodes: both.iter().map(|v| local[v]).collect(),
            })
        });
        let neighbours = neighbours.collect();
        let owned: Vec<bool> = nodes.iter().map(|&v| parts_of[v][0] == part).collect();
        let cells = (0..self.n * self.n).filter(|&c| self.part(c, parts) == part).collect();
        let piece =
            Piece { grid: self, program, cells, nodes: &nodes, local: &local, owned: &owned };
        let matrices = program.applied.iter().map(|&m| piece.matrix(m)).collect();
        let sources = program.problem.sources.iter();
        let vectors = sources.map(|vector| piece.source(&vector.source)).collect();
        let nodes = nodes.iter().map(|&v| v as u32).collect();
        RankData { nodes, shared, owned, neighbours, matrices, vectors }
    }
}

struct Piece<'a> {
    grid: &'a Grid,
    program: &'a Program,
    cells: Vec<usize>,
    nodes: &'a [usize],
    local: &'a BTreeMap<usize, u32>,
    owned: &'a [bool],
}

impl Piece<'_> {
    fn components(&self) -> usize {
        usize::from(self.program.problem.components)
    }

    fn unknowns(&self) -> usize {
        self.nodes.len() * self.components()
    }

    /// The value that an unknown is fixed to.
    fn fixed(&self, unknown: usize) -> Option<f64> {
        let d = self.components();
        let point = self.grid.point(self.nodes[unknown / d]);
        let mut value = None;
        for fix in &self.program.problem.fixes {
            let inside = match fix.group.as_str() {
                "left" => point[0] == 0.0,
                "right" => point[0] == 1.0,
                other => panic!("no group {other}"),
            };
            let index = match fix.component {
                None => Some(unknown % d),
                Some(c) => (usize::from(c) == unknown % d).then_some(0),
            };
            if let (true, Some(index)) = (inside, index) {
                value = Some(fix.values[index].at(point));
            }
        }
        value
    }

    fn centre(&self, cell: usize) -> [f64; 3] {
        let points = self.grid.cell(cell).map(|v| self.grid.point(v));
        std::array::from_fn(|axis| points.iter().map(|p| p[axis]).sum::<f64>() / 4.0)
    }

    fn coefficient(&self, coefficient: &Coefficient, cell: usize) -> f64 {
        assert!(coefficient.groups.is_empty());
        coefficient.otherwise.as_ref().unwrap().at(self.centre(cell))
    }

    /// A matrix before unknowns are fixed.
    fn unfixed(&self, matrix: usize) -> Entries {
        let d = self.components();
        let area = 1.0 / (self.grid.n * self.grid.n) as f64;
        let mut entries = Entries::new();
        for (factor, form) in &self.program.problem.matrices[matrix].terms {
            for &cell in &self.cells {
                let nodes = self.grid.cell(cell).map(|v| self.local[&v] as usize);
                for (i, &a) in nodes.iter().enumerate() {
                    for (j, &b) in nodes.iter().enumerate() {
                        // Around the cell each node has two neighbours.
                        let laplacian = [1.0, -0.5, 0.0, -0.5][(4 + i - j) % 4];
                        let mass = area * [4.0, 2.0, 1.0, 2.0][(4 + i - j) % 4] / 36.0;
                        let value = match form {
                            Form::Stiffness(k) => self.coefficient(k, cell) * laplacian,
                            Form::Elasticity { young, .. } => {
                                self.coefficient(young, cell) * laplacian
                            }
                            Form::Mass(c) => self.coefficient(c, cell) * mass,
                        };
                        for c in 0..d {
                            *entries.entry((a * d + c, b * d + c)).or_default() += factor * value;
                        }
                    }
                }
            }
        }
        entries
    }

    fn matrix(&self, matrix: usize) -> Csr {
        let d = self.components();
        let mut entries = self.unfixed(matrix);
        entries.retain(|&(i, j), _| self.fixed(i).is_none() && self.fixed(j).is_none());
        for i in (0..self.unknowns()).filter(|&i| self.fixed(i).is_some() && self.owned[i / d]) {
            entries.insert((i, i), 1.0);
        }
        let mut offsets = vec![0; self.unknowns() + 1];
        entries.keys().for_each(|&(i, _)| offsets[i + 1] += 1);
        (0..self.unknowns()).for_each(|i| offsets[i + 1] += offsets[i]);
        let columns = entries.keys().map(|&(_, j)| j as u32).collect();
        Csr::new(offsets, columns, entries.into_values().collect())
    }

    fn loads(&self, loads: &Loads) -> Vec<f64> {
        let d = self.components();
        let area = 1.0 / (self.grid.n * self.grid.n) as f64;
        let mut vector = vec![0.0; self.unknowns()];
        for (factor, load) in loads {
            let Load::Volume(values) = load else { panic!("no boundary here") };
            let values = values.otherwise.as_ref().unwrap();
            for &cell in &self.cells {
                for v in self.grid.cell(cell) {
                    for (c, field) in values.iter().enumerate() {
                        let value = factor * field.at(self.centre(cell)) * area / 4.0;
                        vector[self.local[&v] as usize * d + c] += value;
                    }
                }
            }
        }
        vector
    }

    fn source(&self, source: &Source) -> Vec<f64> {
        let d = self.components();
        let is_free = |i: usize| self.fixed(i).is_none();
        let mut vector = match source {
            Source::Load(load) => self.loads(&vec![(1.0, load.clone())]),
            Source::Rhs { matrix, loads } => {
                let mut vector = self.loads(loads);
                for ((i, j), value) in self.unfixed(*matrix) {
                    vector[i] -= value * self.fixed(j).unwrap_or(0.0);
                }
                for i in (0..self.unknowns()).filter(|&i| !is_free(i)) {
                    vector[i] = if self.owned[i / d] { self.fixed(i).unwrap() } else { 0.0 };
                }
                return vector;
            }
            Source::Diagonal(matrix) => return self.matrix(*matrix).diagonal(),
            Source::Lumped(c) => {
                let mut vector = vec![0.0; self.unknowns()];
                let area = 1.0 / (self.grid.n * self.grid.n) as f64;
                for &cell in &self.cells {
                    for v in self.grid.cell(cell) {
                        for k in 0..d {
                            vector[self.local[&v] as usize * d + k] +=
                                self.coefficient(c, cell) * area / 4.0;
                        }
                    }
                }
                return vector;
            }
            Source::Interpolate(fields) => {
                let value = |i: usize| fields[i % d].at(self.grid.point(self.nodes[i / d]));
                return (0..self.unknowns()).map(value).collect();
            }
            Source::Free => {
                return (0..self.unknowns()).map(|i| f64::from(u8::from(is_free(i)))).collect();
            }
        };
        (0..self.unknowns()).filter(|&i| !is_free(i)).for_each(|i| vector[i] = 0.0);
        vector
    }
}
