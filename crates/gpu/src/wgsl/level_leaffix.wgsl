// One level: everybody goes through its children in a chunk. Who has many is left to a workgroup.
fn each(i: u32) {
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
