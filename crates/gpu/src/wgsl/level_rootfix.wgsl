// One level: everybody takes what its parent has and the parent's value.
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
    let k = params.start + i;
    let p = parent[k] - params.first;
    if p < params.length {
        own[k] = combine(other_at(p), values[p]);
    }
}
