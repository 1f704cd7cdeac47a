// One level: everybody takes what its parent has and the parent's value.
fn each(i: u32) {
    let k = params.start + i;
    let p = parent[k] - params.first;
    if p < params.length {
        own[k] = combine(other_at(p), values[p]);
    }
}
