// Each value where its vertex is opened; its inverse or the identity where it is closed.
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
    let x = values[i];
    // Wraps to a large number before the chunk.
    let opened = open[i] - params.first;
    let closed = close[i] - params.first;
    if opened < params.length {
        line[opened] = x;
    }
    if closed < params.length {
        if params.inverted == 1u {
            line[closed] = inverse(x);
        } else {
            line[closed] = identity();
        }
    }
}
