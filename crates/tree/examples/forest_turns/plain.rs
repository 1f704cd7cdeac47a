//! Link-cut trees written plainly: splay trees of paths with the largest value (Sleator and Tarjan, 1985).

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Node {
    children: [u32; 2],
    parent: u32,
    turned: bool,
    value: i64,
    largest: i64,
}

pub(crate) struct LinkCut {
    nodes: Vec<Node>,
    above: Vec<u32>,
}

impl LinkCut {
    pub(crate) fn new(values: &[i64]) -> LinkCut {
        let node = |&value: &i64| Node {
            children: [NONE; 2],
            parent: NONE,
            turned: false,
            value,
            largest: value,
        };
        LinkCut { nodes: values.iter().map(node).collect(), above: Vec::new() }
    }

    pub(crate) fn link(&mut self, v: u32, parent: u32) {
        self.turn_to(v);
        self.nodes[v as usize].parent = parent;
    }

    pub(crate) fn cut(&mut self, v: u32, parent: u32) {
        self.turn_to(parent);
        self.access(v);
        let above = std::mem::replace(&mut self.nodes[v as usize].children[0], NONE);
        self.nodes[above as usize].parent = NONE;
        self.renew(v);
    }

    pub(crate) fn largest(&mut self, a: u32, b: u32) -> i64 {
        self.turn_to(a);
        self.access(b);
        self.nodes[b as usize].largest
    }

    fn turn_to(&mut self, v: u32) {
        self.access(v);
        self.nodes[v as usize].turned ^= true;
        self.settle(v);
    }

    fn access(&mut self, v: u32) {
        let (mut at, mut below) = (v, NONE);
        while at != NONE {
            self.splay(at);
            self.nodes[at as usize].children[1] = below;
            self.renew(at);
            below = at;
            at = self.nodes[at as usize].parent;
        }
        self.splay(v);
    }

    fn is_top(&self, v: u32) -> bool {
        let parent = self.nodes[v as usize].parent;
        parent == NONE || !self.nodes[parent as usize].children.contains(&v)
    }

    fn renew(&mut self, v: u32) {
        let Node { children, value, .. } = self.nodes[v as usize];
        let below = children.into_iter().filter(|&child| child != NONE);
        let largest = below.map(|child| self.nodes[child as usize].largest).fold(value, i64::max);
        self.nodes[v as usize].largest = largest;
    }

    fn settle(&mut self, v: u32) {
        let node = &mut self.nodes[v as usize];
        if std::mem::replace(&mut node.turned, false) {
            node.children.swap(0, 1);
            for child in node.children.into_iter().filter(|&child| child != NONE) {
                self.nodes[child as usize].turned ^= true;
            }
        }
    }

    fn splay(&mut self, v: u32) {
        let mut above = std::mem::take(&mut self.above);
        above.clear();
        above.push(v);
        let mut at = v;
        while !self.is_top(at) {
            at = self.nodes[at as usize].parent;
            above.push(at);
        }
        above.iter().rev().for_each(|&at| self.settle(at));
        self.above = above;
        while !self.is_top(v) {
            let parent = self.nodes[v as usize].parent;
            if !self.is_top(parent) {
                let same = self.side(parent) == self.side(v);
                self.rotate(if same { parent } else { v });
            }
            self.rotate(v);
        }
        self.renew(v);
    }

    fn side(&self, v: u32) -> usize {
        usize::from(self.nodes[self.nodes[v as usize].parent as usize].children[1] == v)
    }

    fn rotate(&mut self, v: u32) {
        let parent = self.nodes[v as usize].parent;
        let above = self.nodes[parent as usize].parent;
        let side = self.side(v);
        if !self.is_top(parent) {
            let parents_side = self.side(parent);
            self.nodes[above as usize].children[parents_side] = v;
        }
        let inner = self.nodes[v as usize].children[1 - side];
        self.nodes[parent as usize].children[side] = inner;
        if inner != NONE {
            self.nodes[inner as usize].parent = parent;
        }
        self.nodes[v as usize].children[1 - side] = parent;
        self.nodes[parent as usize].parent = v;
        self.nodes[v as usize].parent = above;
        self.renew(parent);
    }
}
