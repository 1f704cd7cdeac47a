//! Arithmetic of the language: functions of one and two numbers, for fields, scalars and entries of
//! vectors.

use palmette_core::named;

named! {
    /// A function of one number.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Function("function") {
        /// `-a`
        Negate = "-",
        /// The square root.
        Sqrt = "sqrt",
        /// The absolute value.
        Abs = "abs",
        /// The exponential.
        Exp = "exp",
        /// The sine.
        Sin = "sin",
        /// The cosine.
        Cos = "cos",
    }
}

impl Function {
    /// Of a name in programs.
    pub(crate) fn named(name: &str) -> Option<Function> {
        name.parse().ok().filter(|&function| function != Function::Negate)
    }

    /// Its value.
    pub fn apply(self, a: f64) -> f64 {
        match self {
            Function::Negate => -a,
            Function::Sqrt => a.sqrt(),
            Function::Abs => a.abs(),
            Function::Exp => a.exp(),
            Function::Sin => a.sin(),
            Function::Cos => a.cos(),
        }
    }
}

named! {
    /// A function of two numbers.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Arithmetic("operation") {
        /// `a + b`
        Add = "+",
        /// `a - b`
        Subtract = "-",
        /// `a * b`, `a .* b`
        Multiply = "*",
        /// `a / b`, `a ./ b`
        Divide = "/",
        /// `a ^ b`
        Power = "^",
        /// The smaller; of a number and no number, the number.
        Minimum = "min",
        /// The larger; of a number and no number, the number.
        Maximum = "max",
    }
}

impl Arithmetic {
    /// An operation as programs have it: `a + b`, or with dots `a .* b`, but `min(a, b)`.
    pub(crate) fn show(self, dot: &str, a: &str, b: &str) -> String {
        match self {
            Arithmetic::Minimum | Arithmetic::Maximum => format!("{self}({a}, {b})"),
            _ => format!("{a} {dot}{self} {b}"),
        }
    }

    /// Its value.
    pub fn apply(self, a: f64, b: f64) -> f64 {
        match self {
            Arithmetic::Add => a + b,
            Arithmetic::Subtract => a - b,
            Arithmetic::Multiply => a * b,
            Arithmetic::Divide => a / b,
            Arithmetic::Power => power(a, b),
            Arithmetic::Minimum => a.min(b),
            Arithmetic::Maximum => a.max(b),
        }
    }
}

/// A square is a product: C compilers make it one.
fn power(a: f64, b: f64) -> f64 {
    if b == 2.0 { a * a } else { a.powf(b) }
}
