//! The work of assembly at each element: add its matrix, its lumped mass, or what fixed values
//! contribute.

use super::coefficient::Resolved;
use super::local::{Law, Local};
use super::mapping::{Sample, Visited, Visitor};
use super::pattern::place;
use super::{Assembler, FormError};

/// Fills the values of a matrix.
pub(super) struct Fill<'s> {
    pub(super) assembler: &'s Assembler<'s>,
    pub(super) laws: Vec<(f64, Law<'s>)>,
    pub(super) values: Vec<f64>,
    pub(super) local: Local,
}

impl Visitor for Fill<'_> {
    #[inline]
    fn visit<const N: usize, const D: usize>(
        &mut self,
        at: Visited<'_>,
        samples: &[Sample<N, D>],
    ) -> Result<(), FormError> {
        match self.assembler.components() {
            1 => self.add::<N, D, 1>(at, samples),
            2 => self.add::<N, D, 2>(at, samples),
            _ => self.add::<N, D, 3>(at, samples),
        }
    }
}

impl Fill<'_> {
    /// Adds an element with `C` components per node.
    #[inline]
    fn add<const N: usize, const D: usize, const C: usize>(
        &mut self,
        at: Visited<'_>,
        samples: &[Sample<N, D>],
    ) -> Result<(), FormError> {
        let mesh = self.assembler.submesh().mesh();
        self.local.set::<N, D, C>(&self.laws, (mesh, at.element), samples)?;
        if self.assembler.touches_fixed(at.corners) {
            self.drop_fixed(at.corners);
        }
        self.scatter::<N, C>(at.corners);
        Ok(())
    }

    /// Clears rows and columns of fixed unknowns in the element's matrix.
    fn drop_fixed(&mut self, corners: &[u32]) {
        let fixed = |unknown: usize| self.assembler.fixed()[unknown];
        for (i, row) in self.assembler.unknowns(corners).enumerate() {
            let entries = self.local.row_mut(i).iter_mut();
            for (entry, column) in entries.zip(self.assembler.unknowns(corners)) {
                if fixed(row) || fixed(column) {
                    *entry = 0.0;
                }
            }
        }
    }

    /// Adds the element's matrix to that of the submesh.
    #[inline]
    fn scatter<const N: usize, const C: usize>(&mut self, corners: &[u32]) {
        for (a, &node) in corners.iter().enumerate() {
            let (start, row) = self.assembler.pattern.row(node);
            let mut places = [0; N];
            places.iter_mut().zip(corners).for_each(|(to, &other)| *to = place(row, other));
            for c in 0..C {
                let first = C * (C * start + c * row.len());
                let entries = self.values[first..first + C * row.len()].as_chunks_mut::<C>().0;
                let local = self.local.row(a * C + c).as_chunks::<C>().0;
                for (from, &place) in local.iter().zip(&places) {
                    entries[place].iter_mut().zip(from).for_each(|(to, from)| *to += from);
                }
            }
        }
    }
}

/// Takes what a form makes of fixed values from a vector.
pub(super) struct Lift<'s> {
    pub(super) assembler: &'s Assembler<'s>,
    pub(super) laws: Vec<(f64, Law<'s>)>,
    pub(super) sums: Vec<f64>,
    pub(super) local: Local,
}

impl Visitor for Lift<'_> {
    fn wants(&self, corners: &[u32]) -> bool {
        self.assembler.touches_fixed(corners)
    }

    fn visit<const N: usize, const D: usize>(
        &mut self,
        at: Visited<'_>,
        samples: &[Sample<N, D>],
    ) -> Result<(), FormError> {
        let assembler = self.assembler;
        let place = (assembler.submesh().mesh(), at.element);
        match assembler.components() {
            1 => self.local.set::<N, D, 1>(&self.laws, place, samples)?,
            2 => self.local.set::<N, D, 2>(&self.laws, place, samples)?,
            _ => self.local.set::<N, D, 3>(&self.laws, place, samples)?,
        }
        for (i, unknown) in assembler.unknowns(at.corners).enumerate() {
            // Free unknowns have the value 0 here.
            let known =
                assembler.unknowns(at.corners).map(|unknown| assembler.fixed_values()[unknown]);
            let sum: f64 = self.local.row(i).iter().zip(known).map(|(entry, g)| entry * g).sum();
            self.sums[unknown] -= sum;
        }
        Ok(())
    }
}

/// Adds up lumped masses.
pub(super) struct Lump<'s> {
    pub(super) assembler: &'s Assembler<'s>,
    pub(super) c: Resolved<'s>,
    pub(super) sums: Vec<f64>,
}

impl Visitor for Lump<'_> {
    fn visit<const N: usize, const D: usize>(
        &mut self,
        at: Visited<'_>,
        samples: &[Sample<N, D>],
    ) -> Result<(), FormError> {
        let c = self.c.of(self.assembler.submesh().mesh(), at.element)?;
        let d = self.assembler.components();
        for sample in samples {
            let weight = sample.weight * c.at(sample.point, "a coefficient of mass")?;
            for (&node, value) in at.corners.iter().zip(sample.values) {
                let own = &mut self.sums[node as usize * d..(node as usize + 1) * d];
                own.iter_mut().for_each(|sum| *sum += weight * value);
            }
        }
        Ok(())
    }
}
