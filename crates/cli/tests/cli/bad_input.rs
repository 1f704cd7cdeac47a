//! What users get wrong: one line that says where, exit code 2, nothing left behind.

use crate::{Place, TABLE, refused};
use std::io::Write;

/// An npy array of parents that promises more than it has.
fn short_npy() -> Vec<u8> {
    let mut data = b"\x93NUMPY\x01\x00".to_vec();
    let header = "{'descr': '<i4', 'fortran_order': False, 'shape': (5,), }";
    let header = format!("{header:<117}\n");
    data.extend((header.len() as u16).to_le_bytes());
    data.extend(header.as_bytes());
    data.extend([0xff; 4]);
    data.extend([0; 4]);
    data
}

fn truncated_gzip() -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&TABLE.repeat(50)).unwrap();
    let mut data = encoder.finish().unwrap();
    data.truncate(data.len() / 2);
    data
}

#[test]
fn bad_files_are_named_with_their_line() {
    let gz = truncated_gzip();
    let npy = short_npy();
    let cases: &[(&str, &[u8], &str, &[&str])] = &[
        ("cycle.csv", b"id,parent\nr,\nx,y\ny,z\nz,x\n", "", &["line 3", "cycle", "x → y → z → x"]),
        (
            "roots.csv",
            b"id,parent\na,\nb,\nc,a\n",
            "",
            &["line 2", "one root", "`a` and `b` (line 3)", "--forest"],
        ),
        ("parent.csv", b"id,parent\na,\nb,nobody\n", "", &["line 3", "`nobody`"]),
        ("twice.csv", b"id,parent\na,\nb,a\nb,a\n", "", &["line 4", "`b` again", "line 3"]),
        (
            "missing.csv",
            b"id,parent,w\na,,1\nb,a,\n",
            "--values w",
            &["line 3", "a number", "nothing"],
        ),
        (
            "field.csv",
            b"id,parent,w\na,,1\nb,a\n",
            "--values w",
            &["line 3", "3 fields", "2 fields"],
        ),
        (
            "text.csv",
            b"id,parent,w\na,,1\nb,a,two\n",
            "--values w",
            &["line 3", "a number", "`two`"],
        ),
        ("nan.csv", b"id,parent,w\na,,1\nb,a,NaN\n", "--values w", &["line 3", "not NaN", "`NaN`"]),
        (
            "half.csv",
            b"id,parent,w\na,,1\nb,a,1.5\n",
            "--op xor --values w",
            &["line 3", "an integer", "`1.5`"],
        ),
        ("open.nwk", b"((a,b),\n(c,d);\n", "", &["line 2", "byte 13", "1 parenthesis open"]),
        ("close.nwk", b"(a,b))c;\n", "", &["line 1", "byte 5", "`)`"]),
        ("cut.csv.gz", &gz, "", &["gzip", "truncated"]),
        ("empty.csv", b"", "", &["line 1", "empty file"]),
        ("empty.nwk", b"", "", &["line 1", "empty file"]),
        ("bytes.csv", b"id,parent\na,\n\xff,a\n", "", &["line 3", "UTF-8", "0xff"]),
        ("loop.csv", b"id,parent\na,\nb,b\n", "", &["line 3", "its own parent", "--self-root"]),
        ("short.npy", &npy, "", &["short.npy", "expected"]),
        ("cut.parquet", b"PAR1 and no more", "", &["byte 16", "PAR1", "truncated"]),
        ("text.arrow", b"id,parent\na,\n", "", &["byte 0", "an Arrow file", "other bytes"]),
        ("several.nwk", b"(a);\n(b);\n", "", &["line 2", "--tree"]),
        ("none.csv", b"id,parent\na,\n", "--values none", &["line 1", "`none`"]),
        ("plain.nwk", b"(a,b)c;\n", "--lengths", &["has no branch lengths"]),
        ("some.nwk", b"(a:1,b)c;\n", "--lengths", &["line 1", "branch length"]),
        (
            "big.csv",
            b"id,parent,w\na,,9223372036854775807\nb,a,1\n",
            "--values w",
            &["line 2", "does not fit i64 at `a`: 9223372036854775808", "--wrapping"],
        ),
        (
            "both.csv",
            b"id,parent,w\na,,-1\nb,a,9223372036854775808\n",
            "--values w",
            &["line 3", "`9223372036854775808`; no integer type holds this", "--type f64"],
        ),
        (
            "huge.csv",
            b"id,parent,w\na,,1\nb,a,18446744073709551616\n",
            "--values w",
            &["line 3", "`18446744073709551616`; no integer type holds this", "--type f64"],
        ),
    ];
    let both = Place::new(&[("both.csv", b"id,parent,w\na,,-1\nb,a,9223372036854775808\n")]);
    for line in
        ["tree convert both.csv --columns w", "spatial message both.csv --kind reduce --values w"]
    {
        refused(&both, line, &["line 3", "no integer type holds this", "--type f64"]);
        both.stdout(&format!("{line} --type f64 -o rounded.csv"));
    }
    for (name, content, options, parts) in cases {
        let place = Place::new(&[(name, content)]);
        let line = format!("tree leaffix {name} {options} -o answer.csv --svg picture.svg");
        let output = place.run(&line);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}: {stderr}");
        assert!(output.stdout.is_empty(), "{line}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert!(stderr.starts_with(&format!("error: {name}")), "{stderr}");
        for part in *parts {
            assert!(stderr.contains(part), "{line}: no `{part}` in {stderr}");
        }
        assert_eq!(place.names(), [*name], "nothing is left behind");
    }
}

#[test]
fn bad_arguments_are_refused() {
    let place = Place::new(&[
        ("t.csv", TABLE),
        ("pairs.csv", b"u,v\nc,d\nc,nobody\n"),
        ("few.csv", b"vertex,w\nroot,1\na,2\n"),
    ]);
    let cases: &[(&str, &str)] = &[
        ("tree info nowhere.csv", "nowhere.csv: cannot read"),
        (
            "tree lca t.csv --pairs pairs.csv",
            "pairs.csv, line 3: expected the name of a vertex, found `nobody`",
        ),
        ("tree lca t.csv c nobody", "t.csv: `nobody` does not name one vertex"),
        ("tree lca t.csv", "name two or more vertices, or pass --pairs, --set or --sets"),
        ("tree lca t.csv c", "name two or more vertices"),
        ("tree distance t.csv c", "a pair has two vertices, not 1"),
        ("tree path t.csv c d a", "a pair has two vertices, not 3"),
        ("tree distance t.csv", "no query given; name two vertices or pass --pairs FILE"),
        ("tree lca t.csv --set c,nobody", "--set, line 1"),
        ("tree lca - --pairs -", "only one input can come from stdin"),
        ("tree leaffix t.csv --values few.csv", "few.csv"),
        ("tree leaffix t.csv --op product --values weight", "--op product needs --modulus M"),
        ("tree path t.csv --op max --values weight,weight a b", "max takes 1 column, not 2"),
        ("tree leaffix t.csv --op max --values weight,weight", "--values names weight twice"),
        ("tree leaffix t.csv --op affine --values weight", "affine takes 2 columns, not 1"),
        ("tree leaffix t.csv --op min --engine euler", "needs an operator with inverses"),
        ("tree leaffix t.csv --op size --values weight", "--op size takes no"),
        ("tree leaffix t.csv --op nonsense", "invalid value 'nonsense'"),
        ("tree leaffix t.csv --json -o -", "prints the record on stdout"),
        ("tree leaffix t.csv --svg s.svg -o nowhere/a.csv", "nowhere/a.csv: cannot write"),
        ("tree leaffix t.csv --svg nowhere/s.svg -o a.csv", "nowhere/s.svg: cannot write"),
        ("tree leaffix t.csv --svg a.csv -o ./a.csv", "-o and --svg name the same file"),
        ("tree info t.csv --svg - --json", "--svg needs a file"),
        ("tree lca t.csv c d -o a.npy", "a.npy: wrong extension; use csv"),
        // Nothing is read first.
        ("tree lca missing.csv c d -o a.npy", "a.npy: wrong extension; use csv"),
        ("tree path t.csv --ancestor 1 -o a.npy", "a.npy: wrong extension; use csv"),
        ("tree path t.csv --pairs pairs.csv", "needs an operator"),
        ("tree convert t.csv -o a.xyz", "a.xyz: wrong extension; use"),
        ("tree generate nonsense:3", "unknown shape"),
        ("tree generate path", "needs a number of vertices"),
        ("tree generate profile:100,5", "write profile:VERTICES:HEIGHT, such as profile:100:5"),
        ("tree generate profil:100:5", "did you mean `profile`?"),
        ("tree generate random:0", "at least one vertex"),
        ("tree generate random:5000000000", "at most"),
        ("tree info t.csv --threads 1000000", "expected a number up to 1024"),
        ("nonsense", "unrecognized subcommand"),
    ];
    for (line, part) in cases {
        let output = place.run(line);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}: {stderr}");
        assert!(output.stdout.is_empty(), "{line}");
        assert!(stderr.contains(part), "{line}: no `{part}` in {stderr}");
    }
    assert_eq!(place.names(), ["few.csv", "pairs.csv", "t.csv"]);
}

/// What has no effect is an error that names it.
#[test]
fn options_without_effect_are_refused() {
    let place = Place::new(&[("t.csv", TABLE)]);
    let parameters = ["--modulus 5", "--wrapping", "--seed 7"];
    for (operators, taken) in [
        (&["sum"][..], &["--wrapping"][..]),
        (&["product", "affine", "matrix"], &["--modulus 5"]),
        (&["hash"], &["--seed 7"]),
        (&["min", "max", "count", "xor", "and", "or", "argmin", "argmax", "depth"], &[]),
    ] {
        for (op, parameter) in
            operators.iter().flat_map(|op| parameters.iter().map(move |parameter| (op, parameter)))
        {
            if taken.contains(parameter) {
                continue;
            }
            let columns = match *op {
                "affine" => " --values weight,weight",
                "matrix" => " --values weight,weight,weight,weight",
                _ => "",
            };
            let option = parameter.split(' ').next().unwrap();
            let said = format!("--op {op} takes no {option}");
            refused(
                &place,
                &format!("tree rootfix t.csv --op {op}{columns} {parameter}"),
                &[&said],
            );
            if *op != "depth" {
                refused(
                    &place,
                    &format!("tree path t.csv a b --op {op}{columns} {parameter}"),
                    &[&said],
                );
            }
        }
    }
    for (line, part) in [
        ("tree rootfix t.csv --op depth --missing-value 3", "--op depth takes no --missing-value"),
        ("tree leaffix t.csv --op size --lengths", "--op size takes no --lengths"),
        ("tree leaffix t.csv --op size --allow-nan", "--op size takes no --allow-nan"),
        ("tree leaffix t.csv --op count --values weight", "--op count takes no --values"),
        ("tree leaffix t.csv --op count --lengths", "--op count takes no --lengths"),
        ("tree leaffix t.csv --op count --type f64", "--op count takes no --type"),
        ("tree leaffix t.csv --values weight --allow-nan", "the values are i64; leave it out"),
        ("tree leaffix t.csv --lengths --wrapping", "not of f64; leave out --wrapping"),
        ("tree leaffix t.csv --missing-value 3", "--missing-value needs --values"),
        ("tree leaffix t.csv --missing-length 3", "--missing-length has no effect"),
        ("tree leaffix t.csv --lengths --type i64", "leave out --type i64"),
        ("tree leaffix t.csv --lengths --op xor", "use --values with a column of integers"),
        ("tree path t.csv a b --lengths", "--lengths needs an operator; add --op"),
        ("tree path t.csv a b --values weight", "--values needs an operator; add --op"),
        ("tree path t.csv a b --edges", "--edges needs an operator; add --op"),
        ("tree path t.csv --ancestor 1 --seed 3", "--ancestor takes no --seed"),
        ("spatial treefix t.csv --op max --wrapping", "--op max takes no --wrapping"),
        ("spatial treefix t.csv --modulus 3", "--op sum takes no --modulus"),
        ("spatial message t.csv --missing-value 3", "--missing-value needs --kind reduce"),
        ("spatial message t.csv --kind reduce --modulus 3", "--op sum takes no --modulus"),
        ("spatial layout t.csv --time-limit 3", "--time-limit needs --order refined"),
        ("spatial layout t.csv --seed 3", "--seed needs --order refined or --on-machine"),
        ("tree info t.csv --in-place", "--in-place needs -o"),
    ] {
        refused(&place, line, &[part]);
    }
}

#[test]
fn an_old_answer_survives_a_failure() {
    let place = Place::new(&[("bad.csv", b"id,parent\na,b\nb,a\n"), ("old.csv", b"precious\n")]);
    assert_eq!(place.run("tree leaffix bad.csv -o old.csv").status.code(), Some(2));
    assert_eq!(place.read("old.csv"), "precious\n");
}

#[test]
fn an_error_is_one_line_whatever_labels_it_quotes() {
    let place = Place::new(&[("c.csv", b"id,parent\n\"a\nx\",\"b\ny\"\n\"b\ny\",\"a\nx\"\n")]);
    let output = place.run("tree info c.csv");
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(stderr.contains("a·x"), "{stderr}");
}

#[test]
fn long_names_can_be_written() {
    let place = Place::new(&[("t.csv", TABLE)]);
    let name = format!("{}.csv", "n".repeat(250));
    place.stdout(&format!("tree leaffix t.csv -o {name}"));
    assert_eq!(place.names(), [name, "t.csv".to_string()]);
}
