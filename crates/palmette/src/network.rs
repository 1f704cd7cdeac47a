//! Graphs from files as electrical networks; errors use the names in the file.

use palmette_core::random::{Purpose, Random};
use palmette_graph::Laplacian;
use palmette_graph::mincut::MinCutError;
use palmette_graph::solve::{Augmented, SolveError, SolveParams, resistances};
use palmette_graph::sparsify::SparsifyError;
use palmette_io::{GraphFile, Potential};

/// Effective resistances between what [`GraphFile::query_labels`] numbers: vertices, or the nodes
/// of a netlist. There, voltage sources conduct without resistance and current sources not at all,
/// so that all nodes with a fixed potential are one. Cost and determinism as for [`resistances`].
///
/// ```
/// use palmette::{GraphReadParams, io::read_graph_bytes, node_resistances};
/// let netlist = b"* two in series from the pad\nv1 pad 0 1\nr1 pad a 2\nr2 a b 3\n";
/// let file = read_graph_bytes("grid.spice", netlist, &GraphReadParams::default())?;
/// let node = |name: &str| file.query(&file.query_labels(), name);
/// let pairs = [(node("pad")?, node("b")?), (node("a")?, node("0")?)];
/// assert_eq!(node_resistances(&file, &pairs, &Default::default())?, [5.0, 2.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`resistances`].
///
/// # Panics
/// When a pair names no node of the netlist.
pub fn node_resistances(
    file: &GraphFile,
    pairs: &[(u32, u32)],
    params: &SolveParams,
) -> Result<Vec<f64>, SolveError> {
    let laplacian = Laplacian::new(&file.graph, file.ground.as_deref());
    let Some(netlist) = &file.netlist else { return resistances(&laplacian, pairs, params) };
    // Ground is one more vertex here, so that pairs can name it.
    let augmented = Augmented::new(&laplacian)?;
    let ground = file.graph.len() as u32;
    let vertex = |node: u32| match netlist.places[node as usize] {
        Potential::Free { vertex, .. } => vertex,
        Potential::Fixed(_) => ground,
    };
    let moved: Vec<(u32, u32)> = pairs.iter().map(|&(a, b)| (vertex(a), vertex(b))).collect();
    if augmented.ground().is_none() {
        // All nodes are fixed, or there are none.
        return Ok(vec![0.0; pairs.len()]);
    }
    resistances(&Laplacian::new(augmented.graph(), None), &moved, params)
}

/// Random currents that a solver can take: uniform in [−½, ½), less their mean on each
/// floating component. The seed fixes them.
pub fn random_currents(laplacian: &Laplacian<'_>, seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed, Purpose::Vectors);
    let mut currents: Vec<f64> =
        (0..laplacian.graph().len()).map(|_| random.unit() - 0.5).collect();
    laplacian.balance(&mut currents);
    currents
}

/// An error about cuts of the graph of a file, with the file's name and vertices as it calls them.
pub fn explain_cut(file: &GraphFile, error: &MinCutError) -> String {
    let text = match *error {
        MinCutError::Same { vertex } => {
            let name = file.vertex_labels().get(vertex).into_owned();
            format!("a pair names vertex {name} twice; it cannot be separated from itself")
        }
        ref other => other.to_string(),
    };
    format!("{}: {text}", file.name)
}

/// An error about the graph of a file, with the file's name and vertices as it calls them.
pub fn explain(file: &GraphFile, mut error: SolveError) -> String {
    // Files count from 1; both vertices of a double cover are one row.
    let rows = file.rows();
    let vertex = match &mut error {
        SolveError::Current { vertex, .. }
        | SolveError::Ground { vertex, .. }
        | SolveError::Diagonal { vertex, .. }
        | SolveError::Overflow { vertex }
        | SolveError::Pivot { vertex } => {
            *vertex = *vertex % rows.max(1) + 1;
            Some(*vertex - 1)
        }
        SolveError::Sparsify(SparsifyError::Resistance { vertex }) => {
            *vertex += 1;
            Some(*vertex as usize - 1)
        }
        _ => None,
    };
    let node = file.netlist.as_ref().zip(vertex).and_then(|(netlist, vertex)| {
        let node = netlist.vertex_nodes().get(vertex).copied()?;
        Some(format!(", node `{}`", netlist.nodes.get(node)))
    });
    format!("{}{}: {error}", file.name, node.unwrap_or_default())
}
