use crate::products::inputs::*;
use palmette_core::NONE;
use palmette_mesh::partition::element_partition;
use palmette_mesh::spmv::{Piece, Product, Transport, World, WorldError, pieces};
use palmette_mesh::{PartitionParams, Quotient};
use proptest::prelude::*;

/// Shapes, parts and components that most tests run through.
const CASES: [(&str, u32, usize); 5] = [
    ("triangles:7x9", 1, 1),
    ("crack-plate:600", 5, 2),
    ("grid:6x8", 4, 3),
    ("tetrahedra:4x4x5", 7, 1),
    ("box:4x3x5", 8, 3),
];

#[test]
fn pieces_know_what_they_share() {
    for (shape, parts, _) in CASES {
        let mesh = mesh(shape);
        for part in [cut(&mesh, parts), scatter(&mesh, parts)] {
            let pieces = pieces(&mesh, &part, parts as usize).unwrap();
            let mut owners = vec![0; mesh.points().len()];
            for piece in &pieces {
                piece.owned_nodes().for_each(|v| owners[piece.nodes[v] as usize] += 1);
                check_piece(piece, &pieces);
                let elements: Vec<u32> =
                    (0..).zip(&part).filter(|e| *e.1 == piece.part).map(|e| e.0).collect();
                assert_eq!(piece.elements, elements);
                let numbers = piece.numbers(mesh.points().len());
                for &e in &elements {
                    assert!(
                        mesh.elements()
                            .nodes(e as usize)
                            .iter()
                            .all(|&v| numbers[v as usize] != NONE)
                    );
                }
            }
            assert!(owners.iter().all(|&count| count == 1), "{shape}: one owner per node");
        }
    }
}

fn check_piece(piece: &Piece, all: &[Piece]) {
    let copies = |node: u32| all.iter().filter(move |q| q.nodes.contains(&node)).map(|q| q.part);
    for (local, &node) in piece.nodes.iter().enumerate() {
        let parts: Vec<u32> = copies(node).collect();
        assert_eq!(local < piece.shared, parts.len() > 1, "shared nodes come first");
        assert_eq!(piece.owns(local), parts[0] == piece.part, "the smallest part owns");
        let told: Vec<u32> = piece
            .neighbours
            .iter()
            .filter(|n| n.nodes.contains(&(local as u32)))
            .map(|n| n.part)
            .collect();
        let others: Vec<u32> = parts.into_iter().filter(|&p| p != piece.part).collect();
        assert_eq!(told, others);
    }
    for neighbour in &piece.neighbours {
        let global: Vec<u32> = neighbour.nodes.iter().map(|&v| piece.nodes[v as usize]).collect();
        assert!(global.is_sorted(), "in ascending order of the mesh");
    }
}

#[test]
fn pieces_survive_a_file() {
    let mesh = mesh("triangles:5x5");
    let made = pieces(&mesh, &cut(&mesh, 3), 3).unwrap();
    let text = serde_json::to_string(&made).unwrap();
    let read: Vec<Piece> = serde_json::from_str(&text).unwrap();
    assert_eq!(read, made);
}

/// Each of at most `m` additions of a node's value rounds by half an ulp of the sum of sizes.
fn assert_close(found: &[f64], wanted: &[f64], size: &[f64], m: f64, what: &str) {
    for (i, ((f, w), s)) in found.iter().zip(wanted).zip(size).enumerate() {
        assert!((f - w).abs() <= 2.0 * m * f64::EPSILON * s, "{what}: unknown {i}: {f} and {w}");
    }
}

/// Additions that lead to one value of a product: entries of a row, and contributions to each.
fn additions(mesh: &palmette_core::Mesh) -> f64 {
    let mut uses = vec![0usize; mesh.points().len()];
    for nodes in mesh.elements().iter() {
        nodes.iter().for_each(|&v| uses[v as usize] += 2 * nodes.len() + 1);
    }
    uses.into_iter().max().unwrap_or(0) as f64
}

#[test]
fn products_are_those_of_a_loop_over_elements() {
    for (shape, parts, d) in CASES {
        let mesh = mesh(shape);
        for part in [cut(&mesh, parts), scatter(&mesh, parts)] {
            let mut world = alone(&mesh, &part, parts as usize, d);
            let a = spring_matrix(&world, &mesh, stiffness);
            let x = world.from_nodes(value);
            let mut y = world.partial();
            world.product(&a, &x, &mut y);
            let y = world.assemble(y).unwrap();
            let found = world.to_nodes(&y, mesh.points().len()).unwrap();
            let (wanted, size) = by_loop(&mesh, d, stiffness);
            assert_close(&found, &wanted, &size, additions(&mesh), shape);
            // Copies are equal, bit for bit, and the overlapped way gives the same.
            assert_eq!(
                bits(world.from_nodes(|v, c| found[v as usize * d + c]).values()),
                bits(y.values())
            );
            let mut z = world.full(f64::NAN);
            let product = Product { scale: 1.0, matrix: &a, vector: &x };
            world.multiply_assembled(&[product], &[], &mut z).unwrap();
            assert_eq!(bits(z.values()), bits(y.values()));
        }
    }
}

#[test]
fn a_sum_of_products_is_assembled_once() {
    let mesh = mesh("crack-plate:600");
    let part = cut(&mesh, 6);
    let mut world = alone(&mesh, &part, 6, 2);
    let (a, b) = (spring_matrix(&world, &mesh, stiffness), spring_matrix(&world, &mesh, |_| 3.0));
    let (x, y) = (world.from_nodes(value), world.from_nodes(|v, c| value(v + 17, c)));
    let mut load = world.partial();
    world.product(&b, &x, &mut load);
    let products = [
        Product { scale: 2.0, matrix: &a, vector: &x },
        Product { scale: -0.5, matrix: &b, vector: &y },
    ];
    let mut z = world.full(0.0);
    world.multiply_assembled(&products, &[(4.0, &load)], &mut z).unwrap();
    assert_eq!(world.traffic(), world.assembly_traffic(), "one exchange");
    // Assembled one by one.
    let mut apart = world.full(0.0);
    for (scale, matrix, vector) in [(2.0, &a, &x), (-0.5, &b, &y), (4.0, &b, &x)] {
        let mut product = world.partial();
        world.product(matrix, vector, &mut product);
        let product = world.assemble(product).unwrap();
        world.combine(1.0, &[(scale, &product)], &mut apart);
    }
    assert_eq!(world.traffic().exchanges, 4);
    let largest = apart.values().iter().fold(0.0f64, |m, x| m.max(x.abs()));
    for (z, apart) in z.values().iter().zip(apart.values()) {
        assert!((z - apart).abs() <= 1e3 * f64::EPSILON * largest);
    }
}

#[test]
fn traffic_is_that_of_the_quotient_graph() {
    for (shape, parts, d) in CASES {
        let mesh = mesh(shape);
        let params = PartitionParams { parts, ..Default::default() };
        let found = element_partition(&mesh, None, &params).unwrap();
        let world = alone(&mesh, &found.part, parts as usize, d);
        let quotient: &Quotient = &found.quotient;
        let traffic = world.assembly_traffic();
        assert_eq!(traffic.messages, quotient.messages().count() as u64, "{shape}");
        assert_eq!(traffic.words, quotient.total() * d as u64, "{shape}");
    }
}

/// All operations, one after another; numbers and vectors that came out.
fn everything<T: Transport>(mut world: World<T>, mesh: &palmette_core::Mesh) -> Vec<u64> {
    let a = spring_matrix(&world, mesh, stiffness);
    let n = mesh.points().len();
    let x = world.from_nodes(value);
    let mut y = world.full(0.0);
    let product = Product { scale: 1.5, matrix: &a, vector: &x };
    let mut half = world.partial();
    world.product(&a, &x, &mut half);
    world.multiply_assembled(&[product], &[(0.25, &half)], &mut y).unwrap();
    let mut numbers = vec![world.dot(&half, &x).unwrap(), world.norm(&y).unwrap()];
    numbers.extend(world.dots([((&half).into(), &y), ((&x).into(), &y)]).unwrap());
    let mut partial = world.partial();
    world.split_into(&y, &mut partial);
    world.combine(0.5, &[(3.0, &half), (-1.0, &partial.clone())], &mut partial);
    let mut quotient = world.partial();
    world.divide(&partial, &x, &mut quotient);
    world.times(&x, &quotient, &mut partial);
    let z = world.assemble(partial).unwrap();
    numbers.extend(world.to_nodes(&z, n).unwrap());
    numbers.extend(world.to_nodes(&y, n).unwrap());
    let traffic = world.traffic();
    numbers.extend([traffic.messages, traffic.words, traffic.reductions].map(|x| x as f64));
    bits(&numbers)
}

#[test]
fn the_same_bits_on_any_number_of_threads_and_ranks() {
    for (shape, parts, d) in
        [("crack-plate:600", 8, 2), ("tetrahedra:9x8x8", 9, 1), ("delaunay:30000", 2, 1)]
    {
        let mesh = mesh(shape);
        let part = cut(&mesh, parts);
        let new = || everything(alone(&mesh, &part, parts as usize, d), &mesh);
        let one = on_threads(1, new);
        for threads in [2, 5] {
            assert_eq!(on_threads(threads, new), one, "{shape} on {threads} threads");
        }
        for ranks in (1..=8).filter(|&ranks| ranks <= parts as usize) {
            let all = on_ranks(ranks, &mesh, (&part, parts as usize), d, |w| everything(w, &mesh));
            assert!(all.iter().all(|rank| *rank == one), "{shape} on {ranks} ranks");
        }
    }
}

#[test]
fn elementwise_operations_do_what_they_say() {
    let mesh = mesh("triangles:5x6");
    let world = alone(&mesh, &cut(&mesh, 3), 3, 1);
    let (a, b) = (world.from_nodes(value), world.from_nodes(|v, _| f64::from(v + 1)));
    let each = |z: &palmette_mesh::spmv::Vector<palmette_mesh::spmv::Full>,
                f: &dyn Fn(f64, f64) -> f64| {
        let wanted: Vec<f64> = a.values().iter().zip(b.values()).map(|(a, b)| f(*a, *b)).collect();
        assert_eq!(z.values(), wanted);
    };
    let mut z = world.full(f64::NAN);
    world.times(&a, &b, &mut z);
    each(&z, &|a, b| a * b);
    world.divide(&a, &b, &mut z);
    each(&z, &|a, b| a / b);
    world.copy(&b, &mut z);
    world.apply(&mut z, f64::sqrt);
    each(&z, &|_, b| b.sqrt());
    world.fill(f64::NAN, &mut z);
    world.combine(0.0, &[(2.0, &a)], &mut z);
    each(&z, &|a, _| 2.0 * a);
    world.combine(3.0, &[(2.0, &a)], &mut z);
    each(&z, &|a, _| 3.0 * (2.0 * a) + 2.0 * a);
    world.combine(0.0, &[(2.0, &a), (5.0, &b), (-1.0, &a), (0.5, &b)], &mut z);
    each(&z, &|a, b| 2.0 * a + 5.0 * b - a + 0.5 * b);
    world.combine(-1.0, &[(1.0, &a), (1.0, &b), (1.0, &b)], &mut z);
    each(&z, &|a, b| -(2.0 * a + 5.0 * b - a + 0.5 * b) + a + b + b);
    world.combine(0.5, &[], &mut z);
    world.combine(0.0, &[], &mut z);
    each(&z, &|_, _| 0.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Splitting and assembling gives back the vector; sums count each node once.
    #[test]
    fn nodes_count_once(rows in 1usize..7, columns in 1usize..7, parts in 1u32..9, d in 1usize..4) {
        let mesh = mesh(&format!("grid:{rows}x{columns}"));
        let mut world = alone(&mesh, &scatter(&mesh, parts), parts as usize, d);
        let x = world.from_nodes(value);
        let ones = world.full(1.0);
        let count = world.dot(&ones, &ones).unwrap();
        prop_assert_eq!(count, (mesh.points().len() * d) as f64);
        let mut split = world.partial();
        world.split_into(&x, &mut split);
        let (sum, same) = (world.dot(&split, &ones).unwrap(), world.dot(&x, &ones).unwrap());
        prop_assert!((sum - same).abs() <= 1e-12 * count);
        prop_assert_eq!(&world.split(x.clone()), &split);
        let back = world.assemble(split).unwrap();
        prop_assert_eq!(back.values(), x.values());
        let exact: f64 = (0..mesh.points().len() as u32).flat_map(|v| (0..d).map(move |c| value(v, c).powi(2))).sum();
        prop_assert!((world.dot(&x, &x).unwrap() - exact).abs() <= 1e-12 * exact.max(1.0));
    }
}

#[test]
fn an_empty_part_is_a_part() {
    let mesh = mesh("triangles:4x4");
    let part: Vec<u32> = cut(&mesh, 2).iter().map(|p| 2 * p).collect();
    let mut world = alone(&mesh, &part, 4, 1);
    let ones = world.full(1.0);
    assert_eq!(world.dot(&ones, &ones), Ok::<f64, WorldError>(25.0));
}
