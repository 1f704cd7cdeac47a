//! The order of elimination: approximate minimum degree.
//!
//! **Problem.** A symmetric pattern; out comes an order of its rows in which elimination
//! fills in few entries, and a bound on how many.
//!
//! **Method.** Elimination in the quotient graph. A row that is eliminated becomes an
//! *element*, the clique of the rows that it leaves joined. A *variable* is a set of rows
//! with the same neighbours; it is adjacent to elements and to other variables. The variable
//! with the least degree is eliminated: elements next to it are absorbed by the new one, and
//! the degrees of its neighbours become the sum of the sizes of their elements outside it, an
//! upper bound. Variables whose lists became equal are merged, elements inside the new one are
//! absorbed, and variables with no other neighbours are eliminated with it. Rows with far more
//! entries than others come last. In the end the tree of elements is put in postorder, the
//! largest child last ([`assembly`](super::assembly)).
//!
//! **Cost.** Of order `n m` at worst, near `m` on sparse graphs. The lists have room for a
//! fifth more than the entries of the matrix, and are compacted when it is used up.
//!
//! **Determinism.** One thread; ties are broken by the order of rows.
//!
//! **Reference.** Amestoy, Davis and Duff, *An approximate minimum degree ordering
//! algorithm*, 1996; *Algorithm 837: AMD*, 2004.
//!
//! **When not to use.** On large graphs in space, where nested dissection fills in less.

use super::assembly;

/// No variable, no element.
pub(super) const NOBODY: i32 = -1;

/// Rows with more entries than this many times the root of their number come last.
const DENSE: f64 = 10.0;

/// Eliminations between two looks at whether to stop.
const PATIENCE: u32 = 1 << 10;

/// A variable or an element: one row stands for it.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
pub(super) struct Node {
    /// Where its list starts; of one that is absorbed, `flip` of who absorbed it.
    pub(super) start: i32,
    pub(super) length: i32,
    /// Rows of a variable, negative while it is in the new element; 0 once it is merged.
    pub(super) rows: i32,
    /// Elements at the front of a variable's list; of an element, `flip` of its front's size.
    pub(super) elements: i32,
    pub(super) degree: i32,
    /// 0: an element that was absorbed. Otherwise compared with the current flag.
    pub(super) mark: i32,
    pub(super) next: i32,
    pub(super) last: i32,
}

/// What an order is worth.
#[derive(Debug)]
pub(super) struct Ordered {
    /// By place, the row.
    pub(super) order: Vec<u32>,
    /// At least as many entries as the factor has below its diagonal.
    pub(super) bound: f64,
}

/// Bytes that [`order`] takes.
pub(super) fn bytes(rows: usize, entries: usize) -> u64 {
    let (n, entries) = (rows as u64, entries as u64);
    4 * (entries + entries / 5 + n) + n * (size_of::<Node>() as u64 + 4 + assembly::BYTES_PER_ROW)
}

/// Orders a symmetric matrix with `entries` entries off its diagonal, of which `fill` appends
/// those of a row; `None` when `stop` said so.
pub(super) fn order(
    rows: usize,
    entries: usize,
    mut fill: impl FnMut(usize, &mut Vec<i32>),
    stop: impl Fn() -> bool,
) -> Option<Ordered> {
    let room = entries + entries / 5 + rows;
    let mut lists = Vec::with_capacity(room);
    let mut nodes = Vec::with_capacity(rows);
    for row in 0..rows {
        let start = lists.len();
        fill(row, &mut lists);
        let length = (lists.len() - start) as i32;
        let (start, degree) = (start as i32, length);
        let (next, last) = (NOBODY, NOBODY);
        nodes.push(Node { start, length, rows: 1, elements: 0, degree, mark: 1, next, last });
    }
    let free = lists.len();
    lists.resize(room, 0);
    let mut graph = Quotient {
        nodes,
        lists,
        head: vec![NOBODY; rows],
        free,
        least: 0,
        eliminated: 0,
        dense: 0,
        flag: 2,
        largest: 0,
        bound: 0.0,
    };
    graph.start();
    let mut patience = PATIENCE;
    while graph.eliminated < rows {
        patience -= 1;
        if patience == 0 {
            if stop() {
                return None;
            }
            patience = PATIENCE;
        }
        graph.eliminate();
    }
    let Quotient { nodes, lists, head, dense, mut bound, .. } = graph;
    drop((lists, head));
    bound += (dense as f64 - 1.0) * dense as f64 / 2.0;
    Some(Ordered { order: assembly::order(nodes, dense), bound })
}

/// Marks a number as another kind of number; twice is nothing.
pub(super) fn flip(i: i32) -> i32 {
    -2 - i
}

/// The quotient graph.
pub(super) struct Quotient {
    pub(super) nodes: Vec<Node>,
    pub(super) lists: Vec<i32>,
    /// By degree, the first variable with it. Between elimination and the end of the search for
    /// equals, also `flip` of the first with a hash.
    pub(super) head: Vec<i32>,
    free: usize,
    pub(super) least: usize,
    pub(super) eliminated: usize,
    dense: usize,
    pub(super) flag: i32,
    largest: i32,
    bound: f64,
}

impl Quotient {
    /// Sorts rows by degree; sets empty ones and dense ones aside.
    fn start(&mut self) {
        let n = self.nodes.len();
        let dense = ((DENSE * (n as f64).sqrt()) as usize).max(16).min(n);
        for i in 0..n {
            let node = &mut self.nodes[i];
            if node.degree == 0 {
                node.elements = flip(1);
                node.start = NOBODY;
                node.mark = 0;
                self.eliminated += 1;
            } else if node.degree as usize > dense {
                node.rows = 0;
                node.elements = NOBODY;
                node.start = NOBODY;
                self.dense += 1;
                self.eliminated += 1;
            } else {
                self.enlist(i);
            }
        }
    }

    /// Puts a variable first among those of its degree.
    pub(super) fn enlist(&mut self, i: usize) {
        let degree = self.nodes[i].degree as usize;
        let next = self.head[degree];
        if next != NOBODY {
            self.nodes[next as usize].last = i as i32;
        }
        self.nodes[i].next = next;
        self.nodes[i].last = NOBODY;
        self.head[degree] = i as i32;
    }

    /// Takes a variable from among those of its degree.
    fn delist(&mut self, i: usize) {
        let Node { next, last, degree, .. } = self.nodes[i];
        if next != NOBODY {
            self.nodes[next as usize].last = last;
        }
        match last {
            NOBODY => self.head[degree as usize] = next,
            last => self.nodes[last as usize].next = next,
        }
    }

    /// Takes a variable with the least degree, makes it an element, and brings its neighbours up
    /// to date.
    fn eliminate(&mut self) {
        while self.head[self.least] == NOBODY {
            self.least += 1;
        }
        let me = self.head[self.least] as usize;
        self.delist(me);
        let from_elements = self.nodes[me].elements != 0;
        let pivots = self.nodes[me].rows;
        self.eliminated += pivots as usize;
        self.nodes[me].rows = -pivots;
        let (first, end, degree) = if from_elements { self.union(me) } else { self.own_list(me) };
        let node = &mut self.nodes[me];
        node.degree = degree;
        node.start = first as i32;
        node.length = (end - first) as i32;
        node.elements = flip(pivots + degree);
        self.raise_flag(0);
        self.measure(first..end);
        let (pivots, degree) = self.degrees(me, first..end, pivots, degree);
        self.nodes[me].degree = degree;
        self.largest = self.largest.max(degree);
        self.raise_flag(self.largest);
        self.merge_equals(first..end);
        let kept = self.settle(first..end, degree);
        let node = &mut self.nodes[me];
        node.rows = pivots;
        node.length = (kept - first) as i32;
        if kept == first {
            node.start = NOBODY;
            node.mark = 0;
        }
        if from_elements {
            self.free = kept;
        }
        let (f, r) = (f64::from(pivots), f64::from(degree) + self.dense as f64);
        self.bound += f * r + (f - 1.0) * f / 2.0;
    }

    /// Flags that no mark has; marks start again before numbers run out.
    fn raise_flag(&mut self, by: i32) {
        self.flag += by;
        if self.flag >= i32::MAX - self.nodes.len() as i32 {
            for node in self.nodes.iter_mut().filter(|node| node.mark != 0) {
                node.mark = 1;
            }
            self.flag = 2;
        }
    }

    /// The list of a variable without elements becomes that of the new element, in place.
    fn own_list(&mut self, me: usize) -> (usize, usize, i32) {
        let first = self.nodes[me].start as usize;
        let (mut end, mut degree) = (first, 0);
        for p in first..first + self.nodes[me].length as usize {
            let i = self.lists[p] as usize;
            let rows = self.nodes[i].rows;
            if rows > 0 {
                degree += rows;
                self.nodes[i].rows = -rows;
                self.lists[end] = i as i32;
                end += 1;
                self.delist(i);
            }
        }
        (first, end, degree)
    }

    /// The variables of all elements of a variable, and its own: a new list at the end.
    fn union(&mut self, me: usize) -> (usize, usize, i32) {
        let mut p = self.nodes[me].start as usize;
        let elements = self.nodes[me].elements;
        let own = self.nodes[me].length - elements;
        let (mut first, mut degree) = (self.free, 0);
        for turn in 0..=elements {
            // The elements, then the variable itself.
            let (e, mut q, length) = if turn == elements {
                (me, p, own)
            } else {
                let e = self.lists[p] as usize;
                p += 1;
                (e, self.nodes[e].start as usize, self.nodes[e].length)
            };
            for done in 1..=length {
                let i = self.lists[q] as usize;
                q += 1;
                let rows = self.nodes[i].rows;
                if rows <= 0 {
                    continue;
                }
                if self.free >= self.lists.len() {
                    // What was read already is not kept.
                    let rest = |node: &mut Node, start: usize, length: i32| {
                        node.length = length;
                        node.start = if length == 0 { NOBODY } else { start as i32 };
                    };
                    let left = self.nodes[me].length - turn - 1;
                    rest(&mut self.nodes[me], p, left);
                    rest(&mut self.nodes[e], q, length - done);
                    first = self.compact(first);
                    q = self.nodes[e].start as usize;
                    p = self.nodes[me].start as usize;
                }
                degree += rows;
                self.nodes[i].rows = -rows;
                self.lists[self.free] = i as i32;
                self.free += 1;
                self.delist(i);
            }
            if e != me {
                self.nodes[e].start = flip(me as i32);
                self.nodes[e].mark = 0;
            }
        }
        (first, self.free, degree)
    }

    /// Closes the gaps between lists; the one from `first` on is being made. Returns where it
    /// starts now.
    fn compact(&mut self, first: usize) -> usize {
        for (j, node) in self.nodes.iter_mut().enumerate() {
            if node.start >= 0 {
                let start = node.start as usize;
                node.start = std::mem::replace(&mut self.lists[start], flip(j as i32));
            }
        }
        let (mut from, mut to) = (0, 0);
        while from < first {
            let j = flip(self.lists[from]);
            from += 1;
            if j >= 0 {
                let node = &mut self.nodes[j as usize];
                self.lists[to] = std::mem::replace(&mut node.start, to as i32);
                let rest = (node.length as usize).saturating_sub(1);
                self.lists.copy_within(from..from + rest, to + 1);
                (from, to) = (from + rest, to + 1 + rest);
            }
        }
        self.lists.copy_within(first..self.free, to);
        self.free = to + self.free - first;
        to
    }
}
