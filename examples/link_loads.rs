//! One sum on an 8 x 8 grid of processors, twice: all send to the corner at once, or each passes
//! its sum on to a neighbour. The second takes longer, but no link carries more than one message.
use palmette::spatial::machine::{
    Machine, MachineError, MachineParams, Memory, Processor, Program,
};
use palmette::spatial::{Cell, Grid};

const SIDE: u32 = 8;

/// A sum, and how many messages are still awaited.
type State = (u32, u32);

/// Everyone to processor 0.
struct AtOnce;
/// Leftwards along rows, then up the first column.
struct ByNeighbours;

impl Program for AtOnce {
    type Constants = ();
    type State = State;
    type Message = u32;
    const STATE_WORDS: usize = 2;
    const MESSAGE_WORDS: usize = 1;

    fn start(state: &mut State, p: &mut Processor<'_, Self>) {
        if p.me() != 0 {
            p.send(0, state.0);
        }
    }

    fn receive(state: &mut State, value: u32, _: &mut Processor<'_, Self>) {
        state.0 += value;
    }
}

impl Program for ByNeighbours {
    type Constants = ();
    type State = State;
    type Message = u32;
    const STATE_WORDS: usize = 2;
    const MESSAGE_WORDS: usize = 1;

    fn start(state: &mut State, p: &mut Processor<'_, Self>) {
        let (x, y) = (p.me() % SIDE, p.me() / SIDE);
        state.1 = u32::from(x + 1 < SIDE) + u32::from(x == 0 && y + 1 < SIDE) + 1;
        Self::receive(state, 0, p);
    }

    fn receive(state: &mut State, value: u32, p: &mut Processor<'_, Self>) {
        *state = (state.0 + value, state.1 - 1);
        if state.1 == 0 && p.me() != 0 {
            p.send(p.me() - if p.me() % SIDE > 0 { 1 } else { SIDE }, state.0);
        }
    }
}

/// The sum of 1 to 64, after a run on a new machine.
fn run<P: Program<Constants = (), State = State>>() -> Result<(u32, Machine), MachineError> {
    let cells: Vec<Cell> = (0..SIDE * SIDE).map(|p| Cell { x: p % SIDE, y: p / SIDE }).collect();
    let grid = Grid { width: SIDE, height: SIDE };
    let mut machine = Machine::new(grid, &cells, MachineParams::default())?;
    let memory = machine.run::<P>("sum", (), Memory::new(cells.len(), |p| (p + 1, 0)))?;
    Ok((memory.states()[0].0, machine))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (sum, machine) in [run::<AtOnce>()?, run::<ByNeighbours>()?] {
        assert_eq!(sum, 64 * 65 / 2);
        let loads = machine.link_loads().ok_or("links are counted")?;
        let costs = machine.costs();
        println!("depth {}, energy {}, busiest link {}", costs.depth, costs.energy, loads.max());
        // With sides of k, 2 * k * (0 + 1 + ... + k - 1) steps lead to the corner; messages go
        // along rows first, so the last link of the column carries all but one row.
        let expected = match costs.depth {
            1 => (8 * 8 * 7, 8 * 7),
            // Seven steps left and seven up; 63 messages, a link for each.
            14 => (63, 1),
            other => return Err(format!("a depth of {other}").into()),
        };
        assert_eq!((costs.energy, loads.max(), costs.messages), (expected.0, expected.1, 63));
    }
    Ok(())
}
