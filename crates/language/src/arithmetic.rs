//! Arithmetic of the language: functions of one and two numbers, for fields, scalars and entries of
//! vectors.

/// A function of one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Function {
    /// `-a`
    Negate,
    /// The square root.
    Sqrt,
    /// The absolute value.
    Abs,
    /// The exponential.
    Exp,
    /// The sine.
    Sin,
    /// The cosine.
    Cos,
}

impl Function {
    /// Of a name in programs.
    pub(crate) fn named(name: &str) -> Option<Function> {
        let all = [Function::Sqrt, Function::Abs, Function::Exp, Function::Sin, Function::Cos];
        all.into_iter().find(|function| function.name() == name)
    }

    /// As in programs.
    pub fn name(self) -> &'static str {
        match self {
            Function::Negate => "-",
            Function::Sqrt => "sqrt",
            Function::Abs => "abs",
            Function::Exp => "exp",
            Function::Sin => "sin",
            Function::Cos => "cos",
        }
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

/// A function of two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`, `a .* b`
    Multiply,
    /// `a / b`, `a ./ b`
    Divide,
    /// `a ^ b`
    Power,
    /// The smaller; of a number and no number, the number.
    Minimum,
    /// The larger; of a number and no number, the number.
    Maximum,
}

impl Arithmetic {
    /// As in programs.
    pub fn name(self) -> &'static str {
        match self {
            Arithmetic::Add => "+",
            Arithmetic::Subtract => "-",
            Arithmetic::Multiply => "*",
            Arithmetic::Divide => "/",
            Arithmetic::Power => "^",
            Arithmetic::Minimum => "min",
            Arithmetic::Maximum => "max",
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
