//! Vectors over pieces, typed by their state.
//!
//! A node on the border of parts has a copy in each of them. In a [`Full`] vector every copy
//! has the node's value; in a [`Partial`] one the value is the sum over copies. What may be
//! done with which is a matter of types:
//!
//! | operation | gives |
//! |---|---|
//! | matrix · full | partial |
//! | sums and multiples of vectors of one state | that state |
//! | elementwise: full · full, full ∕ full | full |
//! | elementwise: full · partial, partial ∕ full | partial |
//! | [`assemble`](super::World::assemble): partial | full, by an exchange |
//! | [`split`](super::World::split): full | partial, without communication |
//! | dot: full · full, partial · full | a number |
//!
//! What is not in the table does not compile. The product of a matrix with a partial vector:
//!
//! ```compile_fail,E0308
//! use palmette_mesh::spmv::*;
//! fn wrong(world: &World<Alone>, a: &Matrix, x: &Vector<Partial>, y: &mut Vector<Partial>) {
//!     world.product(a, x, y);
//! }
//! ```
//!
//! A product taken for a full vector:
//!
//! ```compile_fail,E0308
//! use palmette_mesh::spmv::*;
//! fn wrong(world: &World<Alone>, a: &Matrix, x: &Vector<Full>, y: &mut Vector<Full>) {
//!     world.product(a, x, y);
//! }
//! ```
//!
//! The sum of a partial and a full vector:
//!
//! ```compile_fail,E0308
//! use palmette_mesh::spmv::*;
//! fn wrong(world: &World<Alone>, x: &Vector<Full>, y: &mut Vector<Partial>) {
//!     world.combine(1.0, &[(2.0, x)], y);
//! }
//! ```
//!
//! The dot of two partial vectors:
//!
//! ```compile_fail,E0308
//! use palmette_mesh::spmv::*;
//! fn wrong(world: &mut World<Alone>, x: &Vector<Partial>, y: &Vector<Partial>) {
//!     let _ = world.dot(x, y);
//! }
//! ```
//!
//! Division by a partial vector:
//!
//! ```compile_fail,E0308
//! use palmette_mesh::spmv::*;
//! fn wrong(world: &World<Alone>, x: &Vector<Full>, d: &Vector<Partial>, z: &mut Vector<Full>) {
//!     world.divide(x, d, z);
//! }
//! ```
//!
//! A function of the values of a partial vector:
//!
//! ```compile_fail,E0308
//! use palmette_mesh::spmv::*;
//! fn wrong(world: &World<Alone>, x: &mut Vector<Partial>) {
//!     world.apply(x, f64::sqrt);
//! }
//! ```

use std::fmt::Debug;
use std::marker::PhantomData;

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Full {}
    impl Sealed for super::Partial {}
}

/// What copies of a node hold: [`Full`] or [`Partial`].
pub trait State: sealed::Sealed + Copy + Debug + Default + Send + Sync + 'static {
    /// Whether a copy is the whole value, so that sums over nodes count owned copies only.
    const WHOLE: bool;
}

/// Every copy of a node has its value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Full;

/// The value of a node is the sum over its copies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Partial;

impl State for Full {
    const WHOLE: bool = true;
}

impl State for Partial {
    const WHOLE: bool = false;
}

/// The unknowns of all pieces of a process, piece after piece; see the
/// [module](self).
#[derive(Debug, Clone, PartialEq)]
pub struct Vector<S: State> {
    pub(super) values: Vec<f64>,
    pub(super) state: PhantomData<S>,
}

impl<S: State> Vector<S> {
    pub(super) fn new(values: Vec<f64>) -> Vector<S> {
        Vector { values, state: PhantomData }
    }

    /// The values of all pieces of this process, piece after piece.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The values, out of the vector.
    pub fn into_values(self) -> Vec<f64> {
        self.values
    }

    /// The values, to change. The caller is responsible for the state.
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }
}
