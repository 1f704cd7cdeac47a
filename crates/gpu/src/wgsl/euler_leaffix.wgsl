// What comes before the closing, without what comes before the opening. A chunk may have the
// one and not the other; chunks come in order.
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
    let opened = open[i] + 1u - params.inclusive - params.first;
    let closed = close[i] - params.first;
    if opened < params.length {
        answers[i] = inverse(line[opened]);
    }
    if closed < params.length {
        answers[i] = combine(answers[i], line[closed]);
    }
}
