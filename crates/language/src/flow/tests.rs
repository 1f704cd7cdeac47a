//! Placements against all labels there are, on random programs.

use super::{Flow, Item, Labels, Op, ValueId, lower, place, sweep};
use crate::problem::Problem;
use crate::syntax::{Errors, parse};
use crate::types::{Kind, check};

/// A sequence of choices that a seed determines.
struct Choices(u64);

impl Choices {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % bound as u64) as usize
    }
}

/// Vectors u, v, w and scalars s, t, changed at random in nested loops.
fn random_program(choices: &mut Choices) -> String {
    let mut text = String::from("matrix A = stiffness(1)\nmatrix B = mass(1)\ns = 1\nt = 2\n");
    for name in ["u", "v", "w"] {
        let source = ["load(1)", "load(x)", "interpolate(x)", "diagonal(A)"][choices.below(4)];
        text += &format!("{name} = {source}\n");
    }
    let mut open = 0;
    for _ in 0..3 + choices.below(7) {
        let mut name = || ["u", "v", "w"][choices.below(3)];
        let (a, b, c) = (name(), name(), name());
        text += &match choices.below(14) {
            0 => format!("{a} = {b} + {c}"),
            1 => format!("{a} = A*{b}"),
            2 => format!("{a} = A*{b} - s*(B*{c})"),
            3 => format!("{a} = {b} .* {c}"),
            4 => format!("{a} = {b} ./ {c}"),
            5 => format!("s = dot({a}, {b})"),
            6 => format!("t = dot({a}, {b} - {c})"),
            7 => format!("s = sum({a}) + norm({b})"),
            8 => format!("{a} = abs({b})"),
            9 => format!("{a} = {b}"),
            10 if open > 0 => format!("print dot({a}, {b}) every {}", 2 + choices.below(30)),
            11 | 12 if open < 2 => {
                open += 1;
                format!("while s > {} at most 9", choices.below(3))
            }
            _ if open > 0 => {
                open -= 1;
                "end".to_string()
            }
            _ => format!("{a} = t*{b} - {c}"),
        };
        text.push('\n');
    }
    text + &"end\n".repeat(open)
        + ["output u\n", "output u\noutput v\n", ""][choices.below(3)]
        + "print s\n"
}

fn flow_of(text: &str) -> (Flow, Problem) {
    let mut errors = Errors::default();
    let tree = parse(text, &mut errors);
    let mut typed = check(text, &tree, &[], &mut errors);
    errors.finish("random", text).unwrap_or_else(|errors| panic!("{errors}\n{text}"));
    let mut flow = lower(text, &tree, &mut typed);
    sweep(&mut flow);
    (flow, typed.problem)
}

/// All values that are left, in order.
fn present(flow: &Flow) -> Vec<ValueId> {
    let mut values = Vec::new();
    flow.each_item(&flow.items, &mut |item| match item {
        Item::Value(value) => values.push(*value),
        Item::Loop(number) => values.extend(&flow.loops[*number].phis),
        _ => {}
    });
    values
}

/// What labels cost, if they can be: written down anew from the meaning of each operation.
fn cost(flow: &Flow, problem: &Problem, values: &[ValueId], full: &[bool]) -> Option<u128> {
    let mut cost = 0;
    for &id in values {
        let value = &flow.values[id];
        let free = match &value.op {
            Op::Source(number) => problem.sources[*number].source.is_full(),
            Op::Combine(terms) => {
                if terms.iter().any(|term| term.matrix.is_some() && !full[term.vector]) {
                    return None;
                }
                terms.iter().all(|term| term.matrix.is_none() && full[term.vector])
            }
            Op::Copy(a) => full[*a],
            Op::Phi(a, b) => full[*a] && full[*b],
            Op::Times(a, b) => {
                if !full[*a] && !full[*b] {
                    return None;
                }
                full[*a] && full[*b]
            }
            Op::Over(a, b) => {
                if !full[*b] {
                    return None;
                }
                full[*a]
            }
            Op::Dot(a, b) if !full[*a] && !full[*b] => return None,
            Op::Map(_, a) | Op::Extreme(_, a) if !full[*a] => return None,
            _ => true,
        };
        if value.kind == Kind::Vector && full[id] && !free {
            cost += flow.regions[value.region].weight;
        }
    }
    let mut written = true;
    flow.each_item(&flow.items, &mut |item| {
        written &= !matches!(item, Item::Output(_, value) if !full[*value]);
    });
    written.then_some(cost)
}

#[test]
fn placements_are_the_best_of_all_labels() {
    let (mut compared, mut with_assemblies, mut either_or) = (0, 0, 0);
    for seed in 0..3000 {
        let text = random_program(&mut Choices(seed));
        let (flow, problem) = flow_of(&text);
        let values = present(&flow);
        let vectors: Vec<ValueId> =
            values.iter().copied().filter(|&v| flow.values[v].kind == Kind::Vector).collect();
        if vectors.len() > 14 {
            continue;
        }
        let mut best = None;
        for code in 0u32..1 << vectors.len() {
            let mut full = vec![false; flow.values.len()];
            for (k, &v) in vectors.iter().enumerate() {
                full[v] = code >> k & 1 == 1;
            }
            if let Some(cost) = cost(&flow, &problem, &values, &full) {
                best = Some(best.map_or(cost, |known: u128| known.min(cost)));
            }
        }
        let Labels { full, cost: found, proved, .. } = place(&flow, &problem);
        assert!(proved);
        assert_eq!(cost(&flow, &problem, &values, &full), Some(found), "{text}");
        assert_eq!(Some(found), best, "{text}");
        compared += 1;
        with_assemblies += usize::from(found > 0);
        let rules = super::place::Rules::of(&flow, &problem);
        either_or += usize::from(rules.pairs.iter().any(|&(a, b)| full[a] != full[b]));
    }
    // The programs are no trivial ones.
    assert!(compared > 1000 && with_assemblies > 500, "{compared} {with_assemblies}");
    assert!(either_or > 100, "{either_or}");
}

#[test]
fn of_two_partial_operands_the_better_one_is_assembled() {
    // q is needed full anyway, in the loop; assembling r too would cost one more.
    let (flow, problem) = flow_of(
        "matrix A = stiffness(1)\nr = load(1)\np = interpolate(x)\nrepeat 9\n  q = A*p\n  \
         r = r - A*q\n  print dot(r, q)\n  p = A*q\nend\n",
    );
    let labels = place(&flow, &problem);
    // q in each round, and p, which is multiplied in the next.
    assert_eq!(labels.cost, 2 * super::build::LOOP_WEIGHT);
}

#[test]
fn a_sum_of_many_terms_is_quick() {
    let sum = ["A*u"; 2].join(" + ") + &" + v".repeat(50_000);
    let text =
        format!("matrix A = stiffness(1)\nu = interpolate(x)\nv = load(1)\nw = {sum}\noutput w\n");
    let (flow, problem) = flow_of(&text);
    assert_eq!(place(&flow, &problem).cost, 1);
}

#[test]
fn many_choices_are_proved_best() {
    let best = |line: &dyn Fn(usize) -> String| {
        let dots: String = (1..=40).map(line).collect();
        let text = format!("matrix A = stiffness(1)\nu = interpolate(x)\nw = load(x)\n{dots}");
        let (flow, problem) = flow_of(&text);
        let labels = place(&flow, &problem);
        assert!(labels.proved);
        labels.cost
    };
    // One for each dot, whichever operand.
    let separate = |k| format!("print dot(A*interpolate({k}*x), A*interpolate({k} + y))\n");
    assert_eq!(best(&separate), 40);
    // All second operands come from two vectors.
    let common = |k| format!("print dot(A*u - load({k}), A*u + {k}*w)\n");
    assert_eq!(best(&common), 2);
}
