//! Lists by number, one after another in memory, and the counting sort that makes them.
//!
//! **Problem.** Items with keys `0..n`; items of equal key must lie together, in the order
//! they came in.
//!
//! **Method.** Keys are counted, sums of counts say where each list begins, and every item
//! goes to the next place of its list.
//!
//! **Cost.** Linear, on one thread; items are run through twice. 8 bytes per list.
//!
//! **When not to use.** Digit by digit on arrays that are sorted in place (`tree/build`, radix
//! sorts of edges): those keep their counts on the stack.

use std::ops::Range;

/// A list for each of `0..len`.
///
/// ```
/// use palmette_core::Lists;
/// let lists = Lists::by_key(3, [(2, 'a'), (0, 'b'), (2, 'c')].into_iter());
/// assert_eq!([lists.of(0), lists.of(1), lists.of(2)], [&['b'][..], &[], &['a', 'c']]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lists<T = u32> {
    offsets: Vec<usize>,
    items: Vec<T>,
}

impl<T: Copy + Default> Lists<T> {
    /// Puts each item at the end of the list that its key names; `items` are pairs
    /// `(key, item)`.
    ///
    /// # Panics
    /// When a key is not below `len`.
    pub fn by_key(len: usize, items: impl Iterator<Item = (u32, T)> + Clone) -> Lists<T> {
        let mut offsets = offsets(len, items.clone().map(|(key, _)| key));
        let mut sorted = vec![T::default(); offsets[len]];
        place(&mut offsets, items, |at, item| sorted[at] = item);
        Lists { offsets, items: sorted }
    }
}

impl Lists {
    /// By number below `len`, the rows that name it, in the order they come; `rows` are pairs
    /// of a row's number and the numbers it names.
    ///
    /// # Panics
    /// When a number is not below `len`.
    pub fn inverse<'a>(len: usize, rows: impl Iterator<Item = (u32, &'a [u32])> + Clone) -> Lists {
        let pairs = rows.flat_map(|(row, names)| names.iter().map(move |&name| (name, row)));
        Lists::by_key(len, pairs)
    }
}

impl<T> Lists<T> {
    /// Lists as they come.
    pub fn of_rows<R: IntoIterator<Item = T>>(rows: impl Iterator<Item = R>) -> Lists<T> {
        let mut offsets = Vec::with_capacity(rows.size_hint().0 + 1);
        let mut items = Vec::new();
        offsets.push(0);
        for row in rows {
            items.extend(row);
            offsets.push(items.len());
        }
        Lists { offsets, items }
    }

    /// The number of lists.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are no lists.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A list.
    ///
    /// # Panics
    /// When there is no such list.
    #[inline]
    pub fn of(&self, key: u32) -> &[T] {
        &self.items[self.range(key)]
    }

    /// Where a list is among all [items](Lists::items).
    ///
    /// # Panics
    /// When there is no such list.
    #[inline]
    pub fn range(&self, key: u32) -> Range<usize> {
        self.offsets[key as usize]..self.offsets[key as usize + 1]
    }

    /// Where lists begin among all [items](Lists::items); one more for the end.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// All items, list by list.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// All items, list by list.
    pub fn into_items(self) -> Vec<T> {
        self.items
    }
}

/// Where the items of each key begin when they are sorted by key; one more for the end.
///
/// # Panics
/// When a key is not below `len`.
pub fn offsets(len: usize, keys: impl Iterator<Item = u32>) -> Vec<usize> {
    let mut offsets = vec![0; len + 1];
    keys.for_each(|key| offsets[key as usize + 1] += 1);
    for i in 0..len {
        offsets[i + 1] += offsets[i];
    }
    offsets
}

/// Tells `put` of each item where it goes, given the [`offsets`] of all keys.
#[inline]
pub fn place<T>(
    offsets: &mut [usize],
    items: impl Iterator<Item = (u32, T)>,
    mut put: impl FnMut(usize, T),
) {
    // The start of each list moves to its end, which is the start of the next.
    items.for_each(|(key, item)| {
        let next = &mut offsets[key as usize];
        put(*next, item);
        *next += 1;
    });
    offsets.rotate_right(1);
    offsets[0] = 0;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_keep_their_order_within_lists() {
        let keys = [3, 0, 3, 1, 0, 3];
        let lists = Lists::by_key(5, keys.into_iter().zip(0u32..));
        let of: Vec<&[u32]> = (0..5).map(|key| lists.of(key)).collect();
        assert_eq!(of, [&[1, 4][..], &[3], &[], &[0, 2, 5], &[]]);
        assert_eq!((lists.range(3), lists.items()), (3..6, &[1, 4, 3, 0, 2, 5][..]));
        assert_eq!(lists, Lists::of_rows(of.into_iter().map(|row| row.iter().copied())));
    }

    #[test]
    fn no_lists_have_no_items() {
        let none = Lists::<u32>::by_key(0, std::iter::empty());
        assert!(none.is_empty() && none.items().is_empty());
    }
}
