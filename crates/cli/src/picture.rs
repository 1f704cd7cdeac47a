//! Where pictures go.

use crate::session::Session;
use palmette::core::Picture;
use palmette_report::png::{self, RenderError};
use std::path::Path;

/// Scale of PNG files.
const SCALE: f32 = 2.0;

/// A picture as a PNG file.
pub(crate) fn to_png(svg: &str) -> Result<Vec<u8>, RenderError> {
    // What turns panics into errors says nothing on stderr; no other thread works meanwhile.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let file = png::render(svg, SCALE);
    std::panic::set_hook(hook);
    file
}

/// Draws the picture of a name if it is wanted: in files (`--svg`, `--png`, and `path` in a
/// folder of results), in the record for a report, or in both.
pub(crate) fn show(
    session: &mut Session,
    name: &str,
    path: Option<&Path>,
    draw: impl FnOnce() -> Picture,
) -> anyhow::Result<()> {
    if path.is_none() && !session.wants(name) {
        return Ok(());
    }
    let picture = session.phase("draw", draw);
    debug_assert_eq!(picture.name, name);
    keep(session, path, picture)
}

/// Keeps a picture that is drawn, where it is wanted.
pub(crate) fn keep(
    session: &mut Session,
    path: Option<&Path>,
    picture: Picture,
) -> anyhow::Result<()> {
    session.write_picture(&picture.name, &picture.svg)?;
    path.map_or(Ok(()), |path| session.write_text(path, &picture.svg))?;
    if session.keeps_pictures() {
        session.record.pictures.push(picture);
    }
    Ok(())
}
