//! The virtual tree, found by messages.
//!
//! **Problem.** Every vertex knows its [`Family`]; it is to learn its [`VirtualLinks`].
//!
//! **Method.** The shape of the virtual tree over d siblings depends on d alone, so a
//! vertex finds its role and the number of siblings appended to it by arithmetic; only
//! addresses must be told. A first child is the parent's first child or the sibling to
//! the right: known. A second current child tells its parent. That leaves second
//! appended children. Call `next` of a vertex the sibling just after everything below
//! it in the virtual tree: the second child of a vertex is the `next` of its first.
//! - A vertex with nothing appended knows its `next`: the sibling to its right.
//! - A first child tells the sibling to its left, its virtual parent, its `next`.
//! - The parent now knows its second child and adopts it. That message says who is to
//!   be told the `next` of the second child, which is that of the parent too: if the
//!   parent is a first child, the sibling to its left; if it is a second child, the parent, who
//!   keeps it until it has been adopted itself.
//!
//! By arithmetic, a vertex also knows whether anyone needs its `next`, and is silent
//! if not: the vertices at the end of a block of siblings.
//!
//! **Messages.** A vertex knows by arithmetic what it waits for: its second current child if
//! it has two children; the `next` of its first appended child if there is a second; being
//! adopted if it is a second appended child; its own `next` if that is needed. Of these only
//! the two `next` look alike, and the second is caused by the first: no order matters.
//!
//! **Cost.** A message goes along a virtual edge, or straight past some vertices along
//! several. Edges to second appended children are charged twice at most, to second
//! current and first appended children once, to first current children never: the
//! energy is at most twice the broadcast's, and there are at most 1.5 n messages. A level
//! of the virtual tree takes two steps: depth at most 2 log2 D with at most D children per vertex.
//! At most three messages reach a
//! processor in a step: from a current child, from the first appended one, from the virtual parent.
//! [`CONSTRUCT_STATE_WORDS`] and [`CONSTRUCT_MESSAGE_WORDS`] words; O(log D) arithmetic per vertex.
//!
//! **Determinism.** The links do not depend on delays or clocks, and no cost does: what a vertex sends,
//! and to whom, is arithmetic.
//!
//! **Reference.** *Low-depth spatial tree algorithms*, section III-D, Figure 4 and
//! Theorem 3.

use super::links::half;
use super::{Family, Role, VirtualLinks};
use crate::machine::{Machine, MachineError, Memory, Processor, Program, words_of};
use crate::plain;
use palmette_core::NONE;

/// The words of a processor's state.
pub const CONSTRUCT_STATE_WORDS: usize = 9;
/// The words of a message.
pub const CONSTRUCT_MESSAGE_WORDS: usize = 3;
/// The words of a processor: for its state and the messages that it holds, from a current child,
/// from the first appended one and from the virtual parent.
pub const CONSTRUCT_WORDS: usize = CONSTRUCT_STATE_WORDS + 3 * CONSTRUCT_MESSAGE_WORDS;

/// What a vertex knows by arithmetic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seat {
    pub(super) role: Role,
    /// How many siblings are appended to it, at once or below others.
    pub(super) appended: u32,
    /// Whether its `next` is somebody's second child.
    pub(super) needed: bool,
    /// How deep it is below the parent in the virtual tree: the steps to find all this.
    pub(super) level: u8,
}

impl Seat {
    pub(super) fn of(family: &Family) -> Seat {
        if family.parent == NONE {
            return Seat { role: Role::Root, appended: 0, needed: false, level: 0 };
        }
        // From the parent down: who is this vertex in a block of siblings that are held
        // by one vertex, and is the `next` of that block's last needed?
        let (mut index, mut block) = (family.index, family.siblings);
        let mut roles = Role::CURRENT;
        let (mut needed, mut level) = (false, 0);
        loop {
            level += 1;
            let first = half(block);
            let (role, length);
            if index < first {
                (role, length) = (roles[0], first);
                // The second current child makes itself known.
                needed = role == Role::FirstAppended && (needed || block > 1);
            } else {
                (role, length) = (roles[1], block - first);
                index -= first;
            }
            if index == 0 {
                return Seat { role, appended: length - 1, needed, level };
            }
            (index, block) = (index - 1, length - 1);
            roles = Role::APPENDED;
        }
    }
}

/// How many siblings are appended to a vertex, at once or below others; and the steps that it takes
/// to find out.
pub(crate) fn appended_siblings(family: &Family) -> (u32, u8) {
    let Seat { appended, level, .. } = Seat::of(family);
    (appended, level)
}

struct Construct;

plain! {
    #[derive(Clone, Copy)]
    struct State {
        links: VirtualLinks,
        /// The sibling after everything below this vertex.
        next: u32,
        /// Who is to be told `next`.
        listener: u32,
        /// Whether there is a second appended child.
        pair: bool,
        /// Whether `next` must come here, for a listener that is told later.
        keep: bool,
        /// The steps that it took to find all this.
        steps: u8,
    }
}

plain! {
    #[derive(Clone, Copy)]
    enum Message {
        /// From the second current child.
        Child(u32),
        /// The `next` of the first appended child; after that, one's own.
        Next(u32),
        /// From the virtual parent of a second appended child.
        Adopt { parent: u32, listener: u32 },
    }
}

impl State {
    fn new(_: u32, family: Family) -> State {
        let seat = Seat::of(&family);
        let parent = match seat.role {
            Role::FirstCurrent | Role::SecondCurrent => family.parent,
            Role::FirstAppended => family.left,
            Role::SecondAppended | Role::Root => NONE,
        };
        let leaf = seat.appended == 0;
        State {
            links: VirtualLinks {
                parent,
                current: [family.first_child, NONE],
                appended: [if leaf { NONE } else { family.right }, NONE],
                role: seat.role,
            },
            next: if leaf { family.right } else { NONE },
            listener: match seat.role {
                Role::FirstAppended if seat.needed => family.left,
                _ => NONE,
            },
            pair: seat.appended > 1,
            keep: seat.role == Role::SecondAppended && seat.needed,
            steps: seat.level,
        }
    }

    /// Tells the listener, once it is known and there is something to tell.
    fn tell(&self, processor: &mut Processor<'_, Construct>) {
        if self.next != NONE && self.listener != NONE {
            processor.send(self.listener, Message::Next(self.next));
        }
    }
}

impl Program for Construct {
    type Constants = ();
    type State = State;
    type Message = Message;

    fn start(state: &mut State, processor: &mut Processor<'_, Self>) {
        processor.work(state.steps.into());
        if state.links.role == Role::SecondCurrent {
            processor.send(state.links.parent, Message::Child(processor.me()));
        }
        state.tell(processor);
    }

    fn receive(state: &mut State, message: Message, processor: &mut Processor<'_, Self>) {
        match message {
            Message::Child(child) => state.links.current[1] = child,
            Message::Next(second) if state.pair && state.links.appended[1] == NONE => {
                state.links.appended[1] = second;
                let parent = processor.me();
                // Even if the listener is known by now: what is sent depends on no delay.
                let listener = if state.keep { parent } else { state.listener };
                processor.send(second, Message::Adopt { parent, listener });
            }
            Message::Next(next) => {
                state.next = next;
                state.tell(processor);
            }
            Message::Adopt { parent, listener } => {
                (state.links.parent, state.listener) = (parent, listener);
                state.tell(processor);
            }
        }
    }
}

/// The virtual tree of the tree that `families` describe, as the machine finds it. The
/// ledger calls this `virtual tree`.
///
/// # Errors
/// Families for another number of processors, less than 12 words per processor, the step
/// limit.
pub fn construct(
    machine: &mut Machine,
    families: &Memory<Family>,
) -> Result<Memory<VirtualLinks>, MachineError> {
    let memory = families.clone().map(State::new);
    Ok(machine.run::<Construct>("virtual tree", (), memory)?.map(|_, state| state.links))
}

const _: () = assert!(words_of::<State>() == CONSTRUCT_STATE_WORDS);
const _: () = assert!(words_of::<Message>() == CONSTRUCT_MESSAGE_WORDS);
