//! What a tolerance is compared with.

use palmette_core::named;

named! {
    /// What a tolerance is compared with.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Stop("stop") {
        /// The residual relative to the right-hand side, `‖b − A x‖ / ‖b‖`.
        #[default]
        Residual = "residual",
        /// The backward error `‖b − A x‖ / (‖A‖ ‖x‖ + ‖b‖)`: how far the matrix and the
        /// right-hand side must be changed for `x` to be exact. 1e-12 can always be had, however
        /// much conductances differ; potentials then are as good as those of a direct solver.
        Backward = "backward",
    }
}
