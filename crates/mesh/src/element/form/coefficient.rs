//! Coefficients: numbers, functions of the point, or a value per physical group.

use super::{FormError, groups};
use palmette_core::Mesh;
use palmette_core::mesh::Point;
use std::fmt;
use std::sync::Arc;

/// A number, or a function of the point.
#[derive(Clone)]
pub enum Value {
    /// The same everywhere.
    Constant(f64),
    /// By point.
    Function(Arc<dyn Fn(Point) -> f64 + Send + Sync>),
}

impl Value {
    /// A function of the point.
    pub fn function(of: impl Fn(Point) -> f64 + Send + Sync + 'static) -> Value {
        Value::Function(Arc::new(of))
    }

    /// The value at a point; an error with the value if it is not finite.
    #[inline]
    pub(super) fn at(&self, point: Point, what: &'static str) -> Result<f64, FormError> {
        let value = match self {
            Value::Constant(value) => *value,
            Value::Function(of) => of(point),
        };
        if value.is_finite() { Ok(value) } else { Err(FormError::NotFinite { what, value, point }) }
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Value {
        Value::Constant(value)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Constant(value) => value.fmt(f),
            Value::Function(_) => f.write_str("a function"),
        }
    }
}

/// A value for every element: one for all, or one for each physical group.
///
/// ```
/// use palmette_mesh::element::{Coefficient, Value};
/// let everywhere: Coefficient = 2.5.into();
/// let by_place: Coefficient = Value::function(|p| 1.0 + p[0] * p[0]).into();
/// let by_group = Coefficient::groups([("steel", 50.0)]).or_else(1.0);
/// # let _ = (everywhere, by_place, by_group);
/// ```
#[derive(Debug, Clone)]
pub struct Coefficient {
    groups: Vec<(String, Value)>,
    otherwise: Option<Value>,
}

impl Coefficient {
    /// A value for each of some groups. Elements of others are an error, unless
    /// [`Coefficient::or_else`] has a value for them. Of a group named twice the first counts.
    pub fn groups<N: Into<String>, V: Into<Value>>(
        values: impl IntoIterator<Item = (N, V)>,
    ) -> Coefficient {
        let groups = values.into_iter().map(|(name, value)| (name.into(), value.into()));
        Coefficient { groups: groups.collect(), otherwise: None }
    }

    /// The same with a value for elements of other groups or of none.
    pub fn or_else(mut self, value: impl Into<Value>) -> Coefficient {
        self.otherwise = Some(value.into());
        self
    }

    /// By tag instead of name.
    pub(super) fn resolve(&self, mesh: &Mesh) -> Result<Resolved<'_>, FormError> {
        let expected = mesh.dimension();
        let mut tags = Vec::new();
        for (name, value) in &self.groups {
            let marks = groups::find(mesh, name)?;
            let before = tags.len();
            let solid = marks.iter().filter(|mark| mark.0 == expected);
            tags.extend(solid.map(|mark| (mark.1, value)));
            if tags.len() == before {
                let what = "a coefficient";
                return Err(FormError::GroupDimension { name: name.clone(), what, expected });
            }
        }
        Ok(Resolved { coefficient: self, tags })
    }
}

impl From<Value> for Coefficient {
    fn from(value: Value) -> Coefficient {
        Coefficient { groups: Vec::new(), otherwise: Some(value) }
    }
}

impl From<f64> for Coefficient {
    fn from(value: f64) -> Coefficient {
        Value::from(value).into()
    }
}

/// A coefficient by the tags of elements.
pub(super) struct Resolved<'a> {
    coefficient: &'a Coefficient,
    tags: Vec<(i32, &'a Value)>,
}

impl Resolved<'_> {
    /// The value for an element.
    #[inline]
    pub(super) fn of(&self, mesh: &Mesh, element: u32) -> Result<&Value, FormError> {
        let tag = mesh.elements().tag(element as usize);
        let own = self.tags.iter().find(|known| known.0 == tag).map(|known| known.1);
        match own.or(self.coefficient.otherwise.as_ref()) {
            Some(value) => Ok(value),
            None => Err(self.uncovered(mesh, element)),
        }
    }

    #[cold]
    fn uncovered(&self, mesh: &Mesh, element: u32) -> FormError {
        let element = element as usize;
        let group = groups::name_of(mesh, (mesh.dimension(), mesh.elements().tag(element)));
        let named = self.coefficient.groups.iter().map(|(name, _)| name.clone()).collect();
        FormError::Uncovered { element: element + 1, group, named }
    }
}
