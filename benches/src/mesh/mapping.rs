//! Parts on processors, and what their messages load.

use super::input::Input;
use super::median;
use super::peers::{Answer, Desk, Scheme};
use crate::goals::Goals;
use crate::table::Table;
use crate::timing::pool;
use palmette_mesh::partition::{JointParams, map_jointly};
use palmette_mesh::placement::{hopsum, traffic};
use palmette_mesh::routing::{Method, RouteParams, messages, route, route_in_phases};
use palmette_mesh::{Machine, PartitionParams, Placement, Quotient};
use std::time::Instant;

/// The head of the table of machines with routes.
pub const HEAD: [&str; 11] = [
    "mesh",
    "machine",
    "who",
    "cut",
    "hopsum, median",
    "to ours",
    "least hopsum",
    "largest link load, x then y",
    "rerouted by us",
    "phases of 20 channels",
    "seconds",
];

/// The head of the table of fat trees.
pub const TREE_HEAD: [&str; 6] =
    ["mesh", "machine", "who", "traffic by level, from the top", "top, to ours", "seconds"];

/// The channels of a processor of the iWarp.
const CHANNELS: u32 = 20;

type Failure = Box<dyn std::error::Error>;

/// What is wanted of us.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    /// The most hops.
    pub hopsum: u64,
    /// The largest load of a link.
    pub load: Option<u64>,
    /// The most phases.
    pub phases: usize,
    /// The most seconds.
    pub seconds: Option<f64>,
}

/// The processor of each vertex by us, once for each seed, on two threads.
fn ours(input: &Input, machine: &Machine, seeds: u64) -> Vec<Answer> {
    let pool = pool(2);
    let answer = |seed: u64| {
        let parts = machine.processors() as u32;
        let default = JointParams::default();
        let partition = PartitionParams { parts, seed, ..default.partition };
        let params = JointParams { partition, ..default };
        let start = Instant::now();
        let found = pool
            .install(|| map_jointly(&input.graph, input.points(), None, machine, &params))
            .expect("the study's meshes can be mapped");
        let seconds = start.elapsed().as_secs_f64();
        let part = found.0.part.iter().map(|&p| found.1.processor(p)).collect();
        Answer { part, seconds }
    };
    (0..seeds).map(answer).collect()
}

/// Ours first, then the peers: METIS's parts in the order of its bisections, and Scotch,
/// which maps the mesh to the machine.
fn everyone(
    input: &Input,
    machine: &Machine,
    target: &str,
    seeds: u64,
    desk: Option<&Desk>,
) -> Result<Vec<(&'static str, Vec<Answer>)>, Failure> {
    let mut all = vec![("palmette, joint", ours(input, machine, seeds))];
    if let Some(desk) = desk {
        let parts = machine.processors() as u32;
        let cut = desk.metis(&input.graph, parts, Scheme::Bisection, seeds)?;
        all.push(("METIS rb, in its order", cut));
        all.push(("Scotch, mesh to machine", desk.scotch(&input.graph, target, seeds)?));
    }
    Ok(all)
}

/// One answer on a machine with routes.
struct Figures {
    cut: u64,
    hopsum: u64,
    load: u64,
    rerouted: u64,
    phases: usize,
    seconds: f64,
}

fn figures(input: &Input, machine: &Machine, answer: &Answer) -> Figures {
    let parts = machine.processors();
    let quotient = Quotient::of(&input.graph, &answer.part, parts);
    let placement = Placement::identity(parts, machine).expect("as many parts as processors");
    let messages = messages(&quotient, &placement);
    let params = RouteParams::default();
    let plain = route(Method::DimensionOrdered, machine, &messages, &params);
    let plain = plain.expect("a machine with routes").max_link_load();
    let start = Instant::now();
    let phases = route_in_phases(Method::Shortest, machine, &messages, CHANNELS, &params);
    let phases = phases.expect("a machine with routes");
    let seconds = answer.seconds + start.elapsed().as_secs_f64();
    Figures {
        cut: super::cuts::cut(&input.graph, &answer.part),
        hopsum: hopsum(&quotient, machine, &placement),
        load: plain,
        rerouted: phases.routes.max_link_load(),
        phases: phases.count,
        seconds,
    }
}

/// Everyone on a torus or mesh of processors.
///
/// # Errors
/// When a peer fails.
pub fn measure(
    input: &Input,
    (machine, target): (&str, &str),
    seeds: u64,
    desk: Option<&Desk>,
    wanted: Option<Wanted>,
    table: &mut Table,
    goals: &mut Goals,
) -> Result<(), Failure> {
    let parsed: Machine = machine.parse()?;
    let mut first = None;
    for (who, answers) in everyone(input, &parsed, target, seeds, desk)? {
        let figures: Vec<Figures> = answers.iter().map(|a| figures(input, &parsed, a)).collect();
        let middle = |of: fn(&Figures) -> u64| median(figures.iter().map(of).collect(), u64::cmp);
        let hops = middle(|f| f.hopsum);
        let least = figures.iter().map(|f| f.hopsum).min().unwrap_or(hops);
        let (rerouted, phases) = (middle(|f| f.rerouted), middle(|f| f.phases as u64));
        let seconds = median(figures.iter().map(|f| f.seconds).collect(), f64::total_cmp);
        table.row(vec![
            input.name.clone(),
            machine.to_string(),
            who.to_string(),
            middle(|f| f.cut).to_string(),
            hops.to_string(),
            format!("{:.3}", hops as f64 / *first.get_or_insert(hops) as f64),
            least.to_string(),
            middle(|f| f.load).to_string(),
            rerouted.to_string(),
            phases.to_string(),
            format!("{seconds:.2}"),
        ]);
        let Some(wanted) = wanted.filter(|_| who.starts_with("palmette")) else { continue };
        let what = |figure: &str| format!("{} on {machine}, {figure}", input.name);
        goals.at_most(&what("hopsum"), wanted.hopsum as f64, hops as f64, "");
        goals.at_most(&what("phases"), wanted.phases as f64, phases as f64, "");
        if let Some(load) = wanted.load {
            goals.at_most(&what("link load"), load as f64, rerouted as f64, "");
        }
        if let Some(most) = wanted.seconds {
            goals.at_most(&what("routing included"), most, seconds, " s");
        }
    }
    Ok(())
}

/// Everyone on a fat tree.
///
/// # Errors
/// When a peer fails.
pub fn measure_tree(
    input: &Input,
    (machine, target): (&str, &str),
    seeds: u64,
    desk: Option<&Desk>,
    wanted: Option<u64>,
    table: &mut Table,
    goals: &mut Goals,
) -> Result<(), Failure> {
    let parsed: Machine = machine.parse()?;
    let tree = parsed.fat_tree().ok_or("expected a fat tree")?;
    let placement = Placement::identity(tree.processors(), &parsed)?;
    let mut first = None;
    for (who, answers) in everyone(input, &parsed, target, seeds, desk)? {
        let levels = |answer: &Answer| -> Vec<u64> {
            let quotient = Quotient::of(&input.graph, &answer.part, tree.processors());
            traffic(&quotient, tree, &placement).iter().map(|level| level.values).collect()
        };
        let levels: Vec<Vec<u64>> = answers.iter().map(levels).collect();
        let middle: Vec<u64> = (0..tree.levels())
            .map(|level| median(levels.iter().map(|l| l[level]).collect(), u64::cmp))
            .collect();
        let seconds = median(answers.iter().map(|a| a.seconds).collect(), f64::total_cmp);
        let text: Vec<String> = middle.iter().map(u64::to_string).collect();
        table.row(vec![
            input.name.clone(),
            machine.to_string(),
            who.to_string(),
            text.join(" / "),
            format!("{:.3}", middle[0] as f64 / *first.get_or_insert(middle[0]) as f64),
            format!("{seconds:.2}"),
        ]);
        if let Some(wanted) = wanted.filter(|_| who.starts_with("palmette")) {
            let what = format!("{} on {machine}, top-level traffic", input.name);
            goals.at_most(&what, wanted as f64, middle[0] as f64, "");
        }
    }
    Ok(())
}
