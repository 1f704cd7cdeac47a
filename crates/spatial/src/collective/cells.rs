//! Cells are read and written by one processor each.
//!
//! **Problem.** Every processor has a cell, and may name the cell of another: to have its
//! value, or to give it one. No two name the same.
//!
//! **Method.** A reader asks, and the cell answers. A writer sends the value, and the cell
//! says when it is there: a cell does not know whether somebody is going to write it, so only
//! its writer can know that the write is done.
//!
//! **Messages.** Whoever names a cell waits for one message, unless the cell is its own; no
//! order matters. A cell that hears nothing does nothing and learns nothing.
//!
//! **Cost.** Two messages per cell that is named, depth 2.

use crate::machine::{Machine, MachineError, Memory, Plain, Processor, Program, program_words};
use crate::plain;
use std::marker::PhantomData;

plain! {
    #[derive(Debug, Clone, Copy)]
    enum Reading<T> {
        /// From so and so.
        Ask(u32),
        Answer(T),
    }
}

struct Fetch<T>(PhantomData<T>);

impl<T: Plain> Program for Fetch<T> {
    type Constants = ();
    /// The cell that is wanted, the own one, and what was found.
    type State = (Option<u32>, T, Option<T>);
    type Message = Reading<T>;

    fn start((wanted, own, found): &mut Self::State, processor: &mut Processor<'_, Self>) {
        match *wanted {
            Some(cell) if cell == processor.me() => *found = Some(*own),
            Some(cell) => processor.send(cell, Reading::Ask(processor.me())),
            None => {}
        }
    }

    fn receive(
        (_, own, found): &mut Self::State,
        message: Reading<T>,
        processor: &mut Processor<'_, Self>,
    ) {
        match message {
            Reading::Ask(reader) => processor.send(reader, Reading::Answer(*own)),
            Reading::Answer(value) => *found = Some(value),
        }
    }
}

plain! {
    #[derive(Debug, Clone, Copy)]
    enum Writing<T> {
        /// By so and so.
        Put(u32, T),
        Done,
    }
}

struct Store<T>(PhantomData<T>);

impl<T: Plain> Program for Store<T> {
    type Constants = ();
    /// The cell to write, with what, and the own one.
    type State = (Option<u32>, T, T);
    type Message = Writing<T>;

    fn start((target, value, own): &mut Self::State, processor: &mut Processor<'_, Self>) {
        match *target {
            Some(cell) if cell == processor.me() => *own = *value,
            Some(cell) => processor.send(cell, Writing::Put(processor.me(), *value)),
            None => {}
        }
    }

    fn receive(
        (_, _, own): &mut Self::State,
        message: Writing<T>,
        processor: &mut Processor<'_, Self>,
    ) {
        if let Writing::Put(writer, value) = message {
            *own = value;
            processor.send(writer, Writing::Done);
        }
    }
}

/// The words of a processor for a [`fetch`]: it may be asked and answered at one time.
pub(super) const fn fetch_words<T: Plain>() -> usize {
    program_words::<Fetch<T>>(2)
}

/// The same for a [`store`].
pub(super) const fn store_words<T: Plain>() -> usize {
    program_words::<Store<T>>(2)
}

/// Every processor finds the value of the cell that it wants, if any.
pub(super) fn fetch<T: Plain>(
    machine: &mut Machine,
    name: &str,
    wanted: Memory<Option<u32>>,
    cells: Memory<T>,
) -> Result<Memory<Option<T>>, MachineError> {
    let states = wanted.beside(cells).map(|_, (wanted, own)| (wanted, own, None));
    Ok(machine.run::<Fetch<T>>(name, (), states)?.map(|_, (_, _, found)| found))
}

/// Every processor writes its value into the cell that it names, if any. Returns the cells.
pub(super) fn store<T: Plain>(
    machine: &mut Machine,
    name: &str,
    targets: Memory<Option<u32>>,
    values: Memory<T>,
    cells: Memory<T>,
) -> Result<Memory<T>, MachineError> {
    let states = targets.beside(values).beside(cells);
    let states = states.map(|_, ((target, value), own)| (target, value, own));
    Ok(machine.run::<Store<T>>(name, (), states)?.map(|_, (_, _, own)| own))
}
