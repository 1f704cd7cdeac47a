//! How wide text is. A picture does not know its reader's font, so widths are estimated a
//! little on the wide side.

/// The width of a text in pixels, at a font size.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(em).sum::<f64>() * size
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_cut() {
        assert_eq!(fit("Homo", 10.0, 100.0), "Homo");
        let cut = fit("Escherichia coli K-12", 10.0, 80.0);
        assert!(cut.ends_with('…') && width(&cut, 10.0) <= 80.0, "{cut}");
        assert_eq!(fit("abc", 10.0, 1.0), "…");
        assert_eq!(columns("a樹"), 3);
    }
}
