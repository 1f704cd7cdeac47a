//! What two trees know of their vertices, as one list: the stock's of a graft, then the scion's.

use palmette_core::NONE;
use palmette_io::{Annotation, Column, TreeFile, Values};

/// The file of two trees that a graft joins: the stock's vertices, then the scion's, with the labels, supports,
/// columns and annotations of both. What one tree lacks, its vertices have none of: NaN in columns, which
/// become floats. Facts of the whole tree are the stock's.
pub fn both(stock: TreeFile, scion: &TreeFile) -> TreeFile {
    let labels = stock.labels.followed_by(&scion.labels);
    let (first, second) = (stock.labels.len(), scion.labels.len());
    let none = |n: usize| vec![f64::NAN; n];
    let mut file = TreeFile::new(stock.name, vec![NONE; first + second], labels);
    file.support = match (stock.support, &scion.support) {
        (None, None) => None,
        (one, other) => {
            let mut all = one.unwrap_or_else(|| none(first));
            all.extend(other.clone().unwrap_or_else(|| none(second)));
            Some(all)
        }
    };
    file.columns = columns(stock.columns, &scion.columns, first, second);
    file.annotations = annotations(&stock.annotations, &scion.annotations, first, second);
    file.comments = stock.comments + scion.comments;
    file.elements = [&stock.elements[..], &scion.elements].concat();
    file.unread = [&stock.unread[..], &scion.unread].concat();
    file.trees = stock.trees;
    file
}

fn columns(stock: Vec<Column>, scion: &[Column], first: usize, second: usize) -> Vec<Column> {
    let names: Vec<String> = stock.iter().map(|column| column.name.clone()).collect();
    let mut all: Vec<Column> = Vec::new();
    for Column { name, values } in stock {
        let other = scion.iter().find(|column| column.name == name);
        let values = match (values, other.map(|column| &column.values)) {
            (Values::I64(x), Some(Values::I64(y))) => Values::I64([&x[..], y].concat()),
            (Values::U64(x), Some(Values::U64(y))) => Values::U64([&x[..], y].concat()),
            (Values::F32(x), Some(Values::F32(y))) => Values::F32([&x[..], y].concat()),
            (x, y) => floats(Some(&x), first, y, second),
        };
        all.push(Column { name, values });
    }
    for Column { name, values } in scion.iter().filter(|column| !names.contains(&column.name)) {
        let values = floats(None, first, Some(values), second);
        all.push(Column { name: name.clone(), values });
    }
    all
}

fn floats(one: Option<&Values>, first: usize, other: Option<&Values>, second: usize) -> Values {
    let as_floats = |values: Option<&Values>, n: usize| -> Vec<f64> {
        match values {
            None => vec![f64::NAN; n],
            Some(Values::F64(x)) => x.clone(),
            Some(Values::I64(x)) => x.iter().map(|&x| x as f64).collect(),
            Some(Values::U64(x)) => x.iter().map(|&x| x as f64).collect(),
            Some(Values::F32(x)) => x.iter().map(|&x| x.into()).collect(),
        }
    };
    Values::F64([as_floats(one, first), as_floats(other, second)].concat())
}

fn annotations(
    stock: &[Annotation],
    scion: &[Annotation],
    first: usize,
    second: usize,
) -> Vec<Annotation> {
    let named = |of: &'_ [Annotation], name: &str| of.iter().position(|one| one.name == name);
    let more = scion.iter().filter(|one| named(stock, &one.name).is_none());
    let join = |one: &Annotation| {
        let texts = |of: &'_ [Annotation], n: usize| -> Vec<String> {
            let found = named(of, &one.name).map(|k| &of[k]);
            (0..n as u32).map(|v| found.map_or(String::new(), |one| one.get(v).into())).collect()
        };
        Annotation::new(one.name.clone(), [texts(stock, first), texts(scion, second)].concat())
    };
    stock.iter().chain(more).map(join).collect()
}
