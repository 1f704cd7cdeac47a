// The upper vertex of each pair takes in the lower one: raked from the left or from the right,
// or spliced out.
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
    let first = first_at(pair.y);
    let last = last_at(pair.y);
    if params.step == 0u {
        firsts[pair.x] = combine(firsts[pair.x], combine(first, last));
    } else if params.step == 1u {
        lasts[pair.x] = combine(combine(first, last), lasts[pair.x]);
    } else {
        firsts[pair.x] = combine(firsts[pair.x], first);
        lasts[pair.x] = combine(last, lasts[pair.x]);
    }
}
