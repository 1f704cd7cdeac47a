// The upper vertex of each pair takes in the lower one: raked from the left or from the right,
// or spliced out.
fn each(i: u32) {
    let pair = pairs[params.start + i] - vec2<u32>(params.upper, params.lower);
    let first = first_at(pair.y);
    let last = last_at(pair.y);
    if params.step == 0u {
        firsts[pair.x] = combine(firsts[pair.x], combine(first, last));
    } else if params.step == 1u {
        lasts[pair.x] = combine(combine(first, last), lasts[pair.x]);
    } else {
        firsts[pair.x] = combine(firsts[pair.x], first);
        lasts[pair.x] = combine(last, lasts[pair.x]);
    }
}
