//! What delays promise, and that costs do not depend on them.

use crate::curve::CurveKind;
use crate::machine::{
    Cell, Delivery, Grid, Machine, MachineError, MachineParams, Memory, Processor, Program,
};
use crate::testing::{deliveries, every_delivery};
use palmette_core::NONE;

fn machine(processors: usize, params: MachineParams) -> Machine {
    let curve = CurveKind::Hilbert.fitting(processors as u64).unwrap();
    Machine::on_curve(&curve, processors, params).unwrap()
}

/// A machine on a row, with a delivery.
fn row(processors: u32, delivery: &str) -> Machine {
    let cells: Vec<Cell> = (0..processors).map(|x| Cell { x, y: 0 }).collect();
    let params = MachineParams { delivery: delivery.parse().unwrap(), ..MachineParams::default() };
    Machine::new(Grid { width: processors, height: 1 }, &cells, params).unwrap()
}

#[test]
fn spellings() {
    let random = |constant, [least, most]: [u32; 2], per_hop, ordered, seed| Delivery::Random {
        constant,
        least,
        most,
        per_hop,
        ordered,
        seed,
    };
    for (text, delivery) in [
        ("step", Delivery::Step),
        ("manhattan", Delivery::Manhattan { constant: 1 }),
        ("manhattan:5", Delivery::Manhattan { constant: 5 }),
        ("random:1-20", random(0, [1, 20], false, false, 0)),
        ("random:5+1-2/hop", random(5, [1, 2], true, false, 0)),
        ("random:1+0-5/hop,ordered", random(1, [0, 5], true, true, 0)),
        ("random:3+0-0,seed=9", random(3, [0, 0], false, false, 9)),
        ("random:1-20,ordered,seed=7", random(0, [1, 20], false, true, 7)),
    ] {
        assert_eq!(text.parse(), Ok(delivery));
        assert_eq!(delivery.to_string(), text);
    }
    assert_eq!("random".parse(), Ok(Delivery::RANDOM));
    assert_eq!("manhattan:1".parse(), Ok(Delivery::MANHATTAN));
    assert_eq!("random,seed=3,ordered".parse(), "random:1-20,ordered,seed=3".parse::<Delivery>());
    for delivery in deliveries(50) {
        assert_eq!(delivery.to_string().parse(), Ok(delivery));
    }
}

#[test]
fn delays_that_cannot_be() {
    let parsed = |text: &str| text.parse::<Delivery>().unwrap_err();
    for text in ["manhattan:0", "random:0-5", "random:0+0-9"] {
        assert_eq!(parsed(text), MachineError::Delay { delay: 0 }, "{text}");
    }
    for text in ["random:1-5/hop", "random:0+1-5/hop,ordered"] {
        let error = parsed(text);
        assert_eq!(error, MachineError::DelayOfHops { least: 1, most: 5 }, "{text}");
        let text = error.to_string();
        assert_eq!(text.rsplit(' ').next().unwrap(), "random:1+1-5/hop");
    }
    for text in ["manhattan:5000000000", "random:1-5000000000", "random:5000000000+1-2"] {
        let error = parsed(text);
        assert_eq!(error, MachineError::DelayTooLong { delay: 5_000_000_000 }, "{text}");
        assert_eq!(error.to_string(), "a delay of 5000000000 is too long: at most 4294967295");
    }
    for text in ["manhattan:-3", "random:-3-5", "random:-3+1-5"] {
        assert_eq!(parsed(text), MachineError::Delay { delay: -3 }, "{text}");
    }
    assert_eq!(parsed("random:5-4"), MachineError::DelayBounds { least: 5, most: 4 });
    let text = "a delay of 0 is not possible: a message takes at least 1, also to oneself";
    assert_eq!(parsed("manhattan:0").to_string(), text);
    let text = "there is no delay from 5 to 4: the longest must not be below the shortest";
    assert_eq!(parsed("random:5-4").to_string(), text);
    let text = "unknown delivery model `manhatan`; did you mean `manhattan[:TIME]`?";
    assert_eq!(parsed("manhatan").to_string(), text);
    for text in
        ["", "step:1", "manhattan:x", "random:5", "random:1-2,last", "step,ordered", "random:9e9-1"]
    {
        assert!(matches!(parsed(text), MachineError::UnknownDelivery(_)), "{text}");
    }
    let text = parsed("random:1-2/step").to_string();
    assert_eq!(
        text,
        "unknown delivery model `random:1-2/step`; expected \
         random[:[TIME+]LEAST-MOST[/hop]][,ordered][,seed=SEED]"
    );
    // Whoever builds one by hand hears of it too.
    let delivery = Delivery::Manhattan { constant: 0 };
    let params = MachineParams { delivery, ..MachineParams::default() };
    let grid = Grid { width: 1, height: 1 };
    let error = Machine::new(grid, &[Cell { x: 0, y: 0 }], params).unwrap_err();
    assert_eq!(error, MachineError::Delay { delay: 0 });
}

/// Everyone learns the largest value: up a heap, and down. Who waits for all its children does
/// the same in whatever order they come.
struct Largest;

impl Program for Largest {
    type Constants = ();
    /// The largest so far, and who has not told.
    type State = (u32, u32);
    /// Whether it goes down.
    type Message = (bool, u32);

    fn start(state: &mut (u32, u32), processor: &mut Processor<'_, Self>) {
        state.1 = processor.count().saturating_sub(2 * processor.me() + 1).min(2) + 1;
        Self::receive(state, (false, state.0), processor);
    }

    fn receive(
        state: &mut (u32, u32),
        (down, value): (bool, u32),
        processor: &mut Processor<'_, Self>,
    ) {
        *state = (state.0.max(value), state.1 - u32::from(!down));
        let me = processor.me();
        if down || state.1 == 0 && me == 0 {
            let children = 2 * me + 1..(2 * me + 3).min(processor.count());
            children.for_each(|child| processor.send(child, (true, state.0)));
        } else if state.1 == 0 {
            processor.send((me - 1) / 2, (false, state.0));
        }
    }

    fn phase((down, _): &(bool, u32)) -> u16 {
        u16::from(*down)
    }

    fn phase_name(run: &str, phase: u16) -> String {
        format!("{run}, {}", ["up", "down"][usize::from(phase)])
    }
}

#[test]
fn costs_do_not_depend_on_delays() {
    for n in [1, 2, 3, 30, 64] {
        let run = |params| {
            let mut machine = machine(n, MachineParams { links: true, ..params });
            let values = Memory::new(n, |p| (p * 37 % 64, 0));
            let found = machine.run::<Largest>("first", (), values).unwrap();
            let found = machine.run::<Largest>("second", (), found).unwrap();
            let largest = (0..n as u32).map(|p| p * 37 % 64).max().unwrap();
            assert!(found.states().iter().all(|state| state.0 == largest));
            machine
        };
        let expected = run(MachineParams::default());
        every_delivery(100, |params| {
            let machine = run(params);
            assert_eq!(machine.costs(), expected.costs());
            assert_eq!(machine.ledger(), expected.ledger());
            assert_eq!(machine.link_loads(), expected.link_loads());
            assert!(machine.time() >= u64::from(machine.costs().depth));
        });
    }
}

/// Processor 0 sends the numbers from 0 on to the last, which counts those that come in order.
struct Numbers;

impl Program for Numbers {
    /// How many.
    type Constants = u32;
    /// The next one expected, and how many have come.
    type State = [u32; 2];
    type Message = u32;

    fn start(_: &mut [u32; 2], processor: &mut Processor<'_, Self>) {
        if processor.me() == 0 {
            let count = *processor.constants();
            (0..count).for_each(|number| processor.send(processor.count() - 1, number));
        }
    }

    fn receive(state: &mut [u32; 2], number: u32, _: &mut Processor<'_, Self>) {
        *state = [state[0] + u32::from(state[0] == number), state[1] + 1];
    }
}

#[test]
fn ordered_messages_keep_their_order_and_others_overtake() {
    for times in ["1-2", "1-20", "1-1000", "5+1-2/hop", "1+0-50/hop"] {
        let in_order = |options: &str| {
            let runs = (0..40).filter(|seed| {
                let mut machine = row(5, &format!("random:{times}{options},seed={seed}"));
                let memory = Memory::new(5, |_| [0; 2]);
                let found = machine.run::<Numbers>("numbers", 10, memory).unwrap().states()[4];
                assert_eq!(found[1], 10);
                found[0] == 10
            });
            runs.count()
        };
        assert_eq!(in_order(",ordered"), 40, "{times}");
        assert_eq!(in_order(""), 0, "{times}: ten messages in order by chance");
    }
}

#[test]
fn messages_take_the_time_that_is_stated() {
    let time = |delivery: &str| {
        let mut machine = row(8, delivery);
        machine.run::<Numbers>("one", 1, Memory::new(8, |_| [0; 2])).unwrap();
        assert_eq!((machine.costs().depth, machine.costs().distance), (1, 7));
        machine.time()
    };
    assert_eq!((time("step"), time("manhattan"), time("manhattan:5")), (1, 8, 12));
    for (times, [least, most]) in [
        ("1-20", [1, 20]),
        ("3+1-4", [4, 7]),
        ("5+1-2/hop", [12, 19]),
        ("1+1-5/hop", [8, 36]),
        ("1+0-1/hop", [1, 8]),
        ("4+2-2/hop", [18, 18]),
    ] {
        for ordered in ["", ",ordered"] {
            let times: Vec<u64> = (0..400)
                .map(|seed| time(&format!("random:{times}{ordered},seed={seed}")))
                .collect();
            let found = [*times.iter().min().unwrap(), *times.iter().max().unwrap()];
            assert_eq!(found, [least, most], "all delays between the bounds occur");
        }
    }
}

/// Talks to itself for so many messages.
struct Late;

impl Program for Late {
    type Constants = ();
    type State = u32;
    type Message = ();

    fn start(left: &mut u32, processor: &mut Processor<'_, Self>) {
        if *left > 0 {
            *left -= 1;
            processor.send(processor.me(), ());
        }
    }

    fn receive(left: &mut u32, (): (), processor: &mut Processor<'_, Self>) {
        Self::start(left, processor);
    }
}

/// A message that comes before its processor has started waits, and takes up memory.
#[test]
fn early_messages_wait_and_are_held() {
    for delivery in ["manhattan", "random:1-20", "random:1-20,ordered"] {
        let mut machine = row(3, delivery);
        machine.run::<Late>("late", (), Memory::from(vec![0, 0, 50])).unwrap();
        let started = machine.time();
        let memory = Memory::new(3, |_| [0; 2]);
        let found = machine.run::<Numbers>("numbers", 2, memory).unwrap();
        assert_eq!(found.states()[2][1], 2);
        // All that was sent at time 0 had arrived before the last processor started.
        assert_eq!((machine.time(), machine.most_received()), (started, 2), "{delivery}");
        assert_eq!(machine.costs().depth, 50, "short chains do not lengthen the longest");
    }
    let mut machine = row(3, "manhattan");
    machine.run::<Late>("late", (), Memory::from(vec![0, 0, 50])).unwrap();
    let memory = Memory::new(3, |_| [0; 2]);
    let error = machine.run::<Numbers>("numbers", 130, memory).unwrap_err();
    let text = "processor 2, step 1, numbers: needs 129 words for an earlier program and 128 \
                words of messages that wait for it, has 128";
    assert_eq!(error.to_string(), text);
}

/// Passes on what it gets, to an address that may not exist.
struct Pass;

impl Program for Pass {
    type Constants = u32;
    type State = u64;
    type Message = ();

    fn start(state: &mut u64, processor: &mut Processor<'_, Self>) {
        if processor.me() == 0 {
            Self::receive(state, (), processor);
        }
    }

    fn receive(state: &mut u64, (): (), processor: &mut Processor<'_, Self>) {
        *state = *state << 1 ^ processor.random();
        let to = *processor.constants();
        if to != NONE {
            processor.send(to, ());
        }
    }
}

#[test]
fn mistakes_are_named_under_every_delivery() {
    every_delivery(24, |params| {
        let run = |to, step_limit| {
            let params = MachineParams { step_limit, ..params };
            machine(9, params).run::<Pass>("pass", to, Memory::new(9, |_| 0)).unwrap_err()
        };
        let text = "processor 0, step 0, pass: sends to 9, but there are only 9 processors";
        assert_eq!(run(9, 100).to_string(), text);
        let text = "processor 1, step 20, pass: still receives messages at the limit of 20 steps";
        assert_eq!(run(1, 20).to_string(), text);
    });
}

#[test]
fn seeds_decide_and_threads_do_not() {
    let run = |delivery: &str, seed: u64, threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let delivery = delivery.parse().unwrap();
            let params = MachineParams { delivery, seed, trace: true, ..Default::default() };
            let mut machine = machine(200, params);
            let values = Memory::new(200, |p| (p, 0));
            machine.run::<Largest>("largest", (), values).unwrap();
            let bits = machine.run::<Pass>("bits", NONE, Memory::new(200, |_| 0)).unwrap();
            (machine.trace().unwrap().clone(), machine.time(), bits.states()[0])
        })
    };
    let first = run("random", 1, 1);
    assert_eq!(first, run("random", 1, 3));
    let other = run("random,seed=1", 1, 1);
    assert_ne!((first.1, &first.0), (other.1, &other.0), "the seed of the delays decides them");
    assert_eq!(first.2, other.2, "and nothing else");
    let other = run("random", 2, 1);
    assert!(first.0 != other.0 && first.2 != other.2, "the machine's seed decides both");
}
