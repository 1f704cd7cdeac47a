//! Messages on their way.
//!
//! A step with few messages keeps them in one list, in the order of sending. A step
//! with many sorts them while they are sent: every region of processors has a box for
//! every region it sends to. Which way is taken depends on their number only, and so
//! does the order in which messages arrive: threads never show.

/// A message, where it goes, and the energy of the longest chain that it ends.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct Envelope<M> {
    pub(super) to: u32,
    /// Two halves: a message of one word then takes 16 bytes, not 24.
    distance: [u32; 2],
    pub(super) message: M,
}

impl<M> Envelope<M> {
    #[inline(always)]
    pub(super) fn new(to: u32, distance: u64, message: M) -> Envelope<M> {
        Envelope { to, distance: [distance as u32, (distance >> 32) as u32], message }
    }

    #[inline(always)]
    pub(super) fn distance(&self) -> u64 {
        u64::from(self.distance[0]) | u64::from(self.distance[1]) << 32
    }
}

/// Messages from one region to another: pieces that double in length up to a limit,
/// so that no box is ever copied and little of it is empty.
#[derive(Debug)]
pub(super) struct Bundle<M> {
    /// Pieces that are full.
    full: Vec<Vec<Envelope<M>>>,
    /// The piece that is being filled; it has no memory before the first message.
    open: Vec<Envelope<M>>,
}

const SHORTEST_PIECE: usize = 16;
const LONGEST_PIECE: usize = 256;

impl<M: Copy> Bundle<M> {
    pub(super) fn new() -> Bundle<M> {
        Bundle { full: Vec::new(), open: Vec::new() }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, envelope: Envelope<M>) {
        if self.open.len() == self.open.capacity() {
            self.add_piece();
        }
        self.open.push(envelope);
    }

    /// A piece for the next message. It does not see the message, which so stays in registers.
    #[cold]
    #[inline(never)]
    fn add_piece(&mut self) {
        let length = (2 * self.open.len()).clamp(SHORTEST_PIECE, LONGEST_PIECE);
        let full = std::mem::replace(&mut self.open, Vec::with_capacity(length));
        if !full.is_empty() {
            self.full.push(full);
        }
    }

    /// Hands out the pieces, in order; each is freed when it has been read.
    pub(super) fn take(&mut self) -> impl Iterator<Item = Vec<Envelope<M>>> + use<M> {
        let Bundle { full, open } = std::mem::replace(self, Bundle::new());
        let open = (!open.is_empty()).then_some(open);
        full.into_iter().chain(open)
    }
}
