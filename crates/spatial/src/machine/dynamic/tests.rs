//! The same program, compiled and not: the same answers and the same books.

use super::*;
use crate::curve::CurveKind;
use crate::machine::{MachineParams, Memory};
use crate::testing::deliveries;
use std::sync::{Arc, Mutex};

/// Every processor draws a number and learns the largest: up a binary heap, and down. Those who
/// have it early say so to a random processor, which does nothing.
struct Max;

/// The largest value so far, children still awaited.
type State = (u32, u32);

/// What a message is: whether it goes down, or to anyone, and the largest value.
type Message = (u8, u32);

const UP: u8 = 0;
const DOWN: u8 = 1;
const IDLE: u8 = 2;

/// What the handlers need of a processor, compiled or not.
trait Side {
    fn me(&self) -> u32;
    fn count(&self) -> u32;
    fn random(&mut self) -> u64;
    fn send(&mut self, to: u32, message: Message);
}

impl Side for Processor<'_, Max> {
    fn me(&self) -> u32 {
        Processor::me(self)
    }
    fn count(&self) -> u32 {
        Processor::count(self)
    }
    fn random(&mut self) -> u64 {
        Processor::random(self)
    }
    fn send(&mut self, to: u32, message: Message) {
        Processor::send(self, to, message);
    }
}

impl Side for DynamicProcessor<'_, '_> {
    fn me(&self) -> u32 {
        DynamicProcessor::me(self)
    }
    fn count(&self) -> u32 {
        DynamicProcessor::count(self)
    }
    fn random(&mut self) -> u64 {
        let bits = DynamicProcessor::random(self);
        assert_eq!(bits, self.draws().of(self.processor.draws));
        bits
    }
    fn send(&mut self, to: u32, message: Message) {
        let mut bytes = [0; 5];
        bytes[0] = message.0;
        bytes[1..].copy_from_slice(&message.1.to_le_bytes());
        DynamicProcessor::send(self, to, &bytes, u16::from(message.0));
    }
}

fn start(state: &mut State, p: &mut impl Side) {
    let children = p.count().saturating_sub(2 * p.me() + 1).min(2);
    *state = ((p.random() >> 40) as u32, children + 1);
    receive(state, (UP, state.0), p);
}

fn receive(state: &mut State, (kind, value): Message, p: &mut impl Side) {
    if kind == IDLE {
        return;
    }
    *state = (state.0.max(value), state.1 - u32::from(kind == UP));
    if kind == DOWN || state.1 == 0 && p.me() == 0 {
        let children = 2 * p.me() + 1..(2 * p.me() + 3).min(p.count());
        children.for_each(|child| p.send(child, (DOWN, state.0)));
        let (anyone, many) = (p.random(), u64::from(p.count()));
        p.send((anyone % many) as u32, (IDLE, 0));
    } else if state.1 == 0 {
        p.send((p.me() - 1) / 2, (UP, state.0));
    }
}

fn name_of(phase: u16) -> String {
    ["up", "down", "idle"][phase as usize].to_string()
}

impl Program for Max {
    type Constants = ();
    type State = State;
    type Message = Message;

    fn start(state: &mut State, p: &mut Processor<'_, Max>) {
        start(state, p);
    }
    fn receive(state: &mut State, message: Message, p: &mut Processor<'_, Max>) {
        receive(state, message, p);
    }
    fn phase(message: &Message) -> u16 {
        message.0.into()
    }
    fn phase_name(_: &str, phase: u16) -> String {
        name_of(phase)
    }
}

struct DynamicMax(Arc<Mutex<Vec<State>>>);

impl DynamicProgram for DynamicMax {
    fn state_words(&self) -> usize {
        2
    }
    fn message_bytes(&self) -> usize {
        5
    }
    fn start(&mut self, p: &mut DynamicProcessor<'_, '_>) -> Result<(), Stopped> {
        start(&mut self.0.lock().unwrap()[p.me() as usize], p);
        Ok(())
    }
    fn receive(&mut self, message: &[u8], p: &mut DynamicProcessor<'_, '_>) -> Result<(), Stopped> {
        let value = u32::from_le_bytes(message[1..].try_into().unwrap());
        receive(&mut self.0.lock().unwrap()[p.me() as usize], (message[0], value), p);
        Ok(())
    }
    fn phase_name(&self, _: &str, phase: u16) -> String {
        name_of(phase)
    }
    fn twin(&self) -> Option<Box<dyn DynamicProgram>> {
        let states = self.0.lock().unwrap().clone();
        Some(Box::new(DynamicMax(Arc::new(Mutex::new(states)))))
    }
}

fn machine(n: usize, params: MachineParams) -> Machine {
    let curve = CurveKind::Hilbert.fitting(n as u64).unwrap();
    Machine::on_curve(&curve, n, params).unwrap()
}

#[test]
fn the_same_program_has_the_same_books() {
    for (n, patterns) in [(1, 0), (2, 3), (37, 24), (300, 12), (5000, 2)] {
        for delivery in deliveries(patterns) {
            let params = MachineParams { delivery, trace: true, ..MachineParams::default() };
            let (mut compiled, mut dynamic) = (machine(n, params), machine(n, params));
            let mut mixed = machine(n, params);
            // The second starts while the first still runs elsewhere.
            for run in ["first", "second"] {
                let found = compiled.run::<Max>(run, (), Memory::new(n, |_| (0, 0))).unwrap();
                let states = Arc::new(Mutex::new(vec![(0, 0); n]));
                dynamic.run_dynamic(run, Box::new(DynamicMax(states.clone()))).unwrap();
                assert_eq!(found.states(), &states.lock().unwrap()[..], "{delivery}");
                if run == "first" {
                    mixed.run::<Max>(run, (), Memory::new(n, |_| (0, 0))).unwrap();
                } else {
                    mixed.run_dynamic(run, Box::new(DynamicMax(states))).unwrap();
                }
            }
            assert_eq!(compiled.costs(), mixed.costs(), "{n} processors, {delivery}");
            assert_eq!(compiled.link_loads(), mixed.link_loads(), "{n} processors, {delivery}");
            let what = format!("{n} processors, {delivery}");
            assert_eq!(compiled.costs(), dynamic.costs(), "{what}");
            assert_eq!(compiled.ledger(), dynamic.ledger(), "{what}");
            assert_eq!(compiled.link_loads(), dynamic.link_loads(), "{what}");
            assert_eq!(compiled.cycles_estimate(), dynamic.cycles_estimate(), "{what}");
            assert_eq!(compiled.words_used(), dynamic.words_used(), "{what}");
            assert_eq!(compiled.most_received(), dynamic.most_received(), "{what}");
            assert_eq!(compiled.most_work(), dynamic.most_work(), "{what}");
            assert_eq!(compiled.time(), dynamic.time(), "{what}");
            let sent = |machine: &Machine| {
                let trace = machine.trace().unwrap();
                let key = |sent: &crate::machine::Sent| (sent.step, sent.from, sent.to, sent.phase);
                let mut sent: Vec<_> = trace.sent.iter().map(key).collect();
                sent.sort_unstable();
                (trace.phases.clone(), sent)
            };
            assert_eq!(sent(&compiled), sent(&dynamic), "{what}");
        }
    }
}

/// Processor 3 does something wrong, when it starts.
struct Wrong(fn(&mut DynamicProcessor<'_, '_>) -> Result<(), Stopped>);

impl DynamicProgram for Wrong {
    fn state_words(&self) -> usize {
        3
    }
    fn message_bytes(&self) -> usize {
        2
    }
    fn start(&mut self, p: &mut DynamicProcessor<'_, '_>) -> Result<(), Stopped> {
        if p.me() == 3 { self.0(p) } else { Ok(()) }
    }
    fn receive(&mut self, _: &[u8], p: &mut DynamicProcessor<'_, '_>) -> Result<(), Stopped> {
        assert!(p.clock() > 0);
        p.send(p.me(), &[0; 2], 0);
        Ok(())
    }
}

#[test]
fn what_a_program_does_wrong_is_said() {
    let said = |params: MachineParams, wrong| {
        let mut machine = machine(8, params);
        machine.run_dynamic("wrong", Box::new(Wrong(wrong))).unwrap_err().to_string()
    };
    let usual = MachineParams::default();
    assert_eq!(
        said(usual, |_| Err(Stopped)),
        "processor 3, step 0, wrong: a handler ended with an error"
    );
    let off = |p: &mut DynamicProcessor<'_, '_>| {
        p.send(9, &[0; 2], 0);
        Ok(())
    };
    let text = "processor 3, step 0, wrong: sends to 9, but there are only 8 processors";
    assert_eq!(said(usual, off), text);
    let many = |p: &mut DynamicProcessor<'_, '_>| {
        (0..6).for_each(|_| p.send(5, &[0; 2], 0));
        Ok(())
    };
    let text = "processor 5, step 1, wrong: needs 9 words for its state and 6 message(s), has 8";
    assert_eq!(said(MachineParams { words: Some(8), ..usual }, many), text);
    let text = "processor 0, step 0, wrong: needs 4 words for its state and 1 message(s), has 3";
    assert_eq!(said(MachineParams { words: Some(3), ..usual }, many), text);
    let text = "processor 5, step 7, wrong: still receives messages at the limit of 7 steps";
    assert_eq!(said(MachineParams { step_limit: 7, ..usual }, many), text);
}
