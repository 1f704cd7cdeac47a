//! The arrays of a three-phase feeder, by position.

use super::{Three, ZERO};
use crate::flow::balanced::components;
use crate::flow::topology::{Links, Topology, topology};
use crate::flow::{FlowError, FlowParams};
use palmette_core::NONE;
use palmette_core::feeder::{Complex, Connection, Ends, Symmetric, ThreePhase, Windings, Zip};
use std::ops::Range;

/// What a branch is, and its number among its kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Branch {
    Line(usize),
    Transformer(usize),
    Switch(usize),
}

/// A feeder, made ready for sweeps.
pub(super) struct PhaseNetwork<'a> {
    pub(super) feeder: &'a ThreePhase,
    pub(super) topology: Topology,
    /// The impedance to the parent.
    pub(super) z: Vec<Symmetric<Complex>>,
    /// Which of `ratios` the branch to the parent has; 0 is none.
    pub(super) ratio: Vec<u32>,
    pub(super) ratios: Vec<[[f64; 3]; 3]>,
    /// One over the square of the nominal voltage.
    pub(super) scale: Vec<f64>,
    /// Whether it is the same everywhere.
    pub(super) alike: bool,
    /// Admittances to ground of lines and transformers, on the diagonal.
    pub(super) y: Vec<Three>,
    /// Between phases, where there are any: ab, ac, bc. Positions in ascending order.
    pub(super) mutual: Vec<(u32, Three)>,
    /// Intervals of positions that can be solved alone.
    pub(super) parts: Vec<Range<u32>>,
    /// Ends of lines and of all else.
    pub(super) from: Vec<u32>,
    pub(super) to: Vec<u32>,
    /// The factor of all loads.
    pub(super) load_factor: f64,
}

/// Part of a load that is not constant power to ground.
#[derive(Debug, Clone, Copy)]
pub(super) struct Element {
    pub(super) at: u32,
    /// Its phases; ground is 3.
    pub(super) between: [u8; 2],
    /// Constant power, constant current over the nominal voltage, admittance.
    pub(super) power: Complex,
    pub(super) current: Complex,
    pub(super) y: Complex,
}

impl Element {
    /// The voltage across it.
    #[inline]
    pub(super) fn across(&self, v: &Three) -> Complex {
        match self.between {
            [a, 3] => v[a as usize],
            [a, b] => v[a as usize] - v[b as usize],
        }
    }

    /// The current through it at a voltage across it.
    #[inline]
    pub(super) fn through(&self, v: Complex) -> Complex {
        ((self.power + self.current * v.norm()) / v).conj() + self.y * v
    }
}

/// What loads and capacitors draw.
#[derive(Default)]
pub(super) struct PhaseDemand {
    /// By position: constant power to ground, and admittances to ground of all there is.
    pub(super) s: Vec<Three>,
    pub(super) y: Vec<Three>,
    /// All else, in ascending order of positions.
    pub(super) elements: Vec<Element>,
    /// The powers of loads.
    pub(super) powers: Vec<Complex>,
    /// Whether `y` is that of the network alone, as it is without capacitors where all loads are of
    /// constant power to ground.
    plain: bool,
}

impl<'a> PhaseNetwork<'a> {
    pub(super) fn new(
        feeder: &'a ThreePhase,
        params: &FlowParams,
    ) -> Result<PhaseNetwork<'a>, FlowError> {
        let (lines, transformers, switches) =
            (&feeder.lines, &feeder.transformers, &feeder.switches);
        let joined = |a: &[u32], b: &[u32], c: &[u32]| [a, b, c].concat();
        let from = joined(&lines.from, &transformers.from, &switches.from);
        let to = joined(&lines.to, &transformers.to, &switches.to);
        let kind = |k: usize| branch_kind(feeder, k);
        let links = Links {
            from: &from,
            to: &to,
            closed: &|k| match kind(k) {
                Branch::Line(k) => lines.ends.get(k) == Ends::CLOSED,
                Branch::Transformer(k) => transformers.closed.get(k),
                Branch::Switch(k) => switches.closed.get(k),
            },
            free: &|k| matches!(kind(k), Branch::Switch(_)),
            names: &|k| branch_name(feeder, kind(k)).1,
        };
        let topology = topology(&feeder.buses.names, &feeder.sources.bus, &links)?;
        if !params.allow_unsupplied {
            topology.all_supplied(&feeder.buses.names)?;
        }
        let parts = match topology.loops.is_empty() {
            true => {
                components(&topology, Vec::new()).into_iter().map(|c| c.ranges[0].clone()).collect()
            }
            // Loops may couple anything: one part.
            false => topology
                .roots
                .iter()
                .filter(|root| root.1)
                .map(|root| root.0 + 1..topology.tree.end(root.0))
                .collect(),
        };
        let n = topology.tree.len();
        let mut network = PhaseNetwork {
            feeder,
            topology,
            z: vec![[Complex::default(); 6]; n],
            ratio: vec![0; n],
            ratios: vec![[[0.0; 3]; 3]],
            scale: vec![0.0; n],
            alike: feeder.buses.v_base.uniform().is_some(),
            y: vec![ZERO; n],
            mutual: Vec::new(),
            parts,
            from,
            to,
            load_factor: params.load_factor,
        };
        network.fill()?;
        Ok(network)
    }

    /// Refuses buses with phases that the branch from their source does not have: no sweep would
    /// notice, and such a phase would have the source's voltage.
    fn all_fed(&self) -> Result<(), FlowError> {
        let (feeder, tree) = (self.feeder, &self.topology.tree);
        for &(root, _) in self.topology.roots.iter().filter(|root| root.1) {
            for k in root as usize + 1..tree.end(root) as usize {
                let has = feeder.buses.phases.get(tree.vertices()[k] as usize);
                let branch = branch_kind(feeder, self.topology.branch[k] as usize);
                let given = match branch {
                    Branch::Line(line) => feeder.lines.phases.get(line),
                    Branch::Switch(switch) => feeder.switches.phases.get(switch),
                    Branch::Transformer(t) => feeder.transformers.phases.get(t),
                };
                if !given.contains(has) {
                    let (kind, name) = branch_name(feeder, branch);
                    return Err(FlowError::Unfed { bus: self.name(k), has, kind, name, given });
                }
            }
        }
        Ok(())
    }

    fn fill(&mut self) -> Result<(), FlowError> {
        self.all_fed()?;
        for k in 0..self.z.len() {
            let bus = self.topology.tree.vertices()[k] as usize;
            self.scale[k] = self.feeder.buses.v_base.get(bus).powi(-2);
            let branch = self.topology.branch[k];
            if branch == NONE {
                continue;
            }
            match branch_kind(self.feeder, branch as usize) {
                Branch::Line(line) => self.z[k] = self.feeder.lines.z[line],
                Branch::Switch(_) => (),
                Branch::Transformer(t) => {
                    let forwards = self.to[branch as usize] as usize == bus;
                    let (a, z) = transformer(self.feeder, t, forwards)?;
                    for (entry, z) in [0, 2, 5].into_iter().zip(z) {
                        self.z[k][entry] = z;
                    }
                    self.ratio[k] = self.ratios.len() as u32;
                    self.ratios.push(a);
                }
            }
        }
        let lines = &self.feeder.lines;
        if lines.b.uniform() != Some([0.0; 6]) {
            for k in 0..lines.from.len() {
                let ends =
                    [(lines.ends.get(k).from, lines.from[k]), (lines.ends.get(k).to, lines.to[k])];
                let whole = lines.b.get(k);
                let y = match lines.ends.get(k) {
                    Ends::OPEN => continue,
                    Ends::CLOSED => whole.map(|b| Complex::new(0.0, b / 2.0)),
                    _ => open_ended(&lines.z[k], &whole),
                };
                for (_, bus) in ends.into_iter().filter(|end| end.0) {
                    let at = self.topology.tree.positions()[bus as usize];
                    for (phase, entry) in [0, 2, 5].into_iter().enumerate() {
                        self.y[at as usize][phase] += y[entry];
                    }
                    let between = [y[1], y[3], y[4]];
                    if between != ZERO {
                        self.mutual.push((at, between));
                    }
                }
            }
        }
        self.mutual.sort_by_key(|entry| entry.0);
        let transformers = &self.feeder.transformers;
        for k in 0..transformers.from.len() {
            let y = transformers.y.get(k);
            if transformers.closed.get(k) && y != Complex::default() {
                let at = self.position(transformers.to[k]);
                transformers.phases.get(k).iter().for_each(|phase| self.y[at][phase] += y);
            }
        }
        Ok(())
    }

    /// The position of a bus.
    pub(super) fn position(&self, bus: u32) -> usize {
        self.topology.tree.positions()[bus as usize] as usize
    }

    /// The name of the bus at a position.
    pub(super) fn name(&self, position: usize) -> String {
        let bus = self.topology.tree.vertices()[position];
        self.feeder.buses.names.get(bus as usize).to_string()
    }

    /// What all loads draw, times a factor, and what capacitors do.
    pub(super) fn demand(&self, factor: f64) -> PhaseDemand {
        let mut demand = PhaseDemand::default();
        self.demand_into(&self.feeder.loads.s_va, factor, &mut demand);
        demand
    }

    /// The same for other powers of the loads, in VA, in memory that is there.
    pub(super) fn demand_into(&self, powers: &[Complex], factor: f64, demand: &mut PhaseDemand) {
        let (loads, banks) = (&self.feeder.loads, &self.feeder.capacitors);
        let uniform = loads.zip.uniform() == Some(Zip::POWER)
            && loads.connection.uniform() == Some(Connection::Wye);
        let plain = banks.bus.is_empty() && (uniform || loads.bus.is_empty());
        demand.s.clear();
        demand.s.resize(self.z.len(), ZERO);
        if !(plain && demand.plain) {
            demand.y.clone_from(&self.y);
        }
        demand.plain = plain;
        demand.elements.clear();
        demand.powers.clear();
        demand.powers.extend(powers.iter().map(|s| s * factor));
        if plain {
            let parts = [1.0, 2.0, 3.0].map(|count| factor / count);
            let positions = self.topology.tree.positions();
            for (k, (&bus, &whole)) in loads.bus.iter().zip(powers).enumerate() {
                let (at, phases) = (positions[bus as usize] as usize, loads.phases.get(k));
                let s = whole * parts[phases.count() - 1];
                phases.iter().for_each(|phase| demand.s[at][phase] += s);
            }
            return;
        }
        for (k, (&bus, &whole)) in loads.bus.iter().zip(powers).enumerate() {
            let (connection, phases) = (loads.connection.get(k), loads.phases.get(k));
            let s = whole * (factor / shares(connection, phases.count()));
            let at = self.position(bus);
            demand.add(at, (connection, phases), s, loads.zip.get(k), loads.v_nom.get(k));
        }
        for (k, (&bus, &var)) in banks.bus.iter().zip(&banks.var).enumerate() {
            let (connection, phases) = (banks.connection.get(k), banks.phases.get(k));
            let s = Complex::new(0.0, -var / shares(connection, phases.count()));
            let at = self.position(bus);
            demand.add(at, (connection, phases), s, Zip::IMPEDANCE, banks.v_nom.get(k));
        }
        demand.elements.sort_by_key(|element| element.at);
    }
}

impl PhaseDemand {
    fn add(
        &mut self,
        at: usize,
        (connection, phases): (Connection, palmette_core::feeder::Phases),
        s: Complex,
        zip: Zip,
        v_nom: f64,
    ) {
        if zip == Zip::POWER && connection == Connection::Wye {
            phases.iter().for_each(|phase| self.s[at][phase] += s);
            return;
        }
        let [power, current, impedance] = zip.split(s);
        let (current, y) = (current / v_nom, impedance.conj() / (v_nom * v_nom));
        for (a, b) in connection.pairs(phases) {
            if b.is_none() && current == Complex::default() {
                self.s[at][a] += power;
                self.y[at][a] += y;
            } else {
                let between = [a as u8, b.map_or(3, |b| b as u8)];
                self.elements.push(Element { at: at as u32, between, power, current, y });
            }
        }
    }
}

/// Into how many equal elements a load is divided.
pub(super) fn shares(connection: Connection, phases: usize) -> f64 {
    if connection == Connection::Delta && phases == 2 { 1.0 } else { phases as f64 }
}

/// Which branch a number of the topology means.
pub(super) fn branch_kind(feeder: &ThreePhase, k: usize) -> Branch {
    let (lines, transformers) = (feeder.lines.from.len(), feeder.transformers.from.len());
    match k {
        _ if k < lines => Branch::Line(k),
        _ if k < lines + transformers => Branch::Transformer(k - lines),
        _ => Branch::Switch(k - lines - transformers),
    }
}

/// The kind and name of a branch.
pub(super) fn branch_name(feeder: &ThreePhase, branch: Branch) -> (&'static str, String) {
    match branch {
        Branch::Line(k) => ("line", feeder.lines.names.get(k).to_string()),
        Branch::Transformer(k) => ("transformer", feeder.transformers.names.get(k).to_string()),
        Branch::Switch(k) => ("switch", feeder.switches.names.get(k).to_string()),
    }
}

/// `A` and the diagonal of `Z` of a transformer, from its `from` side or the other way round.
pub(super) fn transformer(
    feeder: &ThreePhase,
    k: usize,
    forwards: bool,
) -> Result<([[f64; 3]; 3], Three), FlowError> {
    let all = &feeder.transformers;
    let (mut a, mut z) = all.matrices(k);
    let [from_kv, to_kv] = all.kv.get(k);
    for phase in (0..3).filter(|&phase| !all.phases.get(k).has(phase)) {
        // A place that nobody sees keeps the size of its voltage.
        a[phase][phase] = to_kv / from_kv;
    }
    if forwards {
        return Ok((a, z));
    }
    let group = all.group.get(k);
    if group.windings() != Windings::StarStar || !matches!(group.clock(), 0 | 6) {
        return Err(FlowError::Backwards { name: all.names.get(k).to_string() });
    }
    // V_from = A⁻¹ V_to − A⁻¹ Z A⁻ᵀ I_from
    for phase in 0..3 {
        a[phase][phase] = a[phase][phase].recip();
        z[phase] *= a[phase][phase] * a[phase][phase];
    }
    Ok((a, z))
}

/// The admittance of a line that is open at its other end: half of its charging here, and behind its
/// impedance the other half. `Y (2 + Z Y) (1 + Z Y)⁻¹` with `Y` half of the charging.
pub(super) fn open_ended(z: &Symmetric<Complex>, b: &Symmetric<f64>) -> Symmetric<Complex> {
    let square = |m: &dyn Fn(usize) -> Complex| -> [[Complex; 3]; 3] {
        const PLACE: [[usize; 3]; 3] = [[0, 1, 3], [1, 2, 4], [3, 4, 5]];
        PLACE.map(|row| row.map(m))
    };
    let (z, y) = (square(&|k| z[k]), square(&|k| Complex::new(0.0, b[k] / 2.0)));
    let one = |i: usize, j: usize| Complex::new(f64::from(u8::from(i == j)), 0.0);
    // Column by column: the voltage of the open end when one phase here has 1 V.
    let mut m = [[Complex::default(); 3]; 3];
    for (i, row) in m.iter_mut().enumerate() {
        for (j, entry) in row.iter_mut().enumerate() {
            *entry = one(i, j) + (0..3).map(|k| z[i][k] * y[k][j]).sum::<Complex>();
        }
    }
    let inverse = inverse(&m);
    let far = |i: usize, j: usize| -> Complex { (0..3).map(|k| y[i][k] * inverse[k][j]).sum() };
    [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)].map(|(i, j)| y[i][j] + far(i, j))
}

/// By cofactors: the matrix is near the identity.
fn inverse(m: &[[Complex; 3]; 3]) -> [[Complex; 3]; 3] {
    let cofactor = |i: usize, j: usize| {
        let (a, b, c, d) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
        m[a][c] * m[b][d] - m[a][d] * m[b][c]
    };
    let determinant: Complex = (0..3).map(|j| m[0][j] * cofactor(0, j)).sum();
    std::array::from_fn(|i| std::array::from_fn(|j| cofactor(j, i) / determinant))
}
