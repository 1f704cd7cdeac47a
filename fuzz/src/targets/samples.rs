//! Any bytes as counts of samples: no panic, and what is read is in order.

use palmette_io::{Labels, TipSide, read_metadata_bytes, read_samples_bytes};

pub(crate) fn check(data: &[u8]) {
    let known = Labels::texts(["a", "b", "c"]);
    for side in [None, Some(TipSide::Rows), Some(TipSide::Columns)] {
        let Ok(table) = read_samples_bytes("fuzz", data, side, &known) else { continue };
        assert_eq!(table.starts.len(), table.samples.len() + 1);
        assert!(table.starts.is_sorted());
        assert_eq!(table.starts.last(), Some(&table.counts.len()));
        assert!(table.counts.iter().all(|count| count.is_finite() && *count > 0.0));
        assert!(table.entries.iter().all(|&tip| (tip as usize) < table.tips.len()));
        assert_eq!(table.find_tips(&known).len(), table.tips.len());
        let _ = read_metadata_bytes("fuzz", data, "S1", &table.samples);
    }
}
