use super::assignment::{Assignment, Rules};
use super::*;
use crate::CutTree;
use palmette_core::random::{Purpose, Random};
use proptest::prelude::*;

const MACHINES: [&str; 17] = [
    "mesh:1x1",
    "torus:1x9",
    "mesh:6x1",
    "torus:2x2",
    "torus:3x5",
    "mesh:4x4",
    "torus:8x8",
    "torus:2x3x4",
    "mesh:3x3x3",
    "fat-tree:4x4x4",
    "fat-tree:3x5",
    "fat-tree:2x2x2@9,3,1",
    "hierarchy:3x2x2@1,10,100",
    "torus:3x3/2x2@1,10,100",
    "dragonfly:5x2x2",
    "torus:4x4 without 0,7",
    "mesh:3x3/3@1,4 without 4,9-11",
];

fn random_quotient(parts: usize, messages: usize, seed: u64) -> Quotient {
    let mut random = Random::new(seed, Purpose::Weights);
    let mut part = || random.below(parts as u32);
    let list: Vec<_> = (0..messages).map(|_| (part(), part(), u64::from(part()) + 1)).collect();
    Quotient::new(parts, &list)
}

/// Parts in a grid that send a value to each neighbour, with their places.
fn grid_of_parts(rows: u32, columns: u32) -> (Quotient, Vec<[f64; 3]>) {
    let mut messages = Vec::new();
    let mut centroids = Vec::new();
    for (r, c) in (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))) {
        let part = r * columns + c;
        if c + 1 < columns {
            messages.extend([(part, part + 1, 1), (part + 1, part, 1)]);
        }
        if r + 1 < rows {
            messages.extend([(part, part + columns, 1), (part + columns, part, 1)]);
        }
        centroids.push([f64::from(c), f64::from(r), 0.0]);
    }
    (Quotient::new((rows * columns) as usize, &messages), centroids)
}

fn quick() -> SearchParams {
    SearchParams { steps: Some(3000), restarts: 3, ..SearchParams::default() }
}

/// Machines of every kind with sides and branches of 1 to 3, so that many have a 1 somewhere.
fn small_machines() -> impl Strategy<Value = String> {
    let kind = prop::sample::select(&["mesh", "torus", "fat-tree"][..]);
    (kind, prop::collection::vec(1u32..4, 1..4)).prop_map(|(kind, sides)| {
        let sides: Vec<String> = sides.iter().map(u32::to_string).collect();
        format!("{kind}:{}", sides.join("x"))
    })
}

fn machines() -> impl Strategy<Value = String> {
    prop_oneof![prop::sample::select(&MACHINES[..]).prop_map(str::to_string), small_machines()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_method_is_one_to_one(
        text in machines(),
        missing in 0usize..4,
        messages in 0usize..200,
        seed in any::<u64>(),
    ) {
        let machine: Machine = text.parse().unwrap();
        let parts = machine.places().saturating_sub(missing).max(1);
        let quotient = random_quotient(parts, messages, seed);
        let mut random = Random::new(seed, Purpose::Vectors);
        let tree = CutTree::by(parts as u32, |a, b| a + 1 + random.below(b - a - 1));
        let centroids: Vec<[f64; 3]> =
            (0..parts).map(|_| [random.unit(), random.unit(), random.unit()]).collect();
        let subject = Subject {
            quotient: &quotient,
            machine: &machine,
            cut_tree: Some(&tree),
            centroids: Some(&centroids),
        };
        let mut least = u64::MAX;
        for method in Method::ALL {
            let placement = place(method, &subject, &quick()).unwrap();
            let checked = Placement::new(placement.processors().to_vec(), &machine);
            prop_assert_eq!(checked.as_ref(), Ok(&placement), "{}", method);
            let found = cost(&quotient, &machine, &placement);
            match method {
                Method::Random => {}
                Method::Search => prop_assert!(found <= least, "{} {}", found, least),
                _ => least = least.min(found),
            }
            let better = improve(&quotient, &machine, placement, &quick());
            prop_assert!(Placement::new(better.processors().to_vec(), &machine).is_ok());
            prop_assert!(cost(&quotient, &machine, &better) <= found);
        }
    }

    #[test]
    fn differences_are_those_of_recomputing(
        text in machines(),
        missing in 0usize..4,
        seed in any::<u64>(),
    ) {
        let machine: Machine = text.parse().unwrap();
        let parts = machine.places().saturating_sub(missing).max(1);
        let quotient = random_quotient(parts, 3 * parts, seed);
        let rules = Rules::new(&quotient, &machine);
        let start = Placement::identity(parts, &machine).unwrap();
        let mut assignment = Assignment::new(&rules, &start);
        let mut random = Random::new(seed, Purpose::Samples);
        for _ in 0..100 {
            let part = random.below(parts as u32);
            let to = machine.available()[random.below(machine.places() as u32) as usize];
            if assignment.processor(part) != to {
                let difference = assignment.difference(part, to);
                assignment.apply(part, to, difference);
                prop_assert_eq!(assignment.cost, assignment.recomputed());
            }
        }
        let recomputed = cost(&quotient, &machine, &assignment.placement());
        prop_assert_eq!(assignment.cost as u64, recomputed);
    }
}

#[test]
fn a_grid_of_parts_finds_its_way_onto_the_same_grid() {
    for (rows, columns) in [(8, 8), (4, 8), (5, 6)] {
        let (quotient, centroids) = grid_of_parts(rows, columns);
        let machine: Machine = format!("mesh:{rows}x{columns}").parse().unwrap();
        let subject = Subject {
            quotient: &quotient,
            machine: &machine,
            cut_tree: None,
            centroids: Some(&centroids),
        };
        let halved = place(Method::Halving, &subject, &quick()).unwrap();
        assert_eq!(hopsum(&quotient, &machine, &halved), quotient.total());
        assert_eq!(dilation(&quotient, &machine, &halved), 1);
        assert!((0..rows * columns).eq(halved.processors().iter().copied()));
    }
}

#[test]
fn a_search_without_hints_beats_chance_by_far() {
    let (quotient, _) = grid_of_parts(6, 6);
    let machine: Machine = "torus:6x6".parse().unwrap();
    let subject =
        Subject { quotient: &quotient, machine: &machine, cut_tree: None, centroids: None };
    let random = place(Method::Random, &subject, &quick()).unwrap();
    let start = hopsum(&quotient, &machine, &random);
    let params = SearchParams { steps: Some(60_000), restarts: 4, ..SearchParams::default() };
    let found = hopsum(&quotient, &machine, &improve(&quotient, &machine, random, &params));
    assert!(2 * found < start, "{found} from {start}");
}

#[test]
fn the_number_of_threads_does_not_show() {
    let quotient = random_quotient(30, 100, 5);
    let machine: Machine = "torus:5x6".parse().unwrap();
    let subject =
        Subject { quotient: &quotient, machine: &machine, cut_tree: None, centroids: None };
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| place(Method::Search, &subject, &quick()).unwrap())
    };
    assert_eq!(with(1), with(2));
}

#[test]
fn a_time_limit_ends_the_search() {
    let quotient = random_quotient(30, 100, 5);
    let machine: Machine = "torus:5x6".parse().unwrap();
    let subject =
        Subject { quotient: &quotient, machine: &machine, cut_tree: None, centroids: None };
    let limit = std::time::Duration::from_millis(1);
    let steps = Some(50_000_000_000);
    let params = SearchParams { steps, time_limit: Some(limit), ..SearchParams::default() };
    place(Method::Search, &subject, &params).unwrap();
    // Longer than the clock counts is no limit.
    let limit = std::time::Duration::MAX;
    let params = SearchParams { steps: Some(10), time_limit: Some(limit), ..params };
    place(Method::Search, &subject, &params).unwrap();
}

#[test]
fn traffic_counts_what_leaves_groups() {
    let quotient = Quotient::new(8, &[(0, 1, 5), (1, 2, 7), (2, 7, 11), (7, 0, 1)]);
    let machine: Machine = "fat-tree:2x2x2".parse().unwrap();
    let placement = Placement::identity(8, &machine).unwrap();
    let levels = traffic(&quotient, machine.fat_tree().unwrap(), &placement);
    let values: Vec<_> = levels.iter().map(|level| (level.values, level.largest)).collect();
    assert_eq!(values, [(12, 11), (19, 11), (24, 11)]);
    // Hops go up and down, so each level that is crossed counts twice.
    let crossed: u64 = levels.iter().map(|level| level.values).sum();
    assert_eq!(hopsum(&quotient, &machine, &placement), 2 * crossed);
    assert_eq!(levels[0].time(), 11.0);
}

#[test]
fn bad_placements_are_refused() {
    let machine: Machine = "torus:2x2".parse().unwrap();
    let error =
        |processors: &[u32]| Placement::new(processors.to_vec(), &machine).unwrap_err().to_string();
    assert_eq!(error(&[0, 4]), "part 1 is on processor 4, but there are only 4 processors");
    assert_eq!(error(&[3, 1, 3]), "parts 0 and 2 are both on processor 3; each needs its own");
    assert_eq!(error(&[0; 5]), "5 parts do not fit on torus:2x2, which has 4 processors");
    let quotient = random_quotient(3, 4, 1);
    let subject =
        Subject { quotient: &quotient, machine: &machine, cut_tree: None, centroids: None };
    let missing = place(Method::CutTree, &subject, &quick()).unwrap_err().to_string();
    assert_eq!(missing, "placement `cut-tree` needs a cut tree");
    let short = Subject { centroids: Some(&[[0.0; 3]]), ..subject };
    let error = place(Method::Halving, &short, &quick()).unwrap_err().to_string();
    assert_eq!(error, "centroids: 1 entries for 3 parts");
    assert!("serach".parse::<Method>().unwrap_err().to_string().contains("did you mean `search`?"));
}

#[test]
fn rankfiles_name_hosts_and_slots() {
    let machine: Machine = "torus:2x2".parse().unwrap();
    let placement = Placement::new(vec![3, 0, 2], &machine).unwrap();
    let hosts = parse_hosts("a:1, b:2\nc").unwrap();
    let text = rankfile(&placement, &hosts).unwrap();
    assert_eq!(text, "rank 0=c slot=0\nrank 1=a slot=0\nrank 2=b slot=1\n");
    let other = |format| ranks(format, &placement, &hosts).unwrap();
    assert_eq!(other(RankFormat::Slurm), "c\na\nb\n");
    let near = Placement::new(vec![2, 1, 3, 0], &machine).unwrap();
    let text = ranks(RankFormat::Mpich, &near, &hosts).unwrap();
    assert_eq!(text, "b:2\nc:1\na:1\n");
    let few = rankfile(&placement, &hosts[..2]).unwrap_err().to_string();
    assert_eq!(few, "the hosts have only 3 slots, but a part is on processor 3");
    let again = parse_hosts("a:1 b:1 a:2").unwrap();
    let text = rankfile(&placement, &again).unwrap();
    assert_eq!(text, "rank 0=a slot=2\nrank 1=a slot=0\nrank 2=a slot=1\n");
    let many = parse_hosts("n[08-09]:2,[::1]:3").unwrap();
    let many: Vec<_> = many.iter().map(|host| (host.name.as_str(), host.slots)).collect();
    assert_eq!(many, [("n08", 2), ("n09", 2), ("[::1]", 3)]);
    for bad in ["a:0", ":3", "a,b:x", "n[3-1]:2"] {
        assert!(parse_hosts(bad).unwrap_err().to_string().contains("expected name or name:slots"));
    }
}

#[test]
fn the_header_names_partners_both_ways() {
    let quotient = Quotient::new(3, &[(0, 1, 5), (1, 2, 7), (2, 1, 4)]);
    let machine: Machine = "torus:2x2 without 1".parse().unwrap();
    let placement = Placement::new(vec![3, 0, 2], &machine).unwrap();
    let text = neighbours_header(&quotient, &placement, &machine);
    for line in [
        "enum { PALMETTE_PARTS = 3, PALMETTE_PROCESSORS = 4 };",
        "{ 1, -1, 2, 0 };",
        "palmette_sources[] = { 0, 2, 1 };",
        "palmette_source_first[] = { 0, 0, 2, 3 };",
        "palmette_source_values[] = { 5, 4, 7 };",
        "palmette_targets[] = { 1, 2, 1 };",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
}
