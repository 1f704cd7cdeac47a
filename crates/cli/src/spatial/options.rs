//! Arguments for laying out a tree, and for the machine that a program runs on.

use super::network::NetworkOptions;
use crate::prelude::*;
use palmette::program_machine;
use palmette::spatial::Grid;
use palmette::spatial::layout::RefineParams;
use palmette::spatial::machine::{Delivery, Gift, Given};

#[derive(Debug, Args)]
pub(crate) struct LayoutOptions {
    /// The order of the vertices along the curve.
    #[arg(long, value_name = "ORDER", default_value_t = LayoutParams::default().order,
          value_parser = named::<Order>(), help_heading = "Layout")]
    pub(crate) order: Order,
    /// The curve.
    #[arg(long, value_name = "CURVE", default_value_t = LayoutParams::default().curve,
          value_parser = named::<CurveKind>(), help_heading = "Layout")]
    pub(crate) curve: CurveKind,
    /// Grid size (default: the smallest that the curve fills and the tree fits).
    #[arg(long, value_name = "COLUMNSxROWS", value_parser = grid, help_heading = "Layout")]
    pub(crate) grid: Option<Grid>,
    /// Seed for the moves of the refined order and the processors' random bits.
    #[arg(long, value_name = "S", help_heading = "Layout",
          help = format!("Seed for the moves of the refined order and the processors' random bits \
                          [default: {DEFAULT_SEED}]"))]
    pub(crate) seed: Option<u64>,
    /// Stop refining the order after this many seconds.
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, help_heading = "Layout",
          help = format!("Stop refining the order after this many seconds. The result is \
                          reproducible only if the budget of moves ends first [default: {}]",
                         seconds()))]
    pub(crate) time_limit: Option<f64>,
}

/// How long messages take.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct DeliveryOption {
    #[arg(long, value_name = "MODEL", default_value_t,
          allow_hyphen_values = true, help_heading = "Machine",
          help = format!("How long messages take: {}; answers do not depend on it",
                         Delivery::FORMS.join(", ")))]
    pub(super) delivery: Delivery,
}

impl DeliveryOption {
    pub(super) fn machine(self, params: MachineParams) -> MachineParams {
        MachineParams { delivery: self.delivery, ..params }
    }

    /// Refuses delays where no machine runs.
    pub(super) fn refuse(self, needs: &str) -> Result<()> {
        match self.delivery {
            Delivery::Step => Ok(()),
            delivery => bail!("--delivery {delivery} needs {needs}"),
        }
    }
}

/// What is free.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct GivenOption {
    #[arg(long, value_name = "LIST", default_value_t, help_heading = "Machine",
          help = format!("What the program gets for free instead of learning it by messages: {}, \
                          separated by commas, all or none", Gift::ALL.map(Gift::name).join(", ")))]
    pub(super) given: Given,
}

/// The machine of a program.
#[derive(Debug, Args)]
pub(crate) struct MachineOptions {
    #[command(flatten)]
    delivery: DeliveryOption,
    #[command(flatten)]
    given: GivenOption,
    #[command(flatten)]
    network: NetworkOptions,
}

impl MachineOptions {
    pub(super) fn params(&self) -> Result<MachineParams> {
        let params = self.network.machine(self.delivery.machine(program_machine()))?;
        Ok(MachineParams { given: self.given.given, ..params })
    }
}

/// How long the library refines by default.
fn seconds() -> f64 {
    RefineParams::default().time_limit.unwrap_or_default().as_secs_f64()
}

pub(super) fn grid(text: &str) -> Result<Grid, String> {
    let side = |part: &str| part.parse().ok().filter(|&side: &u32| side > 0);
    let sides = text.split_once(['x', 'X', '×']).map(|(w, h)| (side(w), side(h)));
    match sides {
        Some((Some(width), Some(height))) => Ok(Grid { width, height }),
        _ => Err("expected COLUMNSxROWS such as 64x64, two numbers from 1".to_string()),
    }
}

impl LayoutOptions {
    pub(crate) fn seed(&self) -> u64 {
        self.seed.unwrap_or(DEFAULT_SEED)
    }

    pub(crate) fn params(&self) -> Result<LayoutParams> {
        let seconds = self.time_limit.unwrap_or_else(seconds);
        let Ok(limit) = Duration::try_from_secs_f64(seconds) else {
            bail!("--time-limit: {seconds:e} is not a number of seconds");
        };
        if self.time_limit.is_some() && self.order != Order::Refined {
            bail!("--time-limit needs --order refined, not {}", self.order);
        }
        let time_limit = Some(limit);
        let refine = RefineParams { seed: self.seed(), time_limit, ..RefineParams::default() };
        Ok(LayoutParams { order: self.order, curve: self.curve, grid: self.grid, refine })
    }

    /// Reads the tree and lays it out.
    pub(crate) fn load(
        &self,
        session: &mut Session,
        input: &InputOptions,
        needs: Needs,
    ) -> Result<(TreeFile, Layout)> {
        let params = self.params()?;
        let needs = Needs { siblings: self.order.siblings(), ..needs };
        let Loaded { file, tree } = load(session, input, &needs)?;
        let layout = self.lay_out(session, tree, params)?;
        Ok((file, layout))
    }

    fn lay_out(&self, session: &mut Session, tree: Tree, params: LayoutParams) -> Result<Layout> {
        session
            .parameter("order", self.order.name())
            .parameter("curve", self.curve.name())
            .parameter("seed", self.seed());
        let layout = session.phase("layout", || Layout::new(tree, params));
        let layout = layout.map_err(|error| match self.grid {
            Some(_) => anyhow!("--grid: {error}"),
            None => error.into(),
        })?;
        session.parameter("grid", layout.grid().to_string());
        if let Some(refined) = layout.refined() {
            session.parameter("time_limit", self.time_limit.unwrap_or_else(seconds));
            if refined.stopped_by_time {
                session.note(
                    "the time limit stopped the refinement; another run may give another layout",
                );
            }
        }
        Ok(layout)
    }
}
