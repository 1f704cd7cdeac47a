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
        let Some(kind) = kind(nodes.len() - weights, plane) else {
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

fn kind(nodes: usize, plane: bool) -> Option<ElementKind> {
    Some(match nodes {
        3 => ElementKind::Triangle,
        4 if plane => ElementKind::Quadrilateral,
        4 => ElementKind::Tetrahedron,
        5 => ElementKind::Pyramid,
        6 => ElementKind::Prism,
        8 => ElementKind::Hexahedron,
        _ => return None,
    })
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
