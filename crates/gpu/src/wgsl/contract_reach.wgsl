// The upper vertex of each pair was spliced out: what it reaches lies around what the lower one
// reaches.
fn each(i: u32) {
    let pair = pairs[params.start + i] - vec2<u32>(params.upper, params.lower);
    own[pair.x] = combine(combine(firsts[pair.x], below_at(pair.y)), lasts[pair.x]);
}
