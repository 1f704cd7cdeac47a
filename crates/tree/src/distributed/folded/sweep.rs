//! What a rank does of a fold by itself: its subtrees, and its turn.
//!
//! **Method.** As in [`live`](crate::fold::live): from the last place to the first, values that wait for
//! their parent form a stack. Subtrees whose values are known are stepped over; a vertex with children on
//! later ranks begins with the sum that they tell.

use super::FoldSlices;
use crate::fold::Fold;
use palmette_core::vector::{Wide, widest};
use std::ops::Range;

/// Words of rows that ranks tell each other.
pub trait Scalar: Copy + Default + Send + Sync {
    /// As 64 bits.
    fn bits(self) -> u64;
    /// From what [`bits`](Scalar::bits) gives.
    fn of_bits(bits: u64) -> Self;
}

macro_rules! scalars {
    ($($kind:ty: $to:expr, $from:expr;)*) => {$(
        impl Scalar for $kind {
            fn bits(self) -> u64 {
                $to(self)
            }
            fn of_bits(bits: u64) -> $kind {
                $from(bits)
            }
        }
    )*};
}

scalars! {
    u8: u64::from, |bits| bits as u8;
    u16: u64::from, |bits| bits as u16;
    u32: u64::from, |bits| bits as u32;
    u64: |bits| bits, |bits| bits;
    f32: |x: f32| u64::from(x.to_bits()), |bits| f32::from_bits(bits as u32);
    f64: f64::to_bits, f64::from_bits;
}

/// What a rank has of a block after its own subtrees.
pub(super) struct Known<W, N> {
    /// The values of the subtrees, in their order.
    pub(super) rows: Vec<W>,
    pub(super) note: N,
}

/// The values of the large subtrees of the stretch.
pub(super) fn subtrees<F: Fold>(
    tree: &FoldSlices,
    op: &F,
    block: usize,
) -> Known<F::Word, F::Note> {
    let mut rows = Vec::with_capacity(tree.subtrees.len() * op.value_words());
    let mut note = op.note(block);
    for places in &tree.subtrees {
        let places = places.clone();
        let sweep = Sweep { tree, op, block, places, known: &[], sums: &[], note: &mut note };
        rows.extend(widest(sweep).stack);
    }
    Known { rows, note }
}

/// What is left of the stretch, given sums over children on later ranks; the values of the roots in it,
/// and sums for earlier ranks.
pub(super) fn turn<F: Fold>(
    tree: &FoldSlices,
    op: &F,
    block: usize,
    known: &mut Known<F::Word, F::Note>,
    sums: &[F::Word],
) -> (Vec<F::Word>, Vec<F::Word>) {
    let (width, long) = (op.value_words(), op.sum_words());
    let places = 0..tree.len() as u32;
    let Known { rows, note } = known;
    let Left { stack, told } = widest(Sweep { tree, op, block, places, known: rows, sums, note });
    let mut told = sums.chunks_exact(long).zip(&tree.after).skip(told).peekable();
    let mut out = Vec::with_capacity(tree.before.len() * long);
    let mut sum = vec![F::Word::default(); long];
    let (mut place, mut rows) = (0, &stack[..]);
    for (position, &count) in tree.before.iter().zip(&tree.outside) {
        match told.next_if(|&(_, of)| of == position) {
            Some((told, _)) => sum.copy_from_slice(told),
            None => op.clear(&mut sum),
        }
        let (rest, own) = rows.split_at(rows.len() - count as usize * width);
        place = gather(tree, op, block, place, own, &mut sum);
        rows = rest;
        out.extend_from_slice(&sum);
    }
    // The first root is on top.
    (rows.rchunks_exact(width).flatten().copied().collect(), out)
}

/// Adds the children from a place on, the first of which is on top; returns the place behind them.
#[inline(always)]
fn gather<F: Fold>(
    tree: &FoldSlices,
    op: &F,
    block: usize,
    mut child: u32,
    rows: &[F::Word],
    sum: &mut [F::Word],
) -> u32 {
    for row in rows.rchunks_exact(op.value_words()) {
        op.gather(block, child, row, sum);
        child = tree.ends[child as usize];
    }
    child
}

/// A sweep over some places.
struct Sweep<'a, F: Fold> {
    tree: &'a FoldSlices,
    op: &'a F,
    block: usize,
    places: Range<u32>,
    /// The values of subtrees, in their order; none where the places are one of them.
    known: &'a [F::Word],
    /// By vertex of `after`, the sum over its children there.
    sums: &'a [F::Word],
    note: &'a mut F::Note,
}

/// What is left of a sweep.
struct Left<W> {
    /// Values whose parents are elsewhere, the first one on top.
    stack: Vec<W>,
    /// How many sums were used.
    told: usize,
}

impl<F: Fold> Wide for Sweep<'_, F> {
    type Output = Left<F::Word>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Sweep { tree, op, block, places, known, sums, note } = self;
        let (width, long) = (op.value_words(), op.sum_words());
        let mut subtrees = tree.subtrees.iter().zip(known.chunks_exact(width)).peekable();
        let mut told = 0;
        let mut next = tree.waiting(told, sums.len() / long);
        let mut stack: Vec<F::Word> = Vec::new();
        let mut top = 0;
        let mut sum = vec![F::Word::default(); long];
        let mut value = vec![F::Word::default(); width];
        let mut place = places.end;
        while place > places.start {
            if stack.len() < top + width {
                stack.resize((2 * top).max(64 * width), F::Word::default());
            }
            if let Some((subtree, row)) = subtrees.next_if(|(subtree, _)| subtree.end == place) {
                stack[top..top + width].copy_from_slice(row);
                top += width;
                place = subtree.start;
                continue;
            }
            place -= 1;
            let open = next == Some(place);
            let count = tree.children[place as usize] as usize;
            if count == 0 && !open {
                op.leaf(block, place, &mut stack[top..top + width]);
                top += width;
                continue;
            }
            let bottom = top - count * width;
            let rows = &stack[bottom..top];
            let quick = count == 2 && !open && {
                let (second, first) = rows.split_at(width);
                op.pair(block, place, [first, second], &mut value, note)
            };
            if !quick {
                match open {
                    true => {
                        sum.copy_from_slice(&sums[told * long..][..long]);
                        told += 1;
                        next = tree.waiting(told, sums.len() / long);
                    }
                    false => op.clear(&mut sum),
                }
                gather(tree, op, block, place + 1, rows, &mut sum);
                op.finish(block, place, &sum, &mut value, note);
            }
            top = bottom + width;
            stack[bottom..top].copy_from_slice(&value);
        }
        stack.truncate(top);
        Left { stack, told }
    }
}

impl FoldSlices {
    /// The place of one of the first `sums` vertices of `after`, if it is in the stretch.
    #[inline(always)]
    fn waiting(&self, k: usize, sums: usize) -> Option<u32> {
        let place = self.after.get(k).filter(|_| k < sums)?.checked_sub(self.start())?;
        Some(place as u32)
    }
}
