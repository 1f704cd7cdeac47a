//! What parts keep to beside their number.

use super::weights;
use crate::prelude::*;
use palmette::NONE;
use palmette::mesh::partition::{Demands, Previous};

/// Sizes, weights, fixed vertices, an objective and the parts before.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct DemandOptions<'py> {
    sizes: Vec<f64>,
    /// All first weights, then all second ones, and so on.
    weights: Option<Array<'py, i64>>,
    kinds: usize,
    /// Vertex and part, one after another.
    fixed: Option<Array<'py, i64>>,
    objective: Option<String>,
    previous: Option<Array<'py, i64>>,
    migration: f64,
    ignore_edge_weights: bool,
}

/// First weights, demands, and whether edges are counted.
pub(crate) type Demanded = (Option<Vec<u32>>, Demands, bool);

impl DemandOptions<'_> {
    /// What they say.
    pub(crate) fn read(&self) -> PyResult<Demanded> {
        let mut columns = Vec::new();
        if let Some(all) = weights(self.weights.as_ref())? {
            let n = all.len() / self.kinds.max(1);
            columns = (0..self.kinds).map(|kind| all[kind * n..][..n].to_vec()).collect();
        }
        let mut columns = columns.into_iter();
        let first = columns.next();
        let demands = Demands {
            sizes: self.sizes.clone(),
            further: columns.collect(),
            fixed: self.fixed.as_ref().map(fixed).transpose()?.unwrap_or_default(),
            objective: self
                .objective
                .as_deref()
                .map(|name| name.parse().map_err(value_error))
                .transpose()?,
            previous: self
                .previous
                .as_ref()
                .map(|part| {
                    let part = previous(part)?;
                    PyResult::Ok(Previous { part, migration: self.migration })
                })
                .transpose()?,
        };
        Ok((first, demands, self.ignore_edge_weights))
    }
}

fn fixed(given: &Array<'_, i64>) -> PyResult<Vec<(u32, u32)>> {
    let lent = Lent::new(given)?;
    let number = |x: i64| {
        u32::try_from(x).map_err(|_| {
            value_error(format!("fixed: expected vertices and parts from 0, found {x}"))
        })
    };
    lent.chunks_exact(2).map(|pair| Ok((number(pair[0])?, number(pair[1])?))).collect()
}

fn previous(given: &Array<'_, i64>) -> PyResult<Vec<u32>> {
    let lent = Lent::new(given)?;
    let part = |&x: &i64| match x {
        -1 => Ok(NONE),
        _ => u32::try_from(x).ok().filter(|&p| p != NONE).ok_or_else(|| {
            value_error(format!("previous: expected parts from 0, or -1 for none, found {x}"))
        }),
    };
    lent.iter().map(part).collect()
}
