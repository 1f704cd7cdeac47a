//! Vectors are added up along a line of processors: replays against closed forms.
//!
//! P processors in a row have a vector of B words each; the first is to get the sum. The four
//! schemes are those of Luczynski et al., *Near-Optimal Wafer-Scale Reduce*. Their model is
//! `T = max(C, E/N + L) + (2R + 1)·D` with contention C, energy E, links N, the longest way L and
//! depth D. A message takes `m = 2R + 1 = 5` cycles, and a cycle per hop. **Published** is what
//! the model gives; **word by word** is when the words of the streams arrive, derived from
//! the routers alone.
//!
//! **Star.** Everyone sends straight to the first. Published: C = B(P − 1), D = 1, and the streams
//! fill the last link without a gap, so that L is hidden: `T = B(P − 1) + m`. Word by word: the
//! nearest word arrives at `m + 1`, and one in every cycle after it: the same.
//!
//! **Chain.** Everyone adds the stream from its right to its own vector and passes the sum on, word
//! by word. Published: C = B, E/N = B, L = D = P − 1: `T = B + (m + 1)(P − 1)`. Word by word: the
//! first word takes `m + 1` cycles per processor, and B − 1 follow it:
//! `T = B − 1 + (m + 1)(P − 1)`.
//!
//! **Tree.** In round r the odd multiples of 2^r send 2^r to the left. Published: C = B log P,
//! E/N = B (P/2) log P / (P − 1), L = P − 1: `T = max(B log P, E/N + L) + m log P`. Word by word:
//! who sends in round r passes on the stream of round r − 1, and begins when its receiver begins
//! to hear a stream of that round, too. The receiver hears it `2^r + m` cycles later, but not
//! before the B words of the other stream. So `h(0) = 1 + m`,
//! `h(r) = h(r − 1) + max(B, 2^r + m)` and `T = h(log P − 1) + B − 1`, as if streams of different
//! receivers did not meet.
//!
//! **Two phases.** Chains in groups of S ≈ √P; when the first of a group has the sum of the group,
//! a chain of these. Published, with G = P/S groups: C = 2B, D = S + G − 2, L = P − 1,
//! E = B (P − G) + B (P − S) over P − 1 links: `T = max(2B, E/N + L) + m·D`. Word by word: one
//! chain after the other, with S hops per message in the second:
//! `T = B − 1 + (m + 1)(S − 1) + B − 1 + (m + S)(G − 1)`.
//!
//! **The estimate.** [`CyclesEstimate`] knows sums only: C, E, N, L, D and the words over the busiest
//! link. It is what the published model gives, but for the star, where depth 1 says that ways
//! hide behind words. So it is within a tenth for star and chain at all sizes, and elsewhere
//! off where the published form is.
//!
//! Where the published form is not within a tenth (18 of 88 sizes of the tree, by up to 23%; one of
//! two phases, by 11%), it adds what overlaps: `m` cycles of a round
//! of the tree, in which the ramp is still busy with the round before; or it takes the larger of
//! two times that follow each other: in two phases, 2B words through a ramp and the P − 1 hops of
//! the first word.

use palmette_spatial::Cell;
use palmette_spatial::machine::network::{NetworkParams, replay};
use palmette_spatial::machine::{CyclesEstimate, Sent, Trace};

/// Cycles of a message beside its hops.
const M: f64 = 5.0;

fn cycles(p: u32, sent: Vec<Sent>) -> f64 {
    let trace =
        Trace { processors: p as usize, phases: vec!["reduce".into()], sent, handled: None };
    let cells: Vec<Cell> = (0..p).map(|x| Cell { x, y: 0 }).collect();
    replay(&trace, &cells, NetworkParams::default()).unwrap().cycles as f64
}

/// The words of a stream that is passed on as it arrives: word `j` waits for word `j` of the last
/// stream that its sender hears, and for the others before that one. At step 0 nothing has been
/// heard.
fn stream(sent: &mut Vec<Sent>, step: u32, from: u32, to: u32, words: u32, others: u32) {
    for j in 0..words {
        let heard = if step == 0 { 0 } else { others * words + j + 1 };
        sent.push(Sent { step, from, to, phase: 0, words: 1, heard });
    }
}

fn star(p: u32, b: u32) -> Vec<Sent> {
    (1..p).map(|from| Sent { step: 0, from, to: 0, phase: 0, words: b, heard: 0 }).collect()
}

fn chain(p: u32, b: u32) -> Vec<Sent> {
    let mut sent = Vec::new();
    (1..p).rev().for_each(|i| stream(&mut sent, p - 1 - i, i, i - 1, b, 0));
    sent
}

/// Whoever has heard rounds 0 to r - 1 is at clock r.
fn tree(p: u32, b: u32) -> Vec<Sent> {
    let mut sent = Vec::new();
    for r in 0..p.ilog2() {
        let senders = (0..p >> (r + 1)).map(|i| (2 * i + 1) << r);
        senders.for_each(|i| stream(&mut sent, r, i, i - (1 << r), b, r.max(1) - 1));
    }
    sent
}

/// The length of a group: the power of two next to √P.
fn group(p: u32) -> u32 {
    1 << (p.ilog2() / 2)
}

fn two_phases(p: u32, b: u32) -> Vec<Sent> {
    let s = group(p);
    let mut sent = Vec::new();
    for step in 0..s - 1 {
        for first in (0..p).step_by(s as usize) {
            let i = first + s - 1 - step;
            stream(&mut sent, step, i, i - 1, b, 0);
        }
    }
    // The last group's sum is complete before its first word is sent on.
    let last = p - s;
    let whole = Sent { step: s - 1, from: last, to: last - s, phase: 0, words: 1, heard: b };
    sent.extend((0..b).map(|_| whole));
    for k in 1..p / s - 1 {
        let i = last - k * s;
        stream(&mut sent, s - 1 + k, i, i - s, b, 1);
    }
    sent
}

/// Times of star, chain, tree and two phases by the published model.
fn published(p: u32, b: u32) -> [f64; 4] {
    let (s, log) = (f64::from(group(p)), f64::from(p.ilog2()));
    let (p, b) = (f64::from(p), f64::from(b));
    let energy = b * (p - p / s) + b * (p - s);
    [
        b * (p - 1.0) + M,
        b + (M + 1.0) * (p - 1.0),
        f64::max(b * log, b * p * log / 2.0 / (p - 1.0) + p - 1.0) + M * log,
        f64::max(2.0 * b, energy / (p - 1.0) + p - 1.0) + M * (s + p / s - 2.0),
    ]
}

/// The same by the arrival of words.
fn word_by_word(p: u32, b: u32) -> [f64; 4] {
    let m = M as u32;
    let (s, mut heard) = (group(p), 1 + m);
    (1..p.ilog2()).for_each(|r| heard += b.max((1 << r) + m));
    let two = 2 * (b - 1) + (m + 1) * (s - 1) + (m + s) * (p / s - 1);
    [b * (p - 1) + m, b - 1 + (m + 1) * (p - 1), heard + b - 1, two].map(f64::from)
}

/// What the estimate says of these messages: all go to the left on a line, and the first and the
/// last processor are the ends of a chain.
fn estimate(p: u32, sent: &[Sent]) -> f64 {
    let mut words = vec![[0u64; 2]; p as usize];
    let mut links = vec![0u64; p as usize];
    let mut energy = 0;
    for message in sent {
        let size = u64::from(message.words);
        words[message.from as usize][0] += size;
        words[message.to as usize][1] += size;
        let way = message.to as usize..message.from as usize;
        energy += size * way.len() as u64;
        links[way].iter_mut().for_each(|link| *link += size);
    }
    let estimate = CyclesEstimate {
        busiest: words.into_iter().flatten().max().unwrap(),
        energy,
        links: links.iter().filter(|link| **link > 0).count() as u64,
        busiest_link: links.into_iter().max().unwrap(),
        chain: u64::from(p) - 1,
        depth: u64::from(sent.iter().map(|message| message.step).max().unwrap()) + 1,
        network: NetworkParams::default(),
    };
    estimate.cycles()
}

/// Powers of two: P from 4 to 512, B from 1 to 256, 1024 and 4096.
fn sizes() -> impl Iterator<Item = (u32, u32)> {
    let words = (0..=8).chain([10, 12]);
    (2..=9).flat_map(move |k| words.clone().map(move |l| (1 << k, 1 << l)))
}

/// No formula of the sums that the estimate is told is within a tenth everywhere: on four processors
/// the tree and the two phases have the same of them all, and take 21 and 27 cycles for 8 words.
#[test]
fn sums_do_not_decide_cycles() {
    for (_, b) in sizes().filter(|&(p, _)| p == 4) {
        assert_eq!(estimate(4, &tree(4, b)), estimate(4, &two_phases(4, b)), "{b} words");
    }
    assert_eq!([tree(4, 8), two_phases(4, 8)].map(|sent| cycles(4, sent)), [21.0, 27.0]);
}

#[test]
fn replays_agree_with_closed_forms() {
    // By scheme: sizes at which the published form is off by more than a tenth, and by how much.
    let (mut beyond, mut most) = ([0; 4], [0.0f64; 4]);
    // The same of the estimate.
    let (mut beyond_estimate, mut most_estimate) = ([0; 4], [0.0f64; 4]);
    for (p, b) in sizes() {
        let schemes = [star(p, b), chain(p, b), tree(p, b), two_phases(p, b)];
        let (derived, published) = (word_by_word(p, b), published(p, b));
        for (k, sent) in schemes.into_iter().enumerate() {
            let estimate = estimate(p, &sent);
            let found = cycles(p, sent);
            let off = (found / estimate - 1.0).abs();
            beyond_estimate[k] += u32::from(off > 0.1);
            most_estimate[k] = most_estimate[k].max(off);
            let off = (found / derived[k] - 1.0).abs();
            let bound = [0.0, 0.0, 0.1, 0.0][k];
            assert!(off <= bound, "scheme {k}, P = {p}, B = {b}: {found} against {}", derived[k]);
            let off = (found / published[k] - 1.0).abs();
            beyond[k] += u32::from(off > 0.1);
            most[k] = most[k].max(off);
        }
    }
    // Of 88 sizes.
    assert_eq!(beyond, [0, 0, 18, 1]);
    let bounds = [0.0, 0.053, 0.231, 0.113];
    assert!(most.iter().zip(bounds).all(|(most, bound)| *most <= bound), "{most:?}");
    assert_eq!(beyond_estimate, [0, 0, 18, 1]);
    assert!(
        most_estimate.iter().zip(bounds).all(|(most, bound)| *most <= bound),
        "{most_estimate:?}"
    );
}
