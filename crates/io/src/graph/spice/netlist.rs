//! What a netlist holds, and the graph of its operating point.

use super::deck::Includes;
use super::{Folded, Place, Reader, is_ground, read};
use crate::IoError;
use crate::error::shown;
use crate::graph::{GraphCounts, GraphFile, GraphForm, GraphFormat};
use crate::index::Lookup;
use crate::labels::Labels;
use crate::limit::InputLimit;
use crate::source::{Source, name_of, plain, read_bytes_within};
use palmette_core::Circuit;
use palmette_core::circuit::{CircuitError, ElementKind, OperatingPoint, Potential, first_nodes};
use std::path::Path;
use std::sync::OnceLock;

/// `.tran`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TransientCard {
    /// Seconds between printed points.
    pub step: f64,
    /// The end.
    pub stop: f64,
    /// Nothing is printed before.
    pub start: f64,
    /// The largest step of the computation.
    pub largest: Option<f64>,
}

/// What `.print tran` asks for, by names.
#[derive(Debug, Clone, PartialEq)]
pub enum Probe {
    /// `v(node)` or `v(node,node)`.
    Voltage(Vec<String>),
    /// `i(element)`.
    Current(String),
}

/// A netlist: its circuit, and names and places of nodes and elements.
#[derive(Debug, Clone)]
pub struct NetlistFile {
    /// The first file's name, for messages.
    pub name: String,
    /// The circuit, without subcircuits.
    pub circuit: Circuit,
    /// The names of the nodes.
    pub nodes: Labels,
    /// The names of the elements.
    pub elements: Labels,
    /// `.tran`, if there is one.
    pub transient: Option<TransientCard>,
    /// `.print tran`.
    pub probes: Vec<Probe>,
    /// `.ic`: nodes and their voltages at the start of a transient.
    pub initial: Vec<(u32, f64)>,
    /// What was left out, in words.
    pub notes: Vec<String>,
    files: Vec<String>,
    node_places: Vec<Place>,
    element_places: Vec<Place>,
    initial_places: Vec<Place>,
    probe_places: Vec<Place>,
    /// To find nodes and elements in large or small letters.
    folded: [OnceLock<Folded>; 2],
}

/// The nodes of a netlist and the currents into its vertices.
#[derive(Debug, Clone, PartialEq)]
pub struct Netlist {
    /// The names of the nodes in the order of first appearance, ground among them if the
    /// netlist names it.
    pub nodes: Labels,
    /// By node, where its potential comes from.
    pub places: Vec<Potential>,
    /// By vertex, the right-hand side `b` of `(L + D) x = b`: the sum of the next two.
    pub currents: Vec<f64>,
    /// By vertex, what current sources put in; a load draws, and is negative.
    pub loads: Vec<f64>,
    /// By vertex, what voltage sources put in by way of resistors, were all vertices at 0 V.
    pub supplies: Vec<f64>,
    /// What elements it has.
    pub elements: NetlistElements,
    /// What was left out, in words.
    pub notes: Vec<String>,
}

/// The elements of a netlist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NetlistElements {
    /// Resistors, those of 0 ohms among them.
    pub resistors: usize,
    /// Capacitors.
    pub capacitors: usize,
    /// Inductors.
    pub inductors: usize,
    /// Voltage sources, those of 0 V among them.
    pub voltage_sources: usize,
    /// Current sources.
    pub current_sources: usize,
    /// Resistors of 0 ohms, sources of 0 V and inductors, whose ends are one node at the
    /// operating point.
    pub shorts: usize,
}

impl NetlistElements {
    /// The elements of a circuit.
    pub fn of(circuit: &Circuit) -> NetlistElements {
        let mut counts = NetlistElements::default();
        for element in &circuit.elements {
            let count = match element.kind {
                ElementKind::Resistor => &mut counts.resistors,
                ElementKind::Capacitor => &mut counts.capacitors,
                ElementKind::Inductor => &mut counts.inductors,
                ElementKind::Voltage => &mut counts.voltage_sources,
                ElementKind::Current => &mut counts.current_sources,
            };
            *count += 1;
            let is_short = match element.kind {
                ElementKind::Inductor => true,
                ElementKind::Resistor | ElementKind::Voltage => element.value == 0.0,
                _ => false,
            };
            counts.shorts += usize::from(is_short);
        }
        counts
    }
}

impl Netlist {
    /// The potentials of all nodes, in their order, from those of the vertices.
    ///
    /// # Panics
    /// If `x` does not have one number per vertex.
    pub fn potentials(&self, x: &[f64]) -> Vec<f64> {
        assert_eq!(x.len(), self.currents.len(), "a potential for each vertex");
        let potential = |place: &Potential| match *place {
            Potential::Free { vertex, offset } => x[vertex as usize] + offset,
            Potential::Fixed(value) => value,
        };
        self.places.iter().map(potential).collect()
    }

    /// By vertex, the node whose potential it has: the one that appears first.
    pub fn vertex_nodes(&self) -> Vec<u32> {
        first_nodes(&self.places)
    }
}

impl Reader<'_> {
    pub(super) fn finish(mut self) -> Result<NetlistFile, IoError> {
        self.circuit.nodes = self.names.len();
        let stated = std::mem::take(&mut self.settings.initial);
        let nodes = Labels::from_texts(
            std::mem::replace(&mut self.names, crate::names::Names::new()).into_texts(),
        );
        let elements = Labels::from_texts(self.element_names.into_texts());
        let (probe_places, probes) = self.settings.probes.into_iter().unzip();
        let mut file = NetlistFile {
            name: self.files[0].clone(),
            circuit: self.circuit,
            nodes,
            elements,
            transient: self.settings.transient,
            probes,
            initial: Vec::with_capacity(stated.len()),
            notes: self.notes,
            files: self.files,
            node_places: self.node_places,
            element_places: self.element_places,
            initial_places: Vec::with_capacity(stated.len()),
            probe_places,
            folded: Default::default(),
        };
        for (place, name, value) in stated {
            let Some(node) = file.find_node(&name) else {
                return Err(file.at(place, NODE, shown(&name)));
            };
            file.initial.push((node, value));
            file.initial_places.push(place);
        }
        Ok(file)
    }
}

/// What a name should be.
const NODE: &str = "a node of the netlist";
const ELEMENT: &str = "an element of the netlist";

impl NetlistFile {
    /// The equations of its operating point.
    ///
    /// # Errors
    /// When there is none; the error names file and line.
    pub fn operating_point(&self) -> Result<OperatingPoint, IoError> {
        OperatingPoint::new(&self.circuit).map_err(|error| self.explain(&error))
    }

    /// What is wrong with the circuit, in the netlist's words.
    pub fn explain(&self, error: &CircuitError) -> IoError {
        let sums = "finite sums at each node";
        let path = "a path of resistors, inductors or voltage sources from each node to ground";
        match *error {
            CircuitError::Conflict { element, value, known } => {
                let [a, b] =
                    self.circuit.elements[element].ends.map(|node| shown(&self.nodes.get(node)));
                let expected = format!("{a} at {known} V above {b}, as earlier sources say");
                self.at_element(element, expected, format!("{value} V"))
            }
            CircuitError::Voltage { node } => {
                self.at_node(node, "voltage sources with finite sums", "where they are infinite")
            }
            CircuitError::Sum { node } => self.at_node(node, sums, "where they are infinite"),
            CircuitError::Conductance { node } => {
                self.at_node(node, sums, "where conductances add up to infinity")
            }
            CircuitError::Floating { node } => self.at_node(node, path, "which floats"),
            _ => IoError::Table {
                file: self.name.clone(),
                expected: "fewer than 2^32 resistors".to_string(),
                found: "more".to_string(),
            },
        }
    }

    /// An error about a node, at the line where it appears first.
    pub fn at_node(&self, node: u32, expected: impl Into<String>, what: &str) -> IoError {
        let found = format!("node {}, {what}", shown(&self.nodes.get(node)));
        self.at(self.node_places[node as usize], expected, found)
    }

    /// An error at the line of an element.
    pub fn at_element(
        &self,
        element: usize,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> IoError {
        self.at(self.element_places[element], expected, found)
    }

    fn at(&self, place: Place, expected: impl Into<String>, found: impl Into<String>) -> IoError {
        let file = &self.files[place.file as usize];
        IoError::on_line(file, u64::from(place.line), expected, found)
    }

    /// An error about a voltage that `.ic` states, at the line of its card.
    pub fn at_initial(&self, node: u32, value: f64, expected: impl Into<String>) -> IoError {
        let what = format!("which `.ic` sets to {value} V");
        match self.initial.iter().position(|stated| *stated == (node, value)) {
            Some(k) => {
                let found = format!("node {}, {what}", shown(&self.nodes.get(node)));
                self.at(self.initial_places[k], expected, found)
            }
            None => self.at_node(node, expected, &what),
        }
    }

    /// An error about what is found on the card of a probe.
    pub fn at_probe(&self, probe: usize, error: IoError) -> IoError {
        match error {
            IoError::Table { expected, found, .. } => {
                self.at(self.probe_places[probe], expected, found)
            }
            other => other,
        }
    }

    /// The node of a name, in large or small letters.
    ///
    /// # Errors
    /// When there is none.
    pub fn node(&self, name: &str) -> Result<u32, IoError> {
        self.find_node(name).ok_or_else(|| self.missing(NODE, name))
    }

    /// The element of a name, in large or small letters.
    ///
    /// # Errors
    /// When there is none.
    pub fn element(&self, name: &str) -> Result<u32, IoError> {
        self.find(&self.elements, 1, name).ok_or_else(|| self.missing(ELEMENT, name))
    }

    /// The node of a name, if there is one.
    pub fn find_node(&self, name: &str) -> Option<u32> {
        match self.circuit.ground {
            Some(ground) if is_ground(name) => Some(ground),
            _ => self.find(&self.nodes, 0, name),
        }
    }

    fn find(&self, labels: &Labels, which: usize, name: &str) -> Option<u32> {
        match labels.find(name) {
            Lookup::Vertex(number) => Some(number),
            _ => self.folded[which].get_or_init(|| Folded::of(labels)).find(labels, name),
        }
    }

    fn missing(&self, expected: &str, name: &str) -> IoError {
        IoError::Table {
            file: self.name.clone(),
            expected: expected.to_string(),
            found: shown(name),
        }
    }
}

/// Reads a netlist, and the files that it includes. `-` is stdin; gzip and zstd are decompressed.
///
/// # Errors
/// When a file cannot be read, or says what is not known; the message names file and line.
pub fn read_netlist(path: impl AsRef<Path>) -> Result<NetlistFile, IoError> {
    read_netlist_within(path.as_ref(), InputLimit::default())
}

/// As [`read_netlist`], with a limit on the size of each file.
///
/// # Errors
/// As [`read_netlist`].
pub fn read_netlist_within(path: &Path, limit: InputLimit) -> Result<NetlistFile, IoError> {
    let (name, bytes) = (name_of(path), read_bytes_within(path, limit)?);
    read(&Source::new(&name, &bytes)?, Some(&Includes::beside(path, limit)))
}

/// As [`read_netlist`], from bytes that are already here. They cannot include files.
///
/// ```
/// let text = b"* a divider\nV1 top 0 3\nR1 top a 1k\nR2 a 0 {2*half}\n.param half=1k\n";
/// let file = palmette_io::read_netlist_bytes("divider.cir", text)?;
/// assert_eq!(file.circuit.elements[2].value, 2000.0);
/// # Ok::<(), palmette_io::IoError>(())
/// ```
///
/// # Errors
/// As [`read_netlist`].
pub fn read_netlist_bytes(name: &str, bytes: &[u8]) -> Result<NetlistFile, IoError> {
    let data = plain(name, bytes)?;
    read(&Source::new(name, &data)?, None)
}

impl Includes {
    /// Beside a file, or in the folder where we are.
    pub(crate) fn beside(path: &Path, limit: InputLimit) -> Includes {
        let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        Includes { folder, limit }
    }
}

/// The graph of the operating point of a netlist.
pub(crate) fn graph_file(
    source: &Source<'_>,
    includes: Option<&Includes>,
) -> Result<GraphFile, IoError> {
    let file = read(source, includes)?;
    let point = file.operating_point()?;
    let zeros =
        |e: &&palmette_core::circuit::Element| e.kind == ElementKind::Resistor && e.value == 0.0;
    let elements = &file.circuit.elements;
    let found = GraphCounts {
        entries: elements.len(),
        diagonal: point.inside,
        duplicates: point.parallel,
        tied: point.combined,
        zeros: elements.iter().filter(zeros).count(),
        constraints: 0,
    };
    let counts = NetlistElements::of(&file.circuit);
    let (format, form) = (GraphFormat::Spice, GraphForm::Netlist);
    let currents = point.currents();
    let OperatingPoint { tied, graph, ground, loads, supplies, .. } = point;
    let netlist = Netlist {
        nodes: file.nodes,
        places: tied.places,
        currents,
        loads,
        supplies,
        elements: counts,
        notes: file.notes,
    };
    let ground = ground.iter().any(|&g| g > 0.0).then_some(ground);
    let file = GraphFile::new(source.name, format, graph, form, found);
    Ok(GraphFile { ground, netlist: Some(netlist), ..file })
}
