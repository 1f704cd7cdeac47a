//! A small language for algorithms on meshes, and its compiler.
//!
//! ```text
//! text ──syntax──▶ tree ──types──▶ problem + kinds ──flow──▶ values, assemblies placed ──ir──▶ Program
//!                                                                   run by an engine, or ──c──▶ C and MPI
//! ```
//!
//! A program says what matrices and vectors to make from the mesh and what to do with them;
//! it says nothing of parts, ranks and messages. docs/language.md describes it.
//!
//! Vectors live on element partitions: a product leaves a sum at the nodes that parts share
//! undone, and an *assembly* does it. The compiler places the fewest assemblies ([`compile`]);
//! [`explain`](fn@explain) shows them.
//!
//! ```
//! use palmette_language::{compile, explain};
//! let program = compile("damped.pal", "
//! matrix K = stiffness(1)
//! matrix C = mass(1)
//! u = interpolate(exp(-x^2))
//! v = interpolate(x)
//! z = K*u + C*v
//! output z
//! ", &[])?;
//! let (outside, _) = program.counts();
//! assert_eq!((outside.undelayed, outside.assemblies), (2.0, 1.0));
//! assert!(explain(&program, None).contains("assemble z"));
//! # Ok::<(), palmette_language::Diagnostics>(())
//! ```

#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod arithmetic;
pub mod c;
mod examples;
mod explain;
mod flow;
pub mod ir;
pub mod problem;
pub mod run;
mod syntax;
mod types;

pub use arithmetic::{Arithmetic, Function};
pub use examples::{EXAMPLES, example};
pub use explain::{Exchange, explain};
pub use ir::Program;
pub use syntax::{Comparison, Diagnostic, Diagnostics, MOST_LOOPS, MOST_NESTED, Span};

/// The longest program, in bytes.
pub const MOST_BYTES: usize = 1 << 20;

/// The most values that a program may come to.
const MOST_VALUES: usize = 10_000;

/// Compiles a program. `file` is what errors call it; `settings` are values for its params.
///
/// **Cost.** Nearly linear in the text, but for what must be needed at the same time, which
/// takes a bit for each pair of values.
///
/// # Errors
/// All that is wrong, each with line, column and the line itself.
pub fn compile(file: &str, text: &str, settings: &[(String, f64)]) -> Result<Program, Diagnostics> {
    let mut errors = syntax::Errors::default();
    let start = Span { start: 0, end: 0 };
    if text.len() > MOST_BYTES {
        errors.push(
            start,
            format!(
                "the program is too long: {} bytes, at most \
            {MOST_BYTES}",
                text.len()
            ),
        );
        errors.finish(file, "")?;
    }
    let tree = syntax::parse(text, &mut errors);
    errors.finish(file, text)?;
    let mut typed = types::check(text, &tree, settings, &mut errors);
    errors.finish(file, text)?;
    let mut flow = flow::lower(text, &tree, &mut typed);
    flow::sweep(&mut flow);
    let ghosts = flow::ghosts(&flow, &typed.problem);
    let mut labels = flow::place(&flow, &typed.problem);
    flow::fuse(&mut flow, &mut labels);
    let mut count = 0;
    flow.each_item(&flow.items, &mut |_| count += 1);
    if count > MOST_VALUES {
        errors.push(
            start,
            format!(
                "the program computes too many values: {count}, at most \
            {MOST_VALUES}"
            ),
        );
        errors.finish(file, text)?;
    }
    Ok(ir::emit(file, typed.problem, (&flow, &labels), ghosts))
}
