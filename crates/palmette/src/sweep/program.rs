//! The programs that can be studied, by name.

use super::Claim;
use std::fmt;
use std::str::FromStr;

/// A program that can be studied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StudyProgram {
    /// Sums over subtrees by contraction.
    Treefix,
    /// Sums over root paths by contraction.
    Rootfix,
    /// Lowest common ancestors of as many random pairs as there are vertices.
    Lca,
    /// Bringing a tree whose vertices lie anywhere into light-first order.
    Layout,
    /// Ranking one list whose elements lie anywhere.
    ListRanking,
}

impl StudyProgram {
    /// Every program.
    pub const ALL: [StudyProgram; 5] = [
        StudyProgram::Treefix,
        StudyProgram::Rootfix,
        StudyProgram::Lca,
        StudyProgram::Layout,
        StudyProgram::ListRanking,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            StudyProgram::Treefix => "treefix",
            StudyProgram::Rootfix => "rootfix",
            StudyProgram::Lca => "lca",
            StudyProgram::Layout => "layout",
            StudyProgram::ListRanking => "list-ranking",
        }
    }

    /// What its runs are evidence for.
    pub const fn claims(self) -> &'static [Claim] {
        match self {
            StudyProgram::Treefix | StudyProgram::Rootfix => {
                &[Claim::Lemma12, Claim::Lemma11, Claim::Theorem3]
            }
            StudyProgram::Lca => &[Claim::Theorem6, Claim::Lemma13],
            StudyProgram::Layout => &[Claim::Theorem4, Claim::Corollary2, Claim::Theorem1],
            StudyProgram::ListRanking => &[Claim::Theorem5],
        }
    }

    /// Whether it runs on trees.
    pub const fn has_shapes(self) -> bool {
        !matches!(self, StudyProgram::ListRanking)
    }
}

impl fmt::Display for StudyProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for StudyProgram {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = StudyProgram::ALL.map(StudyProgram::name).join(", ");
        let unknown = || format!("expected one of {names}, found `{text}`");
        StudyProgram::ALL.into_iter().find(|p| p.name() == text).ok_or_else(unknown)
    }
}
