//! Programs run on pieces: exact answers, the same ones for any number of parts, and the same
//! bits on any number of threads and ranks.

use palmette_core::Mesh;
use palmette_language::run::{Collected, Ended, Outcome, RunError, prepare};
use palmette_language::{Program, compile};
use palmette_mesh::PartitionParams;
use palmette_mesh::partition::element_partition;
use palmette_mesh::shapes::generate;
use palmette_mesh::spmv::{Piece, World, channels, parts_of_rank, pieces};

fn mesh(shape: &str) -> Mesh {
    generate(shape.parse().unwrap(), 1).unwrap()
}

/// A program of the examples.
fn example(name: &str, settings: &[(&str, f64)]) -> Program {
    let path = format!("{}/programs/{name}.pal", env!("CARGO_MANIFEST_DIR"));
    let settings: Vec<(String, f64)> =
        settings.iter().map(|(name, value)| (name.to_string(), *value)).collect();
    compile(name, &std::fs::read_to_string(path).unwrap(), &settings).unwrap()
}

fn cut(mesh: &Mesh, parts: u32) -> Vec<Piece> {
    let params = PartitionParams { parts, ..PartitionParams::default() };
    let part = element_partition(mesh, None, &params).unwrap().part;
    pieces(mesh, &part, parts as usize).unwrap()
}

fn run(program: &Program, mesh: &Mesh, parts: u32) -> (Collected, Outcome) {
    let components = usize::from(program.problem.components);
    let world = World::alone(cut(mesh, parts), components).unwrap();
    let mut collected = Collected::default();
    let outcome = prepare(program, mesh, world).unwrap().run(&mut collected).unwrap();
    (collected, outcome)
}

/// The same on several ranks in threads, connected by channels; what the first one got.
fn run_on_ranks(program: &Program, mesh: &Mesh, parts: u32, ranks: usize) -> Collected {
    let all = cut(mesh, parts);
    let components = usize::from(program.problem.components);
    let mut found: Vec<Collected> = std::thread::scope(|scope| {
        let started = channels(ranks).into_iter().enumerate().map(|(rank, transport)| {
            let own = all[parts_of_rank(rank, ranks, parts as usize)].to_vec();
            scope.spawn(move || {
                let world = World::new(own, parts as usize, components, transport).unwrap();
                let mut collected = Collected::default();
                prepare(program, mesh, world).unwrap().run(&mut collected).unwrap();
                collected
            })
        });
        let started: Vec<_> = started.collect();
        started.into_iter().map(|rank| rank.join().unwrap()).collect()
    });
    assert!(found.windows(2).all(|pair| pair[0] == pair[1]), "every rank gets everything");
    found.swap_remove(0)
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |most, (a, b)| f64::max(most, (a - b).abs()))
}

#[test]
fn a_linear_potential_is_exact() {
    let text = "
fix left = 2
fix right = 5
matrix A = stiffness(7)
vector b = rhs(A, load(0))
x = 0 * b
r = b - A*x
p = r
rho = dot(r, r)
while sqrt(rho) > 1e-13 * norm(b) at most 500
  q = A*p
  alpha = rho / dot(p, q)
  x = x + alpha*p
  r = r - alpha*q
  old = rho
  rho = dot(r, r)
  p = r + rho/old * p
end
output x
";
    for shape in ["triangles:6x9", "grid:6x9", "tetrahedra:4x3x3", "box:4x3x3"] {
        let mesh = mesh(shape);
        let program = compile("linear.pal", text, &[]).unwrap();
        let length = mesh.points().iter().fold(0.0, |most, p| f64::max(most, p[0]));
        let exact: Vec<f64> = mesh.points().iter().map(|p| 2.0 + 3.0 * p[0] / length).collect();
        for parts in [1, 2, 5] {
            let (found, outcome) = run(&program, &mesh, parts);
            let error = largest_difference(&found.outputs[0].2, &exact);
            assert!(error < 1e-11, "{shape} in {parts}: {error}");
            assert_eq!(outcome.loops[0].ended, Ended::Test);
            assert_eq!(outcome.loops[0].tests.len() as u64, outcome.loops[0].rounds + 1);
        }
    }
}

#[test]
fn every_example_runs_on_any_number_of_parts_threads_and_ranks() {
    let mesh = mesh("crack-plate:900");
    for (name, settings) in [
        ("cg", &[][..]),
        ("jacobi_cg", &[]),
        ("heat", &[("steps", 5.0)]),
        ("wave", &[("steps", 100.0), ("dt", 1e-4)]),
    ] {
        let program = example(name, settings);
        let (whole, _) = run(&program, &mesh, 1);
        assert!(!whole.outputs.is_empty(), "{name}");
        for parts in [2, 3, 8] {
            let (found, _) = run(&program, &mesh, parts);
            assert_eq!(found.outputs.len(), whole.outputs.len());
            for (found, whole) in found.outputs.iter().zip(&whole.outputs) {
                assert_eq!((&found.0, found.1), (&whole.0, whole.1));
                let size = whole.2.iter().fold(0.0, |most, x| f64::max(most, x.abs()));
                let error = largest_difference(&found.2, &whole.2);
                assert!(error <= 1e-6 * size, "{name} in {parts}: {error} of {size}");
            }
            let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
            let (alone, _) = pool.install(|| run(&program, &mesh, parts));
            assert_eq!(alone, found, "{name}: threads show");
            for ranks in [2, parts as usize] {
                let other = run_on_ranks(&program, &mesh, parts, ranks);
                assert_eq!(other, found, "{name} in {parts}: ranks show");
            }
        }
    }
}

#[test]
fn delayed_assembly_saves_words() {
    // K u + C v is assembled once a step.
    let mesh = mesh("triangles:20x20");
    let program = example("wave", &[("steps", 10.0)]);
    let (_, outcome) = run(&program, &mesh, 4);
    assert_eq!(outcome.loops[0].rounds, 10);
    assert_eq!(outcome.loops[0].traffic.exchanges, 10);
    let (_, counted) = program.counts();
    assert_eq!((counted[0].undelayed, counted[0].assemblies), (2.0, 1.0));
}

#[test]
fn elastic_bodies_move() {
    let text = "
unknown 2
fix left = 0
matrix K = elasticity(100, 0.3, stress)
vector b = rhs(K, flux(right: [1, 0]))
x = 0 * b
r = b
p = r
rho = dot(r, r)
while sqrt(rho) > 1e-12 * norm(b) at most 2000
  q = K*p
  alpha = rho / dot(p, q)
  x = x + alpha*p
  r = r - alpha*q
  old = rho
  rho = dot(r, r)
  p = r + rho/old * p
end
print \"work\", dot(b, x)
output x as displacement
";
    let mesh = mesh("grid:4x16");
    let program = compile("pull.pal", text, &[]).unwrap();
    let (one, _) = run(&program, &mesh, 1);
    let (four, _) = run(&program, &mesh, 4);
    // A bar of 16 by 4 pulled by 1 per length: about 16 · 1 / 100 longer.
    let end = mesh.points().iter().position(|p| p[0] == 16.0 && p[1] == 2.0).unwrap();
    let pulled = one.outputs[0].2[2 * end];
    assert!((pulled - 0.16).abs() < 0.01, "{pulled}");
    assert!(largest_difference(&one.outputs[0].2, &four.outputs[0].2) < 1e-9);
    assert!((one.printed[0].1 - four.printed[0].1).abs() < 1e-9);
}

#[test]
fn what_the_mesh_lacks_is_named() {
    let mesh = mesh("grid:3x3");
    let world = || World::alone(cut(&mesh, 2), 1).unwrap();
    let refused = |text: &str| {
        let program = compile("bad.pal", text, &[]).unwrap();
        match prepare(&program, &mesh, world()) {
            Err(error) => error.to_string(),
            Ok(prepared) => prepared.run(&mut Collected::default()).unwrap_err().to_string(),
        }
    };
    let message = refused("fix lid = 0\nmatrix A = mass(1)\nx = interpolate(x)\ny = A*x\noutput y");
    assert!(message.contains("lid") && message.contains("left"), "{message}");
    let message = refused("matrix A = mass(steel: 1)\nx = interpolate(x)\ny = A*x\noutput y");
    assert!(message.contains("steel") && message.contains("body"), "{message}");
    let message = refused("param n = 0\nu = interpolate(x)\nrepeat n - 1\nu = 2*u\nend\noutput u");
    assert!(message.contains("line 3") && message.contains("-1"), "{message}");
    let program = compile("two.pal", "unknown 2\nu = interpolate([x, y])\noutput u", &[]).unwrap();
    assert!(matches!(
        prepare(&program, &mesh, world()),
        Err(RunError::Components { expected: 2, found: 1 })
    ));
}
