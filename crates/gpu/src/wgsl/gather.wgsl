// Values in another order, as far as they are in a chunk.
fn each(i: u32) {
    let k = params.start + i;
    let place = order[k] - params.first;
    if place < params.length {
        own[k] = values[place];
    }
}
