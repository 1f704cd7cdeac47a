mod bad_input;

use super::*;
use palmette_core::feeder::{Balanced, Complex, Feeder, ThreePhase};
use std::path::PathBuf;

/// The folder of reference feeders, which not every machine has.
fn data(case: &str) -> Option<PathBuf> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/feeders").join(case);
    if !path.exists() {
        eprintln!("no {}: not tested", path.display());
    }
    path.exists().then_some(path)
}

fn balanced(file: &FeederFile) -> &Balanced {
    match &file.feeder {
        Feeder::Balanced(feeder) => feeder,
        Feeder::ThreePhase(_) => panic!("three phases"),
    }
}

fn three_phase(file: &FeederFile) -> &ThreePhase {
    match &file.feeder {
        Feeder::ThreePhase(feeder) => feeder,
        Feeder::Balanced(_) => panic!("balanced"),
    }
}

fn read(path: &Path) -> FeederFile {
    read_feeder(path, &FeederParams::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// With limits of reactive power.
fn read_limited(path: &Path) -> FeederFile {
    let params = FeederParams { reactive_limits: true, ..FeederParams::default() };
    read_feeder(path, &params).unwrap_or_else(|error| panic!("{error}"))
}

/// Writes tables into a folder.
fn write(folder: &Path, files: &[(&str, Vec<u8>)]) {
    for (name, bytes) in files {
        std::fs::write(folder.join(name), bytes).expect("a file");
    }
}

fn near(a: Complex, b: Complex, part: f64) -> bool {
    (a - b).norm() <= part * a.norm().max(b.norm())
}

/// All folders of references are read, and what is written reads back the same.
#[test]
fn tables_read_back() {
    let Some(root) = data("") else { return };
    let mut seen = 0;
    for folder in std::fs::read_dir(root).expect("a folder") {
        let folder = folder.expect("an entry").path();
        if !folder.join("bus.csv").exists() {
            continue;
        }
        seen += 1;
        let file = read_limited(&folder);
        let place = tempfile::tempdir().expect("a folder");
        let first = tables_into(place.path(), &file.feeder).expect("tables");
        write(place.path(), &first);
        let again = read_limited(place.path());
        for ((name, one), (_, two)) in first.iter().zip(&write_tables(&again.feeder)) {
            // Angles and parts in percent may change in their last digits.
            let numbers = |bytes: &[u8]| {
                let text = String::from_utf8(bytes.to_vec()).expect("text");
                text.split([',', '\n']).map(str::to_string).collect::<Vec<_>>()
            };
            for (a, b) in numbers(one).iter().zip(&numbers(two)) {
                let same = match (a.parse::<f64>(), b.parse::<f64>()) {
                    (Ok(x), Ok(y)) => (x - y).abs() <= 1e-14 * x.abs().max(1e-6),
                    _ => a == b,
                };
                assert!(same, "{}: {name}: {a} and {b}", folder.display());
            }
        }
    }
    assert!(seen >= 15, "{seen}");
}

/// Limits of reactive power hold where they are asked for; without that a note tells.
#[test]
fn limits_of_tables_hold_on_demand() {
    let place = tempfile::tempdir().expect("a folder");
    let files = [
        ("bus.csv", "bus,vn_kv\na,20\nb,20\n"),
        ("source.csv", "bus,vm_pu,va_deg\na,1,0\n"),
        ("branch_pu.csv", "id,from,to,kind,r_pu,x_pu\nl,a,b,line,0.1,0.1\n"),
        ("gen.csv", "id,bus,p_mw,vm_pu,q_min_mvar,q_max_mvar\ng,b,1,1,-1,2\n"),
    ];
    write(place.path(), &files.map(|(name, text)| (name, text.as_bytes().to_vec())));
    let (free, held) = (read(place.path()), read_limited(place.path()));
    let limits = |file: &FeederFile| balanced(file).generators.q_mvar.get(0);
    assert_eq!(limits(&free), [f64::NEG_INFINITY, f64::INFINITY]);
    assert_eq!(limits(&held), [-1.0, 2.0]);
    assert!(free.notes.iter().any(|note| note.contains("reactive power")), "{:?}", free.notes);
    assert!(held.notes.is_empty(), "{:?}", held.notes);
}

/// A folder keeps no table of another feeder.
#[test]
fn stale_tables_are_refused() {
    let case = "function mpc = a\nmpc.version = '2';\nmpc.baseMVA = 1;\n\
        mpc.bus = [1 3 0 0 0 0 1 1 0 10 1 1 1; 2 1 1 0 0 0 1 1 0 10 1 1 1];\n\
        mpc.gen = [1 0 0 1 -1 1 1 1 1 0];\nmpc.branch = [1 2 0.1 0.1 0 0 0 0 0 0 1];\n";
    let file = read_feeder_bytes("a.m", case.as_bytes(), &FeederParams::default()).expect("a case");
    let place = tempfile::tempdir().expect("a folder");
    for name in ["load.csv", "ref.csv", "notes.txt"] {
        std::fs::write(place.path().join(name), "old\n").expect("a file");
    }
    assert!(tables_into(place.path(), &file.feeder).is_ok());
    assert!(tables_into(&place.path().join("new"), &file.feeder).is_ok());
    for name in ["gen.csv", "bus.csv.gz", "other.csv"] {
        std::fs::write(place.path().join(name), "old\n").expect("a file");
    }
    let error = tables_into(place.path(), &file.feeder).expect_err("stale tables").to_string();
    assert!(error.contains("found `bus.csv.gz`, `gen.csv`, `other.csv`"), "{error}");
}

/// A branch of a MATPOWER case between two voltages is a transformer, whatever its ratio says.
#[test]
fn matpower_joins_voltages() {
    let case = "function mpc = a\nmpc.version = '2';\nmpc.baseMVA = 1;\n\
        mpc.bus = [1 3 0 0 0 0 1 1 0 20 1 1 1; 2 1 1 0 0 0 1 1 0 10 1 1 1];\n\
        mpc.gen = [1 0 0 1 -1 1 1 1 1 0];\nmpc.branch = [1 2 0.1 0.1 0 0 0 0 0 0 1];\n";
    let file = read_feeder_bytes("a.m", case.as_bytes(), &FeederParams::default()).expect("a case");
    let kind = balanced(&file).branches.kind.get(0);
    assert_eq!(kind, palmette_core::feeder::BranchKind::Transformer);
}

/// Names of buses survive a file of power-grid-model: as numbers, or beside them.
#[test]
fn power_grid_model_keeps_names() {
    for (names, noted) in [(["7", "0"], false), (["07", "0"], true), (["a \"b\" \\", "é\t"], true)]
    {
        let mut feeder = Balanced::new(1.0);
        for name in names {
            feeder.buses.names.push(name);
            feeder.buses.vn_kv.push(10.0);
        }
        feeder.sources.bus.push(0);
        feeder.sources.v.push(Complex::new(1.0, 0.0));
        feeder.loads.names.push("p");
        feeder.loads.bus.push(1);
        feeder.loads.s_mva.push(Complex::new(1.0, 0.5));
        feeder.loads.zip.push(palmette_core::feeder::Zip::POWER);
        let feeder = Feeder::Balanced(Box::new(feeder));
        assert_eq!(pgm_note(&feeder).is_some(), noted, "{names:?}");
        let mut bytes = Vec::new();
        write_pgm(&feeder, &mut bytes).expect("JSON");
        let file = read_feeder_bytes("a.json", &bytes, &FeederParams::default());
        let file = file.unwrap_or_else(|error| panic!("{error}"));
        let found = &balanced(&file).buses.names;
        assert_eq!([found.get(0), found.get(1)], names);
        assert_eq!(found.get(balanced(&file).loads.bus[0] as usize), names[1]);
        // The source feeds its node from a bus of its own.
        assert!(found.get(2).starts_with("source "), "{}", found.get(2));
    }
}

/// Lines in ohms and nameplates give the branches that pandapower and others made of them.
#[test]
fn elements_are_the_branches() {
    for case in ["cigre_mv", "cigre_lv", "oberrhein", "kerber_extrem_dorf"] {
        let Some(folder) = data(case) else { return };
        let expected = read(&folder);
        let place = tempfile::tempdir().expect("a folder");
        for file in ["bus.csv", "line.csv", "trafo.csv", "load.csv", "source.csv"] {
            std::fs::copy(folder.join(file), place.path().join(file)).expect("a copy");
        }
        let found = read(place.path());
        let (a, b) = (balanced(&expected), balanced(&found));
        assert_eq!(a.branches.len(), b.branches.len(), "{case}");
        for k in 0..a.branches.len() {
            let name = a.branches.names.get(k);
            let row = (0..b.branches.len()).find(|&row| b.branches.names.get(row) == name);
            let row = row.expect("the same names");
            assert!(near(a.branches.z[k], b.branches.z[row], 1e-11), "{case} {name} z");
            assert!(near(a.branches.y.get(k), b.branches.y.get(row), 1e-11), "{case} {name} y");
            let (one, two) = (a.branches.ratio.get(k), b.branches.ratio.get(row));
            assert!(near(one, two, 1e-12), "{case} {name} ratio {one} {two}");
            let (one, two) = (a.branches.rated_a.get(k), b.branches.rated_a.get(row));
            assert_eq!(one, two, "{case} {name}");
        }
    }
}

/// Input of power-grid-model has the branches of the tables; sources have impedances of their own.
#[test]
fn power_grid_model_is_the_tables() {
    for case in ["case33bw", "case33bw_zip", "cigre_mv", "oberrhein"] {
        let Some(folder) = data(case) else { return };
        let (tables, json) = (read(&folder), read(&folder.join("pgm_input.json")));
        let (a, b) = (balanced(&tables), balanced(&json));
        let sources = a.sources.bus.len();
        assert_eq!(b.branches.len(), a.branches.len() + sources, "{case}");
        let key = |z: Complex, y: Complex| (z.re, z.im, y.im);
        let sorted = |feeder: &Balanced| {
            let all = 0..feeder.branches.len();
            let mut all: Vec<_> =
                all.map(|k| key(feeder.branches.z[k], feeder.branches.y.get(k))).collect();
            all.sort_by(|x, y| x.partial_cmp(y).expect("numbers"));
            all
        };
        let (one, two) = (sorted(a), sorted(b));
        for (x, y) in one.iter().zip(&two[sources..]) {
            let close = |p: f64, q: f64| (p - q).abs() <= 1e-9 * p.abs().max(1e-9);
            assert!(close(x.0, y.0) && close(x.1, y.1) && close(x.2, y.2), "{case} {x:?} {y:?}");
        }
        let total = |feeder: &Balanced| feeder.loads.s_mva.iter().sum::<Complex>();
        assert!(near(total(a), total(b), 1e-9), "{case} {} {}", total(a), total(b));
    }
}

/// The scripts of the IEEE feeders have the lines and loads that OpenDSS exported.
#[test]
fn scripts_are_the_tables() {
    for (script, case) in
        [("13Bus/IEEE13Nodeckt.dss", "ieee13"), ("123Bus/IEEE123Master.dss", "ieee123")]
    {
        let (Some(script), Some(folder)) = (data(&format!("dss_scripts/{script}")), data(case))
        else {
            return;
        };
        let (file, tables) = (read(&script), read(&folder));
        let (a, b) = (three_phase(&file), three_phase(&tables));
        for k in 0..b.lines.from.len() {
            let name = b.lines.names.get(k);
            let row = (0..a.lines.from.len()).find(|&row| a.lines.names.get(row) == name);
            let row = row.unwrap_or_else(|| panic!("{case}: no line {name}"));
            assert_eq!(a.lines.phases.get(row), b.lines.phases.get(k), "{case} {name}");
            for at in 0..6 {
                let (x, y) = (a.lines.z[row][at], b.lines.z[k][at]);
                assert!(near(x, y, 1e-11), "{case} {name} {at}: {x} {y}");
                let (x, y) = (a.lines.b.get(row)[at], b.lines.b.get(k)[at]);
                // The tables have differences of large admittances.
                assert!((x - y).abs() <= 1e-9 * x.abs() + 1e-13, "{case} {name} {at}: {x} {y}");
            }
        }
        for k in 0..b.loads.bus.len() {
            let name = b.loads.names.get(k);
            if name.starts_with("cap_") {
                continue;
            }
            let row = (0..a.loads.bus.len()).find(|&row| a.loads.names.get(row) == name);
            let row = row.unwrap_or_else(|| panic!("{case}: no load {name}"));
            assert_eq!(a.loads.s_va[row], b.loads.s_va[k], "{case} {name}");
            assert_eq!(a.loads.zip.get(row), b.loads.zip.get(k), "{case} {name}");
            assert_eq!(a.loads.phases.get(row), b.loads.phases.get(k), "{case} {name}");
            let (x, y) = (a.loads.v_nom.get(row), b.loads.v_nom.get(k));
            assert!((x - y).abs() <= 1e-9 * y, "{case} {name} {x} {y}");
        }
        for k in 0..b.buses.names.len() {
            let name = b.buses.names.get(k);
            let row = (0..a.buses.names.len()).find(|&row| a.buses.names.get(row) == name);
            let row = row.unwrap_or_else(|| panic!("{case}: no bus {name}"));
            let (x, y) = (a.buses.v_base.get(row), b.buses.v_base.get(k));
            assert!((x - y).abs() <= 1e-9 * y, "{case} {name} {x} {y}");
            assert_eq!(a.buses.phases.get(row), b.buses.phases.get(k), "{case} {name}");
        }
        assert!(file.notes.iter().any(|note| note.contains("regulators do not move")));
    }
}

/// Cases in tables and as updates.
#[test]
fn cases_change_loads() {
    let Some(folder) = data("case33bw") else { return };
    let file = read(&folder);
    let cases = read_cases(folder.join("scenarios_mult.csv"), &file.feeder).expect("cases");
    assert_eq!((cases.len(), cases.loads.len()), (96, 32));
    let names = balanced(&file).loads.names.get(0).to_string();
    let nominal = balanced(&file).loads.s_mva[0];
    let text = format!("case,all,{names}.p_mw\nlow,0.5,0.2\nhigh,2,0.3\n");
    let cases = read_cases_bytes("c.csv", text.as_bytes(), &file.feeder).expect("cases");
    let mut powers = balanced(&file).loads.s_mva.clone();
    cases.apply(1, &mut powers);
    assert_eq!((cases.names[1].as_str(), powers[0]), ("high", Complex::new(0.3, nominal.im)));
    assert_eq!(powers[1], balanced(&file).loads.s_mva[1] * 2.0);
    let json = read(&folder.join("pgm_input.json"));
    let id = balanced(&json).loads.names.get(3).to_string();
    let text = format!(
        "{{\"version\": \"1.0\", \"type\": \"update\", \"is_batch\": true, \"attributes\": {{}}, \
        \"data\": [{{\"sym_load\": [{{\"id\": {id}, \"p_specified\": 5e4}}]}}, \
        {{\"sym_load\": [{{\"id\": {id}, \"status\": 0}}]}}]}}"
    );
    let cases = read_cases_bytes("u.json", text.as_bytes(), &json.feeder).expect("cases");
    assert_eq!((cases.len(), &cases.loads[..]), (2, &[3u32][..]));
    assert!(near(cases.powers[0], Complex::new(0.05, balanced(&json).loads.s_mva[3].im), 1e-12));
    assert_eq!(cases.powers[1], Complex::default());
    for (text, part) in [
        ("nobody\n1\n", "line 1: expected the name of a load"),
        ("all\nx\n", "line 2: expected a number"),
        ("all\n", "line 1: expected a row per case"),
        ("case,all\na,1\nb,2\na,3\n", "line 4: expected a new name for each case, found `a` again"),
    ] {
        let error = read_cases_bytes("c.csv", text.as_bytes(), &file.feeder).expect_err(text);
        assert!(error.to_string().contains(part), "{error}");
    }
}

/// Whether a neutral is open says its node, as in OpenDSS, and not `rneut`.
#[test]
fn neutrals_of_wye_delta() {
    let script = |bus: &str, more: &str| {
        let text = format!(
            "New Circuit.a basekv=12.47 bus1=s\nNew Transformer.t phases=3 windings=2 xhl=6 wdg=1 \
            bus={bus} conn=wye kv=12.47 kva=6000 {more} wdg=2 bus=b conn=delta kv=4.16 kva=6000\n\
            New Load.p bus1=b conn=delta kv=4.16 kw=1 kvar=1\n"
        );
        read_feeder_bytes("a.dss", text.as_bytes(), &FeederParams::default())
    };
    for more in ["", "rneut=-1"] {
        assert!(script("s.1.2.3.4", more).is_ok(), "{more}");
        for bus in ["s", "s.1.2.3", "s.1.2.3.0"] {
            let error = script(bus, more).expect_err(bus).to_string();
            assert!(error.contains("line 2: expected windings wye-wye"), "{error}");
        }
    }
    let error = script("s.1.2.3.4", "rneut=5").expect_err("through 5 ohms").to_string();
    assert!(error.contains("line 2: expected a neutral that is grounded"), "{error}");
}

/// Powers and impedances of one load and one line of a script, after its commands.
fn of_script(line: &str, load: &str, later: &str) -> (Complex, Complex) {
    let text = format!(
        "New Circuit.a basekv=12.47 bus1=s\n\
        New LineCode.lc nphases=3 r1=1 x1=1 r0=1 x0=1 c1=0 c0=0 units=km\n\
        New LineCode.m nphases=3 rmatrix=(1|0.5 1|.5 .5 1) xmatrix=(7|0 7|0 0 7)\n\
        New Line.l bus1=s bus2=b {line}\nNew Load.p bus1=b kv=12.47 {load}\n{later}\n"
    );
    let file = read_feeder_bytes("a.dss", text.as_bytes(), &FeederParams::default());
    let file = file.unwrap_or_else(|error| panic!("{error}"));
    let Feeder::ThreePhase(feeder) = &file.feeder else { panic!("three phases") };
    (feeder.loads.s_va[0] / 1e3, feeder.lines.z[1][0])
}

/// What the power of a load follows from; the numbers are OpenDSS's.
#[test]
fn powers_as_opendss_keeps_them() {
    for (load, later, kw, kvar) in [
        ("kw=600 kvar=200", "", 600.0, 200.0),
        ("kvar=200 kw=600", "", 600.0, 323.846),
        ("kw=600 kvar=100 pf=0.95", "", 600.0, 100.0),
        ("pf=.9 kvar=100 kw=400", "", 400.0, 193.729),
        ("kvar=50 pf=.9", "", 10.0, 50.0),
        ("kw=600 kvar=200", "edit load.p kw=300", 300.0, 100.0),
        ("kw=600 kvar=200", "~ kw=300", 300.0, 100.0),
        ("kw=600 kvar=200", "load.p.pf=.9", 600.0, 200.0),
        ("kw=600 pf=-.9", "edit load.p kw=300", 300.0, -145.297),
        ("kw=600 kvar=-200", "edit load.p kw=300", 300.0, -100.0),
        ("kva=500 kw=400", "", 400.0, 215.897),
        ("kvar=100 kva=500", "", 440.0, 237.487),
        ("kw=600 kvar=200", "edit load.p kva=500", 474.342, 158.114),
        ("kw=600 kvar=200 status=exempt", "set loadmult=1.5", 600.0, 200.0),
        ("kw=600 kvar=200 status=variable", "set loadmult=1.5", 900.0, 300.0),
    ] {
        let (s, _) = of_script("linecode=lc", load, later);
        assert!(near(s, Complex::new(kw, kvar), 1e-3), "{load} {later}: {s}");
    }
}

/// Where lengths are converted; the numbers are OpenDSS's.
#[test]
fn units_as_opendss_keeps_them() {
    let own = "r1=1 x1=1 r0=1 x0=1 c1=0 c0=0";
    for (line, later, r, x) in [
        ("linecode=lc length=2 units=mi", String::new(), 3.218688, 3.218688),
        ("units=mi linecode=lc length=2", String::new(), 3.218688, 3.218688),
        ("linecode=lc length=2 units=mi c1=0", String::new(), 2.0, 2.0),
        ("linecode=lc length=2 c1=0 units=mi", String::new(), 2.0, 2.0),
        ("linecode=lc length=2 units=km", "edit line.l units=mi".into(), 3.218688, 3.218688),
        ("linecode=lc length=2 units=km", format!("edit line.l {own} units=mi"), 2.0, 2.0),
        ("linecode=lc length=2 units=mi rmatrix=(2|0 2|0 0 2)", String::new(), 4.0, 2.0),
        ("linecode=m length=2", String::new(), 2.0, 14.0),
        ("linecode=m r1=2 length=2", String::new(), 2.7856, 0.43060),
    ] {
        let (_, z) = of_script(line, "kw=1 kvar=1", &later);
        assert!(near(z, Complex::new(r, x), 1e-5), "{line} {later}: {z}");
    }
    let text = "New Circuit.a bus1=s\nNew Line.l bus1=s bus2=b r1=1 rmatrix=(2|0 2|0 0 2)\n";
    let error = read_feeder_bytes("a.dss", text.as_bytes(), &FeederParams::default());
    let error = error.expect_err("both").to_string();
    assert!(error.contains("line 2: expected impedances by sequence or as matrices"), "{error}");
}
