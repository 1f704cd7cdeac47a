//! Products by sorting and scanning, wherever entries lie.
//!
//! **Problem.** As for the [module](super); processor j has x_j, and the entries are on other processors in
//! any order.
//!
//! **Method.** *Once*: entries and numbers of x are sorted by column, each number before the entries of
//! its column, and stay there. Then they are sorted by row, each row's end after its entries, only to
//! tell every entry where it has to go: what came to an address says so to where it came from.
//! *In a product*: the numbers spread over their columns (a scan that hands on the latest), entries
//! multiply, products go to the places that were found, rows are added up by a scan, and their ends
//! send the sums to where the numbers of x are.
//!
//! **Messages.** Every processor knows from its kind what it waits for.
//!
//! **Cost.** With N = n + m processors, measured on Hilbert's curve with entries anywhere: sorting once
//! 19 to 20.1 N^1.5 energy and at most k(k + 1) + k steps with k = ⌈log2 N⌉; a product 0.57 to 0.68 N^1.5 energy
//! and at most 2 k + 8 steps (docs/theorems.md). *Words*: six for an entry, and what the sort needs.
//!
//! **Determinism.** The network decides where equal keys end, and the tree of the scan how sums are
//! bracketed: the same bits under all delays.
//!
//! **Reference.** Gianinazzi et al., *The Spatial Computer*, for products by sort and scan.
//!
//! **When not to use.** Where rows have an order that keeps neighbours close: [`Blocks`](super::Blocks).

use super::{Placed, SparseError, SparseMatrix};
use crate::collective::{
    Network, Range, ScanKind, permute, permute_words, scan, scan_words, sort, sort_words,
};
use crate::machine::{Machine, Memory, most_words, words_of};
use crate::plain;
use palmette_core::{MAX_VERTICES, Monoid, NONE};

/// A column or a row, and 1 for what comes after the others there.
type Key = (u32, u32);
/// A row and a number: an entry, or the vector's.
type Item = (u32, f64);

plain! {
    /// Hands on the latest number.
    #[derive(Debug, Clone, Copy)]
    struct Latest;
}

impl Monoid for Latest {
    type Elem = Option<f64>;

    fn identity(&self) -> Option<f64> {
        None
    }

    fn combine(&self, left: Option<f64>, right: Option<f64>) -> Option<f64> {
        right.or(left)
    }
}

plain! {
    /// Adds up from the last end on. An element is whether there is an end in it, and the sum after it.
    #[derive(Debug, Clone, Copy)]
    struct SinceEnd;
}

impl Monoid for SinceEnd {
    type Elem = (bool, f64);

    fn identity(&self) -> (bool, f64) {
        (false, 0.0)
    }

    fn combine(&self, left: (bool, f64), right: (bool, f64)) -> (bool, f64) {
        if right.0 { right } else { (left.0, left.1 + right.1) }
    }
}

plain! {
    /// What a processor knows of the matrix: an entry or a number of x in the order of columns, and what
    /// arrives here in the order of rows.
    #[derive(Debug, Clone, Copy)]
    struct Cell {
        /// The entry.
        value: f64,
        /// Where its product goes; where the row ends, for a number of x.
        to: u32,
        /// Where the number of x of the row is that ends here, if one does.
        back: u32,
        /// The row that this processor owns, if it has a number of x.
        row: u32,
    }
}

/// A matrix in the order of its columns, whose entries know their places in the order of rows.
#[derive(Debug, Clone)]
pub struct Sorted {
    cells: Memory<Cell>,
    owners: Vec<u32>,
}

impl Sorted {
    /// No rows, to ask for words.
    pub const EMPTY: Sorted = Sorted { cells: Memory::EMPTY, owners: Vec::new() };

    /// The processors that a matrix takes.
    ///
    /// # Errors
    /// More than can be.
    pub fn processors_of(matrix: &SparseMatrix) -> Result<usize, SparseError> {
        let (rows, entries) = (matrix.rows(), matrix.entries());
        match rows + entries <= MAX_VERTICES {
            true => Ok(rows + entries),
            false => Err(SparseError::TooLarge { rows, entries }),
        }
    }

    /// Sorts a matrix on the machine, and takes a vector along: processor j has its number of row j, and
    /// the entries are on the others, in the order given by the host (row by row). Returns the vector at
    /// its owners.
    ///
    /// # Errors
    /// A vector of another length, a machine with another number of processors, and what stops it.
    pub fn new(
        machine: &mut Machine,
        name: &str,
        network: Network,
        matrix: &SparseMatrix,
        x: &[f64],
    ) -> Result<(Sorted, Memory<f64>), SparseError> {
        matrix.check(x)?;
        let numbers = (0u32..).zip(x).map(|(j, &x)| ((j, 0), (j, x)));
        let entries = matrix.all().map(|(i, j, value)| ((j, 1), (i, value)));
        let items: Vec<(Key, Item)> = numbers.chain(entries).collect();
        let all = Range::new(0, items.len() as u32);
        let by_column: Memory<(Key, Item)> =
            sort(machine, &format!("{name}: sort by column"), network, all, items.into())?;
        let machine = &mut *machine.keep(&by_column);
        let keys = by_column.clone().map(|p, ((_, kind), (row, _))| ((row, 1 - kind), p));
        let by_row = sort(machine, &format!("{name}: sort by row"), network, all, keys)?;
        let targets = by_row.clone().map(|_, (_, from)| Some(from));
        let here = by_row.clone().map(|q, _| q);
        let machine = &mut *machine.keep(&by_row);
        let found = permute(machine, &format!("{name}: tell places"), targets, here)?;
        let known = by_column.clone().beside(found).beside(by_row);
        let cells = known.map(|_, ((((_, kind), (row, value)), to), ((_, end), from))| Cell {
            value,
            to: to.unwrap_or(NONE),
            back: if end == 1 { from } else { NONE },
            row: if kind == 0 { row } else { NONE },
        });
        let mut owners = vec![NONE; matrix.rows()];
        for (p, cell) in (0u32..).zip(cells.states()).filter(|(_, cell)| cell.row != NONE) {
            owners[cell.row as usize] = p;
        }
        let x = cells.clone().map(|_, cell| if cell.row == NONE { 0.0 } else { cell.value });
        Ok((Sorted { cells, owners }, x))
    }

    /// A vector from its owners to the first processors: row j's to processor j.
    ///
    /// # Errors
    /// What stops the machine.
    pub fn bring_home(
        &self,
        machine: &mut Machine,
        name: &str,
        vector: Memory<f64>,
    ) -> Result<Memory<f64>, SparseError> {
        let targets = self.cells.clone().map(|_, cell| (cell.row != NONE).then_some(cell.row));
        let name = format!("{name}: bring home");
        let came = permute(&mut machine.keep(&self.cells), &name, targets, vector)?;
        Ok(came.map(|_, value| value.unwrap_or(0.0)))
    }
}

/// The words of a processor for [`Sorted::new`] on so many processors, and for a product after it.
pub const fn sorted_words(processors: usize) -> usize {
    const KEPT: usize = words_of::<(Key, Item)>();
    const PLACES: usize = words_of::<(Key, u32)>();
    most_words([
        sort_words::<Key, Item>(processors),
        KEPT + sort_words::<Key, u32>(processors),
        KEPT + PLACES + permute_words::<u32>(),
        PRODUCT_WORDS,
    ])
}

const PRODUCT_WORDS: usize = words_of::<Cell>()
    + most_words([scan_words::<Latest>(), permute_words::<f64>(), scan_words::<SinceEnd>()])
    + WAITING_WORDS;

/// A product, what the second scan adds up, and a row's sum.
const WAITING_WORDS: usize = 2 * words_of::<f64>() + scan_words::<SinceEnd>();

impl Placed for Sorted {
    fn processors(&self) -> usize {
        self.cells.states().len()
    }

    fn owners(&self) -> &[u32] {
        &self.owners
    }

    fn words(&self) -> usize {
        PRODUCT_WORDS
    }

    fn kept(&self) -> usize {
        words_of::<Cell>()
    }

    fn waiting(&self) -> usize {
        WAITING_WORDS
    }

    fn product(
        &self,
        machine: &mut Machine,
        name: &str,
        x: Memory<f64>,
    ) -> Result<Memory<f64>, SparseError> {
        let cells = &self.cells;
        let all = Range::new(0, self.processors() as u32);
        let machine = &mut *machine.keep(cells);
        let numbers = cells.clone().beside(x);
        let numbers = numbers.map(|_, (cell, x)| (cell.row != NONE).then_some(x));
        let name_of = format!("{name}: spread over columns");
        let spread = scan(machine, &name_of, Latest, ScanKind::Inclusive, all, numbers)?;
        let terms = cells.clone().beside(spread);
        let terms = terms.map(|_, (cell, x)| cell.value * x.unwrap_or(0.0));
        let targets = cells.clone().map(|_, cell| (cell.row == NONE).then_some(cell.to));
        let came = permute(machine, &format!("{name}: go to rows"), targets, terms)?;
        let ends = cells.clone().beside(came);
        let ends = ends.map(|_, (cell, term)| (cell.back != NONE, term.unwrap_or(0.0)));
        let name_of = format!("{name}: add up rows");
        let sums = scan(machine, &name_of, SinceEnd, ScanKind::Exclusive, all, ends)?;
        let targets = cells.clone().map(|_, cell| (cell.back != NONE).then_some(cell.back));
        let sums = sums.map(|_, (_, sum)| sum);
        let y = permute(machine, &format!("{name}: return"), targets, sums)?;
        Ok(y.map(|_, y| y.unwrap_or(0.0)))
    }
}
