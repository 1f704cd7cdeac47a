//! What both engines do before a program and after it: check it, open the books, close them.

use super::desk::{Desk, Failure, Sheet, Sizes};
use super::dynamic::{Host, Hosted};
use super::ledger::Tally;
use super::program::{Program, WORD_BYTES};
use super::{Machine, MachineError};
use std::marker::PhantomData;

/// Fails to compile when a type of the program is larger than stated.
struct Fits<P>(PhantomData<P>);

impl<P: Program> Fits<P> {
    const CHECKED: () = {
        let state = size_of::<P::State>() + size_of::<P::Constants>();
        assert!(state <= P::STATE_WORDS * WORD_BYTES, "the state has more words than stated");
        let message = size_of::<P::Message>();
        assert!(message <= P::MESSAGE_WORDS * WORD_BYTES, "the message has more words than stated");
    };
}

/// A desk for a program, with empty books.
pub(super) fn open<P: Program>(
    machine: &mut Machine,
    name: &str,
    constants: P::Constants,
) -> Result<Desk<P>, MachineError> {
    let () = Fits::<P>::CHECKED;
    Ok(Desk::new(constants, sheet(machine, name, Sizes::of::<P>(), P::phase_name, None)?))
}

/// The same for a program that is not compiled.
pub(super) fn open_dynamic(
    machine: &mut Machine,
    name: &str,
    host: Host,
) -> Result<Desk<Hosted>, MachineError> {
    let host = Some(Box::new(host));
    let sizes = host.as_ref().map_or_else(Sizes::of::<Hosted>, |host| host.sizes());
    Ok(Desk::new((), sheet(machine, name, sizes, Hosted::phase_name, host)?))
}

fn sheet(
    machine: &mut Machine,
    name: &str,
    sizes: Sizes,
    phases: fn(&str, u16) -> String,
    host: Option<Box<Host>>,
) -> Result<Sheet, MachineError> {
    let (words, kept) = (machine.words(), machine.kept);
    let room = words.saturating_sub(kept + sizes.state) / sizes.message.max(1);
    let waiting_room = words.saturating_sub(machine.program_words);
    let sheet = Sheet {
        places: machine.places.clone(),
        sizes,
        host,
        phases,
        seed: machine.next_seed(),
        room: room.min(u32::MAX as usize) as u32,
        waiting_room: waiting_room.min(u32::MAX as usize) as u32,
        step: 0,
        posted: 0,
        most_received: 0,
        most_waiting: 0,
        timed: false,
        most_work: 0,
        work_left: 0,
        tallies: Vec::new(),
        links: None,
        trace: machine.keeps_trace().then(Vec::new),
        failure: None,
    };
    let needed = kept + sizes.state + sizes.message;
    if needed > words {
        let (processor, step, messages, phase) = (0, 0, 1, sheet.phase_name(name, 0));
        return Err(MachineError::Memory { processor, step, phase, messages, kept, needed, words });
    }
    machine.runs += 1;
    Ok(sheet)
}

/// Whatever stopped a desk, in words.
pub(super) fn check(
    machine: &Machine,
    name: &str,
    sheet: &Sheet,
    step: u32,
) -> Result<(), MachineError> {
    match sheet.failure {
        None => Ok(()),
        Some(Failure::OffGrid { processor, phase, to }) => {
            let (phase, processors) = (sheet.phase_name(name, phase), machine.places.len());
            Err(MachineError::OffGrid { processor, step, phase, to, processors })
        }
        Some(Failure::Memory { processor, phase, messages }) => Err(MachineError::Memory {
            processor,
            step,
            phase: sheet.phase_name(name, phase),
            messages,
            kept: machine.kept,
            needed: machine.kept + sheet.sizes.state + messages as usize * sheet.sizes.message,
            words: machine.words(),
        }),
        Some(Failure::Waiting { processor, phase, waiting }) => Err(MachineError::Waiting {
            processor,
            step,
            phase: sheet.phase_name(name, phase),
            waiting,
            needed: machine.program_words + waiting as usize,
            words: machine.words(),
        }),
        Some(Failure::Stopped { processor, phase }) => {
            Err(MachineError::Stopped { processor, step, phase: sheet.phase_name(name, phase) })
        }
    }
}

/// What the sheets of all desks of a run have counted.
#[derive(Debug, Default)]
pub(super) struct Sums {
    tallies: Vec<Tally>,
    most_received: u32,
    most_waiting: u32,
    most_work: i64,
}

impl Sums {
    pub(super) fn add(&mut self, sheet: &Sheet) {
        self.most_received = self.most_received.max(sheet.most_received);
        self.most_waiting = self.most_waiting.max(sheet.most_waiting);
        self.most_work = self.most_work.max(sheet.most_work);
        self.tallies.resize(self.tallies.len().max(sheet.tallies.len()), Tally::EMPTY);
        self.tallies.iter_mut().zip(&sheet.tallies).for_each(|(sum, tally)| sum.merge(tally));
    }
}

/// Brings everything that was counted into the machine's books. `sheet` is one of those;
/// `first` is where this run's messages begin in the trace.
pub(super) fn close(machine: &mut Machine, name: &str, sheet: &Sheet, sums: Sums, first: usize) {
    let Sums { tallies, most_received, most_waiting, most_work } = sums;
    // Whoever starts does something.
    let most_work = u32::try_from(most_work + 1).unwrap_or(u32::MAX);
    machine.most_work = machine.most_work.max(most_work);
    machine.most_received = machine.most_received.max(most_received);
    if most_waiting > 0 {
        machine.words = machine.words.max(machine.program_words + most_waiting as usize);
    }
    let words = machine.kept + sheet.sizes.state + most_received as usize * sheet.sizes.message;
    machine.program_words = machine.program_words.max(words);
    machine.words = machine.words.max(words);
    let names: Vec<String> = (0..tallies.len()).map(|k| sheet.phase_name(name, k as u16)).collect();
    for (name, tally) in names.iter().zip(&tallies) {
        machine.book(name, tally, sheet.sizes.sent.into());
    }
    if machine.keeps_trace() {
        let known = &mut machine.trace.phases;
        let number = |name: &String| {
            known.iter().position(|p| p == name).unwrap_or_else(|| {
                known.push(name.clone());
                known.len() - 1
            })
        };
        let numbers: Vec<usize> = names.iter().map(number).collect();
        for sent in &mut machine.trace.sent[first..] {
            sent.phase = numbers[sent.phase as usize] as u32;
        }
    }
}
