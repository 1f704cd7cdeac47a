//! Completions and manual pages, made from the definition of the arguments.

use crate::arguments::Cli;
use crate::session::print;
use anyhow::anyhow;
use clap::CommandFactory;
use clap_complete::Shell;
use std::path::Path;

pub(crate) fn completions(shell: Shell) -> anyhow::Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "palmette", &mut text);
    Ok(print(&String::from_utf8_lossy(&text))?)
}

pub(crate) fn man(dir: Option<&Path>) -> anyhow::Result<()> {
    let Some(dir) = dir else {
        let mut text = Vec::new();
        clap_mangen::Man::new(Cli::command()).render(&mut text)?;
        return Ok(print(&String::from_utf8_lossy(&text))?);
    };
    let cannot =
        |error| anyhow!("{}: expected a directory that can be written: {error}", dir.display());
    std::fs::create_dir_all(dir).map_err(cannot)?;
    clap_mangen::generate_to(Cli::command(), dir).map_err(cannot)
}
