//! `palmette power` on chips' grids: every output on a small netlist, bad input, reference data.

use crate::{Place, refused};
use serde_json::Value;
use std::collections::HashMap;
use std::path::PathBuf;

/// Two pads, a row of three nodes, two loads that pulse, capacitors, an inductor; one load in a subcircuit.
const GRID: &[u8] = b"* row\n.include cells.inc\nV1 p1 0 1\nL1 p1 q1 1n\nR1 q1 n1_0_0 1\n\
    R2 n1_0_0 n1_1_0 1\nR3 n1_1_0 n1_2_0 1\nR4 n1_2_0 p2 1\nV2 p2 0 1\n\
    X1 n1_1_0 cell amps=100m\nI2 n1_0_0 0 0 PULSE(0 50m 1n 1n 1n 2n 10n)\n\
    C1 n1_0_0 0 1p\nC2 n1_2_0 0 1p\n.tran 100p 5n\n.print tran v(n1_0_0) v(n1_0_0,n1_2_0) i(V1)\n.end\n";

fn place() -> Place {
    Place::new(&[
        ("g.sp", GRID),
        ("cells.inc", b".subckt cell a amps=0\nI1 a 0 {amps}\nC1 a 0 2p\n.ends\n"),
        ("cases.csv", b"scenario,X1.I1,*\nidle,0,\nmore,2,1\nall,,3\n"),
        ("amps.csv", b"scenario,X1.I1\none,1\n"),
        ("xy.csv", b"node,x,y,layer\nn1_0_0,0,0,4\nn1_1_0,5,1,4\np1,0,3,5\n"),
        ("wrong.csv", b"scenario,R1\na,1\n"),
        ("far.csv", b"node,x,y\nnone,1,2\n"),
        ("loop.sp", b"* l\n.include loop2.sp\n"),
        ("loop2.sp", b"R1 a 0 1\n.include loop.sp\n"),
        ("self.sp", b"* s\n.subckt a p\nX1 p b\n.ends\n.subckt b p\nX1 p a\n.ends\nX1 q a\n"),
        ("back.sp", b"* b\nR1 a 0 1\nI1 a 0 PWL(0 0 2n 1 1n 0)\n"),
        ("minus.sp", b"* m\nR1 a 0 1\nC1 a 0 -1p\n"),
        ("ohms.sp", b"* o\nR1 a 0 -1\n"),
        ("float.sp", b"* f\nR1 a 0 1\n.subckt s p\nR1 p x 1\n.ends\nX1 b s\n"),
        ("twice.sp", b"* t\nR1 a 0 1\nr1 a 0 2\n"),
        ("card.sp", b"* c\nR1 a 0 1\n.model m r\n"),
        ("pad.sp", b"* p\nV1 a 0 1\nR1 a b 1\nI1 b 0 1m\n"),
        ("bare.csv", b"I2,x1.i1\n1,2\n1,\n"),
        ("both.csv", b"case,X1.I1,x1.i1\na,1,2\n"),
        ("again.csv", b"node,x,y\np1,1,2\nP1,1,2\n"),
        ("held.sp", b"* h\nV1 a 0 1\nR1 a b 1\nC1 b 0 1p\n.tran 1n 2n\n.ic v(b)=0 v(A)=2\n"),
        ("odd.sp", b"* o\nV1 A 0 1\nR1 A B 1k\nC1 B 0 1p\n.tran 3n 8n\n.print tran v(b) i(v1)\n"),
        ("print.sp", b"* p\nV1 a 0 1\nR1 a 0 1\n.tran 1n 2n\n.print tran v(a) v(zz)\n"),
        ("still.sp", b"* s\nV1 a 0 1\nR1 a b 1\nR2 b 0 1\n"),
    ])
}

fn result(place: &Place, line: &str) -> Value {
    let record: Value = serde_json::from_str(&place.stdout(line)).unwrap();
    record["result"].clone()
}

/// A column of a table by the first one.
fn column(table: &str, name: &str) -> HashMap<String, f64> {
    let mut lines = table.lines();
    let at = lines.next().unwrap().split(',').position(|head| head == name).unwrap();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        (cells[0].to_string(), cells[at].parse().unwrap_or(f64::NAN))
    };
    lines.map(row).collect()
}

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-9, "{a} and {b}");
}

#[test]
fn drops_and_currents() {
    let place = place();
    let found = result(
        &place,
        "power drop g.sp --json -o v.csv --elements e.csv --by-net n.csv --limit 0.04",
    );
    // 100 mA in the middle of four ohms: half from each side.
    near(found["worst_drop"].as_f64().unwrap(), 0.1);
    assert_eq!(found["worst_node"], "n1_1_0");
    near(found["supplied"].as_f64().unwrap(), 0.1);
    near(found["losses"].as_f64().unwrap(), 0.01);
    assert_eq!(found["over_limit"], 7);
    let voltages = column(&place.read("v.csv"), "voltage");
    near(voltages["n1_0_0"], 0.95);
    let currents = column(&place.read("e.csv"), "current");
    for (element, amperes) in
        [("R2", 0.05), ("V1", -0.05), ("L1", 0.05), ("X1.I1", 0.1), ("C1", 0.0)]
    {
        near(currents[element], amperes);
    }
    assert!(place.read("n.csv").starts_with("net,layer,nominal,nodes,node,worst_drop\n1,"));
    let text = place.stdout("power drop g.sp -o v.csv");
    assert!(text.contains("nominal V") && text.contains("n1_1_0"), "{text}");
    // As `graph solve` has it.
    let solved = column(&place.stdout("graph solve g.sp"), "voltage");
    for (node, voltage) in &solved {
        near(*voltage, voltages[node]);
    }
}

/// A table of limits goes before the limit of all, and names each element once.
#[test]
fn limits_of_single_elements() {
    let place = place();
    let write = |name: &str, text: &str| std::fs::write(place.path().join(name), text).unwrap();
    write("limits.csv", "element,limit\nr1,0.06\nV2,0.01\n");
    let found = |more: &str| {
        let line = format!("power drop g.sp --json -o v.csv --elements e.csv {more}");
        result(&place, &line)["over_limit"].clone()
    };
    assert_eq!(found("--limits limits.csv"), 1);
    let (limits, over) = (place.read("e.csv"), column(&place.read("e.csv"), "over_limit"));
    let limits = column(&limits, "limit");
    assert_eq!((limits["R1"], limits["V2"], over["R1"], over["V2"]), (0.06, 0.01, 0.0, 1.0));
    assert!(limits["R2"].is_nan(), "R2 has no limit");
    // Seven carry more than 0.04, R1 among them.
    assert_eq!(found("--limit 0.04 --limits limits.csv"), 6);
    // Scales are those of netlists.
    assert_eq!(found("--limit 40m --limits limits.csv"), 6);
    for limit in ["0", "-1m", "x", "nan", "1e999"] {
        let line = format!("power drop g.sp --limit {limit} --elements no.csv");
        refused(&place, &line, &["--limit", "a positive number such as 0.05 or 50m"]);
        assert!(!place.path().join("no.csv").exists());
    }
    for (text, parts) in [
        ("element,limit\nR1,1\nR9,1\n", &["bad.csv, line 3", "of g.sp, found `R9`"][..]),
        ("element,limit\nI2,1\n", &["line 2", "a resistor, inductor or voltage source"]),
        ("element,limit\nR1,1\nr1,2\n", &["line 3", "each element once, found `r1` again"]),
        ("element,limit\nR1,-1\n", &["line 2", "a positive number of amperes, found -1"]),
        ("element,limit\nR1,0\n", &["line 2", "found 0"]),
        ("element,limit\nR1,\n", &["line 2", "found nothing"]),
        ("element,limit\nR1,nan\n", &["bad.csv, line 2"]),
        ("element,limit\nR1,inf\n", &["bad.csv, line 2"]),
        ("element,limit\nR1\n", &["bad.csv, line 2"]),
        ("element,amps\nR1,1\n", &["line 1", "columns `element` and `limit`"]),
        ("element,limit,more\nR1,1,2\n", &["line 1", "columns `element` and `limit`"]),
        ("", &["bad.csv"]),
    ] {
        write("bad.csv", text);
        std::fs::remove_file(place.path().join("e.csv")).unwrap_or_default();
        refused(&place, "power drop g.sp --limits bad.csv --elements e.csv", parts);
    }
}

#[test]
fn scenarios() {
    let place = place();
    let found =
        result(&place, "power drop g.sp --scenarios cases.csv --by-scenario s.csv --json -o v.csv");
    assert_eq!((&found["scenarios"], &found["worst_scenario"]), (&3.into(), &"all".into()));
    let worst = column(&place.read("s.csv"), "worst_drop");
    near(worst["idle"], 0.0);
    near(worst["more"], 0.2);
    near(worst["all"], 0.3);
    near(column(&place.read("v.csv"), "worst_drop")["n1_0_0"], 0.15);
    assert!(
        place
            .read("v.csv")
            .lines()
            .any(|line| line.starts_with("n1_0_0,") && line.ends_with(",all"))
    );
    let line = "power drop g.sp --scenarios amps.csv --scenario-values current --json";
    near(result(&place, line)["scenario_worst_drop"].as_f64().unwrap(), 1.0);
    // Without names cases are numbered, and the first column is a source as others are.
    place.stdout("power drop g.sp --scenarios bare.csv --by-scenario s.csv -o v.csv");
    let worst = column(&place.read("s.csv"), "worst_drop");
    near(worst["0"], 0.2);
    near(worst["1"], 0.1);
}

#[test]
fn names_in_any_case_and_ends_of_runs() {
    let place = place();
    let found = result(&place, "power drop g.sp --set r3 2 --add P1 N1_1_0 0.5 --json -o v.csv");
    assert_eq!(found["updates"], 2);
    let table = place.stdout("power transient odd.sp");
    let times: Vec<&str> =
        table.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert!(table.starts_with("time,v(b),i(v1)\n"), "{table}");
    assert_eq!((times.len(), times[3].parse::<f64>().unwrap()), (4, 8e-9), "{table}");
    let table = place.stdout("power transient still.sp --step 1n --stop 2.5n --node B");
    let last = table.lines().last().unwrap();
    assert!(last.starts_with("0.0000000025,") || last.starts_with("2.5e-9,"), "{table}");
}

#[test]
fn changes() {
    let place = place();
    let found = result(&place, "power drop g.sp --remove-pad V2 --json -o v.csv");
    near(found["worst_drop"].as_f64().unwrap(), 0.2);
    near(found["worst_drop_before"].as_f64().unwrap(), 0.1);
    near(column(&place.read("v.csv"), "voltage")["p2"], 0.8);
    let line = "power drop g.sp --add p1 n1_1_0 0.5 --set R3 2 --json --elements e.csv";
    let found = result(&place, line);
    // 0.5 Ω beside 2 Ω to the left, 3 Ω to the right.
    let ohms = 1.0 / (1.0 / 0.5 + 1.0 / 2.0 + 1.0 / 3.0);
    near(found["worst_drop"].as_f64().unwrap(), 0.1 * ohms);
    assert_eq!(found["updates"], 2);
    near(column(&place.read("e.csv"), "current")["added_1"], 0.1 * ohms / 0.5);
}

#[test]
fn waveforms_and_pictures() {
    let place = place();
    let found =
        result(&place, "power transient g.sp --json -o w.csv --worst d.csv --svg pictures/");
    assert_eq!(
        (&found["points"], &found["probes"], &found["factors"]),
        (&51.into(), &3.into(), &1.into())
    );
    let table = place.read("w.csv");
    assert!(table.starts_with("time,v(n1_0_0),\"v(n1_0_0,n1_2_0)\",i(V1)\n0,"), "{table}");
    let drops = column(&place.read("d.csv"), "worst_drop");
    // 50 mA more at the first node: 37.5 mV more there once all is settled; the inductor adds to that
    // while they rise.
    let row: Vec<&str> = table.lines().nth(1 + 38).unwrap().split(',').collect();
    assert!((row[1].parse::<f64>().unwrap() - 0.9125).abs() < 1e-4, "{row:?}");
    assert!((0.1..0.13).contains(&drops["n1_0_0"]), "{}", drops["n1_0_0"]);
    let line = "power transient g.sp --step 10p --method backward-euler --node n1_1_0 --json";
    assert_eq!(result(&place, line)["steps"], 500);
    let line = "power transient g.sp --accuracy 1e-6 --node n1_1_0 --json";
    let found = result(&place, line);
    assert!(found["factors"].as_u64().unwrap() > 1, "{found}");
    let file = place.read("pictures/waveforms.svg");
    assert!(file.contains("Waveforms of g.sp") && file.contains("v(n1_0_0)"));
    assert!(place.read("pictures/drop-map.svg").contains("Worst drop over time"));
    place.stdout("power drop g.sp --xy xy.csv --svg map.svg -o v.csv");
    assert!(place.read("map.svg").contains("Drop (mV)"));
    assert!(place.read("v.csv").contains(",layer"));
    place.stdout("power drop g.sp --record r.json -o v.csv");
    place.stdout("report r.json -o page.html");
    assert!(place.read("page.html").contains("drop-map"));
}

#[test]
fn bad_input_names_file_and_line() {
    let place = place();
    for (line, parts) in [
        ("power drop loop.sp", ["loop2.sp, line 2", "include themselves"]),
        ("power drop self.sp", ["self.sp, line 6", "contain themselves"]),
        ("power transient back.sp", ["back.sp, line 3", "do not go back"]),
        ("power drop minus.sp", ["minus.sp, line 3", "a capacitance, not negative"]),
        ("power drop ohms.sp", ["ohms.sp, line 2", "a resistance, not negative"]),
        ("power drop float.sp", ["float.sp, line 4", "node `b`, which floats"]),
        ("power info twice.sp", ["twice.sp, line 3", "already on line 2"]),
        ("power info card.sp", ["card.sp, line 3", "`.model`"]),
        ("power transient still.sp", ["still.sp", "`.tran STEP STOP`"]),
        ("power transient still.sp --step 1n --stop 5n --node none", ["still.sp", "`none`"]),
        ("power drop still.sp --svg x.svg", ["still.sp", "no coordinates"]),
        ("power drop pad.sp --remove-pad V1", ["pad.sp", "which floats after this"]),
        ("power drop still.sp --remove-pad R1", ["still.sp, line 3", "a voltage source"]),
        ("power drop still.sp --add a none 1", ["still.sp", "`none`"]),
        ("power drop still.sp --add a b -1", ["--add", "a positive number"]),
        ("power drop still.sp --scenarios wrong.csv", ["wrong.csv, line 1", "`R1`"]),
        ("power drop g.sp --scenarios both.csv", ["both.csv, line 1", "`x1.i1` again"]),
        ("power drop g.sp --xy again.csv", ["again.csv, line 3", "`P1` again"]),
        ("power transient held.sp", ["held.sp, line 6", "node `a`, which `.ic` sets to 2 V"]),
        ("power transient print.sp", ["print.sp, line 5", "a node of the netlist, found `zz`"]),
        ("power drop still.sp --set zz 1", ["still.sp", "an element of the netlist, found `zz`"]),
        ("power drop still.sp --xy far.csv", ["far.csv, line 2", "`none`"]),
    ] {
        refused(&place, &format!("{line} --record rec.json"), &parts);
    }
    for (line, part) in [
        (
            "power transient odd.sp --accuracy -1",
            "expected a positive number such as 0.05 or 50m, found `-1`",
        ),
        ("power transient odd.sp --step -1p", "expected a positive number of seconds"),
        ("power transient odd.sp --stop -1", "expected a positive number of seconds"),
    ] {
        refused(&place, line, &[part]);
    }
}

fn shared(name: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(name);
    if !path.exists() {
        println!("skipped: there is no ../shared/data/{name}");
        return None;
    }
    Some(path)
}

/// The solution of the benchmark has six digits.
#[test]
fn the_first_ibm_grid() {
    let Some(folder) = shared("powergrid") else { return };
    let place = place();
    let netlist = folder.join("ibmpg1.spice");
    let found = result(&place, &format!("power drop {} --json -o v.csv", netlist.display()));
    assert_eq!(found["nets"], 5);
    let voltages = column(&place.read("v.csv"), "voltage");
    let solution = std::fs::read_to_string(folder.join("ibmpg1.solution")).unwrap();
    let mut count = 0;
    for line in solution.lines() {
        let (node, voltage) = line.split_once("  ").unwrap();
        // The solution calls ground `G`.
        let node = if node == "G" { "0" } else { node };
        let voltage: f64 = voltage.trim().parse().unwrap();
        assert!((voltages[node] - voltage).abs() < 1e-5, "{node}");
        count += 1;
    }
    assert!(count > 20_000, "{count}");
}

/// ngspice at fine steps, printed every 10 ps.
#[test]
fn waveforms_of_ngspice() {
    let Some(folder) = shared("graph2/powergrid") else { return };
    let place = place();
    for (netlist, reference) in
        [("g30.spice.gz", "g30.ngspice.csv.gz"), ("g15p.spice", "g15p.ngspice.csv.gz")]
    {
        let path = folder.join(netlist);
        place.stdout(&format!("power transient {} --step 1p -o w.csv", path.display()));
        let reference = palmette::io::read_bytes(&folder.join(reference)).unwrap();
        let reference = String::from_utf8(reference).unwrap();
        let numbers = |text: &str| -> Vec<Vec<f64>> {
            let row = |line: &str| line.split(',').map(|cell| cell.parse().unwrap()).collect();
            text.lines().skip(1).map(row).collect()
        };
        let (ours, theirs) = (numbers(&place.read("w.csv")), numbers(&reference));
        assert_eq!(ours.len(), theirs.len());
        let pairs = ours.iter().flatten().zip(theirs.iter().flatten());
        let most = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        println!("{netlist}: {most:.2e} V");
        assert!(most < 5e-5, "{netlist}: {most}");
    }
}
