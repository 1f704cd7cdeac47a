// By inlabel: the number of the parent of the path's head.
fn each(i: u32) {
    let place = labels[i] - params.first;
    if labels[i] != above[i] && place < params.length {
        // The root of all is number 1: that is where the missing parent of a root wraps to.
        enters[place] = parent[i] + 2u;
    }
}
