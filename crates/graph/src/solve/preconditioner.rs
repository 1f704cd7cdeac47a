//! The preconditioners and their names.

use palmette_core::named;

named! {
    /// A preconditioner for conjugate gradients; see the [module](super).
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Preconditioner("preconditioner") {
        /// Chosen by the graph, see [`choose`](super::choose).
        #[default]
        Auto = "auto",
        /// Nothing.
        None = "none",
        /// The diagonal.
        Jacobi = "jacobi",
        /// A factor without fill.
        IncompleteCholesky = "incomplete-cholesky",
        /// A spanning forest of largest weight.
        Tree = "tree",
        /// The skeleton, factored.
        Sparsifier = "sparsifier",
        /// Random elimination.
        ApproximateCholesky = "approximate-cholesky",
        /// The graph, factored.
        Direct = "direct",
    }
}
