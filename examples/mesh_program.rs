//! A small program in the language for meshes: compiled, run on the parts of a mesh, and turned
//! into C for MPI. It never mentions parts or messages; the compiler places them.
use palmette::language::compile;
use palmette::language::run::{Collected, prepare};
use palmette::mesh::PartitionParams;
use palmette::mesh::shapes::generate;
use palmette::mesh::spmv::World;
use palmette::{GeneratedProgram, MappingParams, map_elements};

const PROGRAM: &str = "
matrix K = stiffness(1)
matrix M = mass(1)
u = interpolate(x)
v = interpolate(1)
z = K*u + M*v
print \"moment\", dot(u, M*u)
print \"energy\", dot(u, K*u)
print \"area\", sum(z)
output z
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let program = compile("moments.pal", PROGRAM, &[])?;
    // Three different products: K*u, M*v and M*u. Copies of nodes are added up once, for z, which
    // is written; dot takes products as they are.
    let (counts, _) = program.counts();
    assert_eq!((counts.undelayed, counts.assemblies), (3.0, 1.0));

    let square = generate("grid:8x8".parse()?, 1)?;
    let partition = PartitionParams { parts: 4, ..PartitionParams::default() };
    let params = MappingParams { partition, ..MappingParams::default() };
    let mapping = map_elements(&square, &"torus:2x2".parse()?, &params)?;
    let mut results = Collected::default();
    let world = World::alone(mapping.pieces.clone(), 1)?;
    prepare(&program, &square, world)?.run(&mut results)?;

    // Over a square of side 8: the integrals of x^2 (8 * 8^3 / 3), of |grad x|^2, and of 1; the
    // divergence K*u adds nothing to a sum.
    for ((label, value), exact) in results.printed.iter().zip([4096.0 / 3.0, 64.0, 64.0]) {
        println!("{label}: {value}");
        assert!((value - exact).abs() < 1e-9, "{label}: {value}");
    }
    assert_eq!(results.outputs[0].2.len(), 9 * 9);

    // The same program as C, with one file of data per rank.
    let generated = GeneratedProgram::new(&program, &square, &mapping)?;
    assert_eq!(generated.ranks(), 4);
    let sources = generated.sources(None);
    let source = sources.iter().find(|file| file.name == "program.c").ok_or("no program.c")?;
    println!("{} files; program.c has {} lines", sources.len(), source.text.lines().count());
    Ok(())
}
