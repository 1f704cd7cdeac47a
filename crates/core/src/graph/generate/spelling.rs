//! Parsing and printing of graph shapes and weights, such as `grid:60x60` and `uniform:1:2`.

use super::{GraphShape, GraphShapeError, Weights};
use crate::named::UnknownName;
use std::fmt;
use std::str::FromStr;

impl FromStr for GraphShape {
    type Err = GraphShapeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || UnknownName::among_forms("shape", text, GraphShape::FORMS);
        let parts: Vec<&str> = text.split(':').collect();
        let count = |t: &str| t.parse::<usize>().map_err(|_| wrong());
        let degree = |t: &str| match t.parse::<f64>() {
            Ok(d) if d.is_finite() && d >= 0.0 => Ok(d),
            _ => Err(wrong()),
        };
        Ok(match *parts.as_slice() {
            ["grid", sides] => {
                let sides: Vec<usize> = sides.split('x').map(count).collect::<Result<_, _>>()?;
                match *sides.as_slice() {
                    [rows, columns] => GraphShape::Grid { rows, columns },
                    [x, y, z] => GraphShape::Cube { sides: [x, y, z] },
                    _ => return Err(wrong().into()),
                }
            }
            ["random", n, d] => GraphShape::Random { n: count(n)?, degree: degree(d)? },
            ["geometric", n, d] => GraphShape::Geometric { n: count(n)?, degree: degree(d)? },
            ["road", n] => GraphShape::Road { n: count(n)? },
            ["path", n] => GraphShape::Path { n: count(n)? },
            ["star", n] => GraphShape::Star { n: count(n)? },
            ["clique", n] => GraphShape::Clique { n: count(n)? },
            ["landscape", sides] => {
                let (rows, columns) = sides.split_once('x').ok_or_else(wrong)?;
                GraphShape::Landscape { rows: count(rows)?, columns: count(columns)? }
            }
            _ => return Err(wrong().into()),
        })
    }
}

impl fmt::Display for GraphShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            GraphShape::Grid { rows, columns } => write!(f, "grid:{rows}x{columns}"),
            GraphShape::Cube { sides: [x, y, z] } => write!(f, "grid:{x}x{y}x{z}"),
            GraphShape::Random { n, degree } => write!(f, "random:{n}:{degree}"),
            GraphShape::Geometric { n, degree } => write!(f, "geometric:{n}:{degree}"),
            GraphShape::Road { n } => write!(f, "road:{n}"),
            GraphShape::Path { n } => write!(f, "path:{n}"),
            GraphShape::Star { n } => write!(f, "star:{n}"),
            GraphShape::Clique { n } => write!(f, "clique:{n}"),
            GraphShape::Landscape { rows, columns } => write!(f, "landscape:{rows}x{columns}"),
        }
    }
}

impl FromStr for Weights {
    type Err = GraphShapeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || UnknownName::among_forms("weights", text, Weights::FORMS);
        let range = |low: &str, high: &str| {
            let low: f64 = low.parse().map_err(|_| wrong())?;
            let high: f64 = high.parse().map_err(|_| wrong())?;
            let fine = low.is_normal() && low > 0.0 && low <= high && high.is_finite();
            if fine { Ok((low, high)) } else { Err(wrong()) }
        };
        match *text.split(':').collect::<Vec<_>>().as_slice() {
            ["unit"] => Ok(Weights::Unit),
            ["uniform", low, high] => range(low, high).map(|(l, h)| Weights::Uniform(l, h)),
            ["log-uniform", low, high] => range(low, high).map(|(l, h)| Weights::LogUniform(l, h)),
            _ => Err(wrong()),
        }
        .map_err(GraphShapeError::from)
    }
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Weights::Unit => write!(f, "unit"),
            Weights::Uniform(low, high) => write!(f, "uniform:{low}:{high}"),
            Weights::LogUniform(low, high) => write!(f, "log-uniform:{low}:{high}"),
        }
    }
}
