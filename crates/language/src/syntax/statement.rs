//! Parses statements, one per line.

use super::parse::{Parser, Read};
use super::token::TokenKind;
use super::tree::{Comparison, ExprId, Name, Shown, Statement, What};

/// Words that begin or divide statements and cannot be names.
pub(crate) const KEYWORDS: [&str; 14] = [
    "unknown", "param", "fix", "matrix", "vector", "while", "repeat", "end", "print", "output",
    "at", "most", "every", "else",
];

impl What {
    pub(super) fn is_loop(&self) -> bool {
        matches!(self, What::While { .. } | What::Repeat { .. })
    }
}

impl Parser<'_> {
    /// A statement up to the end of its line; a loop without its body.
    pub(super) fn statement(&mut self) -> Read<Statement> {
        let (start, line) = (self.span(), self.line());
        let what = self.what()?;
        let span = start.to(self.last_span());
        self.end_of_line()?;
        Ok(Statement { line, span, what })
    }

    fn what(&mut self) -> Read<What> {
        let word = match self.peek() {
            TokenKind::Name(word) => word.clone(),
            _ => return self.expected("a statement"),
        };
        if matches!(self.peek_second(), TokenKind::Symbol("=")) {
            return self.assignment(false);
        }
        self.advance();
        match word.as_str() {
            "unknown" => Ok(What::Unknown(self.expression()?)),
            "param" => {
                let (name, value) = self.definition()?;
                Ok(What::Param { name, value })
            }
            "fix" => self.fix(),
            "matrix" => {
                let (name, value) = self.definition()?;
                Ok(What::Matrix { name, value })
            }
            "vector" => self.assignment(true),
            "while" => self.while_loop(),
            "repeat" => Ok(What::Repeat { limit: self.expression()?, body: Vec::new() }),
            "print" => self.print(),
            "output" => self.output(),
            "at" | "most" | "every" | "else" => {
                let message = format!("`{word}` cannot begin a statement");
                self.errors.push(self.last_span(), message);
                Err(super::parse::Reported)
            }
            _ => self.expected(&format!("`=` after `{word}`")),
        }
    }

    fn definition(&mut self) -> Read<(Name, ExprId)> {
        let name = self.name("a name")?;
        if KEYWORDS.contains(&name.text.as_str()) {
            let message = format!("`{}` is a word of the language and cannot be a name", name.text);
            self.errors.push(name.span, message);
        }
        self.expect_symbol("=", &format!("after `{}`", name.text))?;
        Ok((name, self.expression()?))
    }

    fn assignment(&mut self, vector: bool) -> Read<What> {
        let (name, value) = self.definition()?;
        Ok(What::Assign { name, value, vector })
    }

    fn fix(&mut self) -> Read<What> {
        let group = self.group()?;
        let mut component = None;
        if self.take_symbol(".") {
            let name = self.name("x, y or z")?;
            component = ["x", "y", "z"].iter().position(|&c| c == name.text).map(|c| c as u8);
            if component.is_none() {
                let message = format!("expected the component x, y or z, found `{}`", name.text);
                self.errors.push(name.span, message);
            }
        }
        self.expect_symbol("=", &format!("after the group `{}`", group.text))?;
        Ok(What::Fix { group, component, value: self.expression()? })
    }

    fn while_loop(&mut self) -> Read<What> {
        let left = self.expression()?;
        let comparison = match self.peek() {
            TokenKind::Symbol(symbol) => symbol.parse::<Comparison>().ok(),
            _ => None,
        };
        let Some(comparison) = comparison else {
            return self.expected("a comparison with <, <=, > or >=");
        };
        self.advance();
        let right = self.expression()?;
        if !self.take_word("at") || !self.take_word("most") {
            return self.expected("`at most` and a limit on iterations (every loop needs one)");
        }
        let limit = self.expression()?;
        Ok(What::While { test: (comparison, left, right), limit, body: Vec::new() })
    }

    fn print(&mut self) -> Read<What> {
        let mut shown = Vec::new();
        loop {
            let mut label = None;
            if let TokenKind::Text(text) = self.peek() {
                label = Some(text.clone());
                self.advance();
                self.expect_symbol(",", "and a scalar after the text")?;
            }
            let start = self.span();
            let value = self.expression()?;
            let text = &self.text[start.start..self.last_span().end];
            let label =
                label.unwrap_or_else(|| text.split_whitespace().collect::<Vec<_>>().join(" "));
            shown.push(Shown { label, value });
            if !self.take_symbol(",") {
                break;
            }
        }
        Ok(What::Print { shown, every: self.every()? })
    }

    fn output(&mut self) -> Read<What> {
        let name = self.name("the name of a vector")?;
        let file = if self.take_word("as") { Some(self.name("a name")?) } else { None };
        Ok(What::Output { name, file, every: self.every()? })
    }

    fn every(&mut self) -> Read<Option<u32>> {
        if !self.take_word("every") {
            return Ok(None);
        }
        match *self.peek() {
            TokenKind::Number(n) if n.fract() == 0.0 && (1.0..=1e9).contains(&n) => {
                self.advance();
                Ok(Some(n as u32))
            }
            _ => self.expected("a whole number of iterations, from 1"),
        }
    }
}
