//! How fast messages are simulated, and in how much memory.

use crate::memory::most_bytes;
use crate::table::Table;
use crate::timing::{pool, race, run};
use palmette_core::Tree;
use palmette_core::generate::{Shape, generate};
use palmette_spatial::layout::{Layout, LayoutParams};
use palmette_spatial::machine::{Machine, MachineParams, Memory, Processor, Program};
use std::cell::RefCell;

/// The head of the table.
pub const HEAD: [&str; 7] = [
    "processors",
    "link loads",
    "1 thread, million messages/s",
    "2 threads",
    "2 threads/1",
    "bytes per processor beside its state, 1 thread",
    "2 threads",
];

/// Every vertex sends one word to each of its two children at most.
struct Flat;

/// The children, the word to send, the word received.
type Vertex = [u32; 4];

const NONE: u32 = palmette_core::NONE;

impl Program for Flat {
    type Constants = ();
    type State = Vertex;
    type Message = u32;
    const STATE_WORDS: usize = 4;
    const MESSAGE_WORDS: usize = 1;

    #[inline]
    fn start(state: &mut Vertex, processor: &mut Processor<'_, Self>) {
        for child in [state[0], state[1]] {
            if child != NONE {
                processor.send(child, state[2]);
            }
        }
    }

    #[inline]
    fn receive(state: &mut Vertex, word: u32, _: &mut Processor<'_, Self>) {
        state[3] = word;
    }
}

fn vertices(tree: &Tree) -> Vec<Vertex> {
    let mut vertices: Vec<Vertex> = (0..tree.len() as u32).map(|i| [NONE, NONE, i, NONE]).collect();
    for (i, &p) in tree.parents().iter().enumerate().skip(1) {
        let family = &mut vertices[p as usize];
        family[usize::from(family[0] != NONE)] = i as u32;
    }
    vertices
}

/// A round from parents to children in a random binary tree, light-first on Hilbert.
pub fn measure(processors: usize, rounds: usize, table: &mut Table) {
    let parents = generate(Shape::Binary, processors, 1).expect("a tree can be generated");
    let tree = Tree::from_parents(&parents).expect("generated trees are trees");
    let layout = Layout::new(tree, LayoutParams::default()).expect("Hilbert has such grids");
    let input = vertices(layout.tree());
    let messages = (processors - 1) as f64;
    let pools = [pool(1), pool(2)];
    for links in [true, false] {
        let params = MachineParams { links, ..MachineParams::default() };
        let make = || layout.machine(params).expect("the grid is small enough");
        let bytes = pools.each_ref().map(|pool| {
            let (states, bytes) = most_bytes(|| {
                pool.install(|| {
                    let memory = Memory::from(input.clone());
                    make().run::<Flat>("flat", (), memory).expect("it runs")
                })
            });
            check(&layout, states.states());
            bytes as f64 / processors as f64 - size_of::<Vertex>() as f64
        });
        let machines: Vec<RefCell<Machine>> =
            pools.iter().map(|pool| RefCell::new(pool.install(make))).collect();
        let memories = [(); 2].map(|()| RefCell::new(Some(Memory::from(input.clone()))));
        let turn = |k: usize| {
            let memory = memories[k].borrow_mut().take().expect("it is put back");
            let machine = &mut *machines[k].borrow_mut();
            let done = pools[k].install(|| machine.run::<Flat>("flat", (), memory));
            *memories[k].borrow_mut() = Some(done.expect("it runs"));
        };
        let best = race(rounds, &mut [run(|| turn(0)), run(|| turn(1))]);
        let rates: Vec<f64> = best.iter().map(|s| messages / s / 1e6).collect();
        table.row(vec![
            processors.to_string(),
            if links { "counted" } else { "not" }.to_string(),
            format!("{:.1}", rates[0]),
            format!("{:.1}", rates[1]),
            format!("{:.2}", rates[1] / rates[0]),
            format!("{:.0}", bytes[0]),
            format!("{:.0}", bytes[1]),
        ]);
    }
}

fn check(layout: &Layout, states: &[Vertex]) {
    let parents = layout.tree().parents();
    assert!(states.iter().zip(parents).all(|(s, &p)| s[3] == p), "everyone heard its parent");
}
