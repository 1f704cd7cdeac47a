//! Dirichlet conditions: unknowns with a given value at the nodes of a physical group.

use super::{FormError, Value, groups};
use palmette_core::Mesh;

/// `u = value` at the nodes of a physical group: of lines or faces on the boundary, of points,
/// or of elements.
///
/// ```
/// use palmette_mesh::element::{Fix, Value};
/// let all = Fix::new("left", 0.0);
/// let only_y = Fix::new("bottom", Value::function(|p| 0.1 * p[0])).component(1);
/// # let _ = (all, only_y);
/// ```
#[derive(Debug, Clone)]
pub struct Fix {
    /// The name of the group; its tag if it has none.
    pub group: String,
    /// The component, from 0; all of them if `None`.
    pub component: Option<usize>,
    /// What the component is.
    pub value: Value,
}

impl Fix {
    /// Fixes all components.
    pub fn new(group: impl Into<String>, value: impl Into<Value>) -> Fix {
        Fix { group: group.into(), component: None, value: value.into() }
    }

    /// Fixes one component only.
    pub fn component(mut self, component: usize) -> Fix {
        self.component = Some(component);
        self
    }
}

/// All fixed unknowns of a mesh. Made once; every submesh takes its own from it.
#[derive(Debug, Clone)]
pub struct Conditions {
    components: usize,
    nodes: Vec<u32>,
    /// By place in `nodes` and component; NaN for free ones.
    values: Vec<f64>,
}

impl Conditions {
    /// Nothing is fixed.
    ///
    /// # Errors
    /// No component, or more than three.
    pub fn none(components: usize) -> Result<Conditions, FormError> {
        match components {
            1..=3 => Ok(Conditions { components, nodes: Vec::new(), values: Vec::new() }),
            0 => Err(FormError::Count { what: "components per node", expected: 1, found: 0 }),
            found => Err(FormError::Count { what: "components per node", expected: 3, found }),
        }
    }

    /// The unknowns that are fixed when nodes have so many components. Where several conditions
    /// meet, the last one counts. Linear in the mesh for each condition.
    ///
    /// # Errors
    /// Groups that the mesh does not have or that are empty, components that nodes do not
    /// have, values that are not finite.
    pub fn new(mesh: &Mesh, components: usize, fixes: &[Fix]) -> Result<Conditions, FormError> {
        let mut all = Conditions::none(components)?;
        // By node: one more than its place, 0 for none.
        let mut next = vec![0u32; mesh.points().len()];
        for fix in fixes {
            let range = match fix.component {
                None => 0..components,
                Some(component) if component < components => component..component + 1,
                Some(component) => {
                    let group = fix.group.clone();
                    return Err(FormError::NoSuchComponent { group, component, components });
                }
            };
            let marks = groups::find(mesh, &fix.group)?;
            let mut empty = true;
            for (cells, cell) in groups::cells(mesh, &marks) {
                empty = false;
                for &node in cells.nodes(cell) {
                    let value = fix.value.at(mesh.points()[node as usize], "a fixed value")?;
                    let start = all.place(&mut next[node as usize], node) * components;
                    all.values[start + range.start..start + range.end].fill(value);
                }
            }
            if empty {
                return Err(FormError::EmptyGroup { name: fix.group.clone() });
            }
        }
        Ok(all)
    }

    /// Unknowns per node.
    pub fn components(&self) -> usize {
        self.components
    }

    /// Node, component and value of every fixed unknown.
    pub fn iter(&self) -> impl Iterator<Item = (u32, usize, f64)> {
        let values = self.values.chunks_exact(self.components);
        let rows = self.nodes.iter().zip(values);
        rows.flat_map(|(&node, row)| row.iter().enumerate().map(move |(c, &v)| (node, c, v)))
            .filter(|known| !known.2.is_nan())
    }

    /// The place of a node, which is made if it has none yet.
    fn place(&mut self, next: &mut u32, node: u32) -> usize {
        if *next == 0 {
            self.nodes.push(node);
            self.values.resize(self.values.len() + self.components, f64::NAN);
            *next = self.nodes.len() as u32;
        }
        *next as usize - 1
    }
}
