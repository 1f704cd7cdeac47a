//! The statements of a netlist: lines with their continuations, without comments.
//!
//! A line that starts with `*` is a comment, and so is the rest of a line from `;` on,
//! or from a word that starts with `$`. A line that starts with `+` goes on with the
//! statement before it; comments and empty lines may stand between the two.

use memchr::memchr;

/// A walk over the statements.
pub(crate) struct Statements<'a> {
    text: &'a str,
    at: usize,
    line: u64,
}

impl<'a> Statements<'a> {
    pub(crate) fn new(text: &'a str) -> Statements<'a> {
        Statements { text, at: 0, line: 0 }
    }

    /// The line of the last statement, and when there are no more, of the last line.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// The words of the next statement and its first line; nothing at the end.
    #[inline]
    pub(crate) fn next(&mut self, words: &mut Vec<&'a str>) -> Option<u64> {
        words.clear();
        while words.is_empty() {
            if self.at >= self.text.len() {
                return None;
            }
            let line = self.take();
            split(line, words);
        }
        let first = self.line;
        while let Some(more) = self.continuation() {
            split(&more[1..], words);
        }
        Some(first)
    }

    fn take(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let length = memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
        self.at += length + 1;
        self.line += 1;
        &rest[..length]
    }

    /// The next line if it is a continuation, from its `+` on.
    #[inline]
    fn continuation(&mut self) -> Option<&'a str> {
        // Most statements are followed by another one.
        if self.text.as_bytes().get(self.at).is_none_or(u8::is_ascii_alphanumeric) {
            return None;
        }
        let (at, line) = (self.at, self.line);
        while self.at < self.text.len() {
            let text = self.take().trim_ascii_start();
            match text.as_bytes().first() {
                Some(b'+') => return Some(text),
                None | Some(b'*') => {}
                Some(_) => break,
            }
        }
        (self.at, self.line) = (at, line);
        None
    }
}

#[inline]
fn split<'a>(line: &'a str, words: &mut Vec<&'a str>) {
    let bytes = line.as_bytes();
    let mut at = 0;
    loop {
        while at < bytes.len() && bytes[at].is_ascii_whitespace() {
            at += 1;
        }
        let start = at;
        match bytes.get(at) {
            None | Some(b';' | b'$') => return,
            Some(b'*') if words.is_empty() => return,
            _ => {}
        }
        while at < bytes.len() && !bytes[at].is_ascii_whitespace() && bytes[at] != b';' {
            at += 1;
        }
        words.push(&line[start..at]);
    }
}

#[cfg(test)]
mod tests {
    use super::Statements;

    #[test]
    fn comments_and_continuations() {
        let text = "* c\nr1 a\tb ; x\n\n + 1 $ y\n*\n+2\r\n.op\n  * z\nv a$b 0;\n+\n";
        let mut statements = Statements::new(text);
        let mut words = Vec::new();
        let mut all = Vec::new();
        while let Some(line) = statements.next(&mut words) {
            all.push(format!("{line} {}", words.join(" ")));
        }
        assert_eq!(all, ["2 r1 a b 1 2", "7 .op", "9 v a$b 0"]);
    }
}
