//! Where nodes of a grid lie: coordinates and layers, from their names or from a table.

use palmette_core::NONE;
use palmette_io::{IoError, Labels, NetlistFile, NumberTable, shown};

/// Coordinates and layers of nodes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlaneMap {
    /// By node, where it lies; NaN where that is not known.
    pub points: Vec<[f64; 2]>,
    /// By node, its layer, or [`NONE`].
    pub layers: Vec<u32>,
}

/// `n1_20_30` and `_X_n1_20_30`: layer 1 at (20, 30).
fn place(name: &str) -> Option<(u32, [f64; 2])> {
    let name = name.strip_prefix("_X_").unwrap_or(name);
    let mut parts = name.strip_prefix(['n', 'N'])?.split('_');
    let (layer, x, y) = (parts.next()?, parts.next()?, parts.next()?);
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if parts.next().is_some() || ![layer, x, y].iter().all(|text| is_number(text)) {
        return None;
    }
    Some((layer.parse().ok()?, [x.parse().ok()?, y.parse().ok()?]))
}

impl PlaneMap {
    /// From names.
    pub fn of_names(nodes: &Labels) -> PlaneMap {
        let places = (0..nodes.len() as u32).map(|node| place(&nodes.get(node)));
        let (layers, points) = places.map(|found| found.unwrap_or((NONE, [f64::NAN; 2]))).unzip();
        PlaneMap { points, layers }
    }

    /// From a table of nodes with the columns `x`, `y` and perhaps `layer`.
    ///
    /// # Errors
    /// When a column is another, or a row names no node or one that another row names.
    pub fn of_table(table: &NumberTable, netlist: &NetlistFile) -> Result<PlaneMap, IoError> {
        let nodes = &netlist.nodes;
        let wrong = |expected: &str, found: String| IoError::Table {
            file: table.file.clone(),
            expected: expected.to_string(),
            found,
        };
        let expected = "the columns node, x, y and perhaps layer";
        let column = |name: &str| table.columns.iter().position(|c| c.eq_ignore_ascii_case(name));
        let (Some(x), Some(y)) = (column("x"), column("y")) else {
            return Err(wrong(expected, shown(&table.columns.join(","))));
        };
        let layer = column("layer");
        if table.columns.len() != 2 + usize::from(layer.is_some()) {
            return Err(wrong(expected, shown(&table.columns.join(","))));
        }
        let mut map =
            PlaneMap { points: vec![[f64::NAN; 2]; nodes.len()], layers: vec![NONE; nodes.len()] };
        let mut seen = vec![false; nodes.len()];
        for row in 0..table.names.len() {
            let name = table.names.get(row as u32);
            let line = |expected: &str, found: String| IoError::Line {
                file: table.file.clone(),
                line: table.lines[row],
                expected: expected.to_string(),
                found,
            };
            let Some(node) = netlist.find_node(&name) else {
                return Err(line("a node of the netlist", shown(&name)));
            };
            if std::mem::replace(&mut seen[node as usize], true) {
                return Err(line("each node once", format!("{} again", shown(&name))));
            }
            let numbers = table.row(row);
            map.points[node as usize] = [numbers[x], numbers[y]];
            if let Some(number) = layer.map(|layer| numbers[layer]).filter(|l| !l.is_nan()) {
                if number < 0.0 || number.fract() != 0.0 || number >= f64::from(NONE) {
                    return Err(line("a whole number for the layer", number.to_string()));
                }
                map.layers[node as usize] = number as u32;
            }
        }
        Ok(map)
    }

    /// Whether a picture can be drawn: two nodes or more have coordinates.
    pub fn is_known(&self) -> bool {
        self.points.iter().filter(|point| !point[0].is_nan()).take(2).count() == 2
    }

    /// Whether any node has a layer.
    pub fn has_layers(&self) -> bool {
        self.layers.iter().any(|layer| *layer != NONE)
    }
}
