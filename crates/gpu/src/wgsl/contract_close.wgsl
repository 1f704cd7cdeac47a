// What a vertex reaches when nothing is left below it.
@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    let i = group_number(group, groups) * 256u + me;
    if i < params.count {
        own[i] = combine(firsts[i], lasts[i]);
    }
}
