//! Programs compiled, evaluated part by part, and run as C with MPI.

mod bad_programs;
mod compiled;
mod grid;
mod meshes;
mod random;
mod reference;

use grid::Grid;
use palmette_language::ir::Ghosts;
use palmette_language::{Exchange, Program, compile, explain};
use reference::evaluate;
use std::path::Path;

/// A program of `programs`.
fn example(name: &str, settings: &[(&str, f64)]) -> Program {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs").join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    let settings: Vec<_> = settings.iter().map(|&(n, v)| (n.to_string(), v)).collect();
    compile(name, &text, &settings).unwrap_or_else(|errors| panic!("{errors}"))
}

/// Outputs and prints agree up to rounding, whatever the parts.
fn same_on_all_parts(program: &Program, tolerance: f64) {
    let grid = Grid::new(9);
    let one = evaluate(program, &grid.ranks(program, 1));
    for parts in [2, 3, 5] {
        let many = evaluate(program, &grid.ranks(program, parts));
        assert_eq!(one.files.len(), many.files.len());
        for ((name, a), (other, b)) in one.files.iter().zip(&many.files) {
            assert_eq!(name, other);
            for (a, b) in a.iter().zip(b) {
                assert!((a - b).abs() <= tolerance, "{name}: {a} and {b} on {parts} parts");
            }
        }
    }
}

#[test]
fn conjugate_gradients_solve() {
    for name in ["cg.pal", "jacobi_cg.pal"] {
        let program = example(name, &[]);
        let result = evaluate(&program, &Grid::new(9).ranks(&program, 4));
        let (label, residual) = &result.printed[0];
        assert_eq!(label, "residual");
        assert!(*residual < 1e-7, "{name}: {residual}");
        assert!(result.iterations[0] > 5 && result.stopped[0] == 0, "{:?}", result.iterations);
        // One assembly per iteration.
        let (_, loops) = program.counts();
        assert_eq!((loops[0].undelayed, loops[0].assemblies), (1.0, 1.0));
        let solution = &result.files[0].1;
        let grid = Grid::new(9);
        for (v, value) in solution.iter().enumerate() {
            let [x, _, _] = grid.point(v);
            let fixed = if x == 0.0 { Some(0.0) } else { (x == 1.0).then_some(1.0) };
            assert!(fixed.is_none_or(|g| (g - value).abs() < 1e-7), "{v}: {value}");
        }
        same_on_all_parts(&program, 1e-6);
    }
}

#[test]
fn heat_goes_to_its_stationary_state() {
    let long = example("heat.pal", &[("dt", 1.0), ("steps", 40.0)]);
    let grid = Grid::new(9);
    let heat = evaluate(&long, &grid.ranks(&long, 3));
    let potential = example("cg.pal", &[("tolerance", 1e-12)]);
    let stationary = evaluate(&potential, &grid.ranks(&potential, 3));
    // The last file is that after the loop; others are every fifth step.
    assert_eq!(heat.files.len(), 9);
    assert_eq!(heat.files[0].0, "heat-000005");
    let (name, last) = heat.files.last().unwrap();
    assert_eq!(name, "heat");
    for (a, b) in last.iter().zip(&stationary.files[0].1) {
        assert!((a - b).abs() < 1e-7, "{a} {b}");
    }
    same_on_all_parts(&example("heat.pal", &[]), 1e-8);
}

#[test]
fn waves_assemble_once_a_step() {
    let program = example("wave.pal", &[("steps", 100.0), ("dt", 0.01)]);
    let (_, loops) = program.counts();
    assert_eq!((loops[0].undelayed, loops[0].assemblies), (2.0, 1.0));
    let result = evaluate(&program, &Grid::new(9).ranks(&program, 4));
    assert_eq!(result.iterations, [100]);
    // Once for the masses.
    assert_eq!(result.assemblies, 101);
    let largest = result.printed.last().unwrap().1;
    assert!(largest > 1e-3 && largest < 1.0, "{largest}");
    same_on_all_parts(&program, 1e-10);
}

/// On parts of nodes products fetch ghosts, which sums keep.
#[test]
fn ghosts_are_fetched_when_they_are_missing() {
    let ghosts = |text: &str| compile("ghosts.pal", text, &[]).unwrap().ghosts;
    for name in ["cg.pal", "jacobi_cg.pal", "wave.pal"] {
        // Of p; of u, from which the velocity gets its ghosts.
        assert_eq!(example(name, &[]).ghosts.loops, [1.0], "{name}");
    }
    let start = "matrix A = stiffness(1)\nmatrix B = mass(1)\nu = interpolate(x)\n";
    // Interpolated everywhere; the product has no ghosts, the second one needs them.
    assert_eq!(ghosts(&format!("{start}v = A*u\noutput v\n")).outside, 0.0);
    assert_eq!(ghosts(&format!("{start}v = A*(B*u)\noutput v\n")).outside, 1.0);
    // Fetched once for two products.
    assert_eq!(ghosts(&format!("{start}v = B*u\nw = A*v + B*v\noutput w\n")).outside, 1.0);
    // In a loop the ghosts of the first round are gone in the second.
    let Ghosts { outside, loops } =
        ghosts(&format!("{start}repeat 9\n  v = B*u\n  u = A*v\nend\noutput u\n"));
    assert_eq!((outside, &loops[..]), (0.0, &[2.0][..]));
    // That of the round is there, two more every fourth time.
    let Ghosts { loops, .. } = ghosts(&format!(
        "{start}repeat 9\n  u = A*u\n  print sum(A*(B*(A*u))) every 4\nend\noutput u\n"
    ));
    assert_eq!(loops, [1.5]);
}

#[test]
fn vectors_of_two_components() {
    let text = "unknown 2\nfix left = [0, 1]\nfix right.y = x\nmatrix A = elasticity(2, 0.3)\n\
                vector b = rhs(A, load([0, -1]))\nx = 0*b\nr = b\np = r\nrho = dot(r, r)\n\
                while rho > 1e-24 at most 500\n  q = A*p\n  alpha = rho / dot(p, q)\n  \
                x = x + alpha*p\n  r = r - alpha*q\n  old = rho\n  rho = dot(r, r)\n  \
                p = r + rho/old*p\nend\noutput x\nprint rho\n";
    let program = compile("two.pal", text, &[]).unwrap();
    let result = evaluate(&program, &Grid::new(5).ranks(&program, 3));
    assert!(result.printed[0].1 <= 1e-24);
    let values = &result.files[0].1;
    // The node at the origin, and the one at (1, 0), whose x is free.
    assert!(values[0].abs() < 1e-12 && (values[1] - 1.0).abs() < 1e-12);
    assert!((values[2 * 5 + 1] - 1.0).abs() < 1e-12);
    same_on_all_parts(&program, 1e-9);
}

#[test]
fn loops_end_at_their_limits() {
    let text = "param few = 3\ns = 0\nwhile s < 10 at most few\n  s = s + 1\nend\nprint s\n\
                repeat 0.6 + 1\n  s = s + 1\nend\nprint s\nt = 1\nrepeat 2\n  swapped = s\n  \
                s = t\n  t = swapped\nend\nprint s, t\n";
    let program = compile("limits.pal", text, &[]).unwrap();
    let result = evaluate(&program, &Grid::new(2).ranks(&program, 1));
    let printed: Vec<f64> = result.printed.iter().map(|(_, value)| *value).collect();
    assert_eq!(printed, [3.0, 5.0, 5.0, 1.0]);
    assert_eq!((result.iterations[0], result.stopped[0]), (3, 1));
}

#[test]
fn programs_are_explained() {
    let program = example("wave.pal", &[]);
    let text = explain(&program, Some(Exchange { messages: 6, words: 90 }));
    for expected in [
        "matrix C = mass(damping)\n",
        "vector m = lumped(1)    # partial\nassemble m\n",
        "  t5 = K u + C v    # partial\n  assemble t5\n  t5 = t5 ./ m\n",
        "  swap before, u\n  swap u, next\nend\n",
    ] {
        let text = text.lines().filter(|l| !l.starts_with("vector t")).collect::<Vec<_>>();
        assert!((text.join("\n") + "\n").contains(expected), "{expected}\n{}", text.join("\n"));
    }
    let row = text.lines().find(|line| line.starts_with("line 15, per iteration")).unwrap();
    let cells: Vec<&str> = row.split_whitespace().skip(4).collect();
    assert_eq!(cells, ["2", "1", "12", "6", "180", "90", "0"]);
}
