//! What stands after the nodes of an element, and on cards: words, expressions and marks.

/// A piece of a statement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Token<'a> {
    /// A word or a number.
    Word(&'a str),
    /// What stands between `'…'` or `{…}`.
    Expression(&'a str),
    /// What stands between `"…"`.
    Text(&'a str),
    Open,
    Close,
    Equals,
}

/// The pieces of a text; commas are blanks. The error is what has no end.
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, &str> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let until = |mark: u8| bytes[at + 1..].iter().position(|b| *b == mark).ok_or(rest);
        let (token, length) = match bytes[at] {
            b if b.is_ascii_whitespace() || b == b',' => {
                at += 1;
                continue;
            }
            b'(' => (Token::Open, 1),
            b')' => (Token::Close, 1),
            b'=' => (Token::Equals, 1),
            b'\'' => {
                let length = until(b'\'')?;
                (Token::Expression(&rest[1..length + 1]), length + 2)
            }
            b'{' => {
                let length = until(b'}')?;
                (Token::Expression(&rest[1..length + 1]), length + 2)
            }
            b'"' => {
                let length = until(b'"')?;
                (Token::Text(&rest[1..length + 1]), length + 2)
            }
            _ => {
                let ends = |b: &u8| b.is_ascii_whitespace() || b",()='{\"".contains(b);
                let length = bytes[at..].iter().position(ends).unwrap_or(rest.len());
                (Token::Word(&rest[..length]), length)
            }
        };
        found.push(token);
        at += length;
    }
    Ok(found)
}

impl<'a> Token<'a> {
    /// As it was written, nearly.
    pub(super) fn text(self) -> &'a str {
        match self {
            Token::Word(text) | Token::Expression(text) | Token::Text(text) => text,
            Token::Open => "(",
            Token::Close => ")",
            Token::Equals => "=",
        }
    }

    pub(super) fn is_word(self, word: &str) -> bool {
        matches!(self, Token::Word(text) if text.eq_ignore_ascii_case(word))
    }
}

/// Takes `name = value` from the start of a list.
pub(super) fn setting<'a>(tokens: &[Token<'a>]) -> Option<(&'a str, Token<'a>)> {
    match *tokens {
        [
            Token::Word(name),
            Token::Equals,
            value @ (Token::Word(_) | Token::Expression(_) | Token::Text(_)),
            ..,
        ] => Some((name, value)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces() {
        let found = tokens("PULSE(0,1m 'a + 1') tc1 = {2 * b}, \"x y.inc\"").expect("tokens");
        let expected = [
            Token::Word("PULSE"),
            Token::Open,
            Token::Word("0"),
            Token::Word("1m"),
            Token::Expression("a + 1"),
            Token::Close,
            Token::Word("tc1"),
            Token::Equals,
            Token::Expression("2 * b"),
            Token::Text("x y.inc"),
        ];
        assert_eq!(found, expected);
        assert_eq!(setting(&found[6..]), Some(("tc1", Token::Expression("2 * b"))));
        assert_eq!(tokens("a 'b"), Err("'b"));
        assert_eq!(tokens("{"), Err("{"));
    }
}
