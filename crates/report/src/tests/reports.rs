//! Reports and views.

use super::timed;
use crate::view::{
    Contraction, LinksView, MessageKind, QueueFrame, QueuesView, RoundsView, Unit, View,
};
use crate::{Compared, PageError, ReportPage, file_stems};
use palmette_core::{NONE, Picture, Record};
use serde_json::{Value, json};

const SVG: &str =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"30\"><rect/></svg>";

fn picture(name: &str, view: Option<Value>) -> Picture {
    Picture { name: name.into(), title: "a <b>".into(), svg: SVG.into(), view }
}

fn html(records: &[Record]) -> String {
    ReportPage { title: "T & <i>", overview: None, records, compared: None }
        .to_html()
        .expect("a page")
}

/// The text between two marks, the first time they stand so.
fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let (_, rest) = text.split_once(from).unwrap_or_else(|| panic!("no {from}"));
    rest.split_once(to).unwrap_or_else(|| panic!("no {to}")).0
}

#[test]
fn figures_of_all_kinds_are_shown() {
    let mut record = Record::new("x y", "-");
    record.figure("max_link_load", 1_234_567).figure("ratio", 0.123_456_789).figure("ok", true);
    record.figure("none", Value::Null).figure("words", "a<b").figure("map", json!({"in_side": -5}));
    record.figure("rows", json!([{"a": 1, "b": 2.5}, {"b": 3, "c": "z"}]));
    record.figure("long", (0..300).collect::<Vec<_>>());
    record.figure("few", json!([1, 2.5]));
    let page = html(&[record]);
    let row = |name: &str| {
        let start = format!("<th scope=\"row\">{name}</th><td");
        between(&page, &start, "</td>").split_once('>').expect("a cell").1
    };
    assert_eq!(row("max link load"), "1,234,567");
    assert_eq!(row("ratio"), "0.1235");
    assert!(page.contains("data-hint=\"0.123456789\""));
    assert_eq!([row("ok"), row("none"), row("words")], ["yes", "–", "a&lt;b"]);
    assert_eq!([row("map: in side"), row("few"), row("rows")], ["-5", "1  2.5", "2 below"]);
    let head = between(&page, "<caption>rows</caption>", "</thead>");
    assert_eq!(head.matches("<th ").count(), 3, "{head}");
    assert!(page.contains("and 100 more"));
}

#[test]
fn a_page_of_nothing_is_a_page() {
    for records in [&[][..], &[Record::default()]] {
        let page = html(records);
        assert!(page.contains("<h1>T &amp; &lt;i&gt;</h1>") && page.ends_with("</html>\n"));
        assert!(!page.contains("<figure"));
    }
}

#[test]
fn a_report_fetches_nothing_and_runs_one_script() {
    let page = html(&[Record::new("a", "b")]);
    assert_eq!(page.matches("<script").count(), 1);
    assert_eq!(page.matches("</script").count(), 1);
    let (policy, script) = (
        between(&page, "Security-Policy\" content=\"", "\""),
        between(&page, "<script type=\"module\">", "</script>"),
    );
    let hash = crate::base64::base64(&<sha2::Sha256 as sha2::Digest>::digest(script.as_bytes()));
    assert!(
        policy.starts_with("default-src 'none'") && policy.contains(&format!("'sha256-{hash}'"))
    );
    for bad in ["http://", "https://", "@import", "<link"] {
        assert!(!page.replace("http://www.w3.org/2000/svg", "").contains(bad), "{bad}");
    }
}

#[test]
fn the_size_without_records_is_small() {
    let size = html(&[]).len();
    assert!(size < 60_000, "{size} bytes of script and style");
}

#[test]
fn views_cannot_leave_their_element() {
    let mut record = Record::new("a", "b");
    let mut rounds =
        RoundsView::new([1, 1], Unit::Step, &[0], &[0], &[NONE]).expect("a view").clone();
    rounds.send(0, 0, 0, MessageKind::Uncontract).expect("a message");
    let mut view = View::from(rounds).to_value();
    view["kinds"][2] = json!("</script><script>alert(1)</script>");
    record.pictures.push(picture("p", Some(view)));
    let page = html(&[record]);
    assert!(page.contains("\\u003c/script>\\u003cscript>alert(1)"));
    assert_eq!(page.matches("<script").count(), 2);
    // A kind of later versions: its picture is shown.
    let mut record = Record::new("a", "b");
    record.pictures.push(picture("p", Some(json!({"kind": "later", "data": 3}))));
    let page = html(&[record]);
    assert!(page.contains("<figure") && !page.contains("class=\"view\""));
}

#[test]
fn bad_pictures_and_views_are_named() {
    let mut bad = Record::new("a", "b");
    bad.pictures.push(Picture { svg: "<html/>".into(), ..picture("plan", None) });
    let mut good = Record::new("a", "b");
    good.pictures.push(picture("plan", None));
    let page = ReportPage {
        title: "",
        overview: None,
        records: &[good.clone(), bad.clone()],
        compared: None,
    };
    let error = page.to_html().expect_err("no picture");
    assert_eq!(error.record(), Some(1));
    assert!(error.to_string().starts_with("record 2, picture `plan`: not a safe SVG"), "{error}");
    let compared = Some(Compared { records: &[bad], names: ["a", "b"] });
    let page = ReportPage { title: "", overview: None, records: &[good.clone()], compared };
    assert_eq!(page.to_html().expect_err("no picture").record(), Some(1));
    let page = ReportPage { compared: Some(Compared { records: &[], names: ["a", "b"] }), ..page };
    assert_eq!(page.to_html(), Err(PageError::Sides(1, 0)));
}

#[test]
fn two_runs_are_compared() {
    let run = |n: u64, seed: u64, part: f64| {
        let mut record = Record::new("mesh map", "p.msh");
        record.parameter("seed", seed).parameter("machine", "torus");
        record.figure("cut", n).figure("share", part).figure("same", 7).figure("zero", 0);
        record.pictures = vec![picture("plan", None)];
        record
    };
    let (left, mut right) = ([run(200, 1, 0.5)], [run(150, 2, 0.25)]);
    right[0].figure("only_here", 3);
    right[0].pictures.push(picture("more", None));
    let compared = Some(Compared { records: &right, names: ["l.json", "r.json"] });
    let page = ReportPage { title: "", overview: None, records: &left, compared }
        .to_html()
        .expect("a page");
    let cells = |name: &str| -> Vec<&str> {
        let row = between(&page, &format!("<th scope=\"row\">{name}</th>"), "</tr>");
        row.split("</td>").filter_map(|cell| cell.rsplit_once('>').map(|(_, text)| text)).collect()
    };
    assert_eq!(cells("cut"), ["200", "150", "−50", "0.750"]);
    assert_eq!(cells("share"), ["0.5", "0.25", "−0.2500", "0.500"]);
    assert_eq!(cells("same"), ["7", "7", "=", ""]);
    assert_eq!(cells("zero"), ["0", "0", "=", ""]);
    assert_eq!(cells("only here"), ["", "3", "differs", ""]);
    assert_eq!(cells("seed"), ["1", "2", "differs"]);
    assert_eq!(cells("machine"), ["torus", "torus", ""]);
    assert_eq!(page.matches("<div class=\"pair\">").count(), 2);
    assert_eq!(page.matches("<figure").count(), 3);
}

/// Eight times the keys, or the pictures, take about eight times as long, not sixty-four times.
/// The shortest of several runs counts, so that other work on the machine does not.
#[test]
fn time_grows_with_the_size_only() {
    let wide = |keys: usize| {
        let mut record = Record::new("tree info", "");
        (0..keys).for_each(|i| _ = record.figure(&format!("k{i}"), format!("v{i}")));
        record.pictures = (0..keys / 16).map(|i| picture(&format!("p{i}"), None)).collect();
        record
    };
    let taken = |keys: usize, compare: bool| {
        let (records, others) = ([wide(keys)], [wide(keys)]);
        let compared = compare.then_some(Compared { records: &others, names: ["a", "b"] });
        let page = ReportPage { title: "", overview: None, records: &records, compared };
        let once = || {
            let (html, taken) = timed(|| page.to_html().expect("a page"));
            assert!(html.contains(&format!("k{}<", keys - 1)));
            taken
        };
        (0..3).map(|_| once()).min().expect("three runs")
    };
    for compare in [false, true] {
        let (small, large) = (taken(8000, compare), taken(64_000, compare));
        assert!(large < small * 30, "{small:?} for 8,000 keys, {large:?} for 64,000");
    }
}

#[test]
fn long_names_are_not_repeated_below_them() {
    let inner: serde_json::Map<String, Value> =
        (0..1000).map(|i| (i.to_string(), json!(i))).collect();
    let mut record = Record::new("tree info", "");
    record.figure(&"long ".repeat(20_000), Value::Object(inner));
    let page = html(&[record]);
    assert!(page.len() < 400_000, "{}", page.len());
    assert!(page.contains(">long long") && page.contains("long…: 999<"), "cut, and said so");
}

#[test]
fn names_that_repeat_are_compared_in_their_order() {
    // `a_b` and `a b` are the same words.
    let run = |one: u64, two: u64| {
        let mut record = Record::new("tree info", "");
        record.figure("a_b", one).figure("a b", two);
        record.pictures = vec![picture("p", None), picture("p", None)];
        record
    };
    let (left, right) = ([run(1, 2)], [run(1, 4)]);
    let compared = Some(Compared { records: &right, names: ["", ""] });
    let page = ReportPage { title: "", overview: None, records: &left, compared }
        .to_html()
        .expect("a page");
    let row = |cells: &str| page.contains(&format!("<th scope=\"row\">a b</th>{cells}"));
    let cell = |text: &str| format!("<td class=\"number\">{text}</td>");
    assert!(row(&[cell("1"), cell("1"), cell("=")].concat()));
    assert!(row(&[cell("2"), cell("4"), cell("+2")].concat()));
    assert_eq!(page.matches("<div class=\"pair\">").count(), 2);
}

#[test]
fn files_have_plain_names() {
    let mut record = Record::new("mesh ../map", "");
    record.pictures = ["a b", "a/b", "ü", ""].map(|name| picture(name, None)).to_vec();
    let stems = ["3-mesh-map-a-b", "3-mesh-map-a-b-2", "3-mesh-map", "3-mesh-map-2"];
    assert_eq!(file_stems(3, &record, ""), stems);
    assert_eq!(file_stems(3, &record, "a")[0], "3-mesh-map-a-b-a");
}

#[test]
fn views_come_back_from_json() {
    let mut rounds =
        RoundsView::new([2, 1], Unit::Round, &[0, 1], &[0, 0], &[NONE, 0]).expect("a view");
    rounds.contract(1, 2, Contraction::Compress).expect("a vertex");
    rounds.send(2, 1, 0, MessageKind::Compress).expect("a message");
    let value = View::from(rounds.clone()).to_value();
    let expected = json!({
        "kind": "rounds", "columns": 2, "rows": 1, "unit": "round", "frames": 3, "x": [0, 1],
        "y": [0, 0], "parent": [-1, 0], "contracted": [-1, 2], "how": [0, 2],
        "kinds": ["rake", "compress", "uncontract"],
        "messages": [[[], [], []], [[], [], []], [[1], [0], [1]]]
    });
    assert_eq!(value, expected);
    assert_eq!(View::parse(&value), Ok(Some(View::Rounds(rounds))));
    let mut links = LinksView::new([1, 2], true, &[NONE, 4]).expect("a view");
    links.phase(&[1, 2, 3, 4, 5, 6, 7, 8]).expect("a phase");
    let value = View::from(links.clone()).to_value();
    let expected = json!({
        "kind": "links", "sides": [1, 2], "torus": true, "parts": [-1, 4], "phases": 1,
        "loads": [[1, 2, 3, 4, 5, 6, 7, 8]]
    });
    assert_eq!(value, expected);
    assert_eq!(View::parse(&value), Ok(Some(View::Links(links))));
    let mut queues = QueuesView::new([2, 1], 10).expect("a view");
    queues.frame(QueueFrame(vec![0, 11], vec![8, 1], vec![2, 0])).expect("a frame");
    let value = View::from(queues.clone()).to_value();
    let expected = json!({
        "kind": "queues", "columns": 2, "rows": 1, "cycles_per_frame": 10,
        "frames": [[[0, 11], [8, 1], [2, 0]]]
    });
    assert_eq!(value, expected);
    assert_eq!(View::parse(&value), Ok(Some(View::Queues(queues))));
}

#[test]
fn queues_that_do_not_fit_are_refused() {
    let good = json!({
        "kind": "queues", "columns": 2, "rows": 1, "cycles_per_frame": 10,
        "frames": [[[0, 11], [8, 1], [2, 0]]]
    });
    assert!(View::parse(&good).is_ok());
    for (key, value, words) in [
        ("columns", json!(0), "at least 1"),
        ("rows", json!(4000), "at most 4096 processors"),
        ("cycles_per_frame", json!(0), "at least 1"),
        ("frames", json!([[[12], [1], [1]]]), "links below 12"),
        ("frames", json!([[[1], [], [1]]]), "`frames: busy`"),
        ("frames", json!([[[1], [1], []]]), "`frames: waiting`"),
        ("frames", json!([[[1], [1]]]), "queues"),
        ("frames", json!(vec![vec![vec![0; 1 << 10]; 3]; 129]), "at most 131072 links"),
    ] {
        let mut bad = good.clone();
        bad[key] = value;
        let error = View::parse(&bad).expect_err(key).to_string();
        assert!(error.contains(words), "{key}: {error}");
    }
}

#[test]
fn views_that_do_not_fit_are_refused() {
    let good = json!({
        "kind": "rounds", "columns": 2, "rows": 1, "unit": "round", "frames": 1, "x": [0, 1],
        "y": [0, 0], "parent": [-1, 0], "contracted": [-1, 0], "how": [0, 1],
        "kinds": ["rake"], "messages": [[[1], [0], [0]]]
    });
    assert!(View::parse(&good).is_ok());
    for (key, value, words) in [
        ("x", json!([0, 2]), "2 columns"),
        ("y", json!([0]), "2 numbers in `y`"),
        ("parent", json!([-2, 0]), "-1 to 1 in `parent`"),
        ("parent", json!([-1, 2]), "found 2"),
        ("contracted", json!([-1, 1]), "-1 to 0 in `contracted`"),
        ("how", json!([0, 3]), "0, 1 or 2"),
        ("messages", json!([]), "1 numbers in `messages`"),
        ("messages", json!([[[1], [2], [0]]]), "below 2"),
        ("messages", json!([[[1], [0], [1]]]), "kinds below 1"),
        ("messages", json!([[[1], [], [0]]]), "`messages: to`"),
        ("unit", json!("year"), "unknown variant"),
        ("columns", json!(4_000_000_000u32), "cells"),
        ("frames", json!("many"), "invalid type"),
    ] {
        let mut bad = good.clone();
        bad[key] = value;
        let error = View::parse(&bad).expect_err(key).to_string();
        assert!(error.contains(words), "{key}: {error}");
    }
    let good = json!({"kind": "links", "sides": [1, 1], "torus": false, "parts": [0], "phases": 1, "loads": [[0, 0, 0, 0]]});
    assert!(View::parse(&good).is_ok());
    for (key, value, words) in [
        ("sides", json!([1, 1, 1]), "links"),
        ("sides", json!([0, 1]), "at least 1"),
        ("sides", json!([100, 100]), "at most 4096 processors"),
        ("parts", json!([-2]), "-1 or a part"),
        ("phases", json!(2), "2 lists in `loads`"),
        ("loads", json!([[1]]), "4 numbers"),
    ] {
        let mut bad = good.clone();
        bad[key] = value;
        let error = View::parse(&bad).expect_err(key).to_string();
        assert!(error.contains(words), "{key}: {error}");
    }
    assert!(RoundsView::new([1, 1], Unit::Round, &[0], &[0, 1], &[NONE]).is_err());
    assert!(LinksView::new([2, 2], false, &[0]).is_err());
}

#[test]
fn what_there_is_to_see_is_said_and_things_of_a_kind_are_a_table() {
    let mut record = Record::new("graph solve", "g.mtx");
    record.about = "Lines that fall. <b>Few</b> iterations are wanted.".to_string();
    let solver = |iterations: u32| serde_json::json!({"iterations": iterations, "residual": 1e-7, "error": null});
    record.figure("preconditioners", serde_json::json!({"none": solver(180), "tree": solver(41)}));
    record.figure("kept", serde_json::json!({"edges": {"tree": 9}}));
    record.figure("mixed", serde_json::json!({"a": {"x": 1}, "b": {"y": 2}}));
    let text = html(&[record]);
    assert!(text.contains("<p class=\"about\">Lines that fall. &lt;b&gt;Few&lt;/b&gt; iterations"));
    assert!(text.contains("<caption>preconditioners</caption>"));
    assert!(text.contains("iterations</th>") && !text.contains("error</th>"), "an empty column");
    assert!(!text.contains("preconditioners: none"), "no key per number");
    // What differs in its keys, or is alone, stays a row.
    assert!(text.contains("kept: edges: tree") && text.contains("mixed: a: x"));
}

#[test]
fn an_overview_opens_the_page() {
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"/>".to_string();
    let picture =
        Picture { name: "overview".into(), title: "All of it".into(), svg, ..Default::default() };
    let records = [Record::new("tree info", "a"), Record::new("tree info", "b")];
    let overview = Some(&picture);
    let page = ReportPage { title: "", overview, records: &records, compared: None };
    let text = page.to_html().expect("a page");
    let at = |words: &str| text.find(words).expect(words);
    assert!(at("All of it") < at("class=\"contents\"") && at("All of it") < at("<section"));
    let bad = Picture { svg: "no picture".into(), ..picture.clone() };
    let error = ReportPage { overview: Some(&bad), ..page }.to_html().unwrap_err();
    assert!(error.to_string().starts_with("overview: ") && error.record().is_none(), "{error}");
}
