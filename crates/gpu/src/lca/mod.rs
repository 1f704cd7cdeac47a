//! Lowest common ancestors on a device, many at a time. See [`palmette_tree::lca`] for the
//! problem and the method.
//!
//! **Cost.** O(n) to prepare, on the device, 20 bytes per vertex; O(1) per query: two records of 16
//! bytes and at most two words are fetched. Queries take 28 bytes of device memory.
//!
//! **Determinism.** Answers depend on the input only.
//!
//! **Reference.** Schieber and Vishkin, 1988.

mod index;

use crate::array::Array;
use crate::batch::{Batch, Binding, Source, read, write};
use crate::tiles::tiles;
use crate::{Device, GpuError, Seconds};
use palmette_core::operator::Sum;

const LABELS: Binding = read("labels", "u32");
pub(crate) const RECORDS: Binding = read("records", "vec4<u32>");
pub(crate) const PAIRS: Binding = read("pairs", "vec2<u32>");
const STATES: Binding = write("states", "vec4<u32>");

const MEET: Source = Source {
    params: &["count", "first", "length", "second", "second_length"],
    arrays: &[PAIRS, read("one", "vec4<u32>"), read("two", "vec4<u32>"), STATES],
    body: include_str!("../wgsl/lca_meet.wgsl"),
};

const ENTER: Source = Source {
    params: &["count", "first", "length"],
    arrays: &[read("enters", "u32"), STATES],
    body: include_str!("../wgsl/lca_enter.wgsl"),
};

const ANSWER: Source = Source {
    params: &["count"],
    arrays: &[read("states", "vec4<u32>"), write("answers", "u32")],
    body: include_str!("../wgsl/lca_answer.wgsl"),
};

const DISTANCE: Source = Source {
    params: &["count", "first", "length"],
    arrays: &[PAIRS, read("answers", "u32"), RECORDS, write("distances", "u32")],
    body: include_str!("../wgsl/lca_distance.wgsl"),
};

/// An index for lowest common ancestors, on a device.
#[derive(Debug)]
pub struct DeviceLca {
    /// By position: number, inlabel, ascendant, depth.
    pub(crate) records: Array,
    enters: Array,
    upload: f64,
    compute: f64,
}

/// What queries ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    Ancestors,
    Distances,
}

impl DeviceLca {
    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What preparing took, beside the transfer of the Euler tour.
    pub fn seconds(&self) -> Seconds {
        Seconds { upload: self.upload, compute: self.compute, download: 0.0 }
    }

    /// The lowest common ancestor of each pair of positions; [`NONE`](palmette_core::NONE)
    /// across trees.
    ///
    /// # Errors
    /// A position that does not exist, too little memory, a lost device.
    pub fn batch(&self, pairs: &[(u32, u32)]) -> Result<(Vec<u32>, Seconds), GpuError> {
        self.ask(pairs, Asked::Ancestors)
    }

    /// The number of edges between each pair; [`NONE`](palmette_core::NONE) across trees.
    ///
    /// # Errors
    /// As [`DeviceLca::batch`].
    pub fn edge_distances(&self, pairs: &[(u32, u32)]) -> Result<(Vec<u32>, Seconds), GpuError> {
        self.ask(pairs, Asked::Distances)
    }

    fn ask(&self, pairs: &[(u32, u32)], asked: Asked) -> Result<(Vec<u32>, Seconds), GpuError> {
        let (queries, upload) = self.upload(pairs)?;
        let mut batch = Batch::new(self.device(), &Sum::<u32>::new());
        let mut answers = self.ancestors(&mut batch, &queries)?;
        if asked == Asked::Distances {
            answers = self.distances(&mut batch, &queries, answers)?;
        }
        batch.keep([queries]);
        let compute = batch.run()?;
        let (answers, download) = answers.read()?;
        Ok((answers, Seconds { upload, compute, download }))
    }

    pub(crate) fn device(&self) -> &Device {
        self.records.device()
    }

    /// Pairs on the device, and the seconds that bringing them took.
    pub(crate) fn upload(&self, pairs: &[(u32, u32)]) -> Result<(Array, f64), GpuError> {
        self.check(pairs)?;
        self.device().sent(|| {
            let queries: Vec<[u32; 2]> = pairs.iter().map(|&(u, v)| [u, v]).collect();
            Array::from_slice(self.device(), &queries)
        })
    }

    /// Adds what finds the lowest common ancestors to a batch.
    pub(crate) fn ancestors(
        &self,
        batch: &mut Batch<'_>,
        queries: &Array,
    ) -> Result<Array, GpuError> {
        let states = Array::new::<[u32; 4]>(self.device(), queries.len())?;
        let answers = Array::new::<u32>(self.device(), queries.len())?;
        self.meet(batch, queries, &states)?;
        let read = batch.kernel(&ANSWER)?;
        batch.all(&read, &[&states, &answers]);
        batch.keep([states]);
        Ok(answers)
    }

    fn check(&self, pairs: &[(u32, u32)]) -> Result<(), GpuError> {
        let vertices = self.len();
        let strange = |&(u, v): &(u32, u32)| u.max(v) as usize >= vertices;
        match pairs.iter().position(strange) {
            Some(pair) => {
                let position = pairs[pair].0.max(pairs[pair].1);
                Err(GpuError::NoSuchVertex { pair, position, vertices })
            }
            None => Ok(()),
        }
    }

    /// Where both ways up enter the answer's path, by query.
    fn meet(&self, batch: &mut Batch<'_>, queries: &Array, states: &Array) -> Result<(), GpuError> {
        let (meet, enter) = (batch.kernel(&MEET)?, batch.kernel(&ENTER)?);
        for (k, e, [count, first, length]) in tiles(queries, &self.records) {
            for f in 0..self.records.count() {
                let second = self.records.range(f);
                let numbers = [count, first, length, second.start as u32, second.len() as u32];
                let (one, two) = (self.records.chunk(e), self.records.chunk(f));
                batch.each(&meet, &[queries.chunk(k), one, two, states.chunk(k)], &numbers);
            }
        }
        for (k, e, numbers) in tiles(states, &self.enters) {
            batch.each(&enter, &[self.enters.chunk(e), states.chunk(k)], &numbers);
        }
        Ok(())
    }

    fn distances(
        &self,
        batch: &mut Batch<'_>,
        queries: &Array,
        answers: Array,
    ) -> Result<Array, GpuError> {
        let distance = batch.kernel(&DISTANCE)?;
        // New arrays are zero.
        let sums = Array::new::<u32>(batch.device(), answers.len())?;
        for (k, e, numbers) in tiles(queries, &self.records) {
            let records = self.records.chunk(e);
            let arrays = [queries.chunk(k), answers.chunk(k), records, sums.chunk(k)];
            batch.each(&distance, &arrays, &numbers);
        }
        batch.keep([answers]);
        Ok(sums)
    }
}
