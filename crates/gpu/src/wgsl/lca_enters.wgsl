// By inlabel: the number of the parent of the path's head.
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
    let place = labels[i] - params.first;
    if labels[i] != above[i] && place < params.length {
        // The root of all is number 1: that is where the missing parent of a root wraps to.
        enters[place] = parent[i] + 2u;
    }
}
