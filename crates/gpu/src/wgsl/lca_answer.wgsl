// The upper of the two is the answer; the root of all is none.
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
    let number = min(states[i].x, states[i].z);
    answers[i] = select(0xffffffffu, number - 2u, number > 1u);
}
