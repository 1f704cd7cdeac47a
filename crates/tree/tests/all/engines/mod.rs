//! Every engine against checkers that share nothing with it: operators × shapes ×
//! directions × scopes × sizes, the corpus of `cases/`, blocks and thread counts,
//! overflow, bare parent arrays and wrong input.
//!
//! | module | what |
//! |---|---|
//! | `random`, `trees` | the inputs |
//! | `checker` | the answers, from the definition |
//! | `family`, `exact`, `float` | operators: values, references, error bounds |
//! | `erased`, `run` | one tree through every engine |
//! | the others | the tests |

mod checker;
mod corpus;
mod determinism;
mod erased;
mod errors;
mod exact;
mod family;
mod float;
mod fold;
mod medium;
mod overflow;
pub(crate) mod random;
mod raw;
mod run;
mod small;
pub(crate) mod trees;
