//! From partial differential equations to matrices: linear finite elements.
//!
//! **Problem.** A mesh of triangles, quadrilaterals, tetrahedra or hexahedra, or of mixtures of
//! one dimension; a [`Form`]; [`Conditions`] at physical groups. Out come matrices in
//! compressed rows and right-hand sides, for the whole mesh or for any of its elements, with
//! any numbers for their nodes.
//!
//! | step | type |
//! |---|---|
//! | some elements, local numbers for their nodes | [`Submesh`] |
//! | what is known: `u = g` at groups | [`Fix`], [`Conditions`] |
//! | the pattern, made once for all forms | [`Assembler`] |
//! | `∫ k ∇u·∇v`, `∫ c u v`, elasticity, sums of them | [`Form`], [`Assembler::matrix`] |
//! | `∫ c v`, the lumped mass | [`Assembler::lumped`] |
//! | `∫ f v`, `∫ g v` over a part of the boundary | [`Load`], [`Assembler::load`] |
//! | what conditions bring to the right | [`Assembler::rhs`] |
//! | how far nodal values are from a known answer | [`l2_error`], [`h1_error`] |
//!
//! **Elements.** Linear triangles, bilinear quadrilaterals, linear tetrahedra, trilinear
//! hexahedra; points and exactness of integration are in `reference.rs`. Plane elements lie in
//! a plane `z = const` each, and x and y count; a surface in space is an error. So are prisms and
//! pyramids.
//!
//! **Orientation.** All elements run around like the first of the mesh, whichever sense that
//! is. One that does not, or that is folded so that the determinant of its map is not positive
//! at a point of integration, is an error with its number.
//!
//! **Parts.** Each element belongs to one submesh; then the matrices of all submeshes, each
//! *partially assembled*, add up to that of the mesh. A node of several submeshes is owned by
//! one. Fixed unknowns have empty rows and columns, but for a 1 on the owner's diagonal;
//! right-hand sides have their value at the owner's. What integrals over the boundary bring
//! goes to the owners of nodes. Nothing is communicated.
//!
//! **Cost.** Linear, on one thread: run submeshes in parallel. A matrix has 12 bytes per entry
//! and 8 per row; an [`Assembler`] has 4 bytes for each pair of nodes that meet, whatever the
//! number of components, 8 per node and 9 per unknown; a [`Submesh`] has 4 bytes per corner, 12 per
//! element and 5 per node.
//!
//! **Determinism.** Sums run in the order of the elements given.
//!
//! **Reference.** Hughes, *The Finite Element Method*, 1987, chapters 2 to 4; Hammer and
//! Stroud, *Numerical integration over simplexes*, 1956.
//!
//! The potential between two sides of a plate, whose exact answer is linear:
//!
//! ```
//! use palmette_mesh::element::{Assembler, Conditions, Fix, Form, Submesh};
//! use palmette_mesh::shapes::generate;
//! let plate = generate("crack-plate:300".parse()?, 1)?;
//! let whole = Submesh::whole(&plate);
//! let fixes = [Fix::new("left", -1.0), Fix::new("right", 1.0)];
//! let conditions = Conditions::new(&plate, 1, &fixes)?;
//! let assembler = Assembler::new(&whole, &conditions)?;
//! let stiffness = Form::stiffness(1.0);
//! let a = assembler.matrix(&stiffness)?;
//! let b = assembler.rhs(&stiffness, assembler.zeros())?;
//! // The answer is u = x: b − A u vanishes.
//! let u: Vec<f64> = plate.points().iter().map(|p| p[0]).collect();
//! let mut r = b.clone();
//! a.multiply(0..a.rows(), -1.0, &u, true, &mut r);
//! assert!(r.iter().all(|r| r.abs() < 1e-12));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assembler;
mod coefficient;
mod conditions;
mod equation;
mod error;
mod fill;
mod groups;
mod load;
mod local;
mod mapping;
mod norms;
mod pattern;
mod reference;
mod submesh;

pub use assembler::Assembler;
pub use coefficient::{Coefficient, Value};
pub use conditions::{Conditions, Fix};
pub use equation::{Form, Plane};
pub use error::FormError;
pub use load::Load;
pub use norms::{h1_error, l2_error};
pub use submesh::Submesh;
