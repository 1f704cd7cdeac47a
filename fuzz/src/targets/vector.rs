//! Any bytes as vectors and points: no panic, and vectors that parse are written and
//! read back the same.

use palmette_io::{VectorFormat, read_points_bytes, read_vectors_bytes, write_vectors};

pub(crate) fn check(data: &[u8]) {
    for n in 0..4 {
        if let Ok(points) = read_points_bytes("fuzz", data, n) {
            assert!(points.len() == n && points.iter().flatten().all(|x| x.is_finite()));
        }
        let Ok(columns) = read_vectors_bytes("fuzz", data, n) else { continue };
        assert!(columns.iter().all(|column| column.len() == n));
        for format in [VectorFormat::MatrixMarket, VectorFormat::Npy, VectorFormat::Csv] {
            // A table holds one column, and nothing says how many columns of no numbers
            // there are.
            if n == 0 || (format == VectorFormat::Csv && columns.len() != 1) {
                continue;
            }
            let mut bytes = Vec::new();
            write_vectors(&mut bytes, format, &columns).expect("a vector takes all");
            let again =
                read_vectors_bytes("again", &bytes, n).expect("what is written can be read");
            assert_eq!(again, columns);
        }
    }
}
