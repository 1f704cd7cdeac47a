//! Medit's meshes as text: keywords, each with a count and so many rows of numbers.
//!
//! **Problem.** `MeshVersionFormatted 1`, `Dimension 3`, then `Vertices n` with rows
//! `x y [z] reference` and elements, `Triangles n` and so on, with rows
//! `node … reference`; nodes count from 1, references are kept as tags. Other keywords are
//! skipped with their numbers; `#` starts a comment.
//! **Cost.** Linear.
//! **Reference.** Frey, *Medit: an interactive mesh visualization software*, INRIA RT-0253,
//! 2001.

use super::assemble::Assembly;
use super::gmsh::KINDS;
use super::number_reader::{NumberReader, Text};
use super::origin::Origin;
use super::{MeshFile, MeshFormat, MeshReadParams};
use crate::IoError;
use crate::source::Source;
use palmette_core::mesh::ElementKind;

pub(super) fn read(name: &str, data: &[u8], params: &MeshReadParams) -> Result<MeshFile, IoError> {
    let source = Source::new(name, data)?;
    let plain = without_comments(source.bytes());
    let origin = Origin { name, data: &plain, binary: false };
    let mut words = Text { origin, at: 0 };
    let mut mesh = Assembly::new(origin);
    let mut dimension = 3;
    loop {
        let at = words.place();
        let word = words.word();
        match word {
            b"" | b"End" => return mesh.finish(MeshFormat::Medit, params),
            b"MeshVersionFormatted" => {
                words.size("the version of the format")?;
            }
            b"Dimension" => {
                let at = words.place();
                dimension = words.size("the dimension, 2 or 3")? as usize;
                if !(2..=3).contains(&dimension) {
                    return Err(origin.wrong(at, "the dimension, 2 or 3", dimension.to_string()));
                }
            }
            b"Vertices" => vertices(&mut words, &mut mesh, dimension)?,
            _ => match KINDS.iter().find(|known| known.3 == word) {
                Some(known) => elements(&mut words, &mut mesh, known.0)?,
                None if word[0].is_ascii_alphabetic() => {
                    mesh.skipped += 1;
                    skip(&mut words);
                }
                None => return Err(origin.wrong_word(at, "a keyword")),
            },
        }
    }
}

/// Comments become blanks, so that places stay.
fn without_comments(data: &[u8]) -> Vec<u8> {
    let mut plain = data.to_vec();
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'#', &plain[at..]) {
        let start = at + found;
        let length = memchr::memchr(b'\n', &plain[start..]).unwrap_or(plain.len() - start);
        plain[start..start + length].fill(b' ');
        at = start + length;
    }
    plain
}

/// Steps over numbers to the next keyword.
fn skip(words: &mut Text<'_>) {
    loop {
        let at = words.place();
        let word = words.word();
        if word.first().is_none_or(u8::is_ascii_alphabetic) {
            words.at = at;
            return;
        }
    }
}

fn vertices(
    words: &mut Text<'_>,
    mesh: &mut Assembly<'_>,
    dimension: usize,
) -> Result<(), IoError> {
    let count = words.size("the number of vertices")?;
    mesh.reserve_nodes((count as usize).min(words.most_left() / 3));
    for _ in 0..count {
        let place = words.place();
        let mut point = [0.0; 3];
        for x in &mut point[..dimension] {
            *x = words.float("a finite coordinate")?;
        }
        words.int("the reference of a vertex")?;
        mesh.node(place, mesh.nodes() as u64 + 1, point);
    }
    Ok(())
}

fn elements(
    words: &mut Text<'_>,
    mesh: &mut Assembly<'_>,
    kind: ElementKind,
) -> Result<(), IoError> {
    mesh.index_nodes()?;
    for number in 1..=words.size("the number of elements")? {
        let place = words.place();
        // The reference comes after the nodes: they are read ahead.
        let mut nodes = [(0, 0); 8];
        for node in &mut nodes[..kind.nodes()] {
            *node = (words.place(), words.size("the number of a vertex")?);
        }
        let at = words.place();
        let reference = words.int("the reference of an element")?;
        let Ok(reference) = i32::try_from(reference) else {
            let expected = "the reference of an element in 32 bits";
            return Err(words.origin().wrong(at, expected, reference.to_string()));
        };
        let mut next = nodes.iter();
        mesh.element((place, number, reference), kind, || {
            Ok(next.next().copied().unwrap_or_default())
        })?;
    }
    Ok(())
}
