// A way up: where it is, and the steps that it takes.
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
    ways[i] = select(vec2<u32>(pairs[i].x, steps[i].x), vec2<u32>(pairs[i].y, steps[i].y), params.end == 1u);
    found[i] = identity();
}
