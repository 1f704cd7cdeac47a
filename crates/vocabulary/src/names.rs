//! Names as arguments.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use palmette::core::Named;

/// One of the names of an enum: clap lists them in the help, and suggests one that is near.
///
/// ```
/// use clap::Parser;
/// use palmette::Engine;
/// use palmette_vocabulary::named;
/// #[derive(Parser)]
/// struct Arguments {
///     #[arg(long, value_parser = named::<Engine>())]
///     engine: Engine,
/// }
/// let arguments = Arguments::try_parse_from(["program", "--engine", "threads"]).unwrap();
/// assert_eq!(arguments.engine, Engine::Threads);
/// let error = Arguments::try_parse_from(["program", "--engine", "thread"]).err().unwrap();
/// assert!(error.to_string().contains("a similar value exists: 'threads'"), "{error}");
/// ```
pub fn named<T: Named>() -> impl TypedValueParser<Value = T> {
    one_of(T::all().iter().copied())
}

/// One of the names of some variants of an enum.
pub fn one_of<T: Named>(some: impl IntoIterator<Item = T>) -> impl TypedValueParser<Value = T> {
    let names = some.into_iter().map(|one| one.name());
    PossibleValuesParser::new(names).try_map(|text| T::from_name(&text))
}
