//! Any bytes as a feeder of each format that is one file: no panic, and what is read is whole: it is
//! checked, its tables can be written, and cases of its loads are numbers.

use palmette_io::{FeederFormat, FeederParams, read_cases_bytes, read_feeder_bytes, write_tables};

pub(crate) fn check(data: &[u8]) {
    for format in FeederFormat::ALL {
        let params = FeederParams { format: Some(format), ..FeederParams::default() };
        let Ok(file) = read_feeder_bytes("fuzz", data, &params) else { continue };
        assert_eq!(file.feeder.check(), Ok(()));
        assert!(write_tables(&file.feeder).len() >= 3);
        if let Ok(cases) = read_cases_bytes("cases", b"all\n0.5\n", &file.feeder) {
            assert!(cases.powers.iter().all(|power| power.re.is_finite() && power.im.is_finite()));
        }
    }
}
