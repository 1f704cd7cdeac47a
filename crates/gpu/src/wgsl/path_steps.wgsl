// Depths above the lowest common ancestor, as far as they are in a chunk. It is on the first way.
fn each(i: u32) {
    if answers[i] == 0xffffffffu {
        return;
    }
    var count = steps[i];
    let places = vec3<u32>(pairs[i], answers[i]) - vec3<u32>(params.first);
    if places.x < params.length {
        count.x += records[places.x].w;
    }
    if places.y < params.length {
        count.y += records[places.y].w;
    }
    if places.z < params.length {
        count -= vec2<u32>(records[places.z].w);
        count.x += 1u - params.on_edges;
    }
    steps[i] = count;
}
