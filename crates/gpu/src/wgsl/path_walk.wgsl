// Ways whose number of steps has the bit jump, if they are in a chunk. Jumps lead to smaller
// positions and chunks come in order, so that nobody jumps twice.
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
    let way = ways[i];
    let place = way.x - params.first;
    if (way.y & params.bit) != 0u && place < params.length {
        found[i] = combine(found[i], products[place]);
        ways[i] = vec2<u32>(up[place], way.y);
    }
}
