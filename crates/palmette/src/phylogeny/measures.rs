//! Measures of one tree in records, ancestors of sets by name, and distances of tips.

use crate::Figures;
use palmette_core::{NONE, Record, Tree};
use palmette_io::Labels;
use palmette_phylo::compare::{Quartets, TreeDistance};
use palmette_phylo::measures::{Shape, TipDistances};
use palmette_tree::paths::{HeavyPaths, diameter_weighted};

/// The measures of a tree, as records have them.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasureFigures {
    /// The measures.
    pub shape: Shape,
    /// The largest distance of two tips, where lengths are not negative.
    pub diameter: Option<f64>,
}

impl MeasureFigures {
    /// Measures a tree; lengths go by vertex.
    ///
    /// # Panics
    /// When there is not one length per vertex.
    pub fn of(tree: &Tree, lengths: Option<&[f64]>) -> MeasureFigures {
        let lengths: Option<Vec<f64>> =
            lengths.map(|lengths| tree.vertices().iter().map(|&v| lengths[v as usize]).collect());
        let path = lengths.as_ref().and_then(|lengths| diameter_weighted(tree, lengths).ok()?);
        MeasureFigures {
            shape: Shape::new(tree, lengths.as_deref()),
            diameter: path.map(|path| path.length),
        }
    }
}

impl Figures for MeasureFigures {
    fn figures(&self, record: &mut Record) {
        let shape = &self.shape;
        record
            .figure("tips", shape.tips)
            .figure("inner", shape.inner)
            .figure("binary", shape.binary)
            .figure("sackin", shape.sackin)
            .figure("sackin_mean", shape.sackin_mean());
        if let Some(colless) = shape.colless {
            record.figure("colless", colless);
        }
        if let Some(normalised) = shape.colless_normalised() {
            record.figure("colless_normalised", normalised);
        }
        record.figure("b1", shape.b1).figure("cherries", shape.cherries);
        let Some(lengths) = &shape.lengths else { return };
        record
            .figure("length", lengths.total)
            .figure("length_inner", lengths.inner)
            .figure("treeness", lengths.treeness())
            .figure("root_to_tip_max", lengths.farthest)
            .figure("root_to_tip_min", lengths.nearest)
            .figure("root_to_tip_mean", lengths.mean)
            .figure("ultrametric", lengths.ultrametric);
        if let Some(gamma) = lengths.gamma {
            record.figure("gamma", gamma);
        }
        if let Some(diameter) = self.diameter {
            record.figure("diameter_length", diameter);
        }
    }
}

impl Figures for TreeDistance {
    fn figures(&self, record: &mut Record) {
        record
            .figure("rf", self.robinson_foulds())
            .figure("rf_normalised", self.normalised())
            .figure("shared_splits", self.shared)
            .figure("splits_first", self.first)
            .figure("splits_second", self.second);
        if let (Some(weighted), Some(score)) = (self.weighted, self.branch_score) {
            record.figure("wrf", weighted).figure("kf", score);
        }
    }
}

impl Figures for Quartets {
    fn figures(&self, record: &mut Record) {
        record
            .figure("quartet", self.distance())
            .figure("quartet_normalised", self.normalised())
            .figure("shared_quartets", self.same)
            .figure("quartets", self.all)
            .figure("quartets_first", self.first)
            .figure("quartets_second", self.second);
    }
}

/// The lowest common ancestors of sets, and what is known of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ancestors {
    /// By set; [`NONE`] across trees, or of no vertices.
    pub vertices: Vec<u32>,
    /// How many tips are below it; 0 where there is none.
    pub tips: Vec<u64>,
    /// The nearest vertex with a label at it or above it; [`NONE`] where there is none.
    pub named: Vec<u32>,
}

impl Ancestors {
    /// Finds the ancestors of sets of vertices: O(n), then a few steps per set.
    ///
    /// # Panics
    /// When a set has a number that is no vertex.
    pub fn of_sets(tree: &Tree, labels: &Labels, sets: &[Vec<u32>]) -> Ancestors {
        let heavy = HeavyPaths::new(tree);
        let leaves = crate::measures::leaf_counts(tree);
        // By position, the nearest one with a label.
        let mut nearest = vec![NONE; tree.len()];
        for (i, &v) in tree.vertices().iter().enumerate() {
            let above = tree.parent(i as u32).map_or(NONE, |p| nearest[p as usize]);
            nearest[i] = if labels.is_labelled(v) { i as u32 } else { above };
        }
        let vertex =
            |position: u32| tree.vertices().get(position as usize).copied().unwrap_or(NONE);
        let found: Vec<u32> = sets
            .iter()
            .map(|set| heavy.lca_of_set(set.iter().map(|&v| tree.positions()[v as usize])))
            .map(|position| position.unwrap_or(NONE))
            .collect();
        let by = |of: &[u32], p: u32| of.get(p as usize).copied();
        Ancestors {
            vertices: found.iter().map(|&p| vertex(p)).collect(),
            tips: found.iter().map(|&p| by(&leaves, p).unwrap_or(0).into()).collect(),
            named: found.iter().map(|&p| vertex(by(&nearest, p).unwrap_or(NONE))).collect(),
        }
    }
}

/// The tips of a tree, by vertex, in preorder.
pub fn tips_of(tree: &Tree) -> Vec<u32> {
    let tips = (0..tree.len() as u32).filter(|&i| tree.is_leaf(i));
    tips.map(|i| tree.vertices()[i as usize]).collect()
}

/// Prepares distances between vertices: by lengths, or in edges where there are none.
///
/// # Panics
/// When there is not one length per vertex, or no such vertex.
pub fn distance_table(tree: &Tree, lengths: Option<&[f64]>, vertices: &[u32]) -> TipDistances {
    let by_position: Vec<f64> = match lengths {
        Some(lengths) => tree.vertices().iter().map(|&v| lengths[v as usize]).collect(),
        None => vec![1.0; tree.len()],
    };
    let distances = palmette_phylo::measures::root_distances(tree, &by_position);
    let chosen: Vec<u32> = vertices.iter().map(|&v| tree.positions()[v as usize]).collect();
    TipDistances::new(tree, &chosen, distances)
}
