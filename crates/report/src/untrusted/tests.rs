//! Pictures with something hidden in them.

use super::*;

fn picture(inside: &str) -> String {
    format!("<svg xmlns=\"{SVG}\" xmlns:xlink=\"{XLINK}\" width=\"9\" height=\"9\">{inside}</svg>")
}

#[test]
fn our_pictures_stay_as_they_are() {
    let mut svg = crate::svg::Svg::new(40.0, 30.0, "a <b> & \"c\"", "it's");
    svg.gradient((1.0, 2.0), (3.0, 4.0), "scale", &["#000".into(), "#fff".into()]);
    svg.rect((1.0, 2.0), (3.0, 4.0), "f0", "5 > 4 & so on");
    svg.image((0.0, 0.0), (9.0, 9.0), "data:image/png;base64,AAAA");
    let text = svg.finish();
    let safe = safe_svg(&text).expect("a picture");
    let [before, after] = [&text, &safe].map(|text| Document::parse(text).expect("XML"));
    let shape = |document: &Document<'_>| -> Vec<String> {
        let nodes = document.descendants().filter(Node::is_element);
        nodes
            .map(|n| {
                let attributes: Vec<_> = n.attributes().map(|a| (a.name(), a.value())).collect();
                let text = n
                    .text()
                    .unwrap_or("")
                    .replace(DARK_ON_SCREEN, "@media (prefers-color-scheme:dark)");
                format!("{} {attributes:?} {}", n.tag_name().name(), text.trim())
            })
            .collect()
    };
    assert_eq!(shape(&before), shape(&after));
    assert!(safe.contains(DARK_ON_SCREEN));
    assert_eq!(safe_svg(&safe), Ok(safe.clone()), "cleaning twice changes nothing");
}

#[test]
fn what_runs_or_fetches_is_left_out() {
    for inside in [
        "<script>alert(1)</script>",
        "<script xlink:href=\"data:text/javascript,alert(1)\"/>",
        "<foreignObject><body xmlns=\"http://www.w3.org/1999/xhtml\"><img src=\"x\" onerror=\"alert(1)\"/></body></foreignObject>",
        "<a href=\"javascript:alert(1)\"><text>x</text></a>",
        "<set attributeName=\"href\" to=\"javascript:alert(1)\"/>",
        "<animate attributeName=\"onclick\" values=\"alert(1)\"/>",
        "<h:script xmlns:h=\"http://www.w3.org/1999/xhtml\">alert(1)</h:script>",
        "<use href=\"#alert\"/><mask id=\"alert\"/><pattern id=\"alert\"/><clipPath id=\"alert\"/>",
        "<iframe src=\"javascript:alert(1)\"/>",
    ] {
        let safe = safe_svg(&picture(inside)).expect("a picture");
        assert!(!safe.contains("alert"), "{inside}: {safe}");
    }
    for attribute in [
        "onload=\"alert(1)\"",
        "ONCLICK=\"alert(1)\"",
        "xlink:href=\"http://example.org/\"",
        "href=\"//example.org/x.png\"",
        "href=\"data:image/svg+xml;base64,AAAA\"",
        "href=\" data:image/png;base64,AAAA\"",
        "xml:base=\"http://example.org/\"",
    ] {
        let safe = safe_svg(&picture(&format!("<image {attribute}/>"))).expect("a picture");
        assert!(safe.ends_with("<image/></svg>"), "{attribute}: {safe}");
    }
}

#[test]
fn text_cannot_leave_its_element() {
    let hidden = "&lt;/style&gt;&lt;script&gt;alert(1)&lt;/script&gt;";
    for element in ["style", "title", "text"] {
        let safe =
            safe_svg(&picture(&format!("<{element}>{hidden}</{element}>"))).expect("a picture");
        assert!(!safe.contains("<script"), "{safe}");
    }
    let nested = picture("<title><b>bold</b><script>x</script></title>");
    assert!(safe_svg(&nested).expect("a picture").contains("<title>boldx</title>"));
    let comment = picture("<style><!-- </style><script>alert(1)</script> --></style>");
    assert!(!safe_svg(&comment).expect("a picture").contains("alert"));
}

#[test]
fn styles_that_fetch_are_refused() {
    for style in [
        "@import 'x.css';",
        ".a{fill:url(http://example.org/#a)}",
        ".a{fill:url( \"//example.org\")}",
        ".a{background:\\75rl(x)}",
        ".a{background:image-set('x' 1x)}",
        ":host{inset:0}",
        "svg{position:fixed}",
    ] {
        assert!(safe_svg(&picture(&format!("<style>{style}</style>"))).is_err(), "{style}");
        let attribute = style.replace('"', "'");
        assert!(safe_svg(&picture(&format!("<g style=\"{attribute}\"/>"))).is_err(), "{style}");
    }
    assert!(safe_svg(&picture("<style>.a{fill:url(#g)}</style>")).is_ok());
}

#[test]
fn other_texts_are_refused() {
    for text in ["", "no XML", "<svg/>", "<html xmlns=\"http://www.w3.org/1999/xhtml\"/>", "<svg"] {
        assert!(safe_svg(text).is_err(), "{text}");
    }
    let bomb = "<!DOCTYPE svg [<!ENTITY a \"aaaa\">]><svg xmlns=\"http://www.w3.org/2000/svg\"><text>&a;</text></svg>";
    assert!(safe_svg(bomb).is_err());
    let deep = picture(&("<g>".repeat(500) + &"</g>".repeat(500)));
    assert!(safe_svg(&deep).expect_err("deep").to_string().contains("16 deep"));
}

/// A parser would compare all attributes with each other.
#[test]
fn many_attributes_are_refused_at_once() {
    let attributes: String = (0..200_000).map(|i| format!(" a{i}=\"1\"")).collect();
    let start = std::time::Instant::now();
    let error = safe_svg(&picture(&format!("<g{attributes}/>"))).expect_err("too many");
    assert!(error.to_string().contains("more than 256 attributes"), "{error}");
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

#[test]
fn cleaning_twice_changes_nothing() {
    for inside in ["<g><script/></g>", "<title></title>", "<text>a<!-- b -->c</text>", "<g> </g>"] {
        let once = safe_svg(&picture(inside)).expect("a picture");
        assert_eq!(safe_svg(&once).as_ref(), Ok(&once), "{inside}");
    }
    assert!(safe_svg(&picture("<g><script/></g>")).expect("a picture").contains("<g/>"));
}
