//! Slices of METIS graphs, of METIS meshes, and of the points of both.
//!
//! **Method.** As tables are cut ([`super::TableSlices`]): by bytes, a line belonging to the slice in
//! which it begins. A rank reads its lines, tells how many vertices it has lines for, and parses them when it
//! knows those of the ranks before.

use super::tables::{bytes_a_row, lines_of, source_on};
use super::{RowSlice, Share, SliceFile};
use crate::graph::metis::{Header, header, rows_of_slice, vertices_in};
use crate::mesh::metis::{elements_of_slice, header_of};
use crate::points::points_of;
use crate::source::{Source, line_at};
use crate::{GraphFormat, IoError, MeshFormat};
use std::path::Path;

/// Lists of consecutive vertices of a graph.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GraphRows {
    /// By vertex: where its neighbours begin; one more for the end.
    pub offsets: Vec<usize>,
    /// Neighbours, from 0.
    pub neighbours: Vec<u32>,
    /// By neighbour the weight of the edge; none where the file has none.
    pub edge_weights: Vec<f64>,
    /// By vertex its first weight; none where the file has none.
    pub weights: Vec<u64>,
}

/// A METIS graph, read in slices of its bytes.
pub struct GraphSlices {
    file: SliceFile,
    header: Header,
    row: f64,
}

impl GraphSlices {
    /// Opens a graph.
    ///
    /// # Errors
    /// When it cannot be read, or has no slices: other formats and compressed files.
    pub fn open(path: &Path) -> Result<GraphSlices, IoError> {
        let file = SliceFile::open(path)?;
        if GraphFormat::from_name(&file.name).is_some_and(|format| format != GraphFormat::Metis) {
            let found = "another format";
            return Err(file.wrong("a METIS graph, which slices can be read from", found));
        }
        let head = file.head()?;
        let source = Source::new(&file.name, &head)?;
        let mark = head.len() - source.bytes().len();
        let mut header = header(&source)?;
        header.body += mark;
        let row = bytes_a_row(&head[header.body.min(head.len())..]);
        Ok(GraphSlices { file, header, row })
    }

    /// The name of the file, for messages.
    pub fn name(&self) -> &str {
        &self.file.name
    }

    /// How many vertices the file says it has.
    pub fn vertices(&self) -> u64 {
        self.header.vertices as u64
    }

    /// About how many vertices a share has, before it is read.
    pub fn vertices_about(&self, share: Share) -> u64 {
        (self.bytes(share) as f64 / self.row).ceil() as u64
    }

    /// The bytes of a share.
    pub fn bytes(&self, share: Share) -> u64 {
        let bytes = share.of(self.file.bytes - self.header.body as u64);
        bytes.end - bytes.start
    }

    /// Reads the lines that begin in a share.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read(&self, share: Share) -> Result<RowSlice, IoError> {
        Ok(RowSlice { bytes: lines_of(&self.file, self.header.body as u64, share)? })
    }

    /// How many vertices some lines are for, were the file longer.
    pub fn lists(&self, slice: &RowSlice) -> u64 {
        vertices_in(&slice.bytes) as u64
    }

    /// Understands the lines of a slice, after those lines and vertices of other slices.
    ///
    /// # Errors
    /// When a line is not what it should be; the first of the slice, with its number.
    pub fn parse(
        &self,
        slice: &RowSlice,
        (lines_before, lists_before): (u64, u64),
    ) -> Result<GraphRows, IoError> {
        let line = self.header.line + 1 + lines_before;
        let first = lists_before.min(self.vertices()) as usize;
        let rows = source_on(&self.file.name, &slice.bytes, line).and_then(|source| {
            rows_of_slice(&source, &self.header, first).map_err(|error| shifted(error, line - 1))
        })?;
        let (offsets, neighbours) = (rows.offsets, rows.neighbours);
        Ok(GraphRows {
            offsets,
            neighbours,
            edge_weights: rows.edge_weights,
            weights: rows.weights,
        })
    }

    /// Checks what all slices have: lines, vertices, neighbours and loops among them.
    ///
    /// # Errors
    /// When the header says something else.
    pub fn check(
        &self,
        (lines, vertices): (u64, u64),
        (neighbours, loops): (u64, u64),
    ) -> Result<(), IoError> {
        if vertices < self.vertices() {
            let expected = format!("a line for each of {} vertices", self.vertices());
            let found = format!("the end after {vertices}");
            let line = self.header.line + lines;
            return Err(IoError::on_line(&self.file.name, line, expected, found));
        }
        self.header.check_edges(&self.file.name, neighbours, loops)
    }
}

/// Nodes of consecutive elements.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ElementRows {
    /// By element: where its nodes begin; one more for the end.
    pub offsets: Vec<usize>,
    /// Nodes, from 0.
    pub nodes: Vec<u32>,
}

/// A METIS mesh, read in slices of its bytes.
pub struct ElementSlices {
    file: SliceFile,
    elements: u64,
    weights: usize,
    body: u64,
    line: u64,
    row: f64,
}

impl ElementSlices {
    /// Opens a mesh.
    ///
    /// # Errors
    /// When it cannot be read, or has no slices: other formats and compressed files.
    pub fn open(path: &Path) -> Result<ElementSlices, IoError> {
        let file = SliceFile::open(path)?;
        let head = file.head()?;
        if MeshFormat::from_content(&file.name, &head)? != MeshFormat::Metis {
            let found = "another format (`palmette mesh graph` writes its graph)";
            return Err(file.wrong("a METIS mesh, which slices can be read from", found));
        }
        let (elements, weights, body) = header_of(&file.name, &head)?;
        let line = line_at(&head, body);
        let row = bytes_a_row(&head[body.min(head.len())..]);
        Ok(ElementSlices { file, elements, weights, body: body as u64, line, row })
    }

    /// The name of the file, for messages.
    pub fn name(&self) -> &str {
        &self.file.name
    }

    /// How many elements the file says it has.
    pub fn elements(&self) -> u64 {
        self.elements
    }

    /// About how many elements a share has, before it is read.
    pub fn elements_about(&self, share: Share) -> u64 {
        (self.bytes(share) as f64 / self.row).ceil() as u64
    }

    /// The bytes of a share.
    pub fn bytes(&self, share: Share) -> u64 {
        let bytes = share.of(self.file.bytes.saturating_sub(self.body));
        bytes.end - bytes.start
    }

    /// Reads the lines that begin in a share.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read(&self, share: Share) -> Result<RowSlice, IoError> {
        let begin = self.body.min(self.file.bytes);
        Ok(RowSlice { bytes: lines_of(&self.file, begin, share)? })
    }

    /// Understands the lines of a slice, after those lines of other slices; there are so many nodes.
    ///
    /// # Errors
    /// When a line is not what it should be; the first of the slice, with its number.
    pub fn parse(
        &self,
        slice: &RowSlice,
        lines_before: u64,
        nodes: u64,
    ) -> Result<ElementRows, IoError> {
        let line = self.line + lines_before;
        let rows = source_on(&self.file.name, &slice.bytes, line).and_then(|source| {
            let found = elements_of_slice(&source, self.weights, nodes);
            found.map_err(|error| shifted(error, line - 1))
        })?;
        Ok(ElementRows { offsets: rows.offsets, nodes: rows.nodes })
    }

    /// Checks what all slices have: lines and elements.
    ///
    /// # Errors
    /// When the header says something else.
    pub fn check(&self, lines: u64, elements: u64) -> Result<(), IoError> {
        if elements == self.elements {
            return Ok(());
        }
        let expected = format!("{} elements, as line {} says", self.elements, self.line - 1);
        let line = self.line + lines.saturating_sub(1);
        let found = match elements < self.elements {
            true => format!("the end after {elements}"),
            false => elements.to_string(),
        };
        Err(IoError::on_line(&self.file.name, line, expected, found))
    }
}

/// A file of points, read in slices of its bytes.
pub struct PointSlices {
    file: SliceFile,
}

impl PointSlices {
    /// Opens a file of points.
    ///
    /// # Errors
    /// When it cannot be read, or has no slices: it is compressed.
    pub fn open(path: &Path) -> Result<PointSlices, IoError> {
        Ok(PointSlices { file: SliceFile::open(path)? })
    }

    /// The name of the file, for messages.
    pub fn name(&self) -> &str {
        &self.file.name
    }

    /// Reads the lines that begin in a share.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read(&self, share: Share) -> Result<RowSlice, IoError> {
        Ok(RowSlice { bytes: lines_of(&self.file, 0, share)? })
    }

    /// The points of a slice, after those lines of other slices, and how many coordinates they have;
    /// 0 where there is none.
    ///
    /// # Errors
    /// When a line is not what it should be; the first of the slice, with its number.
    pub fn parse(
        &self,
        slice: &RowSlice,
        lines_before: u64,
    ) -> Result<(Vec<[f64; 3]>, usize), IoError> {
        let source = source_on(&self.file.name, &slice.bytes, 1 + lines_before)?;
        points_of(source, None).map_err(|error| shifted(error, lines_before))
    }

    /// The error about slices whose points have different numbers of coordinates, or about another number of
    /// points than is needed, after so many lines.
    pub fn wrong(&self, lines: u64, expected: String, found: String) -> IoError {
        IoError::on_line(&self.file.name, lines.max(1), expected, found)
    }
}

/// An error whose line comes so many lines later.
fn shifted(error: IoError, by: u64) -> IoError {
    match error {
        IoError::Line { file, line, expected, found } => {
            IoError::Line { file, line: line + by, expected, found }
        }
        other => other,
    }
}
