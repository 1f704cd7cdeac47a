// Each value where its vertex is opened; its inverse or the identity where it is closed.
fn each(k: u32) {
    let i = params.start + k;
    let x = values[i];
    // Wraps to a large number before the chunk.
    let opened = open[i] - params.first;
    let closed = close[i] - params.first;
    if opened < params.length {
        line[opened] = x;
    }
    if closed < params.length {
        if params.inverted == 1u {
            line[closed] = inverse(x);
        } else {
            line[closed] = identity();
        }
    }
}
