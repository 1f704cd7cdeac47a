//! Nodes and elements of MSH 4.0 and 4.1: blocks by entity, the same numbers in text and binary.
//!
//! In 4.1 a block of nodes has all their numbers before all their coordinates, and sections
//! state the smallest and largest number. In 4.0 each number stands before its coordinates,
//! and a block begins with the entity's tag, then its dimension.

use super::super::assemble::Assembly;
use super::super::number_reader::NumberReader;
use super::entities::Entities;
use super::kinds;
use crate::IoError;
use palmette_core::mesh::Point;

/// A section whose numbers are text or binary.
pub(super) struct Section<'s, 'a> {
    pub(super) name: &'s [u8],
    /// Whether it is one of MSH 4.0.
    pub(super) old: bool,
    pub(super) mesh: &'s mut Assembly<'a>,
    pub(super) entities: &'s mut Entities,
}

impl Section<'_, '_> {
    pub(super) fn read<'a>(&mut self, words: &mut impl NumberReader<'a>) -> Result<(), IoError> {
        match self.name {
            b"Nodes" => nodes(words, self.mesh, self.old),
            b"Elements" => elements(words, self.mesh, self.entities, self.old),
            name => self.entities.read(words, name == b"PartitionedEntities", self.old),
        }
    }
}

fn nodes<'a>(
    words: &mut impl NumberReader<'a>,
    mesh: &mut Assembly<'_>,
    old: bool,
) -> Result<(), IoError> {
    let (blocks, count, at) = counts(words, "nodes", old)?;
    let before = mesh.nodes();
    // A node is a tag and three coordinates.
    mesh.reserve_nodes((count as usize).min(words.most_left() / 4));
    let mut tags = Vec::new();
    for _ in 0..blocks {
        let (dimension, _, parametric) = block_head(words, old)?;
        let size = words.size("the number of nodes in a block")?;
        let parameters = match (parametric, dimension) {
            (0, _) => 0,
            // Volumes have parameters since 4.1.
            (_, 3) if old => 0,
            _ => usize::from(dimension),
        };
        if old {
            for _ in 0..size {
                let place = words.place();
                let tag = words.narrow("the number of a node")?;
                let point = point(words, parameters)?;
                mesh.node(place, tag, point);
            }
            continue;
        }
        tags.clear();
        for _ in 0..size {
            tags.push(words.narrow("the number of a node")?);
        }
        for &tag in &tags {
            let place = words.place();
            let point = point(words, parameters)?;
            mesh.node(place, tag, point);
        }
    }
    check_count(words, at, "nodes", count, (mesh.nodes() - before) as u64)
}

fn point<'a>(words: &mut impl NumberReader<'a>, parameters: usize) -> Result<Point, IoError> {
    let mut point = [0.0; 3];
    for x in &mut point {
        *x = words.float("a finite coordinate")?;
    }
    for _ in 0..parameters {
        words.float("a parametric coordinate")?;
    }
    Ok(point)
}

fn elements<'a>(
    words: &mut impl NumberReader<'a>,
    mesh: &mut Assembly<'_>,
    entities: &Entities,
    old: bool,
) -> Result<(), IoError> {
    mesh.index_nodes()?;
    let (blocks, count, at) = counts(words, "elements", old)?;
    let mut read = 0;
    for _ in 0..blocks {
        let head = words.place();
        let (dimension, entity, number) = block_head(words, old)?;
        let kind = kinds::kind(number)
            .map_err(|found| words.origin().wrong(head, kinds::EXPECTED, found))?;
        if kind.dimension() != dimension {
            let expected = format!("elements of dimension {dimension} in a block of it");
            return Err(words.origin().wrong(head, expected, format!("a {kind}")));
        }
        let group = entities.group(dimension, entity);
        let size = words.size("the number of elements in a block")?;
        for _ in 0..size {
            let place = words.place();
            let tag = words.narrow("the number of an element")?;
            mesh.element((place, tag, group), kind, || {
                let at = words.place();
                Ok((at, words.narrow("the number of a node")?))
            })?;
        }
        read += size;
    }
    check_count(words, at, "elements", count, read)
}

/// The numbers of blocks and of things, and where the latter stands.
fn counts<'a>(
    words: &mut impl NumberReader<'a>,
    what: &str,
    old: bool,
) -> Result<(u64, u64, usize), IoError> {
    let blocks = words.size(&format!("the number of blocks of {what}"))?;
    let at = words.place();
    let count = words.size(&format!("the number of {what}"))?;
    if !old {
        words.size("the smallest number")?;
        words.size("the largest number")?;
    }
    Ok((blocks, count, at))
}

/// Dimension and tag of an entity, and one number more.
fn block_head<'a>(words: &mut impl NumberReader<'a>, old: bool) -> Result<(u8, i64, i64), IoError> {
    let mut entity = 0;
    if old {
        entity = words.int("the tag of an entity")?;
    }
    let at = words.place();
    let dimension = words.int("the dimension of a block")?;
    let Some(dimension) = u8::try_from(dimension).ok().filter(|&d| d <= 3) else {
        let expected = "the dimension of a block, 0 to 3";
        return Err(words.origin().wrong(at, expected, dimension.to_string()));
    };
    if !old {
        entity = words.int("the tag of an entity")?;
    }
    Ok((dimension, entity, words.int("the kind of a block")?))
}

fn check_count<'a>(
    words: &impl NumberReader<'a>,
    at: usize,
    what: &str,
    stated: u64,
    read: u64,
) -> Result<(), IoError> {
    if stated == read {
        return Ok(());
    }
    let expected = format!("the number of {what} in all blocks, {read}");
    Err(words.origin().wrong(at, expected, stated.to_string()))
}
