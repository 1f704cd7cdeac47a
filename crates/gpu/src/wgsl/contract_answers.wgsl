// Below a vertex is what its first child reaches.
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
    let child = params.base + i + 1u - params.first;
    var below = identity();
    if (links[i] & 2u) != 0u {
        if child >= params.length {
            return;
        }
        below = reach[child];
    }
    if params.inclusive == 1u {
        below = combine(values[i], below);
    }
    answers[i] = below;
}
