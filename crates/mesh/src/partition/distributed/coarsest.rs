//! The smallest net, on one rank, which cuts it as one machine would.

use super::shard::Shard;
use crate::partition::net::Net;
use palmette_core::ranks::{Mail, Metered, Ranks, RanksError};

/// Gives the whole net to rank 0, with a label for each vertex if there are some, and takes
/// parts for all vertices from there.
pub(super) fn on_one<R: Ranks>(
    ranks: &mut Metered<R>,
    shard: &Shard,
    labels: Option<&[u32]>,
    cut: impl FnOnce(&Net, Option<Vec<u32>>) -> Vec<u32>,
) -> Result<Vec<u32>, RanksError> {
    let located = ranks.sum(shard.points.len() as u64)? > 0;
    let mut words = Vec::with_capacity(5 * shard.len() + shard.entries.len());
    for v in 0..shard.len() as u32 {
        let row = shard.row(v);
        let label = labels.map_or(0, |labels| labels[v as usize]);
        words.push(u64::from(label) << 32 | row.len() as u64);
        words.push(shard.weights[v as usize] as u64);
        if located {
            words.extend(shard.points[v as usize].map(f64::to_bits));
        }
        let entry = |&(w, x): &(u32, u32)| u64::from(shard.number(w)) << 32 | u64::from(x);
        words.extend(row.iter().map(entry));
    }
    let mut counts = vec![0; ranks.ranks()];
    counts[0] = words.len();
    let mail = ranks.exchange(&words, &counts)?;
    drop(words);
    let part = match ranks.rank() {
        0 => {
            let (net, found) = whole(&mail, located, shard.total() as usize);
            drop(mail);
            cut(&net, labels.is_some().then_some(found))
        }
        _ => Vec::new(),
    };
    let mut counts = vec![0; ranks.ranks()];
    if ranks.rank() == 0 {
        for (rank, count) in counts.iter_mut().enumerate() {
            let of = shard.slices.of(rank);
            *count = (of.end - of.start) as usize;
        }
    }
    let words: Vec<u64> = part.into_iter().map(u64::from).collect();
    let own = ranks.exchange(&words, &counts)?;
    Ok(own.words.into_iter().map(|p| p as u32).collect())
}

fn whole(mail: &Mail, located: bool, vertices: usize) -> (Net, Vec<u32>) {
    let words = &mail.words;
    let mut net = Net { offsets: vec![0], ..Net::default() };
    let mut labels = Vec::with_capacity(vertices);
    let mut at = 0;
    while at < words.len() {
        let length = words[at] as u32 as usize;
        labels.push((words[at] >> 32) as u32);
        net.weights.push(words[at + 1] as i64);
        at += 2;
        if located {
            net.points.push(std::array::from_fn(|k| f64::from_bits(words[at + k])));
            at += 3;
        }
        let row = &words[at..at + length];
        net.entries.extend(row.iter().map(|&word| ((word >> 32) as u32, word as u32)));
        net.offsets.push(net.entries.len());
        at += length;
    }
    (net, labels)
}
