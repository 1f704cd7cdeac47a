//! What the machine promises: costs, order, errors.

use super::*;
use crate::curve::CurveKind;

fn machine(processors: usize, params: MachineParams) -> Machine {
    let curve = CurveKind::Hilbert.fitting(processors as u64).unwrap();
    Machine::on_curve(&curve, processors, params).unwrap()
}

/// Every processor sends its address to the ones at twice its address and next to it.
struct Heap;

impl Program for Heap {
    type Constants = ();
    /// What arrived: a hash that depends on the order, and a random number.
    type State = (u64, u64);
    type Message = u32;
    const STATE_WORDS: usize = 4;
    const MESSAGE_WORDS: usize = 1;

    fn start(_: &mut (u64, u64), processor: &mut Processor<'_, Self>) {
        for to in [2 * processor.me() + 1, 2 * processor.me() + 2, processor.me() / 3] {
            if to < processor.count() {
                processor.send(to, processor.me());
            }
        }
    }

    fn receive(state: &mut (u64, u64), from: u32, processor: &mut Processor<'_, Self>) {
        state.0 = state.0.wrapping_mul(31).wrapping_add(u64::from(from) + 1);
        state.1 ^= processor.random();
        if from > 0 && from.is_multiple_of(5) {
            processor.send(from / 5, from / 5);
        }
    }

    fn phase(message: &u32) -> u16 {
        (*message % 3) as u16
    }

    fn phase_name(run: &str, phase: u16) -> String {
        format!("{run} {phase}")
    }
}

fn heap(n: usize, threads: usize, seed: u64) -> (Memory<(u64, u64)>, Machine) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let params = MachineParams { seed, trace: true, ..MachineParams::default() };
        let mut machine = machine(n, params);
        let memory = Memory::new(n, |_| (0, 0));
        let memory = machine.run::<Heap>("first", (), memory).unwrap();
        let memory = machine.run::<Heap>("second", (), memory).unwrap();
        (memory, machine)
    })
}

#[test]
fn threads_never_show() {
    for n in [1, 2, 100, 3000, 30_000] {
        let (memory, one) = heap(n, 1, 7);
        for threads in [2, 3, 5] {
            let (other, many) = heap(n, threads, 7);
            assert_eq!(memory, other);
            assert_eq!(one.costs(), many.costs());
            assert_eq!(one.ledger(), many.ledger());
            assert_eq!(one.link_loads(), many.link_loads());
            assert_eq!(one.trace(), many.trace());
            assert_eq!(one.most_received(), many.most_received());
            assert_eq!(one.cycles_estimate(), many.cycles_estimate());
        }
    }
    assert_ne!(heap(100, 1, 7).0, heap(100, 1, 8).0, "the seed decides the random bits");
}

#[test]
fn a_machine_may_run_on_more_threads_than_it_was_made_on() {
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let n = 30_000;
    let mut machine = pool(1).install(|| machine(n, MachineParams::default()));
    pool(4).install(|| machine.run::<Heap>("heap", (), Memory::new(n, |_| (0, 0)))).unwrap();
    assert_eq!(machine.link_loads().unwrap().total(), machine.costs().energy);
}

/// Costs by their definition, from the trace: chains are followed message by message.
fn costs_of(trace: &Trace, cells: &[Cell], runs: &[usize]) -> (u64, u32, u64) {
    let (mut clock, mut distance) = (vec![0u32; cells.len()], vec![0u64; cells.len()]);
    let (mut energy, mut begin) = (0, 0);
    for &end in runs {
        let mut sent = trace.sent[begin..end].to_vec();
        begin = end;
        sent.sort_by_key(|s| s.step);
        let mut arriving: Vec<(u32, u32, u64)> = Vec::new();
        for s in &sent {
            arriving.retain(|&(step, to, way)| {
                if step <= s.step {
                    clock[to as usize] = clock[to as usize].max(step);
                    distance[to as usize] = distance[to as usize].max(way);
                }
                step > s.step
            });
            let hop = cells[s.from as usize].distance(cells[s.to as usize]);
            energy += hop;
            assert_eq!(s.step, clock[s.from as usize], "a processor acts when it can");
            arriving.push((s.step + 1, s.to, distance[s.from as usize] + hop));
        }
        for (step, to, way) in arriving {
            clock[to as usize] = clock[to as usize].max(step);
            distance[to as usize] = distance[to as usize].max(way);
        }
    }
    (energy, *clock.iter().max().unwrap(), *distance.iter().max().unwrap())
}

/// Passes a token down a binary heap: one message per processor.
struct Down;

impl Program for Down {
    type Constants = u32;
    type State = u32;
    type Message = u32;
    const STATE_WORDS: usize = 2;
    const MESSAGE_WORDS: usize = 1;

    fn start(state: &mut u32, processor: &mut Processor<'_, Self>) {
        if processor.me() == *processor.constants() {
            Self::receive(state, 1, processor);
        }
    }

    fn receive(state: &mut u32, value: u32, processor: &mut Processor<'_, Self>) {
        *state += value;
        for to in [2 * processor.me() + 1, 2 * processor.me() + 2] {
            if to < processor.count() {
                processor.send(to, value);
            }
        }
    }
}

#[test]
fn costs_follow_from_the_messages() {
    let n = 500;
    let curve = CurveKind::Hilbert.fitting(n as u64).unwrap();
    let mut cells = vec![Cell::default(); n];
    curve.cells(0, &mut cells);
    let params = MachineParams { trace: true, ..MachineParams::default() };
    let mut machine = machine(n, params);
    let mut memory = Memory::new(n, |_| 0);
    let mut runs = Vec::new();
    for root in [0, 1, 7, 0] {
        memory = machine.run::<Down>("down", root, memory).unwrap();
        runs.push(machine.trace().unwrap().sent.len());
    }
    let costs = machine.costs();
    let expected = costs_of(machine.trace().unwrap(), &cells, &runs);
    assert_eq!((costs.energy, costs.depth, costs.distance), expected);
    assert_eq!(costs.messages, *runs.last().unwrap() as u64);
    assert_eq!(machine.link_loads().unwrap().total(), costs.energy);
    assert_eq!(memory.states()[499], 2, "processor 499 lies below 0 only");
}

#[test]
fn a_processor_enters_the_next_program_at_its_own_clock() {
    let n = 31;
    let mut machine = machine(n, MachineParams::default());
    let memory = machine.run::<Down>("first", 0, Memory::new(n, |_| 0)).unwrap();
    assert_eq!(machine.costs().depth, 4);
    // Below processor 1 all clocks are ahead of the token by one: it catches up with
    // none of them, and every message waits for its receiver.
    machine.run::<Down>("second", 0, memory).unwrap();
    assert_eq!(machine.costs().depth, 4, "the second token follows the first at once");
    assert_eq!(machine.ledger().phase("second").unwrap().depth, 4);
    let names: Vec<&str> = machine.ledger().phases().iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["first", "second"]);
}

/// All send to processor 0; it sends `constants` on to an address of its own choice.
struct Flood;

impl Program for Flood {
    type Constants = u32;
    type State = u32;
    type Message = [u32; 2];
    const STATE_WORDS: usize = 2;
    const MESSAGE_WORDS: usize = 2;

    fn start(_: &mut u32, processor: &mut Processor<'_, Self>) {
        processor.send(0, [processor.me(), 0]);
    }

    fn receive(state: &mut u32, message: [u32; 2], processor: &mut Processor<'_, Self>) {
        *state += message[0];
        let to = *processor.constants();
        if to != palmette_core::NONE {
            processor.send(to, [0, 1]);
        }
    }

    fn phase(message: &[u32; 2]) -> u16 {
        message[1] as u16
    }

    fn phase_name(run: &str, phase: u16) -> String {
        format!("{run}, {}", ["in", "out"][phase as usize])
    }
}

#[test]
fn what_a_program_does_wrong_is_named() {
    let run = |n: usize, to: u32, words: usize, step_limit: u32| {
        let params = MachineParams { words: Some(words), step_limit, ..MachineParams::default() };
        machine(n, params).run::<Flood>("flood", to, Memory::new(n, |_| 0)).unwrap_err()
    };
    for n in [60, 5000] {
        let error = run(n, 0, 5, 100);
        let text = "processor 0, step 1, flood, in: needs 6 words for its state and 2 message(s), \
                    has 5";
        assert_eq!(error.to_string(), text);
        let error = run(n, n as u32, 20_000, 100).to_string();
        let text = format!(
            "processor 0, step 1, flood, out: sends to {n}, but there are only {n} processors"
        );
        assert_eq!(error, text);
        let error = run(n, 0, 20_000, 10).to_string();
        let text = "processor 0, step 10, flood, out: still receives messages at the limit of 10 \
            steps";
        assert_eq!(error, text);
    }
    let error = run(4, 0, 3, 10).to_string();
    assert!(error.starts_with("processor 0, step 0, flood, in: needs 4 words"), "{error}");
    let few = machine(4, MachineParams::default()).run::<Flood>("x", 0, Memory::new(3, |_| 0));
    let text = "the memory is for 3 processors instead of 4";
    assert_eq!(few.unwrap_err().to_string(), text);
}

#[test]
fn most_received_and_the_busiest_processor() {
    let n = 50;
    let mut machine = machine(n, MachineParams { words: Some(200), ..MachineParams::default() });
    let memory = machine.run::<Flood>("flood", palmette_core::NONE, Memory::new(n, |_| 0)).unwrap();
    assert_eq!(memory.states()[0], 49 * 50 / 2);
    assert_eq!(machine.most_received(), 50);
    let estimate = machine.cycles_estimate().unwrap();
    assert_eq!((estimate.busiest, estimate.depth), (100, 1));
    assert_eq!(estimate.energy, 2 * machine.costs().energy);
    let traffic = estimate.energy as f64 / estimate.links as f64 + estimate.chain as f64;
    assert_eq!(estimate.chain, machine.costs().distance);
    // Messages of two words.
    assert_eq!(estimate.busiest_link, 2 * machine.link_loads().unwrap().max());
    let busiest = 100.0f64.max(estimate.busiest_link as f64);
    assert_eq!(estimate.cycles(), traffic.max(busiest) + 5.0);
}

/// The left half of a row tells all of the right half.
struct Across;
impl Program for Across {
    type Constants = ();
    type State = ();
    type Message = u32;
    const STATE_WORDS: usize = 0;
    const MESSAGE_WORDS: usize = 1;
    fn start(_: &mut (), processor: &mut Processor<'_, Self>) {
        if processor.me() < processor.count() / 2 {
            (processor.count() / 2..processor.count()).for_each(|to| processor.send(to, 0));
        }
    }
    fn receive(_: &mut (), _: u32, _: &mut Processor<'_, Self>) {}
}

/// A link in the middle carries more than any processor sends and any chain is long.
#[test]
fn the_busiest_link_takes_its_time() {
    let params = MachineParams { words: Some(200), ..MachineParams::default() };
    let cells: Vec<Cell> = (0..20).map(|x| Cell { x, y: 0 }).collect();
    let mut machine = Machine::new(Grid { width: 20, height: 1 }, &cells, params).unwrap();
    machine.run::<Across>("across", (), Memory::new(20, |_| ())).unwrap();
    let estimate = machine.cycles_estimate().unwrap();
    assert_eq!((estimate.busiest, estimate.busiest_link, estimate.chain), (10, 100, 19));
    assert!(estimate.cycles() >= 100.0, "{estimate:?}");
}

#[test]
fn machines_that_cannot_be() {
    let params = MachineParams::default();
    let grid = Grid { width: 3, height: 2 };
    let at = |x, y| Cell { x, y };
    let error = |cells: &[Cell]| Machine::new(grid, cells, params).unwrap_err().to_string();
    let twice = error(&[at(0, 0), at(2, 1), at(0, 0)]);
    assert_eq!(twice, "processor 2 is at the same place as another: column 0, row 0");
    let outside = error(&[at(3, 0)]);
    assert_eq!(outside, "processor 0 is at column 3, row 0: outside the grid 3x2");
    let many = error(&[at(0, 0); 7]);
    assert_eq!(many, "the grid 3x2 is too small for 7 processors: it has 6 cells");
    let wide = Machine::new(Grid { width: 65_537, height: 1 }, &[], params).unwrap_err();
    let text = "the grid 65537x1 is too large; at most 65536 cells per side can be simulated";
    assert_eq!(wide.to_string(), text);
    let curve = CurveKind::Hilbert.fitting(4).unwrap();
    assert!(Machine::on_curve(&curve, 5, params).is_err());
}

#[test]
fn no_processors_and_one() {
    for n in [0, 1] {
        let mut machine = machine(n, MachineParams::default());
        let memory = machine.run::<Down>("down", 0, Memory::new(n, |_| 0)).unwrap();
        assert_eq!(memory.states(), &vec![1; n]);
        assert_eq!(machine.costs(), Costs::default());
        assert_eq!(machine.cycles_estimate().unwrap().cycles(), 0.0);
    }
}
