//! Reads the physical groups of geometric entities (MSH 4.0 and 4.1).

use super::super::number_reader::NumberReader;
use crate::IoError;
use std::collections::BTreeMap;

/// Entities with a physical group.
#[derive(Default)]
pub(super) struct Entities {
    /// By dimension and tag of the entity, the tag of its first group.
    groups: BTreeMap<(u8, i64), i32>,
}

impl Entities {
    /// The group of an entity, 0 for none.
    pub(super) fn group(&self, dimension: u8, tag: i64) -> i32 {
        self.groups.get(&(dimension, tag)).copied().unwrap_or(0)
    }

    /// Reads a section `$Entities`, or `$PartitionedEntities`, whose entities also name the
    /// one they are a part of, and their partitions. An `old` one is that of MSH 4.0.
    pub(super) fn read<'a>(
        &mut self,
        words: &mut impl NumberReader<'a>,
        partitioned: bool,
        old: bool,
    ) -> Result<(), IoError> {
        if partitioned {
            words.narrow("the number of partitions")?;
            for _ in 0..words.narrow("the number of ghost entities")? {
                words.int("the tag of a ghost entity")?;
                words.int("the partition of a ghost entity")?;
            }
        }
        let mut counts = [0; 4];
        for count in &mut counts {
            *count = words.size("the number of entities of a dimension")?;
        }
        for (dimension, count) in (0..4u8).zip(counts) {
            for _ in 0..count {
                // Points were boxes too.
                let bounds = if dimension == 0 && !old { 3 } else { 6 };
                self.entity(words, dimension, bounds, partitioned)?;
            }
        }
        Ok(())
    }

    fn entity<'a>(
        &mut self,
        words: &mut impl NumberReader<'a>,
        dimension: u8,
        bounds: usize,
        partitioned: bool,
    ) -> Result<(), IoError> {
        let tag = words.int("the tag of an entity")?;
        if partitioned {
            words.int("the dimension of a parent entity")?;
            words.int("the tag of a parent entity")?;
            for _ in 0..words.narrow("the number of partitions of an entity")? {
                words.int("the number of a partition")?;
            }
        }
        for _ in 0..bounds {
            words.float("the bounds of an entity")?;
        }
        for i in 0..words.size("the number of physical groups of an entity")? {
            let at = words.place();
            let group = words.int("the tag of a physical group")?;
            // The sign is the orientation.
            let Ok(group) = i32::try_from(group.unsigned_abs()) else {
                let expected = "the tag of a physical group in 32 bits";
                return Err(words.origin().wrong(at, expected, group.to_string()));
            };
            if i == 0 && group != 0 {
                self.groups.insert((dimension, tag), group);
            }
        }
        if dimension > 0 {
            for _ in 0..words.size("the number of bounding entities")? {
                words.int("the tag of a bounding entity")?;
            }
        }
        Ok(())
    }
}
