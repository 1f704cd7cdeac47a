//! FlatBuffers, as far as the metadata of Arrow needs them.
//!
//! A table is a place in the bytes; what lies there first says how far back its list of fields is.
//! A field that is not in the list has its default. Nothing here trusts a place: what leads out of
//! the bytes is not there.

/// A table of fields.
#[derive(Debug, Clone, Copy)]
pub(super) struct FlatTable<'a> {
    data: &'a [u8],
    at: usize,
    /// Two bytes for each field: where it is, from `at`.
    fields: &'a [[u8; 2]],
}

/// A list in a table: where its items begin, and how many there are.
#[derive(Debug, Clone, Copy)]
pub(super) struct FlatList<'a> {
    data: &'a [u8],
    start: usize,
    len: usize,
}

fn word<const N: usize>(data: &[u8], at: usize) -> Option<[u8; N]> {
    data.get(at..)?.first_chunk().copied()
}

pub(super) fn u32_at(data: &[u8], at: usize) -> Option<u32> {
    word(data, at).map(u32::from_le_bytes)
}

fn i64_at(data: &[u8], at: usize) -> Option<i64> {
    word(data, at).map(i64::from_le_bytes)
}

/// Where the offset at a place leads.
fn follow(data: &[u8], at: usize) -> Option<usize> {
    at.checked_add(u32_at(data, at)? as usize)
}

impl<'a> FlatTable<'a> {
    /// The table that some bytes are about.
    pub(super) fn root(data: &'a [u8]) -> Option<FlatTable<'a>> {
        FlatTable::at(data, follow(data, 0)?)
    }

    fn at(data: &'a [u8], at: usize) -> Option<FlatTable<'a>> {
        let back = i64::from(word(data, at).map(i32::from_le_bytes)?);
        let list = usize::try_from(at as i64 - back).ok()?;
        let size = usize::from(word(data, list).map(u16::from_le_bytes)?);
        let fields = data.get(list + 4..list.checked_add(size)?)?.as_chunks().0;
        Some(FlatTable { data, at, fields })
    }

    fn place(&self, field: usize) -> Option<usize> {
        let offset = u16::from_le_bytes(*self.fields.get(field)?);
        (offset != 0).then(|| self.at + usize::from(offset))
    }

    pub(super) fn u8(&self, field: usize) -> u8 {
        self.place(field).and_then(|at| self.data.get(at)).copied().unwrap_or(0)
    }

    pub(super) fn i16(&self, field: usize) -> i16 {
        self.place(field).and_then(|at| word(self.data, at)).map_or(0, i16::from_le_bytes)
    }

    pub(super) fn i32(&self, field: usize) -> i32 {
        self.place(field).and_then(|at| word(self.data, at)).map_or(0, i32::from_le_bytes)
    }

    pub(super) fn i64(&self, field: usize) -> i64 {
        self.place(field).and_then(|at| i64_at(self.data, at)).unwrap_or(0)
    }

    pub(super) fn table(&self, field: usize) -> Option<FlatTable<'a>> {
        FlatTable::at(self.data, follow(self.data, self.place(field)?)?)
    }

    pub(super) fn list(&self, field: usize) -> Option<FlatList<'a>> {
        let at = follow(self.data, self.place(field)?)?;
        let len = u32_at(self.data, at)? as usize;
        Some(FlatList { data: self.data, start: at + 4, len })
    }

    pub(super) fn text(&self, field: usize) -> Option<&'a str> {
        let FlatList { data, start, len } = self.list(field)?;
        std::str::from_utf8(data.get(start..start.checked_add(len)?)?).ok()
    }
}

impl<'a> FlatList<'a> {
    /// Tables; those that are not there are left out.
    pub(super) fn tables(self) -> impl Iterator<Item = FlatTable<'a>> {
        // Offsets within the bytes: a length that is wrong ends with them.
        let at = move |k: usize| {
            FlatTable::at(self.data, follow(self.data, self.start.checked_add(4 * k)?)?)
        };
        (0..self.len.min(self.data.len() / 4)).filter_map(at)
    }

    /// Structures of so many words of 8 bytes.
    pub(super) fn words<const N: usize>(self) -> Option<Vec<[i64; N]>> {
        let end = self.len.checked_mul(8 * N)?.checked_add(self.start)?;
        let words = self.data.get(self.start..end)?.as_chunks::<8>().0;
        let words: Vec<i64> = words.iter().map(|&word| i64::from_le_bytes(word)).collect();
        Some(words.as_chunks().0.to_vec())
    }
}
