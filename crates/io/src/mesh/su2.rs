//! SU2's meshes: keys with counts, each followed by so many lines.
//!
//! **Problem.** `NDIME= 2`, `NELEM= n` and lines `type node … [number]`, `NPOIN= n` and lines
//! `x y [z] [number]`, `NMARK= n` and for each marker `MARKER_TAG= name`, `MARKER_ELEMS= n`
//! and lines `type node …`. Types are VTK's, nodes count from 0, `%` starts a comment.
//! Markers become physical groups with tags 1, 2, 3, …. Other keys are skipped.
//! **Method.** Points may come after elements, so a first pass finds where each key's lines
//! are.
//! **Cost.** Linear.
//! **Reference.** *SU2 documentation*, "Mesh file".

use super::assemble::Assembly;
use super::gmsh::KINDS;
use super::lines::Lines;
use super::number_reader::{NumberReader, Text};
use super::origin::Origin;
use super::{MeshFile, MeshFormat, MeshReadParams};
use crate::IoError;
use crate::error::shown;
use crate::number::unsigned;
use crate::source::Source;
use palmette_core::mesh::Group;

/// Lines of elements or of points.
struct Rows {
    /// The first line, and how many there are.
    at: usize,
    count: u64,
    /// The marker of elements, 0 for none.
    group: i32,
}

#[derive(Default)]
struct Keys {
    dimension: Option<u64>,
    elements: Vec<Rows>,
    points: Vec<Rows>,
    markers: Vec<String>,
    skipped: usize,
}

pub(super) fn read(name: &str, data: &[u8], params: &MeshReadParams) -> Result<MeshFile, IoError> {
    let source = Source::new(name, data)?;
    let origin = Origin { name, data: source.bytes(), binary: false };
    let keys = Keys::find(origin)?;
    let dimension = match keys.dimension {
        Some(dimension @ 2..=3) => dimension as usize,
        other => {
            let found = other.map_or("none".to_string(), |d| d.to_string());
            return Err(origin.wrong(0, "`NDIME=` 2 or 3", found));
        }
    };
    let mut mesh = Assembly::new(origin);
    mesh.skipped = keys.skipped;
    for rows in &keys.points {
        points(origin, rows, dimension, &mut mesh)?;
    }
    mesh.index_nodes()?;
    for rows in &keys.elements {
        elements(origin, rows, &mut mesh)?;
    }
    for (tag, name) in (1..).zip(keys.markers) {
        mesh.groups.push(Group { dimension: dimension as u8 - 1, tag, name });
    }
    mesh.finish(MeshFormat::Su2, params)
}

impl Keys {
    fn find(origin: Origin<'_>) -> Result<Keys, IoError> {
        let mut keys = Keys::default();
        let mut lines = Lines { origin, at: 0 };
        while let Some((at, line)) = lines.next() {
            let text = String::from_utf8_lossy(line);
            let text = text.split('%').next().unwrap_or_default();
            let Some((key, value)) = text.split_once('=') else {
                return Err(origin.wrong(at, "`KEY= value`", shown(text)));
            };
            let value = value.trim();
            let count = || {
                let first = value.split_ascii_whitespace().next();
                let wrong = || origin.wrong(at, format!("a number for {key}"), shown(value));
                first.and_then(unsigned).ok_or_else(wrong)
            };
            let mut rows = |group: i32| -> Result<Rows, IoError> {
                let rows = Rows { at: lines.at, count: count()?, group };
                for read in 0..rows.count {
                    if lines.next().is_none() {
                        let expected = format!("{} lines for {key}", rows.count);
                        let found = format!("the end after {read}");
                        return Err(origin.wrong(origin.end(), expected, found));
                    }
                }
                Ok(rows)
            };
            match key.trim() {
                "NDIME" => keys.dimension = Some(count()?),
                "NELEM" => keys.elements.push(rows(0)?),
                "NPOIN" => keys.points.push(rows(0)?),
                "MARKER_TAG" => keys.markers.push(value.to_string()),
                "MARKER_ELEMS" => keys.elements.push(rows(keys.markers.len() as i32)?),
                "NMARK" => {}
                _ => keys.skipped += 1,
            }
        }
        Ok(keys)
    }
}

fn points(
    origin: Origin<'_>,
    rows: &Rows,
    dimension: usize,
    mesh: &mut Assembly<'_>,
) -> Result<(), IoError> {
    let mut lines = Lines { origin, at: rows.at };
    for _ in 0..rows.count {
        let Some((at, _)) = lines.next() else { return Ok(()) };
        // A line is read on its own: the number at its end may be missing.
        let mut words = Text { origin: Origin { data: &origin.data[..lines.end()], ..origin }, at };
        let mut point = [0.0; 3];
        for x in &mut point[..dimension] {
            *x = words.float("a finite coordinate")?;
        }
        mesh.node(at, mesh.nodes() as u64, point);
    }
    Ok(())
}

fn elements(origin: Origin<'_>, rows: &Rows, mesh: &mut Assembly<'_>) -> Result<(), IoError> {
    let mut lines = Lines { origin, at: rows.at };
    for element in 0..rows.count {
        let Some((at, _)) = lines.next() else { return Ok(()) };
        let mut words = Text { origin: Origin { data: &origin.data[..lines.end()], ..origin }, at };
        let number = words.int("VTK's type of an element")?;
        let Some(&(kind, ..)) = KINDS.iter().find(|known| i64::from(known.2) == number) else {
            let expected = "VTK's type of a first-order element: 1, 3, 5, 9, 10, 12, 13 or 14";
            return Err(origin.wrong(at, expected, number.to_string()));
        };
        mesh.element((at, element, rows.group), kind, || {
            Ok((words.place(), words.size("the number of a node")?))
        })?;
    }
    Ok(())
}
