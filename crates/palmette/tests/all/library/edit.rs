//! Tests of edits by name.

use palmette::io::{Column, read_tree_bytes, write_newick};
use palmette::phylo::edit::{
    CollapsedLength, GraftPlace, RootPlace, Unifurcations, collapse, graft, prune, reroot, sort,
    support_below,
};
use palmette::phylogeny::edit::{
    EditProblem, TipList, apply, both, join_supports, ranks_by_name, read_renames, rename,
};
use palmette::{ReadParams, Tree, TreeFile, TreeParams, Values};

fn read(text: &str) -> (TreeFile, Tree) {
    let params = ReadParams { lengths: true, ..ReadParams::default() };
    let file = read_tree_bytes("test.nwk", text.as_bytes(), &params).expect(text);
    let tree = file.tree(TreeParams::default()).expect(text);
    (file, tree)
}

fn text(file: &TreeFile) -> String {
    let tree = file.tree(TreeParams::default()).expect("a tree");
    let mut out = Vec::new();
    write_newick(&mut out, &tree, &file.labels, file.lengths.as_deref()).expect("memory");
    String::from_utf8(out).expect("text")
}

#[test]
fn names_follow_vertices_and_supports_follow_branches() {
    let (mut file, tree) = read("(((a:1,b:1)x:1,c:1)y:1,((d:1,e:1)z:1,f:1)w:1)r;");
    let named = |name: &str| file.vertex(name).expect("a name") as usize;
    let mut support = vec![f64::NAN; file.len()];
    (support[named("x")], support[named("y")], support[named("z")]) = (95.0, 70.0, 60.0);
    file.support = Some(support);
    file.columns = vec![Column { name: "n".into(), values: Values::I64((0..11).collect()) }];
    assert_eq!(join_supports(&mut file.support, &tree), None);
    let vertex = file.vertex("a").expect("a name");
    let place = RootPlace::Share { vertex, share: 0.5 };
    let edited = reroot(&tree, file.lengths.as_deref(), place).expect("a branch");
    let gone = support_below(&tree, file.support.as_ref().expect("support"), 65.0).expect("65");
    let new = apply(file.clone(), edited);
    assert_eq!(text(&new), "(a:0.5,(b:1,(c:1,((d:1,e:1)z:1,f:1)w:2)y:1)x:0.5);\n");
    let support = new.support.as_ref().expect("support");
    let of = |name: &str| support[new.vertex(name).expect("a name") as usize];
    // The branch above y is now that between x and y: it still divides a and b from the rest.
    assert_eq!((of("y"), of("w"), of("z")), (95.0, 70.0, 60.0));
    assert!(of("x").is_nan() && of("b").is_nan());
    let Values::F64(numbers) = &new.columns[0].values else { panic!("{:?}", new.columns) };
    assert!(numbers[0].is_nan() && numbers[1] == 3.0);
    let edited = collapse(&tree, file.lengths.as_deref(), &gone, CollapsedLength::Add);
    let new = apply(file, edited.expect("branches"));
    assert_eq!(text(&new), "(((a:1,b:1)x:1,c:1)y:1,(d:2,e:2,f:1)w:1)r;\n");
    assert!(matches!(new.columns[0].values, Values::I64(_)));
}

#[test]
fn tips_are_chosen() {
    let (file, tree) = read("((ape_1,ape_2)apes,(cat,dog));");
    let chosen = |list: TipList| {
        let found = list.choose(&file, &tree)?;
        let keep = prune(&tree, None, &found.chosen, Unifurcations::Suppress);
        let new = apply(file.clone(), keep.map_err(|error| EditProblem::of(&file, error))?);
        Ok::<_, EditProblem>((text(&new), found.missing))
    };
    let apes = "(ape_1,ape_2)apes;\n".to_string();
    assert_eq!(chosen(TipList::names(["apes"])).expect("a clade"), (apes.clone(), 0));
    let list = TipList { patterns: vec!["ape*".into()], ..TipList::default() };
    assert_eq!(chosen(list).expect("a pattern").0, apes);
    let list = TipList::names(["cat", "cow", "hen", "yak", "gnu"]);
    let error = chosen(list.clone()).expect_err("unknown");
    assert_eq!(error.to_string(), "test.nwk: 4 names are of no vertex: `cow`, `hen`, `yak`, …");
    let list = TipList { ignore_missing: true, ..list };
    assert_eq!(chosen(list).expect("one is there"), ("cat;\n".into(), 4));
}

#[test]
fn names_change_places() {
    let (file, _) = read("((a,b)x,c);");
    let rows = read_renames("t", "old,new\na,b\nb,\"a, \"\"x\"\"\"\n").expect("rows");
    let found = rename(&file, "t", &rows, false).expect("names");
    assert_eq!((found.renamed, found.shared), (2, 0));
    assert_eq!(found.header.as_deref(), Some("old, new"));
    assert_eq!((found.labels.label(2), found.labels.label(3)), ("b".into(), "a, \"x\"".into()));
    let rows = read_renames("t", "a\tc\nq\tr").expect("rows");
    let error = rename(&file, "t", &rows, false).expect_err("unknown");
    assert_eq!(error.to_string(), "test.nwk: no vertex is called `q`");
    assert_eq!(rename(&file, "t", &rows, true).expect("ignored").shared, 1);
    let rows = read_renames("t", "a,q\na,r").expect("rows");
    let error = rename(&file, "t", &rows, false).expect_err("twice");
    assert_eq!(error.to_string(), "t, row 2: a is renamed twice");
    let error = read_renames("t", "a,b,c").expect_err("three");
    assert_eq!(error.to_string(), "t, line 1: expected an old and a new name, found 3 field(s)");
}

#[test]
fn sorted_and_grafted() {
    let (file, tree) = read("((d:1,c:1):1,(b:1,a:1)x:1);");
    let ranks = ranks_by_name(&file, &tree);
    let edited = sort(&tree, file.lengths.as_deref(), &ranks).expect("ranks");
    assert_eq!(text(&apply(file.clone(), edited)), "((a:1,b:1)x:1,(c:1,d:1):1);\n");
    let (scion, twigs) = read("(p:1,q:1)y:3;");
    let place = GraftPlace::Above { vertex: file.vertex("a").expect("a name"), share: 0.5 };
    let (lengths, more) = (file.lengths.as_deref(), scion.lengths.as_deref());
    let edited = graft(&tree, lengths, &twigs, more, place).expect("a branch");
    let new = apply(both(file, &scion), edited);
    assert_eq!(text(&new), "((d:1,c:1):1,(b:1,(a:0.5,(p:1,q:1)y:3):0.5)x:1);\n");
}

#[test]
fn a_graft_keeps_what_both_trees_know() {
    let with = |text: &str| {
        let params = ReadParams { annotations: true, ..ReadParams::default() };
        let file = read_tree_bytes("test.nwk", text.as_bytes(), &params).expect(text);
        let tree = file.tree(TreeParams::default()).expect(text);
        (file, tree)
    };
    let (mut stock, tree) = with("(a[&rate=1],b[&rate=2,at=sea])x;");
    let (mut scion, twigs) = with("(c[&rate=3],d[&host=ape])y;");
    let column = |name: &str, values: Values| Column { name: name.into(), values };
    stock.columns =
        vec![column("n", Values::I64(vec![1, 2, 3])), column("m", Values::I64(vec![7, 8, 9]))];
    scion.columns =
        vec![column("n", Values::I64(vec![4, 5, 6])), column("o", Values::U64(vec![1, 2, 3]))];
    let place = GraftPlace::Below(stock.vertex("b").expect("a name"));
    let edited = graft(&tree, None, &twigs, None, place).expect("a place");
    let new = apply(both(stock, &scion), edited);
    let text = |key: &str, name: &str| {
        let found = new.annotations.iter().find(|one| one.name == key).expect("a key");
        found.get(new.vertex(name).expect("a name")).to_string()
    };
    assert_eq!(["a", "b", "c", "d", "y"].map(|name| text("rate", name)), ["1", "2", "3", "", ""]);
    assert_eq!(
        (text("at", "b"), text("host", "d"), text("host", "b")),
        ("sea".into(), "ape".into(), String::new())
    );
    let [n, m, o] = &new.columns[..] else { panic!("{:?}", new.columns) };
    assert_eq!(n.values, Values::I64(vec![1, 2, 3, 4, 5, 6]));
    let (Values::F64(m), Values::F64(o)) = (&m.values, &o.values) else { panic!("{m:?} {o:?}") };
    assert!(m[..3] == [7.0, 8.0, 9.0] && m[3..].iter().all(|x| x.is_nan()));
    assert!(o[3..] == [1.0, 2.0, 3.0] && o[..3].iter().all(|x| x.is_nan()));
}

#[test]
fn patterns() {
    let like = |pattern: &str, tip: &str| {
        let (file, tree) = read(&format!("('{tip}',##);"));
        let list = TipList { patterns: vec![pattern.into()], ..TipList::default() };
        list.choose(&file, &tree).is_ok_and(|found| found.chosen[1])
    };
    for (pattern, tip) in [
        ("*", "x"),
        ("a*", "abc"),
        ("*c", "abc"),
        ("a*b*c", "aXbbYc"),
        ("?", "é"),
        ("a?c", "abc"),
        ("abc", "abc"),
        ("*?", "ab"),
    ] {
        assert!(like(pattern, tip), "{pattern} {tip}");
    }
    for (pattern, tip) in [("a?c", "ac"), ("*b", "abc"), ("a", "ab"), ("b", "a")] {
        assert!(!like(pattern, tip), "{pattern} {tip}");
    }
}
