use roxmltree::{Document, Node};

use super::{attribute, check};
use crate::*;

fn bars(rounds: &[u64]) -> RunPicture<'_> {
    RunPicture { title: "a run of <treefix> & more", subtitle: "seed 1", loads: None, rounds }
}

/// Corner and size of every bar with a hint that begins with `round`.
fn drawn(picture: &str) -> Vec<[f64; 4]> {
    let document = Document::parse(picture).expect("well-formed");
    let is_round = |n: Node<'_, '_>| n.text().is_some_and(|t| t.starts_with("round"));
    let is_bar = |n: &Node<'_, '_>| n.first_element_child().is_some_and(is_round);
    let found = document.descendants().filter(|n| n.has_tag_name("rect") && is_bar(n));
    found.map(|n| ["x", "y", "width", "height"].map(|name| attribute(n, name))).collect()
}

#[test]
fn bars_are_as_high_as_their_counts() {
    let picture = bars(&[40, 20, 10, 0, 1]).to_svg();
    check(&picture);
    let found = drawn(&picture);
    let heights: Vec<f64> = found.iter().map(|b| b[3] / found[0][3] * 40.0).collect();
    for (height, count) in heights.iter().zip([40.0, 20.0, 10.0, 0.0, 1.0]) {
        assert!((height - count).abs() < 0.01, "{heights:?}");
    }
    assert!(found.windows(2).all(|w| w[0][0] + w[0][2] < w[1][0]), "bars do not touch");
    assert!(picture.contains(">vertices contracted per round<"));
    assert!(picture.contains("<title>round 5: 1 vertex</title>"));
    assert!(picture.contains("5 rounds · 71 vertices contracted · most in round 1: 40"));
    assert!(picture.contains("Link loads are not drawn"));
}

#[test]
fn far_apart_counts_are_on_a_log_scale() {
    let picture = bars(&[100_000, 1000, 10, 0, 1]).to_svg();
    check(&picture);
    assert!(picture.contains("per round, log scale, no bar for 0<"));
    let found = drawn(&picture);
    let steps: Vec<f64> = [0, 1].map(|i| found[i + 1][1] - found[i][1]).into();
    assert!(steps[0] > 10.0 && (steps[0] - steps[1]).abs() < 0.02, "{steps:?}");
    assert_eq!(found[3][3], 0.0);
    assert!(found[4][3] > 0.0, "a count of 1 has a bar");
    // 1000 times is not more than three decades.
    assert!(!bars(&[1000, 500, 1]).to_svg().contains("log scale"));
}

#[test]
fn many_rounds_are_joined() {
    for (count, width, bins) in [(60, 1, 60), (100, 1, 100), (101, 2, 51), (5000, 50, 100)] {
        let rounds: Vec<u64> = (0..count).map(|i| 5 + i % 3).collect();
        let picture = bars(&rounds).to_svg();
        check(&picture);
        assert_eq!(drawn(&picture).len(), bins, "{count}");
        let is_binned = picture.contains(&format!("means of {width} rounds"));
        assert_eq!(is_binned, width > 1, "{count}");
    }
    let long = vec![1; 1_000_000];
    let picture = bars(&long).to_svg();
    check(&picture);
    assert!(
        picture.contains("rounds 1 to 10,000: 1 vertices on average") && picture.len() < 40_000
    );
}

#[test]
fn odd_rounds_are_drawn() {
    for rounds in [&[][..], &[0], &[7], &[0, 0, 0], &[u64::MAX, 1], &[u64::MAX; 300]] {
        check(&bars(rounds).to_svg());
    }
    assert!(bars(&[]).to_svg().contains(">0 rounds<"));
}

#[test]
fn loads_and_rounds_stand_one_above_the_other() {
    for side in [1u32, 4, 64, 100] {
        let links = (side * (side - 1)) as usize;
        let horizontal: Vec<u64> = (0..links as u64).collect();
        let loads = LinkLoads {
            title: "Where the energy went",
            subtitle: "routes along rows & columns",
            width: side,
            height: side,
            horizontal: &horizontal,
            vertical: &horizontal,
        };
        let run = RunPicture { loads: Some(loads), ..bars(&[9, 5, 1]) };
        let picture = run.to_svg();
        check(&picture);
        let alone = loads.to_svg();
        let document = Document::parse(&alone).expect("well-formed");
        let height = attribute(document.root_element(), "height");
        assert!(drawn(&picture).iter().all(|bar| bar[1] > height), "{side}");
        assert!(
            picture.contains("Where the energy went<") && picture.contains("rows &amp; columns<")
        );
        // The map is the one that stands alone.
        let maps = [&picture, &alone].map(|p| p.matches("class=\"heat").count());
        assert_eq!(maps[0], maps[1]);
    }
}
