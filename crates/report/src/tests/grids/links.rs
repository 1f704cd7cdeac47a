//! Pictures of link loads.

use super::*;

fn machine<'a>(
    width: u32,
    height: u32,
    horizontal: &'a [u64],
    vertical: &'a [u64],
) -> LinkLoads<'a> {
    LinkLoads { title: "links", subtitle: "sub", width, height, horizontal, vertical }
}

#[test]
fn links_of_grids() {
    for (width, height) in [
        (0, 0),
        (0, 4),
        (1, 1),
        (1, 9),
        (9, 1),
        (4, 3),
        (64, 64),
        (65, 64),
        (300, 2),
        (1, 5000),
        (700, 700),
    ] {
        let horizontal = (u32::max(width, 1) - 1) * height;
        let vertical = width * (u32::max(height, 1) - 1);
        for bound in [1, 6, 1000, 1 << 40] {
            let mut state = bound;
            let mut loads = |count: u32| -> Vec<u64> {
                (0..count).map(|_| below(&mut state, bound) * below(&mut state, 2)).collect()
            };
            let (across, down) = (loads(horizontal), loads(vertical));
            let picture = machine(width, height, &across, &down).to_svg();
            check_grid(&picture);
            let count = u64::from(horizontal + vertical);
            let words = match count {
                0 => "no link".to_string(),
                _ => number::counted(count, "link", "links"),
            };
            assert!(picture.contains(&words), "{width} {height}");
            let drawn = paths(&picture, "heat") + paths(&picture, "zero");
            if width <= 64 && height <= 64 {
                assert_eq!(drawn as u64, count, "{width} {height}");
            }
            let all: Vec<u64> = across.iter().chain(&down).copied().collect();
            let most = all.iter().copied().max().unwrap_or(0);
            let marked = picture
                .contains(&format!(">most: {}", number::counted(most, "message", "messages")));
            assert_eq!(marked, most > 0, "{width} {height} {bound}");
            if count > 0 && bound <= 1000 {
                let mut found = table(&picture);
                found.retain(|_, shares| shares[0] != "0.0 %");
                assert_eq!(found, expected(&all), "{width} {height} {bound}");
            }
        }
    }
}

#[test]
fn the_most_loaded_link_is_marked() {
    let mut down = vec![1; 200 * 199];
    down[150 * 200 + 70] = 12_345;
    let picture = machine(200, 200, &vec![0; 199 * 200], &down).to_svg();
    check_grid(&picture);
    assert!(picture.contains(">most: 12,345 messages between (70, 150) and (70, 151)<"));
    assert!(picture.contains(">bins of 2 × 2 processors, from ") && picture.contains("log scale<"));
    let document = Document::parse(&picture).expect("well-formed");
    let rings: Vec<Node<'_, '_>> =
        document.descendants().filter(|n| has_class(*n, "mark")).collect();
    assert_eq!(rings.len(), 2);
    // Half a cell right of column 70 and below row 151, where row 0 begins at 106.
    let ring = rings.iter().map(|n| attribute(*n, "cy")).fold(f64::INFINITY, f64::min);
    assert!((ring - 106.0 - 151.0 * 2.0).abs() < 2.0, "{ring}");

    let alike = machine(3, 1, &[4, 4], &[]).to_svg();
    assert!(alike.contains(">most: 4 messages between (0, 0) and (1, 0)<"));
    assert!(alike.contains(">the first of 2 links with so many<"));
    assert!(alike.contains(">4 messages between (1, 0) and (2, 0)<"));
}

#[test]
#[should_panic(expected = "one load per horizontal link")]
fn a_missing_load() {
    machine(3, 3, &[1; 5], &[1; 6]).to_svg();
}

#[test]
fn numbers_stand_beside_their_cells() {
    let picture = machine(64, 64, &[1; 63 * 64], &[1; 64 * 63]).to_svg();
    let document = Document::parse(&picture).expect("well-formed");
    let texts = document.descendants().filter(|n| n.has_tag_name("text"));
    let above: Vec<Node<'_, '_>> = texts
        .filter(|n| has_class(*n, "tick") && n.attribute("text-anchor") == Some("middle"))
        .filter(|n| text_box(*n)[3] < 106.0 + down(*n))
        .collect();
    let numbers: Vec<&str> = above.iter().filter_map(|n| n.text()).collect();
    assert_eq!(numbers, ["0", "8", "16", "24", "32", "40", "48", "56"]);
    let apart = attribute(above[1], "x") - attribute(above[0], "x");
    assert_eq!(apart, 48.0);
}
