//! Numbers that a netlist computes: `{2*r0 + min(a, 3k)}`.
//!
//! **Problem.** A text and the values of parameters; out comes a number. **Method.** Two stacks,
//! of numbers and of operators, by precedence (Dijkstra's shunting yard): no recursion on depth.
//! **What is read.** Numbers with SPICE's scales, parameters, `+ - * / % ** ^`, comparisons, `&&`,
//! `||`, `!`, `c ? a : b`, parentheses, and the functions of [`FUNCTIONS`].
//! **Cost.** Linear.

use super::value::value;

/// What may be called, and with how many numbers.
pub(super) const FUNCTIONS: [(&str, usize); 23] = [
    ("abs", 1),
    ("acos", 1),
    ("asin", 1),
    ("atan", 1),
    ("ceil", 1),
    ("cos", 1),
    ("cosh", 1),
    ("exp", 1),
    ("floor", 1),
    ("int", 1),
    ("ln", 1),
    ("log", 1),
    ("log10", 1),
    ("max", 2),
    ("min", 2),
    ("nint", 1),
    ("pow", 2),
    ("pwr", 2),
    ("sgn", 1),
    ("sin", 1),
    ("sinh", 1),
    ("sqrt", 1),
    ("tan", 1),
];

#[derive(Debug, Clone, Copy, PartialEq)]
enum Operator {
    Open,
    /// A function, and how many numbers were below it.
    Call(usize, usize),
    Question,
    Colon,
    Binary(&'static str, u8),
    Negate,
    Not,
}

const BINARY: [(&str, u8); 15] = [
    ("**", 9),
    ("||", 2),
    ("&&", 3),
    ("==", 4),
    ("!=", 4),
    ("<=", 5),
    (">=", 5),
    ("<", 5),
    (">", 5),
    ("+", 6),
    ("-", 6),
    ("*", 7),
    ("/", 7),
    ("%", 7),
    ("^", 9),
];

/// The number that an expression means; `of` gives the value of a parameter. The error says what
/// is wrong.
pub(super) fn evaluate(
    text: &str,
    of: &mut dyn FnMut(&str) -> Result<f64, String>,
) -> Result<f64, String> {
    let mut work = Work { numbers: Vec::new(), operators: Vec::new() };
    let bytes = text.as_bytes();
    let (mut at, mut wants_operand) = (0, true);
    while at < bytes.len() {
        let rest = &text[at..];
        let byte = bytes[at];
        if byte.is_ascii_whitespace() {
            at += 1;
        } else if wants_operand {
            at += match byte {
                b'(' => work.push(Operator::Open),
                b'-' => work.push(Operator::Negate),
                b'!' => work.push(Operator::Not),
                b'+' => 1,
                b'0'..=b'9' | b'.' => {
                    let length = number_length(bytes, at);
                    let word = &rest[..length];
                    work.numbers
                        .push(value(word).ok_or_else(|| format!("`{word}`, which is no number"))?);
                    wants_operand = false;
                    length
                }
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                    let is_name = |b: &&u8| b.is_ascii_alphanumeric() || matches!(**b, b'_' | b'.');
                    let length = bytes[at..].iter().take_while(is_name).count();
                    let word = &rest[..length];
                    let spaces =
                        bytes[at + length..].iter().take_while(|b| b.is_ascii_whitespace()).count();
                    if bytes.get(at + length + spaces) == Some(&b'(') {
                        let function =
                            FUNCTIONS.iter().position(|f| f.0.eq_ignore_ascii_case(word));
                        let function =
                            function.ok_or_else(|| format!("the unknown function `{word}`"))?;
                        work.operators.push(Operator::Call(function, work.numbers.len()));
                        length + spaces + 1
                    } else {
                        let known = of(word)?;
                        work.numbers.push(known);
                        wants_operand = false;
                        length
                    }
                }
                _ => return Err(unexpected(rest)),
            };
        } else {
            match byte {
                b')' => {
                    work.close()?;
                    at += 1;
                }
                b',' => {
                    work.until_open()?;
                    if !matches!(work.operators.last(), Some(Operator::Call(..))) {
                        return Err(unexpected(rest));
                    }
                    wants_operand = true;
                    at += 1;
                }
                b'?' => {
                    work.reduce(1)?;
                    work.operators.push(Operator::Question);
                    wants_operand = true;
                    at += 1;
                }
                b':' => {
                    work.reduce(0)?;
                    match work.operators.last_mut() {
                        Some(last @ Operator::Question) => *last = Operator::Colon,
                        _ => return Err(unexpected(rest)),
                    }
                    wants_operand = true;
                    at += 1;
                }
                _ => {
                    let found = BINARY.iter().find(|(name, _)| rest.starts_with(name));
                    let &(name, level) = found.ok_or_else(|| unexpected(rest))?;
                    // Powers group from the right.
                    work.reduce(if level == 9 { level + 1 } else { level })?;
                    work.operators.push(Operator::Binary(name, level));
                    wants_operand = true;
                    at += name.len();
                }
            }
        }
    }
    if wants_operand {
        return Err("an expression without an end".to_string());
    }
    work.reduce(0)?;
    match (&work.numbers[..], work.operators.is_empty()) {
        (&[number], true) if number.is_finite() => Ok(number),
        (&[number], true) => Err(format!("{number}, which is no finite number")),
        _ => Err("an expression without an end".to_string()),
    }
}

/// The bytes of a number with its scale and unit: `1e-3`, `2.5meg`.
fn number_length(bytes: &[u8], at: usize) -> usize {
    let mut end = at;
    while end < bytes.len() {
        let exponent = end > at
            && matches!(bytes[end], b'+' | b'-')
            && matches!(bytes[end - 1], b'e' | b'E')
            && bytes[at..end - 1].iter().all(|b| b.is_ascii_digit() || *b == b'.')
            && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
        if !(bytes[end].is_ascii_alphanumeric() || bytes[end] == b'.' || exponent) {
            break;
        }
        end += 1;
    }
    end - at
}

fn unexpected(rest: &str) -> String {
    let short: String = rest.chars().take(20).collect();
    format!("`{short}` inside an expression")
}

struct Work {
    numbers: Vec<f64>,
    operators: Vec<Operator>,
}

impl Work {
    /// Notes an operator of one byte.
    fn push(&mut self, operator: Operator) -> usize {
        self.operators.push(operator);
        1
    }

    /// Applies operators that bind at least as strongly as `level`, down to a parenthesis.
    fn reduce(&mut self, level: u8) -> Result<(), String> {
        while let Some(&operator) = self.operators.last() {
            let own = match operator {
                Operator::Open | Operator::Call(..) | Operator::Question => break,
                // What follows a colon goes on; a choice ends with its parenthesis.
                Operator::Colon => 1,
                Operator::Binary(_, own) => own,
                Operator::Negate | Operator::Not => 8,
            };
            let is_choice = matches!(operator, Operator::Colon);
            if own < level || (is_choice && level == 1) {
                break;
            }
            self.operators.pop();
            self.apply(operator)?;
        }
        Ok(())
    }

    fn pop(&mut self) -> Result<f64, String> {
        self.numbers.pop().ok_or_else(|| "an expression without an operand".to_string())
    }

    fn apply(&mut self, operator: Operator) -> Result<(), String> {
        let truth = |is: bool| f64::from(u8::from(is));
        let b = self.pop()?;
        let number = match operator {
            Operator::Negate => -b,
            Operator::Not => truth(b == 0.0),
            Operator::Colon => {
                let (a, choice) = (self.pop()?, self.pop()?);
                if choice != 0.0 { a } else { b }
            }
            Operator::Binary(name, _) => {
                let a = self.pop()?;
                match name {
                    "+" => a + b,
                    "-" => a - b,
                    "*" => a * b,
                    "/" if b == 0.0 => return Err("a division by 0".to_string()),
                    "/" => a / b,
                    "%" => a % b,
                    "**" | "^" => a.powf(b),
                    "==" => truth(a == b),
                    "!=" => truth(a != b),
                    "<=" => truth(a <= b),
                    ">=" => truth(a >= b),
                    "<" => truth(a < b),
                    ">" => truth(a > b),
                    "&&" => truth(a != 0.0 && b != 0.0),
                    _ => truth(a != 0.0 || b != 0.0),
                }
            }
            Operator::Open | Operator::Call(..) | Operator::Question => b,
        };
        self.numbers.push(number);
        Ok(())
    }

    /// Everything after the last parenthesis.
    fn until_open(&mut self) -> Result<(), String> {
        self.reduce(0)?;
        match self.operators.last() {
            Some(Operator::Open | Operator::Call(..)) => Ok(()),
            _ => Err("a parenthesis too many".to_string()),
        }
    }

    fn close(&mut self) -> Result<(), String> {
        self.until_open()?;
        if let Some(Operator::Call(function, below)) = self.operators.pop() {
            let (name, wanted) = FUNCTIONS[function];
            let given = self.numbers.len() - below;
            if given != wanted {
                return Err(format!("`{name}` with {given} numbers instead of {wanted}"));
            }
            let last = self.pop()?;
            let first = if wanted == 2 { self.pop()? } else { last };
            self.numbers.push(call(name, first, last));
        }
        Ok(())
    }
}

fn call(name: &str, a: f64, b: f64) -> f64 {
    match name {
        "abs" => a.abs(),
        "acos" => a.acos(),
        "asin" => a.asin(),
        "atan" => a.atan(),
        "ceil" => a.ceil(),
        "cos" => a.cos(),
        "cosh" => a.cosh(),
        "exp" => a.exp(),
        "floor" => a.floor(),
        "int" => a.trunc(),
        "ln" | "log" => a.ln(),
        "log10" => a.log10(),
        "max" => a.max(b),
        "min" => a.min(b),
        "nint" => a.round_ties_even(),
        "pow" => a.powf(b),
        "pwr" => a.abs().powf(b).copysign(a),
        "sgn" if a == 0.0 => 0.0,
        "sgn" => a.signum(),
        "sin" => a.sin(),
        "sinh" => a.sinh(),
        "sqrt" => a.sqrt(),
        _ => a.tan(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> Result<f64, String> {
        match name {
            "a" => Ok(3.0),
            "Rw.x" => Ok(0.5),
            _ => Err(format!("no parameter {name}")),
        }
    }

    #[test]
    fn numbers() {
        for (text, number) in [
            ("1", 1.0),
            ("2k + a", 2003.0),
            ("1e-3*a", 0.003),
            ("1+2*3", 7.0),
            ("(1+2)*3", 9.0),
            ("2**3**2", 512.0),
            ("2^-1", 0.5),
            ("-2**2", -4.0),
            ("-a - -a", 0.0),
            ("10-4-3", 3.0),
            ("8/4/2", 1.0),
            ("7%4", 3.0),
            ("max(1, min(a, 9)) * Rw.x", 1.5),
            ("sqrt(16)+abs(-2)", 6.0),
            ("a > 2 ? 10 : 20", 10.0),
            ("a < 2 ? 10 : a == 3 ? 30 : 40", 30.0),
            ("(a<2 || 1) && !0", 1.0),
            ("1 ? 2 : 3 + 4", 2.0),
            ("0 ? 2 : 3 + 4", 7.0),
            ("(a > 1 ? 1 : 0) + 5", 6.0),
            (" sgn( -3 ) ", -1.0),
            ("2.5MEG", 2.5e6),
            ("1e3+1", 1001.0),
            ("pwr(-4, 0.5)", -2.0),
        ] {
            assert_eq!(evaluate(text, &mut of), Ok(number), "{text}");
        }
    }

    #[test]
    fn mistakes() {
        for text in [
            "",
            " ",
            "1+",
            "(1",
            "1)",
            "1 2",
            "b",
            "foo(1)",
            "max(1)",
            "sqrt(1,2)",
            "1,2",
            "1/0",
            "log(0)",
            "sqrt(-1)",
            "1?2",
            "1:2",
            "? 1",
            "a(",
            "()",
            "1e999",
            "#",
            "2 = 3",
            "max(,)",
        ] {
            assert!(evaluate(text, &mut of).is_err(), "{text}");
        }
        let deep = "(".repeat(100_000) + "1" + &")".repeat(100_000);
        assert_eq!(evaluate(&deep, &mut of), Ok(1.0));
    }
}
