//! The quotient graph: parts, and how many values each sends to each other in a product
//! with a matrix that has the graph's pattern.
//!
//! **Form.** Directed: a vertex that has neighbours in another part sends its value there,
//! once. For element partitions every copy of a vertex exchanges with every other.

use palmette_core::Graph;
use palmette_core::lists::offsets;

/// Parts and the values they send to each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quotient {
    /// By part: where its partners begin; one more for the end.
    offsets: Vec<usize>,
    partners: Vec<u32>,
    sends: Vec<u64>,
    receives: Vec<u64>,
}

impl Quotient {
    /// From numbers of values `(from, to, values)`; those of the same pair are added. A part
    /// sends itself nothing.
    ///
    /// # Panics
    /// When a number is not that of a part.
    pub fn new(parts: usize, messages: &[(u32, u32, u64)]) -> Quotient {
        let mut both: Vec<(u32, u32, u64, u64)> = Vec::with_capacity(2 * messages.len());
        for &(from, to, values) in messages {
            assert!((from as usize) < parts && (to as usize) < parts, "no such part");
            if from != to && values > 0 {
                both.push((from, to, values, 0));
                both.push((to, from, 0, values));
            }
        }
        both.sort_unstable();
        both.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            if same {
                kept.2 += next.2;
                kept.3 += next.3;
            }
            same
        });
        Quotient {
            offsets: offsets(parts, both.iter().map(|m| m.0)),
            partners: both.iter().map(|m| m.1).collect(),
            sends: both.iter().map(|m| m.2).collect(),
            receives: both.iter().map(|m| m.3).collect(),
        }
    }

    /// The quotient of a graph whose vertices have parts.
    ///
    /// # Panics
    /// When the number of vertices differs, or a part is not below `parts`.
    pub fn of(graph: &Graph, part: &[u32], parts: usize) -> Quotient {
        assert_eq!(graph.len(), part.len(), "a part per vertex");
        let mut messages = Vec::new();
        let mut told = Vec::new();
        for v in 0..graph.len() as u32 {
            let own = part[v as usize];
            told.clear();
            for &w in graph.neighbours(v) {
                let other = part[w as usize];
                if other != own && !told.contains(&other) {
                    told.push(other);
                    messages.push((own, other, 1));
                }
            }
        }
        Quotient::new(parts, &messages)
    }

    /// As [`Quotient::of`], but every edge between parts is a value each way.
    ///
    /// # Panics
    /// As [`Quotient::of`].
    pub fn of_edges(graph: &Graph, part: &[u32], parts: usize) -> Quotient {
        assert_eq!(graph.len(), part.len(), "a part per vertex");
        let between = |v: u32| {
            let own = part[v as usize];
            let others = graph.neighbours(v).iter().map(|&w| part[w as usize]);
            others.filter(move |&other| other != own).map(move |other| (own, other, 1))
        };
        let messages: Vec<_> = (0..graph.len() as u32).flat_map(between).collect();
        Quotient::new(parts, &messages)
    }

    /// The number of parts.
    pub fn parts(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The parts that a part exchanges values with, in ascending order.
    pub fn partners(&self, part: u32) -> &[u32] {
        &self.partners[self.range(part)]
    }

    /// The values sent to each of [`Quotient::partners`].
    pub fn sends(&self, part: u32) -> &[u64] {
        &self.sends[self.range(part)]
    }

    /// The values received from each of [`Quotient::partners`].
    pub fn receives(&self, part: u32) -> &[u64] {
        &self.receives[self.range(part)]
    }

    /// All messages `(from, to, values)`, by sender and receiver.
    pub fn messages(&self) -> impl Iterator<Item = (u32, u32, u64)> + '_ {
        (0..self.parts() as u32).flat_map(move |from| {
            let pairs = self.partners(from).iter().zip(self.sends(from));
            pairs.filter(|&(_, &values)| values > 0).map(move |(&to, &values)| (from, to, values))
        })
    }

    /// All values sent.
    pub fn total(&self) -> u64 {
        self.sends.iter().sum()
    }

    fn range(&self, part: u32) -> std::ops::Range<usize> {
        self.offsets[part as usize]..self.offsets[part as usize + 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vertex_sends_its_value_once_to_each_part() {
        // 0 touches 1 and 2 of part 1 and 3 of part 2.
        let star = Graph::from_edges(4, &[(0, 1, 1.0), (0, 2, 1.0), (0, 3, 1.0)]).unwrap();
        let quotient = Quotient::of(&star, &[0, 1, 1, 2], 3);
        let messages: Vec<_> = quotient.messages().collect();
        assert_eq!(messages, [(0, 1, 1), (0, 2, 1), (1, 0, 2), (2, 0, 1)]);
        assert_eq!(quotient.partners(0), [1, 2]);
        assert_eq!((quotient.sends(0), quotient.receives(0)), (&[1, 1][..], &[2, 1][..]));
        assert_eq!(quotient.total(), 5);
        let edges = Quotient::of_edges(&star, &[0, 1, 1, 2], 3);
        let messages: Vec<_> = edges.messages().collect();
        assert_eq!(messages, [(0, 1, 2), (0, 2, 1), (1, 0, 2), (2, 0, 1)]);
    }

    #[test]
    fn messages_of_a_pair_are_added_and_loops_dropped() {
        let quotient = Quotient::new(3, &[(0, 1, 2), (0, 1, 3), (1, 0, 0), (2, 2, 9)]);
        assert_eq!(quotient.messages().collect::<Vec<_>>(), [(0, 1, 5)]);
        assert_eq!((quotient.partners(1), quotient.receives(1)), (&[0][..], &[5][..]));
        assert!(quotient.partners(2).is_empty());
    }
}
