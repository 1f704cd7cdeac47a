// Jumps of twice as many steps, as far as the first half ends in a chunk. Beyond a root there is
// nothing that anybody asks for.
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
    if up[i] == 0xffffffffu {
        new_up[i] = 0xffffffffu;
        return;
    }
    let place = up[i] - params.first;
    if place < params.length {
        new_up[i] = up_there[place];
        new_products[i] = combine(products[i], products_there[place]);
    }
}
