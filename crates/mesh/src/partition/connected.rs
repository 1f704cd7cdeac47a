//! Connected parts as a guarantee.
//!
//! **Problem.** A net, limits of parts, and a way to cut; out come parts of which each is in one
//! piece, no heavier than without that demand, or an error.
//!
//! **Method.** A graph of several components has parts within each: as many as its weight needs.
//! Within one, parts are cut, and strays joined to others (`contiguous.rs`). Where that
//! ends with parts that are too heavy, other seeds are tried; then the edges of spanning trees, whose
//! subtrees are taken bottom-up as long as they fit. On a tree that finds parts if there are any.
//!
//! **Cost.** That of the cut and a search through the net; for each further try the same again.
//!
//! **Reference.** Kundu, Misra, *A linear tree partitioning algorithm*, 1977.

use super::contiguous::{make_contiguous, smooth_contiguous};
use super::goals::Goals;
use super::net::Net;
use super::{PartitionError, PartitionParams};
use palmette_core::NONE;
use palmette_core::random::{Purpose, Random};

/// Cuts with other seeds that are tried.
const SEEDS: u64 = 3;

/// Parts in one piece each; `cut` makes parts that need not be.
pub(super) fn connected(
    net: &Net,
    params: &PartitionParams,
    goals: &Goals,
    cut: &dyn Fn(&Net, &PartitionParams, &Goals) -> Vec<u32>,
) -> Result<Vec<u32>, PartitionError> {
    let (component, components) = check_components(net, params.parts)?;
    if components > 1
        && goals.plain
        && let Some(numbers) = allot(net, &component, components, goals)
    {
        return by_component(net, params, goals, (&component, &numbers), cut);
    }
    let mut least = i64::MAX;
    for attempt in 0..=SEEDS {
        let seed = params.seed.wrapping_add(attempt.wrapping_mul(0x9e37_79b9));
        let part = cut(net, &PartitionParams { seed, ..*params }, goals);
        let free = goals.parts(net, part);
        least = least.min(excess(&free));
        let whole = make_contiguous(net, free);
        if keeps(net, goals, &whole, least) {
            return Ok(whole);
        }
        if attempt == 0
            && goals.plain
            && components == 1
            && net.entries.len() == 2 * (net.len() - 1)
        {
            // On a tree the last way finds what there is.
            break;
        }
    }
    let found = if goals.plain && components == 1 { by_trees(net, params, goals) } else { None };
    let tree = net.entries.len() == 2 * (net.len() - components);
    found.ok_or(PartitionError::NotConnected { proved: goals.plain && tree && components == 1 })
}

/// Parts made connected as they are; `None` where that makes them too heavy.
pub(super) fn mended(net: &Net, goals: &Goals, part: Vec<u32>) -> Option<Vec<u32>> {
    let parts = goals.parts(net, part);
    let least = excess(&parts);
    Some(make_contiguous(net, parts)).filter(|part| keeps(net, goals, part, least))
}

fn excess(parts: &super::refine::Parts) -> i64 {
    (0..parts.limits.len() as u32).map(|p| parts.excess(p)).sum()
}

/// Whether parts are each in one piece, none is empty, and they are too heavy by no more than this.
fn keeps(net: &Net, goals: &Goals, part: &[u32], least: i64) -> bool {
    let parts = goals.parts(net, part.to_vec());
    excess(&parts) <= least && parts.counts.iter().all(|&count| count > 0) && {
        pieces_of(net, part) == goals.limits.len()
    }
}

/// By vertex its component, and their number, which is not above that of the parts.
pub(super) fn check_components(net: &Net, parts: u32) -> Result<(Vec<u32>, usize), PartitionError> {
    let found = components(net);
    match found.1 > parts as usize {
        true => Err(PartitionError::Components { components: found.1, parts }),
        false => Ok(found),
    }
}

fn components(net: &Net) -> (Vec<u32>, usize) {
    search(net, &vec![0; net.len()])
}

/// In how many pieces parts are.
fn pieces_of(net: &Net, part: &[u32]) -> usize {
    search(net, part).1
}

fn search(net: &Net, part: &[u32]) -> (Vec<u32>, usize) {
    let mut of = vec![NONE; net.len()];
    let (mut count, mut stack) = (0, Vec::new());
    for start in 0..net.len() as u32 {
        if of[start as usize] != NONE {
            continue;
        }
        of[start as usize] = count;
        stack.push(start);
        while let Some(v) = stack.pop() {
            for &(w, _) in net.row(v) {
                if part[w as usize] == part[v as usize] && of[w as usize] == NONE {
                    of[w as usize] = count;
                    stack.push(w);
                }
            }
        }
        count += 1;
    }
    (of, count as usize)
}

/// How many parts each component has; `None` where they weigh too much for these.
fn allot(net: &Net, component: &[u32], components: usize, goals: &Goals) -> Option<Vec<u32>> {
    let limit = goals.limits[0].max(1);
    let mut weights = vec![0i64; components];
    let mut sizes = vec![0u32; components];
    for (v, &c) in component.iter().enumerate() {
        weights[c as usize] += net.weights[v];
        sizes[c as usize] += 1;
    }
    let mut numbers: Vec<u32> =
        weights.iter().map(|weight| ((weight + limit - 1) / limit).max(1) as u32).collect();
    let used: u32 = numbers.iter().sum();
    let mut left = (goals.limits.len() as u32).checked_sub(used)?;
    if numbers.iter().zip(&sizes).any(|(number, size)| number > size) {
        return None;
    }
    // The heaviest parts are halved first.
    let load = |c: usize, number: u32| (weights[c] / i64::from(number), std::cmp::Reverse(c));
    let mut heap: std::collections::BinaryHeap<_> =
        (0..components).filter(|&c| numbers[c] < sizes[c]).map(|c| load(c, numbers[c])).collect();
    while left > 0 {
        let (_, std::cmp::Reverse(c)) = heap.pop()?;
        numbers[c] += 1;
        left -= 1;
        if numbers[c] < sizes[c] {
            heap.push(load(c, numbers[c]));
        }
    }
    Some(numbers)
}

/// Parts of every component by itself.
fn by_component(
    net: &Net,
    params: &PartitionParams,
    goals: &Goals,
    (component, numbers): (&[u32], &[u32]),
    cut: &dyn Fn(&Net, &PartitionParams, &Goals) -> Vec<u32>,
) -> Result<Vec<u32>, PartitionError> {
    let mut vertices: Vec<Vec<u32>> = vec![Vec::new(); numbers.len()];
    let mut place = vec![0; net.len()];
    for (v, &c) in component.iter().enumerate() {
        place[v] = vertices[c as usize].len() as u32;
        vertices[c as usize].push(v as u32);
    }
    let (mut part, mut first) = (vec![0; net.len()], 0);
    for (c, (vertices, &parts)) in vertices.iter().zip(numbers).enumerate() {
        let inside = net.induced(vertices, &place);
        let seed = params.seed.wrapping_add(c as u64);
        let params = PartitionParams { parts, seed, ..*params };
        let limits = vec![goals.limits[0]; parts as usize];
        let goals = Goals { limits, ..goals.clone() };
        let found = match parts {
            1 => vec![0; inside.len()],
            _ => connected(&inside, &params, &goals, cut)?,
        };
        vertices.iter().zip(found).for_each(|(&v, p)| part[v as usize] = first + p);
        first += parts;
    }
    Ok(part)
}

/// Parts that are subtrees of spanning trees: of some, those with the smallest cut.
fn by_trees(net: &Net, params: &PartitionParams, goals: &Goals) -> Option<Vec<u32>> {
    let mut random = Random::numbered(params.seed, Purpose::Partition, 1 << 61);
    let mut best: Option<(u64, Vec<u32>)> = None;
    for deep in [false, false, true] {
        let root = random.below(net.len() as u32);
        let (order, parent) = spanning_tree(net, root, deep);
        let Some(part) = subtrees(net, &order, &parent, goals) else { continue };
        let part = smooth_contiguous(net, goals.parts(net, part));
        let cut = net.cut(&part);
        if best.as_ref().is_none_or(|best| cut < best.0) && keeps(net, goals, &part, 0) {
            best = Some((cut, part));
        }
    }
    best.map(|best| best.1)
}

/// The vertices in an order in which parents come first, and by vertex its parent.
fn spanning_tree(net: &Net, root: u32, deep: bool) -> (Vec<u32>, Vec<u32>) {
    let mut parent = vec![NONE; net.len()];
    let mut order = vec![root];
    parent[root as usize] = root;
    if !deep {
        let mut next = 0;
        while let Some(&v) = order.get(next) {
            next += 1;
            for &(w, _) in net.row(v) {
                if parent[w as usize] == NONE {
                    parent[w as usize] = v;
                    order.push(w);
                }
            }
        }
        return (order, parent);
    }
    // Depth first: where in its row each vertex on the way is.
    let mut way = vec![(root, 0)];
    while let Some((v, at)) = way.last_mut() {
        let v = *v;
        let Some(&(w, _)) = net.row(v).get(*at) else {
            way.pop();
            continue;
        };
        *at += 1;
        if parent[w as usize] == NONE {
            parent[w as usize] = v;
            order.push(w);
            way.push((w, 0));
        }
    }
    (order, parent)
}

/// As many subtrees as parts, none heavier than the limit, as even as that allows.
fn subtrees(net: &Net, order: &[u32], parent: &[u32], goals: &Goals) -> Option<Vec<u32>> {
    let (limit, parts) = (goals.limits[0], goals.limits.len());
    let heaviest = net.weights.iter().copied().max().unwrap_or(0);
    let enough = |limit: i64| roots_within(net, order, parent, limit).filter(|r| r.len() <= parts);
    let mut found = enough(limit)?;
    let (mut low, mut high) = (heaviest.max(net.weight() / parts as i64), limit);
    while low < high {
        let middle = low + (high - low) / 2;
        match enough(middle) {
            Some(roots) => (found, high) = (roots, middle),
            None => low = middle + 1,
        }
    }
    let mut part = vec![NONE; net.len()];
    found.iter().zip(0..).for_each(|(&root, p)| part[root as usize] = p);
    let mut sizes = vec![0u32; found.len()];
    for &v in order {
        if part[v as usize] == NONE {
            part[v as usize] = part[parent[v as usize] as usize];
        }
        sizes[part[v as usize] as usize] += 1;
    }
    // Leaves of what is left become parts of their own.
    let mut missing = parts - found.len();
    for &v in order.iter().rev() {
        if missing == 0 {
            break;
        }
        let own = part[v as usize] as usize;
        if own < found.len() && sizes[own] > 1 && found[own] != v {
            sizes[own] -= 1;
            part[v as usize] = (parts - missing) as u32;
            missing -= 1;
        }
    }
    (missing == 0).then_some(part)
}

/// The roots of the fewest subtrees within a limit: from the leaves on, a vertex gives its heaviest
/// children away until it and the others are light enough. `None` where a vertex is too heavy.
fn roots_within(net: &Net, order: &[u32], parent: &[u32], limit: i64) -> Option<Vec<u32>> {
    let mut weights = net.weights.clone();
    if weights.iter().any(|&weight| weight > limit) {
        return None;
    }
    // By vertex, its children that have not been given away.
    let mut first = vec![0u32; net.len() + 1];
    order.iter().skip(1).for_each(|&v| first[parent[v as usize] as usize + 1] += 1);
    (0..net.len()).for_each(|v| first[v + 1] += first[v]);
    let mut fill = first.clone();
    let mut children = vec![0; net.len().saturating_sub(1)];
    for &v in order.iter().skip(1) {
        let at = &mut fill[parent[v as usize] as usize];
        children[*at as usize] = v;
        *at += 1;
    }
    let mut roots = vec![order[0]];
    for &v in order.iter().rev() {
        let range = first[v as usize] as usize..first[v as usize + 1] as usize;
        let children = &mut children[range];
        let mut sum = weights[v as usize];
        sum += children.iter().map(|&c| weights[c as usize]).sum::<i64>();
        if sum > limit {
            children.sort_unstable_by_key(|&c| (std::cmp::Reverse(weights[c as usize]), c));
            for &c in children.iter() {
                if sum <= limit {
                    break;
                }
                sum -= weights[c as usize];
                roots.push(c);
            }
        }
        weights[v as usize] = sum;
    }
    Some(roots)
}
