//! The voltages of a power grid: 21 x 21 crossings of wires, pads of 1.8 V at the corners and a
//! load of 1 mA at every crossing. Where does the voltage drop most, and is it enough?
use palmette::graph::Laplacian;
use palmette::graph::solve::Solver;
use palmette::io::read_graph_bytes;
use std::fmt::Write;

const SIDE: usize = 21;
const SUPPLY: f64 = 1.8;
const PAD_OHMS: f64 = 0.05;

/// The grid as a circuit engineer has it; resistances are in ohms, loads in amperes.
fn netlist() -> Result<String, std::fmt::Error> {
    let mut text = format!("* a power grid\nVdd supply 0 {SUPPLY}\n");
    for row in 0..SIDE {
        for column in 0..SIDE {
            let here = format!("n{row}_{column}");
            writeln!(text, "I{here} {here} 0 1m")?;
            if column + 1 < SIDE {
                writeln!(text, "Rh{here} {here} n{row}_{} 0.2", column + 1)?;
            }
            if row + 1 < SIDE {
                writeln!(text, "Rv{here} {here} n{}_{column} 0.2", row + 1)?;
            }
            if row % (SIDE - 1) == 0 && column % (SIDE - 1) == 0 {
                writeln!(text, "Rp{here} supply {here} {PAD_OHMS}")?;
            }
        }
    }
    Ok(text)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = read_graph_bytes("grid.spice", netlist()?.as_bytes(), &Default::default())?;
    let netlist = file.netlist.as_ref().ok_or("expected a netlist")?;
    let laplacian = Laplacian::new(&file.graph, file.ground.as_deref());
    let solution = Solver::new(&laplacian, &Default::default())?.solve(&netlist.currents)?;
    let voltages = netlist.potentials(&solution.x);

    let labels = file.query_labels();
    let at = |row: usize, column: usize| -> Result<f64, palmette::IoError> {
        Ok(voltages[file.query(&labels, &format!("n{row}_{column}"))? as usize])
    };
    // The pads supply what the loads draw; by symmetry, each of them a quarter.
    let last = SIDE - 1;
    let drawn = 1e-3 * (SIDE * SIDE) as f64;
    for (row, column) in [(0, 0), (0, last), (last, 0), (last, last)] {
        let inflow = (SUPPLY - at(row, column)?) / PAD_OHMS;
        assert!((inflow - drawn / 4.0).abs() < 1e-6, "{inflow}");
    }
    // The middle is farthest from the pads.
    let lowest = at(last / 2, last / 2)?;
    let free = voltages.iter().filter(|voltage| **voltage > 0.0);
    assert_eq!(free.copied().fold(SUPPLY, f64::min), lowest);
    assert!((1.70..1.79).contains(&lowest), "{lowest}");
    println!("{drawn:.3} A flow in; the lowest voltage is {lowest:.4} V");
    Ok(())
}
