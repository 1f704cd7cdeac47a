//! Labels of trees that are made from others: moved, joined, replaced.
//!
//! **Cost.** Texts are not copied when labels move: 4 bytes per vertex. Joining and replacing copy them.

use super::{Kind, Labels, Texts};
use palmette_core::NONE;
use std::collections::HashSet;

impl Labels {
    /// The labels of other vertices: vertex `v` gets that of `from[v]`, or none for `NONE`. Where there
    /// are ids, new vertices get ids of their own: `#` and their number.
    ///
    /// # Panics
    /// When `from` has a vertex that there is not.
    #[must_use]
    pub fn gathered(mut self, from: &[u32]) -> Labels {
        let captions = self.captions.take().map(|captions| captions.texts.gathered(from));
        let all = from.iter().all(|&v| v != NONE);
        let kind = match self.kind {
            Kind::Text(texts) if all || captions.is_none() => Kind::Text(texts.gathered(from)),
            Kind::Text(texts) => {
                let mut ids = Texts::default();
                let kept = from.iter().filter(|&&v| v != NONE).map(|&v| texts.get(v as usize));
                let taken: HashSet<&str> = kept.filter(|id| id.starts_with('#')).collect();
                for (new, &v) in from.iter().enumerate() {
                    let mut id = format!("#{new}");
                    while v == NONE && taken.contains(&id[..]) {
                        id.insert(0, '#');
                    }
                    ids.push(if v == NONE { &id } else { texts.get(v as usize) });
                }
                Kind::Text(ids)
            }
            kind if all => {
                let labels = Labels::from_kind(kind);
                let ids = from.iter().map(|&v| labels.integer(v as usize)).collect();
                Labels::integers(ids).kind
            }
            kind => {
                let labels = Labels::from_kind(kind);
                let (mut ids, mut buffer) = (Texts::default(), itoa::Buffer::new());
                for (new, &v) in from.iter().enumerate() {
                    match v {
                        NONE if captions.is_some() => ids.push(&format!("#{new}")),
                        NONE => ids.push(""),
                        v => ids.push(buffer.format(labels.integer(v as usize))),
                    }
                }
                Kind::Text(ids)
            }
        };
        let labels = Labels::from_kind(kind);
        match captions {
            Some(captions) => labels.with_captions(captions),
            None => labels,
        }
    }

    /// The labels of two trees, those of `other` after these. Ids are left out.
    #[must_use]
    pub fn followed_by(&self, other: &Labels) -> Labels {
        let plain = |labels: &Labels| labels.are_integers() && labels.captions.is_none();
        let both = [self, other];
        if plain(self) && plain(other) {
            let ids =
                |labels: &Labels| (0..labels.len()).map(|v| labels.integer(v)).collect::<Vec<_>>();
            return Labels::integers(both.map(ids).concat());
        }
        let mut texts = Texts::default();
        for labels in both {
            (0..labels.len() as u32).for_each(|v| texts.push(&labels.label(v)));
        }
        Labels::from_kind(Kind::Text(texts))
    }

    /// The labels with other ones for some vertices; an empty one is none. Ids stay.
    #[must_use]
    pub fn replaced<'a>(&self, new: impl Fn(u32) -> Option<&'a str>) -> Labels {
        let mut texts = Texts::default();
        for v in 0..self.len() as u32 {
            match new(v) {
                Some(text) => texts.push(text),
                None => texts.push(&self.label(v)),
            }
        }
        match self.captions {
            Some(_) => Labels::from_kind(self.kind.clone()).with_captions(texts),
            None => Labels::from_texts(texts),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(labels: &Labels) -> Vec<String> {
        (0..labels.len() as u32).map(|v| labels.label(v).into_owned()).collect()
    }

    #[test]
    fn labels_move() {
        let from = [2, NONE, 0];
        assert_eq!(all(&Labels::texts(["a", "b", "c"]).gathered(&from)), ["c", "", "a"]);
        assert_eq!(all(&Labels::numbers(3).gathered(&from)), ["2", "", "0"]);
        let numbers = Labels::integers(vec![5, 9, 7]).gathered(&[2, 1]);
        assert_eq!((all(&numbers), numbers.are_integers()), (vec!["7".into(), "9".into()], true));
        let again = Labels::texts(["a", "b", "c"]).gathered(&from).gathered(&[1, 2]);
        assert_eq!(all(&again), ["", "a"]);
    }

    #[test]
    fn ids_stay_apart() {
        let mut texts = Texts::default();
        ["x", "y"].iter().for_each(|text| texts.push(text));
        let labels = Labels::texts(["a", "#1"]).with_captions(texts).gathered(&[1, NONE, 0]);
        let ids: Vec<_> = (0..3).map(|v| labels.get(v).into_owned()).collect();
        assert_eq!(
            (ids, all(&labels)),
            (
                vec!["#1".into(), "##1".into(), "a".into()],
                vec!["y".into(), String::new(), "x".into()]
            )
        );
    }

    #[test]
    fn labels_join_and_change() {
        let labels = Labels::texts(["a", ""]).followed_by(&Labels::numbers(2));
        assert_eq!(all(&labels), ["a", "", "0", "1"]);
        assert!(Labels::numbers(1).followed_by(&Labels::numbers(2)).are_integers());
        let other = labels.replaced(|v| (v == 1).then_some("new"));
        assert_eq!(all(&other), ["a", "new", "0", "1"]);
    }
}
