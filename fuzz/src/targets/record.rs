//! Any bytes as records: no panic, and what parses is a page, alone and beside itself, or an error
//! about one of its pictures. The page has no script but its own.

use palmette_core::Record;
use palmette_report::{Compared, PageError, ReportPage, Table, key_figures, notebook};

pub(crate) fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let records: Result<Vec<Record>, _> =
        serde_json::Deserializer::from_str(text).into_iter().collect();
    let Ok(records) = records else { return };
    for record in &records {
        let again: Record = serde_json::from_str(&record.to_json()).expect("what is written");
        assert_eq!(&again, record);
        let _ = (Table::of_record(record).to_string(), key_figures(record), notebook(record));
    }
    let compared = Some(Compared { records: &records, names: ["<a>", "b"] });
    for compared in [None, compared] {
        match (ReportPage { title: "<t>", overview: None, records: &records, compared }).to_html() {
            Ok(page) => {
                let views = page.matches("<script type=\"application/json\" class=\"view\">");
                assert_eq!(page.matches("<script").count(), 1 + views.count());
            }
            Err(error @ (PageError::Svg { .. } | PageError::View { .. })) => {
                assert!(error.record().is_some());
            }
            Err(error) => panic!("{error}"),
        }
    }
}
