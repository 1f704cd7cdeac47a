//! Programs that come with the crate.

/// The programs of `examples/programs`: names and texts.
pub const EXAMPLES: [(&str, &str); 4] = [
    ("cg", include_str!("../../../examples/programs/cg.pal")),
    ("jacobi_cg", include_str!("../../../examples/programs/jacobi_cg.pal")),
    ("heat", include_str!("../../../examples/programs/heat.pal")),
    ("wave", include_str!("../../../examples/programs/wave.pal")),
];
