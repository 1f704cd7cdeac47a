//! Focal points, as several verbs take them.

use super::options::note_found;
use crate::limit::read_bytes;
use crate::prelude::*;
use palmette::{FocalRegions, read_focal_regions};

/// The focal points of a graph.
#[derive(Debug, Args)]
pub(crate) struct FocalOptions {
    /// Focal points: of a raster another one of the same shape, in which cells with the same positive
    /// number are a region, or lines of number, x and y; of other graphs lines of a vertex, or of the
    /// vertices of a region.
    #[arg(long, value_name = "FILE")]
    pub(crate) points: Option<PathBuf>,
    /// Leave out focal points on cells without data.
    #[arg(long, requires = "points")]
    skip_nodata: bool,
}

impl FocalOptions {
    /// Reads the focal points from a file.
    pub(crate) fn read(
        &self,
        session: &mut Session,
        path: &Path,
        file: &GraphFile,
    ) -> Result<FocalRegions> {
        if file.ground.is_some() || file.netlist.is_some() {
            bail!("{}: has conductances to ground; focal points are for graphs without", file.name);
        }
        session.parameter("points", name_of(path));
        let skip = self.skip_nodata;
        if skip {
            session.parameter("skip_nodata", true);
        }
        let name = name_of(path);
        let read = session.phase("read", || -> Result<FocalRegions> {
            Ok(read_focal_regions(file, &name, &read_bytes(path)?, skip)?)
        });
        let regions = read?;
        note_found(session, file);
        if regions.skipped > 0 {
            let empty = regions.vertices.iter().filter(|vertices| vertices.is_empty()).count();
            session.note(&format!(
                "{name}: focal cells without data, left out: {}; points without any cell: {empty}",
                regions.skipped
            ));
        }
        Ok(regions)
    }
}
