//! Slices of Newick trees and of FASTA files against readers of whole files.

use super::super::{NewickState, Share, open_newick_slices};
use crate::{
    AlignmentParams, FastaSlices, IoError, ReadParams, SequenceType, read_alignment_bytes,
    read_tree_bytes,
};
use palmette_core::NONE;
use std::path::PathBuf;

fn written(name: &str, text: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("palmette-slices-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

/// Parents and names of tips, of so many shares that are put together one after the other.
fn tree_of(text: &str, shares: usize, name: &str) -> Result<(Vec<u32>, Vec<String>), IoError> {
    let slices = open_newick_slices(&written(name, text))?.expect("a Newick file");
    let (mut state, mut lines) = (NewickState::START, 0);
    let (mut parents, mut names, mut open) = (Vec::new(), Vec::new(), Vec::<u32>::new());
    for share in 0..shares {
        let mut bytes = slices.read(Share::even(share, shares))?;
        let found = slices.parse(&mut bytes, state, lines)?;
        assert_eq!(NewickState::of_bits(state.bits()), state);
        (state, lines) = (bytes.after(state), lines + bytes.lines());
        let before = parents.len() as u32;
        parents.extend(found.parents.iter().map(|&p| if p == NONE { NONE } else { p + before }));
        for &(vertex, closed, _) in &found.outside {
            let place = (open.len() as u64).checked_sub(closed + 1);
            parents[(before + vertex) as usize] = place.map_or(NONE, |k| open[k as usize]);
        }
        open.truncate(open.len() - found.closed.len());
        open.extend(found.open.iter().map(|&v| v + before));
        names.extend(found.tip_names().map(str::to_string));
    }
    assert!(open.is_empty());
    Ok((parents, names))
}

#[test]
fn any_cut_gives_the_same_tree() {
    let texts = [
        "A;",
        " [a tree] 'single one' ;\n",
        "\u{feff}((a:1,b:2)c,'it''s':3e-1)d;",
        "((a,b)95:1[&x={1,2}],(c,(d,'e,(f'[;(]:2)'y)')[a[nested]b]x,,(g)):0.5;\n\n[end]\n",
        "(O'Brien:1,it's:2,(\u{e4}\u{f6}:3,\n'\u{fc}''''':4)\u{df}:5\n)r;",
        "((((((a,b),c),d),e),f),(g,(h,(i,(j,(k,l))))));",
    ];
    for (k, text) in texts.iter().enumerate() {
        let params = ReadParams { lengths: false, ..Default::default() };
        let whole = read_tree_bytes("t.nwk", text.as_bytes(), &params).expect("a tree");
        let mut inner = vec![false; whole.parents.len()];
        whole.parents.iter().filter(|&&p| p != NONE).for_each(|&p| inner[p as usize] = true);
        let tips = (0..inner.len()).filter(|&v| !inner[v]);
        let names: Vec<String> = tips.map(|v| whole.labels.label(v as u32).into_owned()).collect();
        for shares in 1..=text.len() + 2 {
            let found = tree_of(text, shares, &format!("{k}.nwk")).expect("a tree");
            assert_eq!(found, (whole.parents.clone(), names.clone()), "{text} in {shares}");
        }
    }
}

#[test]
fn what_is_no_tree_is_named_with_its_line() {
    for (text, line, words) in [
        ("((a,b),c)\n", 2, "`;` at the end of the tree"),
        ("(a,\n(b)c(d));", 2, "found `(`"),
        ("(a,b:\nx);", 2, "a finite number"),
        ("(a,b);\n(c,d);", 2, "one tree"),
        ("(a,b);\nc", 2, "one tree"),
        ("(a,\n'b);", 2, "a closing quote"),
        ("(a,\n\n[b);", 3, "a closing `]`"),
        ("(a b);", 1, "found `b`"),
    ] {
        for shares in [1, 2, 5] {
            let error = tree_of(text, shares, "wrong.nwk").expect_err(text).to_string();
            let place = format!("line {line}:");
            assert!(error.contains(&place) && error.contains(words), "{shares}: {error}");
        }
    }
}

#[test]
fn any_cut_gives_the_same_sequences() {
    let text =
        "\n>a one\nACGT\nAC\n>b\nRR\n\nRR-?\n; > no sequence\n>c two\r\nACG\r\nTTT\n>d\nA>CGTTT\n";
    let text = &text.replace("A>C", "AC");
    let params = AlignmentParams::default();
    let whole = read_alignment_bytes("a.fa", text.as_bytes(), &params).expect("sequences");
    let path = written("a.fa", text);
    for shares in 1..=text.len() + 1 {
        let slices = FastaSlices::open(&path, &params).expect("a file");
        let (mut names, mut rows, mut lines) = (Vec::new(), Vec::new(), 0);
        for share in 0..shares {
            let bytes = slices.read(Share::even(share, shares)).expect("a share");
            let found = slices.parse(&bytes, lines).expect("sequences");
            lines += bytes.lines();
            names.extend(found.names.clone());
            rows.extend(found.rows);
        }
        assert_eq!((names, rows), (whole.names.clone(), whole.rows.clone()), "{shares}");
    }
    let path = written("b.fa", ">a\n012\n>b\n0\n3\n1\n>c\n0x1\n");
    let params = AlignmentParams { kind: Some(SequenceType::Standard), ..params };
    let mut slices = FastaSlices::open(&path, &params).expect("a file");
    let bytes = [0, 1].map(|share| slices.read(Share::even(share, 2)).expect("a share"));
    let digits = bytes.each_ref().map(|bytes| slices.largest_digit(bytes));
    slices.set_largest_digit(digits.into_iter().max().unwrap_or(0));
    let error = slices.parse(&bytes[1], bytes[0].lines()).expect_err("x").to_string();
    assert!(error.contains("line 8, column 2") && error.contains("one of `0123`"), "{error}");
}
