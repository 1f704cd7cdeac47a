//! Pictures of results.

use palmette::pictures::waveforms;

/// A single sample is drawn wherever it stands among a hundred thousand.
#[test]
fn waveforms_keep_their_peaks() {
    let times: Vec<f64> = (0..100_000).map(|k| 1e-12 * f64::from(k)).collect();
    let drawn = |peak: Option<usize>| {
        let mut values = vec![1.0; times.len()];
        peak.into_iter().for_each(|k| values[k] = 0.5);
        waveforms("grid.spice", &times, &[("n1".to_string(), values)]).svg
    };
    let flat = drawn(None);
    for peak in [1, 101, 203, 50_000, 99_998, 99_999] {
        assert_ne!(drawn(Some(peak)), flat, "sample {peak}");
    }
}
