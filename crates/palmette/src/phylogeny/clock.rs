//! Root-to-tip regression for tips with dates.
//!
//! **Problem.** A tree with lengths and a table of names and dates: the clock rate, the date of the root, and how far each
//! tip is from the line.
//! **Dates.** Numbers, such as years with decimals, or days as `2020-03-31`, which become years with decimals. Tips without a
//! date are left out and counted; nothing else is.

use crate::Figures;
use palmette_core::{Record, Tree};
use palmette_io::{Labels, Lookup, short, shown};
use palmette_phylo::measures::{Regression, root_distances};
use thiserror::Error;

/// Why there is no clock.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum ClockError {
    /// A line is no name and date.
    #[error("{file}, line {line}: expected {expected}, found {found}")]
    Line { file: String, line: usize, expected: &'static str, found: String },
    /// Names that no tip has.
    #[error("{file}: no tip has these {count} name(s): {names}")]
    Unknown { file: String, count: usize, names: String },
    /// A tip has two dates.
    #[error("{file}, line {line}: {} has a date already", shown(.name))]
    Twice { file: String, line: usize, name: String },
    /// Fewer than two dates.
    #[error("expected tips of two or more different dates, found {tips} tip(s) with dates")]
    Few { tips: usize },
}

/// Reads dates of vertices by name, in lines `name,date` (or tabs); a first line without a date is a header. In a table
/// of more columns, one is called `date`, and names are in the one called `name` or else in the first; a row
/// may have no date there. Names that the tree lacks are an error, or ignored and counted.
///
/// # Errors
/// A line that is no name and date, names that no vertex has, a name twice.
pub fn read_dates(
    file: &str,
    text: &str,
    labels: &Labels,
    ignore_missing: bool,
) -> Result<(Vec<(u32, f64)>, usize), ClockError> {
    let mut dates: Vec<(u32, f64)> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    let mut unknown: Vec<&str> = Vec::new();
    let mut places: Option<Places> = None;
    let lines = (1..).zip(text.trim_start_matches('\u{feff}').lines());
    for (line, row) in lines.filter(|row| !row.1.trim().is_empty()) {
        let expected = "a name and a date";
        let separator = if row.contains('\t') { '\t' } else { ',' };
        let row = row.trim_end_matches('\r');
        if line == 1 {
            places = Places::of(row, separator);
        }
        let cells = match &places {
            Some(places) => places.cells(row, separator),
            None => row.rsplit_once(separator),
        };
        let Some((name, date)) = cells else {
            let found = shown(row);
            return Err(ClockError::Line { file: file.to_string(), line, expected, found });
        };
        let name = name.trim().trim_matches('"');
        let Some(date) = decimal_year(date.trim().trim_matches('"')) else {
            if line == 1 || (places.is_some() && date.trim().is_empty()) {
                continue;
            }
            let expected = "a date: a number, or a day as 2020-03-31";
            let found = shown(date);
            return Err(ClockError::Line { file: file.to_string(), line, expected, found });
        };
        match labels.find(name) {
            Lookup::Vertex(v) if seen.insert(v) => dates.push((v, date)),
            Lookup::Vertex(_) => {
                let name = name.to_string();
                return Err(ClockError::Twice { file: file.to_string(), line, name });
            }
            _ => unknown.push(name),
        }
    }
    if !unknown.is_empty() && !ignore_missing {
        let mut names: Vec<String> =
            unknown.iter().take(5).map(|n| short(n).into_owned()).collect();
        names.extend((unknown.len() > 5).then(|| "…".to_string()));
        let (file, count, names) = (file.to_string(), unknown.len(), names.join(", "));
        return Err(ClockError::Unknown { file, count, names });
    }
    Ok((dates, unknown.len()))
}

/// Where names and dates are in a table of more than two columns.
struct Places {
    name: usize,
    date: usize,
    columns: usize,
}

impl Places {
    /// As a header says; nothing where it has no more than two columns, or none for dates.
    fn of(header: &str, separator: char) -> Option<Places> {
        let heads = fields(header, separator);
        let called = |what: &str| {
            let is = |head: &&str| head.trim().trim_matches('"').eq_ignore_ascii_case(what);
            heads.iter().position(is)
        };
        let (name, date) = (called("name").unwrap_or(0), called("date")?);
        (heads.len() > 2).then_some(Places { name, date, columns: heads.len() })
    }

    fn cells<'a>(&self, row: &'a str, separator: char) -> Option<(&'a str, &'a str)> {
        let fields = fields(row, separator);
        (fields.len() == self.columns).then(|| (fields[self.name], fields[self.date]))
    }
}

/// The fields of a row; a separator between quotes is none.
fn fields(row: &str, separator: char) -> Vec<&str> {
    let mut quoted = false;
    row.split(|c: char| {
        quoted ^= c == '"';
        c == separator && !quoted
    })
    .collect()
}

/// A date as a number: a number as it is, a day as a year with the share of it that has passed by its middle.
///
/// ```
/// use palmette::phylogeny::decimal_year;
/// assert_eq!(decimal_year("2020.5"), Some(2020.5));
/// assert_eq!(decimal_year("2021-01-01"), Some(2021.0 + 0.5 / 365.0));
/// assert_eq!(decimal_year("2021-02-29"), None);
/// ```
pub fn decimal_year(text: &str) -> Option<f64> {
    if let Ok(number) = text.parse::<f64>() {
        return number.is_finite().then_some(number);
    }
    let mut parts = text.split('-').map(|part| part.parse::<u32>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let leap = u32::from(year % 4 == 0 && (year % 100 != 0 || year % 400 == 0));
    let months = [31, 28 + leap, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let length = *months.get(month.checked_sub(1)? as usize)?;
    if parts.next().is_some() || day == 0 || day > length {
        return None;
    }
    let before: u32 = months[..month as usize - 1].iter().sum::<u32>() + day - 1;
    Some(f64::from(year) + (f64::from(before) + 0.5) / f64::from(365 + leap))
}

/// A clock: the line through dates and distances of tips.
#[derive(Debug, Clone, PartialEq)]
pub struct Clock {
    /// The line.
    pub line: Regression,
    /// The vertices that have dates, in the order of the table.
    pub vertices: Vec<u32>,
    /// Their dates and distances from the root.
    pub points: Vec<(f64, f64)>,
    /// Tips without a date.
    pub undated: usize,
}

impl Clock {
    /// Fits a line to dated vertices; lengths go by vertex.
    ///
    /// # Errors
    /// Fewer than two different dates.
    ///
    /// # Panics
    /// When there is not one length per vertex.
    pub fn new(tree: &Tree, lengths: &[f64], dates: &[(u32, f64)]) -> Result<Clock, ClockError> {
        let by_position: Vec<f64> = tree.vertices().iter().map(|&v| lengths[v as usize]).collect();
        let distances = root_distances(tree, &by_position);
        let distance = |v: u32| distances[tree.positions()[v as usize] as usize];
        let points: Vec<(f64, f64)> = dates.iter().map(|&(v, date)| (date, distance(v))).collect();
        let line = Regression::new(&points).ok_or(ClockError::Few { tips: dates.len() })?;
        let is_tip = |v: u32| tree.is_leaf(tree.positions()[v as usize]);
        let dated = dates.iter().filter(|date| is_tip(date.0)).count();
        let vertices = dates.iter().map(|date| date.0).collect();
        Ok(Clock { line, vertices, points, undated: tree.leaves() - dated })
    }
}

impl Figures for Clock {
    fn figures(&self, record: &mut Record) {
        record
            .figure("dated", self.points.len())
            .figure("undated", self.undated)
            .figure("rate", self.line.slope)
            .figure("intercept", self.line.intercept)
            .figure("root_date", self.line.root_date())
            .figure("r_squared", self.line.r_squared)
            .figure("residual_sum_of_squares", self.line.residual);
    }
}
