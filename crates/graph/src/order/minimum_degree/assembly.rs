//! The tree of elements that [`order`](super::order) left, in postorder: rows that are
//! eliminated together stand together, and after those they depend on. The child with the
//! largest front comes last, so that its columns are next to its parent's.

use super::{NOBODY, Node, flip};
use palmette_core::NONE;

/// Arrays that [`order`] holds, the order among them.
pub(super) const BYTES_PER_ROW: u64 = 20;

/// The rows in order. Dense ones are in no tree and come last; nodes of the halo are not here.
pub(super) fn order(mut nodes: Vec<Node>) -> Vec<u32> {
    let n = nodes.len();
    let total: i32 = nodes.iter().map(|node| node.rows.max(0)).sum();
    for node in &mut nodes {
        // What only the halo is left of has no parent.
        if node.elements < NOBODY && node.start >= 0 {
            node.start = NOBODY;
        }
        node.start = flip(node.start);
        node.elements = flip(node.elements);
    }
    // A row that was merged belongs to the element that its variable became.
    for i in 0..n {
        if nodes[i].rows != 0 || nodes[i].start == NOBODY {
            continue;
        }
        let mut element = nodes[i].start as usize;
        while nodes[element].rows == 0 {
            element = nodes[element].start as usize;
        }
        let mut j = i;
        while nodes[j].rows == 0 {
            j = std::mem::replace(&mut nodes[j].start, element as i32) as usize;
        }
    }
    let (mut child, sibling) = children(&nodes);
    let mut place = vec![NOBODY; n];
    let mut count = 0;
    let mut stack = Vec::new();
    for root in 0..n {
        if nodes[root].rows == 0 || nodes[root].start != NOBODY {
            continue;
        }
        stack.push(root as i32);
        while let Some(&e) = stack.last() {
            let first = std::mem::replace(&mut child[e as usize], NOBODY);
            if first == NOBODY {
                stack.pop();
                // Its rows come together; the element's own last.
                place[e as usize] = count;
                count += nodes[e as usize].rows;
                continue;
            }
            let bottom = stack.len();
            let mut e = first;
            while e != NOBODY {
                stack.push(e);
                e = sibling[e as usize];
            }
            stack[bottom..].reverse();
        }
    }
    // A row that stands for several leaves the places of the others free.
    let mut next = place;
    let mut order = vec![NONE; total as usize];
    let mut dense = Vec::new();
    for (i, node) in nodes.iter().enumerate().filter(|(_, node)| node.rows == 0) {
        if node.start == NOBODY {
            dense.push(i as u32);
        } else {
            let place = &mut next[node.start as usize];
            order[*place as usize] = i as u32;
            *place += 1;
        }
    }
    for (i, _) in nodes.iter().enumerate().filter(|(_, node)| node.rows != 0) {
        order[next[i] as usize] = i as u32;
    }
    order.retain(|&row| row != NONE);
    order.extend(dense);
    order
}

/// First children and next siblings, the child with the largest front last.
fn children(nodes: &[Node]) -> (Vec<i32>, Vec<i32>) {
    let n = nodes.len();
    let (mut child, mut sibling) = (vec![NOBODY; n], vec![NOBODY; n]);
    for (j, node) in nodes.iter().enumerate().rev() {
        if node.rows > 0 && node.start != NOBODY {
            sibling[j] = std::mem::replace(&mut child[node.start as usize], j as i32);
        }
    }
    for first in &mut child {
        let (mut before, mut largest, mut before_largest) = (NOBODY, NOBODY, NOBODY);
        let (mut front, mut e) = (-1, *first);
        while e != NOBODY {
            if nodes[e as usize].elements >= front {
                (front, largest, before_largest) = (nodes[e as usize].elements, e, before);
            }
            before = e;
            e = sibling[e as usize];
        }
        if largest == NOBODY || sibling[largest as usize] == NOBODY {
            continue;
        }
        let after = std::mem::replace(&mut sibling[largest as usize], NOBODY);
        match before_largest {
            NOBODY => *first = after,
            e => sibling[e as usize] = after,
        }
        sibling[before as usize] = largest;
    }
    (child, sibling)
}
