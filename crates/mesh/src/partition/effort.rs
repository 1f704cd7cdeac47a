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
        /// Moves that gain, and short local searches on small forms of the graph.
        Fast = "fast",
        /// Local searches on every size, and several times over.
        #[default]
        Default = "default",
        /// Several partitions, combined; longer searches, and smallest cuts around borders.
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
    pub(super) search: Patience,
    pub(super) search_vertices: usize,
    /// In cycles, smallest cuts around borders of nets of up to so many vertices; how many vertices
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
    pub(super) fn new(preset: Preset, vertices: usize, parts: u32) -> Effort {
        // Larger nets can be cut at a larger size in the same share of the time.
        let per_part = (vertices / (128 * parts.max(1) as usize)).clamp(30, 150);
        let small = vertices <= 50_000;
        let fast = Effort {
            per_part,
            least: 1000,
            bisections: 4,
            growths: 4,
            geometric: false,
            passes: 16,
            search: Patience { rounds: 1, alpha: 1 },
            search_vertices: 8_000,
            flow_vertices: 0,
            reach: 0,
            starts: 1,
            combinations: 0,
            cycles: 0,
        };
        match preset {
            Preset::Fast => fast,
            Preset::Default => Effort {
                growths: 8,
                geometric: true,
                search: Patience { rounds: 3, alpha: 5 },
                search_vertices: usize::MAX,
                starts: if small && parts <= 32 { 2 + u64::from(parts <= 4) } else { 1 },
                cycles: (3_000_000 / vertices.max(1)).clamp(1, 3),
                ..fast
            },
            Preset::Strong => Effort {
                least: 2000,
                bisections: 4,
                growths: 16,
                geometric: true,
                search: Patience { rounds: 5, alpha: 8 },
                search_vertices: usize::MAX,
                flow_vertices: 100_000,
                reach: 250,
                starts: (200_000 / vertices.max(1)).clamp(2, 6) as u64,
                combinations: (200_000 / vertices.max(1)).clamp(1, 6) as u64,
                cycles: (400_000 / vertices.max(1)).clamp(2, 4),
                ..fast
            },
        }
    }
}
