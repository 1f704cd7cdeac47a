//! Assembles matrices and vectors of a submesh with Dirichlet conditions.
//!
//! **Method.** The sparsity pattern is made once and shared by all matrices; each matrix is then
//! filled element by element. Rows and columns of fixed unknowns are replaced by those of the
//! identity. **Cost.** Linear in elements for each matrix or vector. Symmetric to the last bit.

use super::fill::{Fill, Lift, Lump};
use super::local::Local;
use super::mapping::visit;
use super::pattern::{Pattern, place};
use super::reference::Rule;
use super::{Coefficient, Conditions, Form, FormError, Load, Submesh, Value, load};
use crate::spmv::{Csr, MOST_ENTRIES};

/// Makes matrices and vectors of a submesh. The pattern is made once; all matrices have it,
/// with a full block for each pair of nodes that share an element, and a diagonal.
///
/// Vectors have `components` unknowns per node: component `c` of node `v` is `v · components + c`.
#[derive(Debug, Clone)]
pub struct Assembler<'a> {
    submesh: &'a Submesh<'a>,
    components: usize,
    pub(super) pattern: Pattern,
    /// By unknown: whether it is fixed, and at what; 0 if not.
    fixed: Vec<bool>,
    values: Vec<f64>,
}

impl<'a> Assembler<'a> {
    /// The pattern of a submesh; its unknowns are fixed as the conditions say. Linear.
    ///
    /// # Errors
    /// More unknowns or entries than indices.
    pub fn new(
        submesh: &'a Submesh<'a>,
        conditions: &Conditions,
    ) -> Result<Assembler<'a>, FormError> {
        let (nodes, components) = (submesh.nodes().len(), conditions.components());
        let unknowns = nodes * components;
        if unknowns > u32::MAX as usize {
            return Err(FormError::TooMany { nodes, components });
        }
        let (mut fixed, mut values) = (vec![false; unknowns], vec![0.0; unknowns]);
        let numbers = submesh.numbers();
        for (node, component, value) in conditions.iter() {
            if let Some(local) = numbers.of(node) {
                let unknown = local as usize * components + component;
                (fixed[unknown], values[unknown]) = (true, value);
            }
        }
        let pattern = Pattern::new(submesh);
        let entries = pattern.pairs() * components * components;
        if entries > MOST_ENTRIES {
            return Err(FormError::TooLarge { entries });
        }
        Ok(Assembler { submesh, components, pattern, fixed, values })
    }

    /// The submesh.
    pub fn submesh(&self) -> &'a Submesh<'a> {
        self.submesh
    }

    /// Unknowns per node.
    pub fn components(&self) -> usize {
        self.components
    }

    /// By unknown: whether it is fixed.
    pub fn fixed(&self) -> &[bool] {
        &self.fixed
    }

    /// By unknown: the value it is fixed at, in every copy; 0 for those that are not.
    pub fn fixed_values(&self) -> &[f64] {
        &self.values
    }

    /// A zero for each unknown.
    pub fn zeros(&self) -> Vec<f64> {
        vec![0.0; self.fixed.len()]
    }

    /// The matrix of a form, partially assembled. Rows and columns of fixed unknowns are zero,
    /// but for a 1 on the diagonal of owned ones. Symmetric to the last bit.
    ///
    /// # Errors
    /// Elements that are not supported or inverted; coefficients that lack a group of the mesh,
    /// name one it does not have, or are not finite.
    pub fn matrix(&self, form: &Form) -> Result<Csr, FormError> {
        let d = self.components;
        let laws = form.resolve(self.submesh.mesh(), d)?;
        let values = vec![0.0; self.pattern.pairs() * d * d];
        let mut fill = Fill { assembler: self, laws, values, local: Local::new() };
        visit(self.submesh, Rule::Matrix, &mut fill)?;
        let mut values = fill.values;
        for (unknown, _) in self.fixed_unknowns().filter(|(_, owned)| *owned) {
            let (node, component) = ((unknown / d) as u32, unknown % d);
            let (start, row) = self.pattern.row(node);
            let entry = d * (d * start + component * row.len() + place(row, node)) + component;
            values[entry] = 1.0;
        }
        Ok(self.pattern.matrix(d, values))
    }

    /// The lumped mass `∫ c v` of every unknown: the row sums of [`Form::mass`], positive if `c`
    /// is; a partially assembled vector. Fixed unknowns are as on the diagonal of a matrix.
    ///
    /// # Errors
    /// As [`Assembler::matrix`].
    pub fn lumped(&self, c: impl Into<Coefficient>) -> Result<Vec<f64>, FormError> {
        let coefficient = c.into();
        let c = coefficient.resolve(self.submesh.mesh())?;
        let mut lump = Lump { assembler: self, c, sums: self.zeros() };
        visit(self.submesh, Rule::Matrix, &mut lump)?;
        let mut sums = lump.sums;
        self.put_fixed(&mut sums, |_| 1.0);
        Ok(sums)
    }

    /// The integrals of a load against the shape functions, a partially assembled vector.
    /// Fixed unknowns get theirs like all others: see [`Assembler::rhs`].
    ///
    /// # Errors
    /// As [`Assembler::matrix`], and another number of values than of components.
    pub fn load(&self, load: &Load) -> Result<Vec<f64>, FormError> {
        load::integrate(self, load)
    }

    /// The right-hand side for the matrix of a form: at free unknowns the load less what the
    /// form makes of the fixed values; at fixed ones their value, if they are owned, or else 0.
    /// A partially assembled vector.
    ///
    /// # Errors
    /// As [`Assembler::matrix`].
    ///
    /// # Panics
    /// If the load does not have one value per unknown.
    pub fn rhs(&self, form: &Form, load: Vec<f64>) -> Result<Vec<f64>, FormError> {
        assert_eq!(load.len(), self.fixed.len(), "a value per unknown");
        let laws = form.resolve(self.submesh.mesh(), self.components)?;
        let mut lift = Lift { assembler: self, laws, sums: load, local: Local::new() };
        visit(self.submesh, Rule::Matrix, &mut lift)?;
        let mut sums = lift.sums;
        self.put_fixed(&mut sums, |unknown| self.values[unknown]);
        Ok(sums)
    }

    /// The values of functions at the nodes, one for each component: a fully assembled vector.
    ///
    /// # Errors
    /// Another number of functions than of components; values that are not finite.
    pub fn interpolate(&self, values: &[Value]) -> Result<Vec<f64>, FormError> {
        if values.len() != self.components {
            let (expected, found) = (self.components, values.len());
            return Err(FormError::Count { what: "functions to interpolate", expected, found });
        }
        let points = self.submesh.mesh().points();
        let nodes = self.submesh.nodes().iter().map(|&node| points[node as usize]);
        let all = nodes.flat_map(|p| values.iter().map(move |v| v.at(p, "an interpolated value")));
        all.collect()
    }

    /// Fixed unknowns, and whether they are owned.
    fn fixed_unknowns(&self) -> impl Iterator<Item = (usize, bool)> {
        let fixed = self.fixed.iter().enumerate().filter(|(_, fixed)| **fixed);
        fixed.map(|(unknown, _)| (unknown, self.submesh.owned()[unknown / self.components]))
    }

    /// Sets fixed unknowns of a vector: owned ones as told, others to 0.
    fn put_fixed(&self, vector: &mut [f64], value: impl Fn(usize) -> f64) {
        for (unknown, owned) in self.fixed_unknowns() {
            vector[unknown] = if owned { value(unknown) } else { 0.0 };
        }
    }

    /// The unknowns of some nodes.
    #[inline]
    pub(super) fn unknowns(&self, corners: &[u32]) -> impl Iterator<Item = usize> + Clone {
        let d = self.components;
        corners.iter().flat_map(move |&node| node as usize * d..(node as usize + 1) * d)
    }

    #[inline]
    pub(super) fn touches_fixed(&self, corners: &[u32]) -> bool {
        self.unknowns(corners).any(|unknown| self.fixed[unknown])
    }
}
