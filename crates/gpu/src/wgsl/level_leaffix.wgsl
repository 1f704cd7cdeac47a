// One level: everybody goes through its children in a chunk. Who has many is left to a workgroup.
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
    let k = params.start + i;
    let children = family[k];
    if children.y - children.x > params.wide {
        return;
    }
    let begin = max(children.x, params.first);
    let finish = min(children.y, params.first + params.length);
    var product = own[k];
    for (var c = begin; c < finish; c++) {
        let child = c - params.first;
        product = combine(product, combine(values[child], other_at(child)));
    }
    own[k] = product;
}
