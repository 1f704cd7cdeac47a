//! A chip's power grid of two layers, as a SPICE netlist.
//!
//! **Problem.** A size and a seed; out comes a netlist with resistors, capacitors, inductors at
//! pads and loads that change in time, in the subset of the IBM transient benchmarks.
//! **Method.** The lower layer has a node `n1_x_y` in every place, resistors of 0.8 to 1.2 ohms
//! between neighbours and a capacitor of 50 to 150 fF to ground. The upper layer has a node
//! `n2_x_y` above every third line both ways, resistors of 0.1 ohms, and a via of 0.2 ohms down.
//! Every fifth node of it both ways is a pad: 0.05 ohms, 50 pH and 1.8 V. A fifth of the lower
//! nodes draw pulses of 0.2 to 2 mA, and their mean at the operating point. **Cost.** Linear. **Determinism.** The seed fixes all.

use palmette_core::random::{Purpose, Random};
use std::io::{self, Write};

/// Lines of the lower layer per line of the upper one, and upper nodes per pad, each way.
const UPPER: usize = 3;
const PADS: usize = 5;

pub(super) fn nodes(rows: usize, columns: usize) -> u128 {
    let product = |a: usize, b: usize| a as u128 * b as u128;
    product(rows, columns) + product(rows.div_ceil(UPPER), columns.div_ceil(UPPER))
}

pub(super) fn write(rows: usize, columns: usize, seed: u64, out: &mut dyn Write) -> io::Result<()> {
    let mut random = Random::new(seed, Purpose::Shape);
    writeln!(out, "* power grid of {rows} x {columns} nodes below, seed {seed}")?;
    let mut resistors = 0;
    let mut resistor = |out: &mut dyn Write, a: [usize; 3], b: [usize; 3], ohms: f64| {
        resistors += 1;
        let ([l, x, y], [m, u, v]) = (a, b);
        writeln!(out, "R{resistors} n{l}_{x}_{y} n{m}_{u}_{v} {ohms:.6}")
    };
    for x in 0..rows {
        for y in 0..columns {
            for to in [[1, x + 1, y], [1, x, y + 1]] {
                if to[1] < rows && to[2] < columns {
                    resistor(out, [1, x, y], to, 0.8 + 0.4 * random.unit())?;
                }
            }
            let femto = 50.0 + 100.0 * random.unit();
            writeln!(out, "C{} n1_{x}_{y} 0 {femto:.4}f", x * columns + y)?;
        }
    }
    for x in (0..rows).step_by(UPPER) {
        for y in (0..columns).step_by(UPPER) {
            for to in [[2, x + UPPER, y], [2, x, y + UPPER]] {
                if to[1] < rows && to[2] < columns {
                    resistor(out, [2, x, y], to, 0.1)?;
                }
            }
            resistor(out, [2, x, y], [1, x, y], 0.2)?;
        }
    }
    let mut pad = 0;
    for x in (0..rows).step_by(UPPER * PADS) {
        for y in (0..columns).step_by(UPPER * PADS) {
            writeln!(out, "Rp{pad} n2_{x}_{y} pr_{pad} 0.05")?;
            writeln!(out, "L{pad} pr_{pad} pv_{pad} 50p\nV{pad} pv_{pad} 0 1.8")?;
            pad += 1;
        }
    }
    let mut load = 0;
    for x in 0..rows {
        for y in 0..columns {
            if random.below(5) > 0 {
                continue;
            }
            let milli = 0.2 + 1.8 * random.unit();
            let [delay, width] = [random.below(30) * 100, (2 + random.below(8)) * 100];
            let period = (20 + random.below(20)) * 100;
            // At the operating point, the mean.
            let mean = milli * f64::from(width + 100) / f64::from(period);
            write!(out, "I{load} n1_{x}_{y} 0 {mean:.6}m ")?;
            writeln!(out, "PULSE(0 {milli:.6}m {delay}p 100p 100p {width}p {period}p)")?;
            load += 1;
        }
    }
    writeln!(out, ".tran 10p 10n")?;
    let probe = |at: usize, of: usize, side: usize| (at * side / of + 1).min(side - 1);
    write!(out, ".print tran")?;
    for i in 0..4 {
        write!(out, " v(n1_{}_{})", probe(i, 4, rows), probe(i, 4, columns))?;
    }
    writeln!(out, "\n.end")
}
