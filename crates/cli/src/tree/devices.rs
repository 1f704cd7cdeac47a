//! `palmette tree devices`.

use crate::device;
use crate::prelude::*;

pub(crate) fn run(run: &RunOptions) -> Result<()> {
    let mut session = Session::open("tree devices", Files::default(), run)?;
    device::devices(&mut session)?;
    session.finish()
}
