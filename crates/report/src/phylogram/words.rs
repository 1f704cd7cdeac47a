//! What a drawing says: names of rows, hints, the note below the title.

use super::TreeForm;
use super::draw::Sheet;
use super::selection::{Drawn, Kind};
use crate::number::{counted, short, thousands};
use palmette_core::NONE;
use std::fmt::Write;

impl Sheet<'_> {
    /// What stands beside a row, or over the branch of an inner vertex.
    pub(super) fn name(&self, d: &Drawn) -> String {
        let tips = match self.of.form {
            TreeForm::Rectangular => counted(d.tips, "tip", "tips"),
            TreeForm::Circular => thousands(d.tips),
        };
        let first = || (self.of.labels)(self.shape.first_tip(d.position));
        match d.kind {
            Kind::Group(clades) => {
                let clades = counted(clades, "clade", "clades");
                let round = self.of.form == TreeForm::Circular;
                if round { format!("{tips} tips") } else { format!("{tips} in {clades}") }
            }
            Kind::Clade => match ((self.of.labels)(d.position), first()) {
                (name, _) if !name.is_empty() => format!("{name} · {tips}"),
                (_, first) if first.is_empty() => counted(d.tips, "tip", "tips"),
                (_, first) => format!("{tips} ({first} …)"),
            },
            Kind::Inner | Kind::Tip => (self.of.labels)(d.position),
        }
    }

    pub(super) fn hint(&self, d: &Drawn) -> String {
        let mut hint = self.name(d);
        if hint.is_empty() {
            hint = counted(d.tips, "tip", "tips");
        } else if d.kind == Kind::Inner {
            let _ = write!(hint, " · {}", counted(d.tips, "tip", "tips"));
        }
        if matches!(d.kind, Kind::Group(_)) {
            return hint;
        }
        let i = d.position as usize;
        if let (Some(lengths), true) = (self.of.lengths, self.of.parents[i] != NONE) {
            let _ = write!(hint, " · branch length {}", short(lengths[i]));
        }
        if let Some((support, _)) = self.of.support.filter(|s| s.0[i].is_finite()) {
            let _ = write!(hint, " · support {}", short(support[i]));
        }
        if let Some(words) = self.painter.words(d.position) {
            let _ = write!(hint, " · {words}");
        }
        hint
    }

    pub(super) fn note(&self) -> String {
        let roots: Vec<u32> = self.shape.roots().collect();
        let tips: u64 = roots.iter().map(|&r| u64::from(self.shape.tips[r as usize])).sum();
        let mut note = counted(tips, "tip", "tips");
        let leaves = self.drawn.iter().filter(|d| d.kind != Kind::Inner);
        let [mut own, mut clades, mut groups] = [0u64; 3];
        leaves.for_each(|d| match d.kind {
            Kind::Tip => own += 1,
            Kind::Clade => clades += 1,
            _ => groups += 1,
        });
        if clades + groups > 0 {
            let _ = write!(note, " · drawn as {}", counted(clades, "clade", "clades"));
            if groups > 0 {
                let _ = write!(note, ", {}", counted(groups, "group", "groups"));
            }
            if own > 0 {
                let _ = write!(note, " and {}", counted(own, "tip", "tips"));
            }
        }
        if roots.len() != 1 {
            let _ = write!(note, " · {}", counted(roots.len() as u64, "root", "roots"));
        }
        note
    }

    pub(super) fn description(&self, note: &str) -> String {
        let across = if self.of.lengths.is_some() { "branch length" } else { "depth" };
        format!("Phylogeny by {across}, {}: {note}.", self.of.form)
    }
}
