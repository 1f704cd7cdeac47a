// From the head of a path to its parent, as far as it is in a chunk.
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
    var state = states[i];
    if state.y != 0u && state.y - params.first < params.length {
        state = vec4<u32>(enters[state.y - params.first], 0u, state.zw);
    }
    if state.w != 0u && state.w - params.first < params.length {
        state = vec4<u32>(state.xy, enters[state.w - params.first], 0u);
    }
    states[i] = state;
}
