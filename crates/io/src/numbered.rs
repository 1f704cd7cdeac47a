//! Names that are a word and a number: `v17`, `GO:0008150`.
//!
//! **Problem.** As `text_index.rs`, for texts that all begin with the same word and go on with
//! digits: either none has a zero before its number, or all have as many digits.
//! **Method.** The number of such a text says all about it, so that nothing is hashed or
//! compared: texts whose numbers go up by one need no table, others one indexed by the number,
//! where the numbers are dense. The first text says what the word would be; most texts of
//! another kind are told apart by the second one.
//! **Cost.** Linear work, two passes over the texts. At most 16 bytes per text.
//! **Determinism.** Of equal texts the first is found, whatever the number of threads.

use crate::index::{is_dense, seconds};
use crate::text_index::{STRETCH, same};
use crate::texts::Texts;
use palmette_core::NONE;
use palmette_core::memory::{huge_vec, prefetch};
use rayon::prelude::*;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

#[derive(Debug)]
pub(crate) struct Numbered {
    form: Form,
    least: u64,
    places: Places,
}

#[derive(Debug)]
struct Form {
    before: Vec<u8>,
    /// How many digits all have, where some have zeros before their numbers.
    width: Option<usize>,
}

#[derive(Debug)]
enum Places {
    /// Numbers go up by one; how many texts there are.
    InOrder(usize),
    /// The text by number, from the least one.
    Table(Vec<AtomicU32>),
}

/// Numbers whose places are asked for together.
const BLOCK: usize = 64;
/// More digits may be more than a number holds.
const MOST_DIGITS: usize = 18;

impl Numbered {
    /// Enters all texts but empty ones, where they are of this kind and their numbers are dense.
    /// Beside the index: the second text that is the same as the first one, by the first.
    pub(crate) fn new(texts: &Texts) -> Option<(Numbered, BTreeMap<u32, u32>)> {
        let first = (0..texts.len()).map(|v| texts.bytes_of(v)).find(|text| !text.is_empty())?;
        let digits = first.iter().rev().take_while(|b| b.is_ascii_digit()).count();
        if !(1..=MOST_DIGITS).contains(&digits) {
            return None;
        }
        let before = &first[..first.len() - digits];
        let form = |width| Form { before: before.to_vec(), width };
        Numbered::of_form(texts, form(None))
            .or_else(|| Numbered::of_form(texts, form(Some(digits))))
    }

    fn of_form(texts: &Texts, form: Form) -> Option<(Numbered, BTreeMap<u32, u32>)> {
        let n = texts.len();
        let stretches = || {
            let range = |k: usize| k * STRETCH..((k + 1) * STRETCH).min(n);
            (0..n.div_ceil(STRETCH)).into_par_iter().map(range)
        };
        let start = form.number(texts.bytes_of(0));
        let spans: Option<Vec<Span>> =
            stretches().map(|range| form.span(texts, range, start)).collect();
        let all = spans?.into_iter().reduce(Span::and)?;
        if let (Some(least), true) = (start, all.in_order) {
            return Some((Numbered { form, least, places: Places::InOrder(n) }, BTreeMap::new()));
        }
        if all.least > all.greatest || !is_dense(all.least as i64, all.greatest as i64, n) {
            return None;
        }
        let width = (all.greatest - all.least) as usize + 1;
        // In place: the memory stays as it was asked for.
        let table: Vec<AtomicU32> = huge_vec(width, NONE).into_iter().map(AtomicU32::new).collect();
        let alone = rayon::current_num_threads() == 1;
        let again: Vec<Vec<u32>> =
            stretches().map(|range| form.enter(texts, range, &table, all.least, alone)).collect();
        let index = Numbered { form, least: all.least, places: Places::Table(table) };
        let first = |v: u32| index.find(texts.bytes_of(v as usize));
        let ambiguous = seconds(again.into_iter().flatten(), first);
        Some((index, ambiguous))
    }

    /// The first number of a text; [`NONE`] where there is no such text.
    pub(crate) fn find(&self, text: &[u8]) -> u32 {
        self.at(self.slot(text))
    }

    /// As [`Numbered::find`] for as many texts as `found` has places, on this thread.
    pub(crate) fn find_each<'a>(&self, text: impl Fn(usize) -> Cow<'a, [u8]>, found: &mut [u32]) {
        let mut slots = [0; BLOCK];
        for (k, found) in found.chunks_mut(BLOCK).enumerate() {
            for (i, slot) in slots[..found.len()].iter_mut().enumerate() {
                *slot = self.slot(&text(k * BLOCK + i));
                if let Places::Table(table) = &self.places {
                    prefetch(table, *slot);
                }
            }
            for (found, &slot) in found.iter_mut().zip(&slots) {
                *found = self.at(slot);
            }
        }
    }

    /// Where a text would be; beyond all places where it is none of them.
    #[inline]
    fn slot(&self, text: &[u8]) -> usize {
        let number = self.form.number(text);
        number.map_or(usize::MAX, |number| number.wrapping_sub(self.least) as usize)
    }

    #[inline]
    fn at(&self, slot: usize) -> u32 {
        match &self.places {
            Places::InOrder(n) if slot < *n => slot as u32,
            Places::InOrder(_) => NONE,
            Places::Table(table) => table.get(slot).map_or(NONE, |place| place.load(Relaxed)),
        }
    }
}

/// What numbers some texts have.
struct Span {
    least: u64,
    greatest: u64,
    in_order: bool,
}

impl Span {
    fn and(self, other: Span) -> Span {
        Span {
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
            in_order: self.in_order && other.in_order,
        }
    }
}

impl Form {
    /// The number of a text of this form.
    #[inline]
    fn number(&self, text: &[u8]) -> Option<u64> {
        let (before, digits) = text.split_at_checked(self.before.len())?;
        let n = digits.len();
        let fits = match self.width {
            Some(width) => n == width,
            None => (1..=MOST_DIGITS).contains(&n) && (digits[0] != b'0' || n == 1),
        };
        if !fits || !same(before, &self.before) {
            return None;
        }
        if n <= 8 {
            return last_digits(text, n);
        }
        let (high, low) = (last_digits(&digits[..n - 8], (n - 8).min(8))?, last_digits(text, 8)?);
        let rest = if n > 16 { last_digits(&digits[..n - 16], n - 16)? } else { 0 };
        Some((rest * 100_000_000 + high) * 100_000_000 + low)
    }

    /// What numbers the texts of a range have; nothing where one is not of this form. They are in
    /// order where text 0 has number `start`, and each one more.
    fn span(&self, texts: &Texts, range: Range<usize>, start: Option<u64>) -> Option<Span> {
        let mut span = Span { least: u64::MAX, greatest: 0, in_order: start.is_some() };
        for v in range {
            let text = texts.bytes_of(v);
            if text.is_empty() {
                span.in_order = false;
                continue;
            }
            let number = self.number(text)?;
            span.least = span.least.min(number);
            span.greatest = span.greatest.max(number);
            span.in_order &= start.is_some_and(|start| number == start + v as u64);
        }
        Some(span)
    }

    /// Enters the texts of a range; returns all but the first of those that are the same. Who is
    /// alone needs no exchanges.
    fn enter(
        &self,
        texts: &Texts,
        range: Range<usize>,
        table: &[AtomicU32],
        least: u64,
        alone: bool,
    ) -> Vec<u32> {
        let mut again = Vec::new();
        for v in range {
            let Some(number) = self.number(texts.bytes_of(v)) else { continue };
            let slot = &table[(number - least) as usize];
            if alone && slot.load(Relaxed) == NONE {
                slot.store(v as u32, Relaxed);
                continue;
            }
            let there = slot.fetch_min(v as u32, Relaxed);
            if there != NONE {
                again.push(there.max(v as u32));
            }
        }
        again
    }
}

/// The number of the last `count` bytes of a text, at most eight, where they are digits.
#[inline]
fn last_digits(text: &[u8], count: usize) -> Option<u64> {
    const LOW: u64 = u64::from_ne_bytes([0x7f; 8]);
    const PAIRS: u64 = 0x0000_00ff_0000_00ff;
    // Zeros stand where other bytes are.
    let others = 8 * (8 - count as u32);
    let values = (last_word(text) ^ u64::from_ne_bytes([b'0'; 8])) >> others << others;
    if (((values & LOW) + u64::from_ne_bytes([0x80 - 10; 8])) | values) & !LOW != 0 {
        return None;
    }
    let twos = values.wrapping_mul(10).wrapping_add(values >> 8);
    let high = (twos & PAIRS).wrapping_mul(100 + (1_000_000 << 32));
    let low = (twos >> 16 & PAIRS).wrapping_mul(1 + (10_000 << 32));
    Some(high.wrapping_add(low) >> 32)
}

/// The last eight bytes of a text, the last one highest; zeros where it has less.
#[inline]
fn last_word(text: &[u8]) -> u64 {
    let n = text.len();
    let byte = |at: usize| u64::from(text[at]) << (8 * (8 - n + at));
    match (text.last_chunk(), text.first_chunk(), text.last_chunk()) {
        (Some(&word), ..) => u64::from_le_bytes(word),
        (_, Some(&first), Some(&last)) => {
            let first = u64::from(u32::from_le_bytes(first)) << (8 * (8 - n));
            first | u64::from(u32::from_le_bytes(last)) << 32
        }
        _ => (0..n).fold(0, |word, at| word | byte(at)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn form(before: &str, width: Option<usize>) -> Form {
        Form { before: before.as_bytes().to_vec(), width }
    }

    #[test]
    fn only_one_text_has_a_number() {
        let plain = form("v", None);
        for (text, number) in [("v0", 0), ("v10", 10), ("v123456789012345678", 123456789012345678)]
        {
            assert_eq!(plain.number(text.as_bytes()), Some(number));
        }
        let long = "v1234567890123456789";
        for text in
            ["", "v", "w1", "v01", "v-1", "v+1", "v1x", "v1 ", "vv1", "1", "v1/", "v1:", long]
        {
            assert_eq!(plain.number(text.as_bytes()), None, "{text}");
        }
        let padded = form("GO:", Some(7));
        assert_eq!(padded.number(b"GO:0008150"), Some(8150));
        assert_eq!(padded.number(b"GO:8150"), None);
        assert_eq!(padded.number(b"GO:00008150"), None);
    }

    #[test]
    fn what_is_dense_is_taken() {
        let of = |all: &[&str]| {
            let mut texts = Texts::default();
            all.iter().for_each(|text| texts.push(text));
            Numbered::new(&texts)
        };
        assert!(matches!(
            of(&["v7", "v8", "v9"]),
            Some((Numbered { places: Places::InOrder(3), .. }, _))
        ));
        let (index, ambiguous) = of(&["", "v7", "v9", "", "v7", "v7"]).expect("of this kind");
        assert_eq!([b"v7", b"v8", b"v9"].map(|text| index.find(text)), [1, NONE, 2]);
        assert_eq!(ambiguous, [(1, 4)].into());
        let (index, _) = of(&["GO:0007", "GO:1234"]).expect("of this kind");
        assert_eq!(index.find(b"GO:1234"), 1);
        assert_eq!(index.find(b"GO:7"), NONE);
        for others in
            [&["v7", "w8"][..], &["v1", "v123456789"], &["v", "v1"], &["a", "b"], &[""], &[]]
        {
            assert!(of(others).is_none(), "{others:?}");
        }
    }

    proptest! {
        #[test]
        fn numbers_print_back(before in "[a-z0-9:é]{0,9}[a-z:]", number in 0u64..1_000_000_000_000_000_000, less in 0u32..18) {
            let number = number / 10u64.pow(less);
            let form = form(&before, None);
            prop_assert_eq!(form.number(format!("{before}{number}").as_bytes()), Some(number));
            let form = Form { width: Some(18), ..form };
            prop_assert_eq!(form.number(format!("{before}{number:018}").as_bytes()), Some(number));
        }

        #[test]
        fn what_is_read_is_what_was_there(text in "v?[0-9/:x]{0,20}") {
            if let Some(number) = form("v", None).number(text.as_bytes()) {
                prop_assert_eq!(format!("v{number}"), text);
            }
        }
    }
}
