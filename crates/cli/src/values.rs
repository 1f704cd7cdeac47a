//! Where values come from.

use crate::input::read_values;
use crate::limit::{limit, read_bytes};
use crate::prelude::*;
use palmette::Operator;
use palmette::io::{ValueParams, read_values_with};
use palmette_vocabulary::ValueSource;

/// What an operator works on.
#[derive(Debug, Clone, Args)]
#[group(skip)]
pub(crate) struct ValueOptions {
    #[command(flatten)]
    pub(crate) given: palmette_vocabulary::ValueOptions,
    /// Value for vertices without one: no row in a file of values, or an empty field.
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true, value_parser = number)]
    pub(crate) missing_value: Option<String>,
}

impl ValueOptions {
    /// The options, and whether they are given.
    pub(crate) fn options(&self) -> impl Iterator<Item = (&'static str, bool)> {
        let missing = ("--missing-value", self.missing_value.is_some());
        self.given.options().into_iter().chain([missing])
    }
}

/// A number, whose type the other values decide.
pub(crate) fn number(text: &str) -> Result<String, String> {
    match text.parse::<f64>() {
        Ok(_) => Ok(text.to_string()),
        Err(_) => Err("expected a number".to_string()),
    }
}

/// The files of a command, with those that `--values` names.
pub(crate) fn value_files(values: &[String], files: Files) -> Files {
    values.iter().fold(files, |files, text| match ValueSource::parse(text) {
        ValueSource::File(path) => files.reads("--values", Some(&path)),
        _ => files,
    })
}

/// The columns of an operator, before any file is read.
pub(crate) struct ValuePlan {
    operator: Operator,
    sources: Vec<ValueSource>,
    types: Vec<ValueType>,
    nan: bool,
    /// The value of vertices that have none.
    missing: Option<String>,
}

impl ValuePlan {
    /// The operator with its parameters, and the values it is given; these are floats where
    /// nothing else will do.
    pub(crate) fn new(
        name: OperatorName,
        options: &ValueOptions,
        floats: bool,
    ) -> Result<(Operator, ValuePlan)> {
        let sources = options.given.sources(name).map_err(anyhow::Error::msg)?;
        ValuePlan::with(name, options, floats, sources)
    }

    /// The same, where an operator of one column takes any number of them, each for itself.
    pub(crate) fn several(
        name: OperatorName,
        options: &ValueOptions,
        floats: bool,
    ) -> Result<(Operator, ValuePlan)> {
        let sources = options.given.several(name).map_err(anyhow::Error::msg)?;
        ValuePlan::with(name, options, floats, sources)
    }

    fn with(
        name: OperatorName,
        options: &ValueOptions,
        floats: bool,
        sources: Vec<ValueSource>,
    ) -> Result<(Operator, ValuePlan)> {
        let given = &options.given;
        let operator = given.parameters.operator(name).map_err(anyhow::Error::msg)?;
        let types = given.types(operator, floats).map_err(anyhow::Error::msg)?;
        let missing = options.missing_value.clone();
        let partial =
            |source: &ValueSource| matches!(source, ValueSource::Column(_) | ValueSource::File(_));
        if missing.is_some() && !sources.iter().any(partial) {
            bail!("--missing-value needs --values with a column or a file");
        }
        Ok((operator, ValuePlan { operator, sources, types, nan: false, missing }))
    }

    /// The same, allowing NaN among the values if requested.
    pub(crate) fn with_nan(self, nan: bool) -> ValuePlan {
        ValuePlan { nan, ..self }
    }

    /// What the tree's file must provide.
    pub(crate) fn needs(&self) -> Needs {
        let columns = self.sources.iter().filter_map(|source| match source {
            ValueSource::Column(key) => Some(key.clone()),
            _ => None,
        });
        let lengths = match self.on_edges() {
            true => Lengths::Required,
            false => Lengths::No,
        };
        Needs {
            columns: columns.collect(),
            types: self.types.clone(),
            nan: self.nan,
            missing: self.missing.clone(),
            lengths,
            ..Needs::default()
        }
    }

    /// Whether values belong to edges rather than to vertices.
    pub(crate) fn on_edges(&self) -> bool {
        self.sources.contains(&ValueSource::Length)
    }

    /// The values by vertex, files read as a part of the phase `read`.
    pub(crate) fn read(&self, session: &mut Session, file: &mut TreeFile) -> Result<Vec<Values>> {
        let mut columns = std::mem::take(&mut file.columns).into_iter();
        let file: &TreeFile = file;
        let mut values = Vec::new();
        for source in &self.sources {
            values.push(match source {
                ValueSource::Ones => Values::ones(self.types[0], file.len()),
                ValueSource::Length => self.lengths(file),
                ValueSource::Column(_) => {
                    columns.next().context("a requested column is missing")?.values
                }
                ValueSource::File(path) => self.of_file(session, path, file)?,
            });
        }
        Ok(values)
    }

    /// The values of a file. Where only tips have one, inner vertices have the operator's identity.
    fn of_file(&self, session: &mut Session, path: &Path, file: &TreeFile) -> Result<Values> {
        let name = name_of(path);
        let mut identities = 0;
        let found = session.phase("read", || -> Result<Values> {
            let bytes = read_bytes(path)?;
            let read = |of_inner: bool| {
                read_values(&self.types, self.nan, |number| {
                    let identity = self.operator.identity_text(number.kind).filter(|_| of_inner);
                    let missing = self.missing.as_deref().or(identity.as_deref());
                    let params = ValueParams { number, column: None, missing, limit: limit() };
                    read_values_with(&name, &bytes, &params, &file.labels)
                })
            };
            match read(false) {
                Err(IoError::MissingValues { without, .. })
                    if self.operator.identity_text(self.types[0]).is_some()
                        && without.len() + file.tips().len() == file.len()
                        && file.tips().iter().all(|tip| without.binary_search(tip).is_err()) =>
                {
                    identities = without.len();
                    Ok(read(true)?)
                }
                other => Ok(other?),
            }
        })?;
        if identities > 0 {
            session.note(&format!(
                "{name}: values for tips only; the {identities} inner vertices have the identity of \
                {}",
                self.operator
            ));
        }
        Ok(found)
    }

    fn lengths(&self, file: &TreeFile) -> Values {
        let lengths = file.lengths.as_deref().unwrap_or_default();
        match self.types[0] {
            ValueType::F32 => Values::F32(lengths.iter().map(|&x| x as f32).collect()),
            _ => Values::F64(lengths.to_vec()),
        }
    }
}
