//! How much time a partition may take.
//!
//! What each preset does is here and nowhere else; the numbers come from `make bench-mesh`.

use super::refine::moves::Patience;
use palmette_core::named;

named! {
    /// Less time or a smaller cut.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    #[non_exhaustive]
    pub enum Preset("preset") {
        /// Moves that gain, on every size of graph.
        Fast = "fast",
        /// Local searches and smallest cuts around borders too.
        #[default]
        Default = "default",
        /// Several partitions, combined and improved until that gains nothing.
        Strong = "strong",
    }
}

/// What is done, and how often.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effort {
    /// Coarsening stops below this many vertices per part,
    pub(super) per_part: usize,
    /// and below this many in all.
    pub(super) least: usize,
    /// Cuts in two: so many times from the smallest net up,
    pub(super) bisections: u32,
    /// each from so many growths.
    pub(super) growths: u32,
    /// Whether cuts by points are tried where there are points.
    pub(super) geometric: bool,
    /// Passes of moves that gain.
    pub(super) passes: u32,
    /// Local searches, on nets of up to so many vertices.
    pub(super) search: Option<Patience>,
    pub(super) search_vertices: usize,
    /// Smallest cuts around borders, on nets of up to so many vertices; and how many vertices
    /// of a part they move at most.
    pub(super) flow_vertices: usize,
    pub(super) reach: usize,
    /// Partitions made from different seeds,
    pub(super) starts: u64,
    /// of which pairs are combined so many times.
    pub(super) combinations: u64,
    /// Coarsening within parts and refining again.
    pub(super) cycles: usize,
}

impl Effort {
    /// What a preset does with a net of so many vertices.
    pub(super) fn new(preset: Preset, vertices: usize) -> Effort {
        let fast = Effort {
            per_part: 30,
            least: 1000,
            bisections: 4,
            growths: 4,
            geometric: false,
            passes: 10,
            search: None,
            search_vertices: 0,
            flow_vertices: 0,
            reach: 0,
            starts: 1,
            combinations: 0,
            cycles: 0,
        };
        match preset {
            Preset::Fast => fast,
            Preset::Default => Effort {
                bisections: 2,
                growths: 8,
                geometric: true,
                search: Some(Patience { rounds: 3, alpha: 5 }),
                search_vertices: usize::MAX,
                flow_vertices: if vertices > 200_000 { 20_000 } else { 40_000 },
                reach: 100,
                cycles: usize::from(vertices < 100_000),
                ..fast
            },
            Preset::Strong => Effort {
                per_part: 25,
                least: 2000,
                bisections: 4,
                growths: 16,
                geometric: true,
                search: Some(Patience { rounds: 8, alpha: 16 }),
                search_vertices: usize::MAX,
                flow_vertices: 100_000,
                reach: 250,
                starts: (200_000 / vertices.max(1)).clamp(2, 6) as u64,
                combinations: (200_000 / vertices.max(1)).clamp(1, 6) as u64,
                cycles: (600_000 / vertices.max(1)).clamp(2, 6),
                ..fast
            },
        }
    }
}
