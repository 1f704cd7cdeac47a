//! Errors, names, threads, many right-hand sides.

use crate::solve::inputs::{NAMED, currents, grounds, made};
use palmette_core::linop::Identity;
use palmette_core::random::{Purpose, Random};
use palmette_core::{Cancel, Graph, LinOp};
use palmette_graph::Laplacian;
use palmette_graph::solve::{
    Augmented, CgError, CgParams, Factor, Floating, Preconditioner, SolveError, SolveParams,
    Solver, Stop, choose, conjugate_gradients,
};

fn with(preconditioner: Preconditioner) -> SolveParams {
    SolveParams { preconditioner, ..Default::default() }
}

fn on_threads<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run)
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    let cases = [
        made("grid:110x110", "log-uniform:0.1:10"),
        made("random:20000:2.2", "log-uniform:0.1:10"),
        made("star:150000", "uniform:1:2"),
    ];
    for (graph, threads) in cases.iter().zip([&[2, 3][..], &[3], &[3]]) {
        for ground in &grounds(graph.len())[..2] {
            let laplacian = Laplacian::new(graph, ground.as_deref());
            let b = currents(graph.len(), 1);
            for preconditioner in NAMED {
                let solve = || {
                    let solver = Solver::new(&laplacian, &with(preconditioner)).unwrap();
                    let found = solver.solve(&b).unwrap();
                    (found.x, found.history, found.imbalance)
                };
                let expected = on_threads(1, solve);
                for &threads in threads {
                    assert!(on_threads(threads, solve) == expected, "{preconditioner} {threads}");
                }
            }
        }
    }
}

#[test]
fn many_right_hand_sides_are_solved_as_one() {
    let graph = made("grid:40x40", "log-uniform:0.01:100");
    let laplacian = Laplacian::new(&graph, None);
    let many: Vec<Vec<f64>> = (0..7).map(|k| currents(graph.len(), k)).collect();
    for preconditioner in NAMED {
        let solver = Solver::new(&laplacian, &with(preconditioner)).unwrap();
        let alone: Vec<Vec<f64>> = many.iter().map(|b| solver.solve(b).unwrap().x).collect();
        for threads in [1, 3] {
            let found = on_threads(threads, || solver.solve_many(&many).unwrap());
            let found: Vec<Vec<f64>> = found.into_iter().map(|s| s.x).collect();
            assert_eq!(found, alone, "{preconditioner}");
        }
        assert!(solver.solve_many(&[vec![], many[0].clone()]).is_err());
        assert_eq!(solver.solve_many(&[]).unwrap(), []);
    }
}

#[test]
fn nothing_to_do() {
    for n in [0usize, 1, 3] {
        let graph = Graph::from_edges(n, &[]).unwrap();
        let laplacian = Laplacian::new(&graph, None);
        for preconditioner in NAMED {
            let solver = Solver::new(&laplacian, &with(preconditioner)).unwrap();
            let found = solver.solve(&vec![2.5; n]).unwrap();
            assert_eq!((found.x, found.iterations), (vec![0.0; n], 0));
            assert_eq!(found.imbalance, if n == 0 { 0.0 } else { 2.5 });
        }
    }
    let graph = made("grid:5x5", "unit");
    let laplacian = Laplacian::new(&graph, None);
    let found = Solver::new(&laplacian, &with(Preconditioner::Jacobi)).unwrap();
    let found = found.solve(&[0.0; 25]).unwrap();
    assert_eq!((found.x, found.residual, found.iterations), (vec![0.0; 25], 0.0, 0));
}

#[test]
fn a_ground_of_many_neighbours() {
    let graph = made("grid:300x300", "log-uniform:0.01:100");
    let ground: Vec<f64> = (0..graph.len()).map(|v| 1e-3 * (1 + v % 7) as f64).collect();
    let laplacian = Laplacian::new(&graph, Some(&ground));
    assert_eq!(Augmented::new(&laplacian).unwrap().graph().degree(90_000), 90_000);
    let b = currents(graph.len(), 2);
    for preconditioner in [Preconditioner::IncompleteCholesky, Preconditioner::Direct] {
        let solver = Solver::new(&laplacian, &with(preconditioner)).unwrap();
        assert!(solver.solve(&b).unwrap().residual <= 1e-6);
    }
    let star = made("star:80000", "uniform:1:2");
    let laplacian = Laplacian::new(&star, Some(&ground[..80_000]));
    for preconditioner in NAMED {
        let solver = Solver::new(&laplacian, &with(preconditioner)).unwrap();
        assert!(solver.solve(&b[..80_000]).unwrap().residual <= 1e-6);
    }
}

#[test]
fn what_does_not_converge_says_how_far_it_came() {
    let graph = made("grid:50x50", "log-uniform:0.01:100");
    let laplacian = Laplacian::new(&graph, None);
    let b = currents(graph.len(), 1);
    let params = SolveParams { max_iterations: 7, ..with(Preconditioner::Jacobi) };
    match Solver::new(&laplacian, &params).unwrap().solve(&b).unwrap_err() {
        SolveError::Iteration(CgError::NotConverged {
            iterations: 7,
            residual,
            tolerance,
            history,
        }) => {
            assert_eq!((history.len(), history.last()), (8, Some(&residual)));
            assert!(residual > tolerance && tolerance == 1e-6);
        }
        other => panic!("{other}"),
    }
    // Beyond rounding: the iteration must end, and not by running to its limit.
    let params = SolveParams { tolerance: 1e-30, ..with(Preconditioner::Direct) };
    match Solver::new(&laplacian, &params).unwrap().solve(&b).unwrap_err() {
        SolveError::Accuracy { iterations, residual, attainable, .. } => {
            assert!(attainable <= residual && residual < 100.0 * attainable, "{attainable}");
            assert!(iterations < 1000 && residual < 1e-10, "{iterations} {residual}");
        }
        // Squares at the end of rounding may have any sign.
        SolveError::Iteration(CgError::Breakdown { iterations, residual, .. }) => {
            assert!(iterations < 1000 && residual < 1e-10, "{iterations} {residual}");
        }
        other => panic!("{other}"),
    }
}

/// The negative of a matrix.
struct Negative<'a>(&'a dyn LinOp);

impl LinOp for Negative<'_> {
    fn size(&self) -> usize {
        self.0.size()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        self.0.apply(x, y);
        y.iter_mut().for_each(|y| *y = -*y);
    }
}

#[test]
fn what_is_not_positive_breaks_down() {
    let graph = made("grid:5x5", "unit");
    let ground = vec![1.0; 25];
    let laplacian = Laplacian::new(&graph, Some(&ground));
    let identity = Identity(25);
    let (negative, upside_down) = (Negative(&laplacian), Negative(&identity));
    let cases: [(&dyn LinOp, &dyn LinOp); 2] = [(&negative, &identity), (&laplacian, &upside_down)];
    for (matrix, inverse) in cases {
        let found = conjugate_gradients(
            matrix,
            inverse,
            Floating::Nothing,
            &currents(25, 1),
            &CgParams::default(),
        );
        match found.unwrap_err() {
            SolveError::Iteration(CgError::Breakdown {
                iterations: 0,
                residual: 1.0,
                value,
                ..
            }) => {
                assert!(value < 0.0);
            }
            other => panic!("{other}"),
        }
    }
    let short =
        conjugate_gradients(&laplacian, &identity, Floating::Nothing, &[1.0], &CgParams::default());
    assert_eq!(short.unwrap_err(), SolveError::Length { expected: 25, actual: 1 });
}

#[test]
fn a_limit_on_memory_is_kept() {
    let graph = made("grid:100x100", "unit");
    let laplacian = Laplacian::new(&graph, None);
    let params = |memory| SolveParams { memory: Some(memory), ..with(Preconditioner::Direct) };
    let mut refused = 0;
    let mut before = 0;
    for memory in [1 << 10, 1 << 20, 3 << 20, 100 << 20] {
        match Solver::new(&laplacian, &params(memory)) {
            Ok(solver) => {
                assert!(solver.setup().entries.unwrap() * 8 <= memory);
                before = memory;
            }
            Err(SolveError::Memory { needed, limit, .. }) => {
                assert!(needed > limit && limit == memory && before == 0);
                refused += 1;
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert!(refused >= 2 && before == 100 << 20);
}

#[test]
fn wrong_input_is_refused() {
    let graph = made("grid:3x3", "unit");
    let laplacian = Laplacian::new(&graph, None);
    let solver = Solver::new(&laplacian, &Default::default()).unwrap();
    let short = solver.solve(&[1.0]).unwrap_err();
    assert_eq!(short, SolveError::Length { expected: 9, actual: 1 });
    let mut b = vec![0.0; 9];
    b[4] = f64::NEG_INFINITY;
    let wrong = solver.solve(&b).unwrap_err();
    assert_eq!(wrong, SolveError::Current { vertex: 4, value: f64::NEG_INFINITY });
    for conductance in [-1.0, f64::INFINITY, f64::MIN_POSITIVE / 2.0] {
        let mut ground = vec![0.0; 9];
        ground[7] = conductance;
        let laplacian = Laplacian::new(&graph, Some(&ground));
        let error = Solver::new(&laplacian, &Default::default()).err().unwrap();
        assert_eq!(error, SolveError::Ground { vertex: 7, conductance });
    }
    // Potentials of 10^400.
    let weak = Graph::from_edges(3, &[(0, 1, 1e-200), (1, 2, 1e-200)]).unwrap();
    let laplacian = Laplacian::new(&weak, None);
    let solver = Solver::new(&laplacian, &Default::default()).unwrap();
    assert_eq!(
        solver.solve(&[1e200, 0.0, -1e200]).unwrap_err(),
        SolveError::Overflow { vertex: 0 }
    );
    let heavy = Graph::from_edges(3, &[(0, 1, 1e308), (1, 2, 1e308)]).unwrap();
    let laplacian = Laplacian::new(&heavy, None);
    let error = Solver::new(&laplacian, &Default::default()).err().unwrap();
    assert_eq!(error, SolveError::Diagonal { vertex: 1, sum: f64::INFINITY });
}

#[test]
fn names_round_trip() {
    for preconditioner in Preconditioner::ALL {
        assert_eq!(preconditioner.to_string().parse(), Ok(preconditioner));
    }
    let error = "ilu".parse::<Preconditioner>().unwrap_err().to_string();
    assert!(error.contains("incomplete-cholesky") && error.contains("`ilu`"), "{error}");
}

#[test]
fn auto_looks_at_the_graph() {
    let choice = |shape: &str| choose(&Laplacian::new(&made(shape, "unit"), None));
    assert_eq!(choice("path:100000"), Preconditioner::Tree);
    assert_eq!(choice("grid:30x30"), Preconditioner::Direct);
    assert_eq!(choice("road:100000"), Preconditioner::Direct);
    assert_eq!(choice("grid:300x300"), Preconditioner::ApproximateCholesky);
    // A path with ground at one vertex is a tree, at two it is a cycle.
    let path = made("path:5", "unit");
    let grounded = |ground: &[f64]| choose(&Laplacian::new(&path, Some(ground)));
    assert_eq!(grounded(&[0.0, 1.0, 0.0, 0.0, 0.0]), Preconditioner::Tree);
    assert_eq!(grounded(&[0.0, 1.0, 0.0, 0.0, 2.0]), Preconditioner::Direct);
}

#[test]
fn factors_of_both_kinds_are_exact() {
    // Little fill: by columns. Much: by supernodes.
    for shape in ["road:3000", "grid:14x14x14"] {
        let graph = made(shape, "log-uniform:0.01:100");
        let laplacian = Laplacian::new(&graph, None);
        let factor = Factor::new(&laplacian, None, None).unwrap();
        let mut b = currents(graph.len(), 6);
        laplacian.balance(&mut b);
        let (mut x, mut y) = (vec![0.0; b.len()], vec![0.0; b.len()]);
        factor.apply(&b, &mut x);
        laplacian.apply(&x, &mut y);
        let apart = y.iter().zip(&b).map(|(y, b)| (y - b).abs()).fold(0.0, f64::max);
        assert!(apart < 1e-9, "{shape} {apart}");
        assert!(factor.entries() >= (graph.len() + graph.edge_count()) as u64 / 2);
    }
}

/// No preconditioner, which raises a flag after some iterations.
struct Raising(usize, Cancel, std::sync::atomic::AtomicUsize);

impl LinOp for Raising {
    fn size(&self) -> usize {
        self.0
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        y.copy_from_slice(x);
        if self.2.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 4 {
            self.1.raise();
        }
    }
}

#[test]
fn a_flag_ends_solves() {
    let graph = made("grid:30x30", "log-uniform:0.01:100");
    let laplacian = Laplacian::new(&graph, None);
    let mut b = currents(graph.len(), 1);
    let cancel = Cancel::new();
    let params = SolveParams { cancel: Some(cancel.clone()), ..with(Preconditioner::None) };
    let mut solver = Solver::new(&laplacian, &params).unwrap();
    let expected = solver.solve(&b).unwrap().x;
    cancel.raise();
    let cancelled = SolveError::Iteration(CgError::Cancelled { iterations: 0 });
    assert_eq!(solver.solve(&b), Err(cancelled.clone()));
    assert_eq!(solver.solve_many(&[b.clone(), b.clone()]), Err(cancelled.clone()));
    let pairs = [(0, 5), (7, 800)];
    let found = palmette_graph::solve::resistances(&laplacian, &pairs, &params);
    assert_eq!(found, Err(cancelled.clone()));
    // So does the setup.
    for preconditioner in NAMED {
        let params = SolveParams { preconditioner, ..params.clone() };
        assert_eq!(Solver::new(&laplacian, &params).err(), Some(cancelled.clone()));
    }
    solver.set_cancel(None);
    assert_eq!(solver.solve(&b).unwrap().x, expected);
    // Raised on the way, after the iteration that is under way.
    laplacian.balance(&mut b);
    let cancel = Cancel::new();
    let inverse = Raising(graph.len(), cancel.clone(), Default::default());
    let params = CgParams { cancel: Some(cancel), ..Default::default() };
    let floating = Floating::of(&laplacian);
    let found = conjugate_gradients(&laplacian, &inverse, floating, &b, &params);
    assert_eq!(found, Err(SolveError::Iteration(CgError::Cancelled { iterations: 5 })));
}

#[test]
fn iterations_that_cannot_end_well_are_refused() {
    let graph = made("path:5", "unit");
    let laplacian = Laplacian::new(&graph, None);
    for tolerance in [0.0, -1.0, 1.0, f64::INFINITY] {
        let params = SolveParams { tolerance, ..Default::default() };
        let expected = Some(SolveError::Iteration(CgError::Tolerance { tolerance }));
        assert_eq!(Solver::new(&laplacian, &params).err(), expected);
        let found = palmette_graph::solve::resistances(&laplacian, &[(0, 1)], &params);
        assert_eq!(found.err(), expected);
    }
    let params = SolveParams { tolerance: f64::NAN, ..Default::default() };
    assert!(matches!(params.check(), Err(SolveError::Iteration(CgError::Tolerance { .. }))));
    let params = SolveParams { max_iterations: 0, ..Default::default() };
    assert_eq!(
        Solver::new(&laplacian, &params).err(),
        Some(SolveError::Iteration(CgError::NoIterations))
    );
}

/// A grid in space whose cells conduct 1e-6, 1 or 1e6.
fn jumps(side: u32) -> Graph {
    let n = side.pow(3);
    let mut random = Random::new(1, Purpose::Samples);
    let cells: Vec<f64> = (0..n).map(|_| [1e-6, 1.0, 1e6][random.below(3) as usize]).collect();
    let mut edges = Vec::new();
    for v in 0..n {
        for (stride, place) in
            [(1, v % side), (side, v / side % side), (side * side, v / side / side)]
        {
            if place + 1 < side {
                let (a, b) = (cells[v as usize], cells[(v + stride) as usize]);
                edges.push((v, v + stride, 2.0 / (1.0 / a + 1.0 / b)));
            }
        }
    }
    Graph::from_edges(n as usize, &edges).unwrap()
}

#[test]
fn refinement_gets_past_jumps_and_says_where_it_ends() {
    let graph = jumps(16);
    let laplacian = Laplacian::new(&graph, None);
    let b = currents(graph.len(), 3);
    let params = |tolerance, stop| SolveParams {
        tolerance,
        stop,
        preconditioner: Preconditioner::ApproximateCholesky,
        ..Default::default()
    };
    let solve = |params: &SolveParams| Solver::new(&laplacian, params).unwrap().solve(&b);
    assert!(solve(&params(1e-6, Stop::Residual)).unwrap().residual <= 1e-6);
    let Err(SolveError::Accuracy { residual, attainable, .. }) =
        solve(&params(1e-13, Stop::Residual))
    else {
        panic!("beyond rounding")
    };
    assert!(attainable > 1e-13 && residual < 30.0 * attainable, "{residual} {attainable}");
    assert!(solve(&params(1e-13, Stop::Backward)).unwrap().residual <= 1e-13);
}

#[test]
fn auto_keeps_its_trial_and_counts_right_hand_sides() {
    let graph = made("random:20000:6", "unit");
    let laplacian = Laplacian::new(&graph, None);
    let b = currents(graph.len(), 3);
    let (solver, found) =
        Solver::with_currents(&laplacian, &Default::default(), std::slice::from_ref(&b)).unwrap();
    assert_eq!(solver.setup().preconditioner, Preconditioner::Jacobi);
    let alone = Solver::new(&laplacian, &with(Preconditioner::Jacobi)).unwrap().solve(&b).unwrap();
    // The steps of the trial are those of the solve.
    assert_eq!(found[0].iterations, alone.iterations);
    assert_eq!(found[0].history.len(), found[0].iterations + 1);
    // Where a mesh is left after the trial, the iterate is the first guess.
    let grid = made("grid:120x120", "unit");
    let laplacian = Laplacian::new(&grid, None);
    let b: Vec<Vec<f64>> = (0..20).map(|k| currents(grid.len(), k)).collect();
    let one = Solver::with_currents(&laplacian, &Default::default(), &b[..1]).unwrap();
    assert_eq!(one.0.setup().preconditioner, Preconditioner::ApproximateCholesky);
    assert!(one.1[0].residual <= 1e-6 && one.1[0].history.len() == one.1[0].iterations + 1);
    let many = Solver::with_currents(&laplacian, &Default::default(), &b).unwrap();
    assert_eq!(many.0.setup().preconditioner, Preconditioner::Direct);
    assert!(many.1.iter().all(|solution| solution.residual <= 1e-6));
}

#[test]
fn work_has_a_limit() {
    let graph = made("grid:14x14x14", "unit");
    let laplacian = Laplacian::new(&graph, None);
    let params = |work| SolveParams { work, ..with(Preconditioner::Direct) };
    match Solver::new(&laplacian, &params(Some(1000))).err() {
        Some(SolveError::Work { needed, limit: 1000 }) => {
            assert!(Solver::new(&laplacian, &params(Some(needed))).is_ok());
            assert!(Solver::new(&laplacian, &params(Some(needed - 1))).is_err());
        }
        other => panic!("{other:?}"),
    }
}
