//! How wide text is. A picture does not know its reader's font, so widths are estimated a
//! little on the wide side.

use crate::inset::Rect;

/// The width of a text in pixels, at a font size.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(em).sum::<f64>() * size
}

/// The rectangle of a text that begins at this baseline.
pub(crate) fn area((left, baseline): (f64, f64), text: &str, size: f64) -> Rect {
    let low = (left, baseline - 0.76 * size);
    Rect { low, high: (left + width(text, size), baseline + 0.22 * size) }
}

fn em(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' => 0.36,
        'f' | 'r' | 't' | '(' | ')' | '[' | ']' | '-' | '/' => 0.43,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' => 1.0,
        'A'..='Z' => 0.74,
        c if is_wide(c) => 1.05,
        _ => 0.63,
    }
}

/// Characters that take two columns of a terminal: East Asian scripts and pictographs.
fn is_wide(c: char) -> bool {
    matches!(u32::from(c), 0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1faff | 0x20000..=0x3fffd)
}

/// The number of columns a text takes in a terminal.
pub(crate) fn columns(text: &str) -> usize {
    text.chars().map(|c| if is_wide(c) { 2 } else { 1 }).sum()
}

/// The text cut so that it fits, with `…` at its end if anything was cut.
pub(crate) fn fit(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.to_string();
    }
    let mut left = room - em('…') * size;
    let kept = text.chars().take_while(|&c| {
        left -= em(c) * size;
        left >= 0.0
    });
    let mut cut: String = kept.collect();
    cut.truncate(cut.trim_end().len());
    cut.push('…');
    cut
}

/// The text in lines that fit, at most so many; torn at ` · ` where that helps, otherwise between
/// words. What is left over is cut from the last line.
pub(crate) fn wrap(text: &str, size: f64, room: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        if width(rest, size) <= room || lines.len() + 1 >= most {
            lines.push(fit(rest, size, room));
            break;
        }
        let ends = |mark: &str| -> Option<usize> {
            let ends = rest.match_indices(mark).map(|(at, _)| at);
            ends.take_while(|&at| width(&rest[..at], size) <= room).last()
        };
        // A line that is torn at a mark is at least half full.
        let full = |at: &usize| width(&rest[..*at], size) >= room / 2.0;
        let Some(end) = ends(" · ").filter(full).or_else(|| ends(" ")) else {
            // A word that is longer than a line.
            lines.push(fit(rest, size, room));
            break;
        };
        lines.push(rest[..end].to_string());
        rest = rest[end..].trim_start().trim_start_matches("· ");
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_and_keep_all_words() {
        let words = "a torus of 8 by 8 processors · 64 parts · at most 20 per link";
        let lines = wrap(words, 12.0, 200.0, 4);
        assert!(
            lines.len() > 1 && lines.iter().all(|line| width(line, 12.0) <= 200.0),
            "{lines:?}"
        );
        assert_eq!(lines.join(" · "), words, "torn at the marks");
        assert_eq!(wrap("one two", 12.0, 45.0, 4), ["one", "two"]);
        assert_eq!(wrap("", 12.0, 45.0, 4), [""; 0]);
        let cut = wrap("one two three four", 12.0, 45.0, 2);
        assert!(cut.len() == 2 && cut[1].ends_with('…'), "{cut:?}");
        assert!(wrap("Pneumonoultramicroscopic", 12.0, 40.0, 3)[0].ends_with('…'));
    }

    #[test]
    fn long_text_is_cut() {
        assert_eq!(fit("Homo", 10.0, 100.0), "Homo");
        let cut = fit("Escherichia coli K-12", 10.0, 80.0);
        assert!(cut.ends_with('…') && width(&cut, 10.0) <= 80.0, "{cut}");
        assert_eq!(fit("abc", 10.0, 1.0), "…");
        assert_eq!(columns("a樹"), 3);
    }
}
