//! `palmette mesh route`.

use super::mapping::{draw_placement, tell_levels};
use super::options::{InputOptions, failed};
use super::place::PlaceOptions;
use crate::prelude::*;
use palmette::mesh::routing::{Method, RouteParams};
use palmette::{MappingParams, place_parts, routes_json};

/// How messages are routed.
#[derive(Debug, Args)]
#[command(next_help_heading = "Routing")]
pub(crate) struct RouteOptions {
    /// Routing method: dimension-ordered, one-bend or two-bend on meshes and tori; minimal
    /// (shortest paths), adaptive (with detours) or shortest (rip-up and reroute).
    #[arg(long, value_name = "METHOD", default_value_t, value_parser = named::<Method>())]
    routing: Method,
    /// Limit on paths through a processor at a time, including those that end there.
    /// (default: 20 on meshes and tori of processors, else none).
    #[arg(long, value_name = "N", value_parser = channels)]
    channels: Option<u32>,
}

fn channels(text: &str) -> Result<u32, String> {
    let channels = text.parse().map_err(|_| format!("expected a whole number, found `{text}`"))?;
    let params = MappingParams { channels: Some(channels), ..Default::default() };
    params.check().map_err(|error| error.to_string())?;
    Ok(channels)
}

impl RouteOptions {
    /// The way of routing; notes it in the record. The rest has its defaults.
    pub(super) fn params(&self, session: &mut Session, seed: u64) -> MappingParams {
        session.parameter("routing", self.routing.name());
        if let Some(channels) = self.channels {
            session.parameter("channels", channels);
        }
        MappingParams {
            routing: self.routing,
            route: RouteParams { seed, ..RouteParams::default() },
            channels: self.channels,
            ..MappingParams::default()
        }
    }
}

#[derive(Debug, Args)]
#[command(mut_arg("svg", |argument| {
    argument.help("Draw the placement with all link loads")
}))]
pub(crate) struct Arguments {
    /// Output routes as JSON: machine, channels, phases, and for each message from, to, values,
    /// phase and path; `-` is stdout.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    pictures: PictureOptions,
    #[command(flatten)]
    place: PlaceOptions,
    #[command(flatten)]
    routing: RouteOptions,
    #[command(flatten)]
    input: InputOptions,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let options = &arguments.place;
    let output = arguments.output.as_deref();
    let files = options.files(arguments.input.files());
    let files = files.writes("-o", output, Kind::JSON).draws(&arguments.pictures, "placement");
    let mut session = Session::open("mesh route", files, run)?;
    let params = arguments.routing.params(&mut session, options.cut.seed);
    let on = options.machine.load(&mut session, options.needs())?;
    let mut input = arguments.input.load(&mut session)?;
    let partition = options.parts(&mut session, &mut input, &on)?;
    let search = Some(options.search(&mut session));
    let params = MappingParams { search, ..params };
    let machine = &on.machine;
    let mapping = session.phase("route", || {
        place_parts(&input.graph, &input.points, machine, partition, options.placement, &params)
    });
    let mapping = mapping.map_err(|error| failed(&input, error))?;
    session.figures(&mapping);
    tell_levels(&mut session, &mapping.traffic);
    options.ranks(&mut session, &on, &mapping.quotient, &mapping.placement)?;
    draw_placement(&mut session, None, &input.name, &mapping)?;
    if output.is_some()
        && let Some(path) = session.destination(output)
    {
        session.write_text(&path, &format!("{}\n", routes_json(&mapping)))?;
    }
    session.finish()
}
