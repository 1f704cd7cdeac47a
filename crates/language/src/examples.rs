//! Programs that come with the crate.

use palmette_core::UnknownName;

/// The text of a program of [`EXAMPLES`].
///
/// # Errors
/// Another name.
pub fn example(name: &str) -> Result<&'static str, UnknownName> {
    let unknown = || UnknownName::among("example", name, EXAMPLES.map(|example| example.0));
    let found = EXAMPLES.iter().find(|example| example.0 == name);
    found.map(|example| example.1).ok_or_else(unknown)
}

/// The programs of `crates/language/programs`: names and texts.
pub const EXAMPLES: [(&str, &str); 4] = [
    ("cg", include_str!("../programs/cg.pal")),
    ("jacobi_cg", include_str!("../programs/jacobi_cg.pal")),
    ("heat", include_str!("../programs/heat.pal")),
    ("wave", include_str!("../programs/wave.pal")),
];
