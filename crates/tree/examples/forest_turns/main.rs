//! Forests that change: ours beside link-cut trees written plainly and the crate `lctree`.
//!
//! `forest_turns VERTICES OPERATIONS [SHAPE…] [--write PAGE]` prints a table of microseconds per operation, by the
//! clock: all edges linked; ten times a tenth of the changes cut, and linked again; the largest values
//! on paths. One by one or ten batches. All contestants do the same operations, and their answers are compared.
#![allow(clippy::unwrap_used, missing_docs)]

mod plain;

use lctree::{FindMax, LinkCutTree};
use palmette_core::operator::Max;
use palmette_core::random::{Purpose, Random};
use palmette_tree::dynamic::DynamicForest;
use plain::LinkCut;
use std::time::Instant;

const HEAD: &str = "| forest | operation | one by one: plain link-cut | lctree 0.3 | ours | in batches: ours | 2 threads | \
                    plain ÷ ours, 2 threads | 1 ÷ 2 threads |\n|---|---|--:|--:|--:|--:|--:|--:|--:|";

type Pairs = Vec<(u32, u32)>;

/// A forest's edges, and what is done to it.
struct Case {
    name: &'static str,
    values: Vec<i64>,
    links: Pairs,
    changes: Pairs,
    questions: Pairs,
}

const SHAPES: [&str; 4] = ["random", "path", "star", "binary"];

/// How many batches the changes come in.
const BATCHES: usize = 10;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let n: u32 = arguments.next().unwrap().parse().unwrap();
    let operations: usize = arguments.next().unwrap().parse().unwrap();
    let rest: Vec<String> = arguments.collect();
    let page = rest.iter().position(|word| word == "--write").map(|at| rest[at + 1].clone());
    let mut lines = vec![HEAD.to_string()];
    for shape in SHAPES {
        if page.is_some() || rest.is_empty() || rest.iter().any(|name| name == shape) {
            lines.extend(rows(&case(shape, n, operations)));
        }
    }
    let table = lines.join("\n");
    println!("{table}");
    if let Some(page) = page {
        let text = std::fs::read_to_string(&page).unwrap();
        let (before, rest) = text.split_once("<!-- forest -->").unwrap();
        let (_, after) = rest.split_once("<!-- /forest -->").unwrap();
        let text = format!("{before}<!-- forest -->\n\n{table}\n\n<!-- /forest -->{after}");
        std::fs::write(&page, text).unwrap();
    }
}

fn case(name: &'static str, n: u32, operations: usize) -> Case {
    let mut random = Random::new(1, Purpose::Samples);
    let mut labels: Vec<u32> = (0..n).collect();
    (1..n as usize).for_each(|i| labels.swap(i, random.below(i as u32 + 1) as usize));
    let parent = |v: u32, random: &mut Random| match name {
        "random" => random.below(v),
        "path" => v - 1,
        "star" => 0,
        _ => (v - 1) / 2,
    };
    let labelled =
        |v: u32, random: &mut Random| (labels[v as usize], labels[parent(v, random) as usize]);
    let links: Pairs = (1..n).map(|v| labelled(v, &mut random)).collect();
    // Some edges, each once.
    let mut places: Vec<u32> = (0..n - 1).collect();
    let count = (operations / 2).min(places.len());
    for i in 0..count {
        places.swap(i, i + random.below((n - 1) - i as u32) as usize);
    }
    let changes = places[..count].iter().map(|&k| links[k as usize]).collect();
    let questions = (0..operations).map(|_| (random.below(n), random.below(n))).collect();
    let values = (0..n).map(|_| i64::from(random.below(1 << 30))).collect();
    Case { name, values, links, changes, questions }
}

/// What is cut, and then linked again, at once.
fn parts(case: &Case) -> std::slice::Chunks<'_, (u32, u32)> {
    case.changes.chunks((case.changes.len() / BATCHES).max(1))
}

/// Microseconds each takes of `count`.
fn each(count: usize, work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1e6 / count as f64
}

const ROWS: usize = 5;
const NAMES: [&str; ROWS] = ["link all", "cut and link", "largest on path", "lca", "subtree"];

/// Times, and the sum of the answers on paths.
type Found = ([f64; ROWS], i64);

fn of_plain(case: &Case) -> Found {
    let mut forest = LinkCut::new(&case.values);
    let link = each(case.links.len(), || {
        case.links.iter().for_each(|&(v, up)| forest.link(v, up));
    });
    let change = each(2 * case.changes.len(), || {
        for part in parts(case) {
            part.iter().for_each(|&(v, up)| forest.cut(v, up));
            part.iter().for_each(|&(v, up)| forest.link(v, up));
        }
    });
    let mut sum = 0;
    let path = each(case.questions.len(), || {
        sum = case.questions.iter().map(|&(a, b)| forest.largest(a, b)).sum();
    });
    ([link, change, path, f64::NAN, f64::NAN], sum)
}

fn of_crate(case: &Case) -> Found {
    let values: Vec<f64> = case.values.iter().map(|&value| value as f64).collect();
    let mut forest: LinkCutTree<FindMax> = LinkCutTree::new();
    let _numbers = forest.extend_forest(&values);
    let link = each(case.links.len(), || {
        case.links.iter().for_each(|&(v, up)| assert!(forest.link(v as usize, up as usize)));
    });
    let change = each(2 * case.changes.len(), || {
        for part in parts(case) {
            part.iter().for_each(|&(v, up)| assert!(forest.cut(v as usize, up as usize)));
            part.iter().for_each(|&(v, up)| assert!(forest.link(v as usize, up as usize)));
        }
    });
    let mut sum = 0;
    let path = each(case.questions.len(), || {
        let largest = |&(a, b): &(u32, u32)| forest.path(a as usize, b as usize).weight as i64;
        sum = case.questions.iter().map(largest).sum();
    });
    ([link, change, path, f64::NAN, f64::NAN], sum)
}

fn of_ours(case: &Case, batches: bool) -> Found {
    let mut forest = DynamicForest::new(Max::<i64>::new(), &case.values);
    let link = each(case.links.len(), || match batches {
        true => forest.link_all(&case.links).unwrap(),
        false => case.links.iter().for_each(|&(v, up)| forest.link(v, up).unwrap()),
    });
    let change = each(2 * case.changes.len(), || {
        for part in parts(case) {
            match batches {
                true => {
                    forest.cut_all(part).unwrap();
                    forest.link_all(part).unwrap();
                }
                false => {
                    part.iter().for_each(|&(v, up)| forest.cut(v, up).unwrap());
                    part.iter().for_each(|&(v, up)| forest.link(v, up).unwrap());
                }
            }
        }
    });
    let mut sum = 0;
    let questions = &case.questions;
    let path = each(questions.len(), || {
        sum = match batches {
            true => forest.paths(questions).unwrap().into_iter().flatten().sum(),
            false => questions.iter().map(|&(a, b)| forest.path(a, b).unwrap().unwrap()).sum(),
        };
    });
    let mut met = 0u64;
    let lca = each(questions.len(), || {
        met = match batches {
            true => forest.lcas(questions).unwrap().into_iter().flatten().map(u64::from).sum(),
            false => {
                questions.iter().map(|&(a, b)| u64::from(forest.lca(a, b).unwrap().unwrap())).sum()
            }
        };
    });
    let vertices: Vec<u32> = questions.iter().map(|&(a, _)| a).collect();
    let mut largest = 0;
    let subtree = each(questions.len(), || {
        largest = match batches {
            true => forest.subtrees(&vertices).unwrap().into_iter().sum(),
            false => vertices.iter().map(|&v| forest.subtree(v).unwrap()).sum(),
        };
    });
    assert!(met > 0 && largest > 0);
    ([link, change, path, lca, subtree], sum)
}

fn rows(case: &Case) -> Vec<String> {
    let pools = [1, 2].map(|k| rayon::ThreadPoolBuilder::new().num_threads(k).build().unwrap());
    let found = [
        of_plain(case),
        of_crate(case),
        pools[0].install(|| of_ours(case, false)),
        pools[0].install(|| of_ours(case, true)),
        pools[1].install(|| of_ours(case, true)),
    ];
    assert!(found.iter().all(|(_, sum)| *sum == found[0].1), "{}: answers differ", case.name);
    let say = |x: f64| if x.is_nan() { "–".to_string() } else { format!("{x:.2}") };
    let row = |k: usize| {
        let times = found.map(|(times, _)| times[k]);
        let all: Vec<String> = times.iter().map(|&x| say(x)).collect();
        let gains = [times[0] / times[4], times[3] / times[4]].map(say);
        format!("| {} | {} | {} | {} |", case.name, NAMES[k], all.join(" | "), gains.join(" | "))
    };
    (0..ROWS).map(row).collect()
}
