//! A column of a table that takes no memory while all its rows are equal.

/// Values by row. Most networks have one nominal voltage, no ratio but 1 and no open end: such
/// columns are one value and a number of rows.
///
/// ```
/// use palmette_core::feeder::Column;
/// let mut column = Column::same(10.0, 3);
/// column.push(0.4);
/// assert_eq!((column.len(), column.get(2), column.get(3)), (4, 10.0, 0.4));
/// ```
#[derive(Debug, Clone)]
pub struct Column<T> {
    /// Of rows that are not in `each`: all of them, or none.
    value: Option<T>,
    rows: usize,
    each: Vec<T>,
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Column { value: None, rows: 0, each: Vec::new() }
    }
}

impl<T: Copy + PartialEq> Column<T> {
    /// So many rows of one value.
    pub fn same(value: T, rows: usize) -> Column<T> {
        Column { value: Some(value), rows, each: Vec::new() }
    }

    /// Adds a row.
    #[inline]
    pub fn push(&mut self, value: T) {
        if !self.each.is_empty() {
            self.each.push(value);
        } else if self.rows == 0 {
            self.value = Some(value);
        } else if self.value != Some(value) {
            // A second value: from here on each row has its own.
            let rows = self.rows;
            self.each.extend((0..rows).filter_map(|_| self.value));
            self.each.push(value);
        }
        self.rows += 1;
    }

    /// Changes a row.
    ///
    /// # Panics
    /// When there are fewer rows.
    pub fn set(&mut self, row: usize, value: T) {
        assert!(row < self.rows, "row {row} of a column with {}", self.rows);
        if self.each.is_empty() {
            if self.value == Some(value) {
                return;
            }
            let rows = self.rows;
            self.each.extend((0..rows).filter_map(|_| self.value));
        }
        self.each[row] = value;
    }

    /// The value of a row.
    ///
    /// # Panics
    /// When there are fewer rows.
    #[inline(always)]
    pub fn get(&self, row: usize) -> T {
        assert!(row < self.rows, "row {row} of a column with {}", self.rows);
        match self.each.get(row) {
            Some(&value) => value,
            None => self.value.expect("a column with rows has a value"),
        }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The value of all rows, where they are known to agree.
    pub fn uniform(&self) -> Option<T> {
        if self.each.is_empty() { self.value } else { None }
    }

    /// All rows.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        (0..self.rows).map(|row| self.get(row))
    }
}

impl<T: Copy + PartialEq> FromIterator<T> for Column<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut column = Column::default();
        values.into_iter().for_each(|value| column.push(value));
        column
    }
}

impl<T: Copy + PartialEq> PartialEq for Column<T> {
    fn eq(&self, other: &Self) -> bool {
        self.rows == other.rows && self.iter().eq(other.iter())
    }
}
