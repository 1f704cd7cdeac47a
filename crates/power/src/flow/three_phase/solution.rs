//! What a three-phase power flow says.

use super::network::{Branch, PhaseDemand, PhaseNetwork, branch_kind, shares, transformer};
use super::solve::PhaseState;
use super::sweep::{symmetric, transposed};
use super::{Three, ZERO};
use crate::flow::Certificate;
use palmette_core::NONE;
use palmette_core::feeder::{Complex, Connection, Ends, Phases, Zip};

/// Where power goes, in VA of all phases.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PhaseTotals {
    /// What all sources give.
    pub sources_va: Complex,
    /// What loads take at their voltages.
    pub loads_va: Complex,
    /// What capacitors take.
    pub capacitors_va: Complex,
    /// What lines and transformers take, their charging included.
    pub losses_va: Complex,
    /// How far sources are from loads, capacitors and losses, as a part of all power that is drawn.
    pub balance: f64,
}

impl PhaseTotals {
    /// What loads take is found from the elements of the feeder, not from the arrays of sweeps, so
    /// that the balance checks both; `losses` are those of the forest.
    pub(super) fn new(
        network: &PhaseNetwork<'_>,
        state: &PhaseState,
        demand: &PhaseDemand,
        mut losses: Complex,
    ) -> PhaseTotals {
        let feeder = network.feeder;
        let zero = Complex::default();
        let (mut sources, mut loads, mut capacitors) = (zero, zero, zero);
        let mut size = 0.0;
        for &bus in &feeder.sources.bus {
            let at = network.position(bus);
            let given = power(&state.v[at], &state.i[at]).iter().sum::<Complex>();
            sources += given;
            size += given.norm();
        }
        let (all, banks) = (&feeder.loads, &feeder.capacitors);
        // Loads of constant power take it wherever there is a voltage.
        let supplied = network.topology.roots.iter().all(|root| root.1);
        let constant = supplied && all.zip.uniform() == Some(Zip::POWER);
        for s in demand.powers.iter().filter(|_| constant) {
            loads += s;
            size += s.norm_sqr().sqrt();
        }
        let others = if constant { 0 } else { all.bus.len() };
        for (k, (&bus, &s)) in all.bus.iter().zip(&demand.powers).take(others).enumerate() {
            let connected = (all.connection.get(k), all.phases.get(k));
            let v = &state.v[network.position(bus)];
            let taken = taken(v, s, connected, (all.zip.get(k), all.v_nom.get(k)));
            loads += taken;
            size += taken.norm_sqr().sqrt();
        }
        for (k, &bus) in banks.bus.iter().enumerate() {
            let s = Complex::new(0.0, -banks.var[k]);
            let connected = (banks.connection.get(k), banks.phases.get(k));
            let v = &state.v[network.position(bus)];
            capacitors += taken(v, s, connected, (Zip::IMPEDANCE, banks.v_nom.get(k)));
        }
        for &(at, [ab, ac, bc]) in &network.mutual {
            let v = &state.v[at as usize];
            for (y, a, b) in [(ab, 0, 1), (ac, 0, 2), (bc, 1, 2)] {
                losses += y.conj() * 2.0 * (v[a] * v[b].conj()).re;
            }
        }
        for &(branch, j) in &state.loops {
            losses += power(&loop_drop(network, branch, &j), &j).iter().sum::<Complex>();
        }
        let off = (sources - loads - capacitors - losses).norm();
        let balance = if size > 0.0 { off / size } else { 0.0 };
        PhaseTotals {
            sources_va: sources,
            loads_va: loads,
            capacitors_va: capacitors,
            losses_va: losses,
            balance,
        }
    }
}

/// What a load takes at the voltages of its bus.
fn taken(
    v: &Three,
    s: Complex,
    (connection, phases): (Connection, Phases),
    (zip, v_nom): (Zip, f64),
) -> Complex {
    if v[0].norm_sqr() == 0.0 {
        return Complex::default();
    }
    if zip == Zip::POWER {
        return s;
    }
    let [p, i, z] = zip.split(s / shares(connection, phases.count()));
    let part = |(a, b): (usize, Option<usize>)| {
        let across = (v[a] - b.map_or(Complex::default(), |b| v[b])).norm() / v_nom;
        p + i * across + z * (across * across)
    };
    connection.pairs(phases).map(part).sum()
}

fn loop_drop(network: &PhaseNetwork<'_>, branch: u32, j: &Three) -> Three {
    match branch_kind(network.feeder, branch as usize) {
        Branch::Line(k) => symmetric(&network.feeder.lines.z[k], j),
        Branch::Transformer(k) => {
            let (_, z) = network.feeder.transformers.matrices(k);
            std::array::from_fn(|phase| z[phase] * j[phase])
        }
        Branch::Switch(_) => ZERO,
    }
}

/// By phase, the power of a voltage and a current.
fn power(v: &Three, i: &Three) -> Three {
    std::array::from_fn(|phase| v[phase] * i[phase].conj())
}

/// Flows of one branch, by phase; nothing for phases that it does not have.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PhaseFlow {
    /// Power in VA into the branch at `from`.
    pub from_va: Three,
    /// Power in VA into the branch at `to`.
    pub to_va: Three,
    /// The currents in A at `from`.
    pub from_a: [f64; 3],
    /// The currents in A at `to`.
    pub to_a: [f64; 3],
    /// The largest current as a part of its rating; 0 without one.
    pub loading: f64,
}

impl PhaseFlow {
    /// What the branch takes, in VA of all phases.
    pub fn loss_va(&self) -> Complex {
        self.from_va.iter().chain(&self.to_va).sum()
    }
}

/// The power flow of a three-phase feeder.
pub struct PhaseSolution<'a> {
    network: PhaseNetwork<'a>,
    state: PhaseState,
    certificate: Option<Certificate>,
    mismatch: f64,
    totals: PhaseTotals,
    /// By branch: the position of the bus that it leads to, [`NONE`] for those not in the forest.
    child: Vec<u32>,
}

impl<'a> PhaseSolution<'a> {
    pub(super) fn new(
        network: PhaseNetwork<'a>,
        state: PhaseState,
        certificate: Option<Certificate>,
        mismatch: f64,
        totals: PhaseTotals,
    ) -> PhaseSolution<'a> {
        let mut child = vec![NONE; network.from.len()];
        for (position, &branch) in network.topology.branch.iter().enumerate() {
            if branch != NONE {
                child[branch as usize] = position as u32;
            }
        }
        PhaseSolution { network, state, certificate, mismatch, totals, child }
    }

    /// The voltages of a bus to ground in V; 0 for phases that it does not have or no source
    /// supplies.
    pub fn voltage(&self, bus: u32) -> Three {
        let (v, has) = (self.state.v[self.network.position(bus)], self.phases(bus));
        std::array::from_fn(|phase| if has.has(phase) { v[phase] } else { Complex::default() })
    }

    /// The same as parts of the bus's nominal voltage.
    pub fn voltage_pu(&self, bus: u32) -> Three {
        let base = self.network.feeder.buses.v_base.get(bus as usize);
        self.voltage(bus).map(|v| v / base)
    }

    fn phases(&self, bus: u32) -> Phases {
        self.network.feeder.buses.phases.get(bus as usize)
    }

    /// Whether a source supplies a bus.
    pub fn is_supplied(&self, bus: u32) -> bool {
        self.state.v[self.network.position(bus)] != ZERO
    }

    /// The loads in VA, at nominal voltage, of buses that no source supplies.
    pub fn unsupplied_va(&self) -> Complex {
        let loads = &self.network.feeder.loads;
        let lost = loads.bus.iter().zip(&loads.s_va).filter(|load| !self.is_supplied(*load.0));
        lost.map(|load| load.1 * self.network.load_factor).sum()
    }

    fn magnitudes(&self) -> impl Iterator<Item = (u32, usize, f64)> + '_ {
        let live = (0..self.state.v.len() as u32).filter(|&bus| self.is_supplied(bus));
        live.flat_map(|bus| {
            let v = self.voltage_pu(bus);
            self.phases(bus).iter().map(move |phase| (bus, phase, v[phase].norm()))
        })
    }

    /// The bus and phase with the lowest voltage, and its voltage per unit.
    pub fn lowest(&self) -> (u32, usize, f64) {
        self.magnitudes().min_by(|a, b| a.2.total_cmp(&b.2)).unwrap_or((NONE, 0, 0.0))
    }

    /// The bus and phase with the highest voltage, and its voltage per unit.
    pub fn highest(&self) -> (u32, usize, f64) {
        self.magnitudes().max_by(|a, b| a.2.total_cmp(&b.2)).unwrap_or((NONE, 0, 0.0))
    }

    /// The flows of a line.
    pub fn line(&self, k: u32) -> PhaseFlow {
        let lines = &self.network.feeder.lines;
        let rated = lines.rated_a.get(k as usize);
        self.flow(k as usize, [rated; 2])
    }

    /// The flows of a transformer; its loading is of its rated current.
    pub fn transformer(&self, k: u32) -> PhaseFlow {
        let all = &self.network.feeder.transformers;
        let kva = all.rated_kva.get(k as usize);
        let rated = all.kv.get(k as usize).map(|kv| kva / (3f64.sqrt() * kv));
        self.flow(self.network.feeder.lines.from.len() + k as usize, rated)
    }

    /// The flows of a switch.
    pub fn switch(&self, k: u32) -> PhaseFlow {
        let feeder = self.network.feeder;
        let before = feeder.lines.from.len() + feeder.transformers.from.len();
        self.flow(before + k as usize, [f64::INFINITY; 2])
    }

    fn flow(&self, branch: usize, rated: [f64; 2]) -> PhaseFlow {
        let (network, feeder) = (&self.network, self.network.feeder);
        let (from, to) = (network.from[branch], network.to[branch]);
        let (v_from, v_to) =
            (self.state.v[network.position(from)], self.state.v[network.position(to)]);
        // The current out of the branch at `to`, and the one into it at `from`.
        let kind = branch_kind(feeder, branch);
        let (mut i_from, mut i_to) = match self.child[branch] {
            NONE => {
                let found =
                    self.state.loops.binary_search_by_key(&(branch as u32), |entry| entry.0);
                let j = found.map_or(ZERO, |at| self.state.loops[at].1);
                match kind {
                    Branch::Transformer(k) if j != ZERO => {
                        let a = transformer(feeder, k, true).map_or([[0.0; 3]; 3], |found| found.0);
                        (transposed(&a, &j), j)
                    }
                    _ => (j, j),
                }
            }
            child => {
                let below = self.state.i[child as usize];
                let above = match network.ratio[child as usize] {
                    0 => below,
                    at => transposed(&network.ratios[at as usize], &below),
                };
                let minus = |i: Three| i.map(|i| -i);
                match network.position(to) == child as usize {
                    true => (above, below),
                    false => (minus(below), minus(above)),
                }
            }
        };
        let phases = match kind {
            Branch::Line(k) => {
                let (ends, b) = (feeder.lines.ends.get(k), feeder.lines.b.get(k));
                if ends == Ends::CLOSED {
                    let half = b.map(|b| Complex::new(0.0, b / 2.0));
                    let (near, far) = (symmetric(&half, &v_from), symmetric(&half, &v_to));
                    (0..3).for_each(|p| i_from[p] += near[p]);
                    (0..3).for_each(|p| i_to[p] -= far[p]);
                } else if ends != Ends::OPEN {
                    let y = super::network::open_ended(&feeder.lines.z[k], &b);
                    match ends.from {
                        true => i_from = symmetric(&y, &v_from),
                        false => i_to = symmetric(&y, &v_to).map(|i| -i),
                    }
                }
                feeder.lines.phases.get(k)
            }
            Branch::Transformer(k) => {
                let y = feeder.transformers.y.get(k);
                if feeder.transformers.closed.get(k) {
                    (0..3).for_each(|p| i_to[p] -= y * v_to[p]);
                }
                feeder.transformers.phases.get(k)
            }
            Branch::Switch(k) => feeder.switches.phases.get(k),
        };
        let own = |i: Three| -> Three {
            std::array::from_fn(
                |phase| if phases.has(phase) { i[phase] } else { Complex::default() },
            )
        };
        let (i_from, i_to) = (own(i_from), own(i_to.map(|i| -i)));
        let (from_a, to_a) = (i_from.map(|i| i.norm()), i_to.map(|i| i.norm()));
        let most = |i: [f64; 3]| i.into_iter().fold(0.0, f64::max);
        PhaseFlow {
            from_va: power(&v_from, &i_from),
            to_va: power(&v_to, &i_to),
            from_a,
            to_a,
            loading: (most(from_a) / rated[0]).max(most(to_a) / rated[1]),
        }
    }

    /// What each source gives, in VA by phase, in the order of the feeder's sources.
    pub fn sources_va(&self) -> Vec<Three> {
        let of = |&bus: &u32| {
            let at = self.network.position(bus);
            power(&self.state.v[at], &self.state.i[at])
        };
        self.network.feeder.sources.bus.iter().map(of).collect()
    }

    /// Where power goes.
    pub fn totals(&self) -> PhaseTotals {
        self.totals
    }

    /// How far sources are from loads and losses, as a part of all power that is drawn.
    pub fn balance(&self) -> f64 {
        self.totals.balance
    }

    /// How far the power of the worst bus and phase is from the given one, in VA.
    pub fn mismatch_va(&self) -> f64 {
        self.mismatch
    }

    /// The most sweeps that a part of the network took.
    pub fn sweeps(&self) -> usize {
        self.state.sweeps
    }

    /// What is proved about this solution; nothing with loops.
    pub fn certificate(&self) -> Option<Certificate> {
        self.certificate
    }

    /// The kind and number of the branches that close loops: lines or transformers.
    pub fn loops(&self) -> Vec<(&'static str, u32)> {
        let of = |&k: &u32| match branch_kind(self.network.feeder, k as usize) {
            Branch::Line(k) => ("line", k as u32),
            Branch::Transformer(k) => ("transformer", k as u32),
            Branch::Switch(k) => ("switch", k as u32),
        };
        self.network.topology.loops.iter().map(of).collect()
    }

    /// By bus: the bus before it on the way from the source; [`NONE`] for sources.
    pub fn parents(&self) -> Vec<u32> {
        self.network.topology.parents()
    }

    /// By bus: the length of the lines on the way from the source, in the unit of the feeder.
    pub fn distances(&self) -> Vec<f64> {
        let feeder = self.network.feeder;
        self.network.topology.distances(|branch| match branch_kind(feeder, branch) {
            Branch::Line(k) => feeder.lines.length.get(k),
            _ => 0.0,
        })
    }
}
