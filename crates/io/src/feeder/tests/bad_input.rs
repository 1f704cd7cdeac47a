//! What is wrong with a file is told with its line.

use super::*;

fn error_of(name: &str, text: &str) -> String {
    match read_feeder_bytes(name, text.as_bytes(), &FeederParams::default()) {
        Ok(_) => panic!("{name} was read: {text}"),
        Err(error) => error.to_string(),
    }
}

/// A small balanced folder in which one file is replaced.
fn folder_error(file: &str, text: &str) -> String {
    let files = [
        ("bus.csv", "bus,vn_kv\na,20\nb,20\nc,20\n"),
        ("source.csv", "bus,vm_pu,va_deg\na,1,0\n"),
        ("branch_pu.csv", "id,from,to,kind,r_pu,x_pu\nl,a,b,line,0.1,0.1\nm,b,c,line,0.1,0.1\n"),
        ("load.csv", "id,bus,p_mw,q_mvar\np,b,1,0\n"),
    ];
    let place = tempfile::tempdir().expect("a folder");
    for (name, text) in files.into_iter().filter(|(name, _)| *name != file) {
        std::fs::write(place.path().join(name), text).expect("a file");
    }
    if !text.is_empty() {
        std::fs::write(place.path().join(file), text).expect("a file");
    }
    let error = read_feeder(place.path(), &FeederParams::default()).expect_err(text).to_string();
    error.replace(&format!("{}/", place.path().display()), "")
}

#[test]
fn tables() {
    for (file, text, expected) in [
        ("bus.csv", "", "a folder with bus.csv"),
        (
            "bus.csv",
            "bus,kv\na,20\n",
            "bus.csv, line 1: expected a column of bus, vn_kv, found `kv`",
        ),
        ("load.csv", "id,bus,p_mw,q_mvar\np,b,1e-400,0\n", "`1e-400`, which is too small"),
        ("bus.csv", "bus,vn_kv\na,20\na,20\n", "bus.csv, line 3: expected a name of its own"),
        ("bus.csv", "bus,vn_kv\na,x\n", "bus.csv, line 2: expected a number in column `vn_kv`"),
        ("bus.csv", "bus,vn_kv\na,20\nb,-1\nc,20\n", "bus.csv, line 3: bus `b`: nominal voltage"),
        ("bus.csv", "bus,vn_kv\na,20,3\n", "bus.csv, line 2: expected 2 fields"),
        ("source.csv", "", "a folder with source.csv"),
        ("source.csv", "bus,vm_pu\nx,1\n", "source.csv, line 2: expected the name of a bus"),
        ("source.csv", "bus,vm_pu\na,1\na,1\n", "source.csv, line 3: bus `a` has a second source"),
        (
            "gen.csv",
            "id,bus,p_mw,vm_pu\ng,b,1,1\nh,a,1,1\n",
            "gen.csv, line 3: bus `a` has a second",
        ),
        (
            "gen.csv",
            "id,bus,p_mw,vm_pu,q_min_mvar,q_max_mvar\ng,b,1,1,2,1\n",
            "gen.csv, line 2: expected limits of reactive power",
        ),
        ("source.csv", "bus,vm_pu\na,-1\n", "line 2: expected a positive number in column `vm_pu`"),
        ("capacitor.csv", "id\n", "gen, shunt; beside them ref, flow, n1_ref"),
        ("loads.csv", "id\n", "each with .csv, found `loads.csv`"),
        ("load.csv.gz", "id\n", "expected each table once, found load.csv and load.csv.gz"),
        ("BUS.CSV", "id\n", "found `BUS.CSV`"),
        (
            "bus.csv",
            "bus,vn_kv\na,20\nb,20\nc,10\n",
            "line 3: line `m` joins bus `b` of 20 kV and bus `c` of 10 kV",
        ),
        (
            "branch_pu.csv",
            "id,from,to,kind,r_pu,x_pu,ratio\nl,a,b,trafo,0.1,0.1,-1\n",
            "branch_pu.csv, line 2: expected a positive number in column `ratio`, found `-1`",
        ),
        (
            "branch_pu.csv",
            "id,from,to,kind,r_pu,x_pu,closed\nl,a,b,line,0.1,0.1,maybe\n",
            "expected both, from, to, none (or nothing) in column `closed`, found `maybe`",
        ),
        (
            "load.csv",
            "id,bus,p_mw,q_mvar,z_p_percent,i_p_percent\np,b,1,0,80,70\n",
            "load.csv, line 2: expected shares of constant impedance and current from 0 to 100 %",
        ),
        (
            "load.csv",
            "id,bus,p_mw,q_mvar,z_p_percent,i_p_percent\np,b,1,0,-10,0\n",
            "load.csv, line 2: expected shares",
        ),
        ("source.csv", "bus,vm_pu\n", "no source"),
        (
            "load.csv",
            "id,bus,p_mw,q_mvar\np,z,1,0\n",
            "load.csv, line 2: expected the name of a bus",
        ),
        ("load.csv", "id,bus,p_mw,q_mvar\np,b,1,0\np,b,1,0\n", "load.csv, line 3: expected a name"),
        ("load.csv", "id,bus,p_mw\np,b,1\n", "load.csv, line 1: expected column `q_mvar`"),
        (
            "branch_pu.csv",
            "id,from,to,kind,r_pu,x_pu\nl,a,b,line,0,0\n",
            "branch_pu.csv, line 2: line `l` has no impedance",
        ),
        (
            "branch_pu.csv",
            "id,from,to,kind,r_pu,x_pu\nl,a,b,line,0.1,0.1\nm,b,c,line,-0.1,0.1\n",
            "branch_pu.csv, line 3: line `m`: resistance is -0.1",
        ),
        (
            "branch_pu.csv",
            "id,from,to,kind,r_pu,x_pu\nl,a,a,line,0.1,0\n",
            "branch_pu.csv, line 2: both ends of line `l` are at bus `a`",
        ),
        (
            "branch_pu.csv",
            "id,from,to,kind,r_pu,x_pu\nl,a,b,cable,0.1,0\n",
            "branch_pu.csv, line 2: expected line, trafo, transformer, switch in column `kind`",
        ),
    ] {
        let error = folder_error(file, text);
        assert!(error.contains(expected), "{file} {text:?}: {error}");
    }
}

#[test]
fn cases_of_matpower() {
    let good = "function mpc = a\nmpc.version = '2';\nmpc.baseMVA = 1;\nmpc.bus = [\n\
        1 3 0 0 0 0 1 1 0 10 1 1 1;\n2 1 1 0 0 0 1 1 0 10 1 1 1;\n];\n\
        mpc.gen = [1 0 0 1 -1 1 1 1 1 0];\n\
        mpc.branch = [\n1 2 0.1 0.1 0 0 0 0 0 0 1;\n];\n";
    assert!(read_feeder_bytes("a.m", good.as_bytes(), &FeederParams::default()).is_ok());
    for (from, to, expected) in [
        ("'2'", "'1'", "a.m, line 2: expected version '2'"),
        ("1 2 0.1", "1 7 0.1", "a.m, line 10: expected the number of a bus of mpc.bus, found 7"),
        (
            "1 2 0.1 0.1 0 0 0 0 0",
            "1 2 0.1 0.1 0 0 0 0 -1",
            "a.m, line 10: expected a ratio that is positive",
        ),
        ("1 -1 1 1", "1 -1 -1 1", "a.m, line 8: expected a positive voltage"),
        ("1 2 0.1 0.1", "1 2 0 -0.1", "a.m, line 10: line `1`: reactance is -0.1"),
        ("2 1 1 0 0", "2 4 1 0 0", "a.m, line 6: expected a bus in service"),
        ("2 1 1 0 0", "2 1 x 0 0", "a.m, line 6: expected a number, or a calculation, found `x`"),
        ("2 1 1 0 0", "2 1 1 0", "a.m, line 6: expected 13 columns"),
        ("mpc.baseMVA = 1;", "mpc.baseMVA = f(1);", "a.m, line 3: expected an assignment"),
        (
            "];\nmpc.gen",
            "];\nmpc.bus(:, 3) = 2 * mpc.bus(:, 3);\nmpc.gen",
            "a.m, line 8: expected an",
        ),
        ("mpc.baseMVA = 1;\n", "", "expected `mpc.baseMVA"),
        ("0 1;\n];", "0 1;\n", "expected `]` after mpc.branch"),
    ] {
        let error = error_of("a.m", &good.replacen(from, to, 1));
        assert!(error.contains(expected), "{to}: {error}");
    }
}

#[test]
fn data_of_power_grid_model() {
    let good = "{\"version\": \"1.0\", \"type\": \"input\", \"is_batch\": false, \"attributes\": {},\n\
        \"data\": {\"node\": [{\"id\": 1, \"u_rated\": 1e4}, {\"id\": 2, \"u_rated\": 1e4}],\n\
        \"line\": [{\"id\": 3, \"from_node\": 1, \"to_node\": 2, \"r1\": 0.1, \"x1\": 0.1}],\n\
        \"sym_load\": [{\"id\": 4, \"node\": 2, \"type\": 0, \"p_specified\": 1, \"q_specified\": 1}],\n\
        \"source\": [{\"id\": 5, \"node\": 1, \"u_ref\": 1}]}}";
    assert!(read_feeder_bytes("a.json", good.as_bytes(), &FeederParams::default()).is_ok());
    for (from, to, expected) in [
        ("1.0", "2.0", "a.json, line 1: expected version \"1.0\""),
        ("\"input\"", "\"update\"", "a.json, line 1: expected data of type \"input\""),
        ("\"to_node\": 2", "\"to_node\": 9", "a.json, line 3: expected the id of a node"),
        ("\"id\": 4", "\"id\": 3", "a.json, line 4: expected an id of its own (line 3"),
        ("\"x1\": 0.1", "\"x1\": 0.1, \"z9\": 1", "a.json, line 3: expected an attribute of line"),
        ("\"r1\": 0.1, \"x1\": 0.1", "\"r1\": 0, \"x1\": 0", "a.json, line 3: line `3` has no imp"),
        ("\"sym_load\"", "\"three_winding_transformer\"", "a.json, line 4: expected a component"),
        ("\"type\": 0", "\"type\": 7", "a.json, line 4: expected type 0"),
        ("\"type\": 0", "\"type\": 0, \"type\": 1", "line 4: expected each name of an object once"),
        ("\"sym_load\"", "\"line\": [],\n\"sym_load\"", "a.json, line 4: expected each name"),
        (
            "\"r1\": 0.1",
            "\"r1\": 1e-400",
            "a.json, line 3: expected a number that is not too small",
        ),
        ("\"u_ref\": 1", "\"u_ref\": -1", "a.json, line 5: expected a positive number: `u_ref`"),
        (
            "\"u_rated\": 1e4}]",
            "\"u_rated\": 2e4}]",
            "a.json, line 3: line `3` joins bus `1` of 10 kV",
        ),
        ("\"u_ref\": 1", "\"u_ref\": \"x\"", "a.json, line 5: expected a number: `u_ref`"),
    ] {
        let error = error_of("a.json", &good.replacen(from, to, 1));
        assert!(error.contains(expected), "{to}: {error}");
    }
}

#[test]
fn scripts() {
    let good = "Clear\nNew Circuit.a basekv=4.16 bus1=s\n\
        New LineCode.c nphases=1 r1=1 x1=1 units=km\n\
        New Line.l bus1=s.1 bus2=b.1 linecode=c length=1\n\
        New Load.p bus1=b.1 phases=1 kv=2.4 kw=1 kvar=1\n";
    assert!(read_feeder_bytes("a.dss", good.as_bytes(), &FeederParams::default()).is_ok());
    for (from, to, expected) in [
        ("length=1", "lenght=1", "a.dss, line 4: expected a property of Line that is known"),
        ("linecode=c", "linecode=d", "a.dss, line 4: expected the name of a LineCode above"),
        ("bus2=b.1", "bus2=b.2", "a.dss, line 4: expected the same phases at both ends"),
        ("bus2=b.1", "bus2=b.4", "a.dss, line 4: expected phases 1, 2 and 3"),
        ("Load.p bus1=b.1", "Load.p bus1=x.1", "a.dss, line 5: expected a bus that a line"),
        ("Load.p bus1=b.1", "Load.p bus1=b.2", "a.dss, line 5: load `p` has phases b, but bus `b`"),
        ("New Load", "New Storage", "a.dss, line 5: expected a class that is read"),
        ("New LineCode", "Clear\nNew LineCode", "a.dss, line 4: expected `new Circuit.name` first"),
        ("kw=1", "kw=1e-400", "a.dss, line 5: expected a number, found kw=`1e-400`"),
        ("Clear", "Frobnicate", "a.dss, line 1: expected a command"),
        ("Clear", "Set Mode=daily", "a.dss, line 1: expected an option of `set`"),
        (
            "Clear",
            "Solve mode=daily number=24",
            "ControlMode, mode=snap, tolerance …), found `mode=daily`",
        ),
        ("Clear", "Solve number=24", "a.dss, line 1: expected an option of `set` and `solve`"),
        ("New Load", "Solve\nNew Load", "found `Load.p` after the last `Solve` (a.dss, line 5)"),
        (
            "kvar=1\n",
            "kvar=1\nSolve\nShow voltages\nload.p.kw=2\n",
            "a.dss, line 8: expected `Solve` after the last change of the circuit, found `Load.p`",
        ),
        ("kvar=1\n", "kvar=1\nSolve\nSet loadmult=2\n", "found `loadmult` after the last `Solve`"),
        ("kvar=1\n", "kvar=1\nSolve\nOpen line.l\n", "found `Open` after the last `Solve`"),
        ("New Load", "/* all that follows\nNew Load", "a.dss, line 5: expected `*/` at the end"),
        ("bus1=s\n", "bus1=s pu=-1\n", "a.dss, line 2: expected a positive voltage"),
        ("kw=1", "kw=one", "a.dss, line 5: expected a number, found kw=`one`"),
        ("kw=1", "kw=1 like=q", "a.dss, line 5: expected the name of another Load"),
        ("New Load", "Redirect x.dss\nNew Load", "a.dss, line 5: expected a file that can be read"),
        ("r1=1 x1=1", "r1=-1 x1=1", "a.dss, line 4: line `l`: resistance"),
        ("r1=1 x1=1", "r1=0 x1=0", "a.dss, line 4: line `l` has no impedance"),
        ("kw=1", "kw=(1 2", "a.dss, line 5: expected `name=value`, found no `)`"),
        ("Load.p", "Load.p conn=delta", "a.dss, line 5: expected two nodes of a delta"),
        (
            "New Circuit.a basekv=4.16 bus1=s\n",
            "",
            "a.dss, line 2: expected `new Circuit.name` first",
        ),
    ] {
        let error = error_of("a.dss", &good.replacen(from, to, 1));
        assert!(error.contains(expected), "{to}: {error}");
    }
}

/// Tables of a balanced feeder are none of three phases; results lie beside either.
#[test]
fn folders_of_three_phases() {
    let place = tempfile::tempdir().expect("a folder");
    for (name, text) in [
        ("bus.csv", "bus,vbase_ln_v,phases\na,230,a\n"),
        ("source.csv", "bus,phase,v_re,v_im\na,a,230,0\n"),
        ("ref.csv", "any\n"),
        ("notes.txt", "any\n"),
        (".hidden.csv", "any\n"),
    ] {
        std::fs::write(place.path().join(name), text).expect("a file");
    }
    assert!(read_feeder(place.path(), &FeederParams::default()).is_ok());
    for name in ["gen.csv", "shunt.csv", "branch_pu.csv", "foo.csv.zst"] {
        let path = place.path().join(name);
        std::fs::write(&path, "id\n").expect("a file");
        let error = read_feeder(place.path(), &FeederParams::default()).expect_err(name);
        let error = error.to_string();
        assert!(error.contains("tables of a three-phase feeder (bus, source, line"), "{error}");
        assert!(error.contains(&format!("found `{name}`")), "{error}");
        std::fs::remove_file(path).expect("a file");
    }
}

/// Options of `Solve` act as those of `Set`; changes before another `Solve` count.
#[test]
fn scripts_solve() {
    let good = "Clear\nNew Circuit.a basekv=4.16 bus1=s\n/* not\nread */ nor this\n\
        New Line.l bus1=s.1 bus2=b.1 phases=1 r1=1 x1=1 length=1\n\
        New Load.p bus1=b.1 phases=1 kv=2.4 kw=1 kvar=1\nSolve mode=snap number=1\n\
        load.p.kw=2\nsolve loadmult=3\nNew Monitor.m element=line.l\nShow voltages\n";
    let file = read_feeder_bytes("a.dss", good.as_bytes(), &FeederParams::default());
    let file = file.unwrap_or_else(|error| panic!("{error}"));
    assert!(near(three_phase(&file).loads.s_va[0], Complex::new(6e3, 6e3), 1e-12));
    let file = good.replace("Show", "Clear\nNew Circuit.a basekv=4.16 bus1=s\nShow");
    assert!(read_feeder_bytes("a.dss", file.as_bytes(), &FeederParams::default()).is_ok());
}

/// A file that reads itself is told, not followed.
#[test]
fn scripts_in_circles() {
    let place = tempfile::tempdir().expect("a folder");
    let path = place.path().join("a.dss");
    std::fs::write(&path, "New Circuit.a\nRedirect b.dss\n").expect("a file");
    std::fs::write(place.path().join("b.dss"), "\nRedirect a.dss\n").expect("a file");
    let error = read_feeder(&path, &FeederParams::default()).expect_err("a circle").to_string();
    assert!(error.contains("b.dss, line 2: expected another file"), "{error}");
}

#[test]
fn networks_of_pandapower() {
    let frame = |rows: &str| {
        format!("{{\"_module\": \"p\", \"_class\": \"DataFrame\", \"_object\": \"{rows}\"}}")
    };
    let bus = frame(
        "{\\\"columns\\\": [\\\"vn_kv\\\"], \\\"index\\\": [0, 1], \\\"data\\\": [[20], [20]]}",
    );
    let grid = frame(
        "{\\\"columns\\\": [\\\"bus\\\", \\\"vm_pu\\\"], \\\"index\\\": [0], \\\"data\\\": [[0, 1]]}",
    );
    let net = |more: &str| {
        format!(
            "{{\"_module\": \"m\", \"_class\": \"pandapowerNet\",\n\"_object\": {{\"bus\": {bus},\n\
            \"ext_grid\": {grid}{more}}}}}"
        )
    };
    assert!(read_feeder_bytes("n.json", net("").as_bytes(), &FeederParams::default()).is_ok());
    let load = "{\\\"columns\\\": [\\\"bus\\\", \\\"p_mw\\\"], \\\"index\\\": [4], \\\"data\\\": [[7, 1]]}";
    for (more, expected) in [
        (format!(",\n\"trafo3w\": {}", frame(load)), "n.json, line 4: expected a network of buses"),
        (format!(",\n\"load\": {}", frame(load)), "found 7 (row 4 of `load`)"),
        (format!(",\n\"bus\": {}", frame(load)), "line 4: expected each name of an object once"),
        (
            format!(",\n\"load\": {}", frame("{\\\"columns\\\": [1]}")),
            "n.json, line 4: expected a text",
        ),
    ] {
        let error = error_of("n.json", &net(&more));
        assert!(error.contains(expected), "{error}");
    }
    let error = error_of("n.json", "{\"_module\": \"m\", \"_class\": \"list\"}");
    assert!(error.contains("`_class` pandapowerNet"), "{error}");
}
