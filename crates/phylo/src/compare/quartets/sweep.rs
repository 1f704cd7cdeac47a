//! The sweep over the second tree, for one vertex of the first.

use super::super::TipTree;
use super::in_order;
use super::sums::Sums;
use palmette_core::NONE;

/// The vertices of the first tree that cut its tips into three components or more.
pub(super) struct Coloured {
    /// The tips in the tree's order.
    order: Vec<u32>,
    /// By vertex, where its components' ends begin in `ends`.
    starts: Vec<u32>,
    /// In `order`: where a vertex's tips begin, then where each child's end.
    ends: Vec<u32>,
}

impl Coloured {
    pub(super) fn new(tree: &TipTree<'_>) -> Coloured {
        let (start, order) = in_order(tree);
        let below = tree.tip_counts();
        let (mut starts, mut ends) = (vec![0], Vec::new());
        for i in 0..tree.len() {
            let from = ends.len();
            ends.push(start[i]);
            let mut child = i + 1;
            while child < i + tree.sizes[i] as usize {
                if below[child] > 0 {
                    ends.push(start[child] + below[child]);
                }
                child += tree.sizes[child] as usize;
            }
            let outside = usize::from((below[i] as usize) < tree.count);
            if ends.len() - from - 1 + outside >= 3 {
                starts.push(ends.len() as u32);
            } else {
                ends.truncate(from);
            }
        }
        Coloured { order, starts, ends }
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// What the other tree cuts in the same way as vertex `k`, and what in another one.
    pub(super) fn count(&self, k: usize, sweep: &mut Sweep<'_, '_>) -> (u128, u128) {
        let ends = &self.ends[self.starts[k] as usize..self.starts[k + 1] as usize];
        sweep.begin(ends.len());
        for (colour, both) in (1..).zip(ends.windows(2)) {
            for &tip in &self.order[both[0] as usize..both[1] as usize] {
                sweep.colour(tip, colour);
            }
        }
        sweep.run()
    }
}

/// The tips below a vertex that has coloured ones.
#[derive(Clone, Copy)]
struct Row {
    position: u32,
    /// Where its colours begin in the pool.
    start: u32,
    tips: u32,
}

/// The second tree, with room for what is known of it.
#[derive(Clone)]
pub(super) struct Sweep<'a, 't> {
    tree: &'a TipTree<'t>,
    below: std::sync::Arc<Vec<u32>>,
    /// By position, the sum of the squares of its children's tips.
    squares: std::sync::Arc<Vec<u64>>,
    /// By tip, its position.
    places: std::sync::Arc<Vec<u32>>,
    /// Whether quartets that differ are counted.
    others: bool,
    /// By position, the last round that visited it; its colour if it is a tip.
    visited: Vec<u32>,
    colours: Vec<u32>,
    round: u32,
    /// Positions visited in this round.
    order: Vec<u32>,
    /// Tips by colour.
    sizes: Vec<u32>,
    stack: Vec<Row>,
    pool: Vec<(u32, u32)>,
    sums: Sums,
    /// Tips by colour below a vertex, and the colours it has.
    merged: Vec<u32>,
    touched: Vec<u32>,
    /// The components of a vertex that have coloured tips: colours with their tips, and where each ends.
    entries: Vec<(u32, u32)>,
    ends: Vec<u32>,
}

impl<'a, 't> Sweep<'a, 't> {
    pub(super) fn new(tree: &'a TipTree<'t>, others: bool) -> Sweep<'a, 't> {
        let below = tree.tip_counts();
        let mut squares = vec![0; tree.len()];
        for (i, &tips) in below.iter().enumerate() {
            if let Some(p) = tree.parent(i) {
                squares[p] += u64::from(tips).pow(2);
            }
        }
        let mut places = vec![0; tree.count];
        for (&tip, i) in tree.tips.iter().zip(0..) {
            if tip != NONE {
                places[tip as usize] = i;
            }
        }
        Sweep {
            tree,
            below: below.into(),
            squares: squares.into(),
            places: places.into(),
            others,
            visited: vec![0; tree.len()],
            colours: vec![0; tree.len()],
            round: 0,
            order: Vec::new(),
            sizes: Vec::new(),
            stack: Vec::new(),
            pool: Vec::new(),
            sums: Sums::default(),
            merged: Vec::new(),
            touched: Vec::new(),
            entries: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// Forgets the last round; `colours` counts that of all tips that get none, 0.
    fn begin(&mut self, colours: usize) {
        self.round += 1;
        self.order.clear();
        self.sizes.clear();
        self.sizes.resize(colours, 0);
        self.merged.clear();
        self.merged.resize(colours, 0);
    }

    /// Colours a tip and visits its ancestors.
    fn colour(&mut self, tip: u32, colour: u32) {
        let mut at = self.places[tip as usize] as usize;
        self.colours[at] = colour;
        self.sizes[colour as usize] += 1;
        while self.visited[at] != self.round {
            self.visited[at] = self.round;
            self.order.push(at as u32);
            match self.tree.parent(at) {
                Some(parent) => at = parent,
                None => break,
            }
        }
    }

    /// Counts at all visited vertices, from the tips up.
    fn run(&mut self) -> (u128, u128) {
        let coloured: u32 = self.sizes.iter().sum();
        self.sizes[0] = self.tree.count as u32 - coloured;
        let mut order = std::mem::take(&mut self.order);
        if order.len() > self.tree.len() / 16 {
            order.clear();
            let positions = (0..self.tree.len() as u32).rev();
            order.extend(positions.filter(|&i| self.visited[i as usize] == self.round));
        } else {
            order.sort_unstable_by(|a, b| b.cmp(a));
        }
        let mut found = (0, 0);
        for &i in &order {
            if self.tree.tips[i as usize] != NONE {
                let start = self.pool.len() as u32;
                self.stack.push(Row { position: i, start, tips: 1 });
                self.pool.push((self.colours[i as usize], 1));
                continue;
            }
            let end = i + self.tree.sizes[i as usize];
            let children = self.stack.partition_point(|row| row.position >= end);
            if let Some((same, other)) = self.vertex(i, children, coloured) {
                found = (found.0 + u128::from(same), found.1 + u128::from(other));
            }
            self.merge(i, children);
        }
        self.order = order;
        self.stack.clear();
        self.pool.clear();
        found
    }

    /// Replaces the rows of a vertex's children by its own.
    fn merge(&mut self, position: u32, children: usize) {
        let start = self.stack[children].start;
        if self.stack.len() - children > 1 {
            self.add_up(children);
            self.pool.truncate(start as usize);
            for colour in self.touched.drain(..) {
                let count = std::mem::take(&mut self.merged[colour as usize]);
                self.pool.push((colour, count));
            }
        }
        self.stack.truncate(children);
        self.stack.push(Row { position, start, tips: self.below[position as usize] });
    }

    /// Adds the children's colours up in `merged`.
    fn add_up(&mut self, children: usize) {
        self.touched.clear();
        for &(colour, count) in &self.pool[self.stack[children].start as usize..] {
            if self.merged[colour as usize] == 0 {
                self.touched.push(colour);
            }
            self.merged[colour as usize] += count;
        }
    }

    /// The sets that a vertex cuts in the same way and in another one; none where only one component has
    /// coloured tips.
    fn vertex(&mut self, position: u32, children: usize, coloured: u32) -> Option<(u64, u64)> {
        let from = self.stack[children].start as usize;
        let inside: u32 = self.pool[from..].iter().map(|entry| entry.1).sum();
        if self.stack.len() - children == 1 && inside == coloured {
            return None;
        }
        let (n, below) = (self.tree.count as u32, self.below[position as usize]);
        // Children without coloured tips are known by sums.
        let (mut tips, mut squares) = (below, self.squares[position as usize]);
        self.entries.clear();
        self.ends.clear();
        for (k, row) in self.stack.iter().enumerate().skip(children) {
            let end = self.stack.get(k + 1).map_or(self.pool.len(), |next| next.start as usize);
            let colours = &self.pool[row.start as usize..end];
            let zeros = row.tips - colours.iter().map(|entry| entry.1).sum::<u32>();
            self.entries.extend((zeros > 0).then_some((0, zeros)));
            self.entries.extend(colours);
            self.ends.push(self.entries.len() as u32);
            tips -= row.tips;
            squares -= u64::from(row.tips).pow(2);
        }
        self.add_up(children);
        let zeros = n - below - (coloured - inside);
        self.entries.extend((zeros > 0).then_some((0, zeros)));
        for (colour, (&all, &here)) in (1..).zip(self.sizes.iter().zip(&self.merged).skip(1)) {
            self.entries.extend((all > here).then(|| (colour, all - here)));
        }
        self.ends.push(self.entries.len() as u32);
        for colour in self.touched.drain(..) {
            self.merged[colour as usize] = 0;
        }
        let sums = &mut self.sums;
        sums.begin(n, &self.sizes);
        sums.add_plain(tips, squares, self.sizes[0]);
        let mut start = 0;
        for &end in &self.ends {
            sums.add(&self.entries[start..end as usize], &self.sizes);
            start = end as usize;
        }
        let other = if self.others { sums.other(&self.entries, &self.ends, squares) } else { 0 };
        Some((sums.same(), other))
    }
}
