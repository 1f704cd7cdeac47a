// A workgroup for each vertex with many children; each thread goes through a stretch of them.
var<workgroup> products: array<Elem, 256>;

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    let number = min(group_number(group, groups), params.count - 1u);
    let k = vertices[params.start + number] - params.base;
    let children = family[k];
    let begin = max(children.x, params.first);
    let finish = max(begin, min(children.y, params.first + params.length));
    let each = (finish - begin + 255u) / 256u;
    var product = identity();
    for (var c = begin + min(me * each, finish - begin); c < min(begin + (me + 1u) * each, finish); c++) {
        let child = c - params.first + params.offset;
        product = combine(product, combine(values[child], other_at(child)));
    }
    products[me] = product;
    for (var step = 1u; step < 256u; step *= 2u) {
        workgroupBarrier();
        if me % (2u * step) == 0u {
            products[me] = combine(products[me], products[me + step]);
        }
    }
    if me == 0u && group_number(group, groups) < params.count {
        own[k] = combine(own[k], products[0]);
    }
}
