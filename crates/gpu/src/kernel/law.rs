//! An operator as kernels see it: text, and the size of an element. Engines are compiled once, for
//! this, and not once for every operator.

use super::{GroupKernel, Kernel};
use crate::Element;
use crate::scan::tile;

/// Words of the largest element.
pub(crate) const MOST_WORDS: usize = 4;

/// What kernels and engines know of an operator.
#[derive(Debug, Clone)]
pub(crate) struct Law {
    /// Words of an element.
    pub(crate) words: usize,
    /// Its words, the others zero.
    pub(crate) identity: [u32; MOST_WORDS],
    /// Rounds of loops in one combination at most.
    pub(crate) rounds: usize,
    pub(crate) takes_infinity: bool,
    /// What every kernel begins with: the element, the operator, the tile of a scan.
    pub(crate) prelude: String,
    kind: &'static str,
    /// The operator on the element `One`, for elements of several.
    single: String,
    inverts: bool,
}

impl Law {
    /// What is known of an operator.
    pub(crate) fn of<K: Kernel>(op: &K) -> Law {
        Law::new(op, None)
    }

    /// As [`Law::of`]; kernels know `inverse` as well.
    pub(crate) fn of_group<G: GroupKernel>(op: &G) -> Law {
        Law::new(op, Some(op.inverse_wgsl()))
    }

    fn new<K: Kernel>(op: &K, inverse: Option<String>) -> Law {
        let mut identity = [0; MOST_WORDS];
        let element = op.identity();
        let bytes = bytemuck::bytes_of(&element);
        bytemuck::bytes_of_mut(&mut identity)[..bytes.len()].copy_from_slice(bytes);
        let words = <K::Elem as Element>::WORDS;
        let (combine, helpers, kind) = (op.combine_wgsl(), op.helpers_wgsl(), op.type_wgsl());
        let inverts = inverse.is_some();
        let inverse = inverse
            .map(|body| format!("fn inverse(x: Elem) -> Elem {{ {body} }}\n"))
            .unwrap_or_default();
        let combine = format!("fn combine(left: Elem, right: Elem) -> Elem {{ {combine} }}\n");
        let text = format!("{combine}{inverse}{helpers}\n");
        Law {
            words,
            identity,
            rounds: op.loop_rounds(),
            takes_infinity: op.takes_infinity(),
            prelude: element_text(kind, words) + &text,
            kind,
            single: renamed(&text),
            inverts,
        }
    }

    /// How many columns an element of four words holds.
    pub(crate) fn columns(&self) -> usize {
        MOST_WORDS / self.words
    }

    /// The operator on several columns at once: an element is four words, a column after the
    /// other. Columns do not meet.
    pub(crate) fn several(&self) -> Law {
        let (words, kind) = (self.words, self.kind);
        let mut identity = self.identity;
        (words..MOST_WORDS).for_each(|k| identity[k] = identity[k % words]);
        let (parts, own): (&[&str], _) = match words {
            1 => (&["x", "y", "z", "w"], "u32"),
            2 => (&["xy", "zw"], "vec2<u32>"),
            _ => (&["xyzw"], "vec4<u32>"),
        };
        let each = |call: &dyn Fn(&str) -> String| {
            let parts: Vec<String> =
                parts.iter().map(|part| format!("bitcast<{own}>({})", call(part))).collect();
            format!("return vec4<u32>({});", parts.join(", "))
        };
        let one = |name: &str, part: &str| format!("bitcast<One>({name}.{part})");
        let combine =
            each(&|part| format!("combine_one({}, {})", one("left", part), one("right", part)));
        let inverse = match self.inverts {
            true => {
                let body = each(&|part| format!("inverse_one({})", one("x", part)));
                format!("fn inverse(x: Elem) -> Elem {{ {body} }}\n")
            }
            false => String::new(),
        };
        let prelude = format!(
            "alias One = {kind};\n{}{}\
             fn combine(left: Elem, right: Elem) -> Elem {{ {combine} }}\n{inverse}",
            self.single,
            element_text("vec4<u32>", MOST_WORDS),
        );
        Law {
            words: MOST_WORDS,
            identity,
            rounds: self.columns() * self.rounds,
            prelude,
            kind: "vec4<u32>",
            single: String::new(),
            ..*self
        }
    }

    /// Bytes of an element.
    pub(crate) fn bytes(&self) -> usize {
        4 * self.words
    }
}

/// The element's type, its identity, and how many make a tile.
fn element_text(kind: &str, words: usize) -> String {
    let parts = ["x", "x", "xy", "xyz", "xyzw"][words];
    format!(
        "alias Elem = {kind};\nconst TILE: u32 = {}u;\n\
         fn identity() -> Elem {{ return bitcast<{kind}>(params.identity.{parts}); }}\n",
        tile(4 * words)
    )
}

/// The text of an operator on `One`, under names that leave `Elem` and its operator free.
fn renamed(text: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut made = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match is_part(first) {
            true => rest.find(|c| !is_part(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, behind) = rest.split_at(end);
        made.push_str(match word {
            "Elem" => "One",
            "combine" => "combine_one",
            "inverse" => "inverse_one",
            word => word,
        });
        rest = behind;
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmette_core::operator::{Max, Sum};

    #[test]
    fn only_whole_names_change() {
        let text = "fn f(x: Elem, y: Element) -> Elem { return combine(x, recombine(y)); }";
        let expected = "fn f(x: One, y: Element) -> One { return combine_one(x, recombine(y)); }";
        assert_eq!(renamed(text), expected);
    }

    #[test]
    fn four_words_hold_several_columns() {
        let one = Law::of(&Max::<i32>::new());
        let least = i32::MIN as u32;
        assert_eq!((one.columns(), one.identity), (4, [least, 0, 0, 0]));
        assert_eq!(one.several().identity, [least; 4]);
        let pair = Law::of_group(&Sum::<u64>::new());
        assert_eq!((pair.columns(), pair.several().words), (2, 4));
        assert!(pair.several().prelude.contains("inverse_one(bitcast<One>(x.zw))"));
    }
}
