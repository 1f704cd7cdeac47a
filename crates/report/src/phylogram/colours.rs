//! Colours of branches: a scale, or classes.

use super::BranchColours;
use crate::board::keys::{Keys, Sign};
use crate::colour;
use crate::dendrogram::legend::ValueColours;
use crate::svg::Svg;
use palmette_core::NONE;

/// Classes with a colour of their own; the others share one.
pub(crate) const CLASSES: usize = colour::SERIES;
const FIELDS: [&str; CLASSES] = ["f0", "f1", "f2", "f3", "f4", "f5", "f6"];
const LINES: [&str; CLASSES] = ["l0", "l1", "l2", "l3", "l4", "l5", "l6"];

/// How a branch or a clade is painted: a class of the style sheet, or a colour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Paint {
    /// No value.
    None,
    Class(usize),
    Colour(String),
}

impl Paint {
    /// Classes and colour of a line.
    pub(super) fn line(&self) -> (&'static str, &str) {
        match self {
            Paint::None => ("l-none", ""),
            Paint::Class(class) => (LINES.get(*class).copied().unwrap_or("l-other"), ""),
            Paint::Colour(colour) => ("", colour),
        }
    }

    /// Classes and colour of an area.
    pub(super) fn area(&self) -> (&'static str, &str) {
        match self {
            Paint::None => ("f-none", ""),
            Paint::Class(class) => (FIELDS.get(*class).copied().unwrap_or("f-other"), ""),
            Paint::Colour(colour) => ("", colour),
        }
    }
}

pub(super) struct Painter<'a> {
    colours: Option<&'a BranchColours<'a>>,
    values: Option<ValueColours<'a>>,
}

impl<'a> Painter<'a> {
    pub(super) fn new(colours: Option<&'a BranchColours<'a>>) -> Painter<'a> {
        let values = match colours {
            Some(BranchColours::Values { name, values }) => Some(ValueColours::new(name, values)),
            _ => None,
        };
        Painter { colours, values }
    }

    pub(super) fn is_plain(&self) -> bool {
        self.colours.is_none()
    }

    pub(super) fn of(&self, position: u32) -> Paint {
        match self.colours {
            Some(BranchColours::Classes { classes, .. }) => match classes[position as usize] {
                NONE => Paint::None,
                class => Paint::Class(class as usize),
            },
            _ => {
                let colour = self.values.as_ref().and_then(|values| values.of(position as usize));
                colour.map_or(Paint::None, Paint::Colour)
            }
        }
    }

    /// What a position's value is, in words.
    pub(super) fn words(&self, position: u32) -> Option<String> {
        match self.colours? {
            BranchColours::Values { name, values } => {
                let value = values[position as usize];
                value.is_finite().then(|| format!("{name} {}", crate::number::short(value)))
            }
            BranchColours::Classes { name, classes, names } => {
                let class = names.get(classes[position as usize] as usize)?;
                Some(format!("{name} {class}"))
            }
        }
    }

    /// The key of classes.
    pub(super) fn keys(&self, keys: &mut Keys) {
        let Some(BranchColours::Classes { name, classes, names }) = self.colours else { return };
        keys.remark(&format!("{name}:"));
        for (words, field) in names.iter().zip(FIELDS) {
            keys.push(Sign::Field(field), words.clone());
        }
        if names.len() > CLASSES {
            let others = crate::number::counted((names.len() - CLASSES) as u64, "other", "others");
            keys.push(Sign::Field("f-other"), others);
        }
        keys.push_if(classes.contains(&NONE), Sign::Field("f-none"), "none, or several");
    }

    /// The scale of values, if there is one, and how high it is.
    pub(super) fn scale_height(&self) -> f64 {
        if self.values.is_some() { 62.0 } else { 0.0 }
    }

    pub(super) fn draw_scale(&self, svg: &mut Svg, at: (f64, f64)) {
        if let Some(values) = &self.values {
            values.draw(svg, at);
        }
    }
}
