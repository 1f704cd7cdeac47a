//! What a test has to know of an operator.

use crate::engines::erased::Packed;
use crate::engines::random::Random;
use palmette_core::operator::Operator;
use palmette_tree::Engine;
use std::fmt::Debug;

/// An operator with values to feed it, a second implementation to compare it with,
/// and a rule for when two answers agree.
pub(crate) trait Family: Sync {
    type Value: Packed + Debug;
    type Op: Operator<Elem = Self::Value>;
    /// An answer as the checker computes it, with what the error bound needs.
    type Reference: Copy + Debug + Send + Sync;

    fn name(&self) -> &'static str;
    fn op(&self) -> Self::Op;
    fn value(&self, random: &mut Random, vertex: u32) -> Self::Value;
    fn empty(&self) -> Self::Reference;
    fn lift(&self, value: Self::Value) -> Self::Reference;
    fn join(&self, left: Self::Reference, right: Self::Reference) -> Self::Reference;
    /// Whether an engine's answer is right. `whole` joins the values of all vertices.
    fn agrees(
        &self,
        engine: Engine,
        whole: Self::Reference,
        expected: Self::Reference,
        actual: Self::Value,
    ) -> bool;
}
