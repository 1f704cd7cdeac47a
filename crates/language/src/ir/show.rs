//! Prints statements of the intermediate form.

use super::{
    Expression, Factor, Operand, Program, Reduced, Reduction, Scalar, State, Statement, Term,
};
use crate::arithmetic::Function;

impl Program {
    pub(crate) fn show_scalar(&self, scalar: Scalar) -> String {
        match scalar {
            Scalar::Number(value) => show_number(value),
            Scalar::Param(number) => self.problem.params[number].name.clone(),
            Scalar::Slot(slot) => self.scalars[slot].clone(),
        }
    }

    /// A statement in a line; of a loop, its first.
    pub(crate) fn show(&self, statement: &Statement) -> String {
        let name = |vector: &usize| self.vectors[*vector].as_str();
        match statement {
            Statement::Combine { target, terms, state } => {
                format!("{} = {}{}", name(target), self.show_terms(terms), show_state(*state))
            }
            Statement::Map { target, function, vector } => {
                format!("{} = {}({})", name(target), function.name(), name(vector))
            }
            Statement::Elementwise { target, operation, operands: [a, b], state } => {
                let show = |operand: &Operand| match operand {
                    Operand::Vector(vector) => name(vector).to_string(),
                    Operand::Scalar(scalar) => self.show_scalar(*scalar),
                };
                let value = operation.show(".", &show(a), &show(b));
                format!("{} = {value}{}", name(target), show_state(*state))
            }
            Statement::Assemble(vector) => format!("assemble {}", name(vector)),
            Statement::Swap(a, b) => format!("swap {}, {}", name(a), name(b)),
            Statement::Compute { target, value } => {
                format!("{} = {}", self.scalars[*target], self.show_expression(*value))
            }
            Statement::SwapScalars(a, b) => {
                format!("swap {}, {}", self.scalars[*a], self.scalars[*b])
            }
            Statement::Reduce(reductions) => {
                let all: Vec<_> = reductions.iter().map(|r| self.show_reduction(r)).collect();
                format!("reduce {}", all.join(", "))
            }
            Statement::Loop(this) => self.loops[this.number].text.clone(),
            Statement::Every { count, .. } => format!("every {count}"),
            Statement::Print { label, value } => {
                format!("print \"{label}\", {}", self.show_scalar(*value))
            }
            Statement::Output { output, vector, .. } => {
                format!("output {} as {}", name(vector), self.outputs[*output].name)
            }
        }
    }

    fn show_terms(&self, terms: &[Term]) -> String {
        let mut text = String::new();
        for term in terms {
            let Factor { constant, scalar } = term.factor;
            text.push_str(term.factor.sign(text.is_empty()));
            if constant.abs() != 1.0 {
                text.push_str(&format!("{} ", show_number(constant.abs())));
            }
            let scalar = scalar.map(|scalar| self.show_scalar(scalar));
            let matrix = term.matrix.map(|matrix| self.problem.matrices[matrix].name.clone());
            scalar.iter().chain(&matrix).for_each(|factor| text.push_str(&format!("{factor} ")));
            let vector = &self.vectors[term.vector];
            text.push_str(&if term.split { format!("split({vector})") } else { vector.clone() });
        }
        if text.is_empty() { "0".to_string() } else { text }
    }

    fn show_expression(&self, value: Expression) -> String {
        match value {
            Expression::Value(a) => self.show_scalar(a),
            Expression::Function(Function::Negate, a) => format!("-{}", self.show_scalar(a)),
            Expression::Function(function, a) => {
                format!("{}({})", function.name(), self.show_scalar(a))
            }
            Expression::Arithmetic(operation, a, b) => {
                operation.show("", &self.show_scalar(a), &self.show_scalar(b))
            }
        }
    }

    fn show_reduction(&self, reduction: &Reduction) -> String {
        let name = |vector: usize| self.vectors[vector].as_str();
        let value = match reduction.of {
            Reduced::Dot(a, b) => format!("dot({}, {})", name(a), name(b)),
            Reduced::Sum(a) => format!("sum({})", name(a)),
            Reduced::Extreme(which, a) => format!("{}({})", which.name(), name(a)),
        };
        let owned = if reduction.owned { " owned" } else { "" };
        format!("{} = {value}{owned}", self.scalars[reduction.target])
    }
}

/// A number as programs have it.
pub(crate) fn show_number(value: f64) -> String {
    let text = format!("{value:?}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_string)
}

fn show_state(state: State) -> &'static str {
    match state {
        State::Full => "",
        State::Partial => "    # partial",
    }
}
