//! A small writer of SVG.
//!
//! Shapes are appended to a body as they are drawn, later ones on top. Coordinates are
//! pixels from the top left, written with at most two decimals. A picture scales with its
//! container and names itself by `<title>` and `<desc>`. Its classes are its own as long as it is
//! embedded as an image; pasted into a page, they join the page's. A page with many pictures
//! holds their style once.

use std::fmt::Write;

use crate::colour::STYLE;

/// Where a text is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// At its beginning.
    Start,
    /// At its middle.
    Middle,
    /// At its end.
    End,
}

/// A picture being drawn.
#[derive(Debug, Clone)]
pub struct Svg {
    width: f64,
    height: f64,
    title: String,
    description: String,
    style: String,
    head: String,
    body: String,
    /// How far the body lies below where it was drawn; may be negative.
    down: f64,
}

impl Svg {
    /// An empty picture; the title and the description are read to those who cannot see it.
    pub fn new(width: f64, height: f64, title: &str, description: &str) -> Self {
        let (title, description) = (escape(title), escape(description));
        let (style, head, body) = Default::default();
        Svg { width, height, title, description, style, head, body, down: 0.0 }
    }

    /// Rules that follow the common style sheet, for classes only some pictures have.
    pub(crate) fn add_style(&mut self, rules: String) {
        self.style += &rules;
    }

    /// What was drawn up to here is the heading; what follows lies so many pixels lower than it is
    /// drawn.
    pub(crate) fn begin_body(&mut self, down: f64) {
        self.head = std::mem::take(&mut self.body);
        self.down = down;
    }

    /// A line between two points.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(decimal);
        self.push(format_args!(
            r#"<line class="{class}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#
        ));
    }

    /// Lines through points, in order.
    pub fn polyline(&mut self, points: &[(f64, f64)], class: &str) {
        self.points("polyline", points, class);
    }

    /// Lines of this width in pixels through points; `hint` is shown when the pointer rests on them.
    pub fn wide_line(&mut self, points: &[(f64, f64)], width: f64, class: &str, hint: &str) {
        let (width, data) = (decimal(width), through(points.iter().copied()));
        let head = format!(r#"path class="{class}" stroke-width="{width}" d="{data}""#);
        self.hinted("path", &head, hint);
    }

    /// A filled polygon.
    pub fn polygon(&mut self, points: &[(f64, f64)], class: &str) {
        self.points("polygon", points, class);
    }

    fn points(&mut self, element: &str, points: &[(f64, f64)], class: &str) {
        let list: Vec<String> =
            points.iter().map(|&(x, y)| format!("{},{}", decimal(x), decimal(y))).collect();
        self.push(format_args!(r#"<{element} class="{class}" points="{}"/>"#, list.join(" ")));
    }

    /// A path of SVG's own commands; `hint` is shown when the pointer rests on it.
    pub fn path(&mut self, data: &str, class: &str, hint: &str) {
        self.hinted("path", &format!(r#"path class="{class}" d="{data}""#), hint);
    }

    /// A rectangle from its top left; `hint` is shown when the pointer rests on it.
    pub fn rect(&mut self, corner: (f64, f64), size: (f64, f64), class: &str, hint: &str) {
        self.hinted("rect", &format!(r#"rect class="{class}" {}"#, place(corner, size)), hint);
    }

    /// A rectangle from its top left in a colour; `hint` is shown when the pointer rests on it.
    pub fn filled_rect(&mut self, corner: (f64, f64), size: (f64, f64), fill: &str, hint: &str) {
        self.hinted("rect", &format!(r#"rect fill="{fill}" {}"#, place(corner, size)), hint);
    }

    /// A disc; `fill` is a colour that overrides the class's.
    pub fn disc(&mut self, centre: (f64, f64), r: f64, class: &str, fill: &str, hint: &str) {
        let [x, y, r] = [centre.0, centre.1, r].map(decimal);
        let mut head = format!(r#"circle class="{class}" cx="{x}" cy="{y}" r="{r}""#);
        if !fill.is_empty() {
            let _ = write!(head, r#" fill="{fill}""#);
        }
        self.hinted("circle", &head, hint);
    }

    /// A text on its baseline; `hint` is shown when the pointer rests on it.
    pub fn text(&mut self, at: (f64, f64), anchor: Anchor, class: &str, text: &str, hint: &str) {
        let inside = escape(text) + &title_element(hint);
        self.text_element(at, anchor, class, &inside);
    }

    fn text_element(&mut self, at: (f64, f64), anchor: Anchor, class: &str, inside: &str) {
        let [x, y] = [at.0, at.1].map(decimal);
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
        };
        let class = if class.is_empty() { String::new() } else { format!(r#" class="{class}""#) };
        self.push(format_args!(r#"<text{class} x="{x}" y="{y}"{anchor}>{inside}</text>"#));
    }

    /// A text on its baseline, turned clockwise around where it is held by so many degrees.
    pub fn turned_text(
        &mut self,
        at: (f64, f64),
        degrees: f64,
        anchor: Anchor,
        class: &str,
        text: &str,
        hint: &str,
    ) {
        if degrees == 0.0 {
            return self.text(at, anchor, class, text, hint);
        }
        let [x, y, turn] = [at.0, at.1, degrees].map(decimal);
        self.push(format_args!(r#"<g transform="rotate({turn} {x} {y})">"#));
        self.text(at, anchor, class, text, hint);
        self.push(format_args!("</g>"));
    }

    /// A path of SVG's own commands whose `fill` or `stroke` is a colour; where that is empty, the
    /// class says it.
    pub fn painted(&mut self, data: &str, class: &str, what: &str, colour: &str, hint: &str) {
        let colour = match colour {
            "" => String::new(),
            colour => format!(r#" {what}="{colour}""#),
        };
        self.hinted("path", &format!(r#"path class="{class}"{colour} d="{data}""#), hint);
    }

    /// A power on its baseline, its exponent small but not smaller than can be read.
    pub fn power(&mut self, at: (f64, f64), anchor: Anchor, class: &str, base: u32, exponent: i32) {
        let raised = format!(r#"<tspan class="raised" dy="-5">{exponent}</tspan>"#);
        self.text_element(at, anchor, class, &format!("{base}{raised}"));
    }

    /// A rectangle with a colour that changes along its longer side, from the left or from the
    /// bottom, through evenly spaced stops.
    pub fn gradient(&mut self, corner: (f64, f64), size: (f64, f64), id: &str, stops: &[String]) {
        let up = r#" x1="0" y1="1" x2="0" y2="0""#;
        let direction = if size.1 > size.0 { up } else { "" };
        let last = stops.len().saturating_sub(1).max(1) as f64;
        let mut inside = String::new();
        for (i, colour) in stops.iter().enumerate() {
            let offset = decimal(i as f64 / last);
            let _ = write!(inside, r#"<stop offset="{offset}" stop-color="{colour}"/>"#);
        }
        self.push(format_args!(
            r#"<defs><linearGradient id="{id}"{direction}>{inside}</linearGradient></defs>"#
        ));
        let place = place(corner, size);
        self.push(format_args!(r#"<rect class="ring" {place} fill="url(#{id})"/>"#));
    }

    /// A raster image in a file of this form, stretched over a rectangle; its dots stay squares
    /// when the picture is enlarged.
    pub fn image(&mut self, corner: (f64, f64), size: (f64, f64), data: &str) {
        let place = place(corner, size);
        self.push(format_args!(
            r#"<image {place} preserveAspectRatio="none" style="image-rendering:pixelated" href="{data}"/>"#
        ));
    }

    fn hinted(&mut self, element: &str, head: &str, hint: &str) {
        if hint.is_empty() {
            self.push(format_args!("<{head}/>"));
        } else {
            self.push(format_args!("<{head}>{}</{element}>", title_element(hint)));
        }
    }

    fn push(&mut self, line: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.body, "{line}");
    }

    /// The whole picture.
    pub fn finish(self) -> String {
        let Svg { width, height, title, description, style, head, body, down } = self;
        let [w, h] = [width, height + down].map(decimal);
        let body = match down != 0.0 {
            true => format!("<g transform=\"translate(0 {})\">\n{body}</g>\n", decimal(down)),
            false => body,
        };
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" \
             viewBox=\"0 0 {w} {h}\" role=\"img\" aria-label=\"{title}\">\n\
             <title>{title}</title>\n<desc>{description}</desc>\n<style>\n{STYLE}{style}</style>\n\
             <rect class=\"ground\" x=\"0\" y=\"0\" width=\"{w}\" height=\"{h}\"/>\n{head}{body}</svg>\n"
        )
    }
}

/// A chart that [`Svg::finish`] wrote, as an element of a page that has the style sheets of
/// charts: without its own, which would be the page's, too.
pub(crate) fn within_page(svg: &str) -> String {
    let svg = svg.replacen(" xmlns=\"http://www.w3.org/2000/svg\"", "", 1);
    match (svg.find("<style>"), svg.find("</style>\n")) {
        (Some(from), Some(to)) if from < to => {
            format!("{}{}", &svg[..from], &svg[to + "</style>\n".len()..])
        }
        _ => svg,
    }
}

/// What a picture calls itself: its own title, not those of its parts.
pub fn title(svg: &str) -> Option<String> {
    let document = roxmltree::Document::parse(svg).ok()?;
    let mut children = document.root_element().children();
    let own = children.find(|node| node.tag_name().name() == "title")?;
    own.text().map(String::from)
}

/// The attributes of a rectangle.
fn place(corner: (f64, f64), size: (f64, f64)) -> String {
    let [x, y, w, h] = [corner.0, corner.1, size.0, size.1].map(decimal);
    format!(r#"x="{x}" y="{y}" width="{w}" height="{h}""#)
}

/// The commands of a path through points.
pub(crate) fn through(points: impl IntoIterator<Item = (f64, f64)>) -> String {
    let mut data = String::new();
    for (i, (x, y)) in points.into_iter().enumerate() {
        let letter = if i == 0 { 'M' } else { 'L' };
        let _ = write!(data, "{letter}{} {}", decimal(x), decimal(y));
    }
    data
}

fn title_element(hint: &str) -> String {
    if hint.is_empty() { String::new() } else { format!("<title>{}</title>", escape(hint)) }
}

/// Text that may stand in an element or an attribute. Characters that XML or HTML cannot hold
/// become `\u{fffd}`.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => {
                escaped.push('\u{fffd}')
            }
            _ => escaped.push(c),
        }
    }
    escaped
}

/// At most two decimals; what is not finite becomes 0, because one such number makes a
/// reader drop the whole shape.
pub(crate) fn decimal(value: f64) -> String {
    debug_assert!(value.is_finite(), "a coordinate is not finite");
    let value = if value.is_finite() { value } else { 0.0 };
    let text = format!("{value:.2}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".to_string() } else { short.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(
            escape("a<b & \"c\" 'd'\u{1}\n"),
            "a&lt;b &amp; &quot;c&quot; &#39;d&#39;\u{fffd} "
        );
        let mut svg = Svg::new(10.0, 10.0, "<t>", "a & b");
        svg.text((1.0, 2.5), Anchor::End, "tick", "x<y", "\"hint\"");
        let picture = svg.finish();
        let document = roxmltree::Document::parse(&picture).expect("well-formed");
        let text = document.descendants().find(|n| n.has_tag_name("text")).expect("a text");
        assert_eq!(text.text(), Some("x<y"));
        assert_eq!(text.attribute("y"), Some("2.5"));
        assert!(picture.contains("<title>&quot;hint&quot;</title>"));
    }

    #[test]
    fn decimals_are_short() {
        assert_eq!([1.0, 0.125, -0.001, 100.0].map(decimal), ["1", "0.12", "0", "100"]);
    }
}
