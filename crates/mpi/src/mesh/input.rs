//! Every rank's slice of a graph or a mesh.

use super::arguments::PartitionArguments;
use crate::command::{Links, Outcome, agree, check_room};
use palmette::core::mesh::{ElementKind, Point};
use palmette::core::ranks::{Ranks, Slices, send};
use palmette::io::{ElementSlices, GraphSlices, PointSlices, Share};
use palmette::mesh::partition::distributed::{
    ElementSlice, GraphSlice, dual_graph_on_ranks, node_graph_on_ranks,
};
use std::path::Path;

/// Bytes that a vertex takes while its graph is read and cut, and as much for each byte of its text:
/// about twice what was measured, for graphs in no order.
const BYTES_PER_VERTEX: u64 = 300;
const BYTES_PER_BYTE: u64 = 8;

/// What a rank has of the input.
pub(super) struct Input {
    pub(super) graph: GraphSlice,
    /// Where elements are cut, those of the slice.
    pub(super) elements: Option<ElementSlice>,
}

pub(super) fn read(ranks: &mut Links, arguments: &PartitionArguments) -> Outcome<Input> {
    if arguments.reads_graph() {
        let graph = read_graph(ranks, arguments)?;
        return Ok(Input { graph, elements: None });
    }
    read_mesh(ranks, arguments)
}

fn read_graph(ranks: &mut Links, arguments: &PartitionArguments) -> Outcome<GraphSlice> {
    let share = Share::even(ranks.rank(), ranks.ranks());
    let file = agree(ranks, GraphSlices::open(&arguments.file))?;
    if arguments.elements {
        let name = file.name();
        let wrong = format!("{name}: --elements needs a mesh with elements, but this is a graph");
        agree(ranks, Err::<(), _>(wrong))?;
    }
    let (vertices, bytes) = (file.vertices_about(share), file.bytes(share));
    room(ranks, arguments, (vertices, bytes), "vertices")?;
    let lines = agree(ranks, file.read(share))?;
    let (count, lists) = (lines.lines(), file.lists(&lines));
    let before = (ranks.sum_before(count)?, ranks.sum_before(lists)?);
    let rows = agree(ranks, file.parse(&lines, before))?;
    drop(lines);
    let own = rows.offsets.len() as u64 - 1;
    let first = before.1.min(file.vertices());
    let loops = (first..).zip(rows.offsets.windows(2)).map(|(v, row)| {
        rows.neighbours[row[0]..row[1]].iter().filter(|&&w| u64::from(w) == v).count() as u64
    });
    let (loops, listed) = (loops.sum(), rows.neighbours.len() as u64);
    let all = (ranks.sum(count)?, ranks.sum(own)?);
    let entries = (ranks.sum(listed)?, ranks.sum(loops)?);
    agree(ranks, file.check(all, entries))?;
    let narrow = rows.weights.iter().zip(first + 1..).map(|(&weight, vertex)| {
        let name = file.name();
        let wrong = || {
            format!(
                "{name}: expected weights of vertices below 2^32, found {weight} at vertex {vertex}"
            )
        };
        u32::try_from(weight).map_err(|_| wrong())
    });
    let weights = narrow.collect::<Result<Vec<u32>, String>>();
    let weights = agree(ranks, weights)?;
    let points = match &arguments.xyz {
        None => Vec::new(),
        Some(xyz) => {
            let slices = Slices::of_lengths(ranks.gather(&[own])?.words);
            read_points(ranks, xyz, Some(&slices))?
        }
    };
    let (offsets, neighbours) = (rows.offsets, rows.neighbours);
    Ok(GraphSlice { offsets, neighbours, edge_weights: rows.edge_weights, weights, points })
}

fn read_mesh(ranks: &mut Links, arguments: &PartitionArguments) -> Outcome<Input> {
    let share = Share::even(ranks.rank(), ranks.ranks());
    let file = agree(ranks, ElementSlices::open(&arguments.file))?;
    let Some(xyz) = &arguments.xyz else {
        let name = file.name();
        let wrong = format!("{name}: METIS meshes have no coordinates; pass --xyz POINTS");
        return agree(ranks, Err(wrong));
    };
    let (elements, bytes) = (file.elements_about(share), file.bytes(share));
    room(ranks, arguments, (elements, bytes), "elements")?;
    let points = read_points(ranks, xyz, None)?;
    let nodes = ranks.sum(points.len() as u64)?;
    let plane = ranks.sum(points.iter().filter(|p| p[2] != 0.0).count() as u64)? == 0;
    let lines = agree(ranks, file.read(share))?;
    let count = lines.lines();
    let before = ranks.sum_before(count)?;
    let rows = agree(ranks, file.parse(&lines, before, nodes))?;
    drop(lines);
    let all = (ranks.sum(count)?, ranks.sum(rows.offsets.len() as u64 - 1)?);
    agree(ranks, file.check(all.0, all.1))?;
    let sizes = rows.offsets.windows(2).map(|ends| ends[1] - ends[0]);
    let kinds: Vec<ElementKind> =
        sizes.filter_map(|size| ElementKind::of_nodes(size, plane)).collect();
    // Elements of one dimension, as in a mesh that is read whole.
    let flat = kinds.iter().filter(|kind| kind.dimension() == 2).count() as u64;
    let flat = ranks.sum(flat)?;
    let name = file.name();
    let mixed = format!(
        "{name}: expected elements of one dimension, found {flat} of dimension 2 among {}",
        all.1
    );
    agree(ranks, (flat == 0 || flat == all.1).then_some(()).ok_or(mixed))?;
    let slice = ElementSlice { offsets: rows.offsets, nodes: rows.nodes };
    ranks.phase("graph");
    Ok(match arguments.elements {
        true => {
            let graph = dual_graph_on_ranks(ranks, &slice, &kinds, &points)?;
            Input { graph, elements: Some(slice) }
        }
        false => Input { graph: node_graph_on_ranks(ranks, &slice, points)?, elements: None },
    })
}

/// The points of a file: a slice of them, or those of slices of vertices.
fn read_points(ranks: &mut Links, path: &Path, whose: Option<&Slices>) -> Outcome<Vec<Point>> {
    let share = Share::even(ranks.rank(), ranks.ranks());
    let file = agree(ranks, PointSlices::open(path))?;
    let lines = agree(ranks, file.read(share))?;
    let count = lines.lines();
    let before = ranks.sum_before(count)?;
    let (points, width) = agree(ranks, file.parse(&lines, before))?;
    drop(lines);
    let widths = ranks.gather(&[width as u64])?.words;
    let first = widths.iter().copied().find(|&width| width > 0).unwrap_or(0);
    let same = width == 0 || width as u64 == first;
    let wrong = || {
        file.wrong(
            before + 1,
            format!("{first} coordinates as in the first line"),
            width.to_string(),
        )
    };
    agree(ranks, same.then_some(()).ok_or_else(wrong))?;
    let Some(slices) = whose else { return Ok(points) };
    let (found, needed) = (ranks.sum(points.len() as u64)?, slices.total());
    let last = ranks.sum(count)?;
    let wrong = || file.wrong(last, format!("{needed} points"), found.to_string());
    agree(ranks, (found == needed).then_some(()).ok_or_else(wrong))?;
    let start = ranks.sum_before(points.len() as u64)?;
    // In the order of vertices: slices of both follow each other.
    let mail = send(ranks, |post| {
        for (v, point) in (start..).zip(&points) {
            post(slices.owner(v), &point.map(f64::to_bits));
        }
    })?;
    Ok(mail.records::<3>().iter().map(|words| words.map(f64::from_bits)).collect())
}

/// Refuses a slice that does not fit, before it is read.
fn room(
    ranks: &mut Links,
    arguments: &PartitionArguments,
    (things, bytes): (u64, u64),
    what: &str,
) -> Outcome<()> {
    let needed = things.saturating_mul(BYTES_PER_VERTEX).saturating_add(bytes * BYTES_PER_BYTE);
    let (file, what) = (arguments.file.display().to_string(), format!("{things} {what}"));
    check_room(ranks, arguments.memory, &file, needed, &what)
}
