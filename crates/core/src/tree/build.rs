//! Building (simple first version).

use super::{SiblingOrder, Tree, TreeParams};
use crate::{NONE, TreeError};

pub(super) fn build(parents: &[u32], params: TreeParams) -> Result<Tree, TreeError> {
    let n = parents.len();
    let mut count = vec![0u32; n + 1];
    let mut roots = Vec::new();
    for (v, &p) in parents.iter().enumerate() {
        if p == NONE { roots.push(v as u32); continue; }
        if p as usize >= n { return Err(TreeError::ParentOutOfRange { vertex: v as u32, parent: p, vertices: n }); }
        count[p as usize + 1] += 1;
    }
    for i in 0..n { count[i + 1] += count[i]; }
    let mut child = vec![0u32; n];
    let mut next = count.clone();
    for (v, &p) in parents.iter().enumerate() {
        if p != NONE { child[next[p as usize] as usize] = v as u32; next[p as usize] += 1; }
    }
    // breadth-first to get sizes
    let mut order: Vec<u32> = roots.clone();
    let mut at = 0;
    while at < order.len() {
        let v = order[at] as usize; at += 1;
        order.extend_from_slice(&child[count[v] as usize..count[v + 1] as usize]);
    }
    if order.len() < n {
        let mut seen = vec![0u8; n];
        for &v in &order { seen[v as usize] = 1; }
        let mut v = seen.iter().position(|&s| s == 0).expect("some vertex is not reached") as u32;
        while seen[v as usize] == 0 { seen[v as usize] = 2; v = parents[v as usize]; }
        let mut vertices = vec![v];
        let mut w = parents[v as usize];
        while w != v { vertices.push(w); w = parents[w as usize]; }
        let length = vertices.len();
        vertices.truncate(8);
        return Err(TreeError::Cycle { vertices, length });
    }
    if roots.len() > 1 && !params.forest {
        return Err(TreeError::ManyRoots { first: roots[0], second: roots[1], count: roots.len() });
    }
    let mut size = vec![1u32; n];
    for &v in order.iter().rev() {
        let p = parents[v as usize];
        if p != NONE { size[p as usize] += size[v as usize]; }
    }
    let sort = |list: &mut [u32]| match params.siblings {
        SiblingOrder::AsGiven => {}
        SiblingOrder::LightFirst => list.sort_by_key(|&c| size[c as usize]),
        SiblingOrder::HeavyFirst => list.sort_by_key(|&c| std::cmp::Reverse(size[c as usize])),
    };
    for v in 0..n { sort(&mut child[count[v] as usize..count[v + 1] as usize]); }
    sort(&mut roots);
    let mut tree = Tree { parent: vec![NONE; n], size: vec![1; n], vertex_at: vec![0; n], position_of: vec![0; n], roots: roots.len() as u32 };
    let mut stack: Vec<u32> = roots.iter().rev().copied().collect();
    let mut i = 0;
    while let Some(v) = stack.pop() {
        tree.vertex_at[i] = v;
        tree.position_of[v as usize] = i as u32;
        tree.size[i] = size[v as usize];
        let p = parents[v as usize];
        if p != NONE { tree.parent[i] = tree.position_of[p as usize]; }
        stack.extend(child[count[v as usize] as usize..count[v as usize + 1] as usize].iter().rev());
        i += 1;
    }
    Ok(tree)
}

