//! Any text as a picture of somebody else: no panic, and what is left of it runs and fetches
//! nothing; cleaning it again changes nothing. (How it is drawn has thousands of hostile pictures of
//! its own, in `crates/report/src/png`: the rasteriser would be most of this build.)

use palmette_report::safe_svg;

pub(crate) fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    // What begins so gets a good start and end, so that what is inside is reached.
    let whole = match text.strip_prefix('~') {
        Some(inside) => format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{inside}</svg>"),
        None => text.to_string(),
    };
    let Ok(safe) = safe_svg(&whole) else { return };
    assert_eq!(safe_svg(&safe).as_ref(), Ok(&safe), "{whole}");
    let lower = safe.to_ascii_lowercase();
    for tag in ["<script", "<foreignobject", "<a", "<use", "<iframe", "<!", "<?", "<animate"] {
        let ends = |rest: &str| rest.starts_with([' ', '/', '>']) || tag.ends_with(['!', '?']);
        let found = lower.match_indices(tag).any(|(at, _)| ends(&lower[at + tag.len()..]));
        assert!(!found, "{tag} in {safe}");
    }
}
