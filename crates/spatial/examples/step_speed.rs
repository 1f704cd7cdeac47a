#![allow(missing_docs, clippy::unwrap_used)]
use palmette_core::Tree;
use palmette_core::generate::{Shape, generate};
use palmette_spatial::collective::{Network, Range, sort};
use palmette_spatial::curve::CurveKind;
use palmette_spatial::layout::{Layout, LayoutParams};
use palmette_spatial::machine::{Machine, MachineParams, Memory, Processor, Program};
struct Flat;
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
fn spent() -> f64 {
    std::fs::read_dir("/proc/self/task")
        .unwrap()
        .map(|t| {
            let text = std::fs::read_to_string(t.unwrap().path().join("schedstat")).unwrap();
            text.split_whitespace().next().unwrap().parse::<f64>().unwrap()
        })
        .sum::<f64>()
        / 1e9
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let n: usize = args[2].parse().unwrap();
    let rounds: usize = args[3].parse().unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut best = f64::INFINITY;
    let mut messages = 0;
    pool.install(|| {
        if args[1] == "flat" {
            let tree = Tree::from_parents(&generate(Shape::Binary, n, 1).unwrap()).unwrap();
            let layout = Layout::new(tree, LayoutParams::default()).unwrap();
            let mut vertices: Vec<Vertex> = (0..n as u32).map(|i| [NONE, NONE, i, NONE]).collect();
            for (i, &p) in layout.tree().parents().iter().enumerate().skip(1) {
                let family = &mut vertices[p as usize];
                family[usize::from(family[0] != NONE)] = i as u32;
            }
            let mut machine = layout.machine(MachineParams::default()).unwrap();
            let mut memory = Memory::from(vertices);
            for _ in 0..rounds {
                let (before, m) = (spent(), machine.costs().messages);
                memory = machine.run::<Flat>("flat", (), memory).unwrap();
                best = best.min(spent() - before);
                messages = machine.costs().messages - m;
            }
        } else {
            let curve = CurveKind::Z.fitting(n as u64).unwrap();
            for _ in 0..rounds {
                let mut machine = Machine::on_curve(&curve, n, MachineParams::default()).unwrap();
                let items = Memory::new(n, |p| (p.wrapping_mul(0x9E37_79B1), ()));
                let before = spent();
                sort(&mut machine, "", Network::Bitonic, Range::new(0, n as u32), items).unwrap();
                best = best.min(spent() - before);
                messages = machine.costs().messages;
            }
        }
    });
    println!("{} {n}: {:.2}", args[1], messages as f64 / best / 1e6);
}
