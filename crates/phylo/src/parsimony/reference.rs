//! Against the answers of independent programs, where the reference data are.

use super::{CostMatrix, Parsimony, ParsimonyParams, StateKind, TipSets, parsimony};
use palmette_core::{NONE, Tree, TreeParams};
use palmette_io::{
    Alignment, AlignmentParams, CostFile, Gaps, ReadParams, TreeFile, read_alignment_bytes,
    read_tree_bytes,
};
use std::path::Path;

fn read(name: &str) -> Option<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/phylo/parsimony");
    let found = std::fs::read(folder.join(name)).ok();
    if found.is_none() {
        println!("skipped: there is no ../shared/data/phylo/parsimony/{name}");
    }
    found
}

struct Case {
    file: TreeFile,
    tree: Tree,
    alignment: Alignment,
    row_of: Vec<u32>,
}

impl Case {
    fn new(tree: &str, gaps: Gaps) -> Option<Case> {
        let (newick, fasta) = (read(&format!("{tree}.nwk"))?, read("aln60x500.fasta")?);
        let file = read_tree_bytes("t.nwk", &newick, &ReadParams::default()).expect("a tree");
        let tree = file.tree(TreeParams::default()).expect("a tree");
        let params = AlignmentParams { gaps, ..AlignmentParams::default() };
        let alignment = read_alignment_bytes("a", &fasta, &params).expect("an alignment");
        let row = |&v: &u32| {
            let label = file.labels.label(v);
            let found = alignment.names.iter().position(|name| *name == label);
            found.map_or(NONE, |row| row as u32)
        };
        let row_of = tree.vertices().iter().map(row).collect();
        Some(Case { file, tree, alignment, row_of })
    }

    fn run(&self, costs: Option<&str>, states: Option<StateKind>) -> Parsimony {
        let symbols = &self.alignment.symbols;
        let costs = costs.map(|name| {
            let text = read(name).expect("the others are there");
            let file = CostFile::read(name, &text).expect("costs");
            let costs = file.ordered(symbols).expect("the states of DNA");
            CostMatrix::new(symbols.states().len(), &costs).expect("costs")
        });
        let (states_count, sites) = (symbols.states().len(), self.alignment.sites);
        let tips = TipSets::new(states_count, sites, &self.alignment.rows, &self.row_of);
        let params = ParsimonyParams { branches: true, states };
        parsimony(&self.tree, &tips.expect("tips"), costs.as_ref(), params).expect("an answer")
    }

    /// Compares with a file of sets of inner vertices.
    fn same_states(&self, found: &Parsimony, name: &str) {
        let text = read(name).expect("the others are there");
        let params = AlignmentParams::default();
        let expected = read_alignment_bytes(name, &text, &params).expect("sets");
        let states = found.states.as_ref().expect("asked for");
        assert_eq!(expected.names.len(), self.tree.len() - self.tree.leaves());
        for (row, vertex) in expected.names.iter().enumerate() {
            let vertex = self.file.vertex(vertex).expect("a vertex");
            let position = self.tree.positions()[vertex as usize];
            for site in 0..expected.sites {
                let sets = (states.set(position, site), expected.set(row, site));
                assert_eq!(sets.0, sets.1, "{name}: {} at {site}", expected.names[row]);
            }
        }
    }
}

/// A column of a table of scores.
fn scores(name: &str, column: usize) -> Vec<f64> {
    let text = String::from_utf8(read(name).expect("the others are there")).expect("text");
    let rows = text.lines().skip(1).map(|line| line.split('\t').nth(column));
    rows.map(|field| field.and_then(|text| text.parse().ok()).expect("a number")).collect()
}

#[test]
fn scores_and_sets_of_other_programs() {
    for tree in ["tree60", "tree60-multi"] {
        let Some(case) = Case::new(tree, Gaps::Missing) else { return };
        let table = format!("{tree}.site_scores.tsv");
        let all = [
            (None, 1, "mpr"),
            (Some("cost_titv.tsv"), 2, "mpr_titv"),
            (Some("cost_asym.tsv"), 3, "mpr_asym"),
        ];
        for (costs, column, sets) in all {
            let found = case.run(costs, Some(StateKind::Mpr));
            assert_eq!(found.site_scores, scores(&table, column), "{tree} {sets}");
            let branches = found.branch_scores.as_ref().expect("asked for");
            assert_eq!(branches.iter().sum::<f64>(), found.score(), "{tree} {sets}");
            case.same_states(&found, &format!("{tree}.{sets}.fasta"));
        }
        // Equal costs from a file are the same as none.
        assert_eq!(case.run(Some("cost_unit.tsv"), None), case.run(None, None));
        let found = case.run(None, Some(StateKind::FirstPass));
        case.same_states(&found, &format!("{tree}.states.fasta"));
    }
}

#[test]
fn gaps_as_a_state() {
    let Some(case) = Case::new("tree60", Gaps::State) else { return };
    assert_eq!(case.run(None, None).site_scores, scores("tree60.site_scores_gap5.tsv", 1));
}
