//! Any bytes as PhyloXML: no panic, and what parses is written and read back the same.

use palmette_io::Format;

pub(crate) fn check(data: &[u8]) {
    super::newick::both_ways(Format::PhyloXml, data);
}
