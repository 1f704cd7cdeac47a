//! Which processor is the last along the curve that has something? `python/spatial_last.py` is the
//! same program, and costs the same.
use palmette::figures::OwnProgramFigures;
use palmette::spatial::curve::CurveKind;
use palmette::spatial::machine::{Machine, MachineParams, Memory, Processor, Program};
use palmette::{Figures, Record, program_machine};

struct Last;

/// Those whose ranges of addresses together follow p's own: p + 1, p + 2, p + 4, ...
fn children(p: u32, n: u32) -> impl Iterator<Item = u32> {
    let steps = (0..31).map(|k| 1 << k);
    steps.take_while(move |step| p & step == 0 && p + step < n).map(move |step| p + step)
}

impl Program for Last {
    type Constants = ();
    type State = (i32, i32, i32); // where something was found; what; messages still awaited
    type Message = (i32, i32); // where something was found, and what

    fn start(state: &mut Self::State, p: &mut Processor<'_, Self>) {
        state.2 = 1 + children(p.me(), p.count()).count() as i32;
        Self::receive(state, (state.0, state.1), p);
    }

    fn receive(state: &mut Self::State, (place, value): (i32, i32), p: &mut Processor<'_, Self>) {
        if value != 0 && (state.1 == 0 || place > state.0) {
            (state.0, state.1) = (place, value);
        }
        state.2 -= 1;
        if state.2 == 0 && p.me() > 0 {
            p.send(p.me() & (p.me() - 1), (state.0, state.1));
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let curve = CurveKind::Hilbert.fitting(1000)?;
    for delivery in ["step", "manhattan", "random:1-20,seed=7"] {
        let params =
            MachineParams { words: Some(64), delivery: delivery.parse()?, ..program_machine() };
        let mut machine = Machine::on_curve(&curve, 1000, params)?;
        let something = |p: u32| if p.is_multiple_of(7) { p as i32 } else { 0 };
        let memory = Memory::new(1000, |p| (p as i32, something(p), 0));
        let memory = machine.run::<Last>("Last", (), memory)?;
        assert_eq!(memory.states()[0], (994, 994, 0));
        let mut record = Record::new("spatial program", "Last");
        record.parameter("delivery", delivery);
        OwnProgramFigures(&machine).figures(&mut record);
        println!("{}", record.to_json());
    }
    Ok(())
}
