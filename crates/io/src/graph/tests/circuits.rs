//! Netlists with subcircuits, parameters, includes and waveforms, and messages about bad ones.

use super::*;
use palmette_core::circuit::{ElementKind, Waveform};
use std::path::Path;

fn netlist(text: &str) -> NetlistFile {
    match read_netlist_bytes("n.sp", text.as_bytes()) {
        Ok(file) => file,
        Err(error) => panic!("{error} in {text:?}"),
    }
}

/// The message about a text, without the file's name.
fn wrong(text: &str) -> String {
    let error = read_netlist_bytes("n.sp", text.as_bytes()).map(|file| file.circuit);
    let error = error.expect_err(text).to_string();
    error.strip_prefix("n.sp, ").unwrap_or(&error).to_string()
}

/// Elements as `name a b value`, sorted.
fn elements(file: &NetlistFile) -> Vec<String> {
    let text = |k: usize| {
        let element = &file.circuit.elements[k];
        let [a, b] = element.ends.map(|node| file.nodes.get(node));
        format!("{} {a} {b} {}", file.elements.get(k as u32), element.value)
    };
    let mut all: Vec<String> = (0..file.circuit.elements.len()).map(text).collect();
    all.sort();
    all
}

#[test]
fn subcircuits_with_parameters() {
    let text = "* nested\n\
        Xtop vdd mid cell r=2 ; two ohms\n\
        Xlow mid 0 CELL params: load='1m * k'\n\
        .subckt cell a b r=1 load=0\n\
        .subckt inner p q rr=7\n\
        R1 p x {rr}\n\
        R2 x q {rr/2}\n\
        .ends inner\n\
        X1 a m inner rr={3*r}\n\
        R1 m B r\n\
        I1 m gnd {load}\n\
        C1 rail m 1p m=2\n\
        .ends\n\
        .global rail\n\
        .param k = 4\n\
        Rr rail 0 1\n\
        V1 vdd 0 {3 * k}\n";
    let file = netlist(text);
    let expected = [
        "Rr rail 0 1",
        "V1 vdd 0 12",
        "Xlow.C1 rail Xlow.m 0.000000000002",
        "Xlow.I1 Xlow.m 0 0.004",
        "Xlow.R1 Xlow.m 0 1",
        "Xlow.X1.R1 mid Xlow.X1.x 3",
        "Xlow.X1.R2 Xlow.X1.x Xlow.m 1.5",
        "Xtop.C1 rail Xtop.m 0.000000000002",
        "Xtop.I1 Xtop.m 0 0",
        "Xtop.R1 Xtop.m mid 2",
        "Xtop.X1.R1 vdd Xtop.X1.x 6",
        "Xtop.X1.R2 Xtop.X1.x Xtop.m 3",
    ];
    assert_eq!(elements(&file), expected);
}

#[test]
fn parameters_come_from_the_nearest_instance() {
    let text = "*\n.param k=1 j=3\nX1 a b s\nX2 a b t\nX3 a b s2 k=30\n\
        .subckt s p q\n.param k=20\nX2 p q t\n.ends\n\
        .subckt s2 p q k=0\nX2 p q t\nX3 p q s\n.ends\n\
        .subckt t x y\nR1 x y {k + j}\n.ends\n";
    let expected = ["X1.X2.R1 a b 23", "X2.R1 a b 4", "X3.X2.R1 a b 33", "X3.X3.X2.R1 a b 23"];
    assert_eq!(elements(&netlist(text)), expected);
}

#[test]
fn names_are_the_same_in_large_and_small_letters() {
    let text = "*\nR1 B Gnd 1\nX1 B s\n.subckt s p\nC1 p In 1p\nR1 In 0 1\n.ends\n\
        .ic v(b)=2 V(x1.iN)=1\n";
    let file = netlist(text);
    let node = |name: &str| file.find_node(name);
    assert_eq!([node("b"), node("B"), node("X1.IN")], [Some(0), Some(0), Some(2)]);
    assert_eq!((node("0"), node("GND"), node("c")), (Some(1), Some(1), None));
    assert_eq!(file.initial, [(0, 2.0), (2, 1.0)]);
    assert_eq!((file.element("r1").ok(), file.element("x1.c1").ok()), (Some(0), Some(1)));
    let missing = file.element("zz").expect_err("no such element").to_string();
    assert_eq!(missing, "n.sp: expected an element of the netlist, found `zz`");
}

#[test]
fn options_of_elements() {
    let text = "*\n.temp 77\nR1 a 0 10 tc1=0.01\nR2 a 0 10 tc1=0.01 tc2=1e-4 temp=37\n\
        R3 a 0 r={5+5} m=4 scale=2\nC1 a 0 c=1 tc=0.5,0.25 dtemp=-48 ic=3\n\
        L1 a 0 4 m=2\nI1 0 a 2 m=3\nV1 a 0 ac 1 45 dc 5\nR4 a 0 1 noisy=0 ac=5\n";
    let file = netlist(text);
    let value = |name: &str| {
        let k = file.element(name).expect(name);
        file.circuit.elements[k as usize].value
    };
    assert_eq!(value("R1"), 15.0);
    assert!((value("R2") - 10.0 * (1.0 + 0.1 + 0.01)).abs() < 1e-12);
    assert_eq!(value("R3"), 5.0);
    // Two degrees above nominal.
    assert_eq!(value("C1"), 1.0 + 0.5 * 2.0 + 0.25 * 4.0);
    assert_eq!([value("L1"), value("I1"), value("V1"), value("R4")], [2.0, 6.0, 5.0, 1.0]);
    // At the nominal temperature coefficients change nothing.
    let plain = netlist("*\nR1 a 0 10 tc1=0.01 tc2=5\n.options tnom=50 temp = 50\n");
    assert_eq!(plain.circuit.elements[0].value, 10.0);
}

#[test]
fn waveforms() {
    let text = "*\nI0 a 0 0 PULSE(0,1m,2n,100p,200p,3n,7n)\nI1 a 0 PWL(0 1 1n 2\n+ 2n 2)\n\
        V1 b 0 DC 3 SIN(3 {amp} 1k)\n.param amp=2\nI2 a 0 pwl 1n 5 2n 6\nr1 a 0 1\n\
        I3 a 0 PULSE(1 2) m=2\n.tran 10p 10n\n.print tran v(a) v(a,b) i(V1) db(a)\n.ic v(a)=1.5\n";
    let file = netlist(text);
    let wave = |name: &str| {
        let k = file.element(name).expect(name) as usize;
        let element = file.circuit.elements[k];
        (element.value, file.circuit.wave(&element).cloned())
    };
    let times = [Some(100e-12), Some(200e-12), Some(3e-9), Some(7e-9)];
    let pulse = Waveform::Pulse { levels: [0.0, 1e-3], delay: 2e-9, times };
    assert_eq!(wave("I0"), (0.0, Some(pulse)));
    let lines = Waveform::Pwl(vec![[0.0, 1.0], [1e-9, 2.0], [2e-9, 2.0]]);
    assert_eq!(wave("I1"), (1.0, Some(lines)));
    assert_eq!(wave("I2").0, 5.0);
    let pulse = Waveform::Pulse { levels: [2.0, 4.0], delay: 0.0, times: [None; 4] };
    assert_eq!(wave("I3"), (2.0, Some(pulse)));
    let (value, sine) = wave("V1");
    assert!(value == 3.0 && matches!(sine, Some(Waveform::Sin { amplitude: 2.0, .. })));
    let card = TransientCard { step: 10e-12, stop: 10e-9, start: 0.0, largest: None };
    assert_eq!(file.transient, Some(card));
    let voltage = |names: &[&str]| Probe::Voltage(names.iter().map(ToString::to_string).collect());
    let probes = [voltage(&["a"]), voltage(&["a", "b"]), Probe::Current("V1".into())];
    assert_eq!((&file.probes[..], file.initial[0].1), (&probes[..], 1.5));
    assert!(file.notes.len() == 1 && file.notes[0].contains("`db(a)`"), "{:?}", file.notes);
}

#[test]
fn capacitors_are_open_and_inductors_short_at_the_operating_point() {
    let file = good("d.cir", "*\nV1 p 0 2\nL1 p q 1n\nR1 q a 1\nC1 a 0 1p\nR2 a 0 1\n");
    let netlist = file.netlist.expect("a netlist");
    assert_eq!(netlist.potentials(&[1.0]), [2.0, 0.0, 2.0, 1.0]);
    let counts = netlist.elements;
    assert_eq!((counts.capacitors, counts.inductors, counts.shorts), (1, 1, 1));
}

#[test]
fn control_blocks_are_skipped() {
    let file = netlist("*\nr1 a 0 1\n.control\nrun\nplot v(a)\n.ENDC\nr2 a 0 1\n.end\n");
    assert_eq!(file.circuit.elements.len(), 2);
    assert_eq!(file.notes, ["skipped the .control block at n.sp, line 3"]);
}

#[test]
fn bad_circuits() {
    for (text, message) in [
        ("*\nC1 a 0 -1p\n", "line 2: expected a capacitance, not negative, found `-1p`"),
        ("*\nL1 a 0 {-2}\n", "line 2: expected an inductance, not negative, found -2"),
        (
            "*\nR1 a 0 1 l=5\n",
            "line 2: expected options that are known (tc1, tc2, temp, dtemp, m, scale, ic, ac, noisy), found `l`",
        ),
        ("*\nR1 a 0 rmod\n", "line 2: expected a number, found `rmod`"),
        ("*\nR1 a 0 1e-400\n", "line 2: expected a number, found `1e-400`, which is too small"),
        ("*\nI1 a 0 1e400\n", "line 2: expected a number, found `1e400`"),
        ("*\nR1 a 0 {2*1e-400}\n", "line 2: expected a number, found `1e-400`, which is no number"),
        ("*\nR1 a 0 1\nR2 a\0b 0 1\n", "line 3: expected text, found a byte of 0"),
        ("*\nR1 a 0 {x}\n", "line 2: expected a number, found `x`, which is no parameter"),
        ("*\nR1 a 0 {1 + }\n", "line 2: expected a number, found an expression without an end"),
        ("*\nR1 a 0 {1\n", "line 2: expected an end of what was opened, found `{1`"),
        (
            "*\n.param a={b}\n.param b={a}\nR1 a 0 1\n",
            "line 2: expected a number, found the parameter `a`, which needs itself",
        ),
        (
            "*\n.param a=1\n.param A=2\nR1 a 0 1\n",
            "line 3: expected a new name for each parameter, found `a` again",
        ),
        (
            "*\n.param a\nR1 a 0 1\n",
            "line 2: expected `.param NAME=VALUE …`, an expression with blanks between braces, found `a`",
        ),
        (
            "*\n.subckt s a\nR1 a 0 1\nX1 a s\n.ends\nXa p s\nR2 p 0 1\n",
            "line 4: expected subcircuits that do not contain themselves, found `s` inside itself",
        ),
        (
            "*\n.subckt s a\nX1 a t\n.ends\n.subckt t a\nX1 a s\n.ends\nXa p s\n",
            "line 6: expected subcircuits that do not contain themselves, found `s` inside itself",
        ),
        (
            "*\n.subckt s a\nR1 a 0 1\n.ends t\n",
            "line 4: expected the end of `s`, found that of `t`",
        ),
        (
            "*\n.subckt s a\nR1 a 0 1\n",
            "line 2: expected `.ends` after `.subckt`, found the end of the file",
        ),
        ("*\n.ends\n", "line 2: expected `.subckt` before it, found `.ends`"),
        (
            "*\n.subckt s a a\n.ends\nR1 a 0 1\n",
            "line 2: expected a new name for each port, found `a` again",
        ),
        (
            "*\n.subckt s\n.ends\n.subckt S\n.ends\nR1 a 0 1\n",
            "line 4: expected a new name for each subcircuit, found `S` again, already in n.sp, line 2",
        ),
        (
            "*\n.subckt s a b\nR1 a b 1\n.ends\nX1 p s\n",
            "line 5: expected 2 nodes for `s`, found 1",
        ),
        (
            "*\n.subckt s a b\nR1 a b 1\n.ends\nX1 p 0 s r=1\n",
            "line 5: expected a parameter of `s`, found `r`",
        ),
        (
            "*\n.subckt s a\n.tran 1 2\n.ends\n",
            "line 3: expected elements and parameters in a subcircuit, found the card `.tran` inside one",
        ),
        ("*\nX1 a none\n", "line 2: expected a subcircuit that is defined, found `none`"),
        (
            "*\nI1 a 0 PWL(0 1 2 3 1 4)\n",
            "line 2: expected times of PWL that do not go back, found 1 after 2",
        ),
        ("*\nI1 a 0 PWL(0 1 2)\n", "line 2: expected pairs of time and value, found 3 numbers"),
        ("*\nI1 a 0 PULSE(1)\n", "line 2: expected PULSE(v1 v2 td tr tf pw per), found 1 numbers"),
        (
            "*\nI1 a 0 PULSE(0 1 0 -1)\n",
            "line 2: expected times of PULSE that are not negative, found -1",
        ),
        (
            "*\nI1 a 0 PULSE(0 1\n",
            "line 2: expected `)` after the numbers of a waveform, found the end",
        ),
        (
            "*\nI1 a 0 EXP(0 1)\n",
            "line 2: expected PWL, PULSE or SIN, the waveforms that are supported, found `EXP`",
        ),
        (
            "*\nI1 a 0 PWL(0 1 2 3) r=0\n",
            "line 2: expected a waveform without this option, found `r`",
        ),
        ("*\nV1 a 0 1 2\n", "line 2: expected one value, found another, 2"),
        ("*\nV1 a 0 DC\n", "line 2: expected a number after DC, found the end"),
        ("*\nV1 a 0 1 m=2\n", "line 2: expected a source without this option, found `m`"),
        (
            "*\nr1 a 0 1\n.tran 1n\n",
            "line 3: expected `.tran STEP STOP [START [LARGEST]]`, found 1 numbers",
        ),
        (
            "*\nr1 a 0 1\n.tran 1n 5n uic\n",
            "line 3: expected a transient that starts at the operating point, found `uic`",
        ),
        (
            "*\nr1 a 0 1\n.tran -1n 5n\n",
            "line 3: expected a positive step, an end after it and a start before the end, found [-1e-9, 5e-9]",
        ),
        ("*\nr1 a 0 1\n.ic v(b)=1\n", "line 3: expected a node of the netlist, found `b`"),
        ("*\nr1 a 0 1\n.temp 1 2\n", "line 3: expected one temperature, found 2 words"),
        (
            "*\nr1 a 0 1\n.control\n.end\n",
            "line 3: expected `.endc` after `.control`, found the end of the file",
        ),
        (
            "*\nr1 a 0 1\n.model m r tc1=1\n",
            "line 3: expected elements with values instead of models, found the card `.model`",
        ),
        (
            "*\nr1 a 0 1\n.ac dec 1 1 2\n",
            "line 3: expected an operating point (`.op`) or a transient (`.tran`), the analyses supported, found the card `.ac`",
        ),
        (
            "*\nr1 a 0 1\nk1 l1 l2 0.9\n",
            "line 3: expected a resistor (R), capacitor (C), inductor (L), voltage source (V), current source (I) or instance of a subcircuit (X), found an element of unknown kind, `k1`",
        ),
        (
            "*\n.subckt s a\nR1 a 0 1\nr1 a 0 2\n.ends\nX1 p s\n",
            "line 4: expected a new name for each element, found `X1.r1` again, already on line 3",
        ),
        ("*\nr1 a 0 1\n.lib x.lib\n", "line 3: expected `.lib FILE SECTION`, found `.lib x.lib`"),
        ("*\nr1 a 0 1\n.endl\n", "line 3: expected `.lib SECTION` before it, found `.endl`"),
    ] {
        assert_eq!(wrong(text), message, "{text:?}");
    }
    assert!(wrong("*\nr1 a 0 1\n.foo\n").starts_with("line 3: expected no card that may change"));
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("a file");
}

#[test]
fn files_within_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir(at("parts")).expect("a folder");
    write(
        folder.path(),
        "top.sp",
        "* top\n.include 'parts/cells.inc'\nX1 a cell\nR0 a 0 {r}\n.lib \"parts/all.lib\" slow\n",
    );
    write(&at("parts"), "cells.inc", ".subckt cell p\n.inc body.inc\n.ends\n.end\nnonsense\n");
    write(&at("parts"), "body.inc", "R1 p 0 5\n");
    write(
        &at("parts"),
        "all.lib",
        "ignored\n.lib fast\n.param r=1\n.endl\n.lib SLOW\n.param r=9\n.endl slow\n",
    );
    let file = read_netlist(at("top.sp")).expect("a netlist");
    assert_eq!(elements(&file), ["R0 a 0 9", "X1.R1 a 0 5"]);
    let graph = read_graph(at("top.sp"), &GraphReadParams::default()).expect("a graph");
    assert_eq!(graph.ground, Some(vec![1.0 / 9.0 + 1.0 / 5.0]));

    let message =
        |name: &str| read_netlist(at(name)).map(|file| file.circuit).expect_err(name).to_string();
    // An error names the file that has it.
    write(&at("parts"), "body.inc", "* c\nR1 p 0 -5\n");
    let text = message("top.sp");
    let place =
        format!("{}, line 2: expected a resistance", at("parts").join("body.inc").display());
    assert!(text.starts_with(&place), "{text}");
    write(folder.path(), "a.sp", "r1 a 0 1\n.include b.sp\n");
    write(folder.path(), "b.sp", "r2 a 0 1\n.include ./a.sp\n");
    let text = message("a.sp");
    assert!(text.contains("b.sp, line 2: expected files that do not include themselves"), "{text}");
    write(folder.path(), "c.sp", "r1 a 0 1\n.include none.sp\n");
    assert!(
        message("c.sp").contains("c.sp, line 2: expected a file that can be read, found `none.sp`")
    );
    write(folder.path(), "d.sp", "r1 a 0 1\n.lib parts/all.lib typical\n");
    let text = message("d.sp");
    assert!(
        text.ends_with("the section `typical` of a library, found `parts/all.lib` without it"),
        "{text}"
    );
    write(folder.path(), "e.sp", "r1 a 0 1\n.include f.sp\nr2 a 0 1\n");
    write(folder.path(), "f.sp", "\nR2 a 0 1\n");
    let text = message("e.sp");
    assert!(text.contains("again, already in") && text.contains("f.sp, line 2"), "{text}");
}

#[test]
fn a_deep_nest_of_subcircuits() {
    let mut text = String::from("*\n.subckt s0 a\nR1 a 0 1\n.ends\n");
    for k in 1..2000 {
        text += &format!(".subckt s{k} a\nX a s{}\n.ends\n", k - 1);
    }
    let file = netlist(&format!("{text}X a s999\n"));
    assert_eq!(file.circuit.elements[0].kind, ElementKind::Resistor);
    let message = wrong(&format!("{text}X a s1999\n"));
    assert!(
        message.ends_with("at most 1000 instances within each other, found one more"),
        "{message}"
    );
    // 2^41 instances: they are counted first.
    let mut bomb = String::from("*\n.subckt s0 a\n.ends\n");
    for k in 1..41 {
        bomb += &format!(".subckt s{k} a\nX1 a s{0}\nX2 a s{0}\n.ends\n", k - 1);
    }
    assert_eq!(netlist(&format!("{bomb}X a s3\nR1 a 0 1\n")).circuit.elements.len(), 1);
    let message = wrong(&format!("{bomb}R1 a 0 1\nX a s40\n"));
    assert_eq!(
        message,
        "line 165: expected subcircuits of fewer than 4294967294 elements and instances, \
        found 2199023255550"
    );
    // 2^100 do not overflow.
    for k in 41..101 {
        bomb += &format!(".subckt s{k} a\nX1 a s{0}\nX2 a s{0}\n.ends\n", k - 1);
    }
    assert!(wrong(&format!("{bomb}X a s100\n")).ends_with("found more than 2^64"));
}
