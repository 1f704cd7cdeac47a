// Values in another order, as far as they are in a chunk.
fn each(k: u32) {
    let place = order[k] - params.first;
    if place < params.length {
        own[k] = values[place];
    }
}
