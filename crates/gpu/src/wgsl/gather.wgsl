// Values in another order, as far as they are in a chunk.
@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    let k = group_number(group, groups) * 256u + me;
    if k >= params.count {
        return;
    }
    let place = order[k] - params.first;
    if place < params.length {
        own[k] = values[place];
    }
}
