//! From meshes to routes: parts by plain coordinate bisection, placed and routed on the
//! machines that the separator paper has in mind.

use palmette_core::Graph;
use palmette_io::{GraphReadParams, read_bytes, read_graph, read_points_bytes};
use palmette_mesh::partition::{JointParams, PartitionParams, map_jointly};
use palmette_mesh::placement::{Method, SearchParams, Subject, hopsum, place, traffic};
use palmette_mesh::routing::{self, RouteParams, messages, route, route_in_phases};
use palmette_mesh::{CutTree, Machine, Placement, Quotient};
use std::path::Path;

/// Parts of a mesh, and what is known about them.
struct Cut {
    quotient: Quotient,
    tree: CutTree,
    centroids: Vec<[f64; 3]>,
}

impl Cut {
    fn place(&self, method: Method, machine: &Machine) -> Placement {
        let subject = Subject {
            quotient: &self.quotient,
            machine,
            cut_tree: Some(&self.tree),
            centroids: Some(&self.centroids),
        };
        place(method, &subject, &SearchParams::default()).unwrap()
    }
}

/// Halves points across their widest extent until there are so many parts.
fn bisect(points: &[[f64; 3]], parts: u32) -> Vec<u32> {
    let mut part = vec![0; points.len()];
    let mut waiting = vec![((0..points.len()).collect::<Vec<_>>(), 0, parts)];
    while let Some((mut vertices, first, count)) = waiting.pop() {
        if count == 1 {
            vertices.iter().for_each(|&v| part[v] = first);
            continue;
        }
        let extent = |axis: usize| {
            let along = vertices.iter().map(|&v| points[v][axis]);
            along.clone().fold(f64::MIN, f64::max) - along.fold(f64::MAX, f64::min)
        };
        let axis = (0..3).max_by(|&a, &b| extent(a).total_cmp(&extent(b))).unwrap();
        vertices.sort_by(|&a, &b| points[a][axis].total_cmp(&points[b][axis]).then(a.cmp(&b)));
        let low = count / 2;
        let upper = vertices.split_off(vertices.len() * low as usize / count as usize);
        waiting.extend([(vertices, first, low), (upper, first + low, count - low)]);
    }
    part
}

fn cut(graph: &Graph, points: &[[f64; 3]], parts: u32) -> Cut {
    let part = bisect(points, parts);
    let mut centroids = vec![[0.0; 3]; parts as usize];
    let mut sizes = vec![0.0; parts as usize];
    for (point, &p) in points.iter().zip(&part) {
        sizes[p as usize] += 1.0;
        (0..3).for_each(|axis| centroids[p as usize][axis] += point[axis]);
    }
    for (centroid, size) in centroids.iter_mut().zip(sizes) {
        centroid.iter_mut().for_each(|x| *x /= size);
    }
    let quotient = Quotient::of(graph, &part, parts as usize);
    Cut { quotient, tree: CutTree::halving(parts), centroids }
}

/// A square of points joined to their neighbours, along one diagonal too.
fn square(side: u32) -> (Graph, Vec<[f64; 3]>) {
    let mut edges = Vec::new();
    let mut points = Vec::new();
    for v in 0..side * side {
        let (x, y) = (v % side, v / side);
        points.push([f64::from(x), f64::from(y), 0.0]);
        for (dx, dy) in [(1, 0), (0, 1), (1, 1)] {
            if x + dx < side && y + dy < side {
                edges.push((v, v + dx + dy * side, 1.0));
            }
        }
    }
    (Graph::from_edges(points.len(), &edges).unwrap(), points)
}

/// A mesh of the shared data; says so loudly when it is not there.
fn shared(name: &str) -> Option<(Graph, Vec<[f64; 3]>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/meshes");
    let graph = folder.join(format!("{name}.graph"));
    if !graph.exists() {
        eprintln!("NOT TESTED: {} is missing", graph.display());
        return None;
    }
    let graph = read_graph(graph, &GraphReadParams::default()).unwrap().graph;
    let xyz = read_bytes(&folder.join(format!("{name}.xyz"))).unwrap();
    let points = read_points_bytes("xyz", &xyz, graph.len()).unwrap();
    Some((graph, points))
}

#[test]
fn a_square_fits_a_mesh_of_processors() {
    let (graph, points) = square(32);
    let cut = cut(&graph, &points, 64);
    let machine: Machine = "mesh:8x8".parse().unwrap();
    let halved = cut.place(Method::Halving, &machine);
    // Sides of parts are 4 long; only the diagonals go two hops.
    let sides: u64 = 2 * 7 * 8 * (4 + 4);
    let found = hopsum(&cut.quotient, &machine, &halved);
    assert!((sides..sides + sides / 4).contains(&found), "{found} for {sides}");
    let searched = cut.place(Method::Search, &machine);
    assert!(hopsum(&cut.quotient, &machine, &searched) <= found);
    let tree = cut.place(Method::CutTree, &machine);
    assert!(hopsum(&cut.quotient, &machine, &tree) < 2 * found);
}

#[test]
fn the_cracked_plate_is_placed_well_on_the_torus() {
    let Some((graph, points)) = shared("crackplate") else { return };
    let cut = cut(&graph, &points, 64);
    let machine: Machine = "torus:8x8".parse().unwrap();
    let cost = |method| hopsum(&cut.quotient, &machine, &cut.place(method, &machine));
    let random = cost(Method::Random);
    for (method, share) in [(Method::Halving, 0.6), (Method::CutTree, 0.6), (Method::Search, 0.4)] {
        let found = cost(method);
        assert!((found as f64) < share * random as f64, "{method}: {found} of {random}");
    }
}

#[test]
fn the_cracked_plate_takes_one_phase_on_the_torus() {
    let Some((graph, points)) = shared("crackplate") else { return };
    let cut = cut(&graph, &points, 64);
    let machine: Machine = "torus:8x8".parse().unwrap();
    let params = RouteParams::default();
    let given = messages(&cut.quotient, &cut.place(Method::Search, &machine));
    let load = |how| route(how, &machine, &given, &params).unwrap().max_link_load();
    let plain = load(routing::Method::DimensionOrdered);
    let rerouted = load(routing::Method::Shortest);
    assert!(4 * rerouted <= 3 * plain, "{plain} to {rerouted}");
    let how = routing::Method::Shortest;
    let one = route_in_phases(how, &machine, &given, 20, &params).unwrap();
    assert_eq!(one.count, 1);
    // As the paper has it, two phases do with far fewer channels.
    let most = (2 * one.routes.max_channels()).div_ceil(3);
    let two = route_in_phases(how, &machine, &given, most, &params).unwrap();
    assert_eq!(two.count, 2, "of {most} channels");
}

#[test]
fn the_penny_takes_three_phases_at_most() {
    let Some((graph, points)) = shared("penny_small") else { return };
    let cut = cut(&graph, &points, 64);
    let machine: Machine = "torus:4x4x4".parse().unwrap();
    let given = messages(&cut.quotient, &cut.place(Method::Search, &machine));
    let how = routing::Method::Shortest;
    let phases = route_in_phases(how, &machine, &given, 20, &RouteParams::default()).unwrap();
    assert!(phases.count <= 3, "{} phases", phases.count);
}

#[test]
fn cut_trees_suit_fat_trees() {
    let Some((graph, points)) = shared("crackplate") else { return };
    let cut = cut(&graph, &points, 64);
    let machine: Machine = "fat-tree:4x4x4".parse().unwrap();
    let of = |method| {
        let placement = cut.place(method, &machine);
        let levels = traffic(&cut.quotient, machine.fat_tree().unwrap(), &placement);
        levels.iter().map(|level| level.values).collect::<Vec<_>>()
    };
    let [tree, random] = [Method::CutTree, Method::Random].map(of);
    // What leaves processors is the same; higher up the tree keeps it local.
    assert_eq!((tree[2], random[2]), (cut.quotient.total(), cut.quotient.total()));
    assert!(2 * tree[0] < random[0] && 3 * tree[1] < 2 * random[1], "{tree:?} {random:?}");
}

/// Every mesh, torus and fat tree with sides or branches of 1, 2 and 3, up to three of them:
/// parts are placed one to one by every method, jointly with the cut too, and routed.
#[test]
fn machines_with_sides_of_one() {
    let (graph, points) = square(6);
    let quick = SearchParams { steps: Some(300), restarts: 2, ..SearchParams::default() };
    let lists = (1..=3u32).flat_map(|length| {
        (0..3u32.pow(length)).map(move |code| -> Vec<u32> {
            (0..length).map(|digit| code / 3u32.pow(digit) % 3 + 1).collect()
        })
    });
    let lists = lists.filter(|list| list.contains(&1));
    for (sides, kind) in lists.flat_map(|l| ["mesh", "torus", "fat-tree"].map(|k| (l.clone(), k))) {
        let sides: Vec<String> = sides.iter().map(u32::to_string).collect();
        let machine: Machine = format!("{kind}:{}", sides.join("x")).parse().unwrap();
        let parts = machine.processors() as u32;
        let found = cut(&graph, &points, parts);
        let check = |placement: &Placement, quotient: &Quotient| {
            assert!(Placement::new(placement.processors().to_vec(), &machine).is_ok(), "{machine}");
            if machine.lattice().is_none() {
                return;
            }
            let messages = messages(quotient, placement);
            for method in routing::Method::ALL {
                let params = RouteParams::default();
                let phases = route_in_phases(method, &machine, &messages, 4, &params).unwrap();
                assert_eq!(phases.routes.paths().len(), messages.len(), "{machine}");
                assert!(phases.max_channels().iter().all(|&most| most <= 4), "{machine}");
            }
        };
        for method in Method::ALL {
            let subject = Subject {
                quotient: &found.quotient,
                machine: &machine,
                cut_tree: Some(&found.tree),
                centroids: Some(&found.centroids),
            };
            check(&place(method, &subject, &quick).unwrap(), &found.quotient);
        }
        let partition = PartitionParams { parts, ..PartitionParams::default() };
        let params = JointParams { partition, search: quick, ..JointParams::default() };
        let (partition, placement) = map_jointly(&graph, &points, None, &machine, &params).unwrap();
        check(&placement, &Quotient::of(&graph, &partition.part, parts as usize));
    }
}
