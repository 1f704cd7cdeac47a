//! Disjoint sets of vertices that grow together.

/// Sets of vertices, at first one for each. Ways to the top of a set are halved by whoever walks
/// them; the lowest vertex is on top, so that no ranks are needed.
#[derive(Debug, Clone)]
pub struct Sets {
    above: Vec<u32>,
}

impl Sets {
    /// Sets of one vertex each.
    pub fn new(n: usize) -> Sets {
        Sets { above: (0..n as u32).collect() }
    }

    #[inline]
    fn top(&mut self, mut v: u32) -> u32 {
        loop {
            let up = self.above[v as usize];
            if up == v {
                return v;
            }
            let next = self.above[up as usize];
            self.above[v as usize] = next;
            v = next;
        }
    }

    /// Unites the sets of two vertices; whether they were apart.
    #[inline]
    pub fn link(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.top(a), self.top(b));
        let (low, high) = (a.min(b), a.max(b));
        self.above[high as usize] = low;
        low != high
    }

    /// By vertex, the lowest vertex of its set.
    pub fn settled(&mut self) -> &[u32] {
        // The top has a lower number, so it is settled before.
        for v in 0..self.above.len() {
            self.above[v] = self.above[self.above[v] as usize];
        }
        &self.above
    }
}
