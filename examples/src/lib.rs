//! Short programs, one idea each: `cargo run --example payroll`. This library is empty; a package
//! needs one.
