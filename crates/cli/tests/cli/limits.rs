//! Inputs that unpack to more than anybody wants.

use crate::{Place, TABLE, refused};
use std::io::{Read, Write};

/// So many bytes of one letter, packed.
fn packed(letter: u8, bytes: u64) -> [(&'static str, Vec<u8>); 2] {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    std::io::copy(&mut std::io::repeat(letter).take(bytes), &mut gzip).unwrap();
    // A frame with a window of 2 MB, then blocks that say one byte and how often it comes.
    const BLOCK: u64 = 1 << 17;
    let mut zstd = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58];
    for block in (0..bytes / BLOCK).rev() {
        let head = u32::from(block == 0) | 1 << 1 | (BLOCK as u32) << 3;
        zstd.extend(&head.to_le_bytes()[..3]);
        zstd.push(letter);
    }
    [("gz", gzip.finish().unwrap()), ("zst", zstd)]
}

#[test]
fn bombs_are_unpacked_up_to_the_limit() {
    for (ending, bytes) in packed(b'(', 300 << 20) {
        let name = format!("t.nwk.{ending}");
        let place = Place::new(&[(&name, &bytes)]);
        let words = &[&format!("{name}: input larger than 256 MB"), "--max-input SIZE"];
        refused(&place, &format!("tree info {name}"), &words.map(|word| word as &str));
        // The limit that is asked for is the only one.
        let line = format!("tree info {name} --max-input 1M");
        refused(&place, &line, &["input larger than 1 MB after unpacking"]);
    }
}

/// Every kind of input has the limit, and what fits is read as ever.
#[test]
fn all_inputs_have_the_limit() {
    let pairs = b"a,b\ncat,dog\n";
    let matrix = "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 1\n";
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(TABLE).unwrap();
    let place = Place::new(&[
        ("tree.csv", TABLE),
        ("tree.csv.gz", &gzip.finish().unwrap()),
        ("pairs.csv", pairs),
        ("g.mtx", matrix.as_bytes()),
        ("rhs.csv", b"1\n-1\n"),
        ("small.csv", b"0,\n1,0\n"),
    ]);
    place.stdout("mesh generate crack-plate:400 -o plate.msh");
    place.stdout("tree info tree.csv.gz --max-input 1k");
    for line in [
        "tree info tree.csv",
        "tree info tree.csv.gz",
        "tree lca small.csv --pairs pairs.csv",
        "tree leaffix small.csv --values file:tree.csv --op sum",
        "graph info g.mtx",
        "mesh info plate.msh",
        "mesh partition plate.msh --parts 2",
        "mesh run plate.msh --program plate.msh",
        "report tree.csv",
    ] {
        let words = &["input larger than", "pass --max-input SIZE"];
        refused(&place, &format!("{line} --max-input 10"), words);
    }
    let output = place.run_with("tree info - --format csv --max-input 10", TABLE);
    assert_eq!(output.status.code(), Some(2));
    for wrong in ["0", "many", "-1"] {
        refused(&place, &format!("tree info tree.csv --max-input={wrong}"), &["number of bytes"]);
    }
}

/// A program has a limit of its own, and is not unpacked beyond it.
#[test]
fn programs_are_unpacked_up_to_their_limit() {
    for (ending, bytes) in packed(b' ', 64 << 20) {
        let name = format!("p.pal.{ending}");
        let place = Place::new(&[(&name, &bytes)]);
        place.stdout("mesh generate crack-plate:400 -o plate.msh");
        let words = format!("{name}: more than 1048576 bytes of a program");
        refused(&place, &format!("mesh run plate.msh --program {name}"), &[&words]);
    }
}
