//! `palmette tree generate`.

use crate::output::TreeText;
use crate::prelude::*;
use palmette::TreeFigures;
use palmette::core::generate::{GenerateParams, Shape, lengths};
use palmette::io::{AnnotationStyle, Format, TreeParts};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// random:N, path:N, caterpillar:N, star:N, perfect:N, binary:N, full-binary:N, bst:N,
    /// phylogeny:N, preferential:N, broom:N, double-broom:N, all of N vertices;
    /// profile:VERTICES:HEIGHT or profile:NAME.
    #[arg(value_name = "SHAPE", value_parser = Shape::with_size)]
    shape: (Shape, usize),
    /// Seed for every random choice.
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    seed: u64,
    /// Number the vertices randomly.
    #[arg(long)]
    shuffle: bool,
    /// Add random branch lengths.
    #[arg(long)]
    lengths: bool,
    /// Output tree; the extension decides the format, optionally gz or zst.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Output format, overriding the name (default on stdout: csv).
    #[arg(long, value_name = "FORMAT", value_parser = named::<Format>())]
    to: Option<Format>,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let &Arguments { shape: (shape, n), seed, shuffle, .. } = arguments;
    let name = match shape.vertices() {
        Some(_) => shape.to_string(),
        None => format!("{shape}:{n}"),
    };
    let kind = Kind::tree(arguments.to.is_some());
    let files = Files::made(&name).writes("-o", arguments.output.as_deref(), kind);
    let mut session = Session::open("tree generate", files, run)?;
    session
        .parameter("shape", name)
        .parameter("seed", seed)
        .parameter("shuffle", shuffle)
        .parameter("lengths", arguments.lengths);
    let parents = session
        .phase("compute", || GenerateParams { shape, n: Some(n), seed, shuffle }.generate())?;
    let lengths = arguments.lengths.then(|| lengths(&parents, seed));
    let tree = session.phase("build", || Tree::from_parents(&parents))?;
    TreeFigures::of(&tree).brief(&mut session.record);
    let labels = Labels::numbers(parents.len());
    let parts = TreeParts { lengths: lengths.as_deref(), ..TreeParts::new(&parents, &labels) };
    let text = TreeText { tree: &tree, parts, style: AnnotationStyle::None };
    text.write(&mut session, arguments.output.as_deref(), arguments.to)?;
    session.finish()
}
