// Depths add up to distances, as far as they are in a chunk.
@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    let i = group_number(group, groups) * 256u + me;
    if i >= params.count {
        return;
    }
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
