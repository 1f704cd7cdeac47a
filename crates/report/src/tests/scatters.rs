//! Points with names and groups.

use super::check;
use crate::{AxisSpec, MAX_GROUPS, Scatter, ScatterColours};

fn scatter(n: usize, colours: ScatterColours) -> Scatter {
    let place = |i: usize| {
        let turn = i as f64 * 2.399;
        ((i as f64).sqrt() * turn.cos(), (i as f64).sqrt() * turn.sin())
    };
    Scatter {
        title: "Principal coordinates of table.tsv".into(),
        note: "unweighted UniFrac".into(),
        x: AxisSpec::linear("PC1 (41.2 %)"),
        y: AxisSpec::linear("PC2 (12.0 %)"),
        points: (0..n).map(place).collect(),
        names: (0..n).map(|i| format!("sample <{i}> & more")).collect(),
        colour_by: "place".into(),
        colours,
    }
}

#[test]
fn scatters_are_legible() {
    for n in [0, 1, 2, 20, 150, 700] {
        check(&scatter(n, ScatterColours::None).to_svg());
        let words =
            (0..n).map(|i| if i % 9 == 4 { String::new() } else { format!("group {}", i % 20) });
        check(&scatter(n, ScatterColours::Groups(words.collect())).to_svg());
        let numbers = (0..n).map(|i| if i == 1 { f64::NAN } else { i as f64 / 7.0 });
        check(&scatter(n, ScatterColours::Numbers(numbers.collect())).to_svg());
    }
}

#[test]
fn small_groups_are_one() {
    let n = 100;
    let words = (0..n).map(|i| format!("g{}", i % 20)).collect();
    let picture = scatter(n, ScatterColours::Groups(words)).to_svg();
    assert!(picture.contains("other groups"));
    assert_eq!((0..20).filter(|k| picture.contains(&format!(">g{k}<"))).count(), MAX_GROUPS);
}

#[test]
fn names_go_where_they_fit_and_hints_have_all() {
    let few = scatter(8, ScatterColours::None).to_svg();
    let many = scatter(300, ScatterColours::None).to_svg();
    let shown = |picture: &str| picture.matches("class=\"note\"").count();
    assert!(shown(&few) >= 8 && shown(&many) < 150);
    assert!((0..300).all(|i| many.contains(&format!("sample &lt;{i}&gt; &amp; more: "))));
    let mut odd = scatter(3, ScatterColours::None);
    odd.points[1].0 = f64::NAN;
    let picture = odd.to_svg();
    check(&picture);
    assert!(picture.contains("1 point is not finite"));
}
