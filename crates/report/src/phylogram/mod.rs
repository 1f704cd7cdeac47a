//! A phylogeny of any size, drawn: large clades are triangles.
//!
//! **Problem.** A tree in preorder with labels, perhaps with branch lengths, supports, and a value or
//! a class per vertex; a picture that can be read, of 10 tips or of 10^7.
//!
//! **Method.** A [`selection`] of at most [`Phylogram::limit`] rows stands for the tree: tips,
//! collapsed clades, and groups of small clades. Rows have heights by their tips. Across, or out from the
//! middle of a circle, a vertex lies at its distance from the root. A triangle begins at its clade's vertex
//! and ends at its farthest tip on one side, at its nearest on the other.
//!
//! **Cost.** Linear; 33 bytes per vertex. No recursion: a path of 10^6 vertices is a normal input.
//!
//! **When not to use.** To look around in a tree, use a [`TreePage`].

mod arrangement;
mod colours;
mod draw;
pub(crate) mod page;
mod plane;
pub(crate) mod selection;
pub(crate) mod shape;
#[cfg(test)]
mod tests;
mod words;

pub use page::TreePage;

use palmette_core::named;

named! {
    /// How a phylogeny is drawn.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum TreeForm("layout") {
        /// The root at the left, tips at the right.
        #[default]
        Rectangular = "rectangular",
        /// The root in the middle, tips around it.
        Circular = "circular",
    }
}

impl TreeForm {
    /// As many rows as are easy to read.
    pub fn usual_limit(self) -> usize {
        match self {
            TreeForm::Rectangular => 60,
            TreeForm::Circular => 44,
        }
    }
}

/// More rows make no picture.
pub const MOST_ROWS: usize = 2000;

/// What colours branches; slices are indexed by position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BranchColours<'a> {
    /// A quantity on a scale; NaN where there is none.
    Values {
        /// Its name.
        name: &'a str,
        /// By position.
        values: &'a [f64],
    },
    /// Classes, the most common first: the first seven have colours of their own.
    Classes {
        /// What they are classes of.
        name: &'a str,
        /// By position; [`palmette_core::NONE`] where there is none.
        classes: &'a [u32],
        /// Their names.
        names: &'a [String],
    },
}

/// A phylogeny to draw. Slices are indexed by position in preorder.
///
/// ```
/// use palmette_core::NONE;
/// use palmette_report::Phylogram;
/// let names = ["", "Gorilla", "", "Homo", "Pan"];
/// let labels = |position: u32| names[position as usize].to_string();
/// let tree = Phylogram::new("Great apes", &[NONE, 0, 0, 2, 2], &labels);
/// let picture = Phylogram { lengths: Some(&[0.0, 9.0, 2.5, 6.5, 6.5]), ..tree }.draw();
/// assert!(picture.svg.starts_with("<svg") && picture.rows == 3);
/// ```
pub struct Phylogram<'a> {
    /// The heading.
    pub title: &'a str,
    /// The parent of every position, which comes before it; [`palmette_core::NONE`] for a root.
    pub parents: &'a [u32],
    /// The name of a position; empty where it has none that a reader knows.
    pub labels: &'a dyn Fn(u32) -> String,
    /// The length of the edge to the parent; what is not finite counts as 0.
    pub lengths: Option<&'a [f64]>,
    /// The unit of lengths; may be empty.
    pub unit: &'a str,
    /// How it is drawn.
    pub form: TreeForm,
    /// At most so many rows, unless what is shown needs more.
    pub limit: usize,
    /// Clades to collapse.
    pub collapsed: &'a [u32],
    /// Clades to mark, with words; empty ones stand for the name.
    pub highlights: &'a [(u32, String)],
    /// What colours branches.
    pub colours: Option<BranchColours<'a>>,
    /// What the key says of them beside.
    pub colour_note: &'a str,
    /// Support by position, NaN for none, and how much of it gets a dot.
    pub support: Option<(&'a [f64], f64)>,
}

/// A picture, and how much of the tree it shows.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnPhylogram {
    /// The picture.
    pub svg: String,
    /// Its rows.
    pub rows: usize,
    /// The clades that are collapsed.
    pub clades: usize,
    /// Groups of clades.
    pub groups: usize,
    /// The tips that have a row of their own.
    pub tips: usize,
    /// Which of the highlights lie inside of a collapsed clade.
    pub hidden: Vec<u32>,
}

impl<'a> Phylogram<'a> {
    /// A plain drawing by depth.
    pub fn new(title: &'a str, parents: &'a [u32], labels: &'a dyn Fn(u32) -> String) -> Self {
        Phylogram {
            title,
            parents,
            labels,
            lengths: None,
            unit: "",
            form: TreeForm::Rectangular,
            limit: TreeForm::Rectangular.usual_limit(),
            collapsed: &[],
            highlights: &[],
            colours: None,
            colour_note: "",
            support: None,
        }
    }

    /// The picture.
    ///
    /// # Panics
    /// When the slices have different lengths or the parents are not in preorder.
    pub fn draw(&self) -> DrawnPhylogram {
        let n = self.parents.len();
        assert!(self.lengths.is_none_or(|l| l.len() == n), "one length per position");
        assert!(self.support.is_none_or(|s| s.0.len() == n), "one support per position");
        let colours = match self.colours {
            Some(BranchColours::Values { values, .. }) => values.len(),
            Some(BranchColours::Classes { classes, .. }) => classes.len(),
            None => n,
        };
        assert_eq!(colours, n, "one colour per position");
        draw::draw(self)
    }
}
