//! The order of elimination: approximate minimum degree.
//!
//! **Problem.** A symmetric pattern; out comes an order of its rows in which elimination
//! fills in few entries.
//!
//! **Method.** Elimination in the quotient graph. A row that is eliminated becomes an
//! *element*, the clique of the rows that it leaves joined. A *variable* is a set of rows
//! with the same neighbours; it is adjacent to elements and to other variables. The variable
//! with the least degree is eliminated: elements next to it are absorbed by the new one, and
//! the degrees of its neighbours become the sum of the sizes of their elements outside it, an
//! upper bound. Variables whose lists became equal are merged, elements inside the new one are
//! absorbed, and variables with no other neighbours are eliminated with it. Rows with far more
//! entries than others come last. In the end the tree of elements is put in postorder, the
//! largest child last (`assembly.rs`).
//!
//! A part of a matrix is ordered with its *halo*: rows that come later, wherever they come. They count
//! towards degrees and are never eliminated. A row can stand for several with the same neighbours.
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

mod assembly;
mod degrees;

/// No variable, no element.
pub(crate) const NOBODY: i32 = -1;

/// Rows with more entries than this many times the root of their number come last.
const DENSE: f64 = 10.0;

/// Eliminations between two looks at whether to stop.
const PATIENCE: u32 = 1 << 10;

/// A variable or an element: one row stands for it.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
pub(crate) struct Node {
    /// Where its list starts; of one that is absorbed, `flip` of who absorbed it.
    pub(crate) start: i32,
    pub(crate) length: i32,
    /// Rows of a variable, negative while it is in the new element; 0 once it is merged.
    pub(crate) rows: i32,
    /// Elements at the front of a variable's list; of an element, `flip` of its front's size.
    pub(crate) elements: i32,
    pub(crate) degree: i32,
    /// 0: an element that was absorbed. Otherwise compared with the current flag.
    pub(crate) mark: i32,
    pub(crate) next: i32,
    pub(crate) last: i32,
}

/// Which rows there are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rows<'a> {
    /// Rows to order; those of the halo have the numbers after them.
    pub(crate) inner: usize,
    pub(crate) halo: usize,
    /// Entries off the diagonal.
    pub(crate) entries: usize,
    /// How many rows each row stands for; empty for one each.
    pub(crate) weights: &'a [u32],
}

impl Rows<'_> {
    /// Rows without a halo, for one each.
    pub(crate) fn plain(inner: usize, entries: usize) -> Rows<'static> {
        Rows { inner, halo: 0, entries, weights: &[] }
    }
}

/// Bytes that [`order`] takes for plain rows.
pub(crate) fn bytes(rows: usize, entries: usize) -> u64 {
    let (n, entries) = (rows as u64, entries as u64);
    4 * (entries + entries / 5 + n) + n * (size_of::<Node>() as u64 + 4 + assembly::BYTES_PER_ROW)
}

/// Orders a symmetric matrix, of which `fill` appends the entries off the diagonal of a row; `None`
/// when `stop` said so. Entries between rows of the halo do not matter.
pub(crate) fn order(
    rows: Rows<'_>,
    mut fill: impl FnMut(usize, &mut Vec<i32>),
    stop: impl Fn() -> bool,
) -> Option<Vec<u32>> {
    let Rows { inner, halo, entries, weights } = rows;
    let count = inner + halo;
    let weight = |row: usize| weights.get(row).map_or(1, |&weight| weight as i32);
    let total: i32 = (0..count).map(weight).sum();
    let room = entries + entries / 5 + count;
    let mut lists: Vec<i32> = Vec::with_capacity(room);
    let mut nodes = Vec::with_capacity(count);
    for row in 0..count {
        let start = lists.len();
        fill(row, &mut lists);
        let length = (lists.len() - start) as i32;
        let degree = match weights.is_empty() {
            true => length,
            false => lists[start..].iter().map(|&other| weight(other as usize)).sum(),
        };
        let start = if length == 0 { NOBODY } else { start as i32 };
        let (next, last) = (NOBODY, NOBODY);
        let rows = weight(row);
        nodes.push(Node { start, length, rows, elements: 0, degree, mark: 1, next, last });
    }
    let free = lists.len();
    lists.resize(room, 0);
    let mut graph = Quotient {
        nodes,
        lists,
        head: vec![NOBODY; total as usize],
        inner,
        free,
        least: 0,
        total,
        eliminated: 0,
        flag: 2,
        largest: 0,
    };
    let mut left = (0..inner).map(weight).sum::<i32>();
    left -= graph.start();
    let mut patience = PATIENCE;
    while left > 0 {
        patience -= 1;
        if patience == 0 {
            if stop() {
                return None;
            }
            patience = PATIENCE;
        }
        left -= graph.eliminate();
    }
    let Quotient { mut nodes, lists, head, .. } = graph;
    drop((lists, head));
    nodes.truncate(inner);
    Some(assembly::order(nodes))
}

/// Marks a number as another kind of number; twice is nothing.
pub(crate) fn flip(i: i32) -> i32 {
    -2 - i
}

/// The quotient graph.
pub(crate) struct Quotient {
    pub(crate) nodes: Vec<Node>,
    pub(crate) lists: Vec<i32>,
    /// By degree, the first variable with it. Between elimination and the end of the search for
    /// equals, also `flip` of the first with a hash.
    pub(crate) head: Vec<i32>,
    /// Nodes from here on are the halo's.
    pub(crate) inner: usize,
    free: usize,
    pub(crate) least: usize,
    /// All rows, and those that are eliminated or set aside.
    pub(crate) total: i32,
    pub(crate) eliminated: i32,
    pub(crate) flag: i32,
    largest: i32,
}

impl Quotient {
    /// Sorts rows by degree; sets empty ones and dense ones aside, and says how many.
    fn start(&mut self) -> i32 {
        let n = self.total;
        let dense = ((DENSE * f64::from(n).sqrt()) as i32).max(16).min(n);
        for i in 0..self.inner {
            let node = &mut self.nodes[i];
            if node.degree == 0 {
                node.elements = flip(1);
                node.start = NOBODY;
                node.mark = 0;
                self.eliminated += node.rows;
            } else if node.degree > dense {
                self.eliminated += node.rows;
                node.rows = 0;
                node.elements = NOBODY;
                node.start = NOBODY;
            } else {
                self.enlist(i);
            }
        }
        self.eliminated
    }

    /// Puts a variable first among those of its degree.
    pub(crate) fn enlist(&mut self, i: usize) {
        let degree = self.nodes[i].degree as usize;
        let next = self.head[degree];
        if next != NOBODY {
            self.nodes[next as usize].last = i as i32;
        }
        self.nodes[i].next = next;
        self.nodes[i].last = NOBODY;
        self.head[degree] = i as i32;
    }

    /// Takes a variable from among those of its degree; the halo is not among them.
    fn delist(&mut self, i: usize) {
        if i >= self.inner {
            return;
        }
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
    /// to date. Returns how many rows are eliminated.
    fn eliminate(&mut self) -> i32 {
        while self.head[self.least] == NOBODY {
            self.least += 1;
        }
        let me = self.head[self.least] as usize;
        self.delist(me);
        let from_elements = self.nodes[me].elements != 0;
        let pivots = self.nodes[me].rows;
        self.eliminated += pivots;
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
        pivots
    }

    /// Flags that no mark has; marks start again before numbers run out.
    fn raise_flag(&mut self, by: i32) {
        self.flag += by;
        if self.flag >= i32::MAX - self.total {
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
