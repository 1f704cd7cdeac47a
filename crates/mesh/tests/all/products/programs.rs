use crate::products::inputs::*;
use palmette_core::Mesh;
use palmette_mesh::spmv::{
    CgError, CgParams, CgResult, Csr, Full, Load, Motion, Partial, Piece, Transport, Vector,
    WaveParams, World, WorldError, central_differences, conjugate_gradients, springs,
};

/// The assembled diagonal of the springs.
fn diagonal<T: Transport>(world: &mut World<T>, mesh: &Mesh) -> Vector<Full> {
    let d = world.components();
    let of = |p: &Piece| springs(mesh, &p.nodes, &p.elements, d, stiffness, GROUND).diagonal();
    let values = world.pieces().iter().flat_map(of).collect();
    let partial: Vector<Partial> = world.vector(values).unwrap();
    world.assemble(partial).unwrap()
}

/// Solves `A x = A value` from zero; the result and the values of nodes.
fn solve<T: Transport>(
    mut world: World<T>,
    mesh: &Mesh,
    jacobi: bool,
    params: &CgParams,
) -> Result<(CgResult, Vec<f64>), WorldError> {
    let a = spring_matrix(&world, mesh, stiffness);
    let d = diagonal(&mut world, mesh);
    let exact = world.from_nodes(value);
    let (mut b, mut x) = (world.partial(), world.full(0.0));
    world.product(&a, &exact, &mut b);
    let result = conjugate_gradients(&mut world, &a, jacobi.then_some(&d), &b, &mut x, params)?;
    let values = world.to_nodes(&x, mesh.points().len())?;
    Ok((result, values))
}

#[test]
fn conjugate_gradients_find_the_solution() {
    for (shape, parts, d) in [("crack-plate:600", 6, 2), ("tetrahedra:6x6x6", 5, 1)] {
        let mesh = mesh(shape);
        let part = cut(&mesh, parts);
        for jacobi in [false, true] {
            let params = CgParams { tolerance: 1e-10, ..Default::default() };
            let world = alone(&mesh, &part, parts as usize, d);
            let once = world.assembly_traffic();
            let (result, x) = solve(world, &mesh, jacobi, &params).unwrap();
            assert!(result.residual <= 1e-10);
            assert_eq!(result.history.len(), result.iterations + 1, "{:?}", result.history);
            assert_eq!(result.history.last(), Some(&result.residual));
            // Stiffness is at least 1, so a node feels at least the ground of one element: the
            // smallest eigenvalue is not below that.
            for (i, x) in x.iter().enumerate() {
                let wanted = value((i / d) as u32, i % d);
                assert!((x - wanted).abs() <= 1e-5, "{shape}: {x} and {wanted}");
            }
            // An exchange per iteration, one for the right-hand side, one for each true residual.
            let beyond = result.traffic.exchanges - result.iterations as u64;
            assert!((3..=4).contains(&beyond), "{beyond}");
            assert_eq!(result.traffic.words, once.words * result.traffic.exchanges);
            assert_eq!(result.traffic.messages, once.messages * result.traffic.exchanges);
            let reductions = result.traffic.reductions - 2 * result.iterations as u64;
            assert!(reductions <= 6, "{reductions}");
        }
    }
}

#[test]
fn iterations_are_the_same_on_ranks() {
    let mesh = mesh("crack-plate:600");
    let part = cut(&mesh, 8);
    let params = CgParams::default();
    let one = solve(alone(&mesh, &part, 8, 1), &mesh, true, &params).unwrap();
    for ranks in [2, 3, 8] {
        let all =
            on_ranks(ranks, &mesh, (&part, 8), 1, |w| solve(w, &mesh, true, &params).unwrap());
        assert!(all.iter().all(|found| found.0 == one.0 && bits(&found.1) == bits(&one.1)));
    }
}

#[test]
fn a_solution_that_is_not_reached_is_an_error() {
    let mesh = mesh("triangles:30x30");
    let part = cut(&mesh, 2);
    let params = CgParams { tolerance: 1e-10, max_iterations: 5, cancel: None };
    match solve(alone(&mesh, &part, 2, 1), &mesh, false, &params).unwrap_err() {
        WorldError::Iteration(CgError::NotConverged {
            iterations: 5,
            residual,
            tolerance: 1e-10,
            ..
        }) => {
            assert!(residual > 1e-10 && residual < 10.0);
        }
        other => panic!("{other}"),
    }
    let params = CgParams { tolerance: 1e-300, max_iterations: 10_000, cancel: None };
    let error = solve(alone(&mesh, &part, 2, 1), &mesh, false, &params).unwrap_err();
    assert!(
        matches!(
            error,
            WorldError::Iteration(CgError::NotConverged { .. } | CgError::Breakdown { .. })
        ),
        "{error}"
    );
}

#[test]
fn a_matrix_that_is_not_positive_breaks_down() {
    let mesh = mesh("triangles:3x3");
    let mut world = alone(&mesh, &cut(&mesh, 2), 2, 1);
    let a = spring_matrix(&world, &mesh, |_| -1.0);
    let (b, mut x) = (world.split(world.full(1.0)), world.full(0.0));
    let params = CgParams::default();
    let error = conjugate_gradients(&mut world, &a, None, &b, &mut x, &params).unwrap_err();
    assert!(
        matches!(error, WorldError::Iteration(CgError::Breakdown { value, .. }) if value < 0.0),
        "{error}"
    );
}

#[test]
fn a_zero_right_hand_side_has_a_zero_solution() {
    let mesh = mesh("triangles:3x3");
    let mut world = alone(&mesh, &cut(&mesh, 2), 2, 1);
    let a = spring_matrix(&world, &mesh, stiffness);
    let (b, mut x) = (world.partial(), world.full(0.0));
    let found =
        conjugate_gradients(&mut world, &a, None, &b, &mut x, &CgParams::default()).unwrap();
    assert_eq!((found.iterations, found.residual), (0, 0.0));
}

/// One oscillator per node: stiffness 9 and mass 1 split evenly over copies would need counts, so
/// owners have it all.
fn oscillators<T: Transport>(world: &World<T>, k: f64) -> Vec<Csr> {
    let of = |p: &Piece| {
        let n = p.nodes.len();
        let values = (0..n).map(|v| if p.owns(v) { k } else { 0.0 }).collect();
        Csr::new((0..=n).collect(), (0..n as u32).collect(), values)
    };
    world.pieces().iter().map(of).collect()
}

/// The error at time 2 of `u″ + c u′ + 9 u = 0`, `u(0) = 1`, `u′(0) = 0` with so many steps.
fn oscillation_error(c: f64, steps: usize) -> f64 {
    let mesh = mesh("triangles:3x3");
    let mut world = alone(&mesh, &cut(&mesh, 3), 3, 1);
    let stiffness = world.matrix(oscillators(&world, 9.0)).unwrap();
    let damping = world.matrix(oscillators(&world, c)).unwrap();
    let mass = world.full(1.0);
    let motion = Motion {
        stiffness: &stiffness,
        damping: (c > 0.0).then_some(&damping),
        mass: &mass,
        load: None,
    };
    let (mut u, v) = (world.full(1.0), world.full(0.0));
    let params = WaveParams { step: 2.0 / steps as f64, steps };
    let mut seen = 0;
    let moved = central_differences(&mut world, &motion, &mut u, &v, &params, |_, _, _| seen += 1);
    let moved = moved.unwrap();
    assert_eq!((moved.steps, seen), (steps, steps));
    assert_eq!(moved.traffic.exchanges, steps as u64, "one exchange per step, damped or not");
    let (decay, omega) = (c / 2.0, (9.0 - c * c / 4.0).sqrt());
    let exact = (-decay * 2.0).exp() * ((omega * 2.0).cos() + decay / omega * (omega * 2.0).sin());
    (u.values()[0] - exact).abs()
}

#[test]
fn waves_converge_with_their_order() {
    let order = |c: f64| (oscillation_error(c, 200) / oscillation_error(c, 400)).log2();
    assert!((order(0.0) - 2.0).abs() < 0.05, "{}", order(0.0));
    assert!((order(0.5) - 1.0).abs() < 0.1, "{}", order(0.5));
}

#[test]
fn a_load_moves_what_rests() {
    let mesh = mesh("triangles:3x3");
    let mut world = alone(&mesh, &cut(&mesh, 3), 3, 1);
    let stiffness = world.matrix(oscillators(&world, 4.0)).unwrap();
    let mass = world.full(1.0);
    let force = world.split(world.full(4.0));
    let load = Load { force: &force, over_time: &|_| 1.0 };
    let motion = Motion { stiffness: &stiffness, damping: None, mass: &mass, load: Some(load) };
    let (mut u, v) = (world.full(0.0), world.full(0.0));
    let params = WaveParams { step: 1e-3, steps: 1000 };
    central_differences(&mut world, &motion, &mut u, &v, &params, |_, _, _| ()).unwrap();
    // u = 1 − cos 2t.
    assert!(u.values().iter().all(|u| (u - (1.0 - 2f64.cos())).abs() < 1e-5), "{:?}", u.values());
}

#[test]
fn a_step_that_is_too_long_is_an_error() {
    let mesh = mesh("triangles:3x3");
    let mut world = alone(&mesh, &cut(&mesh, 2), 2, 1);
    let a = spring_matrix(&world, &mesh, stiffness);
    let mass = world.full(1.0);
    let motion = Motion { stiffness: &a, damping: None, mass: &mass, load: None };
    let (mut u, v) = (world.from_nodes(value), world.full(0.0));
    let params = WaveParams { step: 10.0, steps: 500 };
    let error = central_differences(&mut world, &motion, &mut u, &v, &params, |_, _, _| ());
    assert!(matches!(error, Err(WorldError::Unstable { step, .. }) if step <= 192), "{error:?}");
}

#[test]
fn waves_are_the_same_on_ranks() {
    fn run<T: Transport>(mut world: World<T>, mesh: &Mesh) -> Vec<u64> {
        let a = spring_matrix(&world, mesh, stiffness);
        let c = spring_matrix(&world, mesh, |_| 0.01);
        let mass = world.full(2.0);
        let motion = Motion { stiffness: &a, damping: Some(&c), mass: &mass, load: None };
        let (mut u, v) = (world.from_nodes(value), world.full(0.0));
        let params = WaveParams { step: 0.05, steps: 100 };
        central_differences(&mut world, &motion, &mut u, &v, &params, |_, _, _| ()).unwrap();
        bits(&world.to_nodes(&u, mesh.points().len()).unwrap())
    }
    let mesh = mesh("box:4x4x4");
    let part = cut(&mesh, 5);
    let one = run(alone(&mesh, &part, 5, 3), &mesh);
    for ranks in [2, 5] {
        let all = on_ranks(ranks, &mesh, (&part, 5), 3, |world| run(world, &mesh));
        assert!(all.iter().all(|found| *found == one), "{ranks} ranks");
    }
}
