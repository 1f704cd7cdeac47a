use crate::products::inputs::*;
use palmette_mesh::spmv::{ChannelTransport, World, WorldError, channels, pieces, springs};

#[test]
fn parts_that_are_none_are_refused() {
    let mesh = mesh("triangles:2x2");
    let error = pieces(&mesh, &[0; 7], 2).unwrap_err();
    assert_eq!(error.to_string(), "7 parts for 8 elements; each needs one");
    let error = pieces(&mesh, &[0, 1, 0, 1, 0, 2, 0, 1], 2).unwrap_err();
    assert_eq!(error.to_string(), "element 5 is in part 2, but there are only 2 parts");
}

#[test]
fn more_ranks_than_parts_are_refused() {
    let mesh = mesh("triangles:2x2");
    let all = pieces(&mesh, &cut(&mesh, 2), 2).unwrap();
    let transport = channels(3).pop().unwrap();
    let error = World::new(all, 2, 1, transport).err().unwrap();
    assert_eq!(error.to_string(), "3 ranks for 2 parts; at most one rank per part");
}

#[test]
fn pieces_of_another_rank_are_refused() {
    let mesh = mesh("triangles:2x2");
    let all = pieces(&mesh, &cut(&mesh, 2), 2).unwrap();
    let transport = channels(2).remove(0);
    let error = World::new(all[1..].to_vec(), 2, 1, transport).err().unwrap();
    assert!(error.to_string().contains("it has part 1 in place of 0"), "{error}");
    let error = World::alone(all[1..].to_vec(), 1).err().unwrap();
    assert!(matches!(error, WorldError::Pieces { .. }), "{error}");
    assert_eq!(World::alone(all, 0).err(), Some(WorldError::Components(0)));
}

#[test]
fn pieces_that_do_not_agree_are_refused() {
    let mesh = mesh("triangles:4x4");
    let good = pieces(&mesh, &cut(&mesh, 3), 3).unwrap();
    let mut fewer = good.clone();
    fewer[0].neighbours[0].nodes.pop();
    assert!(matches!(World::alone(fewer, 1).err(), Some(WorldError::Shared { .. })));
    let mut swapped = good.clone();
    swapped[1].neighbours[0].nodes.swap(0, 1);
    let error = World::alone(swapped, 1).err().unwrap();
    assert!(error.to_string().contains("do not agree on the nodes they share"), "{error}");
    let mut beyond = good.clone();
    beyond[1].neighbours[0].nodes[0] = 1000;
    assert!(matches!(World::alone(beyond, 1).err(), Some(WorldError::Pieces { .. })));
    let mut unsorted = pieces(&mesh, &scatter(&mesh, 3), 3).unwrap();
    assert_eq!(unsorted[0].neighbours.len(), 2);
    unsorted[0].neighbours.reverse();
    assert!(matches!(World::alone(unsorted, 1).err(), Some(WorldError::Pieces { .. })));
}

#[test]
fn pieces_that_do_not_agree_are_refused_on_ranks() {
    let mesh = mesh("triangles:4x4");
    let mut all = pieces(&mesh, &cut(&mesh, 2), 2).unwrap();
    all[1].neighbours[0].nodes.pop();
    let all = &all;
    let errors: Vec<Option<WorldError>> = std::thread::scope(|scope| {
        let run = |(rank, t): (usize, ChannelTransport)| {
            scope.spawn(move || World::new(vec![all[rank].clone()], 2, 1, t).err())
        };
        let started: Vec<_> = channels(2).into_iter().enumerate().map(run).collect();
        started.into_iter().map(|t| t.join().unwrap()).collect()
    });
    assert!(errors.iter().all(Option::is_some), "{errors:?}");
    let length = errors.iter().flatten().find(|e| e.to_string().contains("words from rank"));
    assert!(length.is_some(), "{errors:?}");
}

#[test]
fn matrices_and_values_of_other_sizes_are_refused() {
    let mesh = mesh("triangles:2x2");
    let world = alone(&mesh, &cut(&mesh, 2), 2, 2);
    let p = &world.pieces()[0];
    let scalar = springs(&mesh, &p.nodes, &p.elements, 1, stiffness, 0.0);
    let error = world.matrix(vec![scalar.clone(), scalar.clone()]).unwrap_err();
    let (rows, unknowns) = (p.nodes.len(), 2 * p.nodes.len());
    assert_eq!(
        error.to_string(),
        format!("the matrix of part 0 has {rows} rows instead of {unknowns}")
    );
    let error = world.matrix(vec![scalar]).unwrap_err();
    assert_eq!(error.to_string(), "1 matrices for 2 pieces; each needs one");
    let error = world.vector::<palmette_mesh::spmv::Full>(vec![1.0]).unwrap_err();
    assert_eq!(error, WorldError::Values { expected: world.unknowns(), found: 1 });
}
