//! Messages of programs written in Python: numbers to bytes and back.
//!
//! A message has a dtype: a number, a row of numbers, or a struct of these. On its way it is bytes,
//! so that nothing but its words gets from one processor to another. A number that its field does
//! not hold is an error; none is cut off.

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// A type of numbers.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Bool,
    /// So many bytes, with a sign.
    Signed(usize),
    /// So many bytes, without.
    Unsigned(usize),
    Single,
    Double,
}

impl Kind {
    /// The type that numpy spells like this.
    fn named(name: &str) -> Option<Kind> {
        let (kind, bytes) = name.split_at_checked(1)?;
        let bytes: usize = bytes.parse().ok()?;
        match (kind, bytes) {
            ("b", 1) => Some(Kind::Bool),
            ("i", 1 | 2 | 4 | 8) => Some(Kind::Signed(bytes)),
            ("u", 1 | 2 | 4 | 8) => Some(Kind::Unsigned(bytes)),
            ("f", 4) => Some(Kind::Single),
            ("f", 8) => Some(Kind::Double),
            _ => None,
        }
    }

    fn bytes(self) -> usize {
        match self {
            Kind::Bool => 1,
            Kind::Signed(bytes) | Kind::Unsigned(bytes) => bytes,
            Kind::Single => 4,
            Kind::Double => 8,
        }
    }

    /// The number as bytes, the lowest first; none where it is out of range.
    fn encode(self, number: &Bound<'_, PyAny>) -> PyResult<Option<[u8; 8]>> {
        Ok(match self {
            Kind::Bool => Some(u64::from(number.extract::<bool>()?).to_le_bytes()),
            Kind::Signed(bytes) => {
                let (found, spare) = (number.extract::<i64>()?, 64 - 8 * bytes as u32);
                (found << spare >> spare == found).then(|| found.to_le_bytes())
            }
            Kind::Unsigned(bytes) => {
                let (found, spare) = (number.extract::<u64>()?, 64 - 8 * bytes as u32);
                (found << spare >> spare == found).then(|| found.to_le_bytes())
            }
            Kind::Single => {
                let found = number.extract::<f64>()?;
                let single = found as f32;
                let fits = single.is_finite() || !found.is_finite();
                fits.then(|| u64::from(single.to_bits()).to_le_bytes())
            }
            Kind::Double => Some(number.extract::<f64>()?.to_le_bytes()),
        })
    }

    /// The number that so many bytes are.
    fn decode<'py>(self, py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        let word = u64::from_le_bytes(word);
        Ok(match self {
            Kind::Bool => (word != 0).into_pyobject(py)?.to_owned().into_any(),
            Kind::Signed(bytes) => {
                let spare = 64 - 8 * bytes as u32;
                ((word << spare) as i64 >> spare).into_pyobject(py)?.into_any()
            }
            Kind::Unsigned(_) => word.into_pyobject(py)?.into_any(),
            Kind::Single => f64::from(f32::from_bits(word as u32)).into_pyobject(py)?.into_any(),
            Kind::Double => f64::from_bits(word).into_pyobject(py)?.into_any(),
        })
    }
}

/// A field: one number, or a row of them.
#[derive(Debug)]
struct Field {
    name: String,
    spelling: String,
    kind: Kind,
    /// How many numbers a row has; none where it is one number.
    row: Option<usize>,
}

/// How messages of a dtype are written.
#[derive(Debug)]
pub(crate) struct Form {
    fields: Vec<Field>,
    /// Makes a struct of the values of its fields; none where a message is one field.
    tuple: Option<Py<PyAny>>,
    /// The dtype, as numpy prints it.
    dtype: String,
}

impl Form {
    /// The form with these fields, which are names, types and lengths of rows.
    pub(crate) fn new(
        fields: Vec<(String, String, Option<usize>)>,
        tuple: Option<Py<PyAny>>,
        dtype: String,
    ) -> PyResult<Form> {
        let field = |(name, spelling, row): (String, String, Option<usize>)| {
            let kind = Kind::named(&spelling).ok_or_else(|| {
                let expected = "booleans, integers, and floats of 4 or 8 bytes";
                PyTypeError::new_err(format!("message: expected {expected}, found {dtype}"))
            })?;
            Ok(Field { name, spelling, kind, row })
        };
        let fields: PyResult<Vec<Field>> = fields.into_iter().map(field).collect();
        Ok(Form { fields: fields?, tuple, dtype })
    }

    /// The bytes of a message.
    pub(crate) fn bytes(&self) -> usize {
        self.fields.iter().map(|field| field.kind.bytes() * field.row.unwrap_or(1)).sum()
    }

    /// Adds the bytes of a message; on an error nothing is to be used.
    pub(crate) fn write(&self, message: &Bound<'_, PyAny>, out: &mut Vec<u8>) -> PyResult<()> {
        let [field] = &self.fields[..] else { return self.write_struct(message, out) };
        if self.tuple.is_some() {
            return self.write_struct(message, out);
        }
        self.write_field(field, message, out)
    }

    fn write_struct(&self, message: &Bound<'_, PyAny>, out: &mut Vec<u8>) -> PyResult<()> {
        let values = match message.cast::<PyTuple>() {
            Ok(values) => values.clone(),
            // A row of an array: its values, if it has the same fields.
            Err(_) => message
                .call_method0("item")
                .and_then(|values| Ok(values.cast_into::<PyTuple>()?))
                .map_err(|_| self.wrong(message))?,
        };
        if values.len() != self.fields.len() {
            return Err(self.wrong(message));
        }
        for (field, value) in self.fields.iter().zip(values.iter()) {
            self.write_field(field, &value, out)?;
        }
        Ok(())
    }

    fn write_field(
        &self,
        field: &Field,
        value: &Bound<'_, PyAny>,
        out: &mut Vec<u8>,
    ) -> PyResult<()> {
        let Some(length) = field.row else { return self.write_number(field, value, out) };
        let mut count = 0;
        for number in value.try_iter().map_err(|_| self.wrong(value))? {
            count += 1;
            self.write_number(field, &number?, out)?;
        }
        if count == length { Ok(()) } else { Err(self.wrong(value)) }
    }

    fn write_number(
        &self,
        field: &Field,
        number: &Bound<'_, PyAny>,
        out: &mut Vec<u8>,
    ) -> PyResult<()> {
        let py = number.py();
        let found = match field.kind.encode(number) {
            Ok(found) => found,
            Err(error) if error.is_instance_of::<PyOverflowError>(py) => None,
            Err(_) => return Err(PyTypeError::new_err(self.expected(field, number))),
        };
        let word = found.ok_or_else(|| PyOverflowError::new_err(self.expected(field, number)))?;
        out.extend_from_slice(&word[..field.kind.bytes()]);
        Ok(())
    }

    fn expected(&self, field: &Field, found: &Bound<'_, PyAny>) -> String {
        let Field { name, spelling, .. } = field;
        let place = if name.is_empty() { String::new() } else { format!(" for {name}") };
        format!("message: expected {spelling}{place}, found {}", repr(found))
    }

    fn wrong(&self, found: &Bound<'_, PyAny>) -> PyErr {
        let text = format!("message: expected {}, found {}", self.dtype, repr(found));
        PyTypeError::new_err(text)
    }

    /// The message that bytes are.
    pub(crate) fn read<'py>(&self, py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        let mut first = 0;
        let mut next = |kind: Kind| {
            let number = kind.decode(py, &bytes[first..first + kind.bytes()]);
            first += kind.bytes();
            number
        };
        let mut value = |field: &Field| match field.row {
            None => next(field.kind),
            Some(length) => {
                let numbers: PyResult<Vec<_>> = (0..length).map(|_| next(field.kind)).collect();
                Ok(PyTuple::new(py, numbers?)?.into_any())
            }
        };
        match (&self.tuple, &self.fields[..]) {
            (None, [field]) => value(field),
            (tuple, fields) => {
                let values: PyResult<Vec<_>> = fields.iter().map(value).collect();
                let values = PyTuple::new(py, values?)?;
                match tuple {
                    Some(tuple) => tuple.bind(py).call1(values),
                    None => Ok(values.into_any()),
                }
            }
        }
    }
}

/// What an object is, in few words.
fn repr(object: &Bound<'_, PyAny>) -> String {
    let text = object.repr().map_or_else(|_| "something".to_string(), |text| text.to_string());
    let short: String = text.chars().take(60).collect();
    if short.len() < text.len() { short + "…" } else { short }
}
