//! Passes over several columns of values, or over many small trees.
//!
//! **Problem.** Input: a tree on a device, and columns on the host with a value for every *vertex*.
//! Output: for each column its rootfix or leaffix, by vertex.
//!
//! **Method.** The tree's form goes up once. Columns are laid side by side until an element has four
//! words (four columns of 32 bits, two of 64), so that a pass over the tree serves all of them: a
//! kernel fetches 16 neighbouring bytes where it fetched 4. Groups of columns, and loads of small
//! trees, follow each other: while the device computes one, the host gathers the next from its
//! columns into memory that the device reads, and brings the answers of the one before back to
//! vertices. WebGPU has one queue, so whether the bus works while kernels do is the driver's choice.
//!
//! **Cost.** As the engine's for c / 4 (or c / 2) columns of elements of 16 bytes; two groups are on
//! the device at a time where there is memory for them, one where there is not.
//!
//! **Determinism.** As the engine's: columns do not meet.
//!
//! **When not to use.** For passes over values that stay on the device: see
//! [`DeviceValues`](crate::DeviceValues).

use crate::array::{Array, Fetched, strange};
use crate::batch::Running;
use crate::kernel::{Law, MOST_WORDS};
use crate::treefix::Start;
use crate::{DeviceTree, Element, GpuError, GroupKernel, Kernel, Seconds, packets};
use palmette_core::parallel;
use palmette_tree::{Direction, Scope};
use std::ops::Range;
use std::time::Instant;

/// Passes over columns by vertex.
///
/// ```no_run
/// use palmette_core::{NONE, Tree, operator::Max};
/// use palmette_gpu::{Columns, Device, DeviceParams, DeviceTree};
/// use palmette_tree::{Direction, Scope};
/// let (bush, path) = (Tree::from_parents(&[2, 2, NONE])?, Tree::from_parents(&[NONE, 0])?);
/// let forest = Tree::join(&[&bush, &path])?;
/// let device = Device::open(&DeviceParams::default())?;
/// let on = DeviceTree::new(&device, &forest)?;
/// let passes = Columns::new(&on, Direction::Leaffix, Scope::Inclusive);
/// let (most, _) = passes.trees(&Max::new(), &[&[1, 2, 3, 4, 5], &[9, 8, 7, 6, 5i64]])?;
/// assert_eq!(most, [[1, 2, 3, 5, 5], [9, 8, 9, 6, 5]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Columns<'a, 't> {
    tree: &'a DeviceTree<'t>,
    direction: Direction,
    scope: Scope,
    overlap: bool,
}

/// Answers by column, and what they took.
type Passed<E> = Result<(Vec<Vec<E>>, Seconds), GpuError>;

/// Vertices that are worth a task of the host's.
const GRAIN: usize = 1 << 13;

impl<'a, 't> Columns<'a, 't> {
    /// Passes in a direction.
    pub fn new(tree: &'a DeviceTree<'t>, direction: Direction, scope: Scope) -> Columns<'a, 't> {
        Columns { tree, direction, scope, overlap: true }
    }

    /// The same, with every transfer and every computation waited for: to see what each takes.
    pub fn apart(self) -> Columns<'a, 't> {
        Columns { overlap: false, ..self }
    }

    /// By a scan over the Euler tour.
    ///
    /// # Errors
    /// Columns without a value for every vertex, or with values that do not suit the operator; too
    /// little memory; a lost device.
    pub fn euler<G: GroupKernel>(&self, op: &G, columns: &[&[G::Elem]]) -> Passed<G::Elem> {
        self.pass(&Law::of_group(op), Some(crate::euler::start), columns)
    }

    /// Level by level.
    ///
    /// # Errors
    /// As [`Columns::euler`].
    pub fn levels<K: Kernel>(&self, op: &K, columns: &[&[K::Elem]]) -> Passed<K::Elem> {
        self.pass(&Law::of(op), Some(crate::levels::start), columns)
    }

    /// By rake and compress.
    ///
    /// # Errors
    /// As [`Columns::euler`].
    pub fn contract<K: Kernel>(&self, op: &K, columns: &[&[K::Elem]]) -> Passed<K::Elem> {
        self.pass(&Law::of(op), Some(crate::contract::start), columns)
    }

    /// A workgroup for every few trees of the forest, all in one dispatch.
    ///
    /// # Errors
    /// As [`Columns::euler`]; also [`GpuError::LargeTree`] for trees of more than 1,024 vertices,
    /// and [`GpuError::LongKernel`].
    pub fn trees<K: Kernel>(&self, op: &K, columns: &[&[K::Elem]]) -> Passed<K::Elem> {
        self.pass(&Law::of(op), None, columns)
    }

    fn pass<E: Element>(&self, law: &Law, start: Option<Start>, columns: &[&[E]]) -> Passed<E> {
        let tree = self.tree.tree();
        for column in columns {
            GpuError::check_length(tree.len(), column.len())?;
            if let Some((vertex, nan)) = strange(column).filter(|x| x.1 || !law.takes_infinity) {
                let position = tree.positions()[vertex] as usize;
                return Err(GpuError::NotFinite { position, nan });
            }
        }
        let mut answers = vec![vec![E::zeroed(); tree.len()]; columns.len()];
        let words: Vec<&[u32]> = columns.iter().map(|x| bytemuck::cast_slice(x)).collect();
        let mut into: Vec<&mut [u32]> =
            answers.iter_mut().map(|x| bytemuck::cast_slice_mut(x)).collect();
        let laws = [law.clone(), law.several()];
        let flow = Flow { passes: self, laws, start, columns: &words };
        let seconds = flow.run(&mut into)?;
        Ok((answers, seconds))
    }
}

/// Groups of columns on their way to the device and back.
struct Flow<'f> {
    passes: &'f Columns<'f, 'f>,
    /// For one column, and for several side by side.
    laws: [Law; 2],
    /// None for small trees in packets.
    start: Option<Start>,
    columns: &'f [&'f [u32]],
}

/// A load of positions and a group of columns.
#[derive(Clone)]
struct Job {
    load: usize,
    positions: Range<usize>,
    columns: Range<usize>,
}

/// A job that the device has. Its arrays are given back with it.
struct Sent {
    job: Job,
    running: Running,
    answers: Array,
    /// The vertices of the job, where they are neighbours.
    vertices: Option<Range<usize>>,
}

impl Flow<'_> {
    fn run(&self, answers: &mut [&mut [u32]]) -> Result<Seconds, GpuError> {
        let jobs = self.jobs()?;
        let mut seconds = Seconds::default();
        // One after the other, times are those of the device.
        if !self.passes.overlap || jobs.len() < 2 {
            for job in jobs {
                let Sent { job, running, answers: found, vertices } =
                    self.send(job, true, &mut seconds)?;
                seconds.compute += running.wait()?;
                let start = Instant::now();
                self.take(&job, vertices, found.fetch()?, answers)?;
                seconds.download += start.elapsed().as_secs_f64();
            }
            return Ok(seconds);
        }
        let mut finish = |(sent, fetched): (Sent, Fetched), seconds: &mut Seconds| {
            let start = Instant::now();
            let fetched = fetched.arrived()?;
            seconds.compute += start.elapsed().as_secs_f64();
            let start = Instant::now();
            self.take(&sent.job, sent.vertices, fetched, answers)?;
            seconds.download += start.elapsed().as_secs_f64();
            Ok::<(), GpuError>(())
        };
        let send = |job: Job, seconds: &mut Seconds| {
            let sent = self.send(job, false, seconds)?;
            let fetched = sent.answers.fetch()?;
            // Drivers in software compute while they are given commands.
            seconds.compute += sent.running.seconds();
            Ok((sent, fetched))
        };
        let mut waiting: Option<(Sent, Fetched)> = None;
        for job in jobs {
            let mut sent = send(job.clone(), &mut seconds);
            // Two at a time may be too many for this device.
            if let (Err(GpuError::Memory { .. }), true) = (&sent, waiting.is_some()) {
                waiting.take().map_or(Ok(()), |before| finish(before, &mut seconds))?;
                sent = send(job, &mut seconds);
            }
            if let Some(before) = waiting.replace(sent?) {
                finish(before, &mut seconds)?;
            }
        }
        waiting.map_or(Ok(()), |last| finish(last, &mut seconds))?;
        Ok(seconds)
    }

    /// All groups of columns for a load, then for the next: a load's form goes up once.
    fn jobs(&self) -> Result<Vec<Job>, GpuError> {
        let on = self.passes.tree;
        let loads: Vec<Range<usize>> = match self.start {
            Some(_) => std::iter::once(0..on.tree().len()).collect(),
            None => {
                let packets = on.packets()?;
                (0..packets.count()).map(|k| packets.range(k)).collect()
            }
        };
        let (side, count) = (self.laws[0].columns(), self.columns.len());
        let groups = || (0..count).step_by(side).map(|first| first..(first + side).min(count));
        let job = |(load, positions): (usize, &Range<usize>)| {
            let positions = positions.clone();
            groups().map(move |columns| Job { load, positions: positions.clone(), columns })
        };
        Ok(loads.iter().enumerate().filter(|(_, r)| !r.is_empty()).flat_map(job).collect())
    }

    /// Sends values and steps; `arrives` waits for the values.
    fn send(&self, job: Job, arrives: bool, seconds: &mut Seconds) -> Result<Sent, GpuError> {
        let Columns { tree: on, direction, scope, .. } = *self.passes;
        let (device, tree) = (on.device(), on.tree());
        let law = &self.laws[usize::from(job.columns.len() > 1)];
        let start = Instant::now();
        if self.start.is_none() {
            on.packets()?.load(device, tree, job.load)?;
        }
        let order = &tree.vertices()[job.positions.clone()];
        let columns = &self.columns[job.columns.clone()];
        let gather = match self.laws[0].words {
            1 => gather::<1>,
            2 => gather::<2>,
            _ => gather::<MOST_WORDS>,
        };
        let fill = |first: usize, block: &mut [u32]| {
            parallel::chunks_mut(block, GRAIN * law.words, |at, block| {
                gather(columns, &order[first + at / law.words..], law.words, block);
            });
        };
        let values = Array::filled(device, order.len(), law.words, &fill)?;
        if arrives {
            device.queue().submit([]);
            device.wait(start)?;
        }
        seconds.upload += start.elapsed().as_secs_f64();
        let ((answers, mut running), vertices) = match self.start {
            Some(start) => (start(on, &values, law, scope, direction)?, Some(0..tree.len())),
            None => {
                let load = on.packets()?.load(device, tree, job.load)?;
                let sent = packets::start(device, load, &values, law, scope, direction)?;
                (sent, load.vertices.clone())
            }
        };
        running.keep(values);
        Ok(Sent { job, running, answers, vertices })
    }

    /// Brings answers to their vertices.
    fn take(
        &self,
        job: &Job,
        vertices: Option<Range<usize>>,
        fetched: Fetched,
        answers: &mut [&mut [u32]],
    ) -> Result<(), GpuError> {
        let on = self.passes.tree;
        let views = fetched.chunks()?;
        let width = self.laws[usize::from(job.columns.len() > 1)].words;
        let found = Found {
            chunks: views.iter().map(|view| bytemuck::cast_slice(view)).collect(),
            chunk: on.device().bounds().chunk,
            width,
        };
        let spread = match self.laws[0].words {
            1 => spread::<1>,
            2 => spread::<2>,
            _ => spread::<MOST_WORDS>,
        };
        for (side, answers) in answers[job.columns.clone()].iter_mut().enumerate() {
            spread(&found, side, on.tree(), &job.positions, vertices.clone(), answers);
        }
        Ok(())
    }
}

/// Lays columns of values with W words side by side, in elements of `width` words, in the order of
/// some vertices.
fn gather<const W: usize>(columns: &[&[u32]], order: &[u32], width: usize, to: &mut [u32]) {
    for (side, column) in columns.iter().enumerate() {
        let column = column.as_chunks::<W>().0;
        for (&v, element) in order.iter().zip(to.chunks_exact_mut(width)) {
            element[side * W..(side + 1) * W].copy_from_slice(&column[v as usize]);
        }
    }
}

/// Answers of some columns side by side.
struct Found<'f> {
    chunks: Vec<&'f [u32]>,
    chunk: usize,
    width: usize,
}

impl Found<'_> {
    #[inline]
    fn at<const W: usize>(&self, place: usize, side: usize) -> &[u32] {
        // Chunks have a power of two of elements.
        let bits = self.chunk.trailing_zeros();
        let (chunk, place) = (self.chunks[place >> bits], place & (self.chunk - 1));
        let first = place * self.width + side * W;
        &chunk[first..first + W]
    }
}

/// Brings one column's answers of W words at some positions to their vertices.
fn spread<const W: usize>(
    found: &Found<'_>,
    side: usize,
    tree: &palmette_core::Tree,
    positions: &Range<usize>,
    vertices: Option<Range<usize>>,
    answers: &mut [u32],
) {
    let first = positions.start;
    let Some(vertices) = vertices else {
        for (place, &v) in tree.vertices()[positions.clone()].iter().enumerate() {
            let v = v as usize * W;
            answers[v..v + W].copy_from_slice(found.at::<W>(place, side));
        }
        return;
    };
    let places = &tree.positions()[vertices.clone()];
    let answers = &mut answers[vertices.start * W..vertices.end * W];
    parallel::chunks_mut(answers, GRAIN * W, |at, answers| {
        for (&p, answer) in places[at / W..].iter().zip(answers.chunks_exact_mut(W)) {
            answer.copy_from_slice(found.at::<W>(p as usize - first, side));
        }
    });
}
