//! Parsimony on ranks: the answers of one process.

use super::*;
use palmette::io::{AlignmentParams, CostFile, read_alignment_bytes, read_tree_bytes};
use palmette::phylo::parsimony::ParsimonyParams;
use palmette::phylogeny::parsimony::{AlignedParams, cost_matrix, parsimony};
use palmette::{ReadParams, TreeParams};

const COSTS: &str =
    "\tA\tC\tG\tT\nA\t0\t2.5\t1\t2.5\nC\t2.5\t0\t2.5\t1\nG\t1\t2.5\t0\t2.5\nT\t2.5\t1\t2.5\t0\n";

/// A tree of tips `t0…` with vertices of up to four children, and sequences that are mostly alike.
fn inputs(tips: usize, sites: usize) -> (String, String) {
    let mut state = 7u64;
    let mut draw = |n: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let mut fasta = String::new();
    for tip in 0..tips {
        let sequence: String = (0..sites)
            .map(|site| b"ACGTRY-"[if draw(4) == 0 { draw(7) } else { site % 4 }] as char)
            .collect();
        writeln!(fasta, ">t{tip}\n{sequence}").unwrap();
    }
    let mut parts: Vec<String> = (0..tips).map(|tip| format!("t{tip}")).collect();
    while parts.len() > 1 {
        let many = (2 + draw(3)).min(parts.len());
        let joined: Vec<String> = (0..many).map(|_| parts.swap_remove(draw(parts.len()))).collect();
        parts.push(format!("({})", joined.join(",")));
    }
    (parts.concat() + ";", fasta)
}

#[test]
fn ranks_share_the_sites() {
    let folder = Folder::new("mpi-parsimony");
    // Three blocks of 128 sites and a part of one: more ranks than blocks, too.
    let (newick, fasta) = inputs(40, 400);
    let (tree, sequences) = (folder.write("t.nwk", &newick), folder.write("a.fasta", &fasta));
    let costs = folder.write("costs.tsv", COSTS);
    let [scores, branches] = ["scores.csv", "branches.csv"].map(|name| folder.0.join(name));
    let file = read_tree_bytes("t.nwk", newick.as_bytes(), &ReadParams::default()).unwrap();
    let parsed = file.tree(TreeParams::default()).unwrap();
    let alignment =
        read_alignment_bytes("a.fasta", fasta.as_bytes(), &AlignmentParams::default()).unwrap();
    let own = CostFile::read("costs.tsv", COSTS.as_bytes()).unwrap();
    let own = cost_matrix(&own, &alignment).unwrap();
    for costs in [None, Some((text(&costs), &own))] {
        let wanted = ParsimonyParams { branches: true, states: None };
        let params = AlignedParams { wanted, ignore_missing: false };
        let matrix = costs.map(|(_, matrix)| matrix);
        let found = parsimony(&parsed, &file.labels, &alignment, matrix, &params).unwrap().found;
        let table = |head: &str, names: Vec<String>, numbers: &[f64]| {
            let rows = names.iter().zip(numbers).map(|(name, x)| format!("{name},{x}\n"));
            format!("{head}\n{}", rows.collect::<String>())
        };
        let by_site = table(
            "site,score",
            (1..=400).map(|site| site.to_string()).collect(),
            &found.site_scores,
        );
        let by_branch = parsed.to_vertices(&found.branch_scores.clone().unwrap()).unwrap();
        // A name that begins a comment is in quotes.
        let name = |v: u32| match file.labels.get(v) {
            name if name.starts_with('#') => format!("\"{name}\""),
            name => name.into_owned(),
        };
        let names = (0..parsed.len() as u32).map(name).collect();
        let by_branch = table("vertex,cost", names, &by_branch);
        for ranks in [1, 3, 7] {
            let mut arguments = vec![
                "parsimony",
                text(&tree),
                text(&sequences),
                "-o",
                text(&scores),
                "--branches",
                text(&branches),
            ];
            arguments.extend(costs.iter().flat_map(|(path, _)| ["--cost", path]));
            let record = record(ranks, &arguments);
            assert_eq!(record["result"]["score"].as_f64(), Some(found.score()), "{record}");
            assert_eq!(record["result"]["sites"], 400);
            assert_eq!(std::fs::read_to_string(&scores).unwrap(), by_site, "{ranks} ranks");
            assert_eq!(std::fs::read_to_string(&branches).unwrap(), by_branch, "{ranks} ranks");
        }
        // Slices of the tree, and groups of ranks that share the sites.
        for (ranks, slices) in [(2, "2"), (4, "2"), (5, "5")] {
            let mut arguments = vec!["parsimony", text(&tree), text(&sequences)];
            arguments.extend(["-o", text(&scores), "--slices", slices]);
            arguments.extend(costs.iter().flat_map(|(path, _)| ["--cost", path]));
            let record = record(ranks, &arguments);
            assert_eq!(record["result"]["score"].as_f64(), Some(found.score()), "{record}");
            assert_eq!(record["result"]["tips"], 40, "{record}");
            assert_eq!(record["result"]["vertices"], parsed.len(), "{record}");
            assert_eq!(std::fs::read_to_string(&scores).unwrap(), by_site, "{ranks}, {slices}");
        }
    }
}

#[test]
fn what_is_wrong_is_said_once() {
    let folder = Folder::new("mpi-parsimony-wrong");
    let tree = folder.write("t.nwk", "((a,b),c);");
    let short = folder.write("a.fasta", ">a\nAC\n>b\nA\n>c\nAC\n");
    let few = folder.write("b.fasta", ">a\nAC\n>b\nAC\n");
    let out = folder.0.join("out.csv");
    for (alignment, words) in [(&short, "line 3"), (&few, "no sequence for 1 of 3 tips")] {
        let said =
            failure(&folder, 3, &["parsimony", text(&tree), text(alignment), "-o", text(&out)]);
        assert!(said.contains(words) && said.matches("error:").count() == 1, "{said}");
    }
}

#[test]
fn slices_that_go_wrong_say_so_once() {
    let folder = Folder::new("mpi-parsimony-slices");
    let tree = folder.write("t.nwk", "((a,b),\nc);");
    let open = folder.write("open.nwk", "((a,b),\n(c);");
    let table = folder.write("t.csv", "id,parent\n0,\n1,0\n");
    let fine = folder.write("fine.fasta", ">a\nAC\n>b\nAC\n>c\nAT\n");
    let short = folder.write("short.fasta", ">a\nAC\n>b\nAC\n>c\nA\n");
    let few = folder.write("few.fasta", ">a\nAC\n>b\nAC\n");
    let odd = folder.write("odd.fasta", ">a\nAC\n>b\nAC\n>c\nA!\n");
    let out = folder.0.join("out.csv");
    // No change can happen: one site in each group has several states.
    let costs = folder.write("never.tsv", "\tA\tC\tG\tT\nA\t0\tinf\tinf\tinf\nC\tinf\t0\tinf\tinf\nG\tinf\tinf\t0\tinf\nT\tinf\tinf\tinf\t0\n");
    let long = |letter: &str| format!("A{letter}{}{letter}", "C".repeat(200));
    let [a, b] = ["A", "T"].map(long);
    let never = folder.write("never.fasta", format!(">a\n{a}\n>b\n{b}\n>c\n{a}\n"));
    let arguments = ["parsimony", text(&tree), text(&never), "--slices", "2", "--cost"];
    let said = failure(&folder, 4, &[&arguments[..], &[text(&costs), "-o", text(&out)]].concat());
    let words = "2 sites have no finite cost, the first is site 2";
    assert!(said.contains(words) && said.matches("error:").count() == 1, "{said}");
    for (tree, alignment, slices, words) in [
        (&tree, &short, "2", "line 5: expected 2 symbols"),
        (&tree, &few, "2", "no sequence for 1 of 3 tips: `c`"),
        (&tree, &odd, "4", "line 6, column 2"),
        (&open, &fine, "2", "line 2: expected `)` for each `(`"),
        (&table, &fine, "2", "reads Newick trees only"),
        (&tree, &fine, "3", "--slices 3 does not divide the number of ranks, which is 4"),
    ] {
        let arguments =
            ["parsimony", text(tree), text(alignment), "--slices", slices, "-o", text(&out)];
        let said = failure(&folder, 4, &arguments);
        assert!(said.contains(words) && said.matches("error:").count() == 1, "{words}: {said}");
    }
}
