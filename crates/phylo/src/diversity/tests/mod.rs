//! The definitions, word for word, against the engines.

use super::*;
use proptest::prelude::*;

mod others;

/// Shares by position and sample, from the definition.
fn shares(tree: &Tree, samples: &Samples) -> Vec<Vec<f64>> {
    let mut all = vec![vec![0.0; samples.len()]; tree.len()];
    let each = (0..samples.len()).map(|i| (i, samples.sample(i)));
    for (i, (tips, counts)) in each {
        let total: f64 = counts.iter().sum();
        for (&tip, &count) in tips.iter().zip(counts).filter(|(_, count)| **count > 0.0) {
            let mut at = tree.positions()[tip as usize];
            while at != NONE {
                all[at as usize][i] += count / total;
                at = tree.parents()[at as usize];
            }
        }
    }
    all
}

fn counted(tree: &Tree, lengths: &[f64], params: DiversityParams) -> Vec<f64> {
    let length = |p: usize| match tree.parents()[p] == NONE && !params.root_length {
        true => 0.0,
        false => lengths[tree.vertices()[p] as usize],
    };
    (0..tree.len()).map(length).collect()
}

fn naive(
    tree: &Tree,
    lengths: &[f64],
    samples: &Samples,
    distance: Distance,
    params: DiversityParams,
) -> Condensed {
    let (shares, lengths) = (shares(tree, samples), counted(tree, lengths, params));
    let empty = samples.empty();
    let sum = |i: usize, j: usize, term: &dyn Fn(f64, f64) -> f64| -> f64 {
        let term = |row: &Vec<f64>| if row[i] + row[j] > 0.0 { term(row[i], row[j]) } else { 0.0 };
        shares.iter().zip(&lengths).map(|(row, length)| length * term(row)).sum()
    };
    Condensed::by(samples.len(), |i, j| {
        let ratio = |above: &dyn Fn(f64, f64) -> f64, below: &dyn Fn(f64, f64) -> f64| match (
            empty[i],
            empty[j],
            sum(i, j, below),
        ) {
            (true, true, _) => 0.0,
            (true, false, _) | (false, true, _) => 1.0,
            (_, _, 0.0) => 0.0,
            (_, _, below) => sum(i, j, above) / below,
        };
        match distance {
            Distance::Unweighted => {
                ratio(&|p, q| f64::from(u8::from((p > 0.0) != (q > 0.0))), &|_, _| 1.0)
            }
            Distance::Weighted => sum(i, j, &|p, q| (p - q).abs()),
            Distance::WeightedNormalised => ratio(&|p, q| (p - q).abs(), &|p, q| p + q),
            Distance::Generalised { alpha } => {
                ratio(&|p, q| (p + q).powf(alpha - 1.0) * (p - q).abs(), &|p, q| {
                    (p + q).powf(alpha)
                })
            }
            Distance::KantorovichRubinstein { order } => {
                sum(i, j, &|p, q| (p - q).abs().powf(order)).powf(order.recip())
            }
        }
    })
}

const ALL: [Distance; 10] = [
    Distance::Unweighted,
    Distance::Weighted,
    Distance::WeightedNormalised,
    Distance::Generalised { alpha: 0.0 },
    Distance::Generalised { alpha: 0.3 },
    Distance::Generalised { alpha: 0.5 },
    Distance::Generalised { alpha: 1.0 },
    Distance::KantorovichRubinstein { order: 1.0 },
    Distance::KantorovichRubinstein { order: 2.0 },
    Distance::KantorovichRubinstein { order: 3.5 },
];

fn agree(tree: &Tree, lengths: &[f64], samples: &Samples, params: DiversityParams) {
    let (rows, own) = (shares(tree, samples), counted(tree, lengths, params));
    let pd = faith_pd(tree, lengths, samples, params).expect("valid");
    for (i, pd) in pd.iter().enumerate() {
        let known: f64 = rows.iter().zip(&own).filter(|(row, _)| row[i] > 0.0).map(|x| x.1).sum();
        assert!((pd - known).abs() <= 1e-12 * known.max(1.0), "{pd} {known}");
    }
    for distance in ALL {
        let found = distances(tree, lengths, samples, distance, params).expect("valid");
        let known = naive(tree, lengths, samples, distance, params);
        // A root of rounding errors: a k-th power of 1e-16 is no error of 1e-16.
        let room = match distance {
            Distance::KantorovichRubinstein { order } if order > 1.0 => 1e-9,
            _ => 1e-12,
        };
        for i in 0..samples.len() {
            for j in 0..i {
                let (a, b) = (found.get(i, j), known.get(i, j));
                assert!((a - b).abs() <= room * b.max(1.0), "{distance:?} {i} {j}: {a} {b}");
            }
        }
    }
}

/// Parents, lengths, and tips with counts by sample.
type Case = (Vec<u32>, Vec<f64>, Vec<Vec<(u32, f64)>>);

/// A tree of up to `n` vertices, lengths, and samples of its tips.
fn cases(n: usize, most: usize) -> impl Strategy<Value = Case> {
    let parents = prop::collection::vec(0u32..1 << 20, 1..n).prop_map(|picks| {
        let parent = |(v, pick): (usize, u32)| match v {
            0 => NONE,
            v => pick % v as u32,
        };
        picks.into_iter().enumerate().map(parent).collect::<Vec<u32>>()
    });
    parents.prop_flat_map(move |parents| {
        let n = parents.len();
        let length = prop_oneof![Just(0.0), 0.001f64..2.0];
        let lengths = prop::collection::vec(length, n);
        let tips: Vec<u32> = (0..n as u32).filter(|v| !parents.contains(v)).collect();
        let count = prop_oneof![Just(0.0), (1u32..50).prop_map(f64::from), 1e-4f64..1.0];
        let entry = (prop::sample::select(tips), count);
        let samples = prop::collection::vec(prop::collection::vec(entry, 0..12), 0..most);
        (Just(parents), lengths, samples)
    })
}

fn samples_of(lists: &[Vec<(u32, f64)>]) -> Samples {
    let mut starts = vec![0];
    let (mut tips, mut counts) = (Vec::new(), Vec::new());
    for list in lists {
        tips.extend(list.iter().map(|entry| entry.0));
        counts.extend(list.iter().map(|entry| entry.1));
        starts.push(tips.len());
    }
    Samples::new(starts, tips, counts).expect("valid")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn engines_agree_with_the_definitions(
        (parents, lengths, lists) in cases(40, 16), root_length: bool,
    ) {
        let tree = Tree::from_parents(&parents).expect("a tree");
        agree(&tree, &lengths, &samples_of(&lists), DiversityParams { root_length });
    }

    #[test]
    fn threads_do_not_show((parents, lengths, lists) in cases(60, 24)) {
        let tree = Tree::from_parents(&parents).expect("a tree");
        let samples = samples_of(&lists);
        for distance in ALL {
            let run = || distances(&tree, &lengths, &samples, distance, DiversityParams::default());
            let with = |threads| {
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool").install(run)
            };
            prop_assert_eq!(with(1), with(3));
        }
    }

    #[test]
    fn coordinates_give_distances_back(places in prop::collection::vec([-1f64..1.0, -1f64..1.0, -1f64..1.0], 2..30)) {
        let n = places.len();
        let distance = |i: usize, j: usize| {
            (0..3).map(|k| (places[i][k] - places[j][k]).powi(2)).sum::<f64>().sqrt()
        };
        let known = Condensed::by(n, distance);
        let found = pcoa(&known, PcoaParams::default()).expect("finite");
        prop_assert!(found.axes.len() <= 3 && found.negative.is_some_and(|(count, _)| count == 0));
        for i in 0..n {
            for j in 0..n {
                let square: f64 = found.axes.iter().map(|axis| (axis[i] - axis[j]).powi(2)).sum();
                prop_assert!((square.sqrt() - known.get(i, j)).abs() < 1e-6);
            }
        }
        prop_assert!((found.proportions.iter().sum::<f64>() - 1.0).abs() < 1e-6);
    }
}

#[test]
fn many_samples_fill_groups_and_dense_rows() {
    let parents: Vec<u32> = (0..800u32).map(|v| if v == 0 { NONE } else { (v - 1) / 2 }).collect();
    let tree = Tree::from_parents(&parents).expect("a tree");
    let lengths: Vec<f64> = (0..800).map(|v| f64::from(v % 17) / 7.0).collect();
    let mut state = 1u64;
    let mut next = |below: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % below
    };
    let mut lists: Vec<Vec<(u32, f64)>> = (0..70)
        .map(|i| {
            (0..(1 + i * i / 10)).map(|_| (400 + next(400) as u32, 1.0 + next(9) as f64)).collect()
        })
        .collect();
    lists.push(lists[60].clone());
    lists.push(lists[60].iter().map(|&(tip, count)| (tip, 3.0 * count)).collect());
    let samples = samples_of(&lists);
    agree(&tree, &lengths, &samples, DiversityParams::default());
    for distance in ALL {
        let found = distances(&tree, &lengths, &samples, distance, DiversityParams::default());
        let found = found.expect("valid");
        assert_eq!([found.get(60, 70), found.get(60, 71)], [0.0, 0.0], "{distance:?}");
    }
}

#[test]
fn a_deep_tree_is_walked_without_recursion() {
    let n = 200_001u32;
    let parents: Vec<u32> = (0..n).map(|v| if v == 0 { NONE } else { (v - 1) / 2 * 2 }).collect();
    let tree = Tree::from_parents(&parents).expect("a caterpillar");
    let lists = [vec![(n - 2, 1.0)], vec![(n - 1, 2.0), (1, 1.0)], vec![]];
    let samples = samples_of(&lists);
    let lengths = vec![1.0; n as usize];
    let pd = faith_pd(&tree, &lengths, &samples, DiversityParams::default()).expect("valid");
    assert_eq!(pd, [100_000.0, 100_001.0, 0.0]);
    for distance in ALL {
        let found = distances(&tree, &lengths, &samples, distance, DiversityParams::default());
        assert!(found.expect("valid").get(0, 1) > 0.0);
    }
}

#[test]
fn bad_numbers_are_named() {
    let tree = Tree::from_parents(&[NONE, 0, 0]).expect("a tree");
    let one = || Samples::new(vec![0, 1], vec![1], vec![1.0]).expect("valid");
    let ask = |lengths: &[f64], samples: &Samples, distance| {
        distances(&tree, lengths, samples, distance, DiversityParams::default()).expect_err("bad")
    };
    let plain = Distance::Unweighted;
    assert!(matches!(ask(&[0.0, 1.0], &one(), plain), DiversityError::Lengths { .. }));
    let nan = ask(&[f64::NAN, 1.0, f64::NAN], &one(), plain);
    assert!(matches!(nan, DiversityError::Length { vertex: 2, .. }), "the root's does not count");
    let below = ask(&[0.0, -1.0, 1.0], &one(), plain);
    assert_eq!(below, DiversityError::Length { vertex: 1, length: -1.0 });
    let inner = Samples::new(vec![0, 1], vec![0], vec![1.0]).expect("valid");
    assert_eq!(ask(&[0.0; 3], &inner, plain), DiversityError::NoTip { sample: 0, vertex: 0 });
    let alpha = Distance::Generalised { alpha: 1.5 };
    assert_eq!(ask(&[0.0; 3], &one(), alpha), DiversityError::Alpha { alpha: 1.5 });
    let order = Distance::KantorovichRubinstein { order: 0.5 };
    assert_eq!(ask(&[0.0; 3], &one(), order), DiversityError::Order { order: 0.5 });
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        let found = Samples::new(vec![0, 1], vec![1], vec![bad]);
        assert!(matches!(found, Err(DiversityError::Count { sample: 0, vertex: 1, .. })));
    }
    assert!(matches!(
        Samples::new(vec![0, 2], vec![1], vec![1.0]),
        Err(DiversityError::Shape { .. })
    ));
    let huge = Samples::new(vec![0, 2], vec![1, 2], vec![f64::MAX; 2]);
    assert_eq!(huge, Err(DiversityError::Total { sample: 0 }));
    let few = pcoa(&Condensed::new(1, vec![]), PcoaParams::default());
    assert_eq!(few, Err(DiversityError::FewSamples { samples: 1 }));
}

#[test]
fn equal_distances_have_equal_axes() {
    let found = pcoa(&Condensed::by(8, |_, _| 1.0), PcoaParams::default()).expect("finite");
    assert_eq!(found.axes.len(), 7);
    assert!(found.eigenvalues.iter().all(|value| (value - 0.5).abs() < 1e-9));
    // A triangle whose sides no plane has.
    let found =
        pcoa(&Condensed::new(3, vec![1.0, 1.0, 5.0]), PcoaParams::default()).expect("finite");
    assert!(found.negative.is_some_and(|(count, sum)| count == 1 && sum < 0.0));
    let found = pcoa(&Condensed::by(4, |_, _| 0.0), PcoaParams::default()).expect("finite");
    assert!(found.axes.is_empty());
}
