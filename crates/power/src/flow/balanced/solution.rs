//! What a power flow says: voltages, flows, loadings, losses.

use super::certificate::Certificate;
use super::network::end_admittances;
use super::totals::Totals;
use super::{Network, State};
use palmette_core::NONE;
use palmette_core::feeder::{Complex, Ends};

/// Flows of one branch.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BranchFlow {
    /// Power in MVA into the branch at `from`.
    pub from_mva: Complex,
    /// Power in MVA into the branch at `to`.
    pub to_mva: Complex,
    /// The current in A at `from`.
    pub from_a: f64,
    /// The current in A at `to`.
    pub to_a: f64,
    /// The larger current as a part of its rating; 0 without one.
    pub loading: f64,
}

impl BranchFlow {
    /// What the branch takes, in MVA.
    pub fn loss_mva(&self) -> Complex {
        self.from_mva + self.to_mva
    }
}

/// What a generator that holds its voltage gives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GeneratorFlow {
    /// Its number.
    pub number: u32,
    /// Power in MVA that it injects.
    pub mva: Complex,
    /// Whether a limit of its reactive power keeps it from holding its voltage.
    pub limited: bool,
}

/// The power flow of a balanced feeder.
pub struct Solution<'a> {
    network: Network<'a>,
    state: State,
    certificate: Option<Certificate>,
    mismatch: f64,
    totals: Totals,
    /// By branch: the position of the bus that it leads to, [`NONE`] for those not in the forest.
    child: Vec<u32>,
}

impl<'a> Solution<'a> {
    pub(super) fn new(
        network: Network<'a>,
        state: State,
        certificate: Option<Certificate>,
        mismatch: f64,
        totals: Totals,
    ) -> Solution<'a> {
        let mut child = vec![NONE; network.feeder.branches.len()];
        for (position, &branch) in network.topology.branch.iter().enumerate() {
            if branch != NONE {
                child[branch as usize] = position as u32;
            }
        }
        Solution { network, state, certificate, mismatch, totals, child }
    }

    /// The voltage of a bus, per unit; 0 where no source supplies it.
    pub fn voltage(&self, bus: u32) -> Complex {
        let k = self.network.position(bus);
        self.state.v[k] / self.network.turn(k)
    }

    /// The voltages of all buses, per unit.
    pub fn voltages(&self) -> Vec<Complex> {
        (0..self.state.v.len() as u32).map(|bus| self.voltage(bus)).collect()
    }

    /// Whether a source supplies a bus.
    pub fn is_supplied(&self, bus: u32) -> bool {
        self.state.v[self.network.position(bus)] != Complex::default()
    }

    /// The bus with the lowest voltage, and its voltage per unit.
    pub fn lowest(&self) -> (u32, f64) {
        let live = (0..self.state.v.len() as u32).filter(|&bus| self.is_supplied(bus));
        let all = live.map(|bus| (bus, self.voltage(bus).norm()));
        all.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((NONE, 0.0))
    }

    /// The bus with the highest voltage, and its voltage per unit.
    pub fn highest(&self) -> (u32, f64) {
        let all = (0..self.state.v.len() as u32).map(|bus| (bus, self.voltage(bus).norm()));
        all.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))).unwrap_or((NONE, 0.0))
    }

    /// The flows of a branch; nothing where it is out of service or not supplied.
    pub fn branch(&self, k: u32) -> BranchFlow {
        let (feeder, network) = (self.network.feeder, &self.network);
        let branches = &feeder.branches;
        let at = k as usize;
        if network.without == Some(k) {
            return BranchFlow::default();
        }
        let ends = branches.ends.get(at);
        let (from, to) = (branches.from[at], branches.to[at]);
        let [y_from, y_to] = end_admittances(feeder, at);
        let voltage =
            |bus: u32, closed: bool| if closed { self.voltage(bus) } else { Complex::default() };
        let (v_from, v_to) = (voltage(from, ends.from), voltage(to, ends.to));
        // The current through the impedance towards `to`, as `to` sees it.
        let series = match self.child[at] {
            _ if ends != Ends::CLOSED => Complex::default(),
            NONE => self.loop_current(k),
            child => {
                let current = self.state.i[child as usize];
                let t = network.position(to);
                let current = current * network.turn(t).conj();
                if t == child as usize { current } else { -current }
            }
        };
        let i_from = series / branches.ratio.get(at).conj() + y_from * v_from;
        let i_to = y_to * v_to - series;
        let ampere = |bus: u32, current: Complex| current.norm() * feeder.base_ampere(bus as usize);
        let (from_a, to_a) = (ampere(from, i_from), ampere(to, i_to));
        let rated = branches.rated_a.get(at);
        BranchFlow {
            from_mva: v_from * i_from.conj() * feeder.base_mva,
            to_mva: v_to * i_to.conj() * feeder.base_mva,
            from_a,
            to_a,
            loading: (from_a / rated[0]).max(to_a / rated[1]),
        }
    }

    fn loop_current(&self, k: u32) -> Complex {
        let loops = &self.state.loops;
        let found = loops.binary_search_by_key(&k, |entry| entry.0);
        found.map_or_else(|_| Complex::default(), |at| loops[at].1)
    }

    /// The flows of all branches.
    pub fn branches(&self) -> impl Iterator<Item = BranchFlow> + '_ {
        (0..self.child.len() as u32).map(|k| self.branch(k))
    }

    /// The branch with the highest loading, if one has a rating.
    pub fn most_loaded(&self) -> Option<(u32, f64)> {
        let all = self.branches().enumerate().map(|(k, flow)| (k as u32, flow.loading));
        all.filter(|one| one.1 > 0.0).max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// What each source gives, in MVA, in the order of the feeder's sources.
    pub fn sources_mva(&self) -> Vec<Complex> {
        let sources = &self.network.feeder.sources;
        let given = |(&bus, &v): (&u32, &Complex)| {
            v * self.state.i[self.network.position(bus)].conj() * self.network.feeder.base_mva
        };
        sources.bus.iter().zip(&sources.v).map(given).collect()
    }

    /// What each supplied generator that holds its voltage gives.
    pub fn generators(&self) -> Vec<GeneratorFlow> {
        let feeder = self.network.feeder;
        let flow = |&(number, q, limited): &(u32, f64, bool)| {
            let p = feeder.generators.p_mw[number as usize];
            GeneratorFlow { number, mva: Complex::new(p, q * feeder.base_mva), limited }
        };
        self.state.generators.iter().map(flow).collect()
    }

    /// The loads in MVA, at nominal voltage, of buses that no source supplies.
    pub fn unsupplied_mva(&self) -> Complex {
        self.network.unsupplied_mva()
    }

    /// Where power goes.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// How far sources are from loads and losses, as a part of all power that is drawn.
    pub fn balance(&self) -> f64 {
        self.totals.balance
    }

    /// How far the power of the worst bus is from the given one, in MVA.
    pub fn mismatch_mva(&self) -> f64 {
        self.mismatch * self.network.feeder.base_mva
    }

    /// The most sweeps that a part of the network took.
    pub fn sweeps(&self) -> usize {
        self.state.sweeps
    }

    /// What is proved about this solution; nothing with more loops than [`Certificate::LOOPS`].
    pub fn certificate(&self) -> Option<Certificate> {
        self.certificate
    }

    /// The branches that close loops.
    pub fn loops(&self) -> &[u32] {
        &self.network.topology.loops
    }

    /// By bus: the bus before it on the way from the source; [`NONE`] for sources.
    pub fn parents(&self) -> Vec<u32> {
        self.network.topology.parents()
    }

    /// By bus: the branch from the bus before it; [`NONE`] for sources.
    pub fn parent_branches(&self) -> Vec<u32> {
        let topology = &self.network.topology;
        topology.tree.positions().iter().map(|&at| topology.branch[at as usize]).collect()
    }

    /// By bus: the length of the branches on the way from the source, in km.
    pub fn distances_km(&self) -> Vec<f64> {
        let lengths = &self.network.feeder.branches.length_km;
        self.network.topology.distances(|branch| lengths.get(branch))
    }
}
