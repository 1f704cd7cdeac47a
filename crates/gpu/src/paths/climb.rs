//! Ways up by doubling.

use super::{DOUBLE, DevicePaths, START, WALK};
use crate::array::Array;
use crate::batch::Batch;
use crate::tiles::tiles;
use crate::{Element, GpuError};

/// Which end of a pair a way up begins at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    First,
    Second,
}

/// Jumps of some number of steps: where they lead and the products on the way.
struct Table {
    up: Array,
    products: Array,
}

impl DevicePaths {
    /// Adds to a batch what gives, by pair, the product on the way up from one of its ends.
    pub(super) fn climb<E: Element>(
        &self,
        batch: &mut Batch<'_>,
        values: &Array,
        queries: &Array,
        steps: &Array,
        end: End,
    ) -> Result<Array, GpuError> {
        let device = batch.device();
        let ways = Array::new::<[u32; 2]>(device, queries.len())?;
        let found = Array::new::<E>(device, queries.len())?;
        let start = batch.kernel(&START)?;
        for k in 0..queries.count() {
            let arrays = [queries.chunk(k), steps.chunk(k), ways.chunk(k), found.chunk(k)];
            batch.each(&start, &arrays, &[queries.range(k).len() as u32, end as u32]);
        }
        let table = || -> Result<Table, GpuError> {
            let n = self.parent.len();
            Ok(Table { up: Array::new::<u32>(device, n)?, products: Array::new::<E>(device, n)? })
        };
        let tables = [table()?, table()?];
        let (walk, double) = (batch.kernel(&WALK)?, batch.kernel(&DOUBLE)?);
        let (mut up, mut products) = (&self.parent, values);
        for round in 0..self.rounds {
            for (k, e, [count, first, length]) in tiles(&ways, up) {
                let arrays = [up.chunk(e), products.chunk(e), ways.chunk(k), found.chunk(k)];
                batch.each(&walk, &arrays, &[count, first, length, 1 << round]);
            }
            if round + 1 == self.rounds {
                break;
            }
            let next = &tables[round as usize % 2];
            for (k, e, numbers) in tiles(up, up) {
                let here = [up.chunk(k), products.chunk(k)];
                let there = [up.chunk(e), products.chunk(e)];
                let new = [next.up.chunk(k), next.products.chunk(k)];
                batch.each(&double, &[here, there, new].concat(), &numbers);
            }
            (up, products) = (&next.up, &next.products);
        }
        batch.keep(tables.into_iter().flat_map(|table| [table.up, table.products]));
        batch.keep([ways]);
        Ok(found)
    }
}
