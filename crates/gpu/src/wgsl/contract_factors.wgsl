// A first child differs from what is above it by its parent's value; siblings do not differ.
fn each(i: u32) {
    if (links[i] & 1u) == 0u {
        own[i] = identity();
        return;
    }
    let before = params.base + i - 1u - params.first;
    if before < params.length {
        own[i] = values[before];
    }
}
