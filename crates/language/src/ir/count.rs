//! How often a program communicates.

use super::{Program, Statement};

/// Communication of the statements of a loop in one round, without loops in it; what is
/// guarded counts for the fraction of rounds in which it runs.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Counts {
    /// Assemblies when every product, and every vector from the mesh that is partial, is
    /// assembled at once.
    pub undelayed: f64,
    /// Assemblies as they are placed.
    pub assemblies: f64,
    /// Communications of sums.
    pub reductions: f64,
}

impl Program {
    /// The communication outside loops, and by loop.
    pub fn counts(&self) -> (Counts, Vec<Counts>) {
        let mut loops = vec![Counts::default(); self.loops.len()];
        let partial = self.problem.sources.iter().filter(|vector| !vector.source.is_full());
        let mut outside = Counts { undelayed: partial.count() as f64, ..Counts::default() };
        count(&self.statements, 1.0, &mut outside, &mut loops);
        (outside, loops)
    }
}

fn count(statements: &[Statement], part: f64, here: &mut Counts, loops: &mut [Counts]) {
    for statement in statements {
        match statement {
            Statement::Combine { terms, .. } => {
                let products = terms.iter().filter(|term| term.matrix.is_some()).count();
                here.undelayed += part * products as f64;
            }
            Statement::Assemble(_) => here.assemblies += part,
            Statement::Reduce(_) => here.reductions += part,
            Statement::Every { count: every, body, .. } => {
                count(body, part / f64::from(*every), here, loops);
            }
            Statement::Loop(this) => {
                let mut inner = Counts::default();
                count(&this.head, 1.0, &mut inner, loops);
                count(&this.body, 1.0, &mut inner, loops);
                loops[this.number] = inner;
            }
            _ => {}
        }
    }
}
