//! Enums whose variants have names: on the command line, in Python and in records.
//!
//! [`named!`](macro@crate::named) wraps the definition of an enum and gives it `ALL`, `name()`,
//! [`Display`](std::fmt::Display) and [`FromStr`](std::str::FromStr), so that a name is written
//! once, beside its variant.
//!
//! ```
//! palmette_core::named! {
//!     /// Where a tree is put.
//!     #[derive(Debug, Clone, Copy, PartialEq, Eq)]
//!     pub enum Side("side") {
//!         /// On the left.
//!         Left = "left",
//!         /// On the right.
//!         Right = "right",
//!     }
//! }
//! assert_eq!("right".parse(), Ok(Side::Right));
//! assert_eq!(Side::ALL.map(Side::name), ["left", "right"]);
//! let error = "lft".parse::<Side>().unwrap_err();
//! assert_eq!(error.to_string(), "unknown side `lft`; did you mean `left`?");
//! ```

use thiserror::Error;

/// An enum made by [`named!`](macro@crate::named).
pub trait Named: Copy + Send + Sync + 'static {
    /// What its variants are, such as "engine".
    const KIND: &'static str;
    /// All variants.
    fn all() -> &'static [Self];
    /// The name of a variant.
    fn name(self) -> &'static str;

    /// The variant with a name.
    ///
    /// # Errors
    /// No variant has it.
    fn from_name(text: &str) -> Result<Self, UnknownName> {
        let found = Self::all().iter().find(|one| one.name() == text);
        found.copied().ok_or_else(|| UnknownName::new::<Self>(text))
    }
}

/// A text that is none of the names of an enum.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown {kind} `{text}`; {}", advice(.near, .known))]
#[non_exhaustive]
pub struct UnknownName {
    /// What was asked for, such as "engine".
    pub kind: &'static str,
    /// The text found.
    pub text: String,
    /// The known name that is nearest to it, where one is near.
    pub near: Option<&'static str>,
    /// All known names.
    pub known: Vec<&'static str>,
}

impl UnknownName {
    fn new<T: Named>(text: &str) -> UnknownName {
        UnknownName::among(T::KIND, text, T::all().iter().map(|one| one.name()))
    }

    /// A text that is none of these names.
    pub fn among(
        kind: &'static str,
        text: &str,
        known: impl IntoIterator<Item = &'static str>,
    ) -> UnknownName {
        let known: Vec<&str> = known.into_iter().collect();
        UnknownName { kind, text: text.to_string(), near: nearest(text, known.clone()), known }
    }

    /// A text that has none of these forms, which are names with what follows them, such as
    /// `grid:ROWSxCOLUMNS`. One with a known name is told the forms of this name.
    pub fn among_forms(
        kind: &'static str,
        text: &str,
        forms: impl IntoIterator<Item = &'static str>,
    ) -> UnknownName {
        let forms: Vec<&'static str> = forms.into_iter().collect();
        let name = name_of(text);
        let known: Vec<&'static str> =
            forms.iter().copied().filter(|form| name_of(form) == name).collect();
        if !known.is_empty() {
            return UnknownName { kind, text: text.to_string(), near: None, known };
        }
        let near = nearest(name, forms.iter().map(|form| name_of(form)));
        let near = near.and_then(|near| forms.iter().copied().find(|form| name_of(form) == near));
        UnknownName { kind, text: name.to_string(), near, known: forms }
    }
}

/// What stands before the data of a form.
fn name_of(form: &str) -> &str {
    form.split([':', '[']).next().unwrap_or(form)
}

fn advice(near: &Option<&'static str>, known: &[&'static str]) -> String {
    match (near, known) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, [one]) => format!("expected {one}"),
        _ => format!("expected one of {}", known.join(", ")),
    }
}

/// The known name that a misspelt word may have meant: up to a third of its letters differ.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = known.into_iter().map(|other| (distance(word, other), other));
    let (steps, other) = near.min_by_key(|near| near.0)?;
    (steps <= (word.len() / 3).clamp(1, 3) && steps < word.len()).then_some(other)
}

/// Letters to change, add, drop or swap with the next, with at least 1 for another case.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len().abs_diff(b.len()) > 3 || a.len() > 64 {
        return usize::MAX;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = change.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

/// Defines an enum with names; see the [module](mod@crate::named).
#[macro_export]
macro_rules! named {
    (
        $(#[$meta:meta])*
        $vis:vis enum $type:ident($kind:literal) {
            $($(#[$about:meta])* $variant:ident = $name:literal,)+
        }
    ) => {
        $(#[$meta])*
        $vis enum $type {
            $($(#[$about])* $variant,)+
        }

        impl $type {
            /// All of them.
            $vis const ALL: [$type; [$($name),+].len()] = [$($type::$variant),+];

            /// Its name on the command line and in records.
            $vis const fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name,)+
                }
            }
        }

        impl $crate::named::Named for $type {
            const KIND: &'static str = $kind;
            fn all() -> &'static [$type] {
                &$type::ALL
            }
            fn name(self) -> &'static str {
                $type::name(self)
            }
        }

        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl ::std::str::FromStr for $type {
            type Err = $crate::named::UnknownName;

            fn from_str(text: &str) -> ::std::result::Result<$type, Self::Err> {
                $crate::named::Named::from_name(text)
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::named! {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        enum Side("side") {
            Left = "left",
            Right = "right",
        }
    }

    #[test]
    fn names_read_back() {
        for side in Side::ALL {
            assert_eq!(side.to_string().parse(), Ok(side));
        }
        assert_eq!(format!("[{:>6}]", Side::Left), "[  left]");
        let error = "up".parse::<Side>().expect_err("no side");
        assert_eq!(error.to_string(), "unknown side `up`; expected one of left, right");
    }

    #[test]
    fn forms() {
        let forms = ["grid:ROWSxCOLUMNS", "grid:XxYxZ", "penny-crack[:N]"];
        for (text, said) in [
            ("gird:60x60", "unknown shape `gird`; did you mean `grid:ROWSxCOLUMNS`?"),
            ("penycrack", "unknown shape `penycrack`; did you mean `penny-crack[:N]`?"),
            ("grid:60", "unknown shape `grid:60`; expected one of grid:ROWSxCOLUMNS, grid:XxYxZ"),
            ("penny-crack:x", "unknown shape `penny-crack:x`; expected penny-crack[:N]"),
            (
                "ball:3",
                "unknown shape `ball`; expected one of grid:ROWSxCOLUMNS, grid:XxYxZ, \
                 penny-crack[:N]",
            ),
        ] {
            assert_eq!(UnknownName::among_forms("shape", text, forms).to_string(), said);
        }
    }

    #[test]
    fn near_names() {
        let known = ["light-first", "bfs", "dfs"];
        for (text, near) in [
            ("ligth-first", Some("light-first")),
            ("Bfs", Some("bfs")),
            ("d", None),
            ("", None),
            ("heavy", None),
        ] {
            assert_eq!(nearest(text, known), near, "{text}");
        }
    }
}
