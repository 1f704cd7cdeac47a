//! What is booked beside energy and depth: words on links, words of memory, work.

use super::{Cell, Costs, Grid, Machine, MachineError, MachineParams, Memory, Processor, Program};

/// A machine on a row.
fn row(processors: u32, words: usize, delivery: &str) -> Machine {
    let cells: Vec<Cell> = (0..processors).map(|x| Cell { x, y: 0 }).collect();
    let delivery = delivery.parse().unwrap();
    let params = MachineParams { words: Some(words), delivery, ..MachineParams::default() };
    Machine::new(Grid { width: processors, height: 1 }, &cells, params).unwrap()
}

const DELIVERIES: [&str; 4] = ["step", "manhattan", "random", "random:1-50,ordered"];

/// The first processor sends so many messages of `N` words to the last, one after another.
struct Freight<const N: usize>;

impl<const N: usize> Program for Freight<N> {
    type Constants = u32;
    type State = u32;
    type Message = [u32; N];

    fn start(_: &mut u32, processor: &mut Processor<'_, Self>) {
        if processor.me() == 0 {
            let (count, last) = (*processor.constants(), processor.count() - 1);
            (0..count).for_each(|_| processor.send(last, [0; N]));
        }
    }

    fn receive(received: &mut u32, _: [u32; N], processor: &mut Processor<'_, Self>) {
        *received += 1;
        processor.work(*received);
    }
}

#[test]
fn energy_is_counted_by_message_and_by_word() {
    let mut machine = row(5, 100, "step");
    machine.run::<Freight<3>>("threes", 2, Memory::new(5, |_| 0)).unwrap();
    machine.run::<Freight<1>>("ones", 1, Memory::new(5, |_| 0)).unwrap();
    // A message that carries nothing is still a message.
    machine.run::<Freight<0>>("bells", 1, Memory::new(5, |_| 0)).unwrap();
    let costs = machine.costs();
    assert_eq!((costs.energy, costs.energy_words), (4 * 4, 4 * (6 + 1 + 1)));
    let of = |name: &str| machine.ledger().phase(name).unwrap();
    let both = |costs: &Costs| (costs.energy, costs.energy_words);
    assert_eq!(both(of("threes")), (8, 24));
    assert_eq!((both(of("ones")), both(of("bells"))), ((4, 4), (4, 4)));
    let table = machine.ledger().to_string();
    let line = |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<_>>();
    assert_eq!(line(table.lines().nth(1).unwrap()), ["threes", "8", "24", "2", "1", "4", "4"]);
}

#[test]
fn the_most_work_of_a_call() {
    let mut machine = row(3, 100, "step");
    // The first sends seven messages and is called once for it.
    machine.run::<Freight<1>>("few", 7, Memory::new(3, |_| 0)).unwrap();
    assert_eq!(machine.most_work(), 8);
    // The last says that its tenth call takes ten.
    machine.run::<Freight<1>>("many", 7, Memory::new(3, |_| 6)).unwrap();
    assert_eq!(machine.most_work(), 1 + 13);
    for delivery in DELIVERIES {
        let mut machine = row(3, 100, delivery);
        machine.run::<Freight<1>>("many", 7, Memory::new(3, |_| 6)).unwrap();
        assert_eq!(machine.most_work(), 1 + 13, "{delivery}");
    }
}

#[test]
fn what_is_kept_counts() {
    // Nothing waits with these: all runs take the same time.
    for delivery in ["step", "manhattan"] {
        let run = |machine: &mut Machine| {
            machine.run::<Freight<2>>("freight", 1, Memory::new(4, |_| 0)).map(drop)
        };
        // Two words of state and constants, two of a message.
        let mut machine = row(4, 10, delivery);
        run(&mut machine).unwrap();
        assert_eq!(machine.words_used(), 4);
        let aside = Memory::new(4, |_| [0u32; 3]);
        run(&mut machine.keep(&aside)).unwrap();
        assert_eq!(machine.words_used(), 7);
        // Inside each other they add up, and afterwards they are gone.
        {
            let mut first = machine.keep(&aside);
            let mut second = first.keep_words(3);
            run(&mut second).unwrap();
            let error = run(&mut second.keep_words(1)).unwrap_err();
            let text = "processor 0, step 0, freight: needs 11 words for its state, 7 words that \
                        it keeps and 1 message(s), has 10";
            assert_eq!(error.to_string(), text);
        }
        assert_eq!(machine.words_used(), 10);
        run(&mut machine.keep_words(6)).unwrap();
        assert_eq!(machine.words_used(), 10);
    }
}

/// Talks to itself for so many messages.
struct Late;

impl Program for Late {
    type Constants = ();
    type State = [u32; 6];
    type Message = ();

    fn start(state: &mut [u32; 6], processor: &mut Processor<'_, Self>) {
        if state[0] > 0 {
            state[0] -= 1;
            processor.send(processor.me(), ());
        }
    }

    fn receive(state: &mut [u32; 6], (): (), processor: &mut Processor<'_, Self>) {
        Self::start(state, processor);
    }
}

/// Messages that come before their processor has started lie beside the program before.
#[test]
fn what_waits_counts() {
    for delivery in DELIVERIES {
        let late = |words: usize| {
            let mut machine = row(3, words, delivery);
            machine.run::<Late>("late", (), Memory::new(3, |p| [1000 * (p / 2); 6])).unwrap();
            assert_eq!(machine.words_used(), 6);
            machine
        };
        // State and constants have two words, so that five messages of three fit after the start;
        // before, they lie beside the six words of the late program.
        let freight = |machine: &mut Machine, count| {
            machine.run::<Freight<3>>("freight", count, Memory::new(3, |_| 0)).map(drop)
        };
        let mut machine = late(21);
        freight(&mut machine, 5).unwrap();
        assert_eq!((machine.most_received(), machine.words_used()), (5, 21), "{delivery}");
        let error = freight(&mut late(20), 5).unwrap_err();
        let MachineError::Waiting { processor: 2, waiting: 15, needed: 21, words: 20, .. } = error
        else {
            panic!("{delivery}: {error}");
        };
        let text = "needs 21 words for an earlier program and 15 words of messages that wait for \
                    it, has 20";
        assert!(error.to_string().ends_with(text), "{error}");
        // Of two programs at one time: both wait for the last processor.
        let mut machine = late(100);
        freight(&mut machine, 2).unwrap();
        freight(&mut machine, 2).unwrap();
        assert_eq!(machine.words_used(), (2 + 2 * 3) + 4 * 3, "{delivery}");
    }
}
