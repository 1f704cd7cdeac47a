//! The meaning of record keys, for the long help of each verb.

macro_rules! keys {
    ($($text:literal),* $(,)?) => { concat!("Result keys:\n", $("  ", $text, "\n"),*) };
}

pub(super) const INFO: &str = keys!(
    "nodes, edges       nodes, and pairs of nodes that share an element",
    "elements, kinds    number of elements, and their kinds",
    "dimension          2 or 3",
    "components         connected pieces; a node without an element counts as one",
    "smallest_edge, largest_edge        lengths of edges of elements",
    "smallest_element, largest_element  areas or volumes",
    "isolated           nodes that no element uses",
    "coincident         nodes at the same place as an earlier one, as on the faces of a crack",
    "merged             with --merge: nodes joined with an earlier one",
    "boundary           elements of lower dimension",
    "skipped_sections   sections of the file that a mesh does not need",
    "groups, format     names of physical groups, and the file's format",
);

pub(super) const GRAPH: &str = keys!(
    "vertices, edges    the size of the graph",
    "nodes, elements    the size of the mesh",
    "components         connected pieces",
    "max_degree         most neighbours of any vertex",
    "min_weight, max_weight       of edges",
    "left_out           pairs of nodes whose conductance is not positive",
);

pub(super) const GENERATE: &str = keys!("nodes, elements, dimension  the size of the mesh");

pub(super) const PARTITION: &str = keys!(
    "nodes, edges, elements       the size of the mesh",
    "parts              number of parts",
    "cut                weight of the edges between parts; with --elements, shared faces",
    "imbalance          how much heavier the heaviest part is than the mean: 0.03 is 3%; with",
    "                   --sizes, than its size",
    "smallest_part, largest_part  weights of parts; counts where all weigh 1",
    "components         connected pieces of all parts together",
    "copies             with --elements: copies of nodes beyond the first",
    "separator_size     with --separator: its number of nodes",
    "imbalances         where nodes have several weights: the imbalance of each",
    "fixed              with --fixed: nodes that are where they are fixed",
    "volume, largest_volume       with --objective: values that all parts send, most that one sends",
    "migrated, migrated_weight    with --from: nodes in another part than before, and their weight",
    "over_limit         with any of these or --sizes: weights of parts above what they may be",
);

pub(super) const ORDER: &str = keys!(
    "nodes, edges, elements       the size of the mesh",
    "method             nested-dissection or minimum-degree",
    "entries            of the Cholesky factor, with its diagonal",
    "operations         to make it: the sum of squares of the entries of its columns",
    "height             nodes on the longest path of the elimination tree",
    "first_separator    nodes of the separator that comes last",
    "separators         by level, the nodes of the largest separator",
);

pub(super) const PLACE: &str = keys!(
    "nodes to components          as mesh partition",
    "values             values that parts send to each other in a product",
    "hopsum             the sum of values times hops between processors",
    "dilation           most hops of any message",
);

pub(super) const ROUTE: &str = keys!(
    "nodes to dilation            as mesh place",
    "routed_hopsum      the sum of values times hops along the routes",
    "max_link_load      most values over a link in one direction",
    "max_link_load_at_least       lower bound on that for any routes, even split ones; where",
    "                   capacities differ, on max_link_time",
    "max_link_time      where capacities differ: most values over capacity of a link",
    "max_channels       most paths through a processor in one phase",
    "phases             static phases, one after another",
    "phases_at_least    lower bound on phases for any routes",
    "levels             on fat trees and hierarchies instead of these, from the root down: level,",
    "                   values that cross it, largest (the most of one group), capacity,",
    "                   time (largest over capacity)",
);

pub(super) const COMPILE: &str = keys!(
    "nodes, elements    the size of the mesh",
    "parts              number of parts: the ranks of the program",
    "smallest_part, largest_part  elements of a part",
    "messages, words    sent by all ranks in one assembly",
    "hopsum             the sum of nodes sent times hops between processors",
    "dilation to phases_at_least  as mesh route, with nodes for values; levels on a fat tree",
    "phases             phases of an assembly, one after another",
    "assemblies, reductions       of the program, outside its loops",
    "loops              of each: line, assemblies and reductions per iteration, without loops",
    "                   in it, and undelayed: assemblies if every product had one",
    "explain            with --explain: the intermediate form",
    "files, bytes       number and size of the files written",
);

pub(super) const RUN: &str = keys!(
    "nodes, elements    the size of the mesh",
    "parts, unknowns    of elements; nodes times components",
    "iterations         iterations of the loop that has most",
    "residual           last value that the program printed by that name",
    "messages_per_iteration, words_per_iteration  of that loop, between all parts",
    "exchanges, messages, words   of all assemblies",
    "reductions         sums over all parts",
    "loops              of each: line, text, times entered, iterations, how it ended (test, limit,",
    "                   never; nan: its test is not a number), both sides of its last test, and",
    "                   what it communicated",
    "printed            what the program printed, the last of each name",
    "not_finite         outputs with values that are not finite",
    "outputs            files in the folder of -o",
    "traffic            with --traffic: exchanges, messages and words by place and method",
    "explain            with --explain: the intermediate form",
);
