//! Arguments for laying out a tree.

use crate::prelude::*;
use palmette::spatial::Grid;
use palmette::spatial::layout::RefineParams;

#[derive(Debug, Args)]
#[command(next_help_heading = "Layout")]
pub(crate) struct LayoutOptions {
    /// The order of the vertices along the curve.
    #[arg(long, value_name = "ORDER", default_value_t = LayoutParams::default().order,
          value_parser = named::<Order>())]
    pub(crate) order: Order,
    /// The curve.
    #[arg(long, value_name = "CURVE", default_value_t = LayoutParams::default().curve,
          value_parser = named::<CurveKind>())]
    pub(crate) curve: CurveKind,
    /// Grid size (default: the smallest that the curve fills and the tree fits).
    #[arg(long, value_name = "COLUMNSxROWS", value_parser = grid)]
    pub(crate) grid: Option<Grid>,
    /// Seed for the moves of the refined order and the processors' random bits.
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    pub(crate) seed: u64,
    /// Stop refining the order after this many seconds. The result is reproducible only if the
    /// budget of moves ends first.
    #[arg(long, value_name = "SECONDS", default_value_t = seconds(), allow_negative_numbers = true)]
    pub(crate) time_limit: f64,
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
    pub(crate) fn params(&self) -> Result<LayoutParams> {
        let Ok(limit) = Duration::try_from_secs_f64(self.time_limit) else {
            bail!("--time-limit: {:e} is not a number of seconds", self.time_limit);
        };
        let time_limit = Some(limit);
        let refine = RefineParams { seed: self.seed, time_limit, ..RefineParams::default() };
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
            .parameter("seed", self.seed);
        let layout = session.phase("layout", || Layout::new(tree, params));
        let layout = layout.map_err(|error| match self.grid {
            Some(_) => anyhow!("--grid: {error}"),
            None => error.into(),
        })?;
        session.parameter("grid", layout.grid().to_string());
        if let Some(refined) = layout.refined() {
            session.parameter("time_limit", self.time_limit);
            if refined.stopped_by_time {
                session.note(
                    "the time limit stopped the refinement; another run may give another layout",
                );
            }
        }
        Ok(layout)
    }
}
