//! Power flows of feeders in figures.

use super::*;
use crate::power::feeder::{CaseFlow, Extreme, FeederSolution};
use crate::power::flow::MaxLoading;
use palmette_core::feeder::{Complex, Feeder};
use palmette_io::FeederFile;

/// What a feeder's file holds.
#[derive(Debug)]
pub struct FeederInfo<'a>(pub &'a FeederFile);

impl Figures for FeederInfo<'_> {
    fn figures(&self, record: &mut Record) {
        let FeederFile { feeder, format, .. } = self.0;
        record.figure("format", format.name()).figure("buses", feeder.bus_names().len());
        match feeder {
            Feeder::Balanced(feeder) => {
                let load: Complex = feeder.loads.s_mva.iter().sum();
                record
                    .figure("phases", 1)
                    .figure("branches", feeder.branches.len())
                    .figure("sources", feeder.sources.bus.len())
                    .figure("loads", feeder.loads.len())
                    .figure("shunts", feeder.shunts.bus.len())
                    .figure("generators", feeder.generators.bus.len())
                    .figure("load_mw", load.re)
                    .figure("load_mvar", load.im)
                    .figure("base_mva", feeder.base_mva);
            }
            Feeder::ThreePhase(feeder) => {
                let load = feeder.loads.s_va.iter().sum::<Complex>() * 1e-6;
                let branches = feeder.lines.from.len()
                    + feeder.transformers.from.len()
                    + feeder.switches.from.len();
                record
                    .figure("phases", 3)
                    .figure("branches", branches)
                    .figure("lines", feeder.lines.from.len())
                    .figure("transformers", feeder.transformers.from.len())
                    .figure("switches", feeder.switches.from.len())
                    .figure("sources", feeder.sources.bus.len())
                    .figure("loads", feeder.loads.bus.len())
                    .figure("capacitors", feeder.capacitors.bus.len())
                    .figure("load_mw", load.re)
                    .figure("load_mvar", load.im);
            }
        }
    }
}

/// A bus with its phase.
fn place(extreme: &Extreme) -> String {
    match extreme.phase {
        Some(phase) => format!("{}.{phase}", extreme.bus),
        None => extreme.bus.clone(),
    }
}

impl Figures for FeederSolution<'_> {
    fn figures(&self, record: &mut Record) {
        let (lowest, highest) = (self.lowest(), self.highest());
        let [given, drawn, lost] = self.powers_mva();
        record
            .figure("worst_drop", self.source_voltage() - lowest.voltage)
            .figure("min_voltage", lowest.voltage)
            .figure("min_voltage_bus", place(&lowest))
            .figure("max_voltage", highest.voltage)
            .figure("max_voltage_bus", place(&highest))
            .figure("losses", lost.re)
            .figure("losses_mvar", lost.im)
            .figure("source_mw", given.re)
            .figure("source_mvar", given.im)
            .figure("load_mw", drawn.re)
            .figure("load_mvar", drawn.im);
        if let Some((branch, part)) = self.most_loaded() {
            record.figure("max_loading_percent", part * 100.0).figure("max_loading_branch", branch);
        }
        record
            .figure("iterations", self.sweeps())
            .figure("loops", self.loops())
            .figure("unsupplied_buses", self.unsupplied().len())
            .figure("unsupplied_mw", self.lost_mw())
            .figure("balance", self.balance())
            .figure("mismatch_mva", self.mismatch_mva());
        if let Some(certificate) = self.certificate() {
            record.figure("certificate", certificate.xi).figure("certified", certificate.holds());
            if let Some(factor) = certificate.factor {
                record.figure("certified_factor", factor);
            }
        }
    }
}

impl Figures for MaxLoading {
    fn figures(&self, record: &mut Record) {
        // Without a limit the factor is null: JSON has no infinity.
        record.figure("max_load_factor", self.factor);
        if self.factor.is_finite() {
            record
                .figure("max_load_bus", self.bus.as_str())
                .figure("max_load_voltage", self.voltage);
        }
        record.figure("max_load_flows", self.solved);
    }
}

/// Many power flows: how many converged, and the worst of them.
#[derive(Debug)]
pub struct CaseFigures<'a>(pub &'a [CaseFlow]);

impl Figures for CaseFigures<'_> {
    fn figures(&self, record: &mut Record) {
        let found: Vec<_> =
            self.0.iter().filter_map(|case| Some((case, case.found.as_ref()?))).collect();
        record.figure("cases", self.0.len()).figure("converged", found.len());
        let lowest = found.iter().min_by(|a, b| a.1.lowest.voltage.total_cmp(&b.1.lowest.voltage));
        if let Some((case, one)) = lowest {
            record
                .figure("min_voltage", one.lowest.voltage)
                .figure("min_voltage_bus", place(&one.lowest))
                .figure("min_voltage_case", case.name.as_str());
        }
        let loading = |one: &crate::power::feeder::CaseFigures| {
            one.most_loaded.as_ref().map_or(0.0, |(_, part)| *part)
        };
        let most = found.iter().max_by(|a, b| loading(a.1).total_cmp(&loading(b.1)));
        if let Some((case, one)) = most
            && let Some((branch, part)) = &one.most_loaded
        {
            record
                .figure("max_loading_percent", part * 100.0)
                .figure("max_loading_branch", branch.as_str())
                .figure("max_loading_case", case.name.as_str());
        }
        let losses: f64 = found.iter().map(|(_, one)| one.losses_mva.re).sum();
        record.figure("losses", losses / found.len().max(1) as f64);
        if let Some(most) = found.iter().map(|(_, one)| one.iterations).max() {
            record.figure("iterations", most);
        }
        let dark = found.iter().filter(|(_, one)| one.unsupplied_count > 0).count();
        record.figure("cases_with_unsupplied_buses", dark);
    }
}
