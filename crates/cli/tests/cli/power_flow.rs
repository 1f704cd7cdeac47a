//! Power flow of feeders, from files to files.

use crate::{Place, refused};
use serde_json::Value;

const CASE: &[u8] = b"function mpc = small
mpc.version = '2';
mpc.baseMVA = 10;
%% kW and ohms
mpc.bus = [
	1	3	0	0	0	0	1	1	0	12.66	1	1	1;
	2	1	100	60	0	0	1	1	0	12.66	1	1	1;
	3	1	90	40	0	0	1	1	0	12.66	1	1	1;
	4	1	120	80	0	0	1	1	0	12.66	1	1	1;
];
mpc.gen = [1 0 0 10 -10 1 100 1 10 0];
mpc.branch = [
	1	2	0.0922	0.0470	0	2	0	0	0	0	1	-360	360;
	2	3	0.4930	0.2511	0	0	0	0	0	0	1	-360	360;
	2	4	0.3660	0.1864	0	0	0	0	0	0	1	-360	360;
];
[PQ, PV, REF, NONE, BUS_I, BUS_TYPE, PD, QD, GS, BS, BUS_AREA, VM, ...
    VA, BASE_KV, ZONE, VMAX, VMIN, LAM_P, LAM_Q, MU_VMAX, MU_VMIN] = idx_bus;
Vbase = mpc.bus(1, BASE_KV) * 1e3;      %% in Volts
Sbase = mpc.baseMVA * 1e6;              %% in VA
mpc.branch(:, [BR_R BR_X]) = mpc.branch(:, [BR_R BR_X]) / (Vbase^2 / Sbase);
mpc.bus(:, [PD, QD]) = mpc.bus(:, [PD, QD]) / 1e3;
";

fn place() -> Place {
    Place::new(&[
        ("small.m", CASE),
        ("cases.csv", b"case,all,4.p_mw\nnight,0.3,0.05\nday,1,0.12\nstorm,1e4,0.1\n"),
    ])
}

fn result(place: &Place, line: &str) -> Value {
    let record: Value = serde_json::from_str(&place.stdout(line)).unwrap();
    record["result"].clone()
}

#[test]
fn what_is_proved_has_a_line_of_its_own() {
    let said = place().stdout("power flow small.m -o v.csv");
    let mut lines = said.lines().rev();
    assert!(lines.next().unwrap().contains(" seconds: read "), "{said}");
    assert!(lines.next().unwrap().ends_with("voltages without load"), "{said}");
    assert_eq!(lines.next(), Some(""), "{said}");
}

#[test]
fn voltages_flows_and_pictures() {
    let place = place();
    let line =
        "power flow small.m -o v.csv --branches b.csv --sources s.csv --svg pictures/ --json";
    let found = result(&place, line);
    let voltage = found["min_voltage"].as_f64().unwrap();
    assert!((0.9990..0.9996).contains(&voltage), "{voltage}");
    assert_eq!(found["certified"], true);
    assert!(found["balance"].as_f64().unwrap() < 1e-9);
    let (v, b, s) = (place.read("v.csv"), place.read("b.csv"), place.read("s.csv"));
    assert!(v.starts_with("bus,vm_pu,va_deg,v_kv\n1,1,0,12.66\n") && v.lines().count() == 5, "{v}");
    assert!(b.starts_with("branch,kind,from,to,p_from_mw,q_from_mvar,i_from_a,"), "{b}");
    let row: Vec<&str> = b.lines().nth(1).unwrap().split(',').collect();
    let (loss, loading): (f64, f64) = (row[10].parse().unwrap(), row[11].parse().unwrap());
    assert!(loss > 0.0 && (17.0..19.0).contains(&loading), "{row:?}");
    assert!(s.starts_with("bus,kind,p_mw,q_mvar\n1,source,0.310"), "{s}");
    for (name, part) in [("voltage-profile", "branches from the source"), ("one-line", "small.m")] {
        let picture = place.read(&format!("pictures/{name}.svg"));
        assert!(picture.contains(part), "{name}");
    }
    let most = result(&place, "power flow small.m --max-loading --json");
    let factor = most["max_load_factor"].as_f64().unwrap();
    assert!(factor > most["certified_factor"].as_f64().unwrap(), "{most}");
}

#[test]
fn cases_and_outages() {
    let place = place();
    let line = "power flow small.m --cases cases.csv --case-voltages all.csv -o cases_out.csv";
    let output = place.run(line);
    assert!(output.status.success());
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(notes.contains("case `storm`: no power flow found"), "{notes}");
    let table = place.read("cases_out.csv");
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!((rows[1][0], rows[1][1], rows[3][0], rows[3][1]), ("night", "yes", "storm", "no"));
    let voltages = place.read("all.csv");
    assert!(voltages.starts_with("case,1,2,3,4\nnight,1,0.999"), "{voltages}");
    assert_eq!(voltages.lines().last(), Some("storm,,,,"));
    let found = result(&place, "power flow small.m --n-1 -o out.csv --json");
    assert_eq!((&found["cases"], &found["cases_with_unsupplied_buses"]), (&3.into(), &3.into()));
    let table = place.read("out.csv");
    let first = table.lines().nth(1).unwrap();
    assert!(first.starts_with("1,yes,") && first.contains("2 3 4"), "{table}");
}

#[test]
fn feeders_are_made_converted_and_shown() {
    let place = place();
    for (shape, phases) in [("feeder:60", 1), ("feeder3:60", 3)] {
        place.stdout(&format!("power generate {shape} --seed 5 -o made{phases}"));
        let info = result(&place, &format!("power info made{phases} --json"));
        assert_eq!((&info["buses"], &info["phases"]), (&60.into(), &phases.into()));
        let line = format!("power convert made{phases} -o again{phases}");
        place.stdout(&line);
        let line = |name: &str| format!("power flow {name}{phases} -o {name}{phases}.csv");
        place.stdout(&line("made"));
        place.stdout(&line("again"));
        let (one, two) =
            (place.read(&format!("made{phases}.csv")), place.read(&format!("again{phases}.csv")));
        for (a, b) in one.split([',', '\n']).zip(two.split([',', '\n'])) {
            let same = match (a.parse::<f64>(), b.parse::<f64>()) {
                (Ok(x), Ok(y)) => (x - y).abs() < 1e-9,
                _ => a == b,
            };
            assert!(same, "{a} {b}");
        }
    }
    place.stdout("power convert small.m -o small.json");
    let found = result(&place, "power flow small.json --json");
    let expected = result(&place, "power flow small.m --json");
    let of = |result: &Value| result["min_voltage"].as_f64().unwrap();
    assert!((of(&found) - of(&expected)).abs() < 1e-9);
    let formats = place.stdout("formats");
    assert!(
        formats.contains("Feeders (palmette power)") && formats.contains("opendss"),
        "{formats}"
    );
}

#[test]
fn bad_input_is_named() {
    let place = place();
    let with = |name: &str, from: &str, to: &str| {
        let text = String::from_utf8(CASE.to_vec()).unwrap().replacen(from, to, 1);
        std::fs::write(place.path().join(name), text).unwrap();
    };
    with("island.m", "2	4	0.3660	0.1864	0	0	0	0	0	0	1", "2	4	0.3660	0.1864	0	0	0	0	0	0	0");
    with("short.m", "2	3	0.4930	0.2511", "2	3	0	-0.1");
    with("unknown.m", "2	3	0.4930", "2	9	0.4930");
    with("code.m", "Vbase = ", "mpc.bus(2, 3) = 7; Vbase = ");
    with("heavy.m", "100	60", "900000	60000");
    std::fs::write(place.path().join("bad.csv"), "nobody\n1\n").unwrap();
    std::fs::write(place.path().join("x.dss"), "New Circuit.a\nNew Line.l bus1=a kolor=red\n")
        .unwrap();
    for (name, text) in [
        ("late.dss", "New Circuit.a\nset defaultbasefrequency=60\nSet DefaultBaseFrequency=50\n"),
        (
            "code.dss",
            "New Circuit.a bus1=a\nNew LineCode.one nphases=1\nNew Line.l phases=3 linecode=one bus1=a bus2=b\n",
        ),
    ] {
        std::fs::write(place.path().join(name), text).unwrap();
    }
    std::fs::create_dir(place.path().join("loop")).unwrap();
    for (name, text) in [
        ("bus.csv", "bus,vn_kv\na,10\nb,10\n"),
        ("source.csv", "bus,vm_pu,va_deg\na,1,0\n"),
        ("branch_pu.csv", "id,from,to,kind,r_pu,x_pu\ns,a,b,switch,0,0\nt,a,b,switch,0,0\n"),
    ] {
        std::fs::write(place.path().join("loop").join(name), text).unwrap();
    }
    // A folder with tables that would stay, and one with a table that nobody reads.
    for (folder, file) in [("stale", "gen.csv"), ("typed", "loads.csv")] {
        place.stdout(&format!("power convert small.m -o {folder}"));
        std::fs::write(place.path().join(folder).join(file), "id,bus,p_mw,vm_pu\n").unwrap();
    }
    for (line, parts) in [
        ("power flow island.m -o v.csv", &["island.m, line 9", "no source supplies bus `4`"][..]),
        ("power flow short.m -o v.csv", &["short.m, line 14", "reactance"]),
        ("power flow unknown.m -o v.csv", &["unknown.m, line 14", "the number of a bus"]),
        ("power flow code.m -o v.csv", &["code.m, line 19", "known conversions"]),
        ("power flow heavy.m -o v.csv", &["heavy.m: no power flow found", "at bus `", "times"]),
        ("power flow small.m --cases bad.csv", &["bad.csv, line 1", "`nobody`"]),
        ("power flow x.dss -o v.csv", &["x.dss, line 2", "`kolor`"]),
        (
            "power flow late.dss -o v.csv",
            &["late.dss, line 3", "before `New Circuit`, whose source has 60 Hz"],
        ),
        (
            "power flow code.dss -o v.csv",
            &["code.dss, line 3", "a LineCode with nphases=3", "`one` with nphases=1"],
        ),
        ("power flow loop -o v.csv", &["form a loop without impedance", "`t`"]),
        ("power flow small.m --tolerance 0", &["tolerance"]),
        ("power flow small.m --n-1 --branches b.csv", &["--branches: for one power flow"]),
        ("power flow none.m", &["none.m"]),
        (
            "power convert small.m --to opendss -o a.dss",
            &["[possible values: tables, power-grid-model]"],
        ),
        ("power convert small.m -o stale", &["stale", "found `gen.csv`"]),
        ("power flow typed", &["tables of a balanced feeder", "found `loads.csv`"]),
        ("power generate feeder:60", &["-o"]),
        ("power generate feeder:1 -o f", &["number of buses"]),
    ] {
        refused(&place, line, parts);
    }
    // What is left without supply may be allowed.
    let found = result(&place, "power flow island.m --allow-unsupplied --json");
    assert_eq!(found["unsupplied_buses"], 1);
    assert!((found["unsupplied_mw"].as_f64().unwrap() - 0.12).abs() < 1e-12, "{found}");
    // Each case has its own load there.
    place.stdout(
        "power flow island.m --allow-unsupplied --cases cases.csv -o c.csv --load-factor 2",
    );
    let lost = column(&place, "c.csv", "lost_mw");
    assert_eq!(lost[..2], ["0.1", "0.24"]);
}

/// A column of a table.
fn column(place: &Place, file: &str, name: &str) -> Vec<String> {
    let text = place.read(file);
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let at = lines.next().unwrap().iter().position(|one| *one == name).unwrap();
    lines.map(|cells| cells[at].to_string()).collect()
}

/// Loads that are lost grow with the factor of loads, and no column is empty.
#[test]
fn tables_of_outages_and_cases_are_full() {
    let place = place();
    place.stdout("power flow small.m --n-1 -o one.csv");
    place.stdout("power flow small.m --n-1 --load-factor 2 -o two.csv");
    let lost = |file| -> Vec<f64> {
        column(&place, file, "lost_mw").iter().map(|x| x.parse().unwrap()).collect()
    };
    let (one, two) = (lost("one.csv"), lost("two.csv"));
    for (k, mw) in [0.31, 0.09, 0.12].into_iter().enumerate() {
        assert!(
            (one[k] - mw).abs() < 1e-12 && (two[k] - 2.0 * mw).abs() < 1e-12,
            "{one:?} {two:?}"
        );
    }
    place.stdout("power flow small.m --cases cases.csv -o cases_out.csv");
    for file in ["one.csv", "cases_out.csv"] {
        for name in ["max_voltage", "source_mw", "source_mvar", "iterations"] {
            assert_ne!(column(&place, file, name)[0], "", "{file} {name}");
        }
    }
}

#[test]
fn limits_of_loads_and_of_sweeps() {
    let place = place();
    // The answer is on stdout, unless that is asked for voltages.
    let text = place.stdout("power flow small.m --max-loading");
    assert!(text.contains("max_load_factor") && !text.contains("vm_pu"), "{text}");
    let table = place.stdout("power flow small.m --max-loading -o -");
    assert!(table.starts_with("bus,vm_pu"), "{table}");
    let text = String::from_utf8(CASE.to_vec()).unwrap();
    let idle = text.replace("100\t60", "0\t0").replace("90\t40", "0\t0").replace("120\t80", "0\t0");
    std::fs::write(place.path().join("idle.m"), idle).unwrap();
    let text = place.stdout("power flow idle.m --max-loading");
    assert_eq!(text.matches("no limit").count(), 2, "{text}");
    let found = result(&place, "power flow idle.m --max-loading --json");
    let nulls = [&found["max_load_factor"], &found["certified_factor"]];
    assert!(found.get("max_load_factor").is_some() && nulls.iter().all(|x| x.is_null()), "{found}");
    let dss = "Clear\nNew Circuit.c basekv=12.47 bus1=a pu=1 MVAsc3=100000 MVAsc1=100000\n\
        New Line.l bus1=a bus2=b length=1 units=km r1=1 x1=1 r0=2 x0=2 c1=0 c0=0\n\
        New Load.x bus1=b kV=12.47 kW=900000 kvar=0 model=1\nSet voltagebases=[12.47]\nCalcvoltagebases\nSolve\n";
    std::fs::write(place.path().join("heavy.dss"), dss).unwrap();
    // Notes of a file come with an answer only: an error is one line.
    refused(&place, "power flow heavy.dss -o v.csv", &["heavy.dss: no power flow found", "times"]);
    let lines = |line: &str| String::from_utf8(place.run(line).stderr).unwrap();
    let error = lines("power flow heavy.dss -o v.csv");
    assert!(error.lines().count() == 1 && error.starts_with("error: "), "{error}");
    let notes = lines("power flow heavy.dss -o v.csv --load-factor 0.01");
    assert!(notes.starts_with("note: loads keep their model"), "{notes}");
    for (line, parts) in [
        (
            "power flow small.m --max-sweeps 2 -o v.csv",
            &["within the limit of 2 sweeps", "still change by", "; a larger --max-sweeps"][..],
        ),
        ("power flow small.m --max-sweeps 0", &["the limit of sweeps is 0", "at least 1"]),
        ("power flow small.m --load-factor nan", &["the load factor is NaN; it must be finite"]),
        ("power flow small.m --n-1 --max-loading", &["cannot be used with '--max-loading' (see"]),
        ("power generate feeder:1 -o f", &["number of buses is 1; it must be at least 2"]),
    ] {
        refused(&place, line, parts);
    }
    place.stdout("power flow small.m --load-factor -1 -o v.csv");
}

/// Sweeps say what they are not made for.
#[test]
fn loops_are_counted_where_sweeps_fail() {
    let place = place();
    let text = String::from_utf8(CASE.to_vec()).unwrap().replacen("100\t60", "900000\t60000", 1);
    let more = "\t3\t4\t0.5\t0.2\t0\t0\t0\t0\t0\t0\t1\t-360\t360;\n];\n[PQ";
    std::fs::write(place.path().join("mesh.m"), text.replacen("];\n[PQ", more, 1)).unwrap();
    let parts = ["sweeps are for radial and weakly meshed networks, and this one has 1 loop"];
    refused(&place, "power flow mesh.m -o v.csv", &parts);
}
