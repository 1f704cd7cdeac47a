// A first child differs from what is above it by its parent's value; siblings do not differ.
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
    if (links[i] & 1u) == 0u {
        own[i] = identity();
        return;
    }
    let before = params.base + i - 1u - params.first;
    if before < params.length {
        own[i] = values[before];
    }
}
