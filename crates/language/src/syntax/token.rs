//! Splits a program into tokens.

use super::{Errors, Span};

/// A piece of the text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TokenKind {
    Number(f64),
    Name(String),
    Text(String),
    Symbol(&'static str),
    Newline,
    End,
}

impl TokenKind {
    /// As errors call it.
    pub(crate) fn show(&self) -> String {
        match self {
            TokenKind::Number(_) => "a number".to_string(),
            TokenKind::Name(name) => format!("`{name}`"),
            TokenKind::Text(_) => "a text in quotes".to_string(),
            TokenKind::Symbol(symbol) => format!("`{symbol}`"),
            TokenKind::Newline => "the end of the line".to_string(),
            TokenKind::End => "the end of the program".to_string(),
        }
    }
}

/// Longer ones first.
const SYMBOLS: [&str; 18] =
    [".*", "./", "<=", ">=", "+", "-", "*", "/", "^", "(", ")", "[", "]", ",", ":", "=", "<", ">"];

/// The tokens of a text; anything else is reported and left out. The last one is `End`.
pub(crate) fn tokens(text: &str, errors: &mut Errors) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (length, kind) = match first {
            '#' => (rest.find('\n').unwrap_or(rest.len()), None),
            '\n' => (1, Some(TokenKind::Newline)),
            ' ' | '\t' | '\r' | '\u{feff}' => (first.len_utf8(), None),
            '"' => quoted(rest, at, errors),
            _ if first.is_ascii_digit() || begins_fraction(rest) => number(rest, at, errors),
            _ if first.is_ascii_alphabetic() || first == '_' => {
                let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                let length = end.unwrap_or(rest.len());
                (length, Some(TokenKind::Name(rest[..length].to_string())))
            }
            _ => symbol(rest, at, first, errors),
        };
        if let Some(kind) = kind {
            tokens.push(Token { kind, span: Span { start: at, end: at + length } });
        }
        at += length;
    }
    let end = Span { start: text.len(), end: text.len() };
    tokens.push(Token { kind: TokenKind::Newline, span: end });
    tokens.push(Token { kind: TokenKind::End, span: end });
    tokens
}

fn begins_fraction(rest: &str) -> bool {
    rest.starts_with('.') && rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit)
}

fn symbol(rest: &str, at: usize, first: char, errors: &mut Errors) -> (usize, Option<TokenKind>) {
    if let Some(symbol) = SYMBOLS.into_iter().find(|symbol| rest.starts_with(symbol)) {
        return (symbol.len(), Some(TokenKind::Symbol(symbol)));
    }
    if first == '.' {
        return (1, Some(TokenKind::Symbol(".")));
    }
    // A name with a foreign letter stays a name, so that this is the only error.
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let name = first.is_alphabetic().then(|| rest.find(|c| !is_name(c)).unwrap_or(rest.len()));
    let length = first.len_utf8();
    let hint = match first {
        '{' | '}' | ';' => "; a statement ends with its line, a loop with `end`",
        '!' | '&' | '|' => "; a condition is one comparison with <, <=, > or >=",
        _ if !first.is_ascii() => "; names have letters a to z, digits and _",
        _ => "",
    };
    let shown = if first.is_control() { first.escape_default().to_string() } else { first.into() };
    let span = Span { start: at, end: at + length };
    errors.push(span, format!("unexpected character `{shown}`{hint}"));
    let kind = name.map(|length| TokenKind::Name(rest[..length].to_string()));
    (name.unwrap_or(length), kind)
}

fn quoted(rest: &str, at: usize, errors: &mut Errors) -> (usize, Option<TokenKind>) {
    match rest[1..].find(['"', '\n']) {
        Some(length) if rest.as_bytes()[length + 1] == b'"' => {
            (length + 2, Some(TokenKind::Text(rest[1..=length].to_string())))
        }
        end => {
            let length = end.map_or(rest.len(), |end| end + 1);
            errors.push(Span { start: at, end: at + 1 }, "a text without a closing \"");
            (length, Some(TokenKind::Text(rest[1..length].trim_end().to_string())))
        }
    }
}

/// Digits, a fraction, an exponent. The point of `2.*x` belongs to the operator.
fn number(rest: &str, at: usize, errors: &mut Errors) -> (usize, Option<TokenKind>) {
    let bytes = rest.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut length = digits(0);
    if bytes.get(length) == Some(&b'.') && !matches!(bytes.get(length + 1), Some(b'*' | b'/')) {
        length += 1 + digits(length + 1);
    }
    if matches!(bytes.get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
        let exponent = digits(length + 1 + sign);
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    let span = Span { start: at, end: at + length };
    let value = rest[..length].parse().unwrap_or(f64::NAN);
    if !f64::is_finite(value) {
        errors.push(span, format!("the number {} is too large", &rest[..length]));
        return (length, Some(TokenKind::Number(1.0)));
    }
    let is_name = |c: &u8| c.is_ascii_alphanumeric() || *c == b'_';
    let name = bytes[length..].iter().take_while(|c| is_name(c)).count();
    if name > 0 {
        errors.push(span, "a number ends here and a name begins; put `*` between them");
    }
    (length + name, Some(TokenKind::Number(value)))
}
