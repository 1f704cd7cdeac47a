use super::*;
use crate::{Machine, Placement, Quotient};
use palmette_core::random::{Purpose, Random};
use proptest::prelude::*;

const MACHINES: [&str; 14] = [
    "mesh:1x1",
    "torus:1x9",
    "mesh:6x1",
    "torus:2x2",
    "mesh:2x2",
    "torus:3x5",
    "mesh:4x4",
    "torus:8x8",
    "torus:2x3x4",
    "mesh:3x3x3",
    "torus:4x4x4",
    "torus:3x3/2x2@1,10,100",
    "dragonfly:5x2x2",
    "torus:4x4 without 0,7",
];

fn machine(text: &str) -> Machine {
    text.parse().unwrap()
}

fn random_messages(machine: &Machine, count: usize, seed: u64) -> Vec<Message> {
    let mut random = Random::new(seed, Purpose::Weights);
    let mut list = Vec::new();
    for _ in 0..count {
        let [from, to] = [0; 2].map(|_| random.below(machine.places() as u32));
        list.push((from, to, u64::from(random.below(40)) + 1));
    }
    let quotient = Quotient::new(machine.places(), &list);
    messages(&quotient, &Placement::identity(machine.places(), machine).unwrap())
}

/// The methods that a machine allows.
fn methods(machine: &Machine) -> impl Iterator<Item = Method> + '_ {
    use Method::{DimensionOrdered, OneBend, TwoBend};
    let grids_only = |method| matches!(method, DimensionOrdered | OneBend | TwoBend);
    Method::ALL.into_iter().filter(move |&method| machine.grid().is_some() || !grids_only(method))
}

/// Messages between the points of a machine.
fn at_points(machine: &Machine, given: &[Message]) -> Vec<Message> {
    let at = |p| machine.point(p);
    given.iter().map(|m| Message { from: at(m.from), to: at(m.to), ..*m }).collect()
}

/// Walks all paths and adds up what they load, without the methods of `Routes`.
fn check(routes: &Routes, given: &[Message]) {
    let lattice = routes.wires();
    assert_eq!(routes.messages(), given);
    let (mut loads, mut channels) = (vec![0; lattice.link_slots()], vec![0; lattice.points()]);
    let mut hopsum = 0;
    for (message, path) in given.iter().zip(routes.paths()) {
        let mut at = message.from;
        channels[at as usize] += u32::from(message.to != at);
        for &link in path {
            let (start, end) = lattice.ends(link);
            assert_eq!(start, at, "a path has a gap");
            loads[link as usize] += message.values;
            hopsum += message.values;
            at = end;
            channels[at as usize] += 1;
        }
        assert_eq!(at, message.to, "a path misses its end");
    }
    assert_eq!((routes.loads(), routes.channels()), (loads, channels));
    assert_eq!(routes.hopsum(), hopsum);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn paths_connect_and_loads_add_up(
        text in prop::sample::select(&MACHINES[..]),
        count in 0usize..150,
        seed in any::<u64>(),
        random_bends in any::<bool>(),
    ) {
        let machine = machine(text);
        let given = random_messages(&machine, count, seed);
        let params = RouteParams { seed, random_bends, patience: 5, ..RouteParams::default() };
        let (wires, points) = (machine.wires().unwrap(), at_points(&machine, &given));
        let hops: u64 = points.iter().map(|m| m.values * u64::from(wires.hops(m.from, m.to))).sum();
        let bound = congestion_bound(&wires, &points);
        let mut bent = u64::MAX;
        for method in methods(&machine) {
            let routes = route(method, &machine, &given, &params).unwrap();
            check(&routes, &points);
            prop_assert!(bound <= routes.max_link_time(), "{} {}", text, method);
            match method {
                Method::Shortest => {
                    prop_assert!(routes.hopsum() >= hops);
                    prop_assert!(routes.max_link_load() <= bent);
                }
                Method::Adaptive => prop_assert!(routes.hopsum() >= hops),
                _ => prop_assert_eq!(routes.hopsum(), hops, "{} takes a detour", method),
            }
            if method == Method::TwoBend && !random_bends {
                bent = routes.max_link_load();
            }
        }
    }

    #[test]
    fn phases_keep_the_limit(
        text in prop::sample::select(&MACHINES[..]),
        count in 0usize..150,
        limit in 1u32..25,
        seed in any::<u64>(),
    ) {
        let machine = machine(text);
        let given = random_messages(&machine, count, seed);
        let params = RouteParams { seed, patience: 4, ..RouteParams::default() };
        let points = at_points(&machine, &given);
        for method in methods(&machine) {
            let phases = route_in_phases(method, &machine, &given, limit, &params).unwrap();
            check(&phases.routes, &points);
            prop_assert_eq!(phases.phase.len(), given.len());
            prop_assert!(phases.phase.iter().all(|&phase| (phase as usize) < phases.count));
            prop_assert!(phases.count >= phases.lower_bound);
            let count = phases.routes.wires().points();
            let mut used = vec![0; phases.count * count];
            for (i, &phase) in phases.phase.iter().enumerate() {
                if points[i].from == points[i].to {
                    continue;
                }
                let first = phase as usize * count;
                let path = phases.routes.paths()[i].iter();
                let ends = path.map(|&link| phases.routes.wires().end(link));
                used[first + points[i].from as usize] += 1;
                ends.for_each(|end| used[first + end as usize] += 1);
            }
            prop_assert!(used.iter().all(|&paths| paths <= limit), "{}", method);
            let most = used.chunks(count).map(|p| p.iter().copied().max().unwrap());
            prop_assert!(most.eq(phases.max_channels()));
        }
    }
}

#[test]
fn congestion_moves_messages_apart() {
    // Both messages go through the middle of the row by default; there is room around.
    let machine = machine("mesh:3x4");
    let given = [
        Message { from: 4, to: 6, values: 10 },
        Message { from: 5, to: 7, values: 10 },
        Message { from: 4, to: 7, values: 10 },
    ];
    let params = RouteParams::default();
    let load = |method| route(method, &machine, &given, &params).unwrap().max_link_load();
    assert_eq!(load(Method::DimensionOrdered), 30);
    assert_eq!(load(Method::Shortest), 10);
}

#[test]
fn bends_share_the_load() {
    let machine = machine("mesh:5x5");
    let given = vec![Message { from: 0, to: 24, values: 1 }; 8];
    let params = RouteParams::default();
    // A square of 4 × 4 steps leaves its corner over two links.
    for (method, load) in [(Method::OneBend, 4), (Method::TwoBend, 4)] {
        assert_eq!(route(method, &machine, &given, &params).unwrap().max_link_load(), load);
    }
    let straight = route(Method::DimensionOrdered, &machine, &given, &params).unwrap();
    assert_eq!((straight.max_link_load(), straight.max_channels()), (8, 8));
}

#[test]
fn messages_of_one_processor_bound_the_phases() {
    let machine = machine("torus:4x4");
    let given: Vec<Message> = (1..13).map(|to| Message { from: 0, to, values: 1 }).collect();
    let params = RouteParams::default();
    for (limit, expected) in [(12, 1), (6, 2), (5, 3), (1, 12)] {
        let phases = route_in_phases(Method::Shortest, &machine, &given, limit, &params).unwrap();
        assert_eq!((phases.count, phases.lower_bound), (expected, expected));
    }
}

#[test]
fn the_number_of_threads_does_not_show() {
    let machine = machine("torus:6x6");
    let given = random_messages(&machine, 200, 9);
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let params = RouteParams { attempts: 4, ..RouteParams::default() };
        pool.install(|| route_in_phases(Method::Shortest, &machine, &given, 20, &params).unwrap())
    };
    assert_eq!(with(1), with(2));
}

#[test]
fn what_cannot_be_routed_is_an_error() {
    let params = RouteParams::default();
    let given = [Message { from: 0, to: 9, values: 1 }];
    let error = |text| route(Method::Shortest, &machine(text), &given, &params).unwrap_err();
    assert!(error("fat-tree:4x4").to_string().contains("fat-tree:4x4 routes in hardware"));
    assert_eq!(
        error("torus:2x2").to_string(),
        "message 0 ends at processor 9, but torus:2x2 has only 4"
    );
    let given_near = [Message { from: 0, to: 1, values: 1 }];
    for text in ["dragonfly:5x2x2", "torus:4x4 without 3"] {
        let refused = route(Method::TwoBend, &machine(text), &given_near, &params).unwrap_err();
        assert!(refused.to_string().contains("`two-bend` needs a mesh or torus without dead"));
    }
    let none = route_in_phases(Method::OneBend, &machine("torus:4x4"), &given, 0, &params);
    assert_eq!(none.unwrap_err(), RoutingError::NoChannels);
    assert!("x-y".parse::<Method>().unwrap_err().to_string().contains("one of dimension-ordered"));
}

/// Everything that leaves one node of a ring must take one of its two links, and everything that
/// crosses the middle of a row its one link.
#[test]
fn the_bound_is_the_cut_where_a_cut_decides() {
    let bound = |text: &str, given: &[Message]| {
        let machine = machine(text);
        congestion_bound(&machine.wires().unwrap(), &at_points(&machine, given))
    };
    let all_from_0: Vec<Message> = (1..9).map(|to| Message { from: 0, to, values: 10 }).collect();
    assert!((39.0..=40.0).contains(&bound("torus:9", &all_from_0)));
    let across: Vec<Message> = (0..4).map(|p| Message { from: p, to: p + 4, values: 3 }).collect();
    let found = bound("mesh:8", &across);
    assert!((11.8..=12.0).contains(&found), "{found}");
    assert_eq!(bound("mesh:8", &[]), 0.0);
}

#[test]
fn full_links_send_messages_on_detours() {
    // Two hops one way around a ring, seven the other way.
    let machine = machine("torus:9");
    let given = vec![Message { from: 0, to: 2, values: 5 }; 8];
    let params = RouteParams::default();
    let load = |method| route(method, &machine, &given, &params).unwrap().max_link_load();
    assert_eq!(load(Method::Minimal), 40);
    assert!(load(Method::Adaptive) < 40);
    assert!(load(Method::Shortest) <= load(Method::Adaptive));
}
