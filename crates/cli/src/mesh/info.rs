//! `palmette mesh info`.

use super::files::drawable;
use super::options::InputOptions;
use crate::prelude::*;
use palmette::figures::MeshInfo;

#[derive(Debug, Args)]
#[command(mut_arg("svg", |argument| argument.help("Draw the mesh (a solid mesh by its surface)")))]
#[command(arg = not_in_place())]
pub(crate) struct Arguments {
    #[command(flatten)]
    pictures: PictureOptions,
    #[command(flatten)]
    input: InputOptions,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let files = arguments.input.files().draws(&arguments.pictures, "mesh");
    let mut session = Session::open("mesh info", files, run)?;
    let input = arguments.input.load(&mut session)?;
    let drawn = drawable(&session, &input, &["mesh"], false)?;
    let info = session.phase("compute", || MeshInfo::of(&input));
    session.figures(&info);
    let groups = info.groups();
    if !groups.is_empty() {
        let names: Vec<String> = groups.iter().map(|name| terminal::label(name)).collect();
        session.tell(MeshInfo::GROUPS, names.join(", "));
    }
    if drawn {
        show(&mut session, "mesh", None, || DrawnMesh::from(&input).picture())?;
    }
    session.finish()
}
