//! Finds vertices by id in a distributed tree, where ids are arbitrary integers.

use super::ranks::{Metered, Ranks, RanksError};
use super::ranks::{Slices, ask, send};
use super::{DistributedError, NO_VERTEX};
use palmette_core::random::mixed;

/// The ids of all vertices: each rank knows a share of them.
///
/// **Method.** Consecutive ids are counted from the first. Others go to a rank that is chosen
/// by a hash, which sorts them; a rank asks for an id once.
/// **Cost.** 2 words per vertex to build, none for consecutive ids; 2 for each different id that a
/// rank asks for.
pub struct Names {
    /// The id of vertex 0, where ids are consecutive.
    first: Option<i64>,
    vertices: u64,
    /// Ids and their vertices, sorted.
    own: Vec<[u64; 2]>,
}

/// Integers as words in their order.
fn word(id: i64) -> u64 {
    (id as u64) ^ (1 << 63)
}

impl Names {
    /// Takes the ids of this rank's slice, in the order of vertices.
    ///
    /// # Errors
    /// When two vertices have the same id.
    pub fn build<R: Ranks>(ranks: &mut Metered<R>, ids: &[i64]) -> Result<Names, DistributedError> {
        ranks.phase("names");
        let slices = Slices::agreed(ranks, ids.len())?;
        let (start, vertices) = (slices.of(ranks.rank()).start, slices.total());
        // Where the first vertex of all would be, by the ids here.
        let first = ids.first().and_then(|id| id.checked_sub_unsigned(start));
        let follow = |first: i64| {
            (start..).zip(ids).all(|(v, &id)| first.checked_add_unsigned(v) == Some(id))
        };
        let consecutive = first.is_none_or(follow) && (first.is_some() || ids.is_empty());
        let said = [u64::from(!ids.is_empty()), u64::from(consecutive), word(first.unwrap_or(0))];
        let all = ranks.gather(&said)?;
        let mut firsts = all.records::<3>().iter().filter(|[any, ..]| *any == 1);
        let all_agree = all.records::<3>().iter().all(|[_, consecutive, _]| *consecutive == 1);
        let first = firsts.next().map_or(0, |[.., first]| *first);
        if all_agree && firsts.all(|[.., other]| *other == first) {
            let first = Some((first ^ (1 << 63)) as i64);
            return Ok(Names { first, vertices, own: Vec::new() });
        }
        let p = ranks.ranks() as u64;
        let mail = send(ranks, |post| {
            for (v, &id) in (start..).zip(ids) {
                post((mixed(word(id)) % p) as usize, &[word(id), v]);
            }
        })?;
        let mut own = mail.records::<2>().to_vec();
        drop(mail);
        own.sort_unstable();
        let twice = own.windows(2).find(|pair| pair[0][0] == pair[1][0]);
        ranks.agree(match twice {
            None => Ok(()),
            Some(pair) => Err(DistributedError::SameName {
                id: (pair[0][0] ^ (1 << 63)) as i64,
                first: pair[0][1],
                second: pair[1][1],
            }),
        })?;
        Ok(Names { first: None, vertices, own })
    }

    /// The vertex of each id, or [`NO_VERTEX`].
    ///
    /// # Errors
    /// When communication between ranks fails.
    pub fn find<R: Ranks>(
        &self,
        ranks: &mut Metered<R>,
        ids: &[i64],
    ) -> Result<Vec<u64>, RanksError> {
        if let Some(first) = self.first {
            let vertex = |&id: &i64| {
                let place = id.checked_sub(first).and_then(|place| u64::try_from(place).ok());
                place.filter(|&v| v < self.vertices).unwrap_or(NO_VERTEX)
            };
            return Ok(ids.iter().map(vertex).collect());
        }
        ranks.phase("names");
        let mut different: Vec<u64> = ids.iter().map(|&id| word(id)).collect();
        different.sort_unstable();
        different.dedup();
        let p = ranks.ranks() as u64;
        let questions: Vec<_> =
            different.iter().map(|&id| ((mixed(id) % p) as usize, [id])).collect();
        let answers = ask(ranks, &questions, |[id]| {
            let place = self.own.binary_search_by_key(&id, |[own, _]| *own);
            [place.map_or(NO_VERTEX, |place| self.own[place][1])]
        })?;
        let vertex = |&id: &i64| {
            different.binary_search(&word(id)).map_or(NO_VERTEX, |place| answers[place][0])
        };
        Ok(ids.iter().map(vertex).collect())
    }

    /// The id of each vertex, none for [`NO_VERTEX`]; `ids` are those of this rank's slice.
    ///
    /// # Errors
    /// When communication between ranks fails.
    pub fn ids_of<R: Ranks>(
        &self,
        ranks: &mut Metered<R>,
        ids: &[i64],
        vertices: &[u64],
    ) -> Result<Vec<Option<i64>>, RanksError> {
        let known = |&v: &u64| v != NO_VERTEX;
        if let Some(first) = self.first {
            let id = |v: &u64| known(v).then(|| first + *v as i64);
            return Ok(vertices.iter().map(id).collect());
        }
        let slices = Slices::agreed(ranks, ids.len())?;
        let start = slices.of(ranks.rank()).start;
        let mut different: Vec<u64> = vertices.iter().copied().filter(known).collect();
        different.sort_unstable();
        different.dedup();
        let questions: Vec<_> = different.iter().map(|&v| (slices.owner(v), [v])).collect();
        let answers = ask(ranks, &questions, |[v]| [ids[(v - start) as usize] as u64])?;
        let id = |v: &u64| different.binary_search(v).ok().map(|place| answers[place][0] as i64);
        Ok(vertices.iter().map(id).collect())
    }
}
