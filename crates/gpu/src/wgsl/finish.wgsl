// Back to preorder; own values are put in where they belong.
@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    let k = group_number(group, groups) * 256u + me;
    if k >= params.count {
        return;
    }
    let place = order[k] - params.first;
    if place < params.length {
        var answer = own[k];
        if params.after == 1u {
            answer = combine(answer, values[k]);
        }
        if params.before == 1u {
            answer = combine(values[k], answer);
        }
        answers[place] = answer;
    }
}
