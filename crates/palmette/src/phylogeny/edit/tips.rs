//! Tips by name: lists, patterns, and their order.

use super::EditProblem;
use palmette_core::{NONE, Tree};
use palmette_io::{Lookup, TreeFile};
use rayon::prelude::*;

/// Tips that are asked for: by names, and by patterns of names. A name of an inner vertex stands for
/// all tips below it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TipList {
    /// Names.
    pub names: Vec<String>,
    /// Patterns of tips' names: `*` is any text, `?` one character.
    pub patterns: Vec<String>,
    /// Names and patterns of no vertex are left out, and are no error.
    pub ignore_missing: bool,
}

/// Tips that were found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenTips {
    /// By vertex, whether it is a tip that was asked for.
    pub chosen: Vec<bool>,
    /// How many tips that are.
    pub tips: usize,
    /// How many names are of no vertex.
    pub missing: usize,
}

/// How many unknown names an error says.
const SAID: usize = 3;

impl TipList {
    /// Of names alone.
    pub fn names<S: Into<String>>(names: impl IntoIterator<Item = S>) -> TipList {
        TipList { names: names.into_iter().map(Into::into).collect(), ..TipList::default() }
    }

    /// The tips of a tree that are meant.
    ///
    /// # Errors
    /// When names are of no vertex, or one is of several; or a pattern fits no tip.
    pub fn choose(&self, file: &TreeFile, tree: &Tree) -> Result<ChosenTips, EditProblem> {
        let (vertices, missing) = self.vertices(file)?;
        let mut chosen = tips_below(tree, &vertices);
        for pattern in &self.patterns {
            let mut any = false;
            for i in (0..tree.len() as u32).filter(|&i| tree.is_leaf(i)) {
                let v = tree.vertices()[i as usize];
                if matches(pattern.as_bytes(), file.labels.label(v).as_bytes()) {
                    (chosen[v as usize], any) = (true, true);
                }
            }
            if !any && !self.ignore_missing {
                let (file, pattern) = (file.name.clone(), pattern.clone());
                return Err(EditProblem::NoMatch { file, pattern });
            }
        }
        let tips = chosen.iter().filter(|&&chosen| chosen).count();
        Ok(ChosenTips { chosen, tips, missing })
    }

    /// The vertices that the names are of, and how many names are of none.
    ///
    /// # Errors
    /// As [`TipList::choose`].
    pub fn vertices(&self, file: &TreeFile) -> Result<(Vec<u32>, usize), EditProblem> {
        let (mut vertices, mut count) = (Vec::with_capacity(self.names.len()), 0);
        let mut names = Vec::new();
        for name in &self.names {
            match file.labels.find(name) {
                Lookup::Vertex(v) => vertices.push(v),
                Lookup::Unknown => {
                    count += 1;
                    if names.len() < SAID {
                        names.push(name.clone());
                    }
                }
                // The file says which vertices they are.
                Lookup::Ambiguous(..) => {
                    vertices.push(file.vertex(name)?);
                }
            }
        }
        if count > 0 && !self.ignore_missing {
            let file = file.name.clone();
            return Err(EditProblem::Unknown { file, names, count });
        }
        Ok((vertices, count))
    }
}

/// By vertex, whether it is a tip that is below one of these vertices, or is one of them.
///
/// # Panics
/// When there is no such vertex.
pub fn tips_below(tree: &Tree, vertices: &[u32]) -> Vec<bool> {
    let mut chosen = vec![false; tree.len()];
    vertices.iter().for_each(|&v| chosen[v as usize] = true);
    for (&v, &p) in tree.vertices().iter().zip(tree.parents()) {
        let above = tree.vertices().get(p as usize);
        chosen[v as usize] |= above.is_some_and(|&above| chosen[above as usize]);
    }
    for (&v, &size) in tree.vertices().iter().zip(tree.sizes()) {
        chosen[v as usize] &= size == 1;
    }
    chosen
}

/// By vertex, the rank of its label among those of tips, in the order of bytes; equal labels have one
/// rank. For vertices that are no tips it is [`NONE`].
pub fn ranks_by_name(file: &TreeFile, tree: &Tree) -> Vec<u32> {
    let leaf = |i: &u32| tree.is_leaf(*i);
    let mut tips: Vec<u32> =
        (0..tree.len() as u32).filter(leaf).map(|i| tree.vertices()[i as usize]).collect();
    let label = |v: u32| file.labels.label(v);
    tips.par_sort_by(|&u, &v| label(u).cmp(&label(v)));
    let mut ranks = vec![NONE; tree.len()];
    let mut rank = 0;
    for (k, &v) in tips.iter().enumerate() {
        if k > 0 && label(tips[k - 1]) != label(v) {
            rank = k as u32;
        }
        ranks[v as usize] = rank;
    }
    ranks
}

/// Whether a text is like a pattern, where `*` is any text and `?` one character.
fn matches(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    // Where the last star was, and what it has taken so far.
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(b'?') => {
                p += 1;
                t += character(text[t]);
            }
            Some(&byte) if byte == text[t] => {
                p += 1;
                t += 1;
            }
            _ => match star {
                Some((at, taken)) => {
                    star = Some((at, taken + 1));
                    p = at + 1;
                    t = taken + 1;
                }
                None => return false,
            },
        }
    }
    t == text.len() && pattern[p..].iter().all(|&byte| byte == b'*')
}

/// The bytes of the character that begins with a byte.
fn character(first: u8) -> usize {
    match first {
        0xf0.. => 4,
        0xe0.. => 3,
        0xc0.. => 2,
        _ => 1,
    }
}
