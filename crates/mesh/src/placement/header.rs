//! A C header that gives ranks their parts and partners.
//!
//! **Form.** `palmette_create` takes a communicator whose rank `p` runs on processor `p`, as a
//! launcher that fills hosts in order makes it. It gives the
//! ranks their parts (`MPI_Comm_split`, with the part as the new rank) and makes a communicator
//! that knows who sends how much to whom (`MPI_Dist_graph_create_adjacent`, without further
//! reordering). Ranks without a part get `MPI_COMM_NULL`. Weights are values per exchange; those
//! that an `int` cannot hold are its largest.
//!
//! **Cost.** A line of text per 16 numbers; every rank has all tables: 20 bytes per message.

use super::Placement;
use crate::{Machine, Quotient};
use std::fmt::Write;

/// The header for placed parts.
///
/// # Panics
/// When quotient and placement have different numbers of parts.
pub fn neighbours_header(quotient: &Quotient, placement: &Placement, machine: &Machine) -> String {
    assert_eq!(quotient.parts(), placement.parts(), "a processor for each part");
    let mut part_of = vec![-1i64; machine.processors()];
    for (part, &processor) in (0..).zip(placement.processors()) {
        part_of[processor as usize] = part;
    }
    let mut text = format!(
        "/* Parts of a mesh on {machine}, with their partners. Made by palmette. */\n\
        #ifndef PALMETTE_NEIGHBOURS_H\n#define PALMETTE_NEIGHBOURS_H\n\n\
        #include <mpi.h>\n\n\
        enum {{ PALMETTE_PARTS = {}, PALMETTE_PROCESSORS = {} }};\n\n",
        placement.parts(),
        part_of.len(),
    );
    table(&mut text, "By processor, its part, or -1.", "part", part_of.into_iter());
    for (name, sends) in [("source", false), ("target", true)] {
        let parts = || 0..quotient.parts() as u32;
        let of = |part: u32| {
            let values = if sends { quotient.sends(part) } else { quotient.receives(part) };
            let all = quotient.partners(part).iter().copied().zip(values.iter().copied());
            all.filter(|&(_, values)| values > 0)
        };
        let ends = parts().scan(0, |sum, part| {
            *sum += of(part).count() as i64;
            Some(*sum)
        });
        let verb = if sends { "to" } else { "from" };
        let first = std::iter::once(0).chain(ends);
        table(&mut text, "Where the lists of each part begin.", &format!("{name}_first"), first);
        let partners = parts().flat_map(of).map(|pair| i64::from(pair.0));
        table(
            &mut text,
            &format!("Partners that values go {verb}."),
            &format!("{name}s"),
            partners,
        );
        let most = |values: u64| i64::try_from(values).unwrap_or(i64::MAX).min(i32::MAX.into());
        let values = parts().flat_map(of).map(|pair| most(pair.1));
        table(&mut text, "How many values.", &format!("{name}_values"), values);
    }
    text.push_str(FUNCTION);
    text
}

/// An array of `int`; C wants at least one entry.
fn table(text: &mut String, comment: &str, name: &str, numbers: impl Iterator<Item = i64>) {
    let mut words: Vec<String> = numbers.map(|n| n.to_string()).collect();
    if words.is_empty() {
        words.push("0".to_string());
    }
    let lines: Vec<String> = words.chunks(16).map(|line| line.join(", ")).collect();
    let body = lines.join(",\n    ");
    writeln!(text, "/* {comment} */\nstatic const int palmette_{name}[] = {{ {body} }};\n")
        .expect("a string can be written to");
}

const FUNCTION: &str = "\
/* Gives each rank of `from`, which runs on the processor of its number, its part: the rank in
   `to`, with the partners that it receives from and sends to. Ranks without a part get
   MPI_COMM_NULL. Returns an error of MPI, or MPI_ERR_COMM for too few ranks. */
static inline int palmette_create(MPI_Comm from, MPI_Comm *to)
{
    int rank, size, error;
    MPI_Comm ordered;
    *to = MPI_COMM_NULL;
    if ((error = MPI_Comm_rank(from, &rank)) != MPI_SUCCESS)
        return error;
    if ((error = MPI_Comm_size(from, &size)) != MPI_SUCCESS)
        return error;
    for (int processor = size; processor < PALMETTE_PROCESSORS; processor++)
        if (palmette_part[processor] >= 0)
            return MPI_ERR_COMM;
    const int part = rank < PALMETTE_PROCESSORS ? palmette_part[rank] : -1;
    error = MPI_Comm_split(from, part < 0 ? MPI_UNDEFINED : 0, part, &ordered);
    if (error != MPI_SUCCESS || part < 0)
        return error;
    const int in = palmette_source_first[part], out = palmette_target_first[part];
    error = MPI_Dist_graph_create_adjacent(
        ordered,
        palmette_source_first[part + 1] - in, palmette_sources + in, palmette_source_values + in,
        palmette_target_first[part + 1] - out, palmette_targets + out, palmette_target_values + out,
        MPI_INFO_NULL, 0, to);
    MPI_Comm_free(&ordered);
    return error;
}

#endif
";
