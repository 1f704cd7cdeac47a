// The inlabel of a vertex: the number with the most trailing zeros in its subtree's interval.
fn each(i: u32) {
    let number = params.base + i + 2u;
    let last = number + (close[i] - open[i] - 1u) / 2u;
    let zeros = firstLeadingBit((number - 1u) ^ last);
    labels[i] = (last >> zeros) << zeros;
}
