//! Every rank's slice of the input.

use super::Outcome;
use super::arguments::{InputOptions, LcaArguments, Operation, ValueOptions};
use palmette::io::{
    ArraySlices, ColumnKey, Share, TableSlice, TableSlices, TreeSlices, open_tree_slices,
    read_pair_slice,
};
use palmette::tree::distributed::{DistributedError, Metered, NO_VERTEX, Names, Ranks};
use palmette::{AggregateError, IoError, Measure, OperatorName, ReadParams, ValueType, Values};
use palmette_mpi::MpiTransport;
use std::error::Error;
use std::path::Path;

type Links = Metered<MpiTransport>;

/// Bytes that a vertex takes at most while its tree is built and used.
const BYTES_PER_VERTEX: u64 = 260;

/// What this rank has of the tree and its values.
pub(crate) struct Slice {
    pub(crate) file: String,
    /// The parent of each vertex; [`NO_VERTEX`] for roots.
    pub(crate) parents: Vec<u64>,
    /// The first vertex of the slice.
    pub(crate) first: u64,
    /// The columns of values.
    pub(crate) values: Vec<Values>,
    /// Where vertices have ids, those of the slice.
    pub(crate) names: Option<(TableSlice, Names)>,
}

impl Slice {
    /// The id of a vertex of the slice.
    pub(crate) fn id(&self, k: usize) -> i64 {
        self.names.as_ref().map_or((self.first + k as u64) as i64, |(table, _)| table.ids[k])
    }

    /// Names the file in what is wrong with a tree, and the line where this rank has it.
    pub(crate) fn explain(&self, error: DistributedError) -> Box<dyn Error> {
        match error {
            DistributedError::Ranks(_) => error.into(),
            DistributedError::Cycle { vertex } => {
                let (place, id) = self.place(vertex);
                let file = &self.file;
                format!(
                    "{file}{place}: expected parents without a cycle, found one above `{id}`, or \
                     through it"
                )
                .into()
            }
            DistributedError::ManyRoots { first, second, count } if self.names.is_some() => {
                format!(
                    "{}: expected one root, found {count}: rows {} and {} have no parent (--forest \
                 allows several roots)",
                    self.file,
                    first + 1,
                    second + 1
                )
                .into()
            }
            other => format!("{}: {other}", self.file).into(),
        }
    }

    pub(crate) fn explain_sum(&self, error: AggregateError) -> Box<dyn Error> {
        match error {
            AggregateError::SliceOverflow { vertex, exact } => {
                let (place, id) = self.place(vertex);
                let file = &self.file;
                format!(
                    "{file}{place}: expected a sum that fits its type at `{id}`, found {exact} \
                     (--wrapping takes it modulo 2^64, --type f64 rounds it)"
                )
                .into()
            }
            other => other.into(),
        }
    }

    fn place(&self, vertex: u64) -> (String, String) {
        let own = vertex.checked_sub(self.first).map(|k| k as usize);
        match (&self.names, own.filter(|&k| k < self.parents.len())) {
            (Some((table, _)), Some(k)) => {
                (format!(", line {}", table.line_of(k)), table.ids[k].to_string())
            }
            _ => (String::new(), vertex.to_string()),
        }
    }
}

/// The share of this rank.
fn share(ranks: &Links, options: &InputOptions) -> Outcome<Share> {
    let count = ranks.ranks();
    if options.shares.is_empty() {
        return Ok(Share::even(ranks.rank(), count));
    }
    if options.shares.len() != count {
        let found = options.shares.len();
        return Err(format!("--shares: expected {count} weights, one a rank, found {found}").into());
    }
    Share::weighted(ranks.rank(), &options.shares)
        .ok_or_else(|| "--shares: expected a weight above 0, found none".into())
}

/// Reads the tree alone.
pub(crate) fn read_tree(ranks: &mut Links, options: &InputOptions) -> Outcome<Slice> {
    read_columns(ranks, options, &[], &[])
}

/// Where a column of values comes from.
enum Source {
    Ones,
    Column(ColumnKey),
    Array(ArraySlices),
}

/// Reads the tree and what an operation needs.
pub(crate) fn read(
    ranks: &mut Links,
    options: &InputOptions,
    operation: Operation,
    values: &ValueOptions,
) -> Outcome<Slice> {
    let plan = plan(operation, values);
    let (sources, kind) = ranks.agree(plan)?;
    let keys: Vec<ColumnKey> = sources
        .iter()
        .filter_map(|source| match source {
            Source::Column(key) => Some(key.clone()),
            _ => None,
        })
        .collect();
    read_columns(ranks, options, &keys, &sources_with(kind, &sources))
}

fn sources_with(kind: ValueType, sources: &[Source]) -> Vec<(ValueType, &Source)> {
    sources.iter().map(|source| (kind, source)).collect()
}

fn plan(operation: Operation, options: &ValueOptions) -> Outcome<(Vec<Source>, ValueType)> {
    let operator = match operation {
        Operation::Operator(operator) => operator,
        Operation::Measure(Measure::WeightedDepth) => {
            return Ok((vec![Source::Column(ColumnKey::from("length"))], ValueType::F64));
        }
        Operation::Measure(_) if options.values.is_empty() => {
            return Ok((Vec::new(), ValueType::I64));
        }
        Operation::Measure(measure) => {
            return Err(format!("--values: expected none for the measure {measure}").into());
        }
    };
    let takes = operator.value_columns();
    let parse = |text: &String| -> Outcome<Source> {
        Ok(match text.as_str() {
            "ones" => Source::Ones,
            _ if text.to_lowercase().ends_with(".npy") => {
                Source::Array(ArraySlices::open(Path::new(text))?)
            }
            _ if text.contains('/') || text.ends_with(".csv") || text.ends_with(".tsv") => {
                return Err(
                    format!("--values: expected a column or an npy file, found {text}").into()
                );
            }
            _ => Source::Column(ColumnKey::from(text.strip_prefix("column:").unwrap_or(text))),
        })
    };
    let sources = match (options.values.len(), takes) {
        (0, 0) => Vec::new(),
        (0, 1) => vec![Source::Ones],
        (given, takes) if given == takes => {
            options.values.iter().map(parse).collect::<Outcome<_>>()?
        }
        (given, _) => {
            let message =
                format!("--values: expected {takes} columns for {operator}, found {given}");
            return Err(message.into());
        }
    };
    let lengths = options.values.iter().any(|text| text == "length");
    let linear = matches!(operator, OperatorName::Affine | OperatorName::Matrix);
    let natural = if lengths || (linear && options.modulus.is_none()) {
        ValueType::F64
    } else {
        ValueType::I64
    };
    Ok((sources, options.kind.unwrap_or(natural)))
}

fn read_columns(
    ranks: &mut Links,
    options: &InputOptions,
    keys: &[ColumnKey],
    sources: &[(ValueType, &Source)],
) -> Outcome<Slice> {
    ranks.phase("read");
    let kind = sources.first().map_or(ValueType::I64, |(kind, _)| *kind);
    let params = ReadParams {
        columns: keys.iter().map(|key| (key.clone(), kind)).collect(),
        self_root: options.self_root,
        header: options.header,
        ..Default::default()
    };
    let opened = share(ranks, options).and_then(|share| {
        Ok((share, open_tree_slices(&options.file, &params).map_err(Box::<dyn Error>::from)?))
    });
    let (share, opened) = ranks.agree(opened)?;
    let file = options.file.display().to_string();
    check_memory(ranks, options, &file, share, &opened)?;
    let mut slice = match opened {
        TreeSlices::Array(array) => read_array(ranks, options, &array, share, keys),
        TreeSlices::Table(table) => read_table(ranks, options, &table, share),
    }?;
    slice.file = file;
    slice.first = ranks.sum_before(slice.parents.len() as u64)?;
    let all = ranks.sum(slice.parents.len() as u64)?;
    let values = values(&mut slice, sources, all);
    slice.values = ranks.agree(values)?;
    Ok(slice)
}

fn values(slice: &mut Slice, sources: &[(ValueType, &Source)], all: u64) -> Outcome<Vec<Values>> {
    let n = slice.parents.len();
    let columns = slice.names.as_mut().map(|(table, _)| std::mem::take(&mut table.columns));
    let mut columns = columns.unwrap_or_default().into_iter();
    let read = |(kind, source): &(ValueType, &Source)| -> Outcome<Values> {
        Ok(match source {
            Source::Ones => match kind {
                ValueType::I64 => Values::I64(vec![1; n]),
                ValueType::U64 => Values::U64(vec![1; n]),
                ValueType::F64 => Values::F64(vec![1.0; n]),
                ValueType::F32 => Values::F32(vec![1.0; n]),
            },
            Source::Column(_) => columns.next().ok_or("a column that was asked for is missing")?,
            Source::Array(array) => {
                if array.rows() != all {
                    let found = array.rows();
                    return Err(format!(
                        "--values: expected {all} values, one a vertex, found {found}"
                    )
                    .into());
                }
                array.values(slice.first..slice.first + n as u64, *kind)?
            }
        })
    };
    sources.iter().map(read).collect()
}

fn read_array(
    ranks: &mut Links,
    options: &InputOptions,
    array: &ArraySlices,
    share: Share,
    keys: &[ColumnKey],
) -> Outcome<Slice> {
    let read = || -> Outcome<Vec<u64>> {
        if !keys.is_empty() {
            let file = options.file.display();
            return Err(format!(
                "{file}: expected a table where columns are asked for, found an array of parents"
            )
            .into());
        }
        let parents = array.parents(share.of(array.rows()), options.self_root)?;
        Ok(parents.into_iter().map(|parent| parent.unwrap_or(NO_VERTEX)).collect())
    };
    let parents = read();
    let parents = ranks.agree(parents)?;
    Ok(Slice { file: String::new(), parents, first: 0, values: Vec::new(), names: None })
}

fn read_table(
    ranks: &mut Links,
    options: &InputOptions,
    table: &TableSlices,
    share: Share,
) -> Outcome<Slice> {
    let rows = table.read(share).map_err(Box::<dyn Error>::from);
    let rows = ranks.agree(rows)?;
    let before = ranks.sum_before(rows.lines())?;
    let parsed = table.parse(rows, before).map_err(Box::<dyn Error>::from);
    let slice = ranks.agree(parsed)?;
    let file = options.file.display();
    let names = Names::build(ranks, &slice.ids).map_err(|error| match error {
        DistributedError::Ranks(_) => Box::<dyn Error>::from(error),
        other => format!("{file}: {other}").into(),
    })?;
    // Roots ask for -1, which may be an id; no answer is no parent then.
    let wanted: Vec<i64> = slice.parents.iter().map(|parent| parent.unwrap_or(-1)).collect();
    let mut parents = names.find(ranks, &wanted)?;
    ranks.phase("read");
    let mut wrong = None;
    for (k, (found, parent)) in parents.iter_mut().zip(&slice.parents).enumerate() {
        let own = *parent == Some(slice.ids[k]);
        match *parent {
            None => *found = NO_VERTEX,
            Some(_) if own && options.self_root => *found = NO_VERTEX,
            Some(id) if own || (*found == NO_VERTEX && id != -1) => {
                wrong = wrong.or(Some((k, id, own)));
            }
            Some(_) => {}
        }
    }
    let checked = match wrong {
        None => Ok(()),
        Some((k, id, own)) => {
            let (expected, found) = if own {
                let hint = "as its own parent (--self-root takes such a vertex as a root)";
                ("another vertex as the parent", format!("`{id}` {hint}"))
            } else {
                ("the id of a parent, or nothing for a root", format!("`{id}`, which no row has"))
            };
            Err(Box::<dyn Error>::from(IoError::Line {
                file: file.to_string(),
                line: slice.line_of(k),
                expected: expected.to_string(),
                found,
            }))
        }
    };
    ranks.agree(checked)?;
    let names = Some((slice, names));
    Ok(Slice { file: String::new(), parents, first: 0, values: Vec::new(), names })
}

/// Refuses a slice that does not fit, before it is read.
fn check_memory(
    ranks: &mut Links,
    options: &InputOptions,
    file: &str,
    share: Share,
    opened: &TreeSlices,
) -> Outcome<()> {
    let (vertices, more) = match opened {
        TreeSlices::Array(array) => {
            let rows = share.of(array.rows());
            (rows.end - rows.start, 0)
        }
        TreeSlices::Table(table) => (table.rows_about(share), table.bytes(share)),
    };
    let needed = vertices.saturating_mul(BYTES_PER_VERTEX).saturating_add(more);
    let room = match options.memory {
        Some(mebibytes) => Some(mebibytes.saturating_mul(1 << 20)),
        None => {
            let together = ranks.inner().ranks_on_this_machine() as u64;
            memory_left().map(|left| left / together)
        }
    };
    let fits = match room {
        Some(room) if room < needed => {
            let (rank, mebibyte) = (ranks.rank(), 1 << 20);
            Err(Box::<dyn Error>::from(format!(
                "{file}: expected a slice that fits {} MiB of memory, found one of {vertices} \
                 vertices on rank {rank}, which takes {} MiB; take more ranks or machines",
                room / mebibyte,
                needed / mebibyte
            )))
        }
        _ => Ok(()),
    };
    ranks.agree(fits)
}

/// What the system says is left, in bytes.
fn memory_left() -> Option<u64> {
    let about = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = about.lines().find(|line| line.starts_with("MemAvailable:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib << 10)
}

/// This rank's pairs.
pub(crate) struct Pairs {
    /// As the file has them.
    pub(crate) ids: Vec<(i64, i64)>,
    pub(crate) vertices: Vec<(u64, u64)>,
}

/// Reads this rank's pairs.
pub(crate) fn read_pairs(
    ranks: &mut Links,
    arguments: &LcaArguments,
    slice: &Slice,
) -> Outcome<Pairs> {
    ranks.phase("read");
    let share = Share::even(ranks.rank(), ranks.ranks());
    let ids = read_pair_slice(&arguments.pairs, share).map_err(Box::<dyn Error>::from);
    let ids = ranks.agree(ids)?;
    let flat: Vec<i64> = ids.iter().flat_map(|&(u, v)| [u, v]).collect();
    let all = ranks.sum(slice.parents.len() as u64)?;
    let vertices = match &slice.names {
        Some((_, names)) => names.find(ranks, &flat)?,
        None => {
            let vertex =
                |&id: &i64| u64::try_from(id).ok().filter(|&v| v < all).unwrap_or(NO_VERTEX);
            flat.iter().map(vertex).collect()
        }
    };
    let unknown = vertices.iter().position(|&v| v == NO_VERTEX);
    let known = match unknown {
        None => Ok(()),
        Some(k) => {
            let file = arguments.pairs.display();
            Err(Box::<dyn Error>::from(format!(
                "{file}: expected the id of a vertex, found {}, which none has",
                flat[k]
            )))
        }
    };
    ranks.agree(known)?;
    Ok(Pairs { ids, vertices: vertices.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect() })
}
