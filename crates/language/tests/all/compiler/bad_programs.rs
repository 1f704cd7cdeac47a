//! Programs that are wrong: each error says where and what.

use palmette_language::compile;

/// What is said about a program, without excerpts: `line:column: message` each.
fn errors(text: &str) -> Vec<String> {
    let errors = compile("bad.pal", text, &[]).expect_err(text);
    errors.list().iter().map(|e| format!("{}:{}: {}", e.line, e.column, e.message)).collect()
}

/// After declarations on one line each, so that the statement is in line 6.
fn error(statement: &str) -> String {
    let text = format!(
        "param eps = 1e-8\nmatrix A = stiffness(1)\nmatrix B = mass(1)\nvector r = load(1)\n\
         s = norm(A*r)\n{statement}\n"
    );
    let mut all = errors(&text);
    assert_eq!(all.len(), 1, "{statement}: {all:?}");
    all.remove(0)
}

#[test]
fn places_are_shown() {
    let text = "matrix A = stiffness(1)\nvector r = load(1)\n\trho = dot(rr, A*r)\nprint rho\n";
    let errors = compile("some/cg.pal", text, &[]).unwrap_err().to_string();
    let expected = "some/cg.pal:3:12: unknown name `rr`; did you mean `r`?\n  \
                    \trho = dot(rr, A*r)\n  \t          ^^";
    assert_eq!(errors, expected);
}

#[test]
fn names() {
    assert_eq!(error("t = epss + 1"), "6:5: unknown name `epss`; did you mean `eps`?");
    assert_eq!(
        error("t = x"),
        "6:5: unknown name `x`; as a coordinate it is allowed only in fields, such as \
        interpolate(x)"
    );
    assert_eq!(error("t = dott(r, r)"), "6:5: unknown function `dott`; did you mean `dot`?");
    assert_eq!(error("t = s(2)"), "6:5: `s` is not a function; use `*` for products");
    assert_eq!(error("t = norm"), "6:5: `norm` is a function: norm(…)");
    assert_eq!(error("norm = 1"), "6:1: `norm` is a word of the language and cannot be a name");
    assert_eq!(error("end = 1"), "6:1: `end` is a word of the language and cannot be a name");
    assert_eq!(error("end"), "6:1: `end` without a loop");
    assert_eq!(error("A = 1"), "6:1: `A` is a matrix (line 2) and cannot be set");
    assert_eq!(error("eps = 1"), "6:1: `eps` is a param (line 1) and cannot be set");
    assert_eq!(error("matrix A = mass(1)"), "6:8: `A` is already a matrix (line 2)");
    assert_eq!(error("s = r"), "6:1: `s` is a scalar (line 5) and cannot become a vector");
    assert_eq!(error("vector v = 2"), "6:12: a vector is declared, but this is a scalar");
    assert_eq!(
        error("repeat 3\n  q = A*r\nend\noutput q"),
        "9:8: `q` is set only in the loop of line 6, which may run zero times; set it before the loop too"
    );
    assert_eq!(error("t = t + 1"), "6:5: unknown name `t`");
}

#[test]
fn kinds() {
    assert_eq!(error("t = s / r"), "6:5: cannot divide by a vector; use `./` entry by entry");
    assert_eq!(
        error("t = r * r"),
        "6:5: `*` of two vectors: use `.*` entry by entry, or dot(a, b)"
    );
    assert_eq!(
        error("t = r + 1"),
        "6:5: a scalar and a vector cannot be added; s * interpolate(1) is a constant vector"
    );
    assert_eq!(error("t = r * A"), "6:5: write the matrix left of the vector: A*x");
    assert_eq!(
        error("t = A*B*r"),
        "6:5: matrix products are not supported; apply one after the other: A*(B*x)"
    );
    assert_eq!(
        error("t = r / A"),
        "6:5: cannot divide by a matrix; solve with a loop, such as conjugate gradients"
    );
    assert_eq!(error("t = r^2"), "6:5: only scalars have powers; use `.*` entry by entry");
    assert_eq!(error("t = A + r"), "6:5: `+` is not defined for a matrix and a vector");
    assert_eq!(error("t = A"), "6:5: a matrix is declared from forms: matrix t = …");
    assert_eq!(error("t = dot(r, s)"), "6:5: dot takes two vectors, found vector, scalar");
    assert_eq!(error("t = norm()"), "6:5: norm takes a vector, found nothing");
    assert_eq!(error("t = sqrt(A)"), "6:5: sqrt takes a scalar or a vector, found matrix");
    assert_eq!(error("print r"), "6:7: print shows scalars; output writes vectors");
    assert_eq!(error("output s"), "6:8: output writes vectors, and `s` is not one");
    assert_eq!(
        error("while r > 1 at most 3\nend"),
        "6:7: what a loop compares is a scalar, found a vector"
    );
    assert_eq!(error("repeat r\nend"), "6:8: the number of iterations is a scalar, found a vector");
    assert_eq!(
        error("output r\noutput r"),
        "7:8: line 6 writes `r` too; give another name: output r as r_2"
    );
    assert_eq!(error("print s every 3"), "6:1: `every` counts iterations; use it inside a loop");
}

#[test]
fn loops() {
    assert_eq!(error("repeat 5\n  t = 1"), "6:1: this loop has no `end`");
    assert_eq!(
        error("while s > 1\nend"),
        "6:12: expected `at most` and a limit on iterations (every loop needs one), found the end \
        of the line"
    );
    assert_eq!(
        error("while s at most 5\nend"),
        "6:9: expected a comparison with <, <=, > or >=, found `at`"
    );
    assert_eq!(error("repeat\nend"), "6:7: expected a value, found the end of the line");
    assert_eq!(
        error("repeat 3\n  matrix C = mass(1)\nend"),
        "7:3: declarations are not allowed in loops"
    );
    let deep = "repeat 2\n".repeat(9) + "s = s + 1\n" + &"end\n".repeat(9);
    assert_eq!(error(deep.trim_end()), "14:1: loops nest at most 8 deep");
}

#[test]
fn fields_and_forms() {
    assert_eq!(
        error("matrix C = stifness(1)"),
        "6:12: `stifness` is not a form of a matrix; did you mean `stiffness`?"
    );
    assert_eq!(
        error("matrix C = elasticity(1, 0.3)"),
        "6:12: elasticity needs 2 or 3 components; write `unknown 2` first"
    );
    assert_eq!(error("matrix C = mass(steel: 1, steel: 2)"), "6:27: a second value for `steel`");
    assert_eq!(
        error("matrix C = mass(steel: 1, 2)"),
        "6:27: expected a group before the value: steel: 50"
    );
    assert_eq!(
        error("matrix C = mass(s)"),
        "6:17: `s` is a scalar of the program; here only numbers, pi, x, y, z and params are \
        allowed"
    );
    assert_eq!(error("matrix C = x*A"), "6:12: a factor is a number and cannot depend on x, y, z");
    assert_eq!(error("matrix C = A + r"), "6:16: `r` is not a matrix");
    assert_eq!(error("t = load([1, 2])"), "6:10: expected 1 components, found 2");
    assert_eq!(error("t = flux(1)"), "6:5: flux goes through the boundary of groups: flux(top: 2)");
    assert_eq!(error("t = rhs(r, load(1))"), "6:9: rhs takes the name of a matrix");
    assert_eq!(error("t = rhs(A, r)"), "6:12: expected load(…) or flux(…)");
    assert_eq!(error("t = mass(1)"), "6:5: mass makes a matrix: matrix A = mass(…)");
    assert_eq!(
        error("t = [1, 2]"),
        "6:5: a list of components is allowed only in fix, load, flux and interpolate"
    );
    assert_eq!(error("fix left.y = 0"), "6:5: no component y: the unknown has 1");
    assert_eq!(error("fix left.w = 0"), "6:10: expected the component x, y or z, found `w`");
    assert_eq!(error("unknown 4"), "6:9: the unknown has 1, 2 or 3 components");
    let two = errors("unknown 2\nb = load(1)\nmatrix K = stiffness(1)\n");
    assert_eq!(two[0], "2:10: expected a list of 2 components: [a, b]");
    assert!(two[1].contains("use elasticity"), "{two:?}");
}

#[test]
fn syntax() {
    assert_eq!(
        error("t = (1 + 2"),
        "7:1: expected `)` for the `(` of an earlier line, found the end of the program"
    );
    assert_eq!(error("t = 1 +"), "7:1: expected a value, found the end of the program");
    assert_eq!(error("t = 1 2"), "6:7: expected the end of the line, found a number");
    assert_eq!(error("t = 2s"), "6:5: a number ends here and a name begins; put `*` between them");
    assert_eq!(error("t = 1e999"), "6:5: the number 1e999 is too large");
    assert_eq!(
        error("t = ρ"),
        "6:5: unexpected character `ρ`; names have letters a to z, digits and _"
    );
    assert_eq!(error("t"), "6:2: expected `=` after `t`, found the end of the line");
    assert_eq!(errors("print \"a")[0], "1:7: a text without a closing \"");
    assert_eq!(error("t = (1, 2)"), "6:5: write a list of components in brackets: [a, b]");
    let nested = format!("t = {}1{}", "(".repeat(5000), ")".repeat(5000));
    assert_eq!(error(&nested), "6:106: nested more than 100 deep; use an intermediate name");
    assert!(error(&format!("t = {}1", "-".repeat(100_000))).contains("nested more than"));
    assert!(error(&format!("t = 1{}", "^1".repeat(100_000))).contains("nested more than"));
    let many = errors("t = \nu = )\nv = a b\n");
    assert_eq!(many.len(), 3, "{many:?}");
}

#[test]
fn settings_must_exist() {
    let text = "param a = 1\nprint a\n";
    let error = compile("p", text, &[("b".to_string(), 2.0)]).unwrap_err().to_string();
    assert!(error.contains("no param `b`; it has: a"), "{error}");
    let program = compile("p", text, &[("a".to_string(), 2.0)]).unwrap();
    assert_eq!(program.problem.params[0].value, 2.0);
}

#[test]
fn long_programs_end_in_time() {
    let sum = "v".to_string() + &" + v".repeat(100_000);
    let text = format!("v = load(1)\nw = {sum}\noutput w\n");
    assert_eq!(compile("long", &text, &[]).unwrap().vectors, ["v", "w"]);
    let lines: String =
        (0..20_000).map(|k| format!("v{k} = norm(load({k}))\nprint v{k}\n")).collect();
    let error = compile("long", &lines, &[]).unwrap_err().to_string();
    assert!(error.contains("too many values"), "{error}");
    let huge = "# \n".repeat(1 << 20);
    assert!(compile("huge", &huge, &[]).unwrap_err().to_string().contains("bytes, at most"));
}

#[test]
fn no_text_makes_the_compiler_panic() {
    let words = [
        "a",
        "b",
        "A",
        "=",
        "(",
        ")",
        "[",
        "]",
        ",",
        ":",
        "+",
        "-",
        "*",
        "/",
        ".*",
        "./",
        "^",
        "1",
        "2.5",
        "while",
        "repeat",
        "end",
        "at",
        "most",
        "print",
        "output",
        "every",
        "as",
        "fix",
        "matrix",
        "vector",
        "param",
        "unknown",
        "\n",
        "\n",
        "\n",
        "dot",
        "norm",
        "load",
        "rhs",
        "stiffness",
        "mass",
        "x",
        "\"t\"",
        "<",
        ">",
        "else",
        "flux",
        "free",
        "interpolate",
        "é",
    ];
    let mut state = 7u64;
    for _ in 0..20_000 {
        let mut text = String::from("matrix A = mass(1)\na = load(1)\nb = 2\n");
        for _ in 0..20 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            text += words[(state >> 33) as usize % words.len()];
            text += " ";
        }
        // The message must be printable too.
        let _ = compile("fuzz", &text, &[]).map_err(|errors| errors.to_string());
    }
}
