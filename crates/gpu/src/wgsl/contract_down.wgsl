// The lower vertex of each pair takes in the upper one's product.
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
    own[pair.y] = combine(above_at(pair.x), own[pair.y]);
}
