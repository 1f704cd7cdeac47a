//! Completions and manual pages, made from the definition of the arguments.

use crate::arguments::Cli;
use crate::files::{Files, Writer};
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use std::path::Path;

pub(crate) fn completions(shell: Shell) -> anyhow::Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "palmette", &mut text);
    printed(&text)
}

pub(crate) fn man(dir: Option<&Path>) -> anyhow::Result<()> {
    let Some(dir) = dir else {
        return printed(&page(&Man::new(Cli::command()))?);
    };
    let files = Files::default().writes_into("-o", Some(dir));
    let mut writer = Writer::new(files, false, false)?;
    writer.make_folder(dir)?;
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    write_pages(&mut writer, dir, command)?;
    writer.commit()
}

/// Writes the pages of a command and of all below it.
fn write_pages(writer: &mut Writer, dir: &Path, command: Command) -> anyhow::Result<()> {
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        write_pages(writer, dir, below.clone())?;
    }
    let man = Man::new(command);
    let text = page(&man)?;
    let write = |out: &mut _| std::io::Write::write_all(out, &text);
    writer.write(&dir.join(man.get_filename()), |out| Ok(out.write_with(write)?)).map(drop)
}

fn page(man: &Man) -> anyhow::Result<Vec<u8>> {
    let mut text = Vec::new();
    man.render(&mut text)?;
    Ok(text)
}

fn printed(text: &[u8]) -> anyhow::Result<()> {
    let mut writer = Writer::default();
    writer.print(&String::from_utf8_lossy(text))?;
    writer.commit()
}
