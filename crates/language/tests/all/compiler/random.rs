//! Random programs against a direct evaluation on the whole mesh, without parts, without
//! values, without labels.

use super::grid::Grid;
use super::reference::evaluate;
use palmette_language::c::RankData;
use palmette_language::{Program, compile};

/// A statement in the language, and what it means.
#[derive(Debug, Clone)]
enum Line {
    /// `a = p*b + q*c`
    Sum(usize, f64, usize, f64, usize),
    /// `a = s*(A*b) + B*c`
    Products(usize, usize, usize),
    Times(usize, usize, usize),
    Over(usize, usize, usize),
    Abs(usize, usize),
    Set(usize, usize),
    /// `s = dot(a, b) / (1 + dot(a, a))`
    Dot(usize, usize),
    /// `s = s + sum(a)`
    Total(usize),
    Repeat(usize, Vec<Line>),
}

const NAMES: [&str; 4] = ["u", "v", "w", "q"];

struct Choices(u64);

impl Choices {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        ((self.0 >> 33) % bound as u64) as usize
    }

    fn lines(&mut self, depth: usize) -> Vec<Line> {
        (0..2 + self.below(5)).map(|_| self.line(depth)).collect()
    }

    fn line(&mut self, depth: usize) -> Line {
        let (a, b, c) = (self.below(4), self.below(4), self.below(4));
        match self.below(11) {
            0 => Line::Sum(a, 0.5, b, -0.5, c),
            1 => Line::Sum(a, 1.0, b, 0.25, c),
            2 | 3 => Line::Products(a, b, c),
            4 => Line::Times(a, b, c),
            5 => Line::Over(a, b, c),
            6 => Line::Abs(a, b),
            7 => Line::Set(a, b),
            8 => Line::Dot(a, b),
            9 if depth < 2 => Line::Repeat(self.below(4), self.lines(depth + 1)),
            _ => Line::Total(a),
        }
    }
}

fn print(lines: &[Line], text: &mut String) {
    for line in lines {
        let n = |k: usize| NAMES[k];
        let printed = match line {
            Line::Sum(a, p, b, q, c) => format!("{} = {p}*{} + ({q})*{}\n", n(*a), n(*b), n(*c)),
            Line::Products(a, b, c) => format!("{} = s*(A*{}) + B*{}\n", n(*a), n(*b), n(*c)),
            Line::Times(a, b, c) => format!("{} = {} .* {}\n", n(*a), n(*b), n(*c)),
            Line::Over(a, b, c) => format!("{} = {} ./ (one + abs({}))\n", n(*a), n(*b), n(*c)),
            Line::Abs(a, b) => format!("{} = abs({})\n", n(*a), n(*b)),
            Line::Set(a, b) => format!("{} = {}\n", n(*a), n(*b)),
            Line::Dot(a, b) => {
                format!("s = dot({0}, {1}) / (1 + dot({0}, {0}) + dot({1}, {1}))\n", n(*a), n(*b))
            }
            Line::Total(a) => format!("s = cos(s + sum({}))\n", n(*a)),
            Line::Repeat(count, inner) => {
                *text += &format!("repeat {count}\n");
                print(inner, text);
                "end\n".to_string()
            }
        };
        *text += &printed;
    }
}

/// Vectors and the scalar of the whole mesh.
struct Direct<'a> {
    whole: &'a RankData,
    vectors: Vec<Vec<f64>>,
    s: f64,
}

impl Direct<'_> {
    fn product(&self, matrix: usize, x: usize) -> Vec<f64> {
        let (csr, x) = (&self.whole.matrices[matrix], &self.vectors[x]);
        let row = |i: usize| {
            let (columns, values) = csr.row(i);
            columns.iter().zip(values).map(|(&c, v)| v * x[c as usize]).sum()
        };
        (0..csr.rows()).map(row).collect()
    }

    fn pairs(&self, b: usize, c: usize, f: impl Fn(f64, f64) -> f64) -> Vec<f64> {
        self.vectors[b].iter().zip(&self.vectors[c]).map(|(&b, &c)| f(b, c)).collect()
    }

    fn run(&mut self, lines: &[Line]) {
        for line in lines {
            match line {
                Line::Sum(a, p, b, q, c) => {
                    self.vectors[*a] = self.pairs(*b, *c, |b, c| p * b + q * c);
                }
                Line::Products(a, b, c) => {
                    let (first, second) = (self.product(0, *b), self.product(1, *c));
                    let sum = first.iter().zip(second).map(|(p, q)| self.s * p + q);
                    self.vectors[*a] = sum.collect();
                }
                Line::Times(a, b, c) => self.vectors[*a] = self.pairs(*b, *c, |b, c| b * c),
                Line::Over(a, b, c) => {
                    self.vectors[*a] = self.pairs(*b, *c, |b, c| b / (1.0 + c.abs()));
                }
                Line::Abs(a, b) => self.vectors[*a] = self.pairs(*b, *b, |b, _| b.abs()),
                Line::Set(a, b) => self.vectors[*a] = self.vectors[*b].clone(),
                Line::Dot(a, b) => {
                    let dot = |a, b| self.pairs(a, b, |a, b| a * b).iter().sum::<f64>();
                    self.s = dot(*a, *b) / (1.0 + dot(*a, *a) + dot(*b, *b));
                }
                Line::Total(a) => {
                    self.s = (self.s + self.vectors[*a].iter().sum::<f64>()).cos();
                }
                Line::Repeat(count, inner) => (0..*count).for_each(|_| self.run(inner)),
            }
        }
    }
}

/// Names begin as vectors of both states; at the end all are written.
fn text_of(lines: &[Line]) -> String {
    let mut text = String::from(
        "fix left = 0\nmatrix A = stiffness(1)\nmatrix B = mass(9)\none = interpolate(1)\n\
         u = interpolate(x - y)\nv = load(40)\nw = diagonal(A)\nq = interpolate(x*y)\ns = 0.5\n",
    );
    print(lines, &mut text);
    text += "output u\noutput v\noutput w\noutput q\nprint s\n";
    // All matrices and sources, so that the direct evaluation has them.
    text + "print sum(A*one + B*one + interpolate(x - y) + load(40) + diagonal(A) + interpolate(x*y))\n"
}

/// The vector of a source, by the beginning of its text.
fn source(program: &Program, whole: &RankData, text: &str) -> Vec<f64> {
    let k = program.problem.sources.iter().position(|vector| vector.text == text).unwrap();
    whole.vectors[k].clone()
}

#[test]
fn random_programs_mean_what_they_say() {
    let grid = Grid::new(4);
    let mut compared = 0;
    for seed in 0..400 {
        let lines = Choices(seed).lines(0);
        let text = text_of(&lines);
        let program = compile("random", &text, &[]).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let whole = grid.ranks(&program, 1).remove(0);
        let vectors = ["interpolate(x - y)", "load(40)", "diagonal(A)", "interpolate(x*y)"];
        let vectors = vectors.map(|name| source(&program, &whole, name)).to_vec();
        let mut direct = Direct { whole: &whole, vectors, s: 0.5 };
        direct.run(&lines);
        let largest = direct.vectors.iter().flatten().fold(1.0f64, |m, v| m.max(v.abs()));
        if largest > 1e6 {
            continue;
        }
        for parts in [1, 3] {
            let outcome = evaluate(&program, &grid.ranks(&program, parts));
            // A few dozen operations on numbers of this size.
            let bound = 1e-9 * largest * largest;
            for ((name, found), expected) in outcome.files.iter().zip(&direct.vectors) {
                let numbers = whole.nodes.iter().map(|&v| v as usize);
                for (k, v) in numbers.enumerate() {
                    let error = (found[v] - expected[k]).abs();
                    assert!(error <= bound, "{name} at {v}: {error} on {parts} parts\n{text}");
                }
            }
            assert!((outcome.printed[0].1 - direct.s).abs() <= bound, "{text}");
        }
        compared += 1;
    }
    assert!(compared > 300, "{compared}");
}
