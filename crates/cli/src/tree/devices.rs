//! `palmette tree devices`.

use crate::arguments::RunOptions;
use crate::device;
use crate::files::Files;
use crate::session::Session;

pub(crate) fn run(run: &RunOptions) -> anyhow::Result<()> {
    let mut session = Session::open("tree devices", Files::default(), run)?;
    device::devices(&mut session)?;
    session.finish()
}
