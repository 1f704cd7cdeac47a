//! Which labels of inner vertices are support.
//!
//! **Problem.** `(a,b)95` may say that 95 of 100 samples have this clade, or that the clade is
//! called 95.
//! **Method.** A label in quotes is a name. Without, a number from 0 to 100 is support where most
//! labelled inner vertices have one. Numbers with more after them, as in `95:g__Bacillus` and
//! `97/0.995`, speak for support, too, but stay labels: what they say is more than a number.
//! **Cost.** A look at each label of an inner vertex.

use super::Parser;
use crate::number::float_prefix;
use crate::tree_file::SupportLabels;
use palmette_core::NONE;

/// A label that is a finite number, and no more: `007` is a name.
pub(crate) fn number(text: &[u8]) -> Option<f64> {
    match beginning(text)? {
        (value, used) if used == text.len() => Some(value),
        _ => None,
    }
}

/// The number that a label begins with, and its bytes.
#[inline]
fn beginning(text: &[u8]) -> Option<(f64, usize)> {
    let (first, second) = (*text.first()?, text.get(1).copied().unwrap_or(0));
    let starts = match first {
        b'0' => !second.is_ascii_digit(),
        b'1'..=b'9' => true,
        b'.' | b'-' => second.is_ascii_digit(),
        _ => false,
    };
    if !starts {
        return None;
    }
    float_prefix(text).filter(|(value, _)| value.is_finite())
}

/// Whether a label speaks for support, but is more than a number.
pub(crate) fn is_more(text: &[u8]) -> bool {
    let more = |used: usize| text.get(used).is_some_and(|byte| matches!(byte, b':' | b'/'));
    beginning(text).is_some_and(|(value, used)| more(used) && is_usual(value))
}

/// Whether a number may be support as it is.
pub(crate) fn is_usual(value: f64) -> bool {
    (0.0..=100.0).contains(&value)
}

/// The inner vertices whose labels are support, and their numbers: `label` has the label of a vertex
/// that is inner, and whether it is in quotes.
fn found_in<'a>(
    n: usize,
    rule: SupportLabels,
    label: impl Fn(usize) -> Option<(&'a [u8], bool)>,
) -> Vec<(u32, f64)> {
    let forced = rule == SupportLabels::Yes;
    let (mut labelled, mut speaking) = (0usize, 0usize);
    let mut found: Vec<(u32, f64)> = Vec::new();
    if rule == SupportLabels::No {
        return found;
    }
    for v in 0..n {
        let Some((text, quoted)) = label(v) else { continue };
        labelled += usize::from(!text.is_empty());
        let Some((value, used)) = beginning(text) else { continue };
        if used < text.len() {
            speaking += usize::from(is_more(text));
        } else if forced || (is_usual(value) && !quoted) {
            speaking += 1;
            found.push((v as u32, value));
        }
    }
    if !forced && 2 * speaking <= labelled {
        found.clear();
    }
    found
}

/// Takes support out of labels that no file has: by vertex, NaN where there is none.
pub fn take_support(
    parents: &[u32],
    labels: &mut [String],
    rule: SupportLabels,
) -> Option<Vec<f64>> {
    let mut inner = vec![false; parents.len()];
    for &parent in parents {
        inner.iter_mut().skip(parent as usize).take(1).for_each(|inner| *inner = true);
    }
    let label = |v: usize| inner[v].then(|| (labels[v].as_bytes(), false));
    let found = found_in(labels.len(), rule, label);
    let mut support = (!found.is_empty()).then(|| vec![f64::NAN; parents.len()])?;
    for (vertex, value) in found {
        support[vertex as usize] = value;
        labels[vertex as usize].clear();
    }
    Some(support)
}

impl Parser<'_> {
    /// Takes support out of the labels.
    pub(super) fn take_support(&mut self, rule: SupportLabels) -> Option<Vec<f64>> {
        let n = self.parents.len();
        if !self.keep_labels {
            return None;
        }
        let found = found_in(n.saturating_sub(1), rule, |v| {
            let label = self.label_of[v];
            let inner = self.parents[v + 1] == v as u32 && label != NONE;
            inner.then(|| (self.labels.get(label as usize), self.is_quoted(label)))
        });
        let mut support = (!found.is_empty()).then(|| vec![f64::NAN; n])?;
        for (vertex, value) in found {
            support[vertex as usize] = value;
            self.label_of[vertex as usize] = NONE;
        }
        Some(support)
    }

    /// Whether a label has quotes.
    pub(super) fn is_quoted(&self, label: u32) -> bool {
        self.quoted.get(label as usize / 64).is_some_and(|word| word >> (label % 64) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{IoError, ReadParams, TreeFile, read_tree_bytes};

    fn read(text: &str, support: SupportLabels) -> Result<TreeFile, IoError> {
        read_tree_bytes("t.nwk", text.as_bytes(), &ReadParams { support, ..Default::default() })
    }

    fn of(text: &str, support: SupportLabels) -> Vec<(String, Option<f64>)> {
        let file = read(text, support).expect("a tree");
        let value = |v: u32| file.support.as_ref().map(|s| s[v as usize]).filter(|s| !s.is_nan());
        (0..file.len() as u32).map(|v| (file.labels.label(v).into_owned(), value(v))).collect()
    }

    #[test]
    fn numbers() {
        for (text, expected) in [
            ("95", Some(95.0)),
            ("1e2", Some(100.0)),
            ("0", Some(0.0)),
            ("0.98", Some(0.98)),
            (".5", Some(0.5)),
            ("-1", Some(-1.0)),
            ("007", None),
            ("95x", None),
            ("inf", None),
            ("nan", None),
            ("", None),
        ] {
            assert_eq!(number(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn most_labels_decide() {
        let auto = SupportLabels::Auto;
        let told = of("((a,b)95,(c,d)0.5)x;", auto);
        assert_eq!(
            (&told[1], &told[4]),
            (&(String::new(), Some(95.0)), &(String::new(), Some(0.5)))
        );
        assert_eq!(told[0], ("x".to_string(), None));
        // Half are not most.
        assert_eq!(of("((a,b)95,(c,d))x;", auto)[1], ("95".to_string(), None));
        // Tips are never support; what is in quotes is a name; 101 is too much.
        assert_eq!(of("((1,2)'95',(3,4)'3');", auto)[1], ("95".to_string(), None));
        assert_eq!(of("((1,2)95,(3,4)101);", auto)[1], ("95".to_string(), None));
        assert_eq!(of("((1,2)'95',(3,4)101);", SupportLabels::Yes)[4].1, Some(101.0));
        assert_eq!(of("((a,b)95,(c,d)0.5);", SupportLabels::No)[1], ("95".to_string(), None));
        // Numbers with more after them speak for support, and stay.
        let mixed = of("((a,b)95,(c,d)97/0.99,(e,f)n1)'88:g__X';", auto);
        assert_eq!(mixed[1], (String::new(), Some(95.0)));
        assert_eq!((mixed[4].0.as_str(), mixed[0].0.as_str()), ("97/0.99", "88:g__X"));
    }
}
