//! Plain data: what a processor may keep and send.
//!
//! A word of memory is a number. A reference is a number too, but what it points to lies in
//! the host's memory, where all processors could read it for nothing. So states, messages and
//! constants are [`Plain`]: numbers, and structs and enums of plain data that
//! [`plain!`](crate::plain) has looked through field by field.
//!
//! A macro of this crate that writes an implementation in another can name no more than its users
//! can: who names the hidden trait [`sealed::Looked`] and implements it by hand declares fields
//! unseen. The compiler cannot forbid that, so that it is forbidden as a `static` is; a test looks
//! for it in all our sources.

use palmette_core::Monoid;
use palmette_core::operator::{
    Affine, AffineModulo, And, ArgMax, ArgMin, Matrix, MatrixModulo, Max, Min, Or, ProductModulo,
    RollingHash, Sum, Xor,
};
use std::marker::PhantomData;

/// Data without references: numbers, truth values, tuples, arrays and options of plain data,
/// the operators of `palmette_core`, functions (they carry no data), and whatever
/// [`plain!`](crate::plain) declares.
///
/// A reference to leaked memory is `Copy + 'static`, and is not plain:
///
/// ```compile_fail,E0277
/// use palmette_spatial::machine::{Processor, Program};
/// struct Cheat;
/// impl Program for Cheat {
///     type Constants = &'static [u32]; // all processors would read one memory
///     type State = u32;
///     type Message = u32;
///     fn receive(_: &mut u32, _: u32, _: &mut Processor<'_, Self>) {}
/// }
/// ```
///
/// Nor is a struct that has one:
///
/// ```compile_fail,E0277
/// palmette_spatial::plain! {
///     #[derive(Clone, Copy)]
///     struct Cheat { first: u32, rest: &'static [u32] }
/// }
/// ```
///
/// ```compile_fail,E0277
/// palmette_spatial::plain! {
///     #[derive(Clone, Copy)]
///     enum Cheat { None, Some { shared: &'static std::sync::atomic::AtomicU32 } }
/// }
/// ```
///
/// And no type is plain by saying so:
///
/// ```compile_fail,E0277
/// #[derive(Clone, Copy)]
/// struct Cheat(&'static [u32]);
/// impl palmette_spatial::machine::Plain for Cheat {}
/// ```
pub trait Plain: Copy + Send + Sync + sealed::Looked + 'static {}

/// What [`plain!`](crate::plain) needs to be seen from other crates.
#[doc(hidden)]
pub mod sealed {
    /// Written by `plain!` only, never by hand: the function compiles if all fields are plain.
    pub trait Looked {
        fn look() {}
    }

    pub const fn field<T: super::Plain>() {}
}

/// Declares structs and enums of plain data, which processors may keep and send.
///
/// ```
/// use palmette_spatial::machine::{Plain, Processor, Program};
/// palmette_spatial::plain! {
///     /// The largest value so far, and where it is.
///     #[derive(Debug, Clone, Copy)]
///     pub struct Largest<T> {
///         value: T,
///         place: Option<[u32; 2]>,
///     }
/// }
/// palmette_spatial::plain! {
///     #[derive(Debug, Clone, Copy)]
///     enum News {
///         Nothing,
///         Value(u64),
///         Place { row: u32, column: u32 },
///     }
/// }
/// fn keeps<T: Plain>() {}
/// keeps::<(Largest<f64>, News)>();
/// ```
///
/// Types with parameters are plain where all their parameters are; a number as a parameter
/// stands alone: `struct Row<const N: usize> { .. }`.
#[macro_export]
macro_rules! plain {
    (@fields ;) => {};
    (@fields { $($(#[$about:meta])* $seen:vis $field:ident : $type:ty),* $(,)? }) => {
        $($crate::machine::sealed::field::<$type>();)*
    };
    (@fields ( $($(#[$about:meta])* $seen:vis $type:ty),* $(,)? ) $(;)?) => {
        $($crate::machine::sealed::field::<$type>();)*
    };
    (@variants { $(
        $(#[$about:meta])* $variant:ident $({ $($named:tt)* })? $(( $($types:tt)* ))?
        $(= $number:expr)?
    ),* $(,)? }) => {
        $($($crate::plain!(@fields { $($named)* });)?)*
        $($($crate::plain!(@fields ( $($types)* ));)?)*
    };
    (@look struct $($body:tt)*) => { $crate::plain!(@fields $($body)*) };
    (@look enum $($body:tt)*) => { $crate::plain!(@variants $($body)*) };
    (
        $(#[$about:meta])*
        $seen:vis $kind:ident $name:ident<const $number:ident : $type:ty> $($body:tt)*
    ) => {
        $(#[$about])*
        $seen $kind $name<const $number: $type> $($body)*

        impl<const $number: $type> $crate::machine::Plain for $name<$number> {}
        impl<const $number: $type> $crate::machine::sealed::Looked for $name<$number> {
            fn look() {
                $crate::plain!(@look $kind $($body)*);
            }
        }
    };
    (
        $(#[$about:meta])*
        $seen:vis $kind:ident $name:ident<$($of:ident),+> $($body:tt)*
    ) => {
        $(#[$about])*
        $seen $kind $name<$($of),+> $($body)*

        impl<$($of: $crate::machine::Plain),+> $crate::machine::Plain for $name<$($of),+> {}
        impl<$($of: $crate::machine::Plain),+> $crate::machine::sealed::Looked
            for $name<$($of),+>
        {
            fn look() {
                $crate::plain!(@look $kind $($body)*);
            }
        }
    };
    ($(#[$about:meta])* $seen:vis $kind:ident $name:ident $($body:tt)*) => {
        $(#[$about])*
        $seen $kind $name $($body)*

        impl $crate::machine::Plain for $name {}
        impl $crate::machine::sealed::Looked for $name {
            fn look() {
                $crate::plain!(@look $kind $($body)*);
            }
        }
    };
}

/// An operator that can run on processors.
pub trait Fold: Monoid<Elem: Plain> + Plain {}
impl<M: Monoid<Elem: Plain> + Plain> Fold for M {}

/// Types of other crates, looked through by hand.
macro_rules! known {
    ($([$($of:ident)*] $type:ty;)*) => {$(
        impl<$($of: Plain),*> Plain for $type {}
        impl<$($of: Plain),*> sealed::Looked for $type {}
    )*};
}

known! {
    [] u8; [] u16; [] u32; [] u64; [] u128; [] usize;
    [] i8; [] i16; [] i32; [] i64; [] i128; [] isize;
    [] f32; [] f64; [] bool; [] char; [] ();
    [A] (A,); [A B] (A, B); [A B C] (A, B, C); [A B C D] (A, B, C, D);
    [A B C D E] (A, B, C, D, E); [A B C D E F] (A, B, C, D, E, F);
    [T] Option<T>; [T] PhantomData<T>;
    [T] Sum<T>; [T] Min<T>; [T] Max<T>; [T] ArgMin<T>; [T] ArgMax<T>;
    [T] Xor<T>; [T] And<T>; [T] Or<T>;
    [] Affine; [] Matrix; [] ProductModulo; [] AffineModulo; [] MatrixModulo; [] RollingHash;
}

impl<T: Plain, const N: usize> Plain for [T; N] {}
impl<T: Plain, const N: usize> sealed::Looked for [T; N] {}

/// Functions are part of the program, which all processors know. They carry no data.
macro_rules! functions {
    ($([$($of:ident)*])*) => {$(
        impl<$($of: 'static,)* R: 'static> Plain for fn($($of),*) -> R {}
        impl<$($of: 'static,)* R: 'static> sealed::Looked for fn($($of),*) -> R {}
    )*};
}

functions! { [] [A] [A B] [A B C] }

#[cfg(test)]
mod tests {
    use std::path::Path;

    /// Sources below a folder that name the hidden trait.
    fn naming(folder: &Path, found: &mut Vec<String>) {
        for entry in folder.read_dir().unwrap() {
            let path = entry.unwrap().path();
            let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes()[0] == b'.');
            if path.is_dir() && !path.ends_with("target") && !hidden {
                naming(&path, found);
            } else if path.extension().is_some_and(|kind| kind == "rs") {
                let source = std::fs::read_to_string(&path).unwrap();
                found.extend(source.contains("Looked").then(|| path.display().to_string()));
            }
        }
    }

    #[test]
    fn nobody_says_by_hand_what_is_plain() {
        let mut found = Vec::new();
        naming(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."), &mut found);
        assert!(found.len() == 1 && found[0].ends_with("plain.rs"), "{found:?}");
    }
}
