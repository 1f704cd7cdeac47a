//! METIS meshes: a line of nodes an element.
//!
//! **Problem.** A header `elements [weights]`, then for each element a line
//! `[weights] node node …` with nodes from 1. Lines that start with `%` are comments. The
//! points are in another file. What an element is follows from the number of its nodes; four
//! are a quadrilateral where all points lie in the plane z = 0, else a tetrahedron. All have
//! one dimension: a file without boundary has a line for each element, and no other.
//! Weights are left out and counted.
//! **Cost.** Linear.
//! **Reference.** Karypis, *METIS 5.1.0 manual*, section 4.1.2, 2013.

use super::assemble::Assembly;
use super::lines::Lines;
use super::origin::Origin;
use super::{MeshFile, MeshFormat, MeshReadParams};
use crate::IoError;
use crate::error::shown;
use crate::number::{unsigned, unsigned_prefix};
use crate::source::Source;
use palmette_core::mesh::ElementKind;

pub(super) fn read(name: &str, data: &[u8], params: &MeshReadParams) -> Result<MeshFile, IoError> {
    let source = Source::new(name, data)?;
    let origin = Origin { name, data: source.bytes(), binary: false };
    let Some(points) = &params.points else {
        return Err(IoError::NoCoordinates { file: name.to_string(), what: "this METIS mesh" });
    };
    let mut mesh = Assembly::new(origin);
    mesh.points_of_another_file(points);
    mesh.index_nodes()?;
    let plane = points.iter().all(|p| p[2] == 0.0);
    let mut lines = Lines { origin, at: 0 };
    let (elements, weights, head) = header(&mut lines)?;
    let mut read = 0;
    let mut nodes = Vec::new();
    let mut first = None;
    for (at, line) in lines {
        if read == elements {
            let expected = format!("the end after {elements} elements");
            return Err(origin.wrong(at, expected, shown(&String::from_utf8_lossy(line))));
        }
        numbers(&origin, at, line, &mut nodes)?;
        let weights = weights.min(nodes.len());
        let Some(kind) = ElementKind::of_nodes(nodes.len() - weights, plane) else {
            let expected = "the nodes of an element: 3, 4, 5, 6 or 8";
            return Err(origin.wrong(at, expected, (nodes.len() - weights).to_string()));
        };
        let (dimension, whose) = *first.get_or_insert((kind.dimension(), at));
        if kind.dimension() != dimension {
            let place = origin.place(whose);
            let expected = format!("elements of dimension {dimension}, as in {place}");
            return Err(origin.wrong(
                at,
                expected,
                format!("a {kind}, of dimension {}", kind.dimension()),
            ));
        }
        read += 1;
        let mut corners = nodes[weights..].iter();
        mesh.element((at, read, 0), kind, || Ok((at, corners.next().copied().unwrap_or(0))))?;
    }
    if read < elements {
        let expected = format!("{elements} elements, as {} says", origin.place(head));
        return Err(origin.wrong(origin.end(), expected, format!("the end after {read}")));
    }
    let mut file = mesh.finish(MeshFormat::Metis, params)?;
    file.found.weights = weights;
    Ok(file)
}

/// The numbers of elements and of weights each has, and where they stand.
fn header(lines: &mut Lines<'_>) -> Result<(u64, usize, usize), IoError> {
    let expected = "the header `elements [weights]`";
    let Some((at, line)) = lines.next() else {
        let end = lines.origin.end();
        return Err(lines.origin.wrong(end, expected, "the end of the file"));
    };
    let text = String::from_utf8_lossy(line);
    let numbers: Option<Vec<u64>> = text.split_ascii_whitespace().map(unsigned).collect();
    match numbers.as_deref() {
        Some(&[elements]) => Ok((elements, 0, at)),
        Some(&[elements, weights]) => {
            Ok((elements, usize::try_from(weights).unwrap_or(usize::MAX), at))
        }
        _ => Err(lines.origin.wrong(at, expected, shown(&text))),
    }
}

/// The elements of consecutive lines.
#[cfg(unix)]
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ListedElements {
    /// By element: where its nodes begin; one more for the end.
    pub(crate) offsets: Vec<usize>,
    /// Nodes, from 0.
    pub(crate) nodes: Vec<u32>,
}

/// The numbers of elements and of weights each has, and where the next line begins.
#[cfg(unix)]
pub(crate) fn header_of(name: &str, data: &[u8]) -> Result<(u64, usize, usize), IoError> {
    let mut lines = Lines { origin: Origin { name, data, binary: false }, at: 0 };
    let (elements, weights, _) = header(&mut lines)?;
    Ok((elements, weights, lines.at))
}

/// The elements of a slice of a file of so many nodes. Lines of messages count from the first of
/// the slice.
#[cfg(unix)]
pub(crate) fn elements_of_slice(
    source: &Source<'_>,
    weights: usize,
    nodes: u64,
) -> Result<ListedElements, IoError> {
    let origin = Origin { name: source.name, data: source.bytes(), binary: false };
    let mut found = ListedElements { offsets: vec![0], ..ListedElements::default() };
    let mut words = Vec::new();
    for (at, line) in (Lines { origin, at: 0 }) {
        numbers(&origin, at, line, &mut words)?;
        let corners = &words[weights.min(words.len())..];
        if ElementKind::of_nodes(corners.len(), false).is_none() {
            let expected = "the nodes of an element: 3, 4, 5, 6 or 8";
            return Err(origin.wrong(at, expected, corners.len().to_string()));
        }
        for (i, &node) in corners.iter().enumerate() {
            let wrong = |found: String| Err(origin.wrong(at, "the nodes of an element", found));
            if node == 0 || node > nodes {
                return wrong(format!("node {node}, which does not exist"));
            }
            if corners[..i].contains(&node) {
                return wrong(format!("node {node} twice"));
            }
            found.nodes.push((node - 1) as u32);
        }
        found.offsets.push(found.nodes.len());
    }
    Ok(found)
}

fn numbers(
    origin: &Origin<'_>,
    start: usize,
    line: &[u8],
    numbers: &mut Vec<u64>,
) -> Result<(), IoError> {
    numbers.clear();
    let mut at = 0;
    while at < line.len() {
        let read = unsigned_prefix(&line[at..])
            .filter(|(_, length)| line.get(at + length).is_none_or(u8::is_ascii_whitespace));
        let Some((number, length)) = read else {
            return Err(origin.wrong_word(start + at, "the number of a node"));
        };
        numbers.push(number);
        at += length;
        at += line[at..].iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(0);
    }
    Ok(())
}
