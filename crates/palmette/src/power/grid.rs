//! A chip's grid from a netlist: its operating point, scenarios and changes, in the netlist's words.

use super::{PlaneMap, PowerError};
use palmette_core::Circuit;
use palmette_core::circuit::{ElementKind, OperatingPoint, tie};
use palmette_graph::Laplacian;
use palmette_graph::solve::{Setup, Solution, SolveParams, Solver};
use palmette_io::{ALL_COLUMNS, IoError, NetlistFile, NumberTable, shown};
use palmette_power::drop::{self, Case, Change, Drop, Nets, Scenarios};
use std::collections::HashSet;

palmette_core::named! {
    /// What the numbers of a table of scenarios are.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum ScenarioValues("scenario values") {
        /// What currents of the netlist are multiplied by.
        #[default]
        Scale = "scale",
        /// Amperes, instead of those of the netlist.
        Current = "current",
    }
}

/// A change in the netlist's words.
#[derive(Debug, Clone, PartialEq)]
pub enum NamedChange {
    /// A resistor between two nodes.
    Add([String; 2], f64),
    /// Another resistance of a resistor.
    Set(String, f64),
    /// A voltage source less.
    RemovePad(String),
}

/// Options of [`PowerGrid::static_drop`].
#[derive(Debug, Clone, Default)]
pub struct DropParams {
    /// How systems are solved.
    pub solve: SolveParams,
    /// What is changed first, by updates of the solver.
    pub changes: Vec<NamedChange>,
    /// Amperes that no resistor, inductor or voltage source should carry more of.
    pub limit: Option<f64>,
    /// Elements with limits of their own: a table with one column, `limit`, in amperes.
    pub limits: Option<NumberTable>,
}

impl DropParams {
    /// The relative residual of voltages, where nobody says: drops are small beside voltages.
    pub const TOLERANCE: f64 = 1e-10;
}

/// A grid and what is known before anything is solved.
#[derive(Debug)]
pub struct PowerGrid {
    /// The netlist.
    pub file: NetlistFile,
    /// The equations of its operating point.
    pub point: OperatingPoint,
    /// Its nets.
    pub nets: Nets,
    /// Where its nodes lie.
    pub plane: PlaneMap,
}

/// The operating point of a grid.
#[derive(Debug, Clone)]
pub struct GridDrop {
    /// Voltages, drops, currents and powers.
    pub drop: Drop,
    /// The circuit that they are of: resistors that changes added come last.
    pub circuit: Circuit,
    /// By element, the amperes that it should carry at most, if limits were given; infinite without one.
    pub limits: Option<Vec<f64>>,
    /// Elements over their limits.
    pub over: Option<Vec<u32>>,
    /// The worst drop before the changes, and how many updates they were.
    pub before: Option<(f64, usize)>,
    /// What was made to solve.
    pub setup: Setup,
    /// How it was solved, without potentials.
    pub solution: Solution,
}

impl PowerGrid {
    /// The grid of a netlist, with coordinates from names of nodes such as `n1_20_30`.
    ///
    /// # Errors
    /// When the netlist has no operating point.
    pub fn new(file: NetlistFile) -> Result<PowerGrid, IoError> {
        let point = file.operating_point()?;
        let nets = Nets::of(&file.circuit, &point);
        let plane = PlaneMap::of_names(&file.nodes);
        Ok(PowerGrid { file, point, nets, plane })
    }

    /// Its operating point.
    ///
    /// # Errors
    /// When the system cannot be solved, or a change names what is not there.
    pub fn static_drop(&self, params: &DropParams) -> Result<GridDrop, IoError> {
        let laplacian = Laplacian::new(&self.point.graph, Some(&self.point.ground));
        let solver = Solver::new(&laplacian, &params.solve).map_err(|e| self.explain(e.into()))?;
        let solution = solver.solve(&self.point.currents());
        let mut solution = solution.map_err(|e| self.explain(e.into()))?;
        let x = std::mem::take(&mut solution.x);
        let circuit = &self.file.circuit;
        let mut drop = Drop::of(circuit, &self.point, &self.nets, &x);
        let (mut circuit, mut before) = (circuit.clone(), None);
        if !params.changes.is_empty() {
            let changes: Result<Vec<Change>, IoError> =
                params.changes.iter().map(|change| self.change(change)).collect();
            let found = drop::change(&circuit, &self.point, &solver, &changes?);
            let found = found.map_err(|error| self.explain(error))?;
            before = Some((drop.worst.map_or(0.0, |node| drop.drops[node as usize]), found.rank));
            circuit = found.circuit;
            let tied = tie(&circuit, true).map_err(|error| self.file.explain(&error))?;
            drop = Drop::at(&circuit, &tied, &self.nets, found.voltages);
        }
        let limits = self.limits(params, &circuit)?;
        let over = limits.as_ref().map(|limits| drop.over(limits));
        Ok(GridDrop { drop, circuit, limits, over, before, setup: *solver.setup(), solution })
    }

    /// The limits of all elements.
    fn limits(&self, params: &DropParams, circuit: &Circuit) -> Result<Option<Vec<f64>>, IoError> {
        if params.limit.is_none() && params.limits.is_none() {
            return Ok(None);
        }
        let same = params.limit.unwrap_or(f64::INFINITY);
        let of = |kind| if drop::is_limited(kind) { same } else { f64::INFINITY };
        let mut limits: Vec<f64> =
            circuit.elements.iter().map(|element| of(element.kind)).collect();
        let Some(table) = &params.limits else { return Ok(Some(limits)) };
        let [column] = &table.columns[..] else {
            let found = format!("{} columns of numbers", table.columns.len());
            return Err(in_header(table, "columns `element` and `limit`".to_string(), found));
        };
        if column != "limit" {
            let expected = "columns `element` and `limit`".to_string();
            return Err(in_header(table, expected, shown(column)));
        }
        // Names are the same in large and small letters, so that a table may name an element twice.
        let mut seen = HashSet::new();
        for (row, line) in (0..table.names.len()).zip(&table.lines) {
            let name = table.names.get(row as u32);
            let wrong = |expected: &str, found: String| IoError::Line {
                file: table.file.clone(),
                line: *line,
                expected: expected.to_string(),
                found,
            };
            let element = self.file.element(&name).ok();
            let kind = |k: u32| self.file.circuit.elements[k as usize].kind;
            let Some(element) = element.filter(|&k| drop::is_limited(kind(k))) else {
                let expected =
                    format!("a resistor, inductor or voltage source of {}", self.file.name);
                return Err(wrong(&expected, shown(&name)));
            };
            if !seen.insert(element) {
                return Err(wrong("each element once", format!("{} again", shown(&name))));
            }
            let amperes = table.row(row)[0];
            if amperes.is_nan() || amperes <= 0.0 {
                let found =
                    if amperes.is_nan() { "nothing".to_string() } else { amperes.to_string() };
                return Err(wrong("a positive number of amperes", found));
            }
            limits[element as usize] = amperes;
        }
        Ok(Some(limits))
    }

    /// Many loads, against one factor.
    ///
    /// # Errors
    /// When a column is no current source, or a system cannot be solved.
    pub fn scenarios(
        &self,
        table: &NumberTable,
        values: ScenarioValues,
        params: &SolveParams,
    ) -> Result<Scenarios, IoError> {
        let circuit = &self.file.circuit;
        let loads: Vec<u32> = (0..)
            .zip(&circuit.elements)
            .filter(|(_, element)| element.kind == ElementKind::Current)
            .map(|(k, _)| k)
            .collect();
        let columns: Result<Vec<Option<u32>>, IoError> =
            table.columns.iter().map(|name| self.load(table, name)).collect();
        let columns = columns?;
        let mut seen = HashSet::new();
        if let Some(k) = columns.iter().position(|column| !seen.insert(*column)) {
            let found = format!("{} again", shown(&table.columns[k]));
            return Err(in_header(table, "each source once".to_string(), found));
        }
        let amperes = |load: u32, number: f64| match values {
            ScenarioValues::Scale => (load, number * circuit.elements[load as usize].value),
            ScenarioValues::Current => (load, number),
        };
        let case = |k: usize| -> Case {
            let row = table.row(k);
            let mut case = Case::new();
            let given = || columns.iter().zip(row).filter(|(_, number)| !number.is_nan());
            let own: HashSet<u32> = given().filter_map(|(column, _)| *column).collect();
            for (column, &number) in given() {
                match column {
                    Some(load) => case.push(amperes(*load, number)),
                    // A source's own column comes before that of all.
                    None => {
                        let rest = loads.iter().filter(|&&load| !own.contains(&load));
                        case.extend(rest.map(|&load| amperes(load, number)));
                    }
                }
            }
            case
        };
        let laplacian = Laplacian::new(&self.point.graph, Some(&self.point.ground));
        let count = table.names.len();
        // One factor is worth its while for many cases, where it may not be for one.
        let params = SolveParams { right_hand_sides: count.max(1), ..params.clone() };
        let solver = Solver::new(&laplacian, &params).map_err(|e| self.explain(e.into()))?;
        drop::scenarios(circuit, &self.point, &self.nets, &solver, count, case)
            .map_err(|error| self.explain(error))
    }

    /// The current source that a column names; nothing for all.
    fn load(&self, table: &NumberTable, name: &str) -> Result<Option<u32>, IoError> {
        if name == ALL_COLUMNS {
            return Ok(None);
        }
        let is_load =
            |k: &u32| self.file.circuit.elements[*k as usize].kind == ElementKind::Current;
        let found = self.file.element(name).ok().filter(is_load);
        let expected =
            || format!("columns that are current sources of {}, `*` or `case`", self.file.name);
        found.map(Some).ok_or_else(|| in_header(table, expected(), shown(name)))
    }

    fn change(&self, change: &NamedChange) -> Result<Change, IoError> {
        Ok(match change {
            NamedChange::Add([a, b], ohms) => {
                Change::Add { ends: [self.file.node(a)?, self.file.node(b)?], ohms: *ohms }
            }
            NamedChange::Set(name, ohms) => {
                Change::Set { element: self.file.element(name)?, ohms: *ohms }
            }
            NamedChange::RemovePad(name) => Change::RemovePad { element: self.file.element(name)? },
        })
    }

    /// An error with the names of nodes and elements.
    pub fn explain(&self, error: PowerError) -> IoError {
        let element = |element: u32, expected: &str, what: &str| {
            let name = shown(&self.file.elements.get(element));
            self.file.at_element(element as usize, expected, format!("{name}, {what}"))
        };
        match error {
            PowerError::NotAResistor { element: k } => {
                element(k, "a resistor of more than 0 ohms to change", "which is none")
            }
            PowerError::NotAPad { element: k } => {
                element(k, "a voltage source that holds nodes, to remove", "which is none")
            }
            PowerError::StillHeld { element: k } => element(
                k,
                "a pad that holds nodes alone, to remove",
                "whose nodes others hold, too",
            ),
            PowerError::Loop { element: k } => {
                let what = "which closes a loop";
                element(k, "no loop of inductors and voltage sources", what)
            }
            PowerError::AtRemovedPad { node } => self.file.at_node(
                node,
                "changes elsewhere than at a removed pad",
                "which is at one",
            ),
            PowerError::Floats { node } => self.file.at_node(
                node,
                "a path from each node to ground",
                "which floats after this",
            ),
            PowerError::Initial { node, value } => {
                self.file.at_initial(node, value, "no `.ic` where sources hold a node")
            }
            PowerError::Circuit(error) => self.file.explain(&error),
            other => IoError::Table {
                file: self.file.name.clone(),
                expected: "a network that can be solved".to_string(),
                found: other.to_string(),
            },
        }
    }
}

/// An error about a column of a table.
fn in_header(table: &NumberTable, expected: String, found: String) -> IoError {
    let file = table.file.clone();
    match table.header {
        Some(line) => IoError::Line { file, line, expected, found },
        None => IoError::Table { file, expected, found },
    }
}
