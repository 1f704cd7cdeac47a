//! The matrix to factor, read off the graph: in the order of elimination, with ones on its
//! diagonal.

use crate::order::elimination::Pattern;
use palmette_core::{Graph, NONE};

/// The rows and columns of the free vertices of a graph.
#[derive(Debug)]
pub(super) struct Matrix<'a> {
    pub(super) graph: &'a Graph,
    /// By place in the order of elimination, the vertex.
    pub(super) vertices: Vec<u32>,
    /// By place, one over the root of the diagonal.
    pub(super) scales: Vec<f64>,
    /// By vertex, its place; `NONE` when it is held at 0.
    pub(super) places: Vec<u32>,
}

impl<'a> Matrix<'a> {
    /// The matrix of some vertices, in this order.
    pub(super) fn new(graph: &'a Graph, diagonal: &[f64], vertices: Vec<u32>) -> Self {
        let scales = vertices.iter().map(|&v| 1.0 / diagonal[v as usize].sqrt()).collect();
        let mut matrix = Matrix { graph, vertices, scales, places: vec![NONE; graph.len()] };
        matrix.number();
        matrix
    }

    /// Puts rows in another order: by new place, the old one.
    pub(super) fn permute(&mut self, order: &[u32]) {
        self.vertices = order.iter().map(|&k| self.vertices[k as usize]).collect();
        self.scales = order.iter().map(|&k| self.scales[k as usize]).collect();
        self.number();
    }

    fn number(&mut self) {
        for (place, &v) in self.vertices.iter().enumerate() {
            self.places[v as usize] = place as u32;
        }
    }

    /// As [`neighbours`](Pattern::neighbours), with weights.
    pub(super) fn weighted(&self, place: u32) -> impl Iterator<Item = (u32, f64)> {
        let v = self.vertices[place as usize];
        self.neighbours(place).zip(self.graph.weights(v).iter().copied())
    }

    /// The entry of an edge.
    pub(super) fn entry(&self, weight: f64, a: u32, b: u32) -> f64 {
        -(weight * self.scales[a as usize]) * self.scales[b as usize]
    }
}

impl Pattern for Matrix<'_> {
    fn size(&self) -> usize {
        self.vertices.len()
    }

    fn neighbours(&self, place: u32) -> impl Iterator<Item = u32> {
        let v = self.vertices[place as usize];
        self.graph.neighbours(v).iter().map(|&u| self.places[u as usize])
    }
}
