//! The parser: a cursor over tokens, and blocks of statements.

use super::token::{Token, TokenKind, tokens};
use super::tree::{Name, Node, Statement, Tree, What};
use super::{Errors, MOST_LOOPS, Span};

/// An error that was already reported.
#[derive(Debug)]
pub(super) struct Reported;

/// What is read, or an error that was already reported.
pub(super) type Read<T> = Result<T, Reported>;

/// The tree of a text. After an error the next line is read, so that more errors are found.
pub(crate) fn parse(text: &str, errors: &mut Errors) -> Tree {
    let tokens = tokens(text, errors);
    let newline = |line: &mut u32, token: &Token| {
        let this = *line;
        *line += u32::from(token.kind == TokenKind::Newline);
        Some(this)
    };
    let lines = tokens.iter().scan(1, newline).collect();
    let tree = Tree::default();
    let mut parser = Parser { text, tokens, lines, at: 0, nested: 0, tree, errors };
    parser.tree.statements = parser.program();
    parser.tree
}

pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    tokens: Vec<Token>,
    /// By token, its line.
    lines: Vec<u32>,
    at: usize,
    /// Brackets, signs and powers that are open.
    pub(super) nested: usize,
    pub(super) tree: Tree,
    pub(super) errors: &'a mut Errors,
}

/// A loop whose end is not reached yet.
struct Open {
    head: Statement,
    before: Vec<Statement>,
}

impl Parser<'_> {
    /// All statements. Loops that are open wait on a stack.
    fn program(&mut self) -> Vec<Statement> {
        let mut open: Vec<Open> = Vec::new();
        let mut block = Vec::new();
        let mut too_deep = 0;
        loop {
            while self.take_newline() {}
            let span = self.span();
            if self.peek() == &TokenKind::End {
                break;
            }
            let names_end = matches!(self.peek_second(), TokenKind::Symbol("="));
            if !names_end && self.take_word("end") {
                match open.pop() {
                    Some(last) if too_deep > 0 => {
                        too_deep -= 1;
                        open.push(last);
                    }
                    Some(Open { head, before }) => block = close(head, before, block),
                    None => self.errors.push(span, "`end` without a loop"),
                }
                let _ = self.end_of_line();
                continue;
            }
            let begins_loop =
                matches!(self.peek(), TokenKind::Name(word) if word == "while" || word == "repeat");
            match self.statement() {
                Ok(head) if head.what.is_loop() => {
                    if open.len() == MOST_LOOPS {
                        let message = format!("loops nest at most {MOST_LOOPS} deep");
                        self.errors.push(head.span, message);
                        too_deep += 1;
                        continue;
                    }
                    open.push(Open { head, before: std::mem::take(&mut block) });
                }
                Ok(statement) => block.push(statement),
                Err(Reported) => {
                    self.next_line();
                    // Its `end` is to find it.
                    if begins_loop && open.len() < MOST_LOOPS {
                        let head = self.unreadable_loop(span);
                        open.push(Open { head, before: std::mem::take(&mut block) });
                    }
                }
            }
        }
        while let Some(Open { head, before }) = open.pop() {
            self.errors.push(head.span, "this loop has no `end`");
            block = close(head, before, block);
        }
        block
    }

    fn unreadable_loop(&mut self, span: Span) -> Statement {
        let limit = self.tree.push(span, Node::Number(1.0));
        let what = What::Repeat { limit, body: Vec::new() };
        Statement { line: self.line(), span, what }
    }

    pub(super) fn peek(&self) -> &TokenKind {
        &self.tokens[self.at].kind
    }

    pub(super) fn peek_second(&self) -> &TokenKind {
        &self.tokens[(self.at + 1).min(self.tokens.len() - 1)].kind
    }

    pub(super) fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    pub(super) fn line(&self) -> u32 {
        self.lines[self.at]
    }

    /// The span of what was taken last.
    pub(super) fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    pub(super) fn advance(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    fn next_line(&mut self) {
        self.nested = 0;
        while !matches!(self.peek(), TokenKind::Newline | TokenKind::End) {
            self.advance();
        }
    }

    /// Takes a token if it is wanted; says whether it was.
    fn take(&mut self, wanted: impl Fn(&TokenKind) -> bool) -> bool {
        let found = wanted(self.peek());
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn take_newline(&mut self) -> bool {
        self.take(|token| *token == TokenKind::Newline)
    }

    pub(super) fn take_symbol(&mut self, symbol: &str) -> bool {
        self.take(|token| matches!(token, TokenKind::Symbol(s) if *s == symbol))
    }

    pub(super) fn take_word(&mut self, word: &str) -> bool {
        self.take(|token| matches!(token, TokenKind::Name(name) if name == word))
    }

    pub(super) fn expect_symbol(&mut self, symbol: &str, after: &str) -> Read<()> {
        if self.take_symbol(symbol) {
            Ok(())
        } else {
            self.expected(&format!("`{symbol}` {after}"))
        }
    }

    pub(super) fn expected<T>(&mut self, what: &str) -> Read<T> {
        let message = format!("expected {what}, found {}", self.peek().show());
        self.errors.push(self.span(), message);
        Err(Reported)
    }

    pub(super) fn name(&mut self, what: &str) -> Read<Name> {
        match self.peek() {
            TokenKind::Text(_) => self.expected(what),
            _ => self.name_or_text(what),
        }
    }

    /// The name of a physical group, in quotes or not.
    pub(super) fn group(&mut self) -> Read<Name> {
        self.name_or_text("the name of a physical group")
    }

    fn name_or_text(&mut self, what: &str) -> Read<Name> {
        let span = self.span();
        let (TokenKind::Name(text) | TokenKind::Text(text)) = self.peek() else {
            return self.expected(what);
        };
        let text = text.clone();
        self.advance();
        Ok(Name { text, span })
    }

    pub(super) fn end_of_line(&mut self) -> Read<()> {
        if matches!(self.peek(), TokenKind::Newline | TokenKind::End) {
            return Ok(());
        }
        let failed = self.expected("the end of the line");
        self.next_line();
        failed
    }
}

/// The block before a loop with the loop at its end.
fn close(mut head: Statement, mut before: Vec<Statement>, inner: Vec<Statement>) -> Vec<Statement> {
    if let What::While { body, .. } | What::Repeat { body, .. } = &mut head.what {
        *body = inner;
    }
    before.push(head);
    before
}
