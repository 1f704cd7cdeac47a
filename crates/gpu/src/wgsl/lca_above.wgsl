// The inlabel of the parent; above a root is a root of all.
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
    let p = parent[i];
    if p == 0xffffffffu {
        above[i] = params.top;
    } else if p - params.first < params.length {
        above[i] = labels[p - params.first];
    }
}
