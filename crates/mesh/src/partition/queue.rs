//! Vertices by priority, with priorities that change.
//!
//! **Problem.** Take the vertex with the largest key; set the key of any vertex at any time.
//!
//! **Method.** A heap of four children per place that knows where each vertex is. Of equal keys
//! the one set last comes first: searches stay where they are.
//!
//! **Cost.** `O(log n)` per change; 16 bytes per vertex in the queue and 4 per vertex of the net.

use palmette_core::NONE;

#[derive(Debug, Clone, Copy)]
struct Entry {
    key: i64,
    serial: u32,
    vertex: u32,
}

impl Entry {
    #[inline]
    fn before(&self, other: &Entry) -> bool {
        (self.key, self.serial) > (other.key, other.serial)
    }
}

#[derive(Debug, Default)]
pub(super) struct Queue {
    heap: Vec<Entry>,
    /// By vertex: its place in the heap.
    place: Vec<u32>,
    serial: u32,
}

impl Queue {
    pub(super) fn new(vertices: usize) -> Queue {
        Queue { heap: Vec::new(), place: vec![NONE; vertices], serial: 0 }
    }

    pub(super) fn clear(&mut self) {
        for entry in self.heap.drain(..) {
            self.place[entry.vertex as usize] = NONE;
        }
        self.serial = 0;
    }

    #[inline]
    pub(super) fn contains(&self, vertex: u32) -> bool {
        self.place[vertex as usize] != NONE
    }

    /// The largest key and its vertex.
    #[inline]
    pub(super) fn peek(&self) -> Option<(i64, u32)> {
        self.heap.first().map(|entry| (entry.key, entry.vertex))
    }

    pub(super) fn pop(&mut self) -> Option<(i64, u32)> {
        let top = self.peek()?;
        self.remove(top.1);
        Some(top)
    }

    /// Puts a vertex in, or changes its key.
    #[inline]
    pub(super) fn set(&mut self, vertex: u32, key: i64) {
        let place = self.place[vertex as usize] as usize;
        match self.heap.get(place) {
            Some(entry) if entry.key == key => {}
            Some(_) => self.put(place, vertex, key),
            None => {
                self.heap.push(Entry { key, serial: 0, vertex });
                self.put(self.heap.len() - 1, vertex, key);
            }
        }
    }

    fn put(&mut self, place: usize, vertex: u32, key: i64) {
        self.serial = self.serial.wrapping_add(1);
        let entry = Entry { key, serial: self.serial, vertex };
        self.settle(place, entry);
    }

    pub(super) fn remove(&mut self, vertex: u32) {
        let place = std::mem::replace(&mut self.place[vertex as usize], NONE) as usize;
        let Some(last) = self.heap.pop() else { return };
        if place < self.heap.len() {
            self.settle(place, last);
        }
    }

    /// Puts an entry where it belongs, from a place that is free.
    fn settle(&mut self, mut place: usize, entry: Entry) {
        while place > 0 {
            let above = (place - 1) / 4;
            if !entry.before(&self.heap[above]) {
                break;
            }
            self.store(place, self.heap[above]);
            place = above;
        }
        loop {
            let below = 4 * place + 1..(4 * place + 5).min(self.heap.len());
            let Some(first) = below.clone().next() else { break };
            let mut best = first;
            for other in below.skip(1) {
                if self.heap[other].before(&self.heap[best]) {
                    best = other;
                }
            }
            if !self.heap[best].before(&entry) {
                break;
            }
            self.store(place, self.heap[best]);
            place = best;
        }
        self.store(place, entry);
    }

    #[inline]
    fn store(&mut self, place: usize, entry: Entry) {
        self.heap[place] = entry;
        self.place[entry.vertex as usize] = place as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmette_core::random::{Purpose, Random};

    /// As a plain list in which the last of the largest keys is looked for.
    #[test]
    fn the_last_of_the_largest_comes_first() {
        let mut random = Random::new(7, Purpose::Samples);
        let mut queue = Queue::new(40);
        let mut list: Vec<(i64, u32, u32)> = Vec::new();
        for step in 0..5000 {
            let v = random.below(40);
            match random.below(3) {
                0 => {
                    let key = i64::from(random.below(6)) - 3;
                    if !list.iter().any(|e| e.2 == v && e.0 == key) {
                        list.retain(|e| e.2 != v);
                        list.push((key, step, v));
                    }
                    queue.set(v, key);
                }
                1 if queue.contains(v) => {
                    list.retain(|e| e.2 != v);
                    queue.remove(v);
                }
                _ => {
                    let best = list.iter().copied().max();
                    list.retain(|&e| Some(e) != best);
                    assert_eq!(queue.pop(), best.map(|e| (e.0, e.2)));
                }
            }
            assert_eq!(queue.contains(v), list.iter().any(|e| e.2 == v));
        }
        queue.clear();
        assert_eq!(queue.peek(), None);
        assert!((0..40).all(|v| !queue.contains(v)));
    }
}
