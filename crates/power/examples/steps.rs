use palmette_core::circuit::{OperatingPoint, Span};
use palmette_power::drop::Nets;
use palmette_power::transient::{Probe, TransientParams, transient};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let file = palmette_io::read_netlist(&a[1]).unwrap();
    let steps: f64 = a[2].parse().unwrap();
    let card = file.transient.unwrap();
    let point = OperatingPoint::new(&file.circuit).unwrap();
    let nets = Nets::of(&file.circuit, &point);
    let mut params = TransientParams::new(Span { step: card.step, stop: card.step * steps });
    if let Some(p) = a.get(3) {
        params.preconditioner = p.parse().unwrap();
    }
    if let Some(p) = a.get(4) {
        params.accuracy = p.parse().ok();
    }
    let t = std::time::Instant::now();
    let r = transient(&file.circuit, &nets, &[Probe::Node(5)], &params).unwrap();
    println!(
        "vertices {} steps {} rejected {} factors {} entries {} factor {:.3}s steps {:.3}s all {:.3}s iterations {} residual {:e} worst {:?}",
        r.vertices,
        r.steps,
        r.rejected,
        r.factors,
        r.factor_entries,
        r.factor_seconds,
        r.step_seconds,
        t.elapsed().as_secs_f64(),
        r.iterations,
        r.residual,
        r.worst
    );
}
