//! An example for the help of every noun and verb.
//!
//! `tests/cli/documents.rs` runs them all in one folder: those of `generate` first, which make the
//! tree, the graph and the mesh that the others read.

macro_rules! examples {
    ($($name:ident: $first:literal $(, $line:literal)*;)*) => {$(
        pub(crate) const $name: &str =
            concat!("Example:\n  palmette ", $first, $("\n  palmette ", $line),*);
    )*};
}

examples! {
    TREE: "tree generate phylogeny:99 --lengths -o tree.nwk", "tree leaffix tree.nwk --op leaves";
    SPATIAL: "tree generate random:999 -o tree.csv", "spatial layout tree.csv --svg layout.svg";
    GRAPH: "graph generate grid:60x60 -o grid.mtx", "graph solve grid.mtx --rhs random";
    POWER: "power generate grid:30x30 -o chip.spice", "power drop chip.spice -o voltages.csv";
    MESH: "mesh generate triangles:20x20 -o square.msh", "mesh map square.msh --machine torus:4x2";
    TREE_INFO: "tree info tree.nwk --lengths --svg tree.svg";
    TREE_ORDER: "tree order tree.nwk --order light-first -o order.csv";
    TREE_GENERATE: "tree generate phylogeny:99 --lengths --seed 7 -o tree.nwk";
    TREE_ROOTFIX: "tree rootfix tree.nwk --op depth --lengths -o root_to_tip.csv";
    TREE_LEAFFIX: "tree leaffix tree.nwk --op leaves -o leaves.csv --svg leaves.svg";
    TREE_LCA: "tree lca tree.nwk 17 42";
    TREE_DISTANCE: "tree distance tree.nwk 17 42";
    TREE_DIVERSITY: "tree leaffix tree.nwk --op leaves -o counts.csv", "tree diversity tree.nwk counts.csv --metric faith --ignore-missing -o faith.csv";
    TREE_PATH: "tree path tree.nwk 17 42 --op max --lengths";
    TREE_SUBTREE: "tree subtree tree.nwk --of 17,42 -o clade.nwk";
    TREE_PRUNE: "tree prune tree.nwk --keep 17,42 -o pruned.nwk", "tree prune tree.nwk --drop-pattern '1*' -o pruned.nwk";
    TREE_REROOT: "tree reroot tree.nwk --midpoint -o rooted.nwk", "tree reroot tree.nwk --outgroup 17 -o rooted.nwk";
    TREE_LADDERIZE: "tree ladderize tree.nwk -o ladder.nwk";
    TREE_SORT: "tree sort tree.nwk -o sorted.nwk";
    TREE_COLLAPSE: "tree collapse tree.nwk --shorter-than 0.05 -o collapsed.nwk";
    TREE_RESOLVE: "tree resolve tree.nwk --method balanced -o binary.nwk";
    TREE_RENAME: "tree order tree.nwk -o names.csv", "tree rename tree.nwk --names names.csv -o renamed.nwk";
    TREE_GRAFT: "tree graft tree.nwk --with tree.nwk --above 17 -o grafted.nwk";
    TREE_DRAW: "tree draw tree.nwk --colour length --svg tree.svg",
        "tree draw tree.nwk --html tree.html";
    TREE_PARSIMONY: "tree parsimony tree.nwk alignment.fasta --ignore-missing --states -o states.fasta";
    TREE_CONVERT: "tree convert tree.nwk -o tree.csv";
    TREE_COMPARE: "tree generate phylogeny:99 --lengths --seed 8 -o other.nwk", "tree compare tree.nwk other.nwk --shared";
    TREE_MEASURES: "tree measures tree.nwk --ltt lineages.csv --svg lineages.svg";
    TREE_CLOCK: "tree rootfix tree.nwk --op depth -o dates.csv", "tree clock tree.nwk --dates dates.csv --svg clock.svg";
    TREE_DEVICES: "tree devices";
    SPATIAL_LAYOUT: "spatial layout tree.nwk --curve hilbert --svg layout.svg";
    SPATIAL_MESSAGE: "spatial message tree.nwk --kind reduce --op sum --svg links.svg";
    SPATIAL_TREEFIX: "spatial treefix tree.nwk --op sum -o sums.csv --svg run.svg";
    SPATIAL_LCA: "spatial lca tree.nwk 17 42";
    SPATIAL_SPMV: "spatial spmv grid.mtx --xyz grid.xyz --svg links.svg", "spatial spmv grid.mtx --method sort";
    SPATIAL_CG: "spatial cg grid.mtx --laplacian --tolerance 1e-2 --replay never";
    SPATIAL_SWEEP: "spatial sweep --program treefix --sizes 2^8..2^10 -o treefix.html";
    SPATIAL_TRACE: "spatial trace tree.nwk -o messages.json";
    GRAPH_INFO: "graph info grid.mtx --svg matrix.svg";
    GRAPH_GENERATE: "graph generate grid:60x60 -o grid.mtx --output-xyz grid.xyz";
    GRAPH_SPARSIFY: "graph sparsify grid.mtx -o kept.mtx --xyz grid.xyz --svg skeleton.svg";
    GRAPH_SOLVE: "graph solve grid.mtx --rhs random -o potentials.csv --svg residuals.svg";
    GRAPH_RESISTANCE: "graph resistance grid.mtx 1 3600", "graph resistance grid.mtx --all-edges -o edges.csv";
    GRAPH_CURRENT: "graph generate landscape:60x80 -o hills.asc --output-points places.xyz", "graph current hills.asc --points places.xyz -o currents.asc --svg currents.svg";
    GRAPH_STREAM: "graph stream grid.mtx updates.csv -o kept.mtx --history history.csv --svg stream.svg";
    GRAPH_MINCUT: "graph mincut grid.mtx -o sides.csv --xyz grid.xyz --svg cut.svg", "graph mincut grid.mtx --all -o cuts.csv";
    POWER_INFO: "power info chip.spice";
    POWER_FLOW: "power generate feeder:99 -o feeder", "power flow feeder --branches flows.csv -o voltages.csv";
    POWER_CONVERT: "power generate feeder:99 -o feeder", "power convert feeder -o feeder.json";
    POWER_GENERATE: "power generate grid:30x30 -o chip.spice", "power generate feeder:99 -o feeder";
    POWER_DROP: "power drop chip.spice -o voltages.csv --elements currents.csv --limit 0.05 --svg drop.svg", "power drop chip.spice --remove-pad V0 --add n1_3_3 n2_3_3 0.1 -o without.csv";
    POWER_TRANSIENT: "power transient chip.spice -o waves.csv --svg waves.svg", "power transient chip.spice --stop 2n --node n1_9_9 --worst worst.csv -o near.csv";
    MESH_INFO: "mesh info square.msh --svg mesh.svg";
    MESH_GENERATE: "mesh generate triangles:20x20 --width 1 -o square.msh";
    MESH_GRAPH: "mesh graph square.msh -o square.mtx --output-xyz square.xyz";
    MESH_PARTITION: "mesh partition square.msh --parts 8 -o part.txt --svg parts.svg";
    MESH_ORDER: "mesh order square.msh -o perm.txt --svg order.svg";
    MESH_PLACE: "mesh place square.msh --machine torus:4x2 -o placement.json";
    MESH_ROUTE: "mesh route square.msh --machine torus:4x2 -o routes.json --svg routes.svg";
    MESH_MAP: "mesh map square.msh --machine torus:4x2 -o mapped";
    MESH_RUN: "mesh run square.msh --program example:cg -o field";
    MESH_COMPILE: "mesh compile square.msh --program example:heat --machine torus:2x2 -o heat";
    DEMO: "demo -o out";
    REPORT: "tree info tree.nwk --record run.json", "report run.json -o report.html";
    FORMATS: "formats";
    COMPLETIONS: "completions bash > palmette.bash";
    MAN: "man -o pages";
}

/// An example, and what the keys of the record mean.
pub(crate) fn with_keys(example: &str, keys: &str) -> String {
    format!("{example}\n\n{keys}")
}
