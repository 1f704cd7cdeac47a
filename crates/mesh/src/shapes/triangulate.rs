//! Delaunay triangulations of points in the plane, by `spade`.

use palmette_core::mesh::Point;
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

/// The triangles between points, counter-clockwise, that have all `edges` among their sides.
/// Points are distinct, and edges cross neither each other nor points.
pub(super) fn triangulate(points: &[Point], edges: &[[u32; 2]]) -> Vec<u32> {
    let vertices: Vec<Point2<f64>> = points.iter().map(|p| Point2::new(p[0], p[1])).collect();
    let edges = edges.iter().map(|e| e.map(|end| end as usize)).collect();
    let made = ConstrainedDelaunayTriangulation::<Point2<f64>>::bulk_load_cdt(vertices, edges)
        .expect("finite coordinates of moderate size");
    assert_eq!(made.num_vertices(), points.len(), "distinct points");
    made.inner_faces().flat_map(|f| f.vertices().map(|v| v.fix().index() as u32)).collect()
}
