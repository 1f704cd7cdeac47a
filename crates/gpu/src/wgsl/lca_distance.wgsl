// Depths add up to distances, as far as they are in a chunk.
fn each(i: u32) {
    if answers[i] == 0xffffffffu {
        distances[i] = 0xffffffffu;
        return;
    }
    var sum = distances[i];
    let places = vec3<u32>(pairs[i], answers[i]) - vec3<u32>(params.first);
    if places.x < params.length {
        sum += records[places.x].w;
    }
    if places.y < params.length {
        sum += records[places.y].w;
    }
    if places.z < params.length {
        sum -= 2u * records[places.z].w;
    }
    distances[i] = sum;
}
