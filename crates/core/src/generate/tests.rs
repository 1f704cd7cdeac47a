use super::*;
use crate::Tree;

fn tree(shape: Shape, n: usize, seed: u64) -> Tree {
    let parents = generate(shape, n, seed).expect("the parameters are good");
    assert_eq!(parents.len(), n, "{shape}");
    assert_eq!(parents[0], NONE, "{shape}: vertex 0 is the root");
    assert_eq!(generate(shape, n, seed).as_ref(), Ok(&parents), "{shape} is reproducible");
    Tree::from_parents(&parents).unwrap_or_else(|e| panic!("{shape} with {n} vertices: {e}"))
}

fn height(tree: &Tree) -> u32 {
    tree.depths().into_iter().max().expect("not empty")
}

fn mean_depth(shape: Shape, n: usize) -> f64 {
    let depths = tree(shape, n, 11).depths();
    depths.iter().map(|&d| f64::from(d)).sum::<f64>() / n as f64
}

fn most_children(tree: &Tree) -> u32 {
    tree.child_counts().into_iter().max().expect("not empty")
}

#[test]
fn every_shape_is_a_tree_for_every_small_size() {
    for n in 1..200 {
        for seed in 0..4 {
            for shape in Shape::FREE {
                let tree = tree(shape, n, seed);
                match shape {
                    Shape::Path => assert_eq!(height(&tree) as usize, n - 1),
                    Shape::Star => assert_eq!(height(&tree) as usize, usize::from(n > 1)),
                    Shape::Perfect => {
                        assert_eq!(height(&tree), n.ilog2());
                        assert_eq!(tree.leaves(), n.div_ceil(2));
                    }
                    Shape::Caterpillar => {
                        assert!(most_children(&tree) <= 2);
                        assert_eq!(
                            tree.leaves(),
                            (n / 2).max(1) + usize::from(n % 2 == 1 && n > 1)
                        );
                    }
                    Shape::Broom => assert_eq!(tree.leaves(), (n / 2).max(1)),
                    Shape::DoubleBroom => {
                        let path = (n - 1) / 4;
                        assert_eq!(height(&tree) as usize, path.max(usize::from(n > 1)));
                        let on_root = tree.children(0).filter(|&c| tree.is_leaf(c)).count();
                        let leaves = if path > 1 { n - 1 - 2 * path } else { n - 1 };
                        assert_eq!(on_root, leaves);
                        let paths = tree.children(0).filter(|&c| !tree.is_leaf(c));
                        let sizes: Vec<u32> = paths.map(|c| tree.sizes()[c as usize]).collect();
                        let expected = if path > 1 { vec![path as u32; 2] } else { vec![] };
                        assert_eq!(sizes, expected);
                        assert!(tree.child_counts()[1..].iter().all(|&c| c <= 1));
                    }
                    Shape::Binary | Shape::Bst => assert!(most_children(&tree) <= 2),
                    Shape::Phylogeny | Shape::FullBinary => {
                        assert_eq!(tree.leaves(), n.div_ceil(2));
                        let unary = tree.child_counts().iter().filter(|&&c| c == 1).count();
                        assert_eq!(unary, usize::from(n % 2 == 0));
                        assert!(most_children(&tree) <= 2);
                    }
                    _ => {}
                }
            }
        }
    }
}

#[test]
fn a_double_broom_in_numbers() {
    let made = |n| generate(Shape::DoubleBroom, n, 1).expect("the parameters are good");
    assert_eq!(made(4), [NONE, 0, 0, 0]);
    assert_eq!(made(9), [NONE, 0, 0, 0, 0, 0, 5, 0, 7]);
    assert_eq!(made(12), [NONE, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 10]);
}

#[test]
fn profiles_have_exactly_their_height() {
    for n in 1..60u32 {
        for h in 0..n {
            let shape = Shape::Profile { vertices: n, height: h };
            if h == 0 && n > 1 {
                let error = GenerateError::Height { vertices: n, height: 0 };
                assert_eq!(generate(shape, n as usize, 1), Err(error));
            } else {
                assert_eq!(height(&tree(shape, n as usize, u64::from(h))), h);
            }
        }
    }
    for (name, n, h) in PAPER_PROFILES.into_iter().take(6) {
        let shape: Shape = format!("profile:{name}").parse().expect("a known profile");
        assert_eq!(shape, Shape::Profile { vertices: n, height: h });
        assert_eq!(height(&tree(shape, n as usize, 1)), h, "{name}");
    }
}

#[test]
fn names_round_trip() {
    let profile = Shape::Profile { vertices: 504_855, height: 490 };
    for shape in Shape::FREE.into_iter().chain([profile]) {
        assert_eq!(shape.to_string().parse(), Ok(shape));
    }
    let error = "palm".parse::<Shape>().expect_err("no such shape").to_string();
    assert_eq!(
        error,
        "unknown shape `palm`; expected one of random, path, caterpillar, star, perfect, binary, \
         full-binary, bst, phylogeny, preferential, broom, double-broom, \
         profile:VERTICES:HEIGHT"
    );
    for bad in ["profile", "profile:", "profile:3", "profile:a:b", "profile:1:2:3", "profile:5,4"] {
        let error = bad.parse::<Shape>().expect_err(bad);
        assert!(error.to_string().contains("profile:VERTICES:HEIGHT"), "{error}");
    }
    let error = "profile:5:5".parse::<Shape>().expect_err("too high").to_string();
    assert_eq!(error, "no tree with 5 vertices has height 5; the height must be 1 to 4");
}

#[test]
fn shapes_are_read_with_their_sizes() {
    let profile = Shape::Profile { vertices: 9, height: 4 };
    for (text, found) in [("path:7", (Shape::Path, 7)), ("profile:9:4", (profile, 9))] {
        assert_eq!(Shape::with_size(text), Ok(found));
    }
    for text in ["star", "star:", "star:many", "star:5:3"] {
        let error = Shape::with_size(text).expect_err(text).to_string();
        assert_eq!(error, format!("`{text}` needs a number of vertices, such as star:1000"));
    }
    assert!(Shape::with_size("palm:3").is_err());
}

#[test]
fn bad_sizes_are_errors() {
    assert_eq!(generate(Shape::Path, 0, 1), Err(GenerateError::Empty));
    let vertices = u64::from(u32::MAX);
    assert_eq!(
        generate(Shape::Path, vertices as usize, 1),
        Err(GenerateError::TooMany { vertices })
    );
    let shape = Shape::Profile { vertices: 5, height: 2 };
    let error = GenerateError::OtherNumber { expected: 5, actual: 6 };
    assert_eq!(generate(shape, 6, 1), Err(error));
    assert_eq!(GenerateParams::default().generate(), Err(GenerateError::NoNumber));
    let params = GenerateParams { shape, ..GenerateParams::default() };
    assert_eq!(params.generate().map(|p| p.len()), Ok(5));
}

#[test]
fn mean_depths_are_as_proved() {
    let n = 1 << 18;
    let ln = (n as f64).ln();
    // H(n) - 1 = ln n - 0.42, with a bounded variance.
    assert!((mean_depth(Shape::Random, n) - ln).abs() < 3.0);
    // 2 ln n - 2.85 (Knuth), with a bounded variance.
    assert!((mean_depth(Shape::Bst, n) - (2.0 * ln - 2.85)).abs() < 3.0);
    // Half the vertices of a Yule tree are the search tree, the others hang below it.
    assert!((mean_depth(Shape::Phylogeny, n) - (2.0 * ln - 3.2)).abs() < 3.0);
    // Half of ln n: half the choices are as in the random recursive tree.
    assert!((mean_depth(Shape::Preferential, n) - 0.5 * ln).abs() < 2.0);
    // √(πn) in the mean, but with a standard deviation of about 0.3 of it: average.
    let (trees, n) = (400, 4001);
    let means = (0..trees).map(|seed| {
        let depths = tree(Shape::Binary, n, seed).depths();
        depths.iter().map(|&d| f64::from(d)).sum::<f64>() / n as f64
    });
    let ratio = means.sum::<f64>() / trees as f64 / (std::f64::consts::PI * n as f64).sqrt();
    assert!((ratio - 1.0).abs() < 0.07, "{ratio}");
}

#[test]
fn preferential_attachment_makes_hubs() {
    let n = 100_000;
    assert!(most_children(&tree(Shape::Preferential, n, 5)) > 150);
    assert!(most_children(&tree(Shape::Random, n, 5)) < 40);
}

#[test]
fn a_shuffle_keeps_the_shape() {
    for shape in Shape::FREE {
        let parents = generate(shape, 500, 3).expect("the parameters are good");
        let shuffled = shuffle(&parents, 3);
        assert_ne!(parents, shuffled);
        let [before, after] = [&parents, &shuffled].map(|p| {
            let tree = Tree::from_parents(p).expect("a tree");
            let mut rows: Vec<_> = tree
                .depths()
                .into_iter()
                .zip(tree.sizes().to_vec())
                .zip(tree.child_counts())
                .collect();
            rows.sort_unstable();
            rows
        });
        assert_eq!(before, after, "{shape}");
    }
    assert!(shuffle(&[], 1).is_empty());
    assert_eq!(shuffle(&[NONE], 1), [NONE]);
}

#[test]
fn seeds_differ_and_lengths_are_positive() {
    assert_ne!(generate(Shape::Random, 100, 1), generate(Shape::Random, 100, 2));
    let lengths = lengths(&[0; 1000], 1);
    assert!(lengths.iter().all(|&l| l >= 0.0 && l.is_finite()));
    assert_eq!(lengths[..3], self::lengths(&[0; 3], 1)[..]);
    assert_eq!(self::lengths(&[NONE, 0], 1), [0.0, lengths[1]]);
}
