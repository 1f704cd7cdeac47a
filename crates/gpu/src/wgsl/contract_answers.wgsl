// Below a vertex is what its first child reaches.
fn each(i: u32) {
    let child = params.base + i + 1u - params.first;
    var below = identity();
    if (links[i] & 2u) != 0u {
        if child >= params.length {
            return;
        }
        below = reach[child];
    }
    if params.inclusive == 1u {
        below = combine(values[i], below);
    }
    answers[i] = below;
}
