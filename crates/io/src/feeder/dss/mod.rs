//! Scripts of OpenDSS: the part of the language that the IEEE feeders use.
//!
//! Read are circuits of `Circuit` (or `Vsource`), `Line`, `LineCode`, `Load`, `Transformer` of two
//! windings, `Capacitor` and `RegControl`; `redirect` and `compile` relative to the file, `~` and
//! `more`, `like=`, `edit`, `open`, `close`, comments, arrays, and calculations such as `(8 1000 /)`.
//! A property, an option or a command that is not known is an error with its file and line.
//!
//! **Fixed taps.** Regulators do not move: taps are those that the script sets, and a note says so.
//! **Loads keep their model** at any voltage; OpenDSS takes them as impedances outside `Vminpu` to
//! `Vmaxpu`. **Names** are in small letters, as OpenDSS prints them. A source feeds its bus through
//! its impedance from a bus of its own, `vsource.source`. Transformers or lines of single phases
//! between the same two buses become one, named `reg1+reg2`.

mod bus;
mod classes;
mod lines;
mod loads;
mod nominal;
mod options;
mod script;
mod tokens;
mod transformers;

use super::{FeederFile, FeederFormat};
use crate::IoError;
use crate::source::name_of;
use bus::Build;
use classes::Class;
use palmette_core::feeder::Feeder;
use script::Script;
use std::path::Path;

pub(crate) fn read(
    path: &Path,
    bytes: &[u8],
    load: &dyn Fn(&Path) -> Result<Vec<u8>, IoError>,
) -> Result<FeederFile, IoError> {
    let script = Script::run(path, bytes, load)?;
    let mut build = Build::new(&script);
    for object in &script.objects {
        if !build.enabled(object)? {
            continue;
        }
        match object.class {
            Class::Source => lines::source(&mut build, object)?,
            Class::Line => lines::line(&mut build, object)?,
            Class::Transformer => transformers::transformer(&mut build, object)?,
            Class::Load => loads::load(&mut build, object)?,
            Class::Capacitor => loads::capacitor(&mut build, object)?,
            Class::LineCode | Class::RegControl | Class::Silent => {}
        }
    }
    let notes = build.notes(&script);
    let (feeder, places) = build.finish()?;
    let feeder = Feeder::ThreePhase(Box::new(feeder));
    FeederFile::checked(&name_of(path), FeederFormat::OpenDss, feeder, places, notes)
}
