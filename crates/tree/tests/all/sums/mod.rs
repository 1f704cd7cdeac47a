//! Sums of floats on every engine: exact ones are the nearest floats, no error exceeds its
//! bound, and what is not finite is counted.
//!
//! | module | what |
//! |---|---|
//! | `inputs` | trees and values |
//! | `checker` | exact sums: whole numbers of 128 bits, and Shewchuk's expansions |
//! | the others | the tests |

mod bounds;
mod checker;
mod exact;
mod inputs;
mod special;

use palmette_core::Tree;
use palmette_tree::sum::{Float, SumParams, Summation, Sums, tree_sums};
use palmette_tree::{Direction, Engine, Scope};

const DIRECTIONS: [Direction; 2] = [Direction::Rootfix, Direction::Leaffix];
const SCOPES: [Scope; 2] = [Scope::Inclusive, Scope::Exclusive];

/// Runs every engine, direction and scope with a summation and bounds.
fn every_engine<T: Float>(
    tree: &Tree,
    values: &[T],
    summation: Summation,
    mut check: impl FnMut(Direction, Scope, Engine, Sums<T>),
) {
    for (direction, scope) in DIRECTIONS.into_iter().flat_map(|d| SCOPES.map(|s| (d, s))) {
        for engine in Engine::ALL {
            let params = SumParams { scope, engine, summation, bounds: true };
            check(direction, scope, engine, tree_sums(tree, direction, values, params).unwrap());
        }
    }
}
