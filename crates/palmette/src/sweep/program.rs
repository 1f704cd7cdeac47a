//! The programs of studies, and their names.

use super::*;

named! {
    /// A program that can be studied.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum StudyProgram("program") {
        /// Sums over subtrees by contraction.
        Treefix = "treefix",
        /// Sums over root paths by contraction.
        Rootfix = "rootfix",
        /// Lowest common ancestors of as many random pairs as there are vertices.
        Lca = "lca",
        /// Bringing a tree whose vertices lie anywhere into light-first order.
        Layout = "layout",
        /// Ranking one list whose elements lie anywhere.
        ListRanking = "list-ranking",
    }
}

impl StudyProgram {
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

    /// Whether there is a choice of [methods](palmette_spatial::program::Method).
    pub const fn has_methods(self) -> bool {
        !matches!(self, StudyProgram::Lca | StudyProgram::Layout)
    }

    /// Whether it runs on trees.
    pub const fn has_shapes(self) -> bool {
        !matches!(self, StudyProgram::ListRanking)
    }
}
