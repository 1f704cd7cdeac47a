// The lower vertex of each pair takes in the upper one's product.
fn each(i: u32) {
    let pair = pairs[params.start + i] - vec2<u32>(params.upper, params.lower);
    own[pair.y] = combine(above_at(pair.x), own[pair.y]);
}
