//! Any bytes after `#NEXUS`: no panic, and what parses is written and read back the same.

use palmette_io::Format;

pub(crate) fn check(data: &[u8]) {
    let mut file = b"#NEXUS\n".to_vec();
    file.extend_from_slice(data.strip_prefix(b"#NEXUS").unwrap_or(data));
    super::newick::both_ways(Format::Nexus, &file);
}
