//! `palmette tree devices`.

use crate::arguments::RunOptions;
use crate::device;
use crate::session::Session;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) run: RunOptions,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut session = Session::new("tree devices", "", &arguments.run);
    device::devices(&mut session)?;
    Ok(session.finish()?)
}
