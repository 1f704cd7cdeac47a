//! Expressions. The parser calls itself for brackets, signs and powers only, and counts them.

use super::parse::{Parser, Read, Reported};
use super::statement::KEYWORDS;
use super::token::TokenKind;
use super::tree::{Argument, Binary, ExprId, Name, Node};
use super::{MOST_NESTED, Span};

impl Parser<'_> {
    /// Sums and differences.
    pub(super) fn expression(&mut self) -> Read<ExprId> {
        self.chain(&[Binary::Add, Binary::Subtract], Parser::term)
    }

    fn term(&mut self) -> Read<ExprId> {
        let products = [Binary::Multiply, Binary::Divide, Binary::Times, Binary::Over];
        self.chain(&products, Parser::sign)
    }

    /// Operands from left to right, in a loop however many they are.
    fn chain(
        &mut self,
        operators: &[Binary],
        operand: impl Fn(&mut Self) -> Read<ExprId>,
    ) -> Read<ExprId> {
        let mut left = operand(self)?;
        while let TokenKind::Symbol(symbol) = *self.peek() {
            let known = operators.iter().find(|binary| binary.name() == symbol);
            let Some(&binary) = known else { break };
            self.advance();
            while self.take_newline() {}
            let right = operand(self)?;
            left = self.binary(binary, left, right);
        }
        Ok(left)
    }

    fn binary(&mut self, binary: Binary, left: ExprId, right: ExprId) -> ExprId {
        let span = self.tree.span(left).to(self.tree.span(right));
        self.tree.push(span, Node::Binary(binary, left, right))
    }

    fn sign(&mut self) -> Read<ExprId> {
        let start = self.span();
        if self.take_symbol("-") {
            let value = self.deeper(Parser::sign)?;
            let span = start.to(self.tree.span(value));
            return Ok(self.tree.push(span, Node::Negative(value)));
        }
        let base = self.primary()?;
        if !self.take_symbol("^") {
            return Ok(base);
        }
        let exponent = self.deeper(Parser::sign)?;
        Ok(self.binary(Binary::Power, base, exponent))
    }

    fn primary(&mut self) -> Read<ExprId> {
        let start = self.span();
        match self.peek().clone() {
            TokenKind::Number(value) => {
                self.advance();
                Ok(self.tree.push(start, Node::Number(value)))
            }
            TokenKind::Name(text) if KEYWORDS.contains(&text.as_str()) => self.expected("a value"),
            TokenKind::Name(text) => {
                self.advance();
                if self.take_symbol("(") {
                    let arguments = self.items(start, ")", Parser::argument)?;
                    let call = Node::Call(Name { text, span: start }, arguments);
                    return Ok(self.tree.push(start.to(self.last_span()), call));
                }
                Ok(self.tree.push(start, Node::Name(text)))
            }
            TokenKind::Symbol("(") => {
                self.advance();
                let inner = self.items(start, ")", Parser::expression)?;
                match inner[..] {
                    [one] => Ok(one),
                    [] => self.expected("a value before `)`"),
                    _ => {
                        let span = start.to(self.last_span());
                        self.errors.push(span, "write a list of components in brackets: [a, b]");
                        Err(Reported)
                    }
                }
            }
            TokenKind::Symbol("[") => {
                self.advance();
                let items = self.items(start, "]", Parser::expression)?;
                Ok(self.tree.push(start.to(self.last_span()), Node::List(items)))
            }
            _ => self.expected("a value"),
        }
    }

    /// What stands in brackets, separated by commas; the opening one is taken.
    fn items<T>(
        &mut self,
        open: Span,
        close: &'static str,
        item: impl Fn(&mut Self) -> Read<T>,
    ) -> Read<Vec<T>> {
        let mut items = Vec::new();
        while self.take_newline() {}
        while !self.take_symbol(close) {
            items.push(self.deeper(&item)?);
            while self.take_newline() {}
            let more = self.take_symbol(",");
            while self.take_newline() {}
            if !more && !matches!(self.peek(), TokenKind::Symbol(symbol) if *symbol == close) {
                let opened = super::diagnostic::line_of(self.text, open.start);
                let here = if opened as u32 == self.line() { "" } else { " of an earlier line" };
                let bracket = if close == ")" { "(" } else { "[" };
                return self.expected(&format!("`{close}` for the `{bracket}`{here}"));
            }
        }
        Ok(items)
    }

    fn argument(&mut self) -> Read<Argument> {
        let labelled = matches!(self.peek(), TokenKind::Name(_) | TokenKind::Text(_))
            && matches!(self.peek_second(), TokenKind::Symbol(":"));
        let mut group = None;
        if labelled {
            group = Some(self.group()?);
            self.advance();
        }
        Ok(Argument { group, value: self.expression()? })
    }

    /// Reads something one level deeper.
    fn deeper<T>(&mut self, read: impl Fn(&mut Self) -> Read<T>) -> Read<T> {
        if self.nested == MOST_NESTED {
            let message = format!("nested more than {MOST_NESTED} deep; use an intermediate name");
            self.errors.push(self.span(), message);
            return Err(Reported);
        }
        self.nested += 1;
        let result = read(self);
        self.nested -= 1;
        result
    }
}
