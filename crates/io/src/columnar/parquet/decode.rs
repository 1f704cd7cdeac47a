//! Pages: their compression, which rows are null, and the encoding of the values.

use super::*;

/// Why a page is not read.
pub(super) enum Wrong {
    Damaged,
    Unsupported(String),
}

/// What decodes the pages of a column.
pub(super) struct Decoder<'c> {
    pub(super) column: &'c ParquetColumn,
    pub(super) limit: u64,
}

/// 1 for each row that is not null; nothing where none can be.
type Levels = Option<Vec<u32>>;

/// The values of a page that are not null.
enum Decoded<'a> {
    Numbers(Cow<'a, [u8]>),
    Texts(TextBytes),
    /// Keys of texts.
    Keys(Vec<u32>),
}

impl Decoder<'_> {
    pub(super) fn dictionary(&self, page: &Page<'_>) -> Result<Dictionary, Wrong> {
        let header = &page.header;
        let data = plain_bytes(page.packing, page.body, header.plain).ok_or(Wrong::Damaged)?;
        let count = usize::try_from(header.values).map_err(|_| Wrong::Damaged)?;
        if !matches!(header.encoding, PLAIN | OLD_KEYS) {
            return Err(Wrong::Unsupported(format!("encoding {}", header.encoding)));
        }
        let made = self.plain_dictionary(&data, count);
        made.ok_or(Wrong::Damaged)
    }

    fn plain_dictionary(&self, data: &[u8], count: usize) -> Option<Dictionary> {
        let width = self.column.physical.width();
        if width > 0 {
            let numbers = data.get(..count.checked_mul(width)?)?.to_vec();
            let texts = Arc::new(ColumnChunk::new(0, None, ChunkData::Nothing)?);
            return Some(Dictionary { numbers, texts });
        }
        if count > data.len() / 4 {
            return None;
        }
        let texts = texts_chunk(count, None, TextBytes::plain(data, count)?)?;
        Some(Dictionary { numbers: Vec::new(), texts: Arc::new(texts) })
    }

    /// The rows of a page.
    pub(super) fn chunk<'a>(&self, page: &Page<'a>) -> Result<ColumnChunk<'a>, Wrong> {
        let header = &page.header;
        let rows = usize::try_from(header.values).map_err(|_| Wrong::Damaged)?;
        if header.kind == PageHeader::DATA && self.column.optional && header.levels != RUNS {
            return Err(Wrong::Unsupported(format!("encoding {} of nulls", header.levels)));
        }
        let (present, data) = self.levels(page, rows).ok_or(Wrong::Damaged)?;
        let count = present.as_ref().map_or(rows, |p| p.iter().filter(|&&p| p == 1).count());
        let decoded = self.decode(header.encoding, data, count, page.dictionary.as_deref())?;
        let present = present.filter(|_| count < rows);
        let texts = page.dictionary.as_ref().map(|of| of.texts.clone());
        self.spread(decoded, rows, present.as_deref(), texts).ok_or(Wrong::Damaged)
    }

    /// Which rows are not null, and the bytes of the values.
    fn levels<'a>(&self, page: &Page<'a>, rows: usize) -> Option<(Levels, Cow<'a, [u8]>)> {
        let header = &page.header;
        if header.kind == PageHeader::DATA_2 {
            let levels = usize::try_from(header.level_bytes).ok()?;
            let repeats = usize::try_from(header.repeat_bytes).ok()?;
            let both = levels.checked_add(repeats)?;
            let (before, packed) = page.body.split_at_checked(both)?;
            let plain = header.plain.checked_sub(i64::try_from(both).ok()?)?;
            let packing = if header.is_packed { page.packing } else { Packing::None };
            let data = plain_bytes(packing, packed, plain)?;
            let present = match self.column.optional {
                true => Some(encoding::hybrid(&before[repeats..], 1, rows)?),
                false => None,
            };
            return Some((present, data));
        }
        let mut data = plain_bytes(page.packing, page.body, header.plain)?;
        if !self.column.optional {
            return Some((None, data));
        }
        let length = u32::from_le_bytes(*data.first_chunk()?) as usize;
        let start = length.checked_add(4)?;
        let present = encoding::hybrid(data.get(4..start)?, 1, rows)?;
        data = match data {
            Cow::Borrowed(data) => Cow::Borrowed(&data[start..]),
            Cow::Owned(mut data) => {
                data.drain(..start);
                Cow::Owned(data)
            }
        };
        Some((Some(present), data))
    }

    fn decode<'a>(
        &self,
        encoding: i64,
        data: Cow<'a, [u8]>,
        count: usize,
        dictionary: Option<&Dictionary>,
    ) -> Result<Decoded<'a>, Wrong> {
        let width = self.column.physical.width();
        let integers = matches!(self.column.physical, Physical::Int32 | Physical::Int64);
        let found = match encoding {
            // Nothing is there to decode, and perhaps no bytes either.
            _ if count == 0 && width > 0 => Some(Decoded::Numbers(Cow::Owned(Vec::new()))),
            _ if count == 0 => TextBytes::plain(&[], 0).map(Decoded::Texts),
            PLAIN if width > 0 => exactly(data, count.saturating_mul(width)).map(Decoded::Numbers),
            PLAIN => TextBytes::plain(&data, count).map(Decoded::Texts),
            OLD_KEYS | KEYS => self.keys(&data, count, dictionary),
            DIFFERENCES if integers => encoding::differences(&data, count).map(|(found, _)| {
                let bytes = found.iter().flat_map(|x| x.to_le_bytes().into_iter().take(width));
                Decoded::Numbers(Cow::Owned(bytes.collect()))
            }),
            BYTES_APART if width > 0 => {
                let bytes = encoding::bytes_apart(&data, width, count);
                bytes.map(|bytes| Decoded::Numbers(Cow::Owned(bytes)))
            }
            LENGTHS_FIRST if width == 0 => {
                TextBytes::lengths_first(&data, count).map(Decoded::Texts)
            }
            SHARED_STARTS if width == 0 => {
                TextBytes::shared_starts(&data, count, self.limit).map(Decoded::Texts)
            }
            other => return Err(Wrong::Unsupported(format!("encoding {other}"))),
        };
        let whole = |found: &Decoded<'_>| match found {
            Decoded::Numbers(bytes) => bytes.len() == count * width,
            Decoded::Texts(texts) => texts.len() == count,
            Decoded::Keys(keys) => keys.len() == count,
        };
        found.filter(whole).ok_or(Wrong::Damaged)
    }

    fn keys<'a>(
        &self,
        data: &[u8],
        count: usize,
        dictionary: Option<&Dictionary>,
    ) -> Option<Decoded<'a>> {
        let (&bits, packed) = data.split_first()?;
        let keys = encoding::hybrid(packed, bits.into(), count)?;
        let Dictionary { numbers, texts } = dictionary?;
        let width = self.column.physical.width();
        if width == 0 {
            let known = |&key: &u32| (key as usize) < texts.rows();
            return keys.iter().all(known).then_some(Decoded::Keys(keys));
        }
        let mut bytes = Vec::with_capacity(count * width);
        for key in keys {
            let at = key as usize * width;
            bytes.extend_from_slice(numbers.get(at..at + width)?);
        }
        Some(Decoded::Numbers(Cow::Owned(bytes)))
    }

    /// Puts values where rows are not null.
    fn spread<'a>(
        &self,
        decoded: Decoded<'a>,
        rows: usize,
        present: Option<&[u32]>,
        texts: Option<Arc<ColumnChunk<'static>>>,
    ) -> Option<ColumnChunk<'a>> {
        let validity = present.map(|present| {
            let mut bits = vec![0u8; rows.div_ceil(8)];
            for (row, &present) in present.iter().enumerate() {
                bits[row / 8] |= (present as u8 & 1) << (row % 8);
            }
            Validity { bits: bits.into(), first: 0 }
        });
        match decoded {
            Decoded::Numbers(bytes) => {
                let width = self.column.physical.width();
                let bytes = match present {
                    None => bytes,
                    Some(present) => Cow::Owned(spaced(&bytes, width, present)),
                };
                ColumnChunk::new(rows, validity, ChunkData::Numbers(self.number()?, bytes))
            }
            Decoded::Keys(keys) => {
                let bytes: Vec<u8> = keys.iter().flat_map(|key| key.to_le_bytes()).collect();
                let bytes = match present {
                    None => bytes,
                    Some(present) => spaced(&bytes, 4, present),
                };
                ColumnChunk::of_keys(rows, validity, NumberKind::U32, bytes.into(), texts?)
            }
            Decoded::Texts(mut found) => {
                if let Some(present) = present {
                    found.offsets = spaced_offsets(&found.offsets, present);
                }
                texts_chunk(rows, validity, found)
            }
        }
    }

    /// The type of numbers as they are stored.
    fn number(&self) -> Option<NumberKind> {
        let signed = match self.column.kind {
            ColumnKind::Number(kind) => !matches!(
                kind,
                NumberKind::U8 | NumberKind::U16 | NumberKind::U32 | NumberKind::U64
            ),
            _ => return None,
        };
        match self.column.physical {
            Physical::Int32 => NumberKind::integer(32, signed),
            Physical::Int64 => NumberKind::integer(64, signed),
            Physical::Float => Some(NumberKind::F32),
            Physical::Double => Some(NumberKind::F64),
            Physical::Bytes | Physical::Other => None,
        }
    }
}

/// The bytes of a page before compression.
fn plain_bytes(packing: Packing, data: &[u8], length: i64) -> Option<Cow<'_, [u8]>> {
    let length = usize::try_from(length).ok()?;
    match packing {
        Packing::None => (data.len() == length).then_some(Cow::Borrowed(data)),
        // Pages without a value may have no bytes at all.
        _ if length == 0 => Some(Cow::Borrowed(&[])),
        packing => unpack(packing, data, length).map(Cow::Owned),
    }
}

/// The first bytes, if there are as many.
fn exactly(data: Cow<'_, [u8]>, length: usize) -> Option<Cow<'_, [u8]>> {
    match data {
        Cow::Borrowed(data) => data.get(..length).map(Cow::Borrowed),
        Cow::Owned(mut data) => (data.len() >= length).then(|| {
            data.truncate(length);
            Cow::Owned(data)
        }),
    }
}

/// Entries of `width` bytes where rows are present, zeros elsewhere.
fn spaced(bytes: &[u8], width: usize, present: &[u32]) -> Vec<u8> {
    let mut found = vec![0u8; width * present.len()];
    let mut entries = bytes.chunks_exact(width);
    for (to, &present) in found.chunks_exact_mut(width).zip(present) {
        if present == 1
            && let Some(entry) = entries.next()
        {
            to.copy_from_slice(entry);
        }
    }
    found
}

/// Ends of texts where rows are present; the last end again elsewhere.
fn spaced_offsets(offsets: &[u8], present: &[u32]) -> Vec<u8> {
    let mut ends = offsets.as_chunks::<8>().0.iter().copied();
    let mut end = ends.next().unwrap_or_default();
    let mut found = end.to_vec();
    for &present in present {
        if present == 1 {
            end = ends.next().unwrap_or(end);
        }
        found.extend(end);
    }
    found
}

fn texts_chunk<'a>(
    rows: usize,
    validity: Option<Validity<'a>>,
    texts: TextBytes,
) -> Option<ColumnChunk<'a>> {
    let TextBytes { offsets, bytes } = texts;
    let data = ChunkData::Texts { offsets: offsets.into(), wide: true, bytes: bytes.into() };
    ColumnChunk::new(rows, validity, data)
}
