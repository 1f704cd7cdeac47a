//! Jobs that end soon, with one message and no file, because something is wrong.

use super::*;

#[test]
fn mistakes_end_the_job_with_one_message() {
    let folder = Folder::new("mpi-mistakes");
    let (table, parents) = scattered(400);
    let ring = folder.parents("ring.npy", &[NONE, 2, 3, 1, 0, 0]);
    let roots = folder.parents("roots.npy", &[NONE, 0, 0, NONE]);
    let good = folder.parents("good.npy", &[NONE, 0, 1, 1]);
    let x = folder.values("x.npy", &Values::I64(vec![1, 2, 3]));
    let large = folder.values("large.npy", &Values::I64(vec![i64::MAX, 1, 0, 0]));
    let csv = |name: &str, text: String| folder.write(name, text);
    let word = csv("word.csv", table.clone() + "seven,1,\n");
    let orphan = csv("orphan.csv", table.clone() + "200000,1,200001\n");
    let twice = csv("twice.csv", table.clone() + "-50,1,7869\n");
    let two = csv("two.csv", table.clone() + "200000,1,\n");
    let root = parents.iter().position(|&parent| parent == NONE).unwrap() + 1;
    let rows = format!("rows {root} and 401 have no parent");
    let quoted = csv("quoted.csv", table + "\"200000\",1,7869\n");
    let pairs = csv("pairs.csv", "u,v\n0,1\n2,3\n0,two\n1,1\n".to_string());
    let many = csv("many.csv", "0,1\n".repeat(20_000));
    let both = csv("both.csv", "id,parent,x\n0,,-1\n1,0,2\n2,0,9223372036854775808\n".to_string());
    let gap = csv("gap.csv", "id,parent,x\n0,,1\n1,0,nan\n".to_string());
    let mut bytes = std::fs::read(&good).unwrap();
    bytes.pop();
    let cut = folder.write("cut.npy", bytes);
    let out = folder.0.join("out.npy");
    let out = text(&out);
    for (arguments, expected) in [
        (vec!["leaffix", text(&ring), "-o", out], "cycle"),
        (vec!["leaffix", text(&roots), "-o", out], "expected one root, found 2"),
        (vec!["leaffix", text(&cut), "-o", out], "truncated"),
        (vec!["leaffix", "no-such-file.npy", "-o", out], "no-such-file.npy"),
        (vec!["leaffix", text(&good), "--values", text(&x), "-o", out], "values for 4 vertices"),
        (vec!["leaffix", text(&good), "--values", text(&large), "-o", out], "9223372036854775808"),
        (vec!["leaffix", text(&good), "--values", "weight", "-o", out], "use a table"),
        (vec!["leaffix", text(&word), "-o", out], "line 402: expected an integer"),
        (vec!["leaffix", text(&orphan), "-o", out], "line 402: expected the id of a parent"),
        (vec!["leaffix", text(&twice), "-o", out], "-50 occurs twice, in rows 1 and 401"),
        (vec!["leaffix", text(&quoted), "-o", out], "quotes"),
        (vec!["leaffix", text(&good), "-o", "no/such/folder.npy"], "no/such/folder.npy"),
        (vec!["leaffix", text(&good), "-o", "out.txt"], "npy, csv or tsv"),
        (vec!["leaffix", text(&good), "--shares", "1,2"], "needs 3 weights"),
        (vec!["leaffix", text(&good), "--memory", "100", "-o", out], "has room for 100"),
        (vec!["leaffix", text(&good), "--memory", "many"], "such as 500M or 8G"),
        (vec!["lca", text(&good), "--pairs", text(&x)], "shape (m, 2)"),
        (vec!["lca", text(&good), "--pairs", text(&pairs)], "line 4: expected two integers"),
        (
            vec!["lca", text(&good), "--pairs", text(&many), "--memory", "1M"],
            "6666 pairs on rank 0 take 2.5M of memory, which has room for 1.0M",
        ),
        (
            vec!["leaffix", text(&gap), "--values", "x", "--type", "f64"],
            "line 3: expected a number",
        ),
        (
            vec!["leaffix", text(&both), "--values", "x"],
            "line 4: expected an integer that i64 holds in column `x`, found `9223372036854775808`; \
             no integer type holds this and the other values; pass --type f64 to round them",
        ),
        (vec!["leaffix", text(&good), "--op", "max", "--wrapping"], "max takes no --wrapping"),
        (vec!["leaffix", text(&good), "--op", "size", "--seed", "2"], "size takes no --seed"),
        (vec!["leaffix", text(&good), "--allow-nan"], "the values are i64; leave it out"),
        (vec!["leaffix", text(&good), "--op", "median"], "median"),
        (
            vec!["leaffix", text(&good), "--op", "max", "--sum", "exact"],
            "applies to --op sum only, not max",
        ),
        (vec!["leaffix", text(&good), "--type", "i64", "--error-bound"], "sums of i64"),
        (vec!["leaffix", text(&good), "--error-bound", "-o", out], "one column of numbers"),
        (vec!["leaffix", text(&good), "--op", "depth"], "invalid value 'depth'"),
        (vec!["leaffix", text(&two), "-o", out], rows.as_str()),
        (vec!["leaffix", text(&good), "--op", "argmax", "-o", out], "one column of numbers"),
    ] {
        let said = failure(&folder, 3, &arguments);
        assert!(said.contains(expected), "{arguments:?}: {said}");
        let errors = said.lines().filter(|line| line.starts_with("error:")).count();
        assert_eq!(errors, 1, "{arguments:?}: {said}");
    }
}
