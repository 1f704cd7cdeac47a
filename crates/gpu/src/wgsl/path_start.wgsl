// A way up: where it is, and the steps that it takes.
fn each(i: u32) {
    ways[i] = select(vec2<u32>(pairs[i].x, steps[i].x), vec2<u32>(pairs[i].y, steps[i].y), params.end == 1u);
    found[i] = identity();
}
