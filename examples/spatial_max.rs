//! Every processor of a 32x32 grid learns the largest value: up a binary heap, and down.
use palmette::spatial::curve::CurveKind;
use palmette::spatial::machine::{Machine, MachineParams, Memory, Processor, Program};

struct Max;

impl Program for Max {
    type Constants = ();
    type State = (u32, u32); // the largest value so far; children still awaited
    type Message = (bool, u32); // whether it goes down; the largest value so far
    const STATE_WORDS: usize = 2;
    const MESSAGE_WORDS: usize = 2;

    fn start(state: &mut (u32, u32), p: &mut Processor<'_, Self>) {
        state.1 = p.count().saturating_sub(2 * p.me() + 1).min(2) + 1;
        Self::receive(state, (false, state.0), p);
    }

    fn receive(state: &mut (u32, u32), (down, value): (bool, u32), p: &mut Processor<'_, Self>) {
        *state = (state.0.max(value), state.1 - u32::from(!down));
        if down || state.1 == 0 && p.me() == 0 {
            let children = 2 * p.me() + 1..(2 * p.me() + 3).min(p.count());
            children.for_each(|child| p.send(child, (true, state.0)));
        } else if state.1 == 0 {
            p.send((p.me() - 1) / 2, (false, state.0));
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let curve = CurveKind::Hilbert.fitting(1024)?;
    let mut machine = Machine::on_curve(&curve, 1024, MachineParams::default())?;
    let values = Memory::new(1024, |p| (p * 7919 % 1024, 0));
    let memory = machine.run::<Max>("max", (), values)?;
    assert!(memory.states().iter().all(|state| state.0 == 1023));
    assert_eq!((machine.costs().depth, machine.costs().messages), (20, 2 * 1023));
    println!("{}", machine.ledger());
    Ok(())
}
