//! Explains a program: its intermediate form, and its communication with and without delayed
//! assembly.

use super::ir::{Counts, Program, Statement, show_number};
use palmette_mesh::Quotient;
use std::fmt::Write;

/// What one assembly communicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exchange {
    /// Messages, one from each part to each part that it shares nodes with.
    pub messages: u64,
    /// Numbers in them.
    pub words: u64,
}

impl Exchange {
    /// All messages of a quotient graph, whose values have so many components each.
    pub fn of(quotient: &Quotient, components: usize) -> Exchange {
        let messages = quotient.messages().count() as u64;
        Exchange { messages, words: components as u64 * quotient.total() }
    }
}

/// The program in its intermediate form, then a table of assemblies (and, for an exchange that
/// is known, of messages and words) by loop: before, when every product is assembled at once,
/// and after.
pub fn explain(program: &Program, exchange: Option<Exchange>) -> String {
    let mut text = String::new();
    data(program, &mut text);
    block(program, &program.statements, 0, &mut text);
    let caption = "before: every product assembled immediately; after: assemblies placed and \
        delayed";
    text.push_str(&format!("\n# {caption}\n"));
    table(program, exchange, &mut text);
    if !program.proved {
        text.push_str("\nthe search stopped early; fewer assemblies may be possible\n");
    }
    text
}

fn line(text: &mut String, depth: usize, line: &str) {
    writeln!(text, "{:indent$}{line}", "", indent = 2 * depth).expect("a string can be written to");
}

fn data(program: &Program, text: &mut String) {
    let problem = &program.problem;
    let s = if problem.components == 1 { "" } else { "s" };
    line(text, 0, &format!("# {}: {} component{s} per node", program.name, problem.components));
    for param in &problem.params {
        line(text, 0, &format!("param {} = {}", param.name, show_number(param.value)));
    }
    for fix in &problem.fixes {
        line(text, 0, &format!("fix {} (line {})", fix.group, fix.line));
    }
    for &number in &program.applied {
        let matrix = &problem.matrices[number];
        line(text, 0, &format!("matrix {} = {}", matrix.name, matrix.text));
    }
    for (vector, &slot) in problem.sources.iter().zip(&program.inputs) {
        let state = if vector.source.is_full() { "" } else { "    # partial" };
        line(text, 0, &format!("vector {} = {}{state}", program.vectors[slot], vector.text));
    }
}

fn block(program: &Program, statements: &[Statement], depth: usize, text: &mut String) {
    for statement in statements {
        line(text, depth, &program.show(statement));
        match statement {
            Statement::Loop(this) => {
                if !this.head.is_empty() {
                    block(program, &this.head, depth + 1, text);
                }
                if let Some((comparison, a, b)) = this.test {
                    let (a, b) = (program.show_scalar(a), program.show_scalar(b));
                    line(text, depth + 1, &format!("test {a} {} {b}", comparison.name()));
                }
                block(program, &this.body, depth + 1, text);
                line(text, depth, "end");
            }
            Statement::Every { body, .. } => {
                block(program, body, depth + 1, text);
                line(text, depth, "end");
            }
            _ => {}
        }
    }
}

fn table(program: &Program, exchange: Option<Exchange>, text: &mut String) {
    let (outside, loops) = program.counts();
    let mut rows = vec![header(exchange.is_some()), row("outside loops", outside, exchange)];
    for (facts, counts) in program.loops.iter().zip(loops) {
        rows.push(row(&format!("line {}, per iteration", facts.line), counts, exchange));
    }
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    for row in &rows {
        let first = format!("{:<1$}", row[0], widths[0]);
        let rest = row.iter().zip(&widths).skip(1).map(|(cell, width)| format!("  {cell:>width$}"));
        line(text, 0, &(first + &rest.collect::<String>()));
    }
}

fn header(exchange: bool) -> Vec<String> {
    let mut cells = vec!["", "assemblies before", "after"];
    if exchange {
        cells.extend(["messages before", "after", "words before", "after"]);
    }
    cells.push("reductions");
    cells.into_iter().map(str::to_string).collect()
}

fn row(what: &str, counts: Counts, exchange: Option<Exchange>) -> Vec<String> {
    // Fractions come from `every`; two digits are enough.
    let show = |number: f64| format!("{}", (number * 100.0).round() / 100.0);
    let mut cells = vec![what.to_string(), show(counts.undelayed), show(counts.assemblies)];
    if let Some(Exchange { messages, words }) = exchange {
        for each in [messages, words] {
            cells.push(show(counts.undelayed * each as f64));
            cells.push(show(counts.assemblies * each as f64));
        }
    }
    cells.push(show(counts.reductions));
    cells
}
