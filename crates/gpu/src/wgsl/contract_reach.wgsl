// The upper vertex of each pair was spliced out: what it reaches lies around what the lower one
// reaches.
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
    let pair = pairs[params.start + i] - vec2<u32>(params.upper, params.lower);
    own[pair.x] = combine(combine(firsts[pair.x], below_at(pair.y)), lasts[pair.x]);
}
