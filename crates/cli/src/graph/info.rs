//! `palmette graph info`.

use super::options::{InputOptions, tell_found};
use crate::prelude::*;
use palmette::figures::GraphInfo;

#[derive(Debug, Args)]
#[command(mut_arg("svg", |argument| argument.help("Draw the sparsity pattern")))]
#[command(arg = not_in_place())]
pub(crate) struct Arguments {
    #[command(flatten)]
    pictures: PictureOptions,
    #[command(flatten)]
    input: InputOptions,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let files = Files::of(&arguments.input.file).draws(&arguments.pictures, "matrix");
    let mut session = Session::open("graph info", files, run)?;
    let file = arguments.input.load(&mut session)?;
    let info = session.phase("compute", || GraphInfo::of(&file));
    session.figures(&info);
    tell_found(&session, &file);
    show(&mut session, "matrix", None, || pictures::matrix(&file, None))?;
    session.finish()
}
