// The inlabel of a vertex: the number with the most trailing zeros in its subtree's interval.
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
    let number = params.base + i + 2u;
    let last = number + (close[i] - open[i] - 1u) / 2u;
    let zeros = firstLeadingBit((number - 1u) ^ last);
    labels[i] = (last >> zeros) << zeros;
}
