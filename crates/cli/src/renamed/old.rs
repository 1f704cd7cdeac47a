//! The table of old spellings.

/// The start of the command, the old spelling, and the message, in which
/// `{option|default}` is what was typed after an option. Tests type every line.
pub(crate) const OLD: &[(&str, &str, &str)] = &[
    ("mesh", "shape", "`mesh shape` is now `mesh generate`"),
    (
        "mesh generate",
        "--mesh",
        "the C program comes from `mesh compile MESH --program PROGRAM`; `mesh generate SHAPE` \
         makes a mesh",
    ),
    ("mesh run", "--mesh", "the mesh comes first: `mesh run MESH --program PROGRAM`"),
    ("mesh compile", "--mesh", "the mesh comes first: `mesh compile MESH --program PROGRAM`"),
    ("tree generate", "--shape", SHAPE),
    ("tree generate", "--n", SHAPE),
    ("tree generate", "-n", SHAPE),
    (
        "tree leaffix",
        "--op weighted-depth",
        "depths are rootfixes: `tree rootfix --op depth --lengths`",
    ),
    ("tree path", "--op weighted-depth", "the length of a path is `--op sum --lengths`"),
    ("tree rootfix", "--op weighted-depth", "`--op weighted-depth` is now `--op depth --lengths`"),
    ("tree rootfix", "--values length", LENGTHS),
    ("tree leaffix", "--values length", LENGTHS),
    ("tree path", "--values length", LENGTHS),
    ("spatial treefix", "--values length", LENGTHS),
    ("spatial message", "--values length", LENGTHS),
    ("spatial trace", "--values length", LENGTHS),
    ("tree distance", "--weighted", "`--weighted` is now `--lengths`"),
    ("spatial layout", "--picture", PICTURE),
    ("spatial treefix", "--picture", PICTURE),
    ("spatial lca", "--picture", PICTURE),
    ("spatial treefix", "--direction leaf", "`--direction leaf` is now `--direction leaffix`"),
    ("spatial treefix", "--direction root", "`--direction root` is now `--direction rootfix`"),
    ("spatial trace", "--input-format", "`--input-format` is now `--format`"),
    ("spatial trace", "--format goal", "`--format goal` is now `--to goal`"),
    ("spatial trace", "--format perfetto", "`--format perfetto` is now `--to perfetto`"),
    ("graph sparsify", "--drawing", "`--drawing` is now `--svg` together with `--xyz`"),
    ("mesh partition", "--quotient-svg", "`--quotient-svg` is now `--svg DIR/`, for all pictures"),
    ("mesh partition", "--method", "`--method` is now `--bisection`"),
    ("mesh", "--method", "`--method` is now `--placement`"),
    ("mesh", "--cut-method", "`--cut-method` is now `--bisection`"),
    ("mesh", "--joint", "`--joint` is now `--placement joint`, the default"),
    ("graph sparsify", "--edges", "`--edges` is now `--budget`"),
    ("graph generate", "--xyz", "`--xyz` is now `--output-xyz`"),
    ("mesh generate", "--xyz", "`--xyz` is now `--output-xyz`"),
    ("mesh graph", "--points", "`--points` is now `--output-xyz`"),
    ("", "--out", "`--out` is now `-o`"),
    ("man", "--dir", "`--dir` is now `-o`"),
    ("mesh", "--coincident", "`--coincident` is gone: nodes may coincide; `--merge` joins them"),
];

const SHAPE: &str = "the shape comes first, with its size: `tree generate {shape|random}:{n|1000}`";
const PICTURE: &str = "`--picture` is now `--svg {picture|FILE}`; a name that ends in `/` is a folder for all pictures";
const LENGTHS: &str = "`--values length` is now `--lengths`; `column:length` is a column";
