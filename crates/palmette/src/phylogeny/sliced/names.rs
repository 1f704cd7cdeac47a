//! Names of tips and sequences, brought together.

use super::*;

/// Sends sequences to the ranks of their tips; `names` are those of the `tips` among the vertices of the
/// own slice.
///
/// # Errors
/// As [`parsimony`](crate::phylogeny::parsimony::parsimony).
pub fn bring_rows<R: Ranks>(
    ranks: &mut Metered<R>,
    tree: &FoldSlices,
    slice: &NamedSlice,
    alignment: &Alignment,
    ignore_missing: bool,
) -> Result<TipRows, SlicedError> {
    let NamedSlice { tips, names, .. } = slice;
    let file = &alignment.name;
    let places = tips.iter().map(|&tip| tree.positions()[tip as usize]);
    let records = places.zip(names.iter().map(String::as_str));
    let met = meet(ranks, records)?;
    let mut here: HashMap<&str, (u64, bool)> = HashMap::with_capacity(met.len());
    let mut shared = Vec::new();
    for (_, position, name) in &met {
        if here.insert(name, (*position, false)).is_some() {
            shared.push(name.clone());
        }
    }
    let count = ranks.sum(shared.len() as u64)? as usize;
    let file_of = || file.clone();
    refuse(ranks, shared, |names| AlignedError::SharedName { file: file_of(), count, names })?;
    // By their first words, and those without a tip by their whole headers.
    let sequences = 0..alignment.names.len();
    let mut to = vec![NO_VERTEX; alignment.names.len()];
    for whole in [false, true] {
        let name = |k: usize| if whole { alignment.header(k) } else { &alignment.names[k][..] };
        let open = |&k: &usize| to[k] == NO_VERTEX && (!whole || name(k) != alignment.names[k]);
        let asking: Vec<usize> = sequences.clone().filter(open).collect();
        let asked = meet(ranks, asking.iter().map(|&k| (k as u64, name(k))))?;
        let mut answers = vec![Vec::new(); ranks.ranks()];
        for (from, k, name) in &asked {
            let tip = here.get_mut(&name[..]).filter(|(_, taken)| !*taken);
            let position = tip.map_or(NO_VERTEX, |(position, taken)| {
                *taken = true;
                *position
            });
            answers[*from].extend([*k, position]);
        }
        let counts: Vec<usize> = answers.iter().map(Vec::len).collect();
        let answers = ranks.exchange(&answers.concat(), &counts)?;
        for &[k, position] in answers.words.as_chunks::<2>().0 {
            to[k as usize] = position;
        }
    }
    let strangers: Vec<String> =
        sequences.filter(|&k| to[k] == NO_VERTEX).map(|k| alignment.names[k].clone()).collect();
    let alone: Vec<String> =
        here.iter().filter(|(_, (_, taken))| !taken).map(|(name, _)| name.to_string()).collect();
    let [sequences, left_out, tips, unknown] =
        [alignment.names.len(), strangers.len(), tips.len(), alone.len()].map(|n| n as u64);
    let sequences = ranks.sum(sequences)? as usize;
    let [left_out, tips, unknown] = [ranks.sum(left_out)?, ranks.sum(tips)?, ranks.sum(unknown)?];
    let count = left_out as usize;
    if count == sequences {
        return Err(one(ranks, AlignedError::Nothing { file: file_of(), sequences })?);
    }
    if !ignore_missing {
        refuse(ranks, strangers, |names| AlignedError::NoTip {
            file: file_of(),
            count,
            sequences,
            names,
        })?;
        let (count, tips) = (unknown as usize, tips as usize);
        refuse(ranks, alone, |names| AlignedError::NoSequence {
            file: file_of(),
            count,
            tips,
            names,
        })?;
    }
    let (rows, row_of) = send_rows(ranks, tree, alignment, &to)?;
    Ok(TipRows { rows, row_of, tips, unknown, left_out })
}

/// Sends rows to the places of their tips.
fn send_rows<R: Ranks>(
    ranks: &mut Metered<R>,
    tree: &FoldSlices,
    alignment: &Alignment,
    to: &[u64],
) -> Result<(Vec<u64>, Vec<u32>), SlicedError> {
    let states = alignment.symbols.states().len();
    let words = palmette_core::sites::words_for(states, alignment.sites);
    let mut mails = vec![Vec::new(); ranks.ranks()];
    for (k, &position) in to.iter().enumerate().filter(|&(_, &p)| p != NO_VERTEX) {
        let (rank, place) = tree.place_of(position);
        mails[rank].push(u64::from(place));
        mails[rank].extend_from_slice(&alignment.rows[k * words..][..words]);
    }
    let counts: Vec<usize> = mails.iter().map(Vec::len).collect();
    let mail = ranks.exchange(&mails.concat(), &counts)?;
    drop(mails);
    let mut row_of = vec![NONE; tree.len()];
    let mut rows = Vec::with_capacity(mail.words.len());
    for (row, record) in mail.words.chunks_exact(words + 1).enumerate() {
        row_of[record[0] as usize] = row as u32;
        rows.extend_from_slice(&record[1..]);
    }
    Ok((rows, row_of))
}

/// Names that met here: from which rank, with which number.
type Met = Vec<(usize, u64, String)>;

/// Sends names with numbers to the ranks that their hashes choose.
fn meet<'a, R: Ranks>(
    ranks: &mut Metered<R>,
    names: impl Iterator<Item = (u64, &'a str)>,
) -> Result<Met, SlicedError> {
    let count = ranks.ranks();
    let mut mails = vec![Vec::new(); count];
    for (number, name) in names {
        let mail = &mut mails[(hash(name) % count as u64) as usize];
        mail.extend([number, name.len() as u64]);
        mail.extend(name.as_bytes().chunks(8).map(|bytes| {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(word)
        }));
    }
    let counts: Vec<usize> = mails.iter().map(Vec::len).collect();
    let mail = ranks.exchange(&mails.concat(), &counts)?;
    drop(mails);
    let mut met = Vec::new();
    let mut words = &mail.words[..];
    for (from, &count) in mail.counts.iter().enumerate() {
        let (mut own, rest) = words.split_at(count);
        words = rest;
        while let [number, length, after @ ..] = own {
            let length = *length as usize;
            let (letters, rest) = after.split_at(length.div_ceil(8));
            let mut bytes: Vec<u8> = letters.iter().flat_map(|word| word.to_le_bytes()).collect();
            bytes.truncate(length);
            met.push((from, *number, String::from_utf8_lossy(&bytes).into_owned()));
            own = rest;
        }
    }
    Ok(met)
}

/// FNV-1a, well mixed.
fn hash(name: &str) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    let hash = name.as_bytes().iter().fold(0xcbf2_9ce4_8422_2325, step);
    hash ^ hash >> 32
}

/// An error about names on any rank, said by the first that has some.
fn refuse<R: Ranks>(
    ranks: &mut Metered<R>,
    mut names: Vec<String>,
    error: impl Fn(String) -> AlignedError,
) -> Result<(), SlicedError> {
    names.sort_unstable();
    let more = if names.len() > NAMED { ", …" } else { "" };
    let some: Vec<String> = names.iter().take(NAMED).map(|n| format!("`{}`", short(n))).collect();
    let wrong = (!names.is_empty()).then(|| error(some.join(", ") + more));
    ranks.agree(wrong.map_or(Ok(()), |error| Err(SlicedError::from(error))))
}

/// An error that all ranks have, said by the first.
fn one<R: Ranks>(ranks: &mut Metered<R>, error: AlignedError) -> Result<SlicedError, RanksError> {
    let own = if ranks.rank() == 0 { Err(SlicedError::from(error)) } else { Ok(()) };
    Ok(match ranks.agree(own) {
        Err(error) => error,
        Ok(()) => RanksError::Elsewhere { rank: 0 }.into(),
    })
}
