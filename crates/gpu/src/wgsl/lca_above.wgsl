// The inlabel of the parent; above a root is a root of all.
fn each(i: u32) {
    let p = parent[i];
    if p == 0xffffffffu {
        above[i] = params.top;
    } else if p - params.first < params.length {
        above[i] = labels[p - params.first];
    }
}
