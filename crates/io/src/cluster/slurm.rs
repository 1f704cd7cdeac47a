//! Slurm's `topology.conf`: hosts below switches below switches.
//!
//! **Problem.** Lines `SwitchName=s0 Nodes=tux[0-3]` and `SwitchName=s4 Switches=s[0-3]`, perhaps
//! with `LinkSpeed`, to a network: hosts are numbered as a walk down from the top switches meets
//! them, so that near ones have near numbers; switches come after them.
//! **Method.** Key words are read without regard to case; `#` begins a comment, a backslash at the
//! end goes on with the next line. `LinkSpeed` is the capacity of the links that a line lists. What
//! is neither is an error.
//! **Cost.** Linear in hosts and switches.
//! **Reference.** The manual page topology.conf(5) of Slurm 23.11, plugin topology/tree.

use crate::IoError;
use crate::quote::shown;
use crate::source::{Source, plain};
use palmette_core::host_list::host_names;
use std::collections::HashMap;

/// A cluster as a file states it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterFile {
    /// Hosts, then switches, by name.
    pub names: Vec<String>,
    /// How many of them are hosts.
    pub hosts: usize,
    /// Links between their numbers, with capacities.
    pub links: Vec<(u32, u32, u32)>,
}

/// A line: a switch, and what is below it.
struct Line {
    number: u64,
    name: String,
    nodes: Vec<String>,
    switches: Vec<String>,
    speed: u32,
}

/// Reads a `topology.conf`; `name` is for messages.
///
/// # Errors
/// A line that is no switch with nodes or switches; a switch that is named twice or nowhere; a
/// file without hosts.
pub fn read_slurm_bytes(name: &str, bytes: &[u8]) -> Result<ClusterFile, IoError> {
    let data = plain(name, bytes)?;
    let source = Source::new(name, &data)?;
    let lines = lines(&source)?;
    let mut of_name: HashMap<&str, usize> = HashMap::new();
    for (at, line) in lines.iter().enumerate() {
        if of_name.insert(&line.name, at).is_some() {
            let found = format!("{} again", shown(&line.name));
            return Err(source.on_line(line.number, "a switch of another name", found));
        }
    }
    let mut below: Vec<Vec<usize>> = Vec::with_capacity(lines.len());
    let mut is_top = vec![true; lines.len()];
    for line in &lines {
        let switch = |name: &String| {
            of_name.get(name.as_str()).copied().ok_or_else(|| {
                source.on_line(line.number, "switches that have lines of their own", shown(name))
            })
        };
        let children: Vec<usize> = line.switches.iter().map(switch).collect::<Result<_, _>>()?;
        children.iter().for_each(|&child| is_top[child] = false);
        below.push(children);
    }
    let hosts = hosts_of(&lines, &below, &is_top);
    let number: HashMap<&str, u32> = hosts.iter().map(|h| h.as_str()).zip(0u32..).collect();
    let mut links = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let own = (hosts.len() + at) as u32;
        let nodes = line.nodes.iter().map(|node| number[node.as_str()]);
        let switches = below[at].iter().map(|&child| (hosts.len() + child) as u32);
        links.extend(
            nodes.chain(switches).map(|other| (own.min(other), own.max(other), line.speed)),
        );
    }
    links.sort_unstable();
    links.dedup_by_key(|link| (link.0, link.1));
    if hosts.is_empty() {
        let last = source.text.lines().count().max(1) as u64;
        return Err(source.on_line(last, "a switch with Nodes=", "none"));
    }
    let switches = lines.iter().map(|line| line.name.clone());
    let count = hosts.len();
    Ok(ClusterFile { names: hosts.into_iter().chain(switches).collect(), hosts: count, links })
}

/// All hosts, in the order of a walk from the top.
fn hosts_of(lines: &[Line], below: &[Vec<usize>], is_top: &[bool]) -> Vec<String> {
    let mut hosts: Vec<String> = Vec::new();
    let mut met: HashMap<&str, ()> = HashMap::new();
    let mut walked = vec![false; lines.len()];
    // Switches in a ring have no top; their order is that of their lines.
    let tops = (0..lines.len()).filter(|&at| is_top[at]).chain(0..lines.len());
    for top in tops.collect::<Vec<usize>>() {
        let mut waiting = vec![top];
        while let Some(at) = waiting.pop() {
            if std::mem::replace(&mut walked[at], true) {
                continue;
            }
            for node in &lines[at].nodes {
                if met.insert(node, ()).is_none() {
                    hosts.push(node.clone());
                }
            }
            waiting.extend(below[at].iter().rev());
        }
    }
    hosts
}

fn lines(source: &Source<'_>) -> Result<Vec<Line>, IoError> {
    let mut found = Vec::new();
    let (mut whole, mut first) = (String::new(), 0);
    let count = source.text.lines().count();
    for (number, text) in (1u64..).zip(source.text.lines()) {
        if whole.is_empty() {
            first = number;
        }
        let text = text.split('#').next().unwrap_or_default().trim();
        let (text, goes_on) = match text.strip_suffix('\\') {
            Some(text) => (text, number < count as u64),
            None => (text, false),
        };
        whole.push_str(text);
        // A list may go on in the next line.
        if !(goes_on && text.ends_with(',')) {
            whole.push(' ');
        }
        if !goes_on {
            if !whole.trim().is_empty() {
                found.push(line(source, first, whole.trim())?);
            }
            whole.clear();
        }
    }
    Ok(found)
}

fn line(source: &Source<'_>, number: u64, text: &str) -> Result<Line, IoError> {
    let mut line = Line { number, name: String::new(), nodes: vec![], switches: vec![], speed: 1 };
    for word in text.split_whitespace() {
        let expected = "SwitchName=, Nodes=, Switches= or LinkSpeed=";
        let Some((key, value)) = word.split_once('=').filter(|(_, value)| !value.is_empty()) else {
            return Err(source.on_line(number, expected, shown(word)));
        };
        let list = || {
            host_names(value)
                .map_err(|_| source.on_line(number, "names such as tux[0-3,12]", shown(value)))
        };
        match key.to_ascii_lowercase().as_str() {
            "switchname" => line.name = value.to_string(),
            "nodes" => line.nodes = list()?,
            "switches" => line.switches = list()?,
            "linkspeed" => {
                let speed = value.parse().ok().filter(|&speed| speed > 0);
                let expected = "a LinkSpeed that is a positive whole number below 2^32";
                line.speed = speed.ok_or_else(|| source.on_line(number, expected, shown(value)))?;
            }
            "blockname" | "blocksizes" => {
                return Err(source.on_line(number, "switches (topology/tree)", "blocks"));
            }
            _ => return Err(source.on_line(number, expected, shown(word))),
        }
    }
    if line.name.is_empty() || (line.nodes.is_empty() && line.switches.is_empty()) {
        let expected = "SwitchName= with Nodes= or Switches=";
        return Err(source.on_line(number, expected, shown(text)));
    }
    Ok(line)
}
