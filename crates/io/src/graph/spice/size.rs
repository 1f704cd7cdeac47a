//! How large subcircuits are once they are expanded, before they are.
//!
//! **Problem.** A few lines may stand for more elements than there is memory: forty levels of two
//! instances each are 2^40. **Method.** Each definition is counted once, those inside it first, on a
//! stack of its own; what cannot be counted (an unknown name, a circle) counts as nothing, and is an
//! error when it is expanded. **Cost.** Linear in the text.

use super::subcircuit::{Definition, Kept, is_instance};
use super::{Place, Reader};
use crate::IoError;
use palmette_core::MAX_VERTICES;
use palmette_core::memory::check_room;
use std::collections::HashMap;
use std::rc::Rc;

/// Bytes per element while a netlist is expanded, with its name and nodes.
pub(super) const BYTES: u64 = 200;

/// A definition that is being counted: where in it we are, and how much there was before.
struct Counting {
    definition: Rc<Definition>,
    at: usize,
    count: u64,
}

impl Reader<'_> {
    /// Refuses instances at the top that stand for more elements than numbers or memory hold.
    pub(super) fn check_size(&self, waiting: &[Kept]) -> Result<(), IoError> {
        let mut sizes = HashMap::new();
        let mut sum = 0u64;
        let mut last = None;
        for kept in waiting.iter().filter(|kept| is_instance(&kept.words[0])) {
            let Some(definition) = self.definition_of(None, kept) else { continue };
            let size = self.size(definition, &mut sizes);
            (sum, last) = (sum.saturating_add(size), Some(kept.place));
            if sum >= MAX_VERTICES as u64 {
                let expected =
                    format!("subcircuits of fewer than {MAX_VERTICES} elements and instances");
                let found = match sum {
                    u64::MAX => "more than 2^64".to_string(),
                    sum => sum.to_string(),
                };
                return Err(self.wrong(kept.place, expected, found));
            }
        }
        let Some(place) = last else { return Ok(()) };
        self.check_expansion(place, sum)
    }

    fn check_expansion(&self, place: Place, sum: u64) -> Result<(), IoError> {
        check_room(BYTES.saturating_mul(sum)).map_err(|source| {
            let what = format!("subcircuits of {sum} elements and instances");
            IoError::NoRoom { file: self.told(place), what, source }
        })
    }

    fn definition_of(&self, inside: Option<&Definition>, kept: &Kept) -> Option<Rc<Definition>> {
        let text = kept.words[1..].join(" ");
        let line = self.instance_line(kept.place, &text).ok()?;
        self.definitions.find(inside, line.name)
    }

    /// Elements and instances that an instance of a definition stands for.
    fn size(&self, definition: Rc<Definition>, sizes: &mut HashMap<String, Option<u64>>) -> u64 {
        if let Some(known) = sizes.get(&definition.path) {
            return known.unwrap_or(0);
        }
        sizes.insert(definition.path.clone(), None);
        let mut stack = vec![Counting { definition, at: 0, count: 0 }];
        let mut size = 0;
        while let Some(top) = stack.last_mut() {
            let definition = top.definition.clone();
            let Some(next) = definition.body.get(top.at) else {
                size = top.count;
                sizes.insert(definition.path.clone(), Some(size));
                stack.pop();
                if let Some(around) = stack.last_mut() {
                    around.count = around.count.saturating_add(size);
                }
                continue;
            };
            top.at += 1;
            top.count = top.count.saturating_add(1);
            if !is_instance(&next.words[0]) {
                continue;
            }
            let Some(inner) = self.definition_of(Some(&definition), next) else { continue };
            match sizes.get(&inner.path) {
                Some(known) => top.count = top.count.saturating_add(known.unwrap_or(0)),
                None => {
                    sizes.insert(inner.path.clone(), None);
                    stack.push(Counting { definition: inner, at: 0, count: 0 });
                }
            }
        }
        size
    }
}
