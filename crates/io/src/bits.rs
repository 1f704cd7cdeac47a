//! Sets of vertices, a bit each.

#[derive(Debug, Clone)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    pub(crate) fn of(n: usize, member: impl Fn(u32) -> bool) -> Bits {
        let word = |w: usize| {
            let bits = (64 * w..(64 * w + 64).min(n)).filter(|&v| member(v as u32));
            bits.fold(0, |word, v| word | 1 << (v % 64))
        };
        Bits((0..n.div_ceil(64)).map(word).collect())
    }

    pub(crate) fn has(&self, vertex: u32) -> bool {
        self.0.get(vertex as usize / 64).is_some_and(|word| word >> (vertex % 64) & 1 == 1)
    }
}
