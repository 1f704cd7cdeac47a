//! What the keys of records mean, as the long help of each verb says it.

macro_rules! keys {
    ($($text:literal),* $(,)?) => { concat!("Result keys:\n", $("  ", $text, "\n"),*) };
}

pub(super) const INFO: &str = keys!(
    "vertices, edges    nodes, and pairs of nodes that share an element",
    "elements, kinds    how many elements, and of which kinds",
    "dimension          2 or 3",
    "components         connected pieces; a node without element is one",
    "smallest_edge, largest_edge        lengths of edges of elements",
    "smallest_element, largest_element  areas or volumes",
    "isolated           nodes that no element uses",
    "coincident         nodes at the place of an earlier one, as on the faces of a crack",
    "merged             with --merge: nodes that were joined with an earlier one",
    "boundary           elements of lower dimension",
    "skipped_sections   sections of the file that hold nothing a mesh needs",
    "groups, format     names of physical groups, and the file's format",
);

pub(super) const GRAPH: &str = keys!(
    "vertices, edges    the size of the graph",
    "elements           the size of the mesh",
    "components         connected pieces",
    "max_degree         the most neighbours of a vertex",
    "min_weight, max_weight       of edges",
    "left_out           pairs of nodes whose conductance is not positive",
);

pub(super) const GENERATE: &str = keys!("vertices, elements, dimension  the size of the mesh");

pub(super) const PARTITION: &str = keys!(
    "vertices, edges, elements    the size of the mesh",
    "parts              how many",
    "cut                edges between parts, by weight; with --elements, shared faces",
    "imbalance          how much heavier than the mean the heaviest part is: 0.03 is 3%",
    "smallest_part, largest_part  weights of parts; counts where all weigh 1",
    "components         connected pieces of all parts together",
    "copies             with --elements: copies of nodes beyond the first",
    "separator          with --separator: its vertices",
);

pub(super) const PLACE: &str = keys!(
    "vertices to components       as mesh partition",
    "values             values that parts send to each other in a product",
    "hopsum             the sum of values times hops between processors",
    "dilation           the most hops of a message",
);

pub(super) const ROUTE: &str = keys!(
    "vertices to dilation         as mesh place",
    "routed_hopsum      the sum of values times hops along the routes",
    "max_link_load      the most values over a link, each way by itself",
    "max_channels       the most paths that touch a processor in a phase",
    "phases             static phases, one after another",
    "phases_at_least    no routes do with fewer",
    "levels             on a fat tree instead of the last five, from the root down: level,",
    "                   values that cross it, largest (the most of one group), capacity,",
    "                   time (largest over capacity)",
);

pub(super) const COMPILE: &str = keys!(
    "nodes, elements    the size of the mesh",
    "parts              how many: the ranks of the program",
    "smallest_part, largest_part  elements of a part",
    "messages, words    what all ranks send in an assembly",
    "hopsum             the sum of nodes sent times hops between processors",
    "dilation to phases_at_least  as mesh route, with nodes for values; levels on a fat tree",
    "phases             in which an assembly is sent, one after another",
    "assemblies, reductions       of the program, outside its loops",
    "loops              of each: line, assemblies and reductions an iteration without loops",
    "                   in it, and undelayed: assemblies with one for each product",
    "explain            with --explain: the intermediate form",
    "files, bytes       what was written",
);

pub(super) const RUN: &str = keys!(
    "nodes, elements    the size of the mesh",
    "parts, unknowns    of elements; nodes times components",
    "iterations         rounds of the loop that has most",
    "residual           what the program printed last by that name",
    "messages_per_iteration, words_per_iteration  of that loop, between all parts",
    "exchanges, messages, words   of all assemblies",
    "reductions         sums over all parts",
    "loops              of each: line, text, times entered, iterations, how it ended (test, limit,",
    "                   never; nan: its test has no number), both sides of its last test, and",
    "                   what it communicated",
    "printed            what the program printed, the last of each name",
    "not_finite         outputs that have values which are not finite",
    "outputs            files in the folder of -o",
    "traffic            with --traffic: exchanges, messages and words by place and way",
    "explain            with --explain: the intermediate form",
);
