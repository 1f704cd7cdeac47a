//! A first look at a picture's text, before it is parsed.
//!
//! **Problem.** Parsers of XML compare the attributes of an element with each other, and copy
//! names of name spaces to the elements inside: a small text can keep them busy for minutes.
//!
//! **Method.** One pass from tag to tag. Comments, CDATA and instructions are skipped, quotes
//! are respected. Texts that are not XML pass: the parser reports what is wrong with them.
//!
//! **Cost.** Linear, no memory.

/// More attributes than any element of ours has, ten times over.
const MOST_ATTRIBUTES: usize = 256;
/// Mentions of name spaces in all tags.
const MOST_NAME_SPACES: usize = 1000;
/// What is no tag, from and to where.
const SKIPPED: [(&str, &str); 3] = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];

/// Refuses what would take a parser long: many attributes on one element, many name spaces,
/// elements more than `deepest` deep.
pub(super) fn check(text: &str, deepest: usize) -> Result<(), String> {
    let (mut depth, mut spaces) = (0_usize, 0_usize);
    let mut rest = text;
    while let Some(open) = rest.find('<') {
        rest = &rest[open..];
        if let Some((begin, end)) = SKIPPED.iter().find(|(begin, _)| rest.starts_with(begin)) {
            let Some(at) = rest[begin.len()..].find(end) else { return Ok(()) };
            rest = &rest[begin.len() + at + end.len()..];
            continue;
        }
        let (attributes, length) = tag(rest);
        if attributes > MOST_ATTRIBUTES {
            return Err(format!("an element with more than {MOST_ATTRIBUTES} attributes"));
        }
        let Some(length) = length else { return Ok(()) };
        let inside = &rest[..length];
        spaces += inside.matches("xmlns").count();
        if spaces > MOST_NAME_SPACES {
            return Err(format!("more than {MOST_NAME_SPACES} name spaces"));
        }
        if inside.starts_with("</") {
            depth = depth.saturating_sub(1);
        } else if !inside.ends_with("/>") {
            depth += 1;
        }
        // The root is at depth 0.
        if depth > deepest + 1 {
            return Err(format!("elements more than {deepest} deep"));
        }
        rest = &rest[length..];
    }
    Ok(())
}

/// How many attributes the tag at the start of a text has, one too many at most, and its length
/// if it ends.
fn tag(text: &str) -> (usize, Option<usize>) {
    let mut quote = None;
    let mut attributes = 0;
    for (at, byte) in text.bytes().enumerate() {
        match (byte, quote) {
            (b'"' | b'\'', None) => quote = Some(byte),
            (_, Some(open)) if open == byte => quote = None,
            (b'>', None) => return (attributes, Some(at + 1)),
            (b'=', None) => attributes += 1,
            _ => {}
        }
        if attributes > MOST_ATTRIBUTES {
            break;
        }
    }
    (attributes, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_parsers_long_is_refused() {
        let attributes = |n: usize| (0..n).map(|i| format!(" a{i}=\"x=>y\"")).collect::<String>();
        let check = |text: &str| check(text, 3);
        assert_eq!(check(&format!("<g{}/>", attributes(MOST_ATTRIBUTES))), Ok(()));
        assert!(check(&format!("<g{}/>", attributes(MOST_ATTRIBUTES + 1))).is_err());
        // Also where the tag never ends.
        assert!(check(&format!("<g{}", attributes(MOST_ATTRIBUTES + 1))).is_err());
        assert_eq!(check("<a><b><c><d/></c></b></a><a><b><c><d></d></c></b></a>"), Ok(()));
        assert!(check("<a><b><c><d><e/></d></c></b></a>").is_ok(), "closed at once");
        assert!(check("<a><b><c><d><e></e></d></c></b></a>").is_err());
        let spaces = "<g xmlns:x=\"u\"/>".repeat(MOST_NAME_SPACES);
        assert_eq!(check(&spaces), Ok(()));
        assert!(check(&(spaces + "<g xmlns:x=\"u\"/>")).is_err());
    }

    #[test]
    fn what_is_no_tag_is_not_counted() {
        let equals = "= <".repeat(MOST_ATTRIBUTES + 1);
        for text in [
            format!("<a><!-- {equals} --></a>"),
            format!("<a><![CDATA[{equals}]]></a>"),
            format!("<?xml {equals}?><a/>"),
            format!("<a>{}</a>", "= ".repeat(MOST_ATTRIBUTES + 1)),
            format!("<!-- {equals}"),
            String::new(),
        ] {
            assert_eq!(check(&text, 3), Ok(()), "{text}");
        }
    }
}
