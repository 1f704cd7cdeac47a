// From the head of a path to its parent, as far as it is in a chunk.
fn each(i: u32) {
    var state = states[i];
    if state.y != 0u && state.y - params.first < params.length {
        state = vec4<u32>(enters[state.y - params.first], 0u, state.zw);
    }
    if state.w != 0u && state.w - params.first < params.length {
        state = vec4<u32>(state.xy, enters[state.w - params.first], 0u);
    }
    states[i] = state;
}
