//! What elements tell each other in rounds, on the walk, and on the way back.
//!
//! | message | from | to | says |
//! |---|---|---|---|
//! | `Coin` | element | successor | its coin, its temporary rank, whom it jumped over last |
//! | `Stay` | successor | the element | not in S |
//! | `Jump` | successor | the element | its pointer and its temporary rank |
//! | `Walk` | element that is left | the next one | its rank, and the gaps between |
//! | `Rank` | element | the one jumped over last, and on from there | its rank |

use crate::machine::{Processor, Program, words_of};
use crate::plain;
use crate::program::coin::Purse;
use crate::program::list_ranking::Element;
use palmette_core::NONE;

/// The words of an element.
pub const MATE_ELEMENT_WORDS: usize = 13;
/// The words of a message.
pub const MATE_MESSAGE_WORDS: usize = 4;

plain! {
    /// What a predecessor says of itself.
    #[derive(Debug, Clone, Copy)]
    struct Asker {
        address: u32,
        between: u32,
        last: u32,
    }
}

plain! {
    /// A coin of the predecessor, if one has come and is not answered.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum Coin {
        None,
        Heads,
        Tails,
    }
}

plain! {
    #[derive(Debug, Clone, Copy)]
    pub(super) struct Node {
        successor: u32,
        /// From the predecessor, as given.
        gap: u32,
        /// The temporary rank: gaps of all between this element and its successor.
        between: u32,
        /// Whom it jumped over last.
        last: u32,
        /// Of the element that jumped over this one, from before: its temporary rank, and whom it had
        /// jumped over last.
        saved_between: u32,
        saved_last: u32,
        pub(super) rank: u32,
        pub(super) round: u32,
        /// Who asks, with which coin: of this round, or, after that was answered, of the next.
        asker: Asker,
        coin: Coin,
        head: bool,
        /// The predecessor's coin of this round is answered, or there is none.
        replied: bool,
        /// No answer of the successor is missing.
        answered: bool,
        /// The rank is known.
        ranked: bool,
        stage: Stage,
    }
}

plain! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum Stage {
        /// Rounds go on.
        Contracting,
        /// Someone has jumped over the element.
        Out,
        /// All rounds are over.
        Left,
    }
}

plain! {
    #[derive(Debug, Clone, Copy)]
    pub(super) enum News {
        Coin { slot: u8, heads: bool, from: u32, between: u32, last: u32 },
        Stay { slot: u8 },
        Jump { slot: u8, successor: u32, between: u32 },
        Walk { slot: u8, rank: u32 },
        Rank { slot: u8, of: u32 },
    }
}

impl News {
    fn slot(&self) -> usize {
        match *self {
            News::Coin { slot, .. }
            | News::Stay { slot }
            | News::Jump { slot, .. }
            | News::Walk { slot, .. }
            | News::Rank { slot, .. } => slot.into(),
        }
    }
}

/// The program; `S` elements per processor.
pub(super) struct RandomMate<const S: usize>;

impl<const S: usize> Program for RandomMate<S> {
    /// The number of rounds, which everyone can compute.
    type Constants = u32;
    type State = (Purse, [Node; S]);
    type Message = News;

    fn start((coins, nodes): &mut (Purse, [Node; S]), processor: &mut Processor<'_, Self>) {
        for (slot, node) in nodes.iter_mut().enumerate() {
            node.begin(*coins, slot, processor);
            node.go_on(*coins, slot, processor);
        }
    }

    fn receive(
        (coins, nodes): &mut (Purse, [Node; S]),
        news: News,
        processor: &mut Processor<'_, Self>,
    ) {
        let slot = news.slot();
        let node = &mut nodes[slot];
        match news {
            News::Coin { heads, from, between, last, .. } => {
                node.asker = Asker { address: from, between, last };
                node.coin = if heads { Coin::Heads } else { Coin::Tails };
            }
            News::Stay { .. } => node.answered = true,
            News::Jump { successor, between, .. } => {
                node.answered = true;
                node.last = node.successor;
                node.successor = successor;
                node.between = node.between.wrapping_add(between);
            }
            News::Walk { rank, .. } => {
                // Where links disagree, ranks could come again and again.
                if !node.ranked {
                    (node.rank, node.ranked) = (rank.wrapping_add(node.gap), true);
                    if node.stage == Stage::Left {
                        node.settle(processor);
                    }
                }
                return;
            }
            News::Rank { of, .. } => {
                if !node.ranked {
                    node.ranked = true;
                    node.rank = of.wrapping_add(node.saved_between).wrapping_add(node.gap);
                    tell(node.saved_last, of, processor);
                    tell(node.last, node.rank, processor);
                }
                return;
            }
        }
        node.go_on(*coins, slot, processor);
    }

    fn phase(news: &News) -> u16 {
        match news {
            News::Coin { .. } | News::Stay { .. } | News::Jump { .. } => 0,
            News::Walk { .. } => 1,
            News::Rank { .. } => 2,
        }
    }

    fn phase_name(run: &str, phase: u16) -> String {
        format!("{run}: {}", ["contract", "walk", "uncontract"][usize::from(phase)])
    }
}

impl Node {
    pub(super) fn new(element: Element) -> Node {
        Node {
            successor: element.successor,
            gap: element.gap,
            between: 0,
            last: NONE,
            saved_between: 0,
            saved_last: NONE,
            rank: NONE,
            round: 0,
            asker: Asker { address: NONE, between: 0, last: NONE },
            coin: Coin::None,
            head: element.predecessor == NONE,
            replied: false,
            answered: false,
            ranked: false,
            stage: Stage::Contracting,
        }
    }

    /// Begins the next round: asks the successor. After the last one the list is walked.
    fn begin<const S: usize>(
        &mut self,
        coins: Purse,
        slot: usize,
        processor: &mut Processor<'_, RandomMate<S>>,
    ) {
        if self.head && self.successor == NONE {
            // Nobody is left to toss with: all rounds would go by at once.
            self.round = *processor.constants();
        }
        if self.round == *processor.constants() {
            self.stage = Stage::Left;
            if self.head {
                (self.rank, self.ranked) = (0, true);
            }
            if self.ranked {
                self.settle(processor);
            }
            return;
        }
        self.round += 1;
        self.replied = self.head;
        self.answered = self.successor == NONE;
        if !self.answered {
            let &mut Node { round, between, last, .. } = self;
            let from = processor.me() * S as u32 + slot as u32;
            let heads = coins.heads(round, slot as u32);
            let coin = |slot| News::Coin { slot, heads, from, between, last };
            send(self.successor, coin, processor);
        }
    }

    /// Does what can be done now that something has come.
    fn go_on<const S: usize>(
        &mut self,
        coins: Purse,
        slot: usize,
        processor: &mut Processor<'_, RandomMate<S>>,
    ) {
        while self.stage == Stage::Contracting {
            if self.coin != Coin::None && !self.replied {
                let tails = self.coin == Coin::Tails;
                let chosen = tails && coins.heads(self.round, slot as u32);
                if chosen && !self.answered {
                    return;
                }
                (self.coin, self.replied) = (Coin::None, true);
                self.reply(chosen, processor);
            } else if self.replied && self.answered {
                self.begin(coins, slot, processor);
            } else {
                return;
            }
        }
    }

    /// Answers the predecessor's coin.
    fn reply<const S: usize>(
        &mut self,
        chosen: bool,
        processor: &mut Processor<'_, RandomMate<S>>,
    ) {
        let asker = self.asker;
        if chosen {
            self.stage = Stage::Out;
            (self.saved_between, self.saved_last) = (asker.between, asker.last);
            let (successor, between) = (self.successor, self.gap.wrapping_add(self.between));
            send(asker.address, |slot| News::Jump { slot, successor, between }, processor);
        } else {
            send(asker.address, |slot| News::Stay { slot }, processor);
        }
    }

    /// The rank of an element that is left goes to the next one, and to those jumped over.
    fn settle<const S: usize>(&self, processor: &mut Processor<'_, RandomMate<S>>) {
        if self.successor != NONE {
            let rank = self.rank.wrapping_add(self.between);
            send(self.successor, |slot| News::Walk { slot, rank }, processor);
        }
        tell(self.last, self.rank, processor);
    }
}

/// Tells an element, if there is one, the rank of the one that jumped over it.
fn tell<const S: usize>(element: u32, of: u32, processor: &mut Processor<'_, RandomMate<S>>) {
    if element != NONE {
        send(element, |slot| News::Rank { slot, of }, processor);
    }
}

fn send<const S: usize>(
    element: u32,
    news: impl Fn(u8) -> News,
    processor: &mut Processor<'_, RandomMate<S>>,
) {
    const { assert!(0 < S && S <= 1 << u8::BITS, "a slot is a byte") };
    let count = S as u32;
    processor.send(element / count, news((element % count) as u8));
}

const _: () = assert!(words_of::<Node>() == MATE_ELEMENT_WORDS);
const _: () = assert!(words_of::<News>() == MATE_MESSAGE_WORDS);
