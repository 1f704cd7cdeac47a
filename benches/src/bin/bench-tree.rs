//! The tree study: ours, the plain loops and the peers, in one run.

use palmette_bench::table::Table;
use palmette_bench::tree::{engines, input, lca, prepared, raw};

fn main() {
    let quick = std::env::args().any(|a| a == "--quick");
    let only = std::env::args().nth(1).unwrap_or_default();
    let sizes: &[usize] = if quick { &[100_000] } else { &[1_000_000, 10_000_000] };
    let mut sections: Vec<(&str, Table)> = Vec::new();
    type Measure = fn(&input::Input, usize, &mut Table);
    let studies: [(&str, &[&str], Measure); 4] = [
        ("prepared", &prepared::HEAD, prepared::measure),
        ("raw", &raw::HEAD, raw::measure),
        ("lca", &lca::HEAD, lca::measure),
        ("engines", &engines::HEAD, engines::measure),
    ];
    for (name, head, measure) in studies {
        if !only.is_empty() && !only.starts_with("--") && only != name {
            continue;
        }
        let mut table = Table::new(head);
        for &n in sizes {
            for input in input::inputs(n) {
                measure(&input, 7, &mut table);
            }
        }
        sections.push((name, table));
    }
    for (name, table) in &sections {
        println!("## {name}\n\n{}", table.markdown());
    }
}
