//! Any bytes as an array: no panic, and what parses is written and read back the same.

use palmette_io::{
    Format, Labels, ReadParams, ValueType, read_pairs_bytes, read_tree_bytes, read_values_bytes,
    write_npy_parents,
};

pub(crate) fn check(data: &[u8]) {
    // Half of the inputs get a good start, so that the rest of the header is reached.
    let guided = match data.split_first() {
        Some((first, rest)) if first % 2 == 0 => {
            let types = ["<i4", "|u1", ">i2", "<u8", "<f8", "|i1"];
            let shapes = [format!("({},)", rest.len()), format!("({}, 2)", rest.len() / 2)];
            let (kind, shape) = (types[*first as usize / 2 % 6], &shapes[*first as usize / 16 % 2]);
            let header =
                format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}\n");
            let length = (header.len() as u16).to_le_bytes();
            [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), rest].concat()
        }
        _ => data.to_vec(),
    };
    let labels = Labels::numbers(guided.len() / 4);
    let _ = read_pairs_bytes("fuzz", &guided, &labels);
    for kind in [ValueType::I64, ValueType::U64, ValueType::F64, ValueType::F32] {
        let _ = read_values_bytes("fuzz", &guided, kind, None, &labels);
    }
    let params = ReadParams { format: Some(Format::Npy), ..ReadParams::default() };
    let Ok(file) = read_tree_bytes("fuzz", &guided, &params) else { return };
    let mut bytes = Vec::new();
    write_npy_parents(&mut bytes, &file.parents).expect("a vector takes all");
    let again = read_tree_bytes("again", &bytes, &params).expect("what is written can be read");
    assert_eq!(again.parents, file.parents);
}
