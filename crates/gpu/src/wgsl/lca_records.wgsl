// What a query reads: number, inlabel, ascendant, depth.
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
    let at = params.base + i;
    records[i] = vec4<u32>(at + 2u, labels[i], params.top + ascendants[i], 2u * at - open[i]);
}
