use super::*;

fn read(text: &str) -> Result<Alignment, IoError> {
    read_alignment_bytes("a", text.as_bytes(), &AlignmentParams::default())
}

fn sets(read: &Alignment) -> Vec<Vec<u32>> {
    (0..read.names.len()).map(|s| (0..read.sites).map(|k| read.set(s, k)).collect()).collect()
}

#[test]
fn forms_of_the_same_alignment() {
    let expected = vec![vec![1, 2, 4, 8, 15], vec![5, 8, 15, 15, 1], vec![2, 2, 2, 2, 2]];
    for text in [
        ">x\nACGT?\n>y z\nRu-Na\n>w\nccccc\n",
        ">x\r\nAC\r\nGT?\r\n\r\n>y\r\nRU -XA\r\n>w\r\nCCCCC",
        " 3 5\nx ACGT?\ny RU-NA\nw CC CCC\n",
        "3 5\nx  AC\n   GT?\ny  RU\n   -NA\nw  CCC\n   CC\n",
        "3 5\nx  ACG\ny  RU-\nw  CCC\n\nT?\nNA\nCC\n",
        "3 5\nx         ACGT?\ny         RU-NA\nw         CCCCC\n",
        ">x\n{A}CG(TU)?\n>y\n{AG}U{ACGT}NA\n>w\nCCCCC\n",
    ] {
        let read = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(read.names, ["x", "y", "w"], "{text}");
        assert_eq!(sets(&read), expected, "{text}");
        assert_eq!(read.symbols.kind(), SequenceType::Dna);
    }
}

#[test]
fn strict_names_may_have_blanks() {
    let read = read("2 4\nHomo sap. ACGT\nHomo ere. ACGA\n").expect("strict");
    assert_eq!(read.names, ["Homo sap.", "Homo ere."]);
    assert_eq!(read.set(1, 3), 1);
}

#[test]
fn types_are_found_and_kept() {
    let kind = |text: &str| read(text).expect(text).symbols.kind();
    assert_eq!(kind(">a\nMKV-LX\n>b\nMKVBLJ\n"), SequenceType::Protein);
    assert_eq!(kind(">a\n01-2\n>b\n0?12\n"), SequenceType::Standard);
    assert_eq!(read(">a\n01-2\n").expect("digits").symbols.states(), b"012");
    let params = AlignmentParams {
        alphabet: Some("xyz".to_string()),
        gaps: Gaps::State,
        ..AlignmentParams::default()
    };
    let read = read_alignment_bytes("a", b">a\nxY-?{xz}\n", &params).expect("own states");
    assert_eq!(sets(&read), [[1, 2, 8, 15, 5]]);
    let gap = AlignmentParams { gaps: Gaps::State, ..AlignmentParams::default() };
    let read = read_alignment_bytes("a", b">a\nA-?NR\n", &gap).expect("five states");
    assert_eq!(sets(&read), [[1, 16, 31, 15, 5]]);
    for alphabet in ["", "aa", "a-", "a?", "0123456789abcdefghijklmnopqrstuvwxyz"] {
        let params = AlignmentParams { alphabet: Some(alphabet.to_string()), ..gap.clone() };
        assert!(read_alignment_bytes("a", b">a\na\n", &params).is_err(), "{alphabet}");
    }
}

#[test]
fn what_is_written_reads_back() {
    for (kind, alphabet, gaps) in [
        (SequenceType::Dna, "", Gaps::Missing),
        (SequenceType::Dna, "", Gaps::State),
        (SequenceType::Protein, "", Gaps::State),
        (SequenceType::Standard, "012", Gaps::Missing),
    ] {
        let symbols = Symbols::new(kind, alphabet, gaps).expect("symbols");
        let states = symbols.states().len();
        let all = sites::all_states(states);
        let sets: Vec<u32> =
            (1..500u32).map(|k| (k * 2_654_435) & all).filter(|&s| s > 0).collect();
        let mut text = Vec::new();
        write_fasta(&mut text, &symbols, [("a", sets.iter().copied())].into_iter())
            .expect("memory");
        let alphabet = (!alphabet.is_empty()).then(|| alphabet.to_string());
        let params = AlignmentParams { format: None, kind: Some(kind), alphabet, gaps };
        let read = read_alignment_bytes("a", &text, &params).expect("what we wrote");
        assert_eq!((0..read.sites).map(|k| read.set(0, k)).collect::<Vec<_>>(), sets);
    }
}

#[test]
fn errors_name_the_place() {
    for (text, message) in [
        (
            "",
            "a, line 1: expected `>` (FASTA) or the numbers of sequences and sites (PHYLIP), found an empty file",
        ),
        (">a\nACGT\n>b\nAC\n", "a, line 3: expected 4 symbols, as in `a`, found 2 in `b`"),
        (
            ">a\nACGT\nA\n>b\nACGTT\n>a\nACGTT\n",
            "a, line 6: expected a name of its own for each sequence, found `a` again, which is on line 1",
        ),
        (
            ">a\nACGT\nAC!T\n",
            "a, line 3, column 3: expected a symbol of DNA or RNA (IUPAC), `-` or `?`, found `!`",
        ),
        (
            ">a\nMKVL\n>b\nMK1L\n",
            "a, line 4, column 3: expected an amino acid, `-` or `?`, found `1`",
        ),
        (
            ">a\nA{CG\n",
            "a, line 2, column 2: expected a symbol of DNA or RNA (IUPAC), `-` or `?`, found `{`",
        ),
        (">\nACGT\n", "a, line 1: expected a name, found none"),
        ("2 4\na ACGT\nb ACG\n", "a, line 3: expected 4 symbols, found 3 for `b`"),
        ("3 4\na ACGT\nb ACGT\n", "a, line 3: expected 3 sequences, found 2 lines"),
        ("2 4\na ACGT\nb ACGT\nc ACGT\n", "a, line 4: expected 2 sequences of 4 sites, found more"),
        ("2 4\na ACG\nb ACGT\n", "a, line 2: expected 4 symbols, found 3 for `a`"),
        ("2\na ACGT\n", "a, line 1: expected the numbers of sequences and sites, found `2`"),
    ] {
        let error = read(text).expect_err(text);
        assert_eq!(error.to_string(), message, "{text}");
    }
}

#[test]
fn costs_are_ordered_by_state() {
    let symbols = Symbols::new(SequenceType::Dna, "", Gaps::Missing).expect("symbols");
    let text =
        "from\\to\tG\tA\tC\tT\nA\t1\t0\t2\t3\nC\t4\t5\t0\t6\nG\t0\t7\t8\t9\nT\t1.5\t2.5\tinf\t0\n";
    let costs = CostFile::read("c.tsv", text.as_bytes()).expect("costs");
    let ordered = costs.ordered(&symbols).expect("the same states");
    assert_eq!(ordered[..8], [0.0, 2.0, 1.0, 3.0, 5.0, 0.0, 4.0, 6.0]);
    assert_eq!(ordered[12..], [2.5, f64::INFINITY, 1.5, 0.0]);
    for (text, message) in [
        ("x\tA\tC\nA\t0\t1\n", "c.tsv, line 2: expected a row for `C`, found the end"),
        ("x\tA\tC\nA\t0\t-1\n", "c.tsv, line 2: expected a cost, at least 0, found `-1`"),
        ("x\tA\tC\nA\t0\n", "c.tsv, line 2: expected 2 costs, found 1"),
        ("x\tA\tA\n", "c.tsv, line 1: expected each state once, found `A` twice"),
        ("x\tA\tC\nG\t0\t1\n", "c.tsv, line 2: expected a state of the header, found `G`"),
    ] {
        let error = CostFile::read("c.tsv", text.as_bytes()).expect_err(text);
        assert_eq!(error.to_string(), message);
    }
    let two = CostFile::read("c.tsv", b"x\tA\tC\nA\t0\t1\nC\t1\t0\n").expect("two states");
    let error = two.ordered(&symbols).expect_err("four states").to_string();
    assert_eq!(error, "c.tsv: expected costs of the states `ACGT`, found `AC`");
}
