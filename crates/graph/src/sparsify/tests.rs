//! Engines against each other.

use super::*;
use palmette_core::graph::generate::{Weights, generate};

fn with(engine: Engine) -> SparsifyParams {
    SparsifyParams { engine, ..SparsifyParams::default() }
}

#[test]
fn engines_agree_on_shapes() {
    for shape in
        ["grid:20x30", "geometric:700:8", "random:500:10", "clique:60", "star:50", "road:900"]
    {
        for weights in [Weights::Unit, Weights::LogUniform(1e-2, 1e2)] {
            for seed in 1..4 {
                let graph = generate(shape.parse().unwrap(), weights, seed).unwrap().graph;
                let reference = sparsify(&graph, &with(Engine::Reference)).unwrap();
                assert_eq!(sparsify(&graph, &with(Engine::Linear)).unwrap(), reference, "{shape}");
                assert_eq!(
                    sparsify(&graph, &with(Engine::Parallel)).unwrap(),
                    reference,
                    "{shape}"
                );
            }
        }
    }
}
