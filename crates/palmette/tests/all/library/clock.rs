//! Tables of dates.

use palmette::Labels;
use palmette::phylogeny::read_dates;

#[test]
fn dates_of_wide_tables() {
    let labels = Labels::texts(["a", "b, c", "d"]);
    let read = |text: &str| read_dates("dates", text, &labels, false);
    let wide = "place,name,date\n\"x, y\",a,2000\nz,\"b, c\",2001-07-02\nz,d,\n";
    let (dates, unknown) = read(wide).unwrap();
    assert_eq!((dates.len(), unknown), (2, 0));
    assert_eq!(dates[0], (0, 2000.0));
    let first = read("strain\tdate\tplace\na\t2000\tx\n").unwrap().0;
    assert_eq!(first, [(0, 2000.0)]);
    // Two columns, with or without a header; a name may have commas.
    assert_eq!(read("b, c,2000\n").unwrap().0, [(1, 2000.0)]);
    let short = read("name,date,place\na,2000\n").unwrap_err();
    assert_eq!(short.to_string(), "dates, line 2: expected a name and a date, found `a,2000`");
    assert!(read("name,place,date\na,x,soon\n").is_err());
}
