//! Options of the verbs that cut, place and route.

use super::machine::MachineOptions;
use super::options::CutOptions;
use super::route::RouteOptions;
use crate::session::Session;
use clap::Args;
use palmette::MappingParams;
use palmette::mesh::Method;
use palmette::mesh::partition::JointParams;
use palmette::mesh::placement::{self, SearchParams};

/// How a mesh is cut, placed and routed.
#[derive(Debug, Args)]
pub(crate) struct MappingOptions {
    /// Partition and placement together, which is the default.
    #[arg(long, conflicts_with = "method")]
    joint: bool,
    /// Place finished parts instead: identity, random, halving, cut-tree, curve or search.
    #[arg(long, value_name = "METHOD")]
    method: Option<placement::Method>,
    /// How to cut in two: geometric, coordinate, inertial or hilbert.
    #[arg(long, value_name = "METHOD", default_value_t)]
    cut_method: Method,
    #[command(flatten)]
    pub(crate) machine: MachineOptions,
    #[command(flatten)]
    routing: RouteOptions,
    #[command(flatten)]
    cut: CutOptions,
}

impl MappingOptions {
    /// The way of mapping, noted; the machine has a processor for each part.
    pub(super) fn params(&self, session: &mut Session) -> anyhow::Result<MappingParams> {
        let parts = self.machine.parts(session)?;
        let partition = self.cut.params(session, self.cut_method, parts);
        session.record.parameter("method", self.method.map_or("joint", placement::Method::name));
        let search = match self.method {
            None => JointParams::default().search,
            Some(_) => SearchParams::default(),
        };
        let search = Some(self.machine.search(session, search, self.cut.seed));
        let routing = self.routing.params(session, self.cut.seed);
        Ok(MappingParams { partition, placement: self.method, search, ..routing })
    }
}
