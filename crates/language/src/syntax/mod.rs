//! From text to a tree: tokens, expressions, statements, and errors that show their place.
//!
//! ```text
//! program    = { [ statement ] newline }
//! statement  = "unknown" number
//!            | "param" name "=" expression
//!            | "fix" group [ "." ( "x" | "y" | "z" ) ] "=" expression
//!            | "matrix" name "=" expression
//!            | [ "vector" ] name "=" expression
//!            | "while" expression ( "<" | "<=" | ">" | ">=" ) expression
//!                "at" "most" expression newline program "end"
//!            | "repeat" expression newline program "end"
//!            | "print" shown { "," shown } [ "every" number ]
//!            | "output" name [ "as" name ] [ "every" number ]
//! shown      = [ text "," ] expression
//! expression = term { ( "+" | "-" ) term }
//! term       = sign { ( "*" | "/" | ".*" | "./" ) sign }
//! sign       = "-" sign | power
//! power      = primary [ "^" sign ]
//! primary    = number | name | name "(" [ argument { "," argument } ] ")"
//!            | "(" expression ")" | "[" expression { "," expression } "]"
//! argument   = [ ( group | "else" ) ":" ] expression
//! group      = name | text
//! ```
//!
//! `#` begins a comment. A line ends a statement, except within brackets and after an
//! operator. Expressions lie in one list, children before parents, so that no pass over them
//! recurses and a sum of 10^5 terms is a normal input; brackets nest at most [`MOST_NESTED`]
//! deep and loops [`MOST_LOOPS`].

mod diagnostic;
mod expression;
mod parse;
mod statement;
mod token;
mod tree;

pub(super) use diagnostic::Errors;
pub use diagnostic::{Diagnostic, Diagnostics, Span};
pub(super) use parse::parse;
pub use tree::Comparison;
pub(super) use tree::{Argument, Binary, ExprId, Name, Node, Shown, Statement, Tree, What};

/// How deep brackets, signs and powers may nest.
pub const MOST_NESTED: usize = 100;

/// How deep loops may nest.
pub const MOST_LOOPS: usize = 8;
