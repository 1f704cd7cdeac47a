//! What netlists say at their operating points, and messages about bad ones.

use super::*;

#[test]
fn a_divider_with_a_source_in_the_middle() {
    // 0 --1Ω-- a --(b is 3 V above a)-- b --1Ω-- top, which is 9 V; 2 A go from top to a.
    let text = "divider\nr1 0 a 1\nVm b a dc 3V\nR2 b top 1000m\nv9 top gnd 9\n\
                i1 top a 2 ; comment\nr3 a b 5\nr4 top 0 1\nrz a a2 0\n.op\n.END\nnonsense";
    let file = good("d.cir", text);
    let netlist = file.netlist.expect("a netlist");
    assert_eq!(file.graph.len(), 1);
    assert_eq!(file.ground, Some(vec![2.0]));
    // (a - 0) + (a + 3 - 9) = 2, hence a = 4.
    assert_eq!(netlist.currents, [8.0]);
    let names: Vec<_> = (0..5).map(|v| netlist.nodes.get(v)).collect();
    assert_eq!(names, ["0", "a", "b", "top", "a2"]);
    assert_eq!(netlist.potentials(&[4.0]), [0.0, 4.0, 7.0, 9.0, 4.0]);
    assert_eq!(netlist.places[2], Potential::Free { vertex: 0, offset: 3.0 });
    assert_eq!(netlist.places[3], Potential::Fixed(9.0));
    assert_eq!(netlist.nodes.find("b"), Lookup::Vertex(2));
    assert_eq!(
        file.found,
        GraphCounts { entries: 8, diagonal: 2, zeros: 1, ..GraphCounts::default() }
    );
}

#[test]
fn offsets_between_vertices_are_currents() {
    // The far ends of a resistor lie 1 V above a and 4 V above c.
    let text = "r1 a 0 1\nr2 c 0 1\nv1 b a 1\nv2 d c 4\nr3 b d 2\nr4 d b 2\n";
    let file = good("d.cir", text);
    let netlist = file.netlist.as_ref().expect("a netlist");
    assert_eq!(edges(&file), [(0, 1, 1.0)]);
    assert_eq!((file.form, file.found.duplicates), (GraphForm::Netlist, 1));
    // a + (b - d) = 0 and c - (b - d) = 0 with b = a + 1, d = c + 4.
    assert_eq!(netlist.currents, [3.0, -3.0]);
    let (a, c) = (1.0, -1.0);
    assert_eq!(netlist.potentials(&[a, c]), [1.0, 0.0, -1.0, 2.0, 3.0]);
}

#[test]
fn parallel_resistors_are_those_with_the_same_nodes() {
    let counts = |text: &str| {
        let found = good("p.cir", text).found;
        (found.duplicates, found.tied, found.diagonal)
    };
    assert_eq!(counts("*\nr1 a 0 1\nr2 a b 1\nr3 b c 1\n"), (0, 0, 0));
    // At vertices, at ground and at a pad, in any direction.
    let text =
        "*\nv1 p 0 1\nr1 a b 1\nr2 b a 2\nr3 a 0 1\nr4 0 a 1\nr5 p b 1\nr6 p b 1\nr7 b 0 1\n";
    assert_eq!(counts(text), (3, 0, 0));
    // b and c are 1 V apart: from a there is one way to each.
    let tied = "*\nr1 a 0 1\nr2 a b 1\nr3 a c 2\nv1 b c 1\n";
    assert_eq!(counts(tied), (0, 1, 0));
    assert_eq!(counts(&format!("{tied}r4 c a 3\nr5 b c 1\nr6 b c 1\n")), (1, 1, 2));
}

#[test]
fn loads_and_supplies_add_up() {
    let text = "*\nv1 p 0 2\nr1 p a 0.5\ni1 a 0 3\ni2 0 a 1\nr2 a b 1\nv2 c b 4\nr3 c 0 2\n";
    let netlist = good("p.cir", text).netlist.expect("a netlist");
    assert_eq!(netlist.loads, [-2.0, 0.0]);
    // 2 V over half an ohm into a; c is 4 V above b, and drives 2 A through 2 ohms.
    assert_eq!(netlist.supplies, [4.0, -2.0]);
    assert_eq!(netlist.currents, [2.0, -2.0]);
}

#[test]
fn bad_netlists() {
    let float = "expected a path of resistors, inductors or voltage sources from each node to \
        ground, found";
    let kind = "expected a resistor (R), capacitor (C), inductor (L), voltage source (V), current \
        source (I) or instance of a subcircuit (X), found";
    let ohms = "expected a resistance, not negative, with a finite reciprocal, found";
    let sums = "expected finite sums at each node, found node";
    for (text, message) in [
        ("", "line 1: expected at least one element, found an empty file".into()),
        ("* only\n.end\n", "line 2: expected at least one element, found the end of the netlist".into()),
        (
            "r1 VDD 0 1\nr2 a 0 1\nr3 a vdd 1\n",
            "line 3: expected `VDD`, as on line 1, found `vdd`; SPICE ignores case in names".into(),
        ),
        ("title\n", "line 1: expected at least one element, found the end of the netlist".into()),
        ("title\n*\n+ r1 a 0 1\n", format!("line 3: {kind} a continuation of no element")),
        ("+ r1 a 0 1\n", format!("line 1: {kind} a continuation of no element")),
        ("*\n+ r a 0 1\n", format!("line 2: {kind} a continuation of no element")),
        ("*\nr1 a 0 1\nE1 b 0 a 0 2\n", format!("line 3: {kind} an element of unknown kind, `E1`")),
        ("*\nr1 a 0 1\n\u{3a9}1 a 0 1\n", format!("line 3: {kind} an element of unknown kind, `\u{3a9}1`")),
        // A first line that can be no title.
        ("X1 a b load\nr1 a 0 1\n", "line 1: expected a subcircuit that is defined, found `load`".into()),
        ("q1 a 0 b model\nr1 a 0 1\n", format!("line 1: {kind} an element of unknown kind, `q1`")),
        ("d4 a b 3\nr1 a 0 1\n", format!("line 1: {kind} an element of unknown kind, `d4`")),
        (
            ".include grid.inc\nr1 a 0 1\n",
            "line 1: expected a netlist in a file, which may include others, found `.include` in a \
            text".into(),
        ),
        (
            "*\nr1 a 0 1\n.options reltol=1e-3\n+ rshunt = 1e9\n",
            "line 3: expected options that do not change the answer, \
             found `rshunt` among those of `.options`".into(),
        ),
        (
            "*\nRload a 0 1\n\nv1 a b 1\nRLOAD a 0 2\n",
            "line 5: expected a new name for each element, found `RLOAD` again, already on line \
            2".into(),
        ),
        ("*\nr1 a 0\n", "line 2: expected `name node node value`, found `r1 a 0`".into()),
        ("*\nr1 a 0 1 2\n", "line 2: expected `name node node value`, found `r1 a 0 1 2`".into()),
        ("*\nr1 a 0 dc 2\n", "line 2: expected a number, found `dc`".into()),
        ("*\nr1 a 0 one\n", "line 2: expected a number, found `one`".into()),
        ("*\nr1 a 0 nan\n", "line 2: expected a number, found `nan`".into()),
        ("*\ni1 a 0 1e400\n", "line 2: expected a number, found `1e400`".into()),
        // A first line that names ground, or ends like a number, is a wrong element, no title.
        ("v1 a 0 inf\n", "line 1: expected a number, found `inf`".into()),
        ("r1 a b 1o0\n", "line 1: expected a number, found `1o0`".into()),
        ("r7 power grid test\n", "line 1: expected at least one element, found the end of the netlist".into()),
        ("r1 a 0 -1\n", format!("line 1: {ohms} `-1`")),
        ("r1 a 0 1e-310\n", format!("line 1: {ohms} `1e-310`")),
        ("r1 a 0 1e308\n", format!("line 1: {ohms} `1e308`")),
        (
            "v1 a 0 1\nv2 b a 1\n\nv3 b 0 3\n",
            "line 4: expected `b` at 2 V above `0`, as earlier sources say, found 3 V".into(),
        ),
        ("v1 a a 1\n", "line 1: expected `a` at 0 V above `a`, as earlier sources say, found 1 \
            V".into()),
        ("r1 a 0 1\n*\nr2 b c 1\n", format!("line 3: {float} node `b`, which floats")),
        ("r1 a b 1\n", format!("line 1: {float} node `a`, which floats")),
        ("r1 a 0 1\ni1 0 b 1\n", format!("line 2: {float} node `b`, which floats")),
        (
            "v1 a 0 1e308\nv2 b a 1e308\n",
            "line 2: expected voltage sources with finite sums, found node `b`, where they are infinite".into(),
        ),
    ] {
        assert_eq!(refused("n.sp", text), message, "{text:?}");
    }
    // The largest conductances are a quarter of the largest number.
    let repeat = |rest: &str| -> String { (1..=6).map(|k| format!("r{k} {rest}\n")).collect() };
    let many = repeat("a 0 3e-308");
    assert_eq!(refused("n.sp", many), format!("line 1: {sums} `a`, where they are infinite"));
    let many = "*\nr0 b 0 1\n".to_string() + &repeat("a b 3e-308");
    let infinite = "where conductances add up to infinity";
    assert_eq!(refused("n.sp", many), format!("line 2: {sums} `b`, {infinite}"));
}
