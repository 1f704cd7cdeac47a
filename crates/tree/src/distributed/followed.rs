//! Rootfix and leaffix without an order: whichever way suits the tree.

use super::DistributedError;
use super::children::InOrder;
use super::peeled::Peeled;
use super::ranks::Slices;
use super::ranks::{Metered, Ranks};
use super::swept::Swept;
use palmette_core::Monoid;

/// A tree without an order, ready for computations.
pub(super) enum Followed {
    Peeled(Box<Peeled>),
    Swept(Swept),
}

impl Followed {
    /// Takes the parents of the slice, which are known to be vertices, and again where they come first.
    /// Nothing when the load would be uneven, or numbers do not fit; all ranks agree on that.
    pub(super) fn build<R: Ranks>(
        ranks: &mut Metered<R>,
        slices: &Slices,
        parents: &[u64],
        in_order: Option<InOrder>,
    ) -> Result<Option<Followed>, DistributedError> {
        ranks.phase("rounds");
        if let Some(swept) = Swept::build(ranks, slices, parents, in_order)? {
            return Ok(Some(Followed::Swept(swept)));
        }
        let peeled = Peeled::build(ranks, slices, parents)?;
        Ok(peeled.map(|peeled| Followed::Peeled(Box::new(peeled))))
    }

    /// The product over subtrees; without the vertex itself if `exclusive`.
    pub(super) fn up<R: Ranks, M: Monoid<Elem = [u64; N]>, const N: usize>(
        &self,
        ranks: &mut Metered<R>,
        op: &M,
        values: &[[u64; N]],
        exclusive: bool,
    ) -> Result<Vec<[u64; N]>, DistributedError> {
        match self {
            Followed::Peeled(peeled) => peeled.up(ranks, op, values, exclusive),
            Followed::Swept(swept) => Ok(swept.up(ranks, op, values, exclusive)?),
        }
    }

    /// The product from the root; without the vertex itself if `exclusive`.
    pub(super) fn down<R: Ranks, M: Monoid<Elem = [u64; N]>, const N: usize>(
        &self,
        ranks: &mut Metered<R>,
        op: &M,
        values: &[[u64; N]],
        exclusive: bool,
    ) -> Result<Vec<[u64; N]>, DistributedError> {
        match self {
            Followed::Peeled(peeled) => peeled.down(ranks, op, values, exclusive),
            Followed::Swept(swept) => Ok(swept.down(ranks, op, values, exclusive)?),
        }
    }
}
