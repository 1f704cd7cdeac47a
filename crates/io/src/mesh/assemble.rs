//! Assembles a mesh from the nodes and elements of a file, and reports errors at their places in
//! the file.

use super::coincident::{coincident_nodes, twins};
use super::origin::Origin;
use super::tags::Tags;
use super::{MeshCounts, MeshFile, MeshFormat, MeshReadParams};
use crate::IoError;
use palmette_core::mesh::{Cells, ElementKind, Group, Point};
use palmette_core::{MAX_VERTICES, Mesh, MeshError};

/// What a reader has found so far.
pub(super) struct Assembly<'a> {
    pub(super) origin: Origin<'a>,
    pub(super) points: Vec<Point>,
    pub(super) node_tags: Vec<u64>,
    /// Empty where the points come from another file.
    pub(super) node_places: Vec<usize>,
    /// Finds nodes by their tags; made when the first element comes after nodes.
    tags: Option<Tags>,
    pub(super) by_dimension: [Layer; 4],
    pub(super) groups: Vec<Group>,
    pub(super) skipped: usize,
    corners: Vec<u32>,
}

/// The elements of one dimension.
#[derive(Default)]
pub(super) struct Layer {
    pub(super) cells: Cells,
    pub(super) tags: Vec<u64>,
    pub(super) places: Vec<usize>,
}

impl<'a> Assembly<'a> {
    pub(super) fn new(origin: Origin<'a>) -> Assembly<'a> {
        Assembly {
            origin,
            points: Vec::new(),
            node_tags: Vec::new(),
            node_places: Vec::new(),
            tags: None,
            by_dimension: Default::default(),
            groups: Vec::new(),
            skipped: 0,
            corners: Vec::new(),
        }
    }

    /// Makes room for nodes; the number was checked against the file's length.
    pub(super) fn reserve_nodes(&mut self, count: usize) {
        self.points.reserve(count);
        self.node_tags.reserve(count);
        self.node_places.reserve(count);
    }

    pub(super) fn node(&mut self, place: usize, tag: u64, point: Point) {
        self.points.push(point);
        self.node_tags.push(tag);
        self.node_places.push(place);
        self.tags = None;
    }

    /// Takes points that the file does not have; their numbers are 1, 2, 3, ….
    pub(super) fn points_of_another_file(&mut self, points: &[Point]) {
        self.points = points.to_vec();
        self.node_tags = (1..=points.len() as u64).collect();
        self.tags = None;
    }

    pub(super) fn nodes(&self) -> usize {
        self.points.len()
    }

    /// Gets ready for elements: all nodes they may name are here.
    pub(super) fn index_nodes(&mut self) -> Result<(), IoError> {
        if self.points.len() > MAX_VERTICES {
            let expected = format!("at most {MAX_VERTICES} nodes");
            return Err(self.origin.wrong(0, expected, self.points.len().to_string()));
        }
        if self.tags.is_none() {
            let twice = |(first, second): (usize, usize)| {
                let found = format!(
                    "{} again, already used in {}",
                    self.node_tags[second],
                    self.origin.place(self.node_places[first])
                );
                self.origin.wrong(self.node_places[second], "a number not used before", found)
            };
            self.tags = Some(Tags::new(&self.node_tags).map_err(twice)?);
        }
        Ok(())
    }

    /// Takes an element whose nodes are the next `kind.nodes()` numbers that `next` gives.
    #[inline]
    pub(super) fn element(
        &mut self,
        (place, tag, group): (usize, u64, i32),
        kind: ElementKind,
        mut next: impl FnMut() -> Result<(usize, u64), IoError>,
    ) -> Result<(), IoError> {
        self.corners.clear();
        for _ in 0..kind.nodes() {
            let (at, node) = next()?;
            match self.tags.as_ref().and_then(|tags| tags.find(node)) {
                Some(node) => self.corners.push(node),
                None => {
                    let found = format!("node {node}, which does not exist");
                    let expected = format!("the nodes of element {tag}, a {kind}");
                    return Err(self.origin.wrong(at, expected, found));
                }
            }
        }
        let layer = &mut self.by_dimension[usize::from(kind.dimension())];
        layer.cells.push(kind, &self.corners, group);
        layer.tags.push(tag);
        layer.places.push(place);
        Ok(())
    }

    /// The whole mesh.
    pub(super) fn finish(
        mut self,
        format: MeshFormat,
        params: &MeshReadParams,
    ) -> Result<MeshFile, IoError> {
        self.index_nodes()?;
        let highest = (0..4).rev().find(|&d| !self.by_dimension[d].cells.is_empty());
        if highest.is_none_or(|dimension| dimension < 2) {
            let found = ["none", "only points", "only lines and points"];
            let found = found[highest.map_or(0, |dimension| dimension + 1)];
            let expected = "elements of dimension 2 or 3";
            return Err(self.origin.wrong(self.origin.end(), expected, found));
        }
        let skipped = self.skipped;
        let found = if params.merge {
            let merged = self.merge(&twins(&self.points))?;
            MeshCounts { merged, skipped, ..MeshCounts::default() }
        } else {
            let coincident = coincident_nodes(&self.points);
            MeshCounts { coincident, skipped, ..MeshCounts::default() }
        };
        let dimension = highest.unwrap_or(0);
        let top = std::mem::take(&mut self.by_dimension[dimension]);
        let mut boundary = Layer::default();
        for layer in self.by_dimension[..dimension].iter().rev() {
            boundary.cells.append(&layer.cells);
            boundary.tags.extend_from_slice(&layer.tags);
            boundary.places.extend_from_slice(&layer.places);
        }
        let found =
            MeshCounts { elements: top.cells.len(), boundary: boundary.cells.len(), ..found };
        let origin = self.origin;
        let mesh = Mesh::new(self.points, top.cells)
            .map_err(|error| no_mesh(&origin, error, &top.tags, &top.places, &self.node_tags))?
            .with_groups(boundary.cells, self.groups)
            .map_err(|e| no_mesh(&origin, e, &boundary.tags, &boundary.places, &self.node_tags))?;
        let mut used = vec![false; mesh.points().len()];
        mesh.elements().all_nodes().iter().for_each(|&node| used[node as usize] = true);
        let isolated = used.iter().filter(|used| !**used).count();
        let plain = self.node_tags.iter().zip(1..).all(|(&tag, i)| tag == i);
        Ok(MeshFile {
            name: origin.name.to_string(),
            format,
            mesh,
            tags: (!plain).then_some(self.node_tags),
            found: MeshCounts { isolated, ..found },
        })
    }
}

/// What is wrong with a mesh, in the file's words.
#[cold]
fn no_mesh(
    origin: &Origin<'_>,
    error: MeshError,
    tags: &[u64],
    places: &[usize],
    nodes: &[u64],
) -> IoError {
    let element = |element: usize| (places[element], tags[element]);
    match error {
        MeshError::NodeTwice { element: e, node } => {
            let (at, tag) = element(e);
            let found = format!("element {tag}, which names node {} twice", nodes[node as usize]);
            origin.wrong(at, "elements of distinct nodes", found)
        }
        MeshError::Flat { element: e, kind, measure, value } => {
            let (at, tag) = element(e);
            let found = format!("element {tag}, a {kind} of {measure} {value:e}");
            let expected = format!("elements with a finite {measure} that is not 0");
            origin.wrong(at, expected, found)
        }
        other => origin.wrong(0, "a mesh", other.to_string()),
    }
}
