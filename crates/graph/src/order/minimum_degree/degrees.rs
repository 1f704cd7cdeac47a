//! What changes around a new element of the quotient graph: lists and degrees of its
//! variables, and which of them are now equal.

use super::{NOBODY, Node, Quotient, flip};
use std::ops::Range;

impl Quotient {
    /// For elements next to the new one: marks become the flag and their rows outside it.
    pub(super) fn measure(&mut self, list: Range<usize>) {
        for p in list {
            let Node { start, elements, rows, .. } = self.nodes[self.lists[p] as usize];
            let list = start as usize..(start + elements.max(0)) as usize;
            for &e in &self.lists[list] {
                let element = &mut self.nodes[e as usize];
                if element.mark >= self.flag {
                    element.mark += rows;
                } else if element.mark != 0 {
                    element.mark = element.degree + self.flag + rows;
                }
            }
        }
    }

    /// New lists and degrees of the variables of the new element, and their places by hash.
    /// Returns the rows eliminated now, and those of the element that remain.
    pub(super) fn degrees(
        &mut self,
        me: usize,
        list: Range<usize>,
        mut pivots: i32,
        mut left: i32,
    ) -> (i32, i32) {
        for p in list {
            let i = self.lists[p] as usize;
            let Node { start, elements, length, rows, .. } = self.nodes[i];
            let (start, elements, length) = (start as usize, elements as usize, length as usize);
            let (mut to, mut degree, mut hash) = (start, 0, 0usize);
            for q in start..start + elements {
                let e = self.lists[q];
                let mark = self.nodes[e as usize].mark;
                if mark > self.flag {
                    degree += mark - self.flag;
                    self.lists[to] = e;
                    to += 1;
                    hash += e as usize;
                } else if mark != 0 {
                    // All of it lies in the new one.
                    let inside = &mut self.nodes[e as usize];
                    inside.start = flip(me as i32);
                    inside.mark = 0;
                }
            }
            let variables = to;
            for q in start + elements..start + length {
                let j = self.lists[q];
                let others = self.nodes[j as usize].rows;
                if others > 0 {
                    degree += others;
                    self.lists[to] = j;
                    to += 1;
                    hash += j as usize;
                }
            }
            let node = &mut self.nodes[i];
            if to == start && i < self.inner {
                // No other neighbours: eliminated together.
                node.start = flip(me as i32);
                left += rows;
                pivots -= rows;
                self.eliminated -= rows;
                node.rows = 0;
                node.elements = NOBODY;
                continue;
            }
            node.elements = (variables - start + 1) as i32;
            node.length = (to - start + 1) as i32;
            node.degree = node.degree.min(degree);
            // The new element comes first.
            self.lists[to] = self.lists[variables];
            self.lists[variables] = self.lists[start];
            self.lists[start] = me as i32;
            let hash = hash % self.head.len();
            let next = match self.head[hash] {
                j if j <= NOBODY => {
                    self.head[hash] = flip(i as i32);
                    flip(j)
                }
                j => std::mem::replace(&mut self.nodes[j as usize].last, i as i32),
            };
            self.nodes[i].next = next;
            self.nodes[i].last = hash as i32;
        }
        (pivots, left)
    }

    /// Merges variables with equal lists. Only those with one hash can be equal.
    pub(super) fn merge_equals(&mut self, list: Range<usize>) {
        for p in list {
            let i = self.lists[p] as usize;
            if self.nodes[i].rows >= 0 {
                continue;
            }
            let hash = self.nodes[i].last as usize;
            let mut i = match self.head[hash] {
                NOBODY => NOBODY,
                j if j < NOBODY => {
                    self.head[hash] = NOBODY;
                    flip(j)
                }
                j => std::mem::replace(&mut self.nodes[j as usize].last, NOBODY),
            };
            while i != NOBODY && self.nodes[i as usize].next != NOBODY {
                self.merge_into(i as usize);
                self.flag += 1;
                i = self.nodes[i as usize].next;
            }
        }
    }

    fn merge_into(&mut self, i: usize) {
        let Node { start, length, elements, next, .. } = self.nodes[i];
        for p in start as usize + 1..(start + length) as usize {
            let other = self.lists[p] as usize;
            self.nodes[other].mark = self.flag;
        }
        let inner = i < self.inner;
        let (mut before, mut j) = (i, next);
        while j != NOBODY {
            let node = self.nodes[j as usize];
            let list = node.start as usize + 1..(node.start + length) as usize;
            let same = node.length == length
                && node.elements == elements
                && ((j as usize) < self.inner) == inner
                && self.lists[list].iter().all(|&k| self.nodes[k as usize].mark == self.flag);
            if same {
                self.nodes[i].rows += node.rows;
                let merged = &mut self.nodes[j as usize];
                merged.start = flip(i as i32);
                merged.rows = 0;
                merged.elements = NOBODY;
                self.nodes[before].next = node.next;
            } else {
                before = j as usize;
            }
            j = node.next;
        }
    }

    /// Gives the remaining variables of the new element their degrees, and it its final list,
    /// whose end is returned.
    pub(super) fn settle(&mut self, list: Range<usize>, degree: i32) -> usize {
        let left = self.total - self.eliminated;
        let mut kept = list.start;
        for p in list {
            let i = self.lists[p];
            let node = &mut self.nodes[i as usize];
            let rows = -node.rows;
            if rows > 0 {
                node.rows = rows;
                if (i as usize) < self.inner {
                    node.degree = (node.degree + degree - rows).min(left - rows);
                    self.least = self.least.min(node.degree as usize);
                    self.enlist(i as usize);
                }
                self.lists[kept] = i;
                kept += 1;
            }
        }
        kept
    }
}
