//! `palmette tree devices`.

use crate::arguments::RunOptions;
use crate::device;
use crate::files::Files;
use crate::session::Session;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) run: RunOptions,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut session = Session::open("tree devices", Files::default(), &arguments.run)?;
    device::devices(&mut session)?;
    session.finish()
}
