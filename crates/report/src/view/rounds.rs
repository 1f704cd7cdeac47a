//! A contraction on a grid, frame by frame: which vertices rake and compress, where messages go.

use super::{ViewError, check_count, check_most};
use palmette_core::NONE;
use serde::{Deserialize, Serialize};

/// A [`RoundsView`] has at most this many cells on its grid.
pub const MAX_CELLS: usize = 1 << 20;
/// A [`RoundsView`] has at most this many messages.
pub const MAX_MESSAGES: usize = 400_000;
/// More frames than anyone looks at.
const MAX_FRAMES: usize = 100_000;

/// What a frame is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// A round of contraction.
    Round,
    /// A step of the machine's clock.
    Step,
}

/// How a vertex was contracted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contraction {
    /// A leaf went into its parent.
    Rake,
    /// A vertex with one child went into it, or into its parent.
    Compress,
}

/// Why a message was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageKind {
    /// For a rake.
    Rake,
    /// For a compress.
    Compress,
    /// For undoing a contraction.
    Uncontract,
}

/// The names of [`MessageKind`]s, in their order.
const KINDS: [&str; 3] = ["rake", "compress", "uncontract"];

/// The messages of a frame: from, to (vertices), and the number of the kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Messages(pub Vec<u32>, pub Vec<u32>, pub Vec<u8>);

/// A tree on a grid, and when each of its vertices was contracted.
///
/// ```
/// use palmette_report::view::{Contraction, MessageKind, RoundsView, Unit, View};
/// let none = palmette_core::NONE;
/// // A root with two leaves in a row of three processors: both rake in the first round.
/// let mut view = RoundsView::new([3, 1], Unit::Round, &[0, 1, 2], &[0, 0, 0], &[none, 0, 0])?;
/// for leaf in [1, 2] {
///     view.contract(leaf, 0, Contraction::Rake)?;
///     view.send(0, leaf, 0, MessageKind::Rake)?;
/// }
/// assert_eq!(view.frames(), 1);
/// let json = View::from(view).to_value();
/// assert_eq!(json["contracted"], serde_json::json!([-1, 0, 0]));
/// # Ok::<(), palmette_report::view::ViewError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RoundsView {
    columns: u32,
    rows: u32,
    unit: Unit,
    frames: u32,
    x: Vec<u32>,
    y: Vec<u32>,
    parent: Vec<i64>,
    contracted: Vec<i64>,
    how: Vec<u8>,
    kinds: Vec<String>,
    messages: Vec<Messages>,
}

impl RoundsView {
    /// A tree on a grid of columns and rows: by vertex, its cell from the top left and its
    /// parent or `NONE`. Nothing is contracted yet.
    ///
    /// # Errors
    /// When there are not as many of each, or a cell or a parent does not exist.
    pub fn new(
        [columns, rows]: [u32; 2],
        unit: Unit,
        x: &[u32],
        y: &[u32],
        parent: &[u32],
    ) -> Result<Self, ViewError> {
        let view = RoundsView {
            columns,
            rows,
            unit,
            frames: 0,
            x: x.to_vec(),
            y: y.to_vec(),
            parent: parent.iter().map(|&p| if p == NONE { -1 } else { p.into() }).collect(),
            contracted: vec![-1; parent.len()],
            how: vec![0; parent.len()],
            kinds: KINDS.map(String::from).to_vec(),
            messages: Vec::new(),
        };
        view.check()?;
        Ok(view)
    }

    /// How many frames there are: one more than the last that something happened in.
    pub fn frames(&self) -> u32 {
        self.frames
    }

    /// How many messages there are.
    pub fn message_count(&self) -> usize {
        self.messages.iter().map(|frame| frame.0.len()).sum()
    }

    /// Notes that a vertex was contracted in a frame, counted from 0.
    ///
    /// # Errors
    /// When there is no such vertex or there are too many frames.
    pub fn contract(&mut self, vertex: u32, frame: u32, how: Contraction) -> Result<(), ViewError> {
        self.check_vertex("vertex", vertex)?;
        self.reach(frame)?;
        self.contracted[vertex as usize] = frame.into();
        self.how[vertex as usize] = how as u8 + 1;
        Ok(())
    }

    /// Notes a message of a frame between two vertices.
    ///
    /// # Errors
    /// When there is no such vertex or there are too many frames.
    pub fn send(
        &mut self,
        frame: u32,
        from: u32,
        to: u32,
        kind: MessageKind,
    ) -> Result<(), ViewError> {
        self.check_vertex("sender", from)?;
        self.check_vertex("receiver", to)?;
        self.reach(frame)?;
        let Messages(senders, receivers, kinds) = &mut self.messages[frame as usize];
        senders.push(from);
        receivers.push(to);
        kinds.push(kind as u8);
        Ok(())
    }

    /// Makes room for a frame.
    fn reach(&mut self, frame: u32) -> Result<(), ViewError> {
        check_most("frames", frame as usize + 1, MAX_FRAMES)?;
        self.frames = self.frames.max(frame + 1);
        self.messages.resize(self.frames as usize, Messages::default());
        Ok(())
    }

    fn check_vertex(&self, what: &str, vertex: u32) -> Result<(), ViewError> {
        let n = self.x.len();
        if (vertex as usize) < n {
            return Ok(());
        }
        Err(ViewError::new(format!("a {what} below {n}"), vertex.to_string()))
    }

    /// Checks what the page's script relies on.
    pub(super) fn check(&self) -> Result<(), ViewError> {
        let n = self.x.len();
        for (what, count) in [
            ("y", self.y.len()),
            ("parent", self.parent.len()),
            ("contracted", self.contracted.len()),
            ("how", self.how.len()),
        ] {
            check_count(what, count, n)?;
        }
        check_most("cells", (self.columns as usize).saturating_mul(self.rows as usize), MAX_CELLS)?;
        check_most("vertices", n, MAX_CELLS)?;
        check_most("frames", self.frames as usize, MAX_FRAMES)?;
        check_most("messages", self.message_count(), MAX_MESSAGES)?;
        let outside = |v: &usize| self.x[*v] >= self.columns || self.y[*v] >= self.rows;
        if let Some(v) = (0..n).find(outside) {
            let (columns, rows) = (self.columns, self.rows);
            return Err(ViewError::new(
                format!("cells of a grid of {columns} columns and {rows} rows"),
                format!("column {} and row {} for vertex {v}", self.x[v], self.y[v]),
            ));
        }
        let between = |what: &str, values: &[i64], end: i64| match values
            .iter()
            .find(|value| !(-1..end).contains(*value))
        {
            Some(value) => {
                Err(ViewError::new(format!("-1 to {} in `{what}`", end - 1), value.to_string()))
            }
            None => Ok(()),
        };
        between("parent", &self.parent, n as i64)?;
        between("contracted", &self.contracted, self.frames.into())?;
        if let Some(how) = self.how.iter().find(|&&how| how > 2) {
            return Err(ViewError::new("0, 1 or 2 in `how`", how.to_string()));
        }
        check_count("messages", self.messages.len(), self.frames as usize)?;
        for Messages(from, to, kind) in &self.messages {
            check_count("messages: to", to.len(), from.len())?;
            check_count("messages: kind", kind.len(), from.len())?;
            from.iter().chain(to).try_for_each(|&v| self.check_vertex("vertex", v))?;
            if let Some(kind) = kind.iter().find(|&&kind| usize::from(kind) >= self.kinds.len()) {
                let kinds = self.kinds.len();
                return Err(ViewError::new(format!("kinds below {kinds}"), kind.to_string()));
            }
        }
        Ok(())
    }
}
