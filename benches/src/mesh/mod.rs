//! Meshes cut, placed and routed, with METIS and Scotch beside us.

pub mod cuts;
pub mod elements;
pub mod input;
pub mod large;
pub mod mapping;
pub mod peers;

/// The one in the middle; of an even number, the larger of both.
pub(crate) fn median<T: Copy>(
    mut values: Vec<T>,
    order: impl Fn(&T, &T) -> std::cmp::Ordering,
) -> T {
    values.sort_by(order);
    values[values.len() / 2]
}
