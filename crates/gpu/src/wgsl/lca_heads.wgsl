// The head of a path brings the last bit of its inlabel to all below it.
fn each(i: u32) {
    let label = labels[i];
    bits[i] = select(0u, label & (0u - label), label != above[i]);
}
