//! Nodes and elements of MSH 2.2: a line each, or in binary files blocks of elements of one
//! kind.

use super::super::assemble::Assembly;
use super::super::number_reader::NumberReader;
use super::{Header, Reader, kinds};
use crate::IoError;
use crate::number::unsigned;

impl<'a> Reader<'a> {
    /// A count, which is a line of text in binary files too.
    fn v2_count(&mut self, what: &str) -> Result<u64, IoError> {
        self.blanks();
        let at = self.at;
        let line = self.line();
        let text = std::str::from_utf8(line).ok();
        text.and_then(unsigned)
            .ok_or_else(|| self.origin.wrong_word(at, format!("the number of {what}")))
    }

    pub(super) fn v2_nodes(
        &mut self,
        header: &Header,
        mesh: &mut Assembly<'_>,
    ) -> Result<(), IoError> {
        let count = self.v2_count("nodes")?;
        match header.big_endian {
            None => {
                let mut words = self.text();
                nodes(&mut words, count, mesh)?;
                self.at = words.at;
            }
            Some(order) => {
                let mut words = self.binary(order, header);
                nodes(&mut words, count, mesh)?;
                self.at = words.at;
            }
        }
        Ok(())
    }

    pub(super) fn v2_elements(
        &mut self,
        header: &Header,
        mesh: &mut Assembly<'_>,
    ) -> Result<(), IoError> {
        mesh.index_nodes()?;
        let count = self.v2_count("elements")?;
        match header.big_endian {
            None => {
                let mut words = self.text();
                for _ in 0..count {
                    let place = words.place();
                    let tag = words.size("the number of an element")?;
                    let (number, tags) = head(&mut words)?;
                    element(&mut words, mesh, place, tag, number, tags)?;
                }
                self.at = words.at;
            }
            Some(order) => {
                let mut words = self.binary(order, header);
                let mut left = count;
                while left > 0 {
                    let number = words.int("the type of elements")?;
                    let at = words.place();
                    let size = words.size("the number of elements in a block")?;
                    if size > left || size == 0 {
                        let expected = format!("from 1 to {left} elements in a block");
                        return Err(self.origin.wrong(at, expected, size.to_string()));
                    }
                    let tags = words.size("the number of tags")?;
                    for _ in 0..size {
                        let place = words.place();
                        let tag = words.size("the number of an element")?;
                        element(&mut words, mesh, place, tag, number, tags)?;
                    }
                    left -= size;
                }
                self.at = words.at;
            }
        }
        Ok(())
    }
}

fn nodes<'a>(
    words: &mut impl NumberReader<'a>,
    count: u64,
    mesh: &mut Assembly<'_>,
) -> Result<(), IoError> {
    // A node is a number and three coordinates.
    mesh.reserve_nodes((count as usize).min(words.most_left() / 4));
    for _ in 0..count {
        let place = words.place();
        let tag = words.size("the number of a node")?;
        let mut point = [0.0; 3];
        for x in &mut point {
            *x = words.float("a finite coordinate")?;
        }
        mesh.node(place, tag, point);
    }
    Ok(())
}

/// The type of an element and how many tags it has.
#[inline]
fn head<'a>(words: &mut impl NumberReader<'a>) -> Result<(i64, u64), IoError> {
    Ok((words.int("the type of an element")?, words.size("the number of tags")?))
}

#[inline]
fn element<'a>(
    words: &mut impl NumberReader<'a>,
    mesh: &mut Assembly<'_>,
    place: usize,
    tag: u64,
    number: i64,
    tags: u64,
) -> Result<(), IoError> {
    let kind = kinds::kind(number).map_err(|found| {
        let found = format!("element {tag} of {found}");
        words.origin().wrong(place, kinds::EXPECTED, found)
    })?;
    let mut group = 0;
    for i in 0..tags {
        let value = words.int("a tag of an element")?;
        if i == 0 {
            // The sign is the orientation; wider tags are no groups.
            group = i32::try_from(value.unsigned_abs()).unwrap_or(0);
        }
    }
    mesh.element((place, tag, group), kind, || {
        let at = words.place();
        Ok((at, words.size("the number of a node")?))
    })
}
