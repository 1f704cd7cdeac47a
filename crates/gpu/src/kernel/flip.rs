//! An operator with its operands exchanged.

use super::Kernel;
use palmette_core::Monoid;

/// `combine(x, y)` is the operator's `combine(y, x)`.
pub(crate) struct Flip<'a, K>(pub(crate) &'a K);

impl<K: Monoid> Monoid for Flip<'_, K> {
    type Elem = K::Elem;

    fn identity(&self) -> K::Elem {
        self.0.identity()
    }

    fn combine(&self, left: K::Elem, right: K::Elem) -> K::Elem {
        self.0.combine(right, left)
    }
}

impl<K: Kernel> Kernel for Flip<'_, K> {
    fn combine_wgsl(&self) -> String {
        "return combine_unflipped(right, left);".to_string()
    }

    fn type_wgsl(&self) -> &'static str {
        self.0.type_wgsl()
    }

    fn helpers_wgsl(&self) -> String {
        format!(
            "{}\nfn combine_unflipped(left: Elem, right: Elem) -> Elem {{ {} }}",
            self.0.helpers_wgsl(),
            self.0.combine_wgsl()
        )
    }

    fn loop_rounds(&self) -> usize {
        self.0.loop_rounds()
    }

    fn takes_infinity(&self) -> bool {
        self.0.takes_infinity()
    }
}
